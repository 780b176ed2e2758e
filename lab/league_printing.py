"""A league's summary as a person reads it in a terminal."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

FAILURES_TOLD = 5
VIEWS_TOLD = 1


def show(summary: dict[str, Any], console: Console) -> None:
    """Print a summary (`lab.league_standings.Standings.summary`)."""
    league = summary["league"]
    what = f"{league['deals']} deal{'s' * (league['deals'] != 1)}" if league["deals"] else f"pulkas to {league['target']}"
    if league["raspas"]:
        what += " of raspas alone"
    told = (
        f", {league['seats']} seats, {what}, seed {league['seed']}: {summary['sets']:,} sets "
        f"of {league['seatings']} seatings, {summary['pulkas']:,} pulkas, {summary['deals']:,} deals"
    )
    console.print(Text.assemble((league["convention"], "bold"), told))
    for line in _remarks(summary):
        console.print(line, style="yellow")
    if summary["sets"] > summary["failed_sets"]:
        console.print(_standings(summary))
        _pairs(summary, console)
    if summary["sprt"]:
        console.print(_sprt(summary["sprt"]))
    _failures(summary, console)


def _remarks(summary: dict[str, Any]) -> list[str]:
    league, remarks = summary["league"], []
    if summary["interrupted"]:
        remarks.append(f"Stopped after {summary['sets']:,} of {summary['wanted']:,} sets.")
    if summary["cut"] and not league["deals"]:
        remarks.append(f"{summary['cut']:,} pulkas were cut after {league['deal_limit']:,} deals and settled as they stood.")
    if summary["failed_sets"]:
        remarks.append(f"{summary['failed_sets']:,} sets, in which a bot failed, count in no mean.")
    return remarks


def number(value: float | None, ci95: list[float] | None, sign: bool = True) -> str:
    """A mean and half its interval, with two digits of the latter."""
    if value is None:
        return "–"
    if ci95 is None:
        return f"{value:{'+' if sign else ''}.2f} (one set: no interval)"
    half = (ci95[1] - ci95[0]) / 2
    places = min(4, max(0, 1 - math.floor(math.log10(half)))) if half > 0 else 2
    return f"{value:{'+' if sign else ''},.{places}f} ± {half:,.{places}f}"


def _share(value: float, ci95: list[float] | None) -> str:
    return f"{value:.1%}" if ci95 is None else f"{value:.1%} ± {(ci95[1] - ci95[0]) / 2:.1%}"


def _unit(league: dict[str, Any]) -> str:
    return {None: "a pulka", 1: "a deal"}.get(league["deals"], f"in {league['deals']} deals")


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place != 1 else "left")
    return table


def _standings(summary: dict[str, Any]) -> Table:
    league = summary["league"]
    unit = _unit(league)
    per_deal, raspas = league["deals"] != 1, league["raspas"]
    columns = [unit, *(["a deal"] if per_deal else []), *(["tricks a deal"] if raspas else []), "deviation of a set", "wins", "rating"]
    table = _table("Whists of one seat, with 95 % intervals by duplicate set", "", "bot", *columns)
    order = sorted(summary["bots"].items(), key=lambda item: -item[1]["mean"])
    for place, (name, bot) in enumerate(order, 1):
        cells = [number(bot["mean"], bot["mean_ci95"])]
        if per_deal:
            cells.append(number(bot["per_deal"], bot["per_deal_ci95"]))
        if raspas:
            cells.append(number(bot["tricks_per_deal"], bot["tricks_per_deal_ci95"], sign=False))
        rating = bot["rating"]
        cells += ["–" if bot["deviation"] is None else f"{bot['deviation']:,.1f}", _share(bot["win_share"], bot["win_share_ci95"])]
        table.add_row(str(place), name, *cells, f"{rating['mu']:.1f} ± {rating['sigma']:.1f}")
    return table


def _pairs(summary: dict[str, Any], console: Console) -> None:
    """Who beats whom, at the tables where both sit, from the better to the worse."""
    unit = _unit(summary["league"])
    for pair in summary["pairs"]:
        first, second, mean, ci95 = pair["first"], pair["second"], pair["mean"], pair["mean_ci95"]
        if mean < 0:
            first, second, mean, ci95 = second, first, -mean, ci95 and [-ci95[1], -ci95[0]]
        doubt = "" if ci95 is None or ci95[0] > 0 else "; the interval includes zero"
        console.print(f"{first} less {second} at the same table: {number(mean, ci95)} whists {unit}{doubt}", highlight=False)


def _sprt(test: dict[str, Any]) -> str:
    lower, upper = test["bounds"]
    text = (
        f"Test of {test['first']} less {test['second']}: H0 at most {test['low']:g}, H1 at least {test['high']:g} whists, error rates "
        f"{test['alpha']:g} and {test['beta']:g}. "
    )
    ratio = f"log-likelihood ratio {test['llr']:+.2f}, bounds {lower:+.2f} and {upper:+.2f}"
    if test["decided"] is None:
        return f"{text}No decision after {test['sets']:,} sets ({ratio})."
    return (
        f"{text}{test['decided']} is accepted after {test['sets']:,} sets ({ratio}). Where a test stops, means lie somewhat too far out "
        "and intervals are somewhat too narrow; for a figure to quote, play a fixed number of sets."
    )


def _failures(summary: dict[str, Any], console: Console) -> None:
    for told, failure in enumerate(summary["failures"][:FAILURES_TOLD]):
        console.print(sentence(failure), style="red", highlight=False)
        if told < VIEWS_TOLD:
            console.print(failure["view"], highlight=False)
    more = summary["failures_in_all"] - min(FAILURES_TOLD, len(summary["failures"]))
    if more > 0:
        console.print(f"… and {more:,} failures more; --json lists the first {len(summary['failures'])}, each with its view.", style="red")


def sentence(failure: dict[str, Any]) -> str:
    """A failure in one sentence that names bot, set, pulka, deal and seat."""
    said = f" ({failure['action']})" if failure["action"] else ""
    return (
        f"{failure['bot']} failed in set {failure['set']} (pulka {failure['pulka']}), deal {failure['deal']}, seat {failure['seat']}: "
        f"{failure['reason']}{said}"
    )
