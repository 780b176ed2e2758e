"""A time limit for bots written in Python, which live in this process.

A Python bot that does not come back is interrupted by an exception raised in its thread, and again if it swallows that. This ends
loops of Python code; one that swallows every exception for ever, or a call into compiled code or the operating system that never
returns, cannot be ended from inside a process. For such a bot there is the
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
from engine.telling import ToldError, in_a_line, is_interrupt

DECISION_SECONDS = 60.0  # for one decision, unless a run says otherwise
PATIENCE = 3  # stalls and deaths in one block of pulkas after which a bot is not asked again
_TICK = 0.02  # how often deadlines are looked at
_AGAIN = 0.25  # seconds until a bot that swallowed its interruption gets another


class BotFailedError(Exception):
    """A bot that cannot be expected to answer the next question either."""


class BotStalledError(BotFailedError):
    """A bot that did not answer in time."""


class _Interruption(BaseException):
    """Raised inside a bot that is out of time (not an `Exception`: bots catch those)."""


@attrs.define(eq=False)
class _Alarm:
    """A deadline of one thread: the watch interrupts, again and again, until the thread says that it is done."""

    thread: int
    deadline: float
    late: bool = False
    done: bool = False
    ringing: bool = False  # each side sets its own flag, then looks at the other's: no lock that an interruption could leave held

    def ring(self, now: float) -> None:
        """Called by the watch."""
        self.ringing = True
        if not self.done:
            self.late = True
            self.deadline = now + _AGAIN
            _interrupt(self.thread, _Interruption)
        self.ringing = False

    def stop(self) -> None:
        """Called by the thread: after it, no interruption comes or is on the way."""
        while True:
            try:
                self.done = True
                while self.ringing:
                    time.sleep(0)
                _interrupt(self.thread, None)
                return
            except _Interruption:
                pass


def _interrupt(thread: int, kind: type[BaseException] | None) -> None:
    """Raise `kind` in a thread as soon as it runs Python code; None takes back what has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if kind is None else ctypes.py_object(kind))


_alarms: dict[int, _Alarm] = {}
_starting = threading.Lock()
_watch: threading.Thread | None = None


def _look_at_deadlines() -> None:
    while True:
        time.sleep(_TICK)
        now = time.monotonic()
        for alarm in list(_alarms.values()):
            if now > alarm.deadline:
                alarm.ring(now)


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
        finally:
            alarm.stop()
    except BaseException:
        alarm.stop()  # again: it may have been interrupted before it began
        if alarm.late:
            raise BotStalledError(f"no answer within {seconds:g} s") from None
        raise
    finally:
        _alarms.pop(alarm.thread, None)
    if alarm.late:
        raise BotStalledError(f"no answer within {seconds:g} s")
    return answer


def _told(call: Callable[[], Any]) -> Any:
    """`call()`; what a bot raises is told here, within its time, since telling it runs the bot's code too."""
    try:
        return call()
    except _Interruption:
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise ToldError(in_a_line(error)) from None


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
        except Exception as error:
            return error


class _LimitedBatch:
    """A batch policy that has the time of all the views it is asked for."""

    def __init__(self, policy: Policy, seconds: float) -> None:
        self.policy = policy
        self.seconds = seconds

    def act_batch(self, views: np.ndarray[Any, Any]) -> Any:
        def answers() -> np.ndarray[Any, Any]:
            return np.asarray(self.policy.act_batch(views), dtype=np.int64)

        return within(self.seconds * len(views), lambda: _told(answers))


def limited(make: Callable[[], Policy], seconds: float) -> Callable[[], Policy]:
    """A maker of policies with a limit of `seconds` for one decision."""

    def make_limited() -> Policy:
        policy = make()
        if type(policy) is OneByOne:
            return OneAtATime(lambda view: within(seconds, lambda: _told(lambda: policy.act_batch(view)[0])))
        return _LimitedBatch(policy, seconds)

    return make_limited
