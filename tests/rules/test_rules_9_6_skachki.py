"""`docs/rules.md` 9.6, K6 to K9: semesters, prizes and forced raspas of «Питерские скачки»."""

from fractions import Fraction
from typing import Any

import pytest

from tests.rules.conftest import Score
from tests.rules.protocols import TARGET, Deal, before, contract, protocol, raspas, written


def played(dealer: int, declarer: int, name: str) -> Deal:
    """A whisted game made with exactly its tricks, each whister having some."""
    level = int(name[:-1])
    return contract(4, dealer, declarer, name, ("whist", "whist"), (level, 10 - level, 0))


def test_K6_the_first_to_reach_22_writes_300_on_each(score: Score) -> None:
    """4 + 8 + 10 with a misère at last, so that its deal writes nothing but the prizes."""
    for winner in range(4):
        neighbour = (winner + 1) % 4
        tricks = [1 if s == neighbour else 2 if s == winner else 3 for s in range(4)]
        tricks[(winner + 2) % 4] += 1
        deals = [
            raspas(winner, tricks),
            played(neighbour, winner, "7C"),
            played((winner + 2) % 4, winner, "9C"),
            contract(4, (winner + 3) % 4, winner, "misere", None, (0, 5, 5)),
        ]
        answer = score(protocol("skachki", 4, deals, target=22))
        prizes = {(winner, s): 300 for s in range(4) if s != winner} | {(neighbour, s): 200 for s in range(4) if s != neighbour}
        assert answer["deals"][-1] == written(4, {winner: 10}, {}, prizes)
        assert score(protocol("skachki", 4, deals, target=23))["deals"][-1] == written(4, {winner: 10}, {}, {})
        assert answer["raspas_level"] == 1
        assert answer["finished"] is False


def prizes_of(deals: list[Deal], target: int, score: Score) -> list[list[Fraction]]:
    """What the last deal wrote more than it does in an endless semester."""
    with_prizes = score(protocol("skachki", 4, deals, target=target))["deals"][-1]["whists"]
    without = score(protocol("skachki", 4, deals, target=TARGET))["deals"][-1]["whists"]
    return [[Fraction(x) - Fraction(y) for x, y in zip(a, b, strict=True)] for a, b in zip(with_prizes, without, strict=True)]


SHARES = [
    # tricks of the opening raspas; who has the smallest mountain
    ("one", (1, 2, 3, 4), [0]),
    ("K7", (1, 1, 4, 4), [0, 1]),
    ("three", (2, 2, 2, 4), [0, 1, 2]),
]


@pytest.mark.parametrize(("tricks", "smallest"), [s[1:] for s in SHARES], ids=[s[0] for s in SHARES])
def test_K7_a_tie_for_the_smallest_mountain_is_shared(tricks: tuple[int, ...], smallest: list[int], score: Score) -> None:
    """Two who tie write 100 on each of the two others, three 200/3 on the fourth, nothing between the tied."""
    deals = [raspas(0, tricks), played(1, 3, "7C")]
    expected = [[Fraction(0)] * 4 for _ in range(4)]
    expected[3] = [Fraction(300)] * 3 + [Fraction(0)]
    for seat in smallest:
        for other in range(4):
            if other not in smallest:
                expected[seat][other] += Fraction(200, len(smallest))
    assert prizes_of(deals, 4, score) == expected


def test_11_a_negative_mountain_is_the_smallest(score: Score) -> None:
    deals = [raspas(0, (1, 1, 4, 4)), contract(4, 1, 3, "misere", None, (0, 5, 5), write="mountain"), played(2, 3, "7C")]
    assert prizes_of(deals, 4, score)[3] == [500, 500, 500, 0]


def test_11_several_in_one_raspas_the_first_clockwise_from_the_dealer(score: Score) -> None:
    """The 300 stay with him though the semester runs on to the exit and another has more by then."""
    for dealer in range(4):
        first, second = (dealer + 1) % 4, (dealer + 2) % 4
        tricks = [0 if s in (first, second) else 2 if s == dealer else 8 for s in range(4)]
        deals = [raspas(dealer, tricks), played((dealer + 1) % 4, second, "7C")]
        prizes = prizes_of(deals, 2, score)
        assert [prizes[first][s] for s in range(4) if s != first and s != second] == [400, 400]  # and half of 200
        assert prizes[first][second] == 300
        assert prizes[second][first] == 0


def test_11_a_zero_written_off_the_mountain_does_not_reach_the_target(score: Score) -> None:
    deals = [raspas(0, (2, 0, 0, 8), write={"1": "mountain"}), played(1, 3, "7C")]
    prizes = prizes_of(deals, 2, score)
    assert prizes[2][0] == 300
    assert prizes[1][0] == 200


MISERE_OR_OVER = [
    # what fails, short by, price
    *((f"K8-misere-{n}", "misere", n, p) for n, p in ((1, 2), (2, 4), (3, 6), (5, 6))),
    *((f"K8-nine-{n}", "9C", n, p) for n, p in ((1, 2), (2, 4), (3, 6), (6, 6))),
    *((f"K8-ten-{n}", "10C", n, p) for n, p in ((1, 2), (2, 4), (3, 6), (4, 6))),
]


def failed(dealer: int, name: str, short: int) -> Deal:
    if name == "misere":
        return contract(4, dealer, (dealer + 1) % 4, "misere", None, (short, 10 - short, 0))
    tricks = int(name[:-1]) - short
    return contract(4, dealer, (dealer + 1) % 4, name, ("whist", "pass"), (tricks, 10 - tricks, 0), overcalled_misere=True)


def check_forced_raspas(name: str, short: int, price: int, score: Score) -> None:
    deals = [*before("skachki", 4, 2, 0), failed(2, name, short)]
    answer = score(protocol("skachki", 4, [*deals, raspas(3, (3, 3, 2, 2))]))
    assert answer["deals"][-1]["mountain"] == [price, price, 0, 0]
    assert answer["raspas_level"] == {2: 2, 4: 3, 6: 3}[price], "afterwards the state is one above the level played"


@pytest.mark.parametrize(("name", "short", "price"), [m[1:] for m in MISERE_OR_OVER], ids=[m[0] for m in MISERE_OR_OVER])
def test_K8_forced_raspas(name: str, short: int, price: int, score: Score) -> None:
    check_forced_raspas(name, short, price, score)
    deals = [*before("skachki", 4, 2, 0), failed(2, name, short)]
    for other in (played(3, 0, "10C"), contract(4, 3, 0, "misere", None, (0, 5, 5))):
        with pytest.raises(ValueError, match=f"deal {len(deals) + 1}"):
            score(protocol("skachki", 4, [*deals, other]))


@pytest.mark.parametrize(("raspas_before", "short", "price"), [(1, 1, 4), (1, 3, 6), (2, 1, 6), (3, 2, 6)])
def test_A10_in_raspas_the_higher_price_counts(raspas_before: int, short: int, price: int, score: Score) -> None:
    deals = [*before("skachki", 4, 0, raspas_before), failed(0, "misere", short), raspas(1, (3, 2, 3, 2))]
    assert score(protocol("skachki", 4, deals))["deals"][-1]["mountain"] == [price, 0, price, 0]


def test_6_9_a_nine_that_overcalled_nothing_forces_no_raspas(score: Score) -> None:
    lost = failed(2, "9C", 2)
    del lost["overcalled_misere"]
    answer = score(protocol("skachki", 4, [*before("skachki", 4, 2, 0), lost, played(3, 0, "6C")]))
    assert answer["deals"][-1]["pool"] == [2, 0, 0, 0]


def test_6_9_a_made_nine_over_misere_forces_no_raspas(score: Score) -> None:
    made = played(2, 3, "9C") | {"overcalled_misere": True}
    answer = score(protocol("skachki", 4, [*before("skachki", 4, 2, 0), made, played(3, 0, "6C")]))
    assert answer["raspas_level"] == 1


@pytest.mark.parametrize(("level", "points"), [(8, 6), (9, 8), (10, 10)], ids=["K9-8", "K9-9", "K9-10"])
def test_K9_an_unwhisted_game_goes_to_the_pool_or_twice_off_the_mountain(level: int, points: int, score: Score) -> None:
    for write, pool, mountain in (("pool", points, 0), ("mountain", 0, -2 * points), (None, points, 0)):
        more: Any = {} if write is None else {"write": write}
        deal = contract(4, 2, 3, f"{level}C", ("pass", "pass"), **more)
        entry = score(protocol("skachki", 4, [*before("skachki", 4, 2, 0), deal]))["deals"][-1]
        assert (entry["pool"][3], entry["mountain"][3]) == (pool, mountain)


@pytest.mark.parametrize(
    ("name", "words", "tricks"),
    [("7C", ("pass", "pass"), None), ("8C", ("whist", "pass"), (8, 2, 0)), ("7C", ("pass", "half"), None)],
    ids=["unwhisted-seven", "whisted-eight", "half"],
)
def test_11_no_choice(name: str, words: tuple[str, str], tricks: Any, score: Score) -> None:
    deals = [*before("skachki", 4, 2, 0), contract(4, 2, 3, name, words, tricks, write="mountain")]
    with pytest.raises(ValueError, match=f"deal {len(deals)}"):
        score(protocol("skachki", 4, deals))


OPENINGS = [(1, 2, 3, 4), (2, 1, 4, 3), (4, 3, 2, 1), (1, 2, 5, 2)]


def four_semesters() -> list[Deal]:
    """Each semester: a raspas, then the second hand makes a seven; the first dealers are 0, 1, 2, 3."""
    deals: list[Deal] = []
    for first, tricks in enumerate(OPENINGS):
        deals += [raspas(first, tricks), played((first + 1) % 4, (first + 2) % 4, "7C")]
    return deals


def test_6_9_each_semester_is_opened_by_the_next_dealer(score: Score) -> None:
    deals = four_semesters()
    assert score(protocol("skachki", 4, deals[:2], target=4))["finished"] is False
    for wrong in (0, 2, 3):
        with pytest.raises(ValueError, match="deal 3"):
            score(protocol("skachki", 4, [*deals[:2], raspas(wrong, (1, 1, 4, 4))], target=4))
    with pytest.raises(ValueError, match="deal 3"):
        score(protocol("skachki", 4, [*deals[:2], played(1, 2, "7C")], target=4))


def test_7_6_final_prizes(score: Score) -> None:
    """All four pools are 4, so nobody has the largest; of the mountains 8, 8, 20, 12 two are smallest and share 200."""
    deals = four_semesters()
    answer = score(protocol("skachki", 4, deals, target=4))
    assert answer["finished"] is True
    assert answer["pool"] == [4, 4, 4, 4]
    assert answer["mountain"] == [8, 8, 20, 12]
    # of the semester: 300 for seat 1, 200 for seat 0; seat 2 took three tricks against seat 1
    semester = {(1, 0): 300, (1, 2): 300, (1, 3): 300, (0, 1): 200, (0, 2): 200, (0, 3): 200, (2, 1): 24}
    final = {(0, 2): 100, (0, 3): 100, (1, 2): 100, (1, 3): 100}
    whists = {pair: semester.get(pair, 0) + final.get(pair, 0) for pair in semester | final}
    assert answer["deals"][-1] == written(4, {1: 4}, {}, whists)
    assert sum(Fraction(r) for r in answer["result"]) == 0
    with pytest.raises(ValueError, match="deal 9"):
        score(protocol("skachki", 4, [*deals, raspas(0, (1, 2, 3, 4))], target=4))


def test_11_a_deal_limit_writes_no_prizes(score: Score) -> None:
    """It cuts the second semester: the first semester's prizes stand, the second's and the final ones are not written."""
    deals = [*four_semesters()[:2], raspas(1, (2, 1, 4, 3))]
    answer = score(protocol("skachki", 4, deals, {"deal_limit": 3}, target=4))
    assert answer["finished"] is True
    assert sum(sum(Fraction(w) for w in row) for row in answer["deals"][1]["whists"]) == 900 + 600 + 24
    assert all(w == 0 for row in answer["deals"][2]["whists"] for w in row)
