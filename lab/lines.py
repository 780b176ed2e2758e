"""JSON Lines in, one answer a line out (`docs/interfaces.md`, names): reading, answering, and what a bad line gets."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from lab.errors import UsageError

Answer = dict[str, Any]


@contextmanager
def opened(file: str) -> Iterator[IO[str]]:
    """The lines of a file or of standard input. Bytes that are no UTF-8 become text that no JSON parser takes, so that
    only their own line is refused."""
    if file == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed; name a file")
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="backslashreplace")  # type: ignore[union-attr]
        yield sys.stdin
        return
    try:
        lines = Path(file).open(encoding="utf-8-sig", errors="backslashreplace")  # noqa: SIM115 - what is done with them may fail otherwise
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None
    with lines:
        yield lines


def say(answer: Any) -> None:
    """One line of JSON; half a character from a JSON escape goes out as it came."""
    text = json.dumps(answer, ensure_ascii=False)
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def each_line(lines: Iterable[str], answer: Callable[[Any], Answer]) -> Iterator[Answer]:
    """An answer per line, in order; a bad line gets `{"error": ..., "line": N}`. A blank line at the very end is no line."""
    blank: list[int] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blank.append(number)
            continue
        yield from ({"error": "the line is empty; it should hold one JSON object", "line": n} for n in blank)
        blank.clear()
        try:
            yield answer(_parse(line))
        except ValueError as error:  # ConventionError, ProtocolError and the like
            yield {"error": str(error), "line": number}
    yield from ({"error": "the line is empty; it should hold one JSON object", "line": n} for n in blank[:-1])


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number that JSON allows")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return content


def _parse(line: str) -> Any:
    try:
        return json.loads(line, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise ValueError(f"the line is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("the line is nested too deeply") from None
