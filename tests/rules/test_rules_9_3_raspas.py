"""`docs/rules.md` 9.3: what raspas deals write."""

from typing import Any, NamedTuple

import pytest

from tests.rules.conftest import Score
from tests.rules.protocols import before, protocol, raspas

Whists = dict[tuple[int, int], int]
NOTHING: dict[str, Any] = {}


class Row(NamedTuple):
    """`played` raspas go before; the dealer is named where the row speaks of four seats."""

    id: str
    convention: str
    played: int
    dealer: int
    tricks: tuple[int, ...]
    pool: tuple[int, ...]
    mountain: tuple[int, ...]
    whists: Whists = {}  # noqa: RUF012 (never written to)
    options: dict[str, Any] = NOTHING
    write: dict[str, str] | None = None


Z3, Z4 = (0, 0, 0), (0, 0, 0, 0)
FOUR = (2, 1, 5, 2)  # printed in the source

ROWS = [
    *(Row(f"Q1-dealer-{d}", "piter", 0, d, FOUR, Z4, (2, 0, 8, 2)) for d in (0, 1, 3)),
    *(Row(f"Q2-price-4-dealer-{d}", "piter", 1, d, FOUR, Z4, (4, 0, 16, 4)) for d in (0, 1, 3)),
    *(Row(f"Q2-price-6-dealer-{d}", "piter", 2, d, FOUR, Z4, (6, 0, 24, 6)) for d in (0, 1, 3)),
    Row("Q3", "piter", 0, 0, (0, 4, 6), Z3, (-2, 8, 12)),
    Row("Q4", "piter", 1, 0, (0, 3, 4, 3), Z4, (0, 12, 16, 12)),
    Row("Q5", "piter", 0, 0, (1, 0, 4, 5), Z4, (2, -2, 8, 10)),
    Row("Q6", "moscow", 0, 0, (2, 3, 5), Z3, Z3, {(0, 1): 15, (0, 2): 25}),
    Row("Q7", "moscow", 0, 1, (0, 1, 9), (1, 0, 0), Z3, {(0, 1): 5, (0, 2): 45}),
    Row("Q8", "moscow", 0, 2, (1, 1, 8), Z3, Z3, {(0, 2): 20, (1, 2): 20}),
    Row("Q9", "moscow", 0, 0, (2, 2, 6), Z3, Z3, {(0, 2): 15, (1, 2): 15}),
    Row("Q10", "rostov", 0, 0, (0, 1, 9), Z3, (-1, 0, 0), {(0, 1): 5, (0, 2): 45}),
    Row("Q11", "rostov", 0, 1, (0, 0, 10), Z3, (-1, -1, 0), {(0, 2): 25, (1, 2): 25}),
    Row("Q12-lone", "moscow", 0, 1, (2, 0, 3, 5), (0, 1, 0, 0), Z4, {(0, 2): 15, (0, 3): 25}),
    Row("Q12-zero", "moscow", 0, 0, (0, 0, 1, 9), (1, 1, 0, 0), Z4, {(1, 2): 5, (1, 3): 45}),
    Row("Q13", "rostov", 0, 2, (2, 3, 0, 5), Z4, Z4, {(0, 1): 15, (0, 3): 25}),
    Row("Q13-zero", "rostov", 0, 2, (0, 3, 0, 7), Z4, (-1, 0, 0, 0), {(0, 1): 15, (0, 3): 35}),
    Row("Q13-option", "rostov", 0, 2, (2, 3, 0, 5), Z4, (0, 0, -1, 0), {(0, 1): 15, (0, 3): 25}, {"dealer_zero_bonus": True}),
    Row("Q14", "sochi", 0, 0, (3, 5, 2), Z3, (1, 3, 0), {}, {"amnesty": True}),
    Row("Q14b", "sochi", 0, 0, (3, 5, 2), Z3, (3, 5, 2)),
    Row("Q15", "sochi", 0, 0, (0, 4, 6), (1, 0, 0), (0, 4, 6)),
    Row("Q16", "sochi", 1, 0, (0, 0, 10), (2, 2, 0), (0, 0, 20)),
    Row("Q17", "sochi", 3, 0, (0, 0, 10), (3, 3, 0), (0, 0, 30)),
    Row("Q18", "moscow", 0, 0, (6, 4, 0), (0, 0, 1), Z3, {(2, 0): 30, (2, 1): 20}),
    Row("Q19", "sochi", 1, 0, (6, 4, 0), (0, 0, 2), (12, 8, 0)),
    Row("Q20-pool", "skachki", 1, 0, (1, 0, 4, 5), (0, 4, 0, 0), (4, 0, 16, 20), {}, NOTHING, {"1": "pool"}),
    Row("Q20-mountain", "skachki", 1, 0, (1, 0, 4, 5), Z4, (4, -8, 16, 20), {}, NOTHING, {"1": "mountain"}),
    Row("Q20-dealer", "skachki", 1, 0, (0, 1, 4, 5), Z4, (-8, 4, 16, 20), {}, NOTHING, {"0": "mountain"}),
    Row("Q20-two", "skachki", 1, 0, (0, 0, 4, 6), (0, 4, 0, 0), (-8, 0, 16, 24), {}, NOTHING, {"0": "mountain", "1": "pool"}),
    Row("Q20-silent", "skachki", 1, 0, (1, 0, 4, 5), (0, 4, 0, 0), (4, 0, 16, 20)),
    Row("Q21", "vmk", 1, 0, (0, 3, 7), Z3, (-4, 12, 28)),
]


def check(row: Row, score: Score) -> None:
    """The row's raspas, after the raspas that bring its price about, writes what the row says and nothing else."""
    seats = len(row.tricks)
    deal = raspas(row.dealer, row.tricks)
    if row.write is not None:
        deal["write"] = row.write
    answer = score(protocol(row.convention, seats, [*before(row.convention, seats, row.dealer, row.played), deal], row.options))
    assert answer["deals"][-1] == {
        "pool": list(row.pool),
        "mountain": list(row.mountain),
        "whists": [[row.whists.get((a, b), 0) for b in range(seats)] for a in range(seats)],
    }


@pytest.mark.parametrize("row", ROWS, ids=[r.id for r in ROWS])
def test_9_3(row: Row, score: Score) -> None:
    check(row, score)


@pytest.mark.parametrize("convention", ["rostov", "moscow"])
def test_6_3_a_talon_that_is_never_opened_takes_no_trick(convention: str, score: Score) -> None:
    with pytest.raises(ValueError, match="deal 1"):
        score(protocol(convention, 4, [raspas(0, (1, 3, 3, 3))]))


def test_6_2_the_talon_takes_two_tricks_at_most(score: Score) -> None:
    assert score(protocol("piter", 4, [raspas(0, (2, 3, 3, 2))]))["deals"][0]["mountain"] == [0, 2, 2, 0]
    with pytest.raises(ValueError, match="deal 1"):
        score(protocol("piter", 4, [raspas(0, (3, 3, 2, 2))]))


def test_6_5_only_a_seat_without_tricks_chooses(score: Score) -> None:
    with pytest.raises(ValueError, match="deal 1"):
        score(protocol("skachki", 4, [raspas(0, (1, 1, 4, 4), write={"0": "mountain"})]))
