"""Drawing: one look for all plots, the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lab.errors import UsageError
from lab.statistics import Estimate

COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8a6d3b", "#6a4c93")


def available() -> None:
    """Say in a sentence what is missing before a study is begun."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise UsageError("--out draws a plot and needs matplotlib: install preferans[report]")


def save(draw: Callable[[Any], None], size: tuple[float, float], path: Path) -> None:
    """Draw on a figure of `size` inches and write it as SVG; text stays text, so that it can be searched and is small."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    look = {
        "svg.fonttype": "none",
        "svg.hashsalt": "preferans",
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 11,
        "axes.grid": False,
    }
    with matplotlib.rc_context(look):
        figure = Figure(figsize=size, layout="constrained", facecolor="white")
        draw(figure)
        FigureCanvasSVG(figure).print_svg(str(path), metadata={"Date": None, "Creator": None})


def dots(axes: Any, at: Sequence[float], estimates: Sequence[Estimate], colour: str, label: str | None = None, marker: str = "o") -> None:
    """Estimates as dots with their intervals."""
    known = [(x, e) for x, e in zip(at, estimates, strict=True) if e.value is not None]
    values = [e.value for _, e in known]
    low = [0.0 if e.low is None else e.value - e.low for _, e in known]  # type: ignore[operator]
    high = [0.0 if e.high is None else e.high - e.value for _, e in known]  # type: ignore[operator]
    axes.errorbar([x for x, _ in known], values, yerr=[low, high], fmt=marker, color=colour, capsize=3, markersize=5, linewidth=1.4, label=label)


def zero_line(axes: Any) -> None:
    axes.axhline(0, color="#888888", linewidth=0.8, zorder=0)
