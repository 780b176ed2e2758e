"""Drawing: one look for all plots, the same bytes for the same figures."""

from __future__ import annotations

import io
import re
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

    look: Any = {
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
        drawn = io.StringIO()
        FigureCanvasSVG(figure).print_svg(drawn, metadata={"Date": None, "Creator": None})
    # names of texts and indents are a third of a heat map, and nobody reads them
    path.write_text(re.sub(r' id="text_\d+"|(?<=\n) +', "", drawn.getvalue()), encoding="utf8")


def dots(axes: Any, at: Sequence[float], estimates: Sequence[Estimate], colour: str, label: str | None = None, marker: str = "o") -> None:
    """Estimates as dots with their intervals."""
    known = [(x, e.value, e.low, e.high) for x, e in zip(at, estimates, strict=True) if e.value is not None]
    values = [value for _, value, _, _ in known]
    down = [0.0 if low is None else value - low for _, value, low, _ in known]
    up = [0.0 if high is None else high - value for _, value, _, high in known]
    xs = [x for x, _, _, _ in known]
    axes.errorbar(xs, values, yerr=[down, up], fmt=marker, color=colour, capsize=3, markersize=5, linewidth=1.4, label=label)


def zero_line(axes: Any) -> None:
    axes.axhline(0, color="#888888", linewidth=0.8, zorder=0)
