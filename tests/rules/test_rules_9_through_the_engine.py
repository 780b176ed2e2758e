"""The examples of `docs/rules.md` section 9 played with cards at the engine's table write what the rows say.

Each row is played once (the scorers meet it with every dealer and declarer); after them random protocols of every
convention, played and scored by the slow scorer.
"""

from random import Random
from typing import Any

import pytest

from tests.protocol_generator import random_options, random_protocol, seatings
from tests.rules import test_rules_9_1_contracts as contracts
from tests.rules import test_rules_9_2_misere_talon as talon
from tests.rules import test_rules_9_3_raspas as raspas_rows
from tests.rules import test_rules_9_4_raspas_states as states
from tests.rules import test_rules_9_6_help as helping
from tests.rules import test_rules_9_6_skachki as skachki
from tests.rules.played import Unplayable, played
from tests.rules.protocols import before, contract, protocol
from tests.slow_conventions import CONVENTIONS
from tests.slow_scorer import score_protocol


@pytest.mark.parametrize("row", contracts.ROWS, ids=[r.id for r in contracts.ROWS])
def test_9_1(row: contracts.Row) -> None:
    contracts.check(row, 0, 1, played)


@pytest.mark.parametrize("row", raspas_rows.ROWS, ids=[r.id for r in raspas_rows.ROWS])
def test_9_3(row: raspas_rows.Row) -> None:
    raspas_rows.check(row, played)


@pytest.mark.parametrize("row", talon.MISERES, ids=[m[0] for m in talon.MISERES])
def test_9_2_misere(row: Any) -> None:
    talon.check_misere(row, 0, 2, played)


@pytest.mark.parametrize("row", talon.GIVE_UPS, ids=[g[0] for g in talon.GIVE_UPS])
def test_9_2_give_up(row: Any) -> None:
    talon.check_give_up(row, 4, played)


@pytest.mark.parametrize("row", talon.TALONS, ids=[t[0] for t in talon.TALONS])
def test_9_2_quick_tricks(row: Any) -> None:
    talon.check_quick_tricks(row, ("pass", "half"), 0, 3 if row[1] == 4 else 0, played)


@pytest.mark.parametrize("row", talon.REFUSALS, ids=[r[0] for r in talon.REFUSALS])
def test_9_2_refused_talon(row: Any) -> None:
    talon.check_refusal(row, 0, 1, played)


def test_9_4_states() -> None:
    for count, state in enumerate(states.STATES):
        if count:
            assert played(protocol("piter", 3, states.deals_of([s for s, _ in states.STEPS[:count]])))["raspas_level"] == state


@pytest.mark.parametrize("convention", ["sochi", "moscow"])
def test_H1(convention: str) -> None:
    helping.test_H1_the_largest_open_pool_is_helped(convention, played)


def test_H4() -> None:
    helping.test_H4_a_set_whister_is_not_helped(played)


def test_K7() -> None:
    skachki.test_K7_a_tie_for_the_smallest_mountain_is_shared((1, 1, 4, 4), [0, 1], played)


def test_final_prizes() -> None:
    deals = skachki.four_semesters()
    assert played(protocol("skachki", 4, deals, target=4)) == score_protocol(protocol("skachki", 4, deals, target=4))


@pytest.mark.parametrize(("name", "short", "price"), [m[1:] for m in skachki.MISERE_OR_OVER], ids=[m[0] for m in skachki.MISERE_OR_OVER])
def test_K8(name: str, short: int, price: int) -> None:
    skachki.check_forced_raspas(name, short, price, played)


@pytest.mark.parametrize("level", [8, 9, 10])
@pytest.mark.parametrize("write", ["pool", "mountain"])
def test_K9(level: int, write: str) -> None:
    deals = [*before("skachki", 4, 2, 0), contract(4, 2, 3, f"{level}C", ("pass", "pass"), write=write)]
    assert played(protocol("skachki", 4, deals)) == score_protocol(protocol("skachki", 4, deals))


@pytest.mark.parametrize(("convention", "seats"), [(name, seats) for name in CONVENTIONS for seats in seatings(name)])
def test_random_protocols(convention: str, seats: int) -> None:
    """Deals that cards allow; a few need tricks for which no deck was found."""
    rng = Random(f"{convention} {seats}")
    agreed = 0
    for _ in range(12):
        options = random_options(rng, convention, seats)
        drawn = random_protocol(rng, convention, seats, options, 6, rng.randint(3, 12))
        for deal in drawn["deals"]:
            deal.pop("second", None)  # at the table the second defender always whists second
        try:
            answer = played(drawn)
        except Unplayable:
            continue
        assert answer == score_protocol(drawn)
        agreed += 1
    assert agreed >= 9
