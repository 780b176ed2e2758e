"""The sheet in the terminal: the crossed rectangle in characters, the deals and the settlement as tables."""

from __future__ import annotations

import shutil
from typing import Any

from lab.sheet import Sheet, Table, short, word
from lab.sheet_layout import Cell, Geometry, Line, Room, Token, beside, entry_tokens, flow, geometry, room, shortened

PIPED = 100  # columns where nobody's terminal tells
_NARROW, _WIDE = 72, 120  # the drawing is never narrower or wider

# which box character joins lines to north, east, south, west
_BOXES = {
    (1, 0, 1, 0): "│",
    (0, 1, 0, 1): "─",
    (0, 1, 1, 0): "┌",
    (0, 0, 1, 1): "┐",
    (1, 1, 0, 0): "└",
    (1, 0, 0, 1): "┘",
    (1, 1, 1, 0): "├",
    (1, 0, 1, 1): "┤",
    (0, 1, 1, 1): "┬",
    (1, 1, 0, 1): "┴",
    (1, 1, 1, 1): "┼",
}


def columns() -> int:
    """The width to print at: the terminal's, or a readable one where the text goes into a file or a pipe."""
    return shutil.get_terminal_size((PIPED, 24)).columns


class _Canvas:
    """Characters on a grid; upright lines join where they meet, slanted ones lie over them."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.joins: dict[tuple[int, int], list[int]] = {}
        self.signs: dict[tuple[int, int], str] = {}

    def line(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        (x0, y0), (x1, y1) = (_cell(start), _cell(end))
        if x0 == x1 or y0 == y1:
            points = [(x, y) for x in range(min(x0, x1), max(x0, x1) + 1) for y in range(min(y0, y1), max(y0, y1) + 1)]
            for x, y in points:
                joins = self.joins.setdefault((x, y), [0, 0, 0, 0])
                for k, (near_x, near_y) in enumerate(((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))):
                    joins[k] |= (near_x, near_y) in points
            return
        sign = "╲" if (x1 - x0) * (y1 - y0) > 0 else "╱"
        for y in range(min(y0, y1), max(y0, y1) + 1):
            x = round(start[0] + (end[0] - start[0]) * (y - y0) / (y1 - y0))
            if (x, y) not in self.joins or y not in (0, self.height):
                self.signs[x, y] = sign

    def write(self, x: int, y: int, text: str) -> None:
        for k, sign in enumerate(text):
            self.signs[x + k, y] = sign

    def lines(self) -> list[str]:
        boxes = {
            (x, y): _BOXES.get((north, east, south, west), "─" if east or west else "│")
            for (x, y), (north, east, south, west) in self.joins.items()
        }
        drawn = boxes | self.signs
        return ["".join(drawn.get((x, y), " ") for x in range(self.width + 1)).rstrip() for y in range(self.height + 1)]


def _cell(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _lay(shape: Geometry, cell: Cell, head: list[Token], entries: list[Token], middle: tuple[int, int]) -> list[Line]:
    """The lines of one cell, in whole characters, with a blank beside every border."""
    polygon = shape.cells[cell]
    top, bottom = round(min(y for _, y in polygon)), round(max(y for _, y in polygon))

    def space(y: int) -> Room:
        found = room(polygon, y, y)
        if found is not None and abs(y - round(shape.center[1])) <= 1:
            found = beside(found, (middle[0] - 1.0, middle[1] + 1.0))
        return found and (round(found[0]) + 2.0, round(found[1]) - 1.0)

    rows = [(float(y), space(y)) for y in range(top + 1, bottom)]
    center = sum(y for _, y in polygon) / len(polygon)
    return shortened(head, entries, lambda tokens: flow(tokens, rows, 1, len, center))


def drawing(sheet: Sheet, width: int) -> str:
    """The crossed rectangle, at most `width` characters wide, but no narrower than 72."""
    wide = max(_NARROW, min(_WIDE, width)) - 1
    wide -= wide % 2
    high = 2 * round(wide * (0.20 if sheet.seats == 4 else 0.18))
    shape = geometry(sheet.seats, wide, high)
    canvas = _Canvas(wide, high)
    for start, end in shape.sectors + shape.strips:
        canvas.line(start, end)
    target = f"( {sheet.target} )"
    at = round(shape.center[0]) - len(target) // 2
    lang, most = sheet.lang, wide // 8 - 4  # of a name in the narrowest strip, with its colon and borders
    for cell in shape.cells:
        name = short(sheet.names[cell.seat], 12)
        if cell.kind == "whists":
            head = [Token(word("on", lang)), Token(f"{short(sheet.tag(cell.on), most)}:", space=True)]
            entries = entry_tokens([sheet.whists[cell.seat][cell.on]])
        else:
            head = [Token(f"{word(cell.kind, lang)}:", space=True)]
            if cell.kind == "mountain":
                head.insert(0, Token(name.upper()))
            entries = entry_tokens((sheet.pool if cell.kind == "pool" else sheet.mountain)[cell.seat])
        for line in _lay(shape, cell, head, entries, (at, at + len(target))):
            text = "".join((" " if token.space and k else "") + token.text for k, token in enumerate(line.tokens))
            spare = int(line.room[1] - line.room[0]) - len(text)
            canvas.write(int(line.room[0]) + spare // 2, int(line.y), text)
    canvas.write(at, round(shape.center[1]), target)
    return "\n".join(canvas.lines())


def table_text(table: Table) -> str:
    """A table of the settlement: numbers to the right, a title above, a note beneath."""
    wide = [max(len(row[k]) for row in (table.head, *table.rows)) for k in range(len(table.head))]
    lines = [table.title]
    for row in (table.head, *table.rows):
        cells = [f"{text:<{w}}" if k == 0 else f"{text:>{w}}" for k, (text, w) in enumerate(zip(row, wide, strict=True))]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join([*lines, f"  {table.note}"] if table.note else lines)


def settlement_text(tables: list[Table]) -> str:
    """All tables of a settlement, one below the other."""
    return "\n\n".join(table_text(table) for table in tables)


def deal_table(sheet: Sheet) -> Any:
    """The deals in words as a table of rich; a line between semesters."""
    from rich import box
    from rich.table import Table as RichTable

    lang = sheet.lang
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for key in ("deal", "dealer", "played", "written"):
        table.add_column(word(key, lang), overflow="fold", justify="right" if key == "deal" else "left")
    for number, deal in enumerate(sheet.deals, 1):
        ends = number < len(sheet.deals) and sheet.deals[number].semester != deal.semester
        cells = [str(number), deal.dealer, deal.played, deal.written]
        table.add_row(*(_plain(cell) for cell in cells), end_section=ends)
    return table


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def headline(sheet: Sheet) -> str:
    """What is played, to what, and how it stands."""
    lang = sheet.lang
    state = word("finished" if sheet.finished else "open", lang)
    level = f" {word('forced', lang).capitalize()}: {sheet.level}." if sheet.level is not None and not sheet.finished else ""
    return f"{sheet.title}, {word('to', lang)} {sheet.target}. {state}{level}"


def print_sheet(sheet: Sheet) -> None:
    """Headline, deals, the drawing and the settlement, on standard output."""
    from rich.console import Console

    width = columns()
    print(headline(sheet))
    if sheet.deals:
        Console(width=width, soft_wrap=False, markup=False, emoji=False).print(deal_table(sheet))
    print(drawing(sheet, width))
    print()
    print(settlement_text(sheet.settled.tables(sheet.names, sheet.lang)))
