"""The sheet as a picture (SVG): the crossed rectangle as on paper, and the settlement beside it."""

from __future__ import annotations

from collections.abc import Callable
from xml.sax.saxutils import escape

from lab.sheet import Sheet, Table, short, word
from lab.sheet_layout import SIDES, Cell, Geometry, Line, Token, beside, entry_tokens, flow, geometry, room, shortened

_PAPER, _INK, _PEN, _LAST, _FAINT, _RULE = "#fdfbf4", "#2b2b2b", "#1f3a7a", "#b3261e", "#8a8577", "#6b675c"
_FONT = "DejaVu Sans, Verdana, Segoe UI, Arial, sans-serif"
_SIZES = (15.0, 14.0, 13.0, 12.0, 11.0, 10.0)  # of the entries; one for the whole sheet
_GROW = (1.0, 1.2, 1.45, 1.75, 2.1, 2.5, 3.0)  # the sheet grows rather than lose an entry
_WIDTH, _HEIGHT = 860.0, {3: 700.0, 4: 640.0}
_MARGIN, _TOP, _ROW, _TABLE_SIZE = 44.0, 84.0, 22.0, 13.0
_CIRCLE, _PAD, _LEAD = 30.0, 6.0, 1.3


def _width(text: str, size: float) -> float:
    """About how wide a text is drawn; the font is the viewer's, so rather too wide than too narrow."""
    return size * sum(0.33 if c in ".,:|‖ ilj" else 0.85 if c in "mwMWшщжюыфШЩЖЮЫФ—…→" else 0.645 for c in text)


def _text(x: float, y: float, text: str, size: float, fill: str = _INK, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{fill}" {more}>{escape(text)}</text>'


def _rule(start: tuple[float, float], end: tuple[float, float], width: float, stroke: str = _INK) -> str:
    (x0, y0), (x1, y1) = start, end
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" stroke="{stroke}" stroke-width="{width:g}"/>'


def _head(sheet: Sheet, cell: Cell) -> list[Token]:
    if cell.kind != "whists":
        return [Token(word(cell.kind, sheet.lang), "label")]
    return [Token(word("on", sheet.lang), "label"), Token(short(sheet.tag(cell.on), 9), "label", True)]


def _entries(sheet: Sheet, cell: Cell) -> list[Token]:
    if cell.kind == "whists":
        return entry_tokens([sheet.whists[cell.seat][cell.on]])
    return entry_tokens((sheet.pool if cell.kind == "pool" else sheet.mountain)[cell.seat])


def _filler(shape: Geometry, cell: Cell, size: float) -> Callable[[list[Token]], list[Line] | None]:
    """A function that lays tokens of this size into a cell, off the circle in the middle, or says None."""
    polygon = shape.cells[cell]
    top, bottom = min(y for _, y in polygon) + _PAD, max(y for _, y in polygon) - _PAD
    high, step = size * _LEAD, size * _LEAD / 3
    rows = []
    for k in range(max(0, int((bottom - top - high) / step) + 1)):
        y = top + k * step
        space = room(polygon, y, y + high)
        if y - _PAD < shape.center[1] + _CIRCLE and y + high + _PAD > shape.center[1] - _CIRCLE:
            space = beside(space, (shape.center[0] - _CIRCLE, shape.center[0] + _CIRCLE))
        rows.append((y, space and (space[0] + _PAD, space[1] - _PAD)))
    middle = sum(y for _, y in polygon) / len(polygon) - high / 2
    return lambda tokens: flow(tokens, rows, 3, lambda text: _width(text, size), middle)


def _fit(sheet: Sheet) -> tuple[Geometry, float, dict[Cell, list[Line]]]:
    """The smallest sheet and the largest letters in which everything fits; what does not fit at all is shortened."""
    for grow in _GROW:
        shape = geometry(sheet.seats, _WIDTH * grow, _HEIGHT[sheet.seats] * grow)
        for size in _SIZES:
            placed: dict[Cell, list[Line]] = {}
            for cell in shape.cells:
                entries = _entries(sheet, cell)
                lines = _filler(shape, cell, size)([*_head(sheet, cell), *_spaced(entries)])
                if lines is None:
                    break
                placed[cell] = lines
            else:
                return shape, size, placed
    return shape, size, {cell: shortened(_head(sheet, cell), _entries(sheet, cell), _filler(shape, cell, size)) for cell in shape.cells}


def _spaced(entries: list[Token]) -> list[Token]:
    return [Token(entries[0].text, entries[0].style, True), *entries[1:]] if entries else []


_STYLES = {
    "label": f'fill="{_FAINT}" font-style="italic"',
    "entry": f'fill="{_PEN}"',
    "last": f'fill="{_LAST}" font-weight="bold"',
    "break": f'fill="{_INK}" font-weight="bold"',
}


def _line(line: Line, size: float) -> str:
    """One line of a cell, in the middle of its room."""
    x, y = (line.room[0] + line.room[1]) / 2, line.y + size * _LEAD * 0.78
    spans = []
    for k, token in enumerate(line.tokens):
        blank = " " if token.space and k else ""
        spans.append(f"<tspan {_STYLES[token.style]}>{blank}{escape(token.text)}</tspan>")
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="middle" xml:space="preserve">{"".join(spans)}</text>'


def _names(sheet: Sheet, shape: Geometry) -> list[str]:
    """Each player's name outside his edge of the sheet."""
    w, h, drawn = shape.width, shape.height, []
    places = {"bottom": (w / 2, h + 26, 0), "top": (w / 2, -12, 0), "left": (-14, h / 2, -90), "right": (w + 14, h / 2, 90)}
    for side, name in zip(SIDES[sheet.seats], sheet.names, strict=True):
        x, y, turn = places[side]
        more = f'text-anchor="middle" font-weight="bold"{f""" transform="rotate({turn} {x:.1f} {y:.1f})" """ if turn else ""}'
        drawn.append(_text(x, y, name, 16, more=more))
    return drawn


def _sheet(sheet: Sheet, shape: Geometry, size: float, placed: dict[Cell, list[Line]]) -> list[str]:
    drawn = [f'<rect x="0" y="0" width="{shape.width:g}" height="{shape.height:g}" fill="{_PAPER}" stroke="{_INK}" stroke-width="2"/>']
    drawn += [_rule(start, end, 1, _RULE) for start, end in shape.strips]
    drawn += [_rule(start, end, 1.8) for start, end in shape.sectors[4:]]
    x, y = shape.center
    drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_CIRCLE:g}" fill="{_PAPER}" stroke="{_INK}" stroke-width="1.8"/>')
    large = 24 if sheet.target < 1000 else 15 if sheet.target < 100000 else 11
    drawn.append(_text(x, y + large * 0.36, str(sheet.target), large, more='text-anchor="middle" font-weight="bold"'))
    drawn += [_line(line, size) for lines in placed.values() for line in lines]
    return drawn + _names(sheet, shape)


def _widths(table: Table) -> list[float]:
    rows = (table.head, *table.rows)
    return [max(_width(row[k], _TABLE_SIZE) for row in rows) + 18 for k in range(len(table.head))]


def _table(table: Table, x: float, y: float) -> tuple[list[str], float]:
    """A table of the settlement with its upper left corner at (x, y), and the y beneath it."""
    wide = _widths(table)
    drawn = [_text(x, y + 16, table.title, 16, more='font-weight="bold"')]
    y += 24
    for number, row in enumerate((table.head, *table.rows)):
        right = x
        for k, (text, w) in enumerate(zip(row, wide, strict=True)):
            right += w
            fill, more = (_FAINT, "") if number == 0 else (_INK, "")
            if number and k and table.head[k] == table.head[-1 if len(table.head) != 7 else 5]:
                more = 'font-weight="bold" '
            drawn.append(_text(x if k == 0 else right - 6, y + 16, text, _TABLE_SIZE, fill, more + ("" if k == 0 else 'text-anchor="end"')))
        y += _ROW
        if number == 0:
            drawn.append(_rule((x, y), (x + sum(wide), y), 1, _RULE))
    if table.note:
        drawn.append(_text(x, y + 17, table.note, 12, _RULE))
        y += _ROW
    return drawn, y + 24


def svg(sheet: Sheet) -> str:
    """The sheet and its settlement as the text of an SVG file; nothing is loaded from outside."""
    shape, size, placed = _fit(sheet)
    tables = sheet.settled.tables(sheet.names, sheet.lang)
    beside_it = _MARGIN + shape.width + 2 * _MARGIN
    panel: list[str] = []
    y = _TOP - 4
    for table in tables:
        drawn, y = _table(table, beside_it, y)
        panel += drawn
    state = word("finished" if sheet.finished else "open", sheet.lang)
    heads = [f"{sheet.title}, {word('to', sheet.lang)} {sheet.target}", state]
    panel_width = max([sum(_widths(t)) for t in tables] + [_width(t.note, 12) for t in tables] + [_width(heads[1], 13) + 60 - beside_it])
    width, height = beside_it + panel_width + _MARGIN, max(y, _TOP + shape.height + _MARGIN)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'font-family="{_FONT}">',
            f"<title>{escape(heads[0])}</title>",
            '<rect width="100%" height="100%" fill="white"/>',
            _text(_MARGIN, 34, heads[0], 20, more='font-weight="bold"'),
            _text(_MARGIN, 54, heads[1], 13, _RULE),
            f'<g transform="translate({_MARGIN:g} {_TOP:g})">',
            *_sheet(sheet, shape, size, placed),
            "</g>",
            *panel,
            "</svg>",
            "",
        ]
    )
