"""`docs/rules.md` 9.6 and 7.5: settlements of whole sheets, the worked ones and those published elsewhere."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.rules.conftest import Score, Settle
from tests.rules.protocols import contract, protocol, raspas

NO_WHISTS_3 = [[0, 0, 0]] * 3

SHEETS: list[tuple[str, dict[str, Any], list[str]]] = [
    (
        "piter-3",
        {"convention": "piter", "pool": [12, 10, 8], "mountain": [20, 32, 8], "whists": [[0, 40, 24], [16, 0, 60], [48, 20, 0]]},
        ["40", "-104", "64"],
    ),
    (
        "piter-4",
        {
            "convention": "piter",
            "pool": [14, 6, 10, 10],
            "mountain": [12, 40, 20, 8],
            "whists": [[0, 60, 12, 0], [20, 0, 36, 44], [48, 16, 0, 24], [8, 80, 20, 0]],
        },
        ["156", "-336", "20", "160"],
    ),
    (
        "sochi-3",
        {"convention": "sochi", "pool": [10, 10, 10], "mountain": [12, 6, 0], "whists": [[0, 70, 140], [114, 0, 96], [100, 180, 0]]},
        ["-64", "-40", "104"],
    ),
    (
        "review-pref-whists",
        {"convention": "sochi", "pool": [0, 0, 0], "mountain": [0, 0, 0], "whists": [[0, 70, 100], [114, 0, 96], [140, 180, 0]]},
        ["-84", "-40", "124"],
    ),
    (
        "ll-scenario-2",
        {"convention": "sochi", "pool": [4, 3, 0], "mountain": [2, 2, 8], "whists": [[0, 22, 0], [12, 0, 0], [8, 12, 0]]},
        ["116/3", "14/3", "-130/3"],
    ),
    (
        "ll-scenario-3",
        {"convention": "sochi", "pool": [2, 0, 14], "mountain": [9, 42, 10], "whists": NO_WHISTS_3},
        ["80", "-270", "190"],
    ),
    (
        "skachki-end",
        {
            "convention": "skachki",
            "pool": [60, 52, 40, 30],
            "mountain": [20, 44, 36, 12],
            "whists": [[0, 300, 300, 300], [0, 0, 0, 0], [0, 0, 0, 0], [200, 200, 200, 0]],
        },
        ["1070", "-530", "-690", "150"],
    ),
]


@pytest.mark.parametrize(("sheet", "result"), [s[1:] for s in SHEETS], ids=[s[0] for s in SHEETS])
def test_9_6_settlement(sheet: dict[str, Any], result: list[str], settle: Settle) -> None:
    assert settle(sheet) == [Fraction(r) for r in result]


@pytest.mark.parametrize(("sheet", "result"), [s[1:] for s in SHEETS], ids=[s[0] for s in SHEETS])
@pytest.mark.parametrize("column", ["pool", "mountain"])
def test_7_7_the_same_for_everybody_changes_nothing(column: str, sheet: dict[str, Any], result: list[str], settle: Settle) -> None:
    assert settle(sheet | {column: [x - 8 for x in sheet[column]]}) == [Fraction(r) for r in result]


def test_9_6_ll_whole_game(score: Score) -> None:
    """[LL] TS-40: a six with one whister, a misère with one trick, a raspas of 0, 4, 6."""
    deals = [
        contract(3, 2, 0, "6S", ("whist", "pass"), (6, 2, 2)),
        contract(3, 0, 1, "misere", None, (1, 9, 0)),
        raspas(1, (0, 4, 6)),
    ]
    answer = score(protocol("sochi", 3, deals))
    assert answer["pool"] == [3, 0, 0]
    assert answer["mountain"] == [0, 14, 6]
    assert answer["whists"] == [[0, 0, 0], [8, 0, 0], [0, 0, 0]]
    assert [Fraction(r) for r in answer["result"]] == [Fraction(236, 3), Fraction(-226, 3), Fraction(-10, 3)]


def published() -> list[dict[str, Any]]:
    file = Path(__file__).parent.parent / "data" / "settlements.json"
    return list(json.loads(file.read_text(encoding="utf-8"))["settlements"])


@pytest.mark.parametrize("case", published(), ids=lambda case: str(case["id"]))
def test_published_settlements(case: dict[str, Any], settle: Settle) -> None:
    """Exact where the source is, less than a whist away where it rounds."""
    seats = len(case["players"])
    if "pair_net" in case:  # the mountain has become whists already; a pair's difference stands for its two entries
        sheet = {"pool": [0] * seats, "mountain": [0] * seats, "whists": [[max(0, w) for w in row] for row in case["pair_net"]]}
    else:
        assert case["whists_per_mountain_point"] == 10
        sheet = {
            "pool": case["pool"],
            "mountain": case["mountain"],
            "whists": case["whists_row_writes_on_column"],
            "pool_worth": case["whists_per_pool_point"],
        }
    result = settle({"convention": "sochi"} | sheet)
    assert sum(result) == 0
    rounded = case.get("note", "") in ("rounding", "truncated to integers; sum printed is 0")
    for exact, printed in zip(result, case["final_published"], strict=True):
        assert abs(exact - printed) < 1 if rounded else exact == printed
