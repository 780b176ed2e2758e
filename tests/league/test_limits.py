"""Time limits of bots that live in this process, and the bot that passes in every auction."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from bots import catalogue
from bots.limits import BotStalledError, within
from bots.passing import passing
from engine.batch import Setup, play_block
from engine.table import K_RASPAS
from tests.helpers import terms

BOTS = """
from engine.actions import PASS
from engine.jit import lowbit, rule
class Sleepy:
    def act(self, view):
        while view.seat == 1:
            pass
        return view.legal_actions()[0]
class Swallows:
    def act(self, view):
        while True:
            try:
                pass
            except Exception:
                pass
class SleepyBatch:
    def act_batch(self, views):
        while True:
            pass
class Highest:
    def act(self, view):
        return view.legal_actions()[-1]
class Raises:
    def act(self, view):
        raise KeyError("ace")
class SwallowsAll:
    def act(self, view):
        while True:
            try:
                for _ in range(10000):
                    pass
            except BaseException:
                return view.legal_actions()[0]
class Generator:
    def act(self, view):
        raise GeneratorExit
class Bare:
    def act(self, view):
        raise BaseException("two\\nlines")
class Mute:
    def act(self, view):
        class Silent(Exception):
            def __str__(self):
                raise ValueError
        raise Silent
class Dull:
    def act(self, view):
        class Endless(Exception):
            def __str__(self):
                while True:
                    pass
        raise Endless
class Once:
    made = 0
    def __init__(self):
        Once.made += 1
        if Once.made > 1:
            raise GeneratorExit("spent")
    def act(self, view):
        return view.legal_actions()[0]
class Huge:
    def act(self, view):
        return 10**30
class Interrupts:
    def act(self, view):
        raise KeyboardInterrupt
class Leaves:
    def act(self, view):
        raise SystemExit(3)
class LeavesBatch:
    def act_batch(self, views):
        raise SystemExit(3)
@rule
def highest(v, r):
    mask = v.legal
    while mask & (mask - 1):
        mask &= mask - 1
    return v.first_action + lowbit(mask)
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(BOTS)
    return str(path)


def setup(*specs: str, limit: int = 1, seconds: float = 0.1) -> Setup:
    t = terms("piter", 3)
    players = tuple(catalogue.load(spec, t.rules, seconds) for spec in specs)
    return Setup(t, players, (tuple(i % len(specs) for i in range(3)),), limit=limit)


@pytest.mark.parametrize("name", ["Sleepy", "Swallows", "SwallowsAll", "SleepyBatch", "Dull"])
def test_a_python_bot_that_stalls_is_interrupted(file: str, name: str) -> None:
    block = play_block(setup("random", f"{file}:{name}"), 0, 2)
    assert {failure.player for failure in block.failures} == {f"{file}:{name}"}
    assert block.failures[0].reason == "BotStalledError: no answer within 0.1 s"
    assert len(block.failures) == 2


@pytest.mark.parametrize(("name", "reason"), [("Leaves", "SystemExit: 3"), ("LeavesBatch", "SystemExit: 3")])
def test_a_bot_cannot_end_the_run(file: str, name: str, reason: str) -> None:
    block = play_block(setup(f"{file}:{name}"), 0, 2)
    assert [failure.reason for failure in block.failures] == [reason] * 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Generator", "GeneratorExit"),
        ("Bare", "BaseException: two"),
        ("Mute", "Silent: its message cannot be read"),
        ("Once", "it could not be made anew: GeneratorExit: spent"),
        ("Huge", "OverflowError: Python int too large to convert to C long"),
    ],
)
def test_whatever_a_bot_raises_is_its_failure(file: str, name: str, reason: str) -> None:
    block = play_block(setup(f"{file}:{name}"), 0, 3)
    assert [failure.reason for failure in block.failures] == [reason] * 3


def test_a_bot_in_a_worker_thread_raises_no_interrupt_of_the_program(file: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        block = pool.submit(play_block, setup(f"{file}:Interrupts"), 0, 2).result()
    assert [failure.reason for failure in block.failures] == ["KeyboardInterrupt"] * 2


def test_what_a_bot_raises_is_the_reason_and_it_is_asked_once(file: str) -> None:
    block = play_block(setup("random", f"{file}:Raises"), 0, 5)
    assert [failure.reason for failure in block.failures] == ["KeyError: 'ace'"] * 5


def test_a_limit_on_several_threads_hits_only_the_one_that_is_late() -> None:
    answers: list[object] = [None] * 4

    def work(i: int) -> None:
        try:
            answers[i] = [within(0.2, lambda: sum(range(100))) for _ in range(2000)][-1] if i else within(0.2, forever)
        except BotStalledError as error:
            answers[i] = str(error)

    def forever() -> None:
        while True:
            pass

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == ["no answer within 0.2 s", 4950, 4950, 4950]


def test_an_interruption_that_comes_as_the_call_returns_stays_inside() -> None:
    """Calls that take about as long as they may: each ends one way or the other, and nothing is raised afterwards."""
    ends = {True: 0, False: 0}
    for _ in range(30):
        until = time.monotonic() + 0.02

        def about(until: float = until) -> None:
            while time.monotonic() < until:
                pass

        try:
            within(0.01, about)
            ends[True] += 1
        except BotStalledError:
            ends[False] += 1
        time.sleep(0.001)
    assert sum(ends.values()) == 30


@pytest.mark.parametrize("bot", ["novice", "{file}:Highest", "{file}:highest"])
def test_with_passing_bots_every_deal_is_a_raspas(file: str, bot: str) -> None:
    plain = setup(bot.format(file=file), limit=4)
    kinds: list[np.ndarray] = []
    players = tuple(passing(player, catalogue.version_of(player.name)) for player in plain.players)
    block = play_block(Setup(plain.terms, players, plain.seatings, limit=4), 0, 10, lambda rows: kinds.append(rows["kind"].copy()))
    assert block.failures == []
    found = np.concatenate(kinds)
    assert len(found) == 40
    assert (found == K_RASPAS).all()


def test_a_passing_bot_otherwise_plays_as_the_bot_does(file: str) -> None:
    """Compiled and in Python the same bot, both passing, come to the same tables."""
    blocks = []
    for name in ("Highest", "highest"):
        plain = setup(f"{file}:{name}", limit=3)
        players = tuple(passing(player, catalogue.version_of(player.name)) for player in plain.players)
        blocks.append(play_block(Setup(plain.terms, players, plain.seatings, limit=3), 0, 5))
    assert (blocks[0].tables["mountain"] == blocks[1].tables["mountain"]).all()
    assert blocks[0].tables["mountain"].any()
