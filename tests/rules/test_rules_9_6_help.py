"""`docs/rules.md` 9.6, H1 to H4: help («американская помощь») between closed and open pools, and 11 on what nobody can take."""

from fractions import Fraction

import pytest

from tests.rules.conftest import Score, Settle
from tests.rules.protocols import Deal, contract, protocol, raspas, written


def pools(*points: int) -> list[Deal]:
    """Deals of a сочинка for three that leave these pools (each a sum of 6, 4 and 1), and the deal passing to seat 0."""
    deals: list[Deal] = []
    zeros = [s for s in range(3) if points[s] in (1, 5, 7, 9)]
    if zeros:
        deals.append(raspas(0, [0 if s in zeros else 10 // (3 - len(zeros)) for s in range(3)]))
    for seat, want in enumerate(points):
        left = want - (1 if seat in zeros else 0)
        for level, cost in (("10", 10), ("9", 8), ("8", 6), ("7", 4), ("6", 2)):
            if left == cost:
                tricks = (10, 0, 0) if level == "10" else None
                words = None if level == "10" else ("pass", "pass")
                deals.append(contract(3, len(deals) % 3, seat, level + "C", words, tricks))
    while len(deals) % 3:
        deals.append(contract(3, len(deals) % 3, 0, "misere", None, (1, 9, 0)))
    return deals


def six_passed(declarer: int) -> Deal:
    return contract(3, 0, declarer, "6D", ("pass", "pass"))


@pytest.mark.parametrize("convention", ["sochi", "moscow"])
def test_H1_the_largest_open_pool_is_helped(convention: str, score: Score) -> None:
    """Pools 10, 7, 4: two points go to the 7, 20 whists on it."""
    deals = [*pools(10, 7, 4), six_passed(0)]
    answer = score(protocol(convention, 3, deals, target=10))
    assert answer["deals"][-1] == written(3, {1: 2}, {}, {(0, 1): 20})
    assert answer["pool"] == [10, 9, 4]


@pytest.mark.parametrize("seats", [3, 4])
def test_H2_a_point_of_help_is_worth_a_point_of_ones_own(seats: int, settle: Settle) -> None:
    nobody = [[0] * seats for _ in range(seats)]
    own = settle({"convention": "sochi", "pool": [1] + [0] * (seats - 1), "mountain": [0] * seats, "whists": nobody})
    helped = [[0] * seats for _ in range(seats)]
    helped[0][1] = 10
    given = settle({"convention": "sochi", "pool": [0, 1] + [0] * (seats - 2), "mountain": [0] * seats, "whists": helped})
    share = Fraction(10, seats)
    assert own == given == [10 - share] + [-share] * (seats - 1)


def test_H3_the_own_pool_is_filled_first(score: Score) -> None:
    """Pool 9 of 10, others 7 and 4: one point of the six stays, one goes to the 7 with 10 whists."""
    answer = score(protocol("sochi", 3, [*pools(9, 7, 4), six_passed(0)], target=10))
    assert answer["pool"] == [10, 8, 4]
    assert answer["deals"][-1] == written(3, {0: 1, 1: 1}, {}, {(0, 1): 10})


def test_H4_a_set_whister_is_not_helped(score: Score) -> None:
    """ВМК: the largest open pool belongs to the whister who was set in this very deal, so the next one is helped."""
    deals = [*pools(10, 6, 4), contract(3, 0, 0, "6D", ("whist", "pass"), (7, 3, 0))]
    answer = score(protocol("vmk", 3, deals, target=10))
    assert answer["deals"][-1] == written(3, {2: 2}, {1: 2}, {(1, 0): 6, (0, 2): 20})
    answer = score(protocol("sochi", 3, deals, target=10))
    assert answer["deals"][-1] == written(3, {1: 2}, {1: 2}, {(1, 0): 6, (0, 1): 20})


def test_11_a_set_whister_is_skipped_even_if_only_he_is_open(score: Score) -> None:
    """Then the points are struck from the helper's own mountain, and what is left is lost."""
    undone = contract(3, 0, 0, "misere", None, (1, 9, 0))
    opening = [undone, *[d | {"dealer": (d["dealer"] + 1) % 3} for d in pools(10, 6, 10)[:3]]]
    deals = [*opening, contract(3, 1, 0, "9D", ("whist", "pass"), (10, 0, 0))]
    answer = score(protocol("vmk", 3, deals, target=10))
    assert answer["deals"][-1] == written(3, {}, {0: -8, 1: 8}, {})
    deals = [*opening, contract(3, 1, 0, "8D", ("whist", "pass"), (10, 0, 0)), contract(3, 2, 0, "8D", ("whist", "pass"), (10, 0, 0))]
    answer = score(protocol("vmk", 3, deals, target=10))
    assert answer["deals"][-2] == written(3, {}, {0: -6, 1: 6}, {})
    assert answer["deals"][-1] == written(3, {}, {0: -4, 1: 6}, {}), "the mountain stood at 4, two points are lost"


def test_7_3_help_runs_on_to_the_next_receiver(score: Score) -> None:
    """Nine points of room at two opponents for a ten: 3 to the 7, then 6 to the 4, ten whists a point, one point lost."""
    deals = [*pools(10, 7, 4), contract(3, 0, 0, "10D", None, (10, 0, 0))]
    answer = score(protocol("sochi", 3, deals, target=10))
    assert answer["deals"][-1]["pool"] == [0, 3, 6]
    assert answer["deals"][-1]["whists"][0] == [0, 30, 60]
    assert answer["finished"] is True


def test_11_equal_pools_are_helped_clockwise_from_the_helper(score: Score) -> None:
    for helper in range(3):
        points = [4, 4, 4]
        points[helper] = 10
        deal = contract(3, 0, helper, "6D", ("pass", "pass"))
        answer = score(protocol("sochi", 3, [*pools(*points), deal], target=10))
        assert answer["deals"][-1] == written(3, {(helper + 1) % 3: 2}, {}, {(helper, (helper + 1) % 3): 20})


def test_11_a_raspas_bonus_helps_too(score: Score) -> None:
    deals = [*pools(10, 7, 4), raspas(0, (0, 4, 6))]
    entry = score(protocol("sochi", 3, deals, target=10))["deals"][-1]
    assert entry["pool"] == [0, 1, 0]
    assert entry["whists"][0] == [0, 10, 0]


@pytest.mark.parametrize("convention", ["piter", "leningrad"])
def test_7_2_without_help_a_pool_grows_beyond_its_size(convention: str, score: Score) -> None:
    deals = [*pools(10, 6, 4), six_passed(0)]
    assert score(protocol(convention, 3, deals, target=10))["pool"] == [12, 6, 4]


CHOICES = [
    # the last deal of a ВМК with pools 10, 6, 4; whether its declarer may choose
    ("unwhisted", contract(3, 0, 1, "7C", ("pass", "pass"), write="mountain"), True, 1, 4),
    ("misere", contract(3, 0, 1, "misere", None, (0, 5, 5), write="mountain"), True, 1, 10),
    ("ten", contract(3, 0, 1, "10C", None, (10, 0, 0), write="mountain"), True, 1, 10),
    ("half", contract(3, 0, 1, "7C", ("pass", "half"), write="mountain"), False, 1, 4),
    ("whisted", contract(3, 0, 1, "7C", ("whist", "pass"), (7, 3, 0), write="mountain"), False, 1, 4),
    ("closed-whisted", contract(3, 0, 0, "7C", ("whist", "pass"), (7, 3, 0), write="mountain"), True, 0, 4),
    ("closed-half", contract(3, 0, 0, "7C", ("pass", "half"), write="mountain"), True, 0, 4),
    ("failed", contract(3, 0, 0, "7C", ("whist", "pass"), (6, 4, 0), write="mountain"), False, 0, 4),
]


@pytest.mark.parametrize(("deal", "may", "declarer", "points"), [c[1:] for c in CHOICES], ids=[c[0] for c in CHOICES])
def test_7_4_vmk_writes_off(deal: Deal, may: bool, declarer: int, points: int, score: Score) -> None:
    """An unwhisted game may go off the mountain; any game of a player who is closed."""
    deals = [*pools(10, 6, 4), deal]
    if not may:
        with pytest.raises(ValueError, match=f"deal {len(deals)}"):
            score(protocol("vmk", 3, deals, target=10))
        return
    entry = score(protocol("vmk", 3, deals, target=10))["deals"][-1]
    assert entry["mountain"] == [-points if s == declarer else 0 for s in range(3)]
    assert entry["pool"] == [0, 0, 0]
