"""Pictures of a report: Matplotlib's SVG with colours named by the page's style sheet, so that one picture serves light and dark.

Matplotlib because it is maintained, draws without a browser or a script, and writes text as text: a page holds no program at all.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

INK, FAINT, GRID = "#010101", "#020202", "#030303"
SERIES = ("#040401", "#040402", "#040403", "#040404", "#040405")
_NAMES = {INK: "ink", FAINT: "faint", GRID: "grid"} | {colour: f"s{n}" for n, colour in enumerate(SERIES, 1)}
_STYLE: Any = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titlecolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "legend.frameon": False,
    "legend.labelcolor": INK,
}
_ID = re.compile(r' id="(?:figure|axes|patch|line2d|text|matplotlib\.axis|xtick|ytick|legend|PathCollection|LineCollection|QuadMesh)_\d+"')


def available() -> bool:
    """Whether pictures can be drawn (the extra `report` is installed)."""
    return find_spec("matplotlib") is not None


def _figure(width: float, height: float, columns: int = 1) -> tuple[Any, list[Any]]:
    from matplotlib.figure import Figure  # without pyplot: no display, no state

    figure = Figure(figsize=(width, height), layout="constrained")
    figure.patch.set_alpha(0)
    axes = [figure.add_subplot(1, columns, n + 1) for n in range(columns)]
    for one in axes:
        one.patch.set_alpha(0)
    return figure, axes


def _draw(name: str, what: str, width: float, height: float, draw: Any, columns: int = 1) -> str:
    """An `<svg>` element; `what` is what a screen reader says of it."""
    import matplotlib

    with matplotlib.rc_context(_STYLE | {"svg.hashsalt": name}):
        figure, axes = _figure(width, height, columns)
        draw(*axes)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = _ID.sub("", text[text.index("<svg") :])
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    for colour, variable in _NAMES.items():
        text = text.replace(colour, f"var(--{variable})")
    label = what.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def _whole(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.2f}".rstrip("0").rstrip(".").replace("-", "−")))


def _percent(axis: Any) -> None:
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1, decimals=0))


def intervals(name: str, labels: Sequence[str], values: Sequence[tuple[float, float, float]], unit: str) -> str:
    """Means as dots with their 95 % intervals; `values`: mean, low, high. No picture of nothing."""
    if not labels:
        return ""

    def draw(axes: Any) -> None:
        for n, (mean, low, high) in enumerate(values):
            axes.errorbar(mean, n, xerr=[[mean - low], [high - mean]], fmt="o", color=SERIES[n % len(SERIES)], capsize=4, markersize=6)
        axes.axvline(0, color=FAINT, linewidth=1)
        axes.set_yticks(range(len(labels)), labels)
        axes.set_ylim(len(labels) - 0.5, -0.5)
        axes.set_xlabel(unit)
        axes.grid(False, axis="y")
        _whole(axes.xaxis)

    return _draw(name, f"{unit}: {', '.join(labels)}", 7.2, 0.9 + 0.42 * len(labels), draw)


def histogram(name: str, counts: dict[str, dict[int, int]], unit: str) -> str:
    """Shares of whole-number results by series; once with the ends cut off, once whole with a logarithmic scale for the tails."""
    values = np.array(sorted({value for own in counts.values() for value in own}))
    table = np.array([[own.get(int(v), 0) for v in values] for own in counts.values()], dtype=float)
    shares = table / np.maximum(1, table.sum(axis=1, keepdims=True))
    together = np.cumsum(table.sum(axis=0)) / max(1.0, table.sum())
    low, high = values[np.searchsorted(together, 0.005)], values[np.searchsorted(together, 0.995)]

    def bars(axes: Any, first: int, last: int, bins: int) -> None:
        step = max(1, -(-(last - first + 1) // bins))
        edges = np.arange(first // step * step, last + step + 1, step)
        for n, (series, share) in enumerate(zip(counts, shares, strict=True)):
            heights = np.histogram(values, bins=edges, weights=share)[0]
            axes.stairs(heights, edges, fill=len(counts) == 1, color=SERIES[n], label=series, linewidth=1.6, alpha=0.9)
        _whole(axes.xaxis)
        axes.set_xlabel(unit)

    def draw(left: Any, right: Any) -> None:
        bars(left, int(low), int(high), 45)
        _percent(left.yaxis)
        left.set_title("all but the outer 1 %")
        bars(right, int(values[0]), int(values[-1]), 60)
        right.set_yscale("log")
        right.set_title("tails: the whole range, logarithmic")
        if len(counts) > 1:
            left.legend(fontsize=9)

    return _draw(name, f"distribution of {unit}", 9.2, 3.1, draw, 2)


def points(name: str, x: Sequence[str], series: dict[str, list[tuple[float, float, float]]], unit: str, below: str) -> str:
    """Means with intervals side by side; `series`: for each x mean, low, high."""

    def draw(axes: Any) -> None:
        for n, (label, values) in enumerate(series.items()):
            at = np.arange(len(x)) + (n - (len(series) - 1) / 2) * 0.16
            mean, low, high = np.array(values, dtype=float).T
            axes.errorbar(at, mean, yerr=[mean - low, high - mean], fmt="o", color=SERIES[n % len(SERIES)], label=label, capsize=4)
        axes.axhline(0, color=FAINT, linewidth=1)
        axes.set_xticks(range(len(x)), x)
        axes.set_xlim(-0.5, len(x) - 0.5)
        axes.set_ylabel(unit)
        axes.set_xlabel(below)
        axes.grid(False, axis="x")
        _whole(axes.yaxis)
        if len(series) > 1:
            axes.legend(fontsize=9, ncols=len(series), loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)

    return _draw(name, f"{unit} by {below}", 6.4, 3.2, draw)


def stacked(name: str, labels: Sequence[str], parts: dict[str, Sequence[float]], unit: str) -> str:
    """Horizontal bars divided into parts."""

    def draw(axes: Any) -> None:
        left = np.zeros(len(labels))
        for n, (part, values) in enumerate(parts.items()):
            axes.barh(range(len(labels)), values, left=left, color=SERIES[n % len(SERIES)], label=part, height=0.68)
            left += np.array(values, dtype=float)
        axes.set_yticks(range(len(labels)), labels)
        axes.set_ylim(len(labels) - 0.5, -0.5)
        axes.set_xlabel(unit)
        axes.grid(False, axis="y")
        _whole(axes.xaxis)
        if parts:
            axes.legend(fontsize=9, ncols=len(parts), loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)

    return _draw(name, f"{unit} of {', '.join(labels)}", 7.2, 1.2 + 0.42 * len(labels), draw)


def bars(name: str, x: Sequence[str], series: dict[str, Sequence[float]], unit: str, below: str) -> str:
    """Bars side by side, as shares."""

    def draw(axes: Any) -> None:
        width = 0.8 / max(1, len(series))
        for n, (label, values) in enumerate(series.items()):
            at = np.arange(len(x)) + (n - (len(series) - 1) / 2) * width
            axes.bar(at, values, width=width * 0.94, color=SERIES[n % len(SERIES)], label=label)
        axes.set_xticks(range(len(x)), x)
        axes.set_xlabel(below)
        axes.set_ylabel(unit)
        axes.grid(False, axis="x")
        _percent(axes.yaxis)
        if len(series) > 1:
            axes.legend(fontsize=9)

    return _draw(name, f"{unit} by {below}", 7.2, 2.8, draw)


def spread(name: str, counts: dict[int, int], unit: str, below: str) -> str:
    """One distribution over whole numbers, the outer half per cent gathered in the last bar."""
    values = np.array(sorted(counts))
    shares = np.array([counts[int(v)] for v in values], dtype=float)
    shares /= max(1.0, shares.sum())
    last = int(values[np.searchsorted(np.cumsum(shares), 0.995)]) if len(values) else 0

    def draw(axes: Any) -> None:
        step = max(1, -(-(last - int(values[0]) + 1) // 60))
        edges = np.arange(int(values[0]), last + step + 1, step)
        heights = np.histogram(np.minimum(values, edges[-1] - 1), bins=edges, weights=shares)[0]
        axes.stairs(heights, edges, fill=True, color=SERIES[0], alpha=0.9)
        axes.set_xlabel(below)
        axes.set_ylabel(unit)
        _percent(axes.yaxis)

    return _draw(name, f"{unit} by {below}", 7.2, 2.6, draw)


def curves(name: str, x: Sequence[float], series: dict[str, Sequence[float]], unit: str, below: str) -> str:
    """Curves over whole numbers, each in a picture of its own beside the others."""

    def draw(*beside: Any) -> None:
        for n, (axes, (label, values)) in enumerate(zip(beside, series.items(), strict=True)):
            axes.plot(x, values, color=SERIES[n % len(SERIES)], linewidth=2)
            axes.set_title(label)
            axes.set_xlabel(below)
            axes.set_ylabel(unit)
            axes.set_ylim(min(0.0, *values), max(1.0, *values) * 1.05)
            _whole(axes.yaxis)

    return _draw(name, f"{unit} by {below}", 9.2, 2.8, draw, len(series))
