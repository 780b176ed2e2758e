"""Where things stand on the sheet: the crossed rectangle as polygons, and words that flow within them.

Both drawings use it: in characters (`lab.sheet_text`) and in SVG units (`lab.sheet_svg`). From the middle outwards every
player has mountain, pool and whists; seat 0 sits at the bottom, the others follow clockwise. Coordinates: x right, y down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import attrs

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Room = tuple[float, float] | None  # from the left x to the right x

SIDES = {3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
# the opponents on whom a side's whist strip is split: left to right, at the left and right side from the bottom up
_ORDER: dict[int, dict[str, tuple[str, ...]]] = {
    3: {"bottom": ("left", "right"), "left": ("bottom", "right"), "right": ("bottom", "left")},
    4: {
        "bottom": ("left", "top", "right"),
        "left": ("bottom", "right", "top"),
        "top": ("left", "bottom", "right"),
        "right": ("bottom", "left", "top"),
    },
}


class Cell(NamedTuple):
    """A place on the sheet: `kind` is pool, mountain or whists (then `on` is the other seat)."""

    kind: str
    seat: int
    on: int = -1


@attrs.frozen
class Geometry:
    """The sheet's lines (pairs of points; the frame and the sectors first) and the polygon of every cell."""

    width: float
    height: float
    center: Point
    sectors: list[tuple[Point, Point]]
    strips: list[tuple[Point, Point]]
    cells: dict[Cell, Polygon]


def geometry(seats: int, width: float, height: float) -> Geometry:
    """The crossed rectangle for three or four, `width` by `height`."""
    center = (width / 2, height / 2 if seats == 4 else height * 0.55)
    corners: dict[str, Point] = {"nw": (0, 0), "ne": (width, 0), "se": (width, height), "sw": (0, height)}
    outer, inner = (0.27, 0.53) if seats == 4 else (0.25, 0.47)

    def toward(corner: str, part: float) -> Point:
        x, y = corners[corner]
        if seats == 3 and corner in ("nw", "ne"):  # the upper two sectors are open to the top edge
            return x + part * (center[0] - x), 0
        return x + part * (center[0] - x), y + part * (center[1] - y)

    ends = {"bottom": ("sw", "se"), "left": ("sw", "nw"), "top": ("nw", "ne"), "right": ("se", "ne")}
    sides = SIDES[seats]
    frame = [(corners[a], corners[b]) for a, b in (("nw", "ne"), ("ne", "se"), ("se", "sw"), ("sw", "nw"))]
    rays = [(corners[c], center) for c in (("nw", "ne", "se", "sw") if seats == 4 else ("se", "sw"))]
    if seats == 3:
        rays.append(((width / 2, 0), center))
    strips: list[tuple[Point, Point]] = []
    cells: dict[Cell, Polygon] = {}
    for seat, side in enumerate(sides):
        first, last = ends[side]
        lines = [(toward(first, part), toward(last, part)) for part in (0, outer, inner)]
        strips += lines[1:]
        cells[Cell("pool", seat)] = (*lines[1], lines[2][1], lines[2][0])
        tip = (center,) if seats == 4 or side == "bottom" else ((width / 2, 0.0), center)
        cells[Cell("mountain", seat)] = (*lines[2], *tip)
        order = [sides.index(other) for other in _ORDER[seats][side]]
        for k, other in enumerate(order):
            low, high = _cut(lines[0], lines[1], k / len(order)), _cut(lines[0], lines[1], (k + 1) / len(order))
            cells[Cell("whists", seat, other)] = (low[0], high[0], high[1], low[1])
            if k:
                strips.append(low)
    return Geometry(width, height, center, frame + rays, strips, cells)


def _cut(outer: tuple[Point, Point], inner: tuple[Point, Point], part: float) -> tuple[Point, Point]:
    """The line across a strip at a part of its outer edge; at the ends it is the sector's own."""
    if part == 0:
        return outer[0], inner[0]
    if part == 1:
        return outer[1], inner[1]
    (x0, y0), (x1, y1) = outer
    x, y = x0 + part * (x1 - x0), y0 + part * (y1 - y0)
    return ((x, y), (x, inner[0][1])) if y0 == y1 else ((x, y), (inner[0][0], y))


def room(polygon: Polygon, top: float, bottom: float) -> Room:
    """What a line of text from `top` to `bottom` has inside a convex polygon."""
    spans = []
    for y in (top, bottom):
        xs = []
        for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            if y0 == y1 == y:
                xs += [x0, x1]
            elif min(y0, y1) <= y <= max(y0, y1) and y0 != y1:
                xs.append(x0 + (x1 - x0) * (y - y0) / (y1 - y0))
        if not xs:
            return None
        spans.append((min(xs), max(xs)))
    left, right = max(s[0] for s in spans), min(s[1] for s in spans)
    return (left, right) if left < right else None


def beside(space: Room, keep_off: tuple[float, float]) -> Room:
    """The larger part of a line that stays off a stretch of it."""
    if space is None or space[1] <= keep_off[0] or space[0] >= keep_off[1]:
        return space
    left, right = (space[0], keep_off[0]), (keep_off[1], space[1])
    best = max(left, right, key=lambda s: s[1] - s[0])
    return best if best[0] < best[1] else None


@attrs.frozen
class Token:
    """A piece of text that is not broken; `space` asks for a space before it within a line."""

    text: str
    style: str = "entry"  # entry, last, break, label, name
    space: bool = False


@attrs.frozen
class Line:
    """A line of text in its place: its top, the room it has and its tokens."""

    y: float
    room: tuple[float, float]
    tokens: tuple[Token, ...]


def _break(tokens: Sequence[Token], spaces: Sequence[Room], measure: Callable[[str], float]) -> list[int] | None:
    """How many tokens stand on each line, filling the lines in order; None where they do not fit."""
    counts: list[int] = []
    at = 0
    for space in spaces:
        if at == len(tokens):
            break
        used, count = 0.0, 0
        while space is not None and at + count < len(tokens):
            token = tokens[at + count]
            wide = measure((" " if token.space and count else "") + token.text)
            if used + wide > space[1] - space[0]:
                break
            used += wide
            count += 1
        if count == 0:
            return None
        counts.append(count)
        at += count
    return counts if at == len(tokens) else None


def flow(
    tokens: Sequence[Token],
    rows: Sequence[tuple[float, Room]],
    stride: int,
    measure: Callable[[str], float],
    middle: float,
) -> list[Line] | None:
    """Lay tokens in few lines near `middle` (a line more is worth standing a line nearer); None where they do not fit.

    `rows` are the places where a line may begin (its top and its room), `stride` the number of them from line to line.
    """
    best: tuple[float, int, list[int]] | None = None
    high = rows[stride][0] - rows[0][0] if stride < len(rows) else 1.0
    for start in range(len(rows)):
        counts = _break(tokens, [space for _, space in rows[start::stride]], measure)
        if counts is None:
            continue
        last = start + (len(counts) - 1) * stride
        off = abs((rows[start][0] + rows[last][0]) / 2 - middle)
        cost = len(counts) + off / high
        if best is None or cost < best[0]:
            best = cost, start, counts
    if best is None:
        return None
    lines, at = [], 0
    for k, count in enumerate(best[2]):
        y, space = rows[best[1] + k * stride]
        assert space is not None
        lines.append(Line(y, space, tuple(tokens[at : at + count])))
        at += count
    return lines


def entry_tokens(semesters: Sequence[Sequence[str]]) -> list[Token]:
    """Running entries, each with its dot; a double bar between semesters; the last entry of all stands out."""
    tokens: list[Token] = []
    for number, entries in enumerate(semesters):
        if number:
            tokens.append(Token("‖", "break"))
        tokens += [Token(f"{entry}.") for entry in entries]
    last = max((k for k, token in enumerate(tokens) if token.style == "entry"), default=-1)
    return [attrs.evolve(token, style="last") if k == last else token for k, token in enumerate(tokens)]


def shortened(head: Sequence[Token], entries: Sequence[Token], fits: Callable[[list[Token]], list[Line] | None]) -> list[Line]:
    """The lines of a cell whose first entries give way to … where there is no room for all; the label goes last of all."""
    for start in (*(head,), ()):
        for dropped in range(len(entries) + 1):
            kept = list(entries[dropped:])
            if kept:
                kept[0] = attrs.evolve(kept[0], space=not dropped)
            lines = fits([*start, *([Token("…", space=True)] if dropped else []), *kept])
            if lines is not None:
                return lines
    return []
