"""What a strategy is worth in raspas: two bots in the same seats with the same cards, by raspas state and its price.

Every deal is played eight times: by either bot alone at the table, and with one of each at each place among two of the other
kind. So the figures are of *changing over*: one player plays as the first bot instead of the second while the others stay as they are.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine import deal
from lab.raspas import plots, tables
from lab.raspas.common import Findings, Question, columns_of, mean, sure, table, told
from lab.statistics import Estimate

MEASURES = ("tricks", "none", "whists")
Array = np.ndarray[Any, Any]


def seatings(places: list[int], seats: int) -> Array:
    """Who sits where, (8, seats): all second, all first; then for each place the first alone there, the second alone there."""
    rows = [[1] * seats, [0] * seats]
    for place in places[:3]:
        for bot in (0, 1):
            row = [1 - bot] * seats
            row[place] = bot
            rows.append(row)
    return np.array(rows)


def states(terms: Any) -> list[int]:
    """The raspas states whose price or bonus differs, each as its first one."""
    rules = terms.rules[0]
    told_apart: dict[tuple[int, ...], int] = {}
    for state in range(3):
        key = tuple(int(rules[name][state]) for name in ("raspas_price", "zero_pool", "zero_mountain"))
        told_apart.setdefault(key, state + 1)
    return list(told_apart.values()) if rules["progresses"] else [1]


def study(question: Question) -> Findings:
    """`question.deals` deals in each raspas state."""
    terms = question.terms()
    players = question.players(terms)
    places = tables.places_of(terms)
    who = seatings(places, terms.seats)

    def block(state: int, first: int, number: int) -> tuple[Array, Array]:
        numbers = np.arange(first, first + number)
        decks = np.repeat(deal.decks(question.seed, numbers), 8, axis=0)
        done = tables.raspas(terms, players, np.tile(who, (number, 1)), decks, state, np.repeat(numbers, 8), question.seed)
        tricks = done["tricks"][:, : terms.seats].astype(np.float64)
        values = np.stack([tricks, tricks == 0, tables.deal_whists(terms, done)], axis=1)[:, :, places[:3]]
        return changes(values.reshape(number, 8, 3, 3))

    found: dict[tuple[int, str, str], Estimate] = {}
    rows = []
    for state in states(terms):
        parts = question.blocks(f"raspas state {state}", question.deals, partial(block, state), 256)
        over, levels = (np.concatenate(column) for column in zip(*parts, strict=True))
        for m, measure in enumerate(MEASURES):
            for k, among in enumerate(question.names[::-1]):
                found[state, f"change among {among}", measure] = mean(over[:, k, m])
            for k, bot in enumerate(question.names):
                found[state, f"all {bot}", measure] = mean(levels[:, k, m])
    for (state, what, measure), e in found.items():
        rows.append({"state": state, "price": _price(terms, state), "comparison": what, "measure": measure, **columns_of("value", e)})
    return Findings(
        "strategies",
        f"{question.names[0]} against {question.names[1]} in raspas",
        rows,
        _page(question, terms, found),
        lambda figure: _draw(figure, question, terms, found),
        (8.5, 3.8),
    )


def changes(values: Array) -> tuple[Array, Array]:
    """From values (n, 8 seatings, 3 measures, 3 places): what changing over brings, (n, 2, 3), and what each bot takes among its own kind.

    First index of the changes: among the second bot's kind, among the first's.
    """
    n = len(values)
    over, own = np.zeros((n, 2, 3)), np.zeros((n, 2, 3))
    for place in range(3):
        lone_first, lone_second = values[:, 2 + 2 * place, :, place], values[:, 3 + 2 * place, :, place]
        over[:, 0] += (lone_first - values[:, 0, :, place]) / 3
        over[:, 1] += (values[:, 1, :, place] - lone_second) / 3
        own[:, 0] += values[:, 1, :, place] / 3
        own[:, 1] += values[:, 0, :, place] / 3
    return over, own


def _price(terms: Any, state: int) -> int:
    rules = terms.rules[0]
    return int(rules["raspas_whists"]) or int(rules["raspas_price"][state - 1])


def _page(question: Question, terms: Any, found: dict[tuple[int, str, str], Estimate]) -> list[str]:
    first, second = question.names
    unit = "whists a trick" if int(terms.rules["raspas_whists"][0]) else "price"
    page = [
        question.rules_line(),
        f"{question.deals:,} deals, each played eight times: one player plays as {first} instead of {second}, at each place, among others "
        f"who all play as {second}, and among others who all play as {first}. 95 % intervals by deal. Whists are what the deal alone "
        "settles to.",
    ]
    lines = []
    for state in dict.fromkeys(key[0] for key in found):
        for what in dict.fromkeys(key[1] for key in found):
            e = {m: found[state, what, m] for m in MEASURES}
            signed = what.startswith("change")
            label = f"state {state}, {unit} {_price(terms, state)}: {what}"
            whists = told(e["whists"], 2, signed) if signed else "–"
            lines.append((label, told(e["tricks"], 3, signed), told(e["none"], 1, signed, percent=True), whists))
    page.append(table(("", "tricks", "no trick", "whists"), lines))
    for state in dict.fromkeys(key[0] for key in found):
        among = [found[state, f"change among {bot}", "whists"] for bot in question.names[::-1]]
        page.append(f"State {state}: " + _sentence(question, among))
    return page


def _sentence(question: Question, among: list[Estimate]) -> str:
    first, second = question.names
    words = []
    for e, kind in zip(among, (second, first), strict=True):
        verb = f"{first} beats {second}" if (e.value or 0) > 0 else f"{first} loses to {second}"
        if not sure(e):
            verb = f"these deals do not tell {first} from {second}"
        words.append(f"among {kind}s {verb}, {told(e, 2, signed=True)} whists a raspas")
    return "; ".join(words) + "."


def _draw(figure: Any, question: Question, terms: Any, found: dict[tuple[int, str, str], Estimate]) -> None:
    axes = figure.subplots(1, 3)
    known = list(dict.fromkeys(key[0] for key in found))
    for one, measure, title in zip(axes, MEASURES, ("tricks", "chance of no trick", "whists a raspas"), strict=True):
        plots.zero_line(one)
        for k, among in enumerate(question.names[::-1]):
            estimates = [found[state, f"change among {among}", measure] for state in known]
            plots.dots(one, [at + 0.1 * (2 * k - 1) for at in range(len(known))], estimates, plots.COLOURS[k], f"among {among}s", "oD"[k])
        one.set_xticks(range(len(known)), [f"price {_price(terms, s)}" for s in known])
        one.set_xlim(-0.5, len(known) - 0.5)
        one.set_title(title)
        one.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes[0].set_ylabel(f"{question.names[0]} instead of {question.names[1]}")
    axes[2].legend(frameon=False, fontsize=8)
