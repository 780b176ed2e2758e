"""What control variates gained (`lab.controls`), as a section of the page and for a terminal."""

from __future__ import annotations

from typing import Any

from lab import charts
from lab.controls import PLAIN, SOLVED, Controlled
from lab.html import estimate_text, figure, section, table


def kinds(found: Controlled) -> list[str]:
    """What was done, the results as played first."""
    return list(found.lines[0].estimates)


def head(found: Controlled) -> list[str]:
    """The names of the columns of `rows`."""
    return ["whists a pulka", *kinds(found), *(f"gain: {kind}" for kind in kinds(found)[1:])]


def rows(found: Controlled) -> list[tuple[str, ...]]:
    """Bots and differences: estimates with 95 % intervals by kind of control, then the gain of each control."""
    return [
        (line.name, *map(estimate_text, line.estimates.values()), *(_gain(line.gains[kind]) for kind in kinds(found)[1:]))
        for line in found.lines
    ]


def _gain(gain: float | None) -> str:
    return "–" if gain is None else f"{gain:.2f} ×"


def told(found: Controlled) -> str:
    """What the table says, in words."""
    solved = ", and also solved double dummy (the best game and misère of each)" if SOLVED in kinds(found) else ""
    units = f"{found.pulkas:,} pulkas" + ("" if found.units == found.pulkas else f" ({found.units:,} units)")
    return (
        f"The first {units}, {found.deals:,} deals. What the cards dealt are worth is taken out of the results: hands counted (aces, "
        f"kings, queens, low cards, suit lengths){solved}. Such a correction has "
        "expectation 0, so what is estimated is the same. Gain: how many times as many pulkas would be needed without it for as narrow "
        "an interval."
    )


def controls_section(found: Controlled) -> str:
    """The section of the page."""
    labels, values = [], []
    for line in found.lines:
        for kind in (PLAIN, kinds(found)[-1]):
            own = line.estimates[kind]
            if own.value is not None and own.low is not None and own.high is not None:
                labels.append(f"{line.name}, {kind}")
                values.append((own.value, own.low, own.high))
    picture = charts.intervals("controls", labels, values, "whists a pulka, with 95 % interval") if charts.available() else ""
    note = f"<p class='note'>{told(found)}</p>"
    return section("controls", "Control variates", note, table(head(found), rows(found)), figure(picture, ""))


def show(found: Controlled, console: Any) -> None:
    """The table on a terminal."""
    from rich.table import Table

    lines = Table(title="Control variates", title_justify="left", title_style="bold", box=None, pad_edge=False)
    for n, name in enumerate(head(found)):
        lines.add_column(name, justify="right" if n else "left")
    for row in rows(found):
        lines.add_row(*row)
    console.print(told(found))
    console.print(lines)
