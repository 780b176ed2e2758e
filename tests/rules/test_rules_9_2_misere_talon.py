"""`docs/rules.md` 9.2: misère, give-up, the talon's own entries."""

from typing import Any

import pytest

from tests.rules.conftest import Score
from tests.rules.protocols import before, contract, declarers, defenders, protocol, written

MISERES = [
    # id, convention, seats, tricks, write, pool, mountain
    ("M1", "sochi", 3, 0, None, 10, 0),
    ("M2", "sochi", 3, 2, None, 0, 20),
    ("M3-leningrad", "leningrad", 3, 0, None, 10, 0),
    ("M3-piter", "piter", 4, 0, None, 10, 0),
    ("M4-leningrad", "leningrad", 3, 2, None, 0, 40),
    ("M4-piter", "piter", 4, 2, None, 0, 40),
    ("M5-pool", "skachki", 4, 0, "pool", 10, 0),
    ("M5-mountain", "skachki", 4, 0, "mountain", 0, -20),
]


def check_misere(row: tuple[str, str, int, int, str | None, int, int], dealer: int, declarer: int, score: Score) -> None:
    _, convention, seats, tricks, write, pool, mountain = row
    deal = contract(seats, dealer, declarer, "misere", None, (tricks, 10 - tricks, 0))
    if write is not None:
        deal["write"] = write
    answer = score(protocol(convention, seats, [*before(convention, seats, dealer, 0), deal]))
    assert answer["deals"][-1] == written(seats, {declarer: pool}, {declarer: mountain}, {})


@pytest.mark.parametrize("row", MISERES, ids=[m[0] for m in MISERES])
def test_9_2_misere(row: tuple[str, str, int, int, str | None, int, int], score: Score) -> None:
    for dealer in range(row[2]):
        for declarer in declarers(row[2], dealer):
            check_misere(row, dealer, declarer, score)


GIVE_UPS = [
    ("U1-6S", "piter", "6S", 12),
    ("U1-7D", "piter", "7D", 24),
    ("U1-8N", "piter", "8N", 36),
    ("U2-6S", "vmk", "6S", 6),
    ("U2-7D", "vmk", "7D", 12),
    ("U2-8N", "vmk", "8N", 18),
]


def check_give_up(row: tuple[str, str, str, int], seats: int, score: Score) -> None:
    _, convention, bid, mountain = row
    answer = score(protocol(convention, seats, [{"dealer": 0, "give_up": bid, "declarer": 2}]))
    assert answer["deals"][0] == written(seats, {}, {2: mountain}, {})


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("row", GIVE_UPS, ids=[g[0] for g in GIVE_UPS])
def test_9_2_give_up(row: tuple[str, str, str, int], seats: int, score: Score) -> None:
    check_give_up(row, seats, score)


@pytest.mark.parametrize("convention", ["rostov", "skachki", "moscow", "sochi", "leningrad", "classic"])
def test_3_3_no_give_up(convention: str, score: Score) -> None:
    seats = 4 if convention == "skachki" else 3
    deals = [*before(convention, seats, 0, 0), {"dealer": 0, "give_up": "7D", "declarer": 1}]
    with pytest.raises(ValueError, match=f"deal {len(deals)}"):
        score(protocol(convention, seats, deals))


TALONS = [
    # id, seats, talon, whists of each who writes: the talon-sitter, or both opponents
    ("T1", 4, "SA D7", 10),
    ("T2", 3, "SA D7", 5),
    ("T3", 3, "HA HK", 10),
    ("T4", 3, "HA CA", 15),
    ("T5", 4, "DK DQ", 10),
    ("T6-suits-3", 3, "DK HQ", 0),
    ("T6-suits-4", 4, "DK HQ", 0),
    ("T6-king-3", 3, "DK D9", 0),
    ("T6-king-4", 4, "DK D9", 0),
    ("T7", 4, "HA CK", 10),
]


def check_quick_tricks(row: tuple[str, int, str, int], words: tuple[str, str], dealer: int, declarer: int, score: Score) -> None:
    """Written on the declarer whatever becomes of the contract (11), beside its own entries."""
    _, seats, talon, whists = row
    w1, w2 = defenders(seats, dealer, declarer)
    tricks = (7, 3, 0) if words[0] == "whist" else None
    deal = contract(seats, dealer, declarer, "7C", words, tricks, talon=talon)
    on_declarer = {(w1, declarer): 12 if tricks else 0, (w2, declarer): 4 if words[1] == "half" else 0}
    for writer in (dealer,) if seats == 4 else (w1, w2):
        on_declarer[writer, declarer] = on_declarer.get((writer, declarer), 0) + whists
    answer = score(protocol("rostov", seats, [deal]))
    assert answer["deals"][0] == written(seats, {declarer: 4}, {}, on_declarer)


@pytest.mark.parametrize("row", TALONS, ids=[t[0] for t in TALONS])
@pytest.mark.parametrize("words", [("pass", "pass"), ("pass", "half"), ("whist", "pass")], ids=["unplayed", "half", "made"])
def test_9_2_quick_tricks(row: tuple[str, int, str, int], words: tuple[str, str], score: Score) -> None:
    for dealer in range(row[1]):
        for declarer in declarers(row[1], dealer):
            check_quick_tricks(row, words, dealer, declarer, score)


def test_11_quick_tricks_are_not_written_on_misere(score: Score) -> None:
    deal = contract(3, 0, 1, "misere", None, (0, 5, 5), talon="HA CA")
    assert score(protocol("rostov", 3, [deal]))["deals"][0] == written(3, {1: 10}, {}, {})


REFUSALS: list[tuple[str, str, int, dict[str, Any]]] = [
    ("T8", "rostov", 4, {}),
    ("T9", "rostov", 3, {}),
    ("T10", "piter", 4, {"talon_return": True}),
]


def check_refusal(row: tuple[str, str, int, dict[str, Any]], dealer: int, declarer: int, score: Score) -> None:
    name, convention, seats, options = row
    w1, w2 = defenders(seats, dealer, declarer)
    deal = contract(seats, dealer, declarer, "7C", ("pass", "pass"), refused=True)
    whists = {"T8": {(declarer, dealer): 10}, "T9": {(declarer, w1): 5, (declarer, w2): 5}, "T10": {}}[name]
    mountain = {dealer: 4} if name == "T10" else {}
    answer = score(protocol(convention, seats, [deal], options))
    assert answer["deals"][0] == written(seats, {declarer: 4}, mountain, whists)


@pytest.mark.parametrize("row", REFUSALS, ids=[r[0] for r in REFUSALS])
def test_9_2_refused_talon(row: tuple[str, str, int, dict[str, Any]], score: Score) -> None:
    for dealer in range(row[2]):
        for declarer in declarers(row[2], dealer):
            check_refusal(row, dealer, declarer, score)


def test_11_a_refused_talon_writes_no_quick_tricks(score: Score) -> None:
    deal = contract(4, 0, 1, "7C", ("pass", "pass"), refused=True, talon="SA CA")
    assert score(protocol("rostov", 4, [deal]))["deals"][0] == written(4, {1: 4}, {}, {(1, 0): 10})


@pytest.mark.parametrize(("convention", "seats"), [("piter", 4), ("piter", 3), ("vmk", 3), ("sochi", 4)])
def test_8_2_the_talon_cannot_be_refused(convention: str, seats: int, score: Score) -> None:
    deal = contract(seats, 0, 1, "7C", ("pass", "pass"), refused=True)
    with pytest.raises(ValueError, match="deal 1"):
        score(protocol(convention, seats, [deal]))
