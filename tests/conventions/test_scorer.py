"""What every scored deal has in common (`docs/rules.md` 7.7, 11), over random protocols of every convention."""

import random
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conventions
from conventions import settlement
from conventions.outcome import ProtocolError
from conventions.protocol import Scorer, score_deals
from engine import contracts
from tests.helpers import CASES
from tests.protocol_generator import random_options, random_protocol

FAR = 100_000  # a target nobody reaches


def scored(protocol: dict[str, Any]) -> tuple[conventions.Convention, dict[str, Any]]:
    convention = conventions.get(protocol["convention"], protocol["seats"], protocol["options"])
    target = protocol.get("target") or convention.default_target
    return convention, score_deals(Scorer.of(convention, protocol["seats"]), target, protocol["deals"])


def scored_to_its_end(protocol: dict[str, Any]) -> tuple[conventions.Convention, dict[str, Any]]:
    """Deals after the end of the pulka are left out (of `protocol` too)."""
    try:
        return scored(protocol)
    except ProtocolError as error:
        end = re.search(r"the pulka had ended with deal (\d+)", str(error))
        assert end is not None
        del protocol["deals"][int(end[1]) :]
        return scored(protocol)


def numbers(values: list[Any]) -> list[Fraction]:
    return [Fraction(v) for v in values]


def result_of(entries: dict[str, Any], convention: conventions.Convention) -> list[Fraction]:
    whists = [numbers(row) for row in entries["whists"]]
    return settlement.settle(numbers(entries["pool"]), numbers(entries["mountain"]), whists, convention.pool_worth)


@pytest.mark.parametrize(("name", "seats"), CASES)
@given(seed=st.integers(0, 2**32), target=st.sampled_from((3, 10, 22)))
def test_7_7_entries_sum_to_the_sheet_and_the_settlement_to_zero(name: str, seats: int, seed: int, target: int) -> None:
    rng = random.Random(seed)
    protocol = random_protocol(rng, name, seats, random_options(rng, name, seats), 12, target)
    convention, answer = scored(protocol)
    for part in ("pool", "mountain"):
        assert numbers(answer[part]) == [sum(column) for column in zip(*(numbers(d[part]) for d in answer["deals"]), strict=True)]
    for a in range(seats):
        for b in range(seats):
            assert Fraction(answer["whists"][a][b]) == sum(Fraction(d["whists"][a][b]) for d in answer["deals"])
            assert Fraction(answer["whists"][a][b]) >= 0
        assert answer["whists"][a][a] == 0
    assert numbers(answer["result"]) == result_of(answer, convention)
    assert sum(numbers(answer["result"])) == 0
    assert all(p >= 0 for p in numbers(answer["pool"]))


@pytest.mark.parametrize(("name", "seats"), CASES)
@given(seed=st.integers(0, 2**32))
def test_7_7_the_declarer_is_set_or_a_whister_or_neither(name: str, seats: int, seed: int) -> None:
    rng = random.Random(seed)
    protocol = random_protocol(rng, name, seats, {}, 12, FAR)
    _, answer = scored(protocol)
    for deal, entries in zip(protocol["deals"], answer["deals"], strict=True):
        if deal.get("contract", "misere") == "misere" or deal.get("refused") or "write" in deal:
            continue
        declarer = deal["declarer"]
        level = contracts.LEVEL[contracts.parse_contract(deal["contract"])]
        charged = [seat for seat, m in enumerate(entries["mountain"]) if m > 0]
        if "tricks" in deal and deal["tricks"][declarer] < level:
            assert charged == [declarer]
            assert entries["pool"] == [0] * seats
            assert all(entries["whists"][s][declarer] > 0 for s in range(seats) if s != declarer)
        else:
            assert declarer not in charged


@pytest.mark.parametrize(("name", "seats"), [case for case in CASES if conventions.get(case[0]).help])
@given(seed=st.integers(0, 2**32))
def test_7_3_help_is_neutral(name: str, seats: int, seed: int) -> None:
    """A pulka whose pools overflow settles as one that has no pools to fill, as long as nothing is lost."""
    rng = random.Random(seed)
    small = random_protocol(rng, name, seats, {}, 8, 6)
    for deal in small["deals"]:
        deal.pop("write", None)  # what may be chosen depends on who is closed
    convention, helped = scored_to_its_end(small)
    _, without = scored(small | {"target": FAR})
    written, whole = (sum(sum(numbers(d["pool"])) - sum(numbers(d["mountain"])) for d in x["deals"]) for x in (helped, without))
    if written == whole:  # nothing was lost
        assert helped["result"] == without["result"]
    else:
        assert written < whole
        assert helped["finished"] or convention.help_skips_set_whister


@pytest.mark.parametrize(("name", "seats"), [case for case in CASES if case[0] in ("piter", "sochi", "vmk", "leningrad", "classic")])
@given(seed=st.integers(0, 2**32))
def test_6_5_the_amnesty_changes_the_sheet_but_not_the_result_of_three(name: str, seats: int, seed: int) -> None:
    """The amnesty strikes the same from everybody: with every seat taking tricks no result changes."""
    rng = random.Random(seed)
    protocol = random_protocol(rng, name, seats, {}, 12, FAR)
    _, off = scored(protocol | {"options": {"amnesty": False}})
    _, on = scored(protocol | {"options": {"amnesty": True}})
    assert on["result"] == off["result"]


@given(seed=st.integers(0, 2**32))
def test_6_6_a_raspas_for_whists_costs_five_a_trick_in_all(seed: int) -> None:
    rng = random.Random(seed)
    protocol = random_protocol(rng, rng.choice(("rostov", "moscow")), rng.choice((3, 4)), {}, 12, FAR)
    _, answer = scored(protocol)
    for deal, entries in zip(protocol["deals"], answer["deals"], strict=True):
        if deal.get("raspas"):
            paid = [sum(Fraction(row[b]) for row in entries["whists"]) for b in range(protocol["seats"])]
            fewest = min(t for seat, t in enumerate(deal["tricks"]) if protocol["seats"] == 3 or seat != deal["dealer"])
            assert paid == [5 * t if t > fewest else 0 for t in deal["tricks"]]
            assert all(isinstance(w, int) for row in entries["whists"] for w in row)
