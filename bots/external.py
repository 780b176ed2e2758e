"""Bots in any language: a program that is asked over its standard input and answers on its standard output.

JSON lines go in, one greeting and then one question at a time (`bots.messages`); one line with an action's text comes back for each
question. What the program writes on standard error is passed on. `preferans bot-protocol` prints the whole agreement.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bots.limits import BotFailedError, BotStalledError, OneAtATime
from bots.messages import greeting, question
from engine import actions

PREFIX = "exec:"
GRACE = 1.0  # seconds to end in, once the input has been closed
LONGEST = 1000  # bytes of an answer

_living: set[subprocess.Popen[bytes]] = set()
_guard = threading.Lock()


class BotDiedError(BotFailedError):
    """A program that ended, or could not be started."""


class BadAnswerError(Exception):
    """A line that is no answer; the program goes on."""


class OutOfStepError(BotFailedError):
    """More lines than questions: nothing that follows can be told apart."""


def command_of(spec: str) -> list[str]:
    """The words of `exec:COMMAND`, quoted as in a shell; ValueError says in one sentence why it cannot be run."""
    try:
        words = shlex.split(spec.removeprefix(PREFIX))
    except ValueError as error:
        raise ValueError(f"the command cannot be read: {error}") from None
    if not words:
        raise ValueError("there is no command; allowed: exec:PROGRAM with its arguments")
    if shutil.which(words[0]) is None:
        reason = "it is not executable" if Path(words[0]).is_file() else "there is no such program"
        raise ValueError(f"{words[0]} cannot be run: {reason}")
    return words


def files_of(spec: str) -> list[Path]:
    """The files that a command names, its program first: what a change of the bot would change."""
    words = command_of(spec)
    return [Path(str(shutil.which(words[0]))), *(Path(word) for word in words[1:] if Path(word).is_file())]


def policy_maker(spec: str, rules: np.ndarray[Any, Any], seconds: float) -> Callable[[], OneAtATime]:
    """A maker of policies, each with a process of its own; ValueError as `command_of`."""
    words = command_of(spec)
    hello = _line(greeting(rules))

    def make() -> OneAtATime:
        return OneAtATime(Asked(words, hello, seconds))

    return make


def end_all() -> None:
    """Kill every program that still runs (before a process that will not wait for its threads ends)."""
    with _guard:
        living = list(_living)
    for process in living:
        _kill(process)


class Asked:
    """The bot as a function from a view to an action: started at the first question and again after each failure."""

    def __init__(self, words: list[str], hello: bytes, seconds: float) -> None:
        self.words, self.hello, self.seconds = words, hello, seconds
        self.questions = 0
        self.process: _Process | None = None

    def __call__(self, view: np.ndarray[Any, Any]) -> int:
        self.questions += 1
        message = _line(question(self.questions, view[0]))
        try:
            if self.process is None:
                self.process = _Process(self.words)
                message = self.hello + message
            text = self.process.ask(message, self.seconds)
        except BotFailedError:
            if self.process is not None:
                self.process.kill()
            self.process = None
            raise
        try:
            return actions.parse_action(text)
        except actions.ActionError:
            raise BadAnswerError(f"{text[:60]!r} is not an action") from None


class _Process:
    """A running program, its pipes not blocking, ended with this object."""

    def __init__(self, words: list[str]) -> None:
        try:
            # a session of its own: Ctrl-C at the terminal is for the run, which then ends its bots
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True)
        except OSError as error:
            raise BotDiedError(f"{words[0]} cannot be started: {error.strerror}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.to, self.out = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self.to, False)
        os.set_blocking(self.out, False)
        self.unread = b""
        with _guard:
            _living.add(process)
        self.end = weakref.finalize(self, _end, process)

    def kill(self) -> None:
        _kill(self.process)
        self.end()

    def ask(self, message: bytes, seconds: float) -> str:
        """Send a question, wait for one line."""
        self._read()
        if self.unread:
            raise OutOfStepError(f"it said {_shown(self.unread)} without having been asked")
        deadline = time.monotonic() + seconds
        watched = select.poll()
        watched.register(self.out, select.POLLIN)
        watched.register(self.to, select.POLLOUT)
        while True:
            line, newline, rest = self.unread.partition(b"\n")
            if newline and not message:
                self.unread = rest
                return line.decode("utf-8", "replace").strip()
            if len(line) > LONGEST:
                raise OutOfStepError(f"its answer is longer than {LONGEST} bytes")
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotStalledError(f"no answer within {seconds:g} s")
            for handle, _ in watched.poll(1000 * left):
                if handle == self.to:
                    message = self._write(message)
                    if not message:
                        watched.unregister(self.to)
                elif not self._read():
                    raise BotDiedError(self._how_it_ended())

    def _write(self, message: bytes) -> bytes:
        try:
            return message[os.write(self.to, message) :]
        except BlockingIOError:
            return message
        except OSError:
            raise BotDiedError(self._how_it_ended()) from None

    def _read(self) -> bool:
        """Take in what is there; False at the end of the output."""
        try:
            data = os.read(self.out, 1 << 16)
        except BlockingIOError:
            return True
        self.unread += data
        return bool(data)

    def _how_it_ended(self) -> str:
        try:
            status = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "the program closed its standard input or output"
        if status < 0:
            return f"the program was ended by signal {signal.Signals(-status).name}"
        return f"the program ended with status {status}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close the input, which asks the program to end; kill what does not."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()
    with _guard:
        _living.discard(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # what it has started, too


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _shown(data: bytes) -> str:
    return repr(data.decode("utf-8", "replace").splitlines()[0][:60])
