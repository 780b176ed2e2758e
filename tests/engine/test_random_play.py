"""Any legal action sequence at any option combination keeps the invariants (docs/rules.md 7.7)."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import conventions
from conventions.catalogue import available_options
from conventions.convention import PARAMETERS
from conventions.parameters import ConventionError
from conventions.settlement import settle
from engine import actions, cards, jit
from engine.batch import Player, Setup, play_block
from engine.game import Game
from engine.replay import read, replay
from engine.table import K_RASPAS, P_DEAL, P_OVER, P_PLAY, UNIT
from tests.helpers import CASES, terms


def random_options(rng: random.Random, name: str, seats: int) -> dict[str, Any]:
    """Some options of a convention away from their defaults, those that go together."""
    chosen: dict[str, Any] = {}
    convention = conventions.get(name, seats)
    for option in available_options(convention, seats):
        values = convention.choices.get(option.name) or PARAMETERS[option.name].metadata["kind"].values
        if option.offered and values and rng.random() < 0.4:
            trial = chosen | {option.name: rng.choice(list(values))}
            try:
                conventions.get(name, seats, trial)
            except ConventionError:
                continue
            chosen = trial
    return chosen


class Scripted:
    """A policy that answers with a list of actions."""

    def __init__(self, script: list[int]) -> None:
        self.script = iter(script)

    def act_batch(self, views: np.ndarray) -> list[int]:
        return [next(self.script) for _ in views]


class TableMachine(RuleBasedStateMachine):
    """Plays a pulka with any legal action, takes some back, and checks the table after each."""

    @initialize(case=st.sampled_from(CASES), seed=st.integers(0, 10**6), points=st.integers(1, 6))
    def sit_down(self, case: tuple[str, int], seed: int, points: int) -> None:
        name, seats = case
        self.options = random_options(random.Random(seed), name, seats)
        self.game = Game(terms(name, seats, **self.options), target=points, seed=seed, limit=30)
        self.seed = seed

    @precondition(lambda self: self.game.waits_for_deal)
    @rule()
    def deal(self) -> None:
        before = self.game.table.tobytes()
        self.game.deal()
        after = self.game.table.tobytes()
        self.game.undo()
        assert self.game.table.tobytes() == before
        self.game.deal()
        assert self.game.table.tobytes() == after

    @precondition(lambda self: not self.game.waits_for_deal and not self.game.over)
    @rule(picks=st.lists(st.integers(0, 10**6), min_size=1, max_size=45))
    def act(self, picks: list[int]) -> None:
        for pick in picks:
            legal = self.game.legal()
            if not legal:
                break
            before = self.game.table.tobytes()
            action = legal[pick % len(legal)]
            event = self.game.act(action)
            assert event.action == action
            if pick % 7 == 0:
                after = self.game.table.tobytes()
                self.game.undo()
                assert self.game.table.tobytes() == before
                self.game.act(action)
                assert self.game.table.tobytes() == after
            self.check()

    @precondition(lambda self: not self.game.waits_for_deal and not self.game.over)
    @rule(action=st.integers(0, actions.ACTIONS - 1))
    def refuse_what_is_illegal(self, action: int) -> None:
        before = self.game.table.tobytes()
        reason = self.game.why_not(action)
        if action in self.game.legal():
            assert reason is None
            return
        assert reason and "docs/rules.md" in reason
        with pytest.raises(actions.ActionError) as error:
            self.game.act(action)
        assert str(error.value) == reason
        assert self.game.table.tobytes() == before

    @precondition(lambda self: self.game.over)
    @rule(action=st.integers(0, actions.ACTIONS - 1))
    def refuse_everything_once_the_pulka_is_over(self, action: int) -> None:
        before = self.game.table.tobytes()
        assert not self.game.legal()
        for attempt in (lambda: self.game.act(action), self.game.deal):
            with pytest.raises(actions.ActionError):
                attempt()
        assert self.game.table.tobytes() == before

    @invariant()
    def check(self) -> None:
        if not hasattr(self, "game"):
            return
        t = self.game.table[0]
        seats = int(t["seats"])
        assert bool(self.game.legal()) == (self.game.phase not in (P_DEAL, P_OVER))
        if self.game.phase in (P_DEAL, P_OVER):
            self.check_finished(t, seats)
            return
        held = [int(t["hands"][s]) for s in range(seats)] + [int(t["discard"])]
        held += [int(t["played"][s]) for s in range(seats)]
        talon = cards.mask_of(int(c) for c in t["talon"])
        everywhere = sum(held)
        union = 0
        for mask in held:
            assert not union & mask
            union |= mask
        assert union | talon == cards.DECK and (everywhere | talon) == union | talon
        if self.game.phase == P_PLAY:
            assert int(t["tricks"].sum()) == int(t["trick_no"]) < 10
        assert self.game.actor in range(seats) and self.game.turn in range(seats)

    def check_finished(self, t: Any, seats: int) -> None:
        if not int(t["deal_no"]):
            return
        played = int(t["trick_no"])
        assert played in (0, 10) and int(t["tricks"].sum()) == played
        if int(t["kind"]) != K_RASPAS:
            assert seats == 3 or not int(t["tricks"][int(t["dealer"])])
        pool = [Fraction(int(x), UNIT) for x in t["pool"][:seats]]
        mountain = [Fraction(int(x), UNIT) for x in t["mountain"][:seats]]
        whists = [[Fraction(int(x), UNIT) for x in row[:seats]] for row in t["whists"][:seats]]
        assert sum(settle(pool, mountain, whists, 20)) == 0
        assert all(x >= 0 for row in whists for x in row)
        assert all(not whists[s][s] for s in range(seats))

    def teardown(self) -> None:
        game = getattr(self, "game", None)
        if game is None or not game.finished_deals:
            return
        while not (game.waits_for_deal or game.over):  # take back the unfinished deal
            game.undo()
        self.replays_to_the_same_bytes()
        self.fast_core_agrees()

    def replays_to_the_same_bytes(self) -> None:
        game = self.game
        line = json.dumps(
            game.record([f"seat {s}" for s in range(game.terms.seats)], [Fraction(0)] * game.terms.seats) | {"finished": False}
        )
        again = replay(read(json.loads(line)), game.terms)
        skip = {"key", "limit", "pulka", "phase", "finished"}
        for name in game.table.dtype.names or ():
            if name not in skip:
                assert np.array_equal(game.table[name], again.table[name]), name

    def fast_core_agrees(self) -> None:
        game = self.game
        seats = game.terms.seats
        script = [e.action for e in game.events]
        setup = Setup(
            game.terms, (Player("scripted", make_policy=lambda: Scripted(script)),), ((0,) * seats,), seed=self.seed,
            target=int(game.table["target"][0]), limit=int(game.table["deal_no"][0]),
        )  # fmt: skip
        block = play_block(setup, 0, 1)
        assert not block.failures
        skip = {"limit", "finished", "phase"}
        for name in game.table.dtype.names or ():
            if name not in skip:
                assert np.array_equal(game.table[name], block.tables[name]), name


TableMachine.TestCase.settings = settings(
    max_examples=60 if jit.JIT else 4, stateful_step_count=25 if jit.JIT else 8, deadline=None, suppress_health_check=list(HealthCheck)
)
TestAnyLegalPlay = TableMachine.TestCase
