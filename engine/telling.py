"""An error in a line, whatever it is: what people's own code raises can itself raise when it is looked at."""

from __future__ import annotations

import threading

LONGEST = 300  # characters of a message that are told


class ToldError(Exception):
    """An error of code that is not the house's; the message is what `in_a_line` made of it."""


def in_a_line(error: BaseException) -> str:
    """An exception in one line: its kind, and the first line of its message that says something."""
    try:
        kind = str.__str__(type(error).__name__)
    except BaseException:
        kind = "an error without a name"
    try:
        message = "".join(str(error))  # a plain text, should it be of a kind of its own
        said = next((line.strip() for line in message.splitlines() if line.strip()), "")
    except BaseException:
        said = "its message cannot be read"
    said = said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
    if type(error) is ToldError:
        return said
    return f"{kind}: {said}" if said else kind


def is_interrupt(error: BaseException) -> bool:
    """Whether this may be somebody's Ctrl-C, which Python raises in the main thread alone, and which ends the program."""
    return issubclass(type(error), KeyboardInterrupt) and threading.current_thread() is threading.main_thread()
