"""`report.html`: one self-contained page about one run or several, without a program in it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from lab import charts, report_comparison, report_controls, report_pulkas, report_sections
from lab.controls import Controlled
from lab.directory import REPORT, write_whole
from lab.errors import LabError
from lab.html import escape, number
from lab.loading import Loaded

SECTIONS = (
    ("run", "What was run", report_sections.what_was_run),
    ("standings", "Standings", report_sections.standings),
    ("duplicate", "Duplicate", report_comparison.duplicate_gain),
    ("results", "Results", report_sections.distribution),
    ("contracts", "Contracts", report_sections.contract_section),
    ("misere", "Misère", report_sections.misere),
    ("whist", "Whist", report_sections.whist),
    ("raspas", "Raspas", report_sections.raspas),
    ("course", "Course", report_sections.course),
    ("pulkas", "Two pulkas", report_pulkas.pulkas),
)


def page(runs: Sequence[Loaded], controls: Controlled | None = None) -> str:
    """The page: the first run in full, with what control variates make of it if that was asked for, then every other run against it."""
    first = runs[0]
    parts = [(anchor, title, text) for anchor, title, make in SECTIONS if (text := make(first))]
    if controls is not None:
        parts.insert(2, ("controls", "Control variates", report_controls.controls_section(controls)))  # beside the standings
    for other in runs[1:]:
        title = report_comparison.title_of(other)
        parts.append((f"against-{escape(title)}", f"against {title}", report_comparison.comparison_section(first, other)))
    if len(runs) > 1:  # what was asked for comes first
        parts = parts[:1] + parts[-(len(runs) - 1) :] + parts[1 : -(len(runs) - 1)]
    run, summary = first.run, first.summary
    heading = f"{run['convention'].capitalize()}, {run['seats']} seats, pool to {run['target']}: {', '.join(first.players)}"
    keys = [
        (f"{summary['pulkas']:,}", "pulkas"),
        (f"{summary['deals']:,}", "deals"),
        (number(summary["deals_per_pulka"]["mean"]), "deals a pulka"),
        (f"{100 * summary['raspas_share']:.1f} %", "of deals raspas"),
        (f"{summary['pulkas_per_second'] or 0:,.0f}", "pulkas a second"),
    ]
    boxes = "".join(f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>" for value, what in keys)
    links = "".join(f"<li><a href='#{anchor}'>{escape(title)}</a></li>" for anchor, title, _ in parts)
    stopped = f"<p>The run was stopped after {summary['pulkas']:,} of {summary['wanted']:,} pulkas.</p>" if summary["interrupted"] else ""
    bare = "" if charts.available() else "<p class='note'>Pictures need Matplotlib: install preferans[report] and run preferans report.</p>"
    style = (Path(__file__).parent / "report.css").read_text(encoding="utf-8")
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<link rel='icon' href='data:,'><title>{escape(heading)}</title><style>{style}</style></head><body>"
        f"<header><h1>{escape(heading)}</h1>{stopped}{bare}<div class='key'>{boxes}</div></header>"
        f"<nav aria-label='sections'><ul>{links}</ul></nav><main>{''.join(text for _, _, text in parts)}</main>"
        f"<footer>preferans {escape(run['versions']['preferans'])}; intervals are 95 %, their unit is the pulka or the duplicate set, "
        "never the deal; results are settled exactly and rounded for display only.</footer></body></html>"
    )


def write(runs: Sequence[Loaded], path: Path | None = None, controls: Controlled | None = None) -> Path:
    """Write the page, by default as report.html of the first run's directory; returns its path."""
    path = path or runs[0].path / REPORT
    content = page(runs, controls).encode()
    try:
        write_whole(path, content)
    except OSError as error:
        raise LabError(f"{path}: cannot be written: {os.strerror(error.errno) if error.errno else error}") from None
    return path
