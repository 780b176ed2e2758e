"""The sheet that people keep: running entries, semesters, and the settlement in the ways of `docs/rules.md` 7.5."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conventions import settlement
from lab.sheet import Settled, clean_names, number_text, running, sheet_of_protocol
from tests.protocol_generator import random_protocol
from tests.rules.protocols import contract, protocol, raspas


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (12, "12"), (-4, "−4"), ("5/2", "2 1/2"), ("-226/3", "−75 1/3"), ("2/3", "2/3"), ("-1/4", "−1/4")],
)
def test_numbers_are_written_as_people_write_them(value: int | str, text: str) -> None:
    assert number_text(value) == text


def test_an_entry_is_the_total_after_each_deal_that_changed_it() -> None:
    assert running([0, 2, 0, 2, "5/2", -2]) == ["2", "4", "6 1/2", "4 1/2"]


def test_an_entry_that_returns_to_zero_is_written() -> None:
    assert running([2, -2]) == ["2", "0"]


def test_7_5_the_printed_example_for_four() -> None:
    """Питер, 4 players, of section 9.6."""
    whists = [[0, 60, 12, 0], [20, 0, 36, 44], [48, 16, 0, 24], [8, 80, 20, 0]]
    settled = Settled.of([14, 6, 10, 10], [12, 40, 20, 8], whists, 20, 10)
    assert settled.result == [156, -336, 20, 160]
    first, by_average, by_pairs = settled.tables(["a", "b", "c", "d"], "en")
    assert first.rows[0] == ("a", "14", "12", "72", "76", "156", "156")
    assert [row[-1] for row in by_average.rows] == [row[-1] for row in by_pairs.rows] == ["156", "−336", "20", "160"]
    for a in range(4):
        for b in range(4):
            assert (by_pairs.rows[a][1 + b] == "") == (a == b)


amounts = st.integers(-50, 200) | st.fractions(-20, 20, max_denominator=6)


@given(st.data(), st.sampled_from([3, 4]), st.sampled_from([10, 20]))
def test_the_rounded_results_sum_to_zero_and_stand_within_one_of_the_exact(data: st.DataObject, seats: int, worth: int) -> None:
    row = st.lists(amounts, min_size=seats, max_size=seats)
    pool, mountain, whists = data.draw(row), data.draw(row), data.draw(st.lists(row, min_size=seats, max_size=seats))
    settled = Settled.of(pool, mountain, [[0 if a == b else w for b, w in enumerate(line)] for a, line in enumerate(whists)], worth, 10)
    assert sum(settled.result) == 0
    whole = settlement.rounded(settled.result)
    assert sum(whole) == 0
    assert all(abs(r - w) < 1 for r, w in zip(settled.result, whole, strict=True))


CASES = [("sochi", 3), ("piter", 4), ("rostov", 3), ("moscow", 4), ("vmk", 4), ("leningrad", 3), ("classic", 4), ("skachki", 4)]


@pytest.mark.parametrize(("convention", "seats"), CASES)
def test_the_last_entries_are_the_sheet_that_is_settled(convention: str, seats: int) -> None:
    """The sum over semesters of the last pool and mountain entries, and the last whist entries, are those of the answer."""
    for seed in range(6):
        sheet, answer = sheet_of_protocol(random_protocol(Random(seed), convention, seats, {}, 60, None))

        def last(entries: list[str]) -> Fraction:
            whole, _, part = (entries[-1] if entries else "0").replace("−", "-").partition(" ")
            sign = -1 if whole.startswith("-") else 1
            return Fraction(whole) + sign * Fraction(part or 0)

        assert [sum(map(last, entries)) for entries in sheet.pool] == [Fraction(x) for x in answer["pool"]]
        assert [sum(map(last, entries)) for entries in sheet.mountain] == [Fraction(x) for x in answer["mountain"]]
        for a in range(seats):
            assert [last(entries) for entries in sheet.whists[a]] == [Fraction(x) for x in answer["whists"][a]]
        assert [str(r) for r in sheet.settled.result] == answer["result"]
        assert sheet.finished is answer["finished"]
        assert len(sheet.deals) == len(answer["deals"])


def test_7_6_pool_and_mountain_begin_anew_in_each_semester() -> None:
    """Seat 1 fills a pool of 4; the next deal opens the second semester, and a raspas writes seat 0's first mountain of it."""
    deals = [
        raspas(0, (1, 1, 4, 4)),
        contract(4, 1, 3, "7C", ("whist", "whist"), (7, 3, 0)),
        raspas(1, (1, 2, 3, 4)),
    ]
    sheet, _ = sheet_of_protocol(protocol("skachki", 4, deals, target=4))
    assert sheet.pool[3] == [["4"], []]
    assert sheet.mountain == [[[], []], [[], ["2"]], [["6"], ["4"]], [["6"], ["6"]]]
    assert [deal.semester for deal in sheet.deals] == [0, 0, 1]
    assert sheet.whists[3][0] == ["300"], "the prize is written in whists"
    assert sheet.whists[0][2] == ["100"]


def test_a_pulka_without_semesters_is_in_one_piece() -> None:
    sheet, _ = sheet_of_protocol(random_protocol(Random(3), "piter", 3, {}, 20, 50))
    assert all(len(entries) == 1 for entries in sheet.pool + sheet.mountain)


def test_deals_are_told_in_words() -> None:
    deals = [
        {"dealer": 0, "contract": "6C", "declarer": 1, "defence": {"2": "whist", "0": "pass"}, "tricks": [5, 5, 0]},
        {"dealer": 1, "raspas": True, "tricks": [2, 3, 5]},
        {"dealer": 2, "contract": "misere", "declarer": 0, "tricks": [2, 4, 4]},
        {"dealer": 0, "contract": "8N", "declarer": 1, "refused": True, "defence": {"2": "pass", "0": "pass"}},
    ]
    content = {"convention": "rostov", "seats": 3, "players": ["Anna", "Boris", "Vera"], "deals": deals}
    english, russian = (sheet_of_protocol(content, lang)[0].deals for lang in ("en", "ru"))
    assert english[0].played == "Boris 6♣, Anna pass, Vera whist, tricks 5-5-0"
    assert english[0].written == "Anna: whists 10 on Boris; Boris: mountain 2; Vera: whists 20 on Boris"
    assert english[1].played == "raspas, tricks 2-3-5"
    assert english[2].played == "Anna misère, tricks 2-4-4"
    assert english[3].played == "Boris 8 no trump, talon refused, Anna pass, Vera pass"
    assert russian[0].played == "Boris 6♣, Anna пас, Vera вист, взятки 5-5-0"
    assert russian[1].written == "Anna: висты 15 → Boris, 25 → Vera"


def test_names_are_printable_and_nobody_goes_without() -> None:
    assert clean_names(["A\nB", "", "x" * 99], 3, "en") == ("AB", "seat 1", "x" * 24)
    assert clean_names(None, 4, "ru") == ("место 0", "место 1", "место 2", "место 3")
