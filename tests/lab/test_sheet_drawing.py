"""The crossed rectangle, in characters and as SVG: everything stands in its place and nothing runs over a line."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from random import Random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import sheet_svg, sheet_text
from lab.sheet import Sheet, sheet_of_protocol
from lab.sheet_layout import SIDES, Cell, Token, beside, entry_tokens, flow, geometry, room, shortened
from tests.protocol_generator import random_protocol

SVG = "{http://www.w3.org/2000/svg}"


def a_sheet(convention: str, seats: int, deals: int, seed: int = 1, target: int | None = 300, lang: str = "en") -> Sheet:
    return sheet_of_protocol(random_protocol(Random(seed), convention, seats, {}, deals, target), lang)[0]


def area(polygon: tuple[tuple[float, float], ...]) -> float:
    pairs = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


@pytest.mark.parametrize("seats", [3, 4])
def test_the_cells_fill_the_rectangle(seats: int) -> None:
    """Every player has a mountain, a pool and whists on each other; together they cover the sheet once."""
    shape = geometry(seats, 900, 600)
    wanted = {Cell(kind, s) for s in range(seats) for kind in ("pool", "mountain")}
    wanted |= {Cell("whists", a, b) for a in range(seats) for b in range(seats) if a != b}
    assert set(shape.cells) == wanted
    assert sum(map(area, shape.cells.values())) == pytest.approx(900 * 600)


@pytest.mark.parametrize("seats", [3, 4])
def test_mountain_lies_inside_and_whists_outside(seats: int) -> None:
    shape = geometry(seats, 900, 600)

    def to_middle(cell: Cell) -> float:
        polygon = shape.cells[cell]
        x, y = (sum(p[k] for p in polygon) / len(polygon) for k in (0, 1))
        return abs(x - shape.center[0]) if SIDES[seats][cell.seat] in ("left", "right") else abs(y - shape.center[1])

    for seat in range(seats):
        on = [Cell("whists", seat, other) for other in range(seats) if other != seat]
        assert to_middle(Cell("mountain", seat)) < to_middle(Cell("pool", seat)) < min(map(to_middle, on))


@pytest.mark.parametrize("seats", [3, 4])
def test_whists_on_a_neighbour_stand_next_to_him(seats: int) -> None:
    """The part of the strip at a corner is about the player round that corner."""
    shape = geometry(seats, 900, 600)
    for cell, polygon in shape.cells.items():
        if cell.kind == "whists":
            other = [p for c, whole in shape.cells.items() if c.kind == "whists" and c.seat == cell.on for p in whole]
            meet = 0 in (cell.seat, cell.on) if seats == 3 else (cell.seat - cell.on) % 2 == 1
            assert bool(set(polygon) & set(other)) == meet


def test_a_line_has_the_room_that_it_has_at_both_its_edges() -> None:
    triangle = ((0.0, 10.0), (10.0, 10.0), (5.0, 0.0))
    assert room(triangle, 4, 8) == (3, 7)
    assert room(triangle, 11, 12) is None
    assert beside((0, 10), (6, 12)) == (0, 6)
    assert beside((0, 10), (20, 30)) == (0, 10)


@given(
    st.lists(st.integers(0, 2000), min_size=1, max_size=40),
    st.lists(st.integers(0, 30), min_size=1, max_size=12),
    st.integers(0, 12),
)
def test_text_flows_in_order_within_its_lines(numbers: list[int], widths: list[int], middle: int) -> None:
    tokens = entry_tokens([[str(n) for n in numbers]])
    rows = [(float(k), (0.0, float(w)) if w else None) for k, w in enumerate(widths)]
    lines = flow(tokens, rows, 1, len, middle)
    if lines is None:
        assert sum(len(t.text) for t in tokens) > max(widths)
        return
    assert [t for line in lines for t in line.tokens] == tokens
    assert [line.y for line in lines] == sorted({line.y for line in lines})
    assert all(sum(len(t.text) for t in line.tokens) <= line.room[1] - line.room[0] for line in lines)


def test_a_long_row_of_entries_keeps_the_last_ones() -> None:
    rows = [(0.0, (0.0, 20.0))]
    lines = shortened([Token("pool:")], entry_tokens([[str(n) for n in range(100, 140)]]), lambda tokens: flow(tokens, rows, 1, len, 0))
    assert [t.text for t in lines[0].tokens] == ["pool:", "…", "137.", "138.", "139."]
    assert lines[0].tokens[-1].style == "last"


def test_semesters_are_parted_by_a_double_bar() -> None:
    assert [t.text for t in entry_tokens([["2", "4"], [], ["6"]])] == ["2.", "4.", "‖", "‖", "6."]


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("convention", "seats", "deals"), [("sochi", 3, 6), ("piter", 4, 8), ("rostov", 3, 5)])
def test_a_short_sheet_shows_every_entry_in_the_terminal(convention: str, seats: int, deals: int, lang: str) -> None:
    sheet = a_sheet(convention, seats, deals, lang=lang)
    text = sheet_text.drawing(sheet, 120)
    shown = re.findall(r"(?<![\d−])−?\d+(?: \d/\d)?(?=\.)", text)
    wanted = [e for row in (*sheet.pool, *sheet.mountain, *sheet.whists) for entries in row for e in entries]
    assert sorted(shown) == sorted(wanted)
    assert f"( {sheet.target} )" in text
    assert "…" not in text


@pytest.mark.parametrize("width", [40, 72, 80, 100, 133, 500])
@pytest.mark.parametrize(("convention", "seats"), [("sochi", 3), ("skachki", 4), ("moscow", 4)])
def test_a_long_sheet_stays_within_its_width_and_keeps_its_last_entries(convention: str, seats: int, width: int) -> None:
    sheet = a_sheet(convention, seats, 150, target=None if convention == "skachki" else 900)
    lines = sheet_text.drawing(sheet, width).splitlines()
    assert max(map(len, lines)) <= max(72, min(width, 120))
    assert {len(line) for line in lines} == {len(lines[0])}, "the frame is whole"
    text = "\n".join(lines)
    for entries in [row[-1] for row in sheet.pool + sheet.mountain]:
        assert not entries or f"{entries[-1]}." in text
    assert all(line[0] in "┌│├└╱╲" and line[-1] in "┐│┤┘╱╲" for line in lines)


def texts(root: ET.Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("convention", "seats", "deals"), [("sochi", 3, 0), ("sochi", 3, 9), ("piter", 4, 150), ("skachki", 4, 200), ("vmk", 3, 400)]
)
def test_the_svg_shows_every_entry_of_short_and_long_sheets(convention: str, seats: int, deals: int) -> None:
    sheet = a_sheet(convention, seats, deals, target=None if convention == "skachki" else 9000)
    root = ET.fromstring(sheet_svg.svg(sheet))
    assert root.tag == f"{SVG}svg"
    spans = [element.text or "" for element in root.iter(f"{SVG}tspan")]
    shown = sorted(text.strip() for text in spans if text.endswith("."))
    wanted = [f"{e}." for row in (*sheet.pool, *sheet.mountain, *sheet.whists) for entries in row for e in entries]
    assert shown == sorted(wanted)
    words = texts(root)
    assert str(sheet.target) in words
    for table in sheet.settled.tables(sheet.names, "en"):
        assert table.title in words
        assert all(cell in words for row in table.rows for cell in row)


@pytest.mark.parametrize(("convention", "seats"), [("piter", 3), ("rostov", 4), ("skachki", 4)])
def test_no_line_of_the_svg_leaves_its_cell(convention: str, seats: int) -> None:
    sheet = a_sheet(convention, seats, 200, target=None if convention == "skachki" else 900)
    shape, size, placed = sheet_svg._fit(sheet)
    for cell, lines in placed.items():
        for line in lines:
            assert room(shape.cells[cell], line.y, line.y + size) is not None
            text = "".join((" " if t.space and k else "") + t.text for k, t in enumerate(line.tokens))
            assert sheet_svg._width(text, size) <= line.room[1] - line.room[0] + 1e-6
        for first, second in pairwise(lines):
            assert second.y - first.y >= size


def test_the_svg_is_whole_whatever_the_players_are_called() -> None:
    sheet = attrs.evolve(a_sheet("sochi", 3, 4), names=("<b>&", '"quoted"', "]]>"), title="a < b & c")
    root = ET.fromstring(sheet_svg.svg(sheet))
    assert {"<b>&", '"quoted"', "]]>"} <= set(texts(root))
    assert not re.search(r"(href|url\(|@import|<script)", sheet_svg.svg(sheet))


def test_the_same_sheet_is_drawn_the_same() -> None:
    assert sheet_svg.svg(a_sheet("moscow", 4, 20)) == sheet_svg.svg(a_sheet("moscow", 4, 20))
