"""Small pieces of HTML: text is always escaped, numbers are written one way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from lab.statistics import Estimate

__all__ = ["cell", "dictionary", "escape", "estimate_text", "figure", "number", "percent", "section", "table"]


def number(value: float | None, sign: bool = False, places: int | None = None) -> str:
    """`1,234`, `+12.3`, `−0.50`; – where there is none."""
    if value is None:
        return "–"
    if places is None:
        places = 0 if isinstance(value, int) or abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:{'+' if sign else ''},.{places}f}".replace("-", "−")


def percent(part: float, whole: float = 1.0) -> str:
    """`12.3 %`; – of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def estimate_text(found: Estimate, sign: bool = True) -> str:
    """`+12.3 ± 4.5`: a mean and half its 95 % interval."""
    if found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return number(found.value, sign)
    return f"{number(found.value, sign)} ± {number((found.high - found.low) / 2)}"


def cell(value: Any, shade: float | None = None) -> str:
    """A cell of a table; `shade` from 0 to 1 tints it."""
    style = f' style="--shade:{100 * min(1.0, max(0.0, shade)):.0f}%" class="shaded"' if shade is not None else ""
    return f"<td{style}>{escape(str(value))}</td>"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> str:
    """A table; a value that is already a cell (from `cell`) is taken as it is. The first column names the row."""
    lines = ["<div class='scroll'><table>"]
    if caption:
        lines.append(f"<caption>{escape(caption)}</caption>")
    lines.append("<thead><tr>" + "".join(f"<th scope='col'>{escape(h)}</th>" for h in head) + "</tr></thead><tbody>")
    for first, *rest in rows:
        cells = "".join(value if isinstance(value, str) and value.startswith("<td") else cell(value) for value in rest)
        lines.append(f"<tr><th scope='row'>{escape(str(first))}</th>{cells}</tr>")
    return "".join([*lines, "</tbody></table></div>"])


def dictionary(pairs: Iterable[tuple[str, Any]]) -> str:
    """Terms and what they are."""
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in pairs) + "</dl>"


def figure(picture: str, caption: str) -> str:
    """A picture (an `<svg>` element, or nothing where none could be drawn) with its caption."""
    return f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>" if picture else ""


def section(anchor: str, title: str, *parts: str) -> str:
    """A section of the page."""
    return f"<section id='{anchor}'><h2>{escape(title)}</h2>{''.join(parts)}</section>"
