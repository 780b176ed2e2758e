"""The summary of a run as a person reads it in a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lab.summary import LEVELS

BINS = 13
BAR = 22


def show(summary: dict[str, Any], histograms: dict[str, dict[int, int]], console: Console) -> None:
    """Print a summary (`lab.summary.summarise`); `histograms`: by bot, results of one seat in whole whists -> how many."""
    run = summary["run"]
    told = (
        f", {run['seats']} seats, pool to {run['target']}, seed {run['seed']}: "
        f"{summary['pulkas']:,} pulkas, {summary['deals']:,} deals, {summary['decisions']:,} decisions"
    )
    console.print(Text.assemble((run["convention"], "bold"), told))
    if summary["seconds"]:
        console.print(
            f"{summary['seconds']:,.1f} s: {summary['pulkas_per_second']:,.0f} pulkas/s, {summary['decisions_per_second']:,.0f} decisions/s"
        )
    for line in _remarks(summary):
        console.print(line, style="yellow")
    if not summary["pulkas"]:
        return
    console.print(_standings(summary))
    for line in summary["differences"] if len(summary["bots"]) > 1 else []:
        console.print(f"{line['first']} less {line['second']}: {_with_interval(line['mean'], line['ci95'])} whists a pulka")
    console.print(_contracts(summary["contracts"]))
    console.print(_misere(summary["contracts"]["misere"]))
    console.print(_raspas(summary))
    console.print(_histogram(histograms))
    _failures(summary, console)


def _remarks(summary: dict[str, Any]) -> list[str]:
    run, played = summary["run"], summary["pulkas"]
    remarks = []
    if summary["interrupted"]:
        remarks.append(f"Stopped after {played:,} of {summary['wanted']:,} pulkas.")
    if summary["cut"]:
        share = summary["cut"] / played
        remarks.append(f"{summary['cut']:,} pulkas were cut after {run['deal_limit']:,} deals and settled as they stood ({share:.1%}).")
    if summary["failed"]:
        remarks.append(f"{summary['failed']:,} pulkas were ended by a bot's failure and count in no mean.")
    if played % run["seatings"]:
        remarks.append(
            f"{played:,} pulkas are no whole number of the {run['seatings']} seatings: some bots sat in some places once more than others."
        )
    return remarks


def _number(value: float | None, sign: bool = False) -> str:
    if value is None:
        return "–"
    places = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:{'+' if sign else ''},.{places}f}"


def _whole(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _with_interval(value: float | None, ci95: list[float] | None) -> str:
    """A mean and half its interval, which is symmetric."""
    if value is None:
        return "–"
    half = f"± {_number((ci95[1] - ci95[0]) / 2)}" if ci95 else "(one pulka: no interval)"
    return f"{_number(value, True)} {half}"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def _standings(summary: dict[str, Any]) -> Table:
    bots = summary["bots"]
    if len(bots) == 1:
        (name, bot), *_ = bots.items()
        table = _table(
            f"{name} at every seat: the mean is 0 by construction; what one seat wins or loses in a pulka, in whists",
            "deviation", "smallest", "1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %", "largest",
        )  # fmt: skip
        spread = [bot["min"], *bot["quantiles"].values(), bot["max"]]
        table.add_row(_number(bot["seat_deviation"]), *map(_whole, spread))
        return table
    unit = "pulka" if summary["unit"] == "pulka" else "duplicate set"
    table = _table(f"Whists, with 95 % intervals by {unit}", "bot", "a pulka", "per 100 deals", "deviation", "1 seat in 20 below", "above")
    for name, bot in bots.items():
        table.add_row(
            name,
            _with_interval(bot["mean"], bot["ci95"]),
            _with_interval(bot["per_100_deals"], bot["per_100_deals_ci95"]),
            _number(bot["deviation"]),
            _whole(bot["quantiles"]["0.05"]),
            _whole(bot["quantiles"]["0.95"]),
        )
    return table


def _contracts(contracts: dict[str, Any]) -> Table:
    table = _table("Contracts", "level", "bid", "ordered", "played", "made", "failed", "made %", "unwhisted", "half", "given up")
    for level in LEVELS:
        c = contracts[level]
        share = f"{c['made'] / c['played']:.1%}" if c["played"] else "–"
        counts = {key: f"{c[key]:,}" for key in ("bid", "ordered", "played", "made", "failed", "unwhisted", "half", "gave_up")}
        unplayed = [counts.pop(key) for key in ("unwhisted", "half", "gave_up")]
        table.add_row(level, *counts.values(), share, *unplayed)
    return table


def _misere(misere: dict[str, Any]) -> Text:
    share = f" ({misere['made'] / misere['played']:.1%})" if misere["played"] else ""
    told = f": {misere['played']:,} played, {misere['made']:,} made{share}, {misere['failed']:,} failed"
    return Text.assemble(("Misère", "bold"), told)


def _raspas(summary: dict[str, Any]) -> Table:
    title = f"Raspas: {summary['raspas_share']:.1%} of all deals"
    table = _table(title, "state", "deals", "raspas", "of its deals", "hands with no trick", "left by")
    for state, r in summary["raspas"].items():
        ways = ", ".join(f"{n:,} {way}" for way, n in r["exits"].items() if n)
        table.add_row(state, f"{r['deals']:,}", f"{r['raspas']:,}", f"{r['of_its_deals']:.1%}", f"{r['zeros']:.1%}", ways or "–")
    return table


def _histogram(histograms: dict[str, dict[int, int]]) -> Table:
    """Results of single seats in bins of a round width; what lies far out is gathered in the first and the last."""
    pooled = sorted((value, n) for counts in histograms.values() for value, n in counts.items())
    total = sum(n for _, n in pooled)
    seen, low, high = 0, None, 0
    for value, n in pooled:
        seen += n
        if low is None and seen >= 0.005 * total:
            low = value
        if seen - n <= 0.995 * total:
            high = value
    low = low or 0
    width = next(w for k in range(12) for w in (10**k, 2 * 10**k, 5 * 10**k) if (high - low) / w <= BINS)
    first, last = low // width, high // width
    table = _table("Results of one seat in a pulka, in whists", "from … to below", *histograms)
    for column in table.columns[1:]:
        column.justify = "left"
    binned = {bot: _bins(counts, width, first, last) for bot, counts in histograms.items()}
    for place in range(last - first + 1):
        edge = (first + place) * width
        label = f"{edge:,} … {edge + width:,}"
        if place == 0:
            label = f"below {edge + width:,}"
        elif first + place == last:
            label = f"{edge:,} and more"
        bars = []
        for counts in binned.values():
            share = counts[place] / max(1, sum(counts))
            bars.append(f"{'█' * round(BAR * counts[place] / max(1, *counts))} {share:.1%}")
        table.add_row(label, *bars)
    return table


def _bins(counts: dict[int, int], width: int, first: int, last: int) -> list[int]:
    bins = [0] * (last - first + 1)
    for value, n in counts.items():
        bins[min(max(value // width, first), last) - first] += n
    return bins


def _failures(summary: dict[str, Any], console: Console) -> None:
    for failure in summary["failures"][:10]:
        said = f" ({failure['action']})" if failure["action"] else ""
        where = f"pulka {failure['pulka']}, deal {failure['deal']}, seat {failure['seat']}"
        console.print(f"{failure['bot']} failed in {where}: {failure['reason']}{said}", style="red")
    more = summary["failures_in_all"] - min(10, len(summary["failures"]))
    if more > 0:
        console.print(f"… and {more:,} failures more.", style="red")
