"""`docs/rules.md` 9.1: what contract deals write, for every dealer and declarer."""

from typing import Any, NamedTuple

import pytest

from tests.rules.conftest import Score
from tests.rules.protocols import before, contract, declarers, defenders, protocol, written


class Row(NamedTuple):
    """A row of the table: words of W1/W2, tricks of declarer/W1/W2; whists on the declarer; T is the talon-sitter."""

    id: str
    convention: str
    seats: int
    level: int
    words: str
    tricks: str
    pool: int
    mountain: int
    w1: int
    w2: int
    sitter: int
    mountain1: int
    mountain2: int
    options: dict[str, Any] = {}  # noqa: RUF012 (never written to)


WHISTED_TEN = {"ten_whisted": True}

ROWS = [
    Row("S1", "moscow", 3, 6, "whist/pass", "5/5/0", 0, 2, 15, 15, 0, 0, 0),
    Row("S2", "moscow", 3, 6, "whist/pass", "5/5/0", 0, 2, 20, 10, 0, 0, 0, {"gentleman": False}),
    Row("S3", "sochi", 3, 6, "whist/whist", "5/3/2", 0, 2, 8, 6, 0, 0, 0),
    Row("P1", "piter", 3, 6, "whist/whist", "6/2/2", 2, 0, 8, 8, 0, 0, 0),
    Row("P2", "piter", 4, 6, "whist/pass", "6/4/0", 2, 0, 16, 0, 0, 0, 0),
    Row("P3", "piter", 4, 6, "whist/whist", "5/3/2", 0, 4, 16, 12, 4, 0, 0),
    Row("P4", "piter", 4, 6, "whist/pass", "5/5/0", 0, 4, 14, 14, 4, 0, 0),
    Row("P5", "piter", 3, 8, "pass/whist", "6/1/3", 0, 24, 48, 48, 0, 0, 0),
    Row("P6", "piter", 4, 7, "pass/half", "", 4, 0, 0, 8, 0, 0, 0),
    Row("P7", "piter", 4, 6, "pass/half", "", 2, 0, 0, 8, 0, 0, 0),
    Row("P8", "piter", 3, 7, "whist/pass", "9/1/0", 4, 0, 8, 0, 0, 4, 0),
    Row("P9", "piter", 3, 6, "whist/whist", "7/2/1", 2, 0, 8, 4, 0, 0, 2),
    Row("P10", "piter", 3, 6, "whist/whist", "7/3/0", 2, 0, 12, 0, 0, 0, 2),
    Row("P10b", "piter", 3, 6, "whist/whist", "7/3/0", 2, 0, 12, 0, 0, 0, 4, {"shortfall": "personal"}),
    Row("P11", "piter", 3, 6, "whist/whist", "9/1/0", 2, 0, 4, 0, 0, 2, 4),
    Row("P12", "piter", 3, 8, "whist/whist", "10/0/0", 6, 0, 0, 0, 0, 0, 6),
    Row("P13", "piter", 3, 9, "whist/whist", "10/0/0", 8, 0, 0, 0, 0, 8, 8),
    Row("P14", "piter", 3, 8, "whist/pass", "10/0/0", 6, 0, 0, 0, 0, 6, 0),
    Row("P15", "piter", 3, 6, "whist/whist", "6/3/1", 2, 0, 12, 4, 0, 0, 0),
    Row("P16", "piter", 4, 10, "whist/pass", "9/1/0", 0, 20, 30, 30, 20, 0, 0, WHISTED_TEN),
    Row("P17", "piter", 4, 10, "whist/pass", "10/0/0", 10, 0, 0, 0, 0, 10, 0, WHISTED_TEN),
    Row("P18", "piter", 3, 9, "pass/pass", "", 8, 0, 0, 0, 0, 0, 0),
    Row("R1", "rostov", 3, 6, "whist/pass", "5/5/0", 0, 2, 20, 10, 0, 0, 0),
    Row("R2", "rostov", 4, 6, "whist/whist", "5/3/2", 0, 2, 16, 14, 10, 0, 0),
    Row("R3", "rostov", 4, 8, "pass/whist", "6/1/3", 0, 12, 20, 44, 20, 0, 0),
    Row("R4", "rostov", 3, 6, "whist/pass", "7/3/0", 2, 0, 6, 0, 0, 1, 0),
    Row("R5", "rostov", 3, 7, "whist/whist", "9/1/0", 4, 0, 4, 0, 0, 0, 2),
    Row("R6", "rostov", 3, 8, "whist/whist", "10/0/0", 6, 0, 0, 0, 0, 0, 3),
    Row("R7", "rostov", 3, 9, "whist/whist", "10/0/0", 8, 0, 0, 0, 0, 4, 4),
    Row("R8", "rostov", 3, 6, "pass/half", "", 2, 0, 0, 4, 0, 0, 0),
    Row("R9", "rostov", 3, 7, "pass/half", "", 4, 0, 0, 4, 0, 0, 0),
    Row("R10", "rostov", 4, 10, "whist/pass", "10/0/0", 10, 0, 0, 0, 0, 5, 0, WHISTED_TEN),
    Row("V1", "vmk", 3, 6, "whist/pass", "5/5/0", 0, 2, 20, 10, 0, 0, 0),
    Row("V2", "vmk", 3, 8, "whist/whist", "10/0/0", 6, 0, 0, 0, 0, 6, 6),
    Row("V3", "vmk", 4, 7, "whist/whist", "5/3/2", 0, 8, 32, 28, 20, 0, 0),
    Row("V4", "vmk", 3, 6, "whist/pass", "7/3/0", 2, 0, 6, 0, 0, 2, 0),
    Row("K1", "skachki", 4, 6, "whist/whist", "5/3/2", 0, 4, 32, 24, 8, 0, 0),
    Row("K2", "skachki", 4, 8, "whist/whist", "10/0/0", 6, 0, 0, 0, 0, 3, 3),
    Row("K3", "skachki", 4, 10, "whist/whist", "10/0/0", 10, 0, 0, 0, 0, 5, 5),
    Row("K4", "skachki", 4, 10, "whist/pass", "10/0/0", 10, 0, 0, 0, 0, 10, 0),
    Row("K5", "skachki", 4, 7, "pass/whist", "6/1/3", 0, 8, 48, 48, 16, 0, 0),
    Row("G31", "sochi", 3, 7, "whist/whist", "7/2/1", 4, 0, 8, 4, 0, 0, 0),
    Row("G32", "sochi", 3, 8, "whist/whist", "6/3/1", 0, 12, 30, 18, 0, 0, 0),
    Row("G33", "sochi", 3, 6, "whist/pass", "5/3/2", 0, 2, 12, 2, 0, 0, 0),
    Row("G34", "sochi", 3, 6, "whist/whist", "7/2/1", 2, 0, 4, 2, 0, 0, 2),
    Row("G37", "sochi", 3, 7, "pass/pass", "", 4, 0, 0, 0, 0, 0, 0),
    Row("G50", "sochi", 3, 6, "whist/whist", "9/1/0", 2, 0, 2, 0, 0, 2, 4),
    Row("G51", "sochi", 3, 8, "whist/whist", "10/0/0", 6, 0, 0, 0, 0, 0, 6),
    Row("G52", "sochi", 3, 6, "pass/whist", "6/2/2", 2, 0, 0, 8, 0, 0, 0),
    Row("G53", "sochi", 3, 7, "whist/whist", "7/1/2", 4, 0, 4, 8, 0, 0, 0),
    Row("G54", "sochi", 3, 10, "whist/pass", "9/1/0", 0, 10, 20, 10, 0, 0, 0, WHISTED_TEN),
    Row("L6", "leningrad", 3, 6, "whist/whist", "5/5/0", 0, 4, 24, 4, 0, 0, 0),
    Row("L7", "leningrad", 3, 7, "whist/whist", "6/4/0", 0, 8, 40, 8, 0, 0, 0),
    Row("L8", "leningrad", 3, 8, "whist/whist", "7/3/0", 0, 12, 48, 12, 0, 0, 0),
    Row("L9", "leningrad", 3, 9, "whist/whist", "8/2/0", 0, 16, 48, 16, 0, 0, 0),
    Row("L10", "leningrad", 3, 10, "whist/whist", "9/1/0", 0, 20, 40, 20, 0, 0, 0, WHISTED_TEN),
    Row("L6w", "leningrad", 3, 6, "whist/pass", "10/0/0", 2, 0, 0, 0, 0, 8, 0),
    Row("L7w", "leningrad", 3, 7, "whist/pass", "10/0/0", 4, 0, 0, 0, 0, 8, 0),
    Row("L8w", "leningrad", 3, 8, "whist/pass", "10/0/0", 6, 0, 0, 0, 0, 6, 0),
    Row("L9w", "leningrad", 3, 9, "whist/pass", "10/0/0", 8, 0, 0, 0, 0, 8, 0),
    Row("L10w", "leningrad", 3, 10, "whist/pass", "10/0/0", 10, 0, 0, 0, 0, 10, 0, WHISTED_TEN),
    Row("L6g", "leningrad", 3, 6, "whist/pass", "5/5/0", 0, 4, 14, 14, 0, 0, 0),
]


def check(row: Row, dealer: int, declarer: int, score: Score) -> None:
    """The row's deal, after whatever the convention opens with, writes what the row says and nothing else."""
    w1, w2 = defenders(row.seats, dealer, declarer)
    tricks = [int(t) for t in row.tricks.split("/")] if row.tricks else None
    deals = before(row.convention, row.seats, dealer, 0)
    deals.append(contract(row.seats, dealer, declarer, f"{row.level}C", row.words.split("/"), tricks))
    whists = {(w1, declarer): row.w1, (w2, declarer): row.w2}
    if row.seats == 4:
        whists[dealer, declarer] = row.sitter
    mountain = {declarer: row.mountain, w1: row.mountain1, w2: row.mountain2}
    answer = score(protocol(row.convention, row.seats, deals, row.options))
    assert answer["deals"][-1] == written(row.seats, {declarer: row.pool}, mountain, whists)


@pytest.mark.parametrize("row", ROWS, ids=[r.id for r in ROWS])
def test_9_1(row: Row, score: Score) -> None:
    for dealer in range(row.seats):
        for declarer in declarers(row.seats, dealer):
            check(row, dealer, declarer, score)


@pytest.mark.parametrize(("level", "tricks", "mountain"), [(8, (10, 0, 0), 6), (7, (10, 0, 0), 4)])
def test_4_7_second_whister_is_named_by_the_protocol(level: int, tricks: tuple[int, int, int], mountain: int, score: Score) -> None:
    """On an eight only he is charged; on a seven both are, whoever was second."""
    deal = contract(3, 0, 1, f"{level}D", ("whist", "whist"), tricks, second=2)
    entry = score(protocol("piter", 3, [deal]))["deals"][0]
    assert entry["mountain"] == ([0, 0, mountain] if level == 8 else [mountain, 0, mountain])
