"""A time limit for bots written in Python, which live in this process.

A Python bot that does not come back is interrupted by an exception raised in its thread. That ends any loop of Python code; a call
into compiled code or the operating system that never returns cannot be ended from inside a process. For such a bot there is the
line protocol (`bots.external`): a program of its own can always be killed.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from bots.python import OneByOne
from engine.batch import Policy

DECISION_SECONDS = 60.0  # for one decision, unless a run says otherwise
PATIENCE = 3  # stalls and deaths in one block of pulkas after which a bot is not asked again
_TICK = 0.02  # how often deadlines are looked at


class BotFailedError(Exception):
    """A bot that cannot be expected to answer the next question either."""


class BotStalledError(BotFailedError):
    """A bot that did not answer in time."""


class _Interruption(BaseException):
    """Raised inside a bot that is out of time (not an `Exception`: bots catch those)."""


@attrs.frozen(eq=False)
class _Alarm:
    """A deadline of one thread. Whoever takes the token first, the thread that is done or the watch, has the last word."""

    thread: int
    deadline: float
    token: list[None] = attrs.field(factory=lambda: [None])

    def claim(self) -> bool:
        try:
            self.token.pop()  # atomic
        except IndexError:
            return False
        return True


_alarms: dict[int, _Alarm] = {}
_starting = threading.Lock()
_watch: threading.Thread | None = None


def _look_at_deadlines() -> None:
    while True:
        time.sleep(_TICK)
        now = time.monotonic()
        for alarm in list(_alarms.values()):
            if now > alarm.deadline and alarm.claim():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(alarm.thread), ctypes.py_object(_Interruption))


def _begin_watch() -> None:
    global _watch
    with _starting:
        if _watch is None or not _watch.is_alive():  # a forked process has no threads but its first
            _watch = threading.Thread(target=_look_at_deadlines, daemon=True, name="bots' time limit")
            _watch.start()


def within(seconds: float, call: Callable[[], Any]) -> Any:
    """`call()`, interrupted with `BotStalledError` if it takes longer."""
    if _watch is None or not _watch.is_alive():
        _begin_watch()
    alarm = _Alarm(threading.get_ident(), time.monotonic() + seconds)
    _alarms[alarm.thread] = alarm
    try:
        try:
            answer = call()
        except _Interruption:
            raise
        except BaseException:
            _settle(alarm)
            raise
        _settle(alarm)
        return answer
    except _Interruption:
        raise BotStalledError(f"no answer within {seconds:g} s") from None
    finally:
        _alarms.pop(alarm.thread, None)


def _settle(alarm: _Alarm) -> None:
    """The call came back. If the watch was first, its interruption is on the way: take it here and not later."""
    if not alarm.claim():
        while True:
            time.sleep(_TICK)


class OneAtATime:
    """A batch policy that asks for one decision after another, none twice, and gives a bot up that has failed `PATIENCE` times.

    `decide`: from a view (shape (1,), dtype `VIEW`) to an action number. What it raises ends that view's pulka; a
    `BotFailedError` counts as a failure of the bot as a whole.
    """

    def __init__(self, decide: Callable[[np.ndarray[Any, Any]], int]) -> None:
        self.decide = decide
        self.failures = 0
        self._known: deque[tuple[bytes, int | Exception]] = deque()

    def act_batch(self, views: np.ndarray[Any, Any]) -> list[int]:
        outcomes = [self._outcome(views[i : i + 1]) for i in range(len(views))]
        failed = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        if failed:
            if len(views) > 1:  # the core now asks for each view alone, to learn which one failed
                self._known = deque((views[i].tobytes(), outcome) for i, outcome in enumerate(outcomes))
            raise failed[0]
        return [outcome for outcome in outcomes if not isinstance(outcome, Exception)]

    def _outcome(self, view: np.ndarray[Any, Any]) -> int | Exception:
        if self._known:
            seen, outcome = self._known.popleft()
            if seen == view.tobytes():
                return outcome
            self._known.clear()
        if self.failures >= PATIENCE:
            return BotFailedError(f"it failed {PATIENCE} times before and is not asked again in this block")
        try:
            return self.decide(view)
        except BotFailedError as error:
            self.failures += 1
            return error
        except SystemExit as error:
            return RuntimeError(f"it called sys.exit({error.code!r})")
        except Exception as error:
            return error


class _LimitedBatch:
    """A batch policy that has the time of all the views it is asked for."""

    def __init__(self, policy: Policy, seconds: float) -> None:
        self.policy = policy
        self.seconds = seconds

    def act_batch(self, views: np.ndarray[Any, Any]) -> Any:
        return within(self.seconds * len(views), lambda: self.policy.act_batch(views))


def limited(make: Callable[[], Policy], seconds: float) -> Callable[[], Policy]:
    """A maker of policies with a limit of `seconds` for one decision."""

    def make_limited() -> Policy:
        policy = make()
        if isinstance(policy, OneByOne):
            return OneAtATime(lambda view: within(seconds, lambda: policy.act_batch(view)[0]))
        return _LimitedBatch(policy, seconds)

    return make_limited
