"""What the talon's two led tricks change: the same deals with the talon leading (`docs/rules.md` 6.2) and closed (6.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import deal
from lab.raspas import plots, tables
from lab.raspas.common import PLACES, Findings, Question, columns_of, mean, sure, table, told
from lab.statistics import Estimate

SOLVED = 8  # one deal in so many is solved too
LENGTHS = ("0", "1", "2", "3", "4", "5 and more")
Array = np.ndarray[Any, Any]
Figures = dict[tuple[str, str, int], Estimate]  # rule, measure, place
Lengths = dict[tuple[int, int], Estimate]  # place, cards of the suit


def study(question: Question) -> Findings:
    """`question.deals` deals, each played under both rules by the same bot at all hands."""
    base = question.terms()
    both = {leads: tables.with_talon(base, leads) for leads in (True, False)}
    players = {leads: question.players(terms) for leads, terms in both.items()}
    places = tables.places_of(base)

    def block(first: int, number: int) -> tuple[Array, ...]:
        numbers = np.arange(first, first + number)
        decks = deal.decks(question.seed, numbers)
        values = []
        for leads, terms in both.items():
            seating = np.zeros((number, terms.seats), dtype=np.int64)
            done = tables.raspas(terms, players[leads], seating, decks, 1, numbers, question.seed)
            tricks = done["tricks"][:, places].astype(np.float64)
            values.append(np.stack([tricks, tricks == 0, tables.deal_whists(terms, done)[:, places]], axis=1))
        return values[0], values[1], in_talon_suit(decks)

    parts = question.blocks("playing", question.deals, block)
    lead, closed, held = (np.concatenate(column) for column in zip(*parts, strict=True))
    solved = deal.decks(question.seed, np.arange(max(2, question.deals // SOLVED)))
    paranoid = {
        leads: question.paranoid(f"solving, {'talon leads' if leads else 'closed'}", terms, solved) for leads, terms in both.items()
    }
    return _findings(question, lead, closed, held, paranoid)


def in_talon_suit(decks: Array) -> Array:
    """How many cards each hand holds of the first talon card's suit: (n, 3)."""
    hands = decks[:, :30].reshape(-1, 3, 10)
    held: Array = (hands >> 3 == decks[:, 30][:, None, None] >> 3).sum(axis=2)
    return held


def _findings(question: Question, lead: Array, closed: Array, held: Array, paranoid: dict[bool, Array]) -> Findings:
    rows: list[dict[str, Any]] = []
    figures: Figures = {}

    def note(rule: str, measure: str, place: int, e: Estimate) -> None:
        figures[rule, measure, place] = e
        rows.append({"figure": f"{measure}, {rule}", "place": PLACES[place], "talon_suit_cards": None, **columns_of("value", e)})

    for place in range(lead.shape[2]):
        for m, measure in enumerate(("tricks", "none", "whists")):
            a, b = lead[:, m, place], closed[:, m, place]
            for rule, values in (("leads", a), ("closed", b), ("difference", a - b)):
                note(rule, measure, place, mean(values))
    for place in range(3):
        a, b = (paranoid[leads][:, place].astype(np.float64) for leads in (True, False))
        for rule, values in (("leads", a), ("closed", b), ("difference", a - b)):
            note(rule, "paranoid", place, mean(values))
    change = lead[:, 0] - closed[:, 0]
    by_length: Lengths = {}
    for place in range(3):
        for at, label in enumerate(LENGTHS):
            count = held[:, place]
            chosen = count == at if at < len(LENGTHS) - 1 else count >= at
            by_length[place, at] = mean(change[chosen, place])
            row = {"figure": "tricks, difference", "place": PLACES[place], "talon_suit_cards": label}
            rows.append(row | columns_of("value", by_length[place, at]))
    spread = {leads: float(values[:, 2, :3].std()) for leads, values in ((True, lead), (False, closed))}
    page = _page(question, figures, by_length, spread, len(paranoid[True]))
    return Findings(
        "talon", "What the talon's two tricks change", rows, page, lambda figure: _draw(figure, question, figures, by_length), (9.0, 3.8)
    )


def _page(question: Question, figures: Figures, by_length: Lengths, spread: dict[bool, float], solved: int) -> list[str]:
    places = sorted({key[2] for key in figures})
    page = [
        question.rules_line(),
        f"{question.deals:,} deals, each played with the talon leading to tricks 1 and 2 and with the talon closed; {question.names[0]} "
        f"plays all hands. {solved:,} of them are solved both ways (*paranoid*: one seat against two, all cards known). Everything but the "
        "talon is as the convention has it, at the first price. 95 % intervals by deal.",
    ]
    lines = []
    measures = (("tricks", "tricks", 3), ("none", "no trick", 1), ("whists", "whists", 2), ("paranoid", "paranoid tricks", 3))
    for measure, label, digits in measures:
        for place in places if measure != "paranoid" else places[:3]:
            percent = measure == "none"
            signed = measure == "whists"
            lines.append(
                (
                    f"{label}, {PLACES[place]}",
                    told(figures["leads", measure, place], digits, signed, percent),
                    told(figures["closed", measure, place], digits, signed, percent),
                    told(figures["difference", measure, place], digits, True, percent),
                )
            )
    page.append(table(("", "talon leads", "talon closed", "difference"), lines))
    page.append("## By what the hand holds of the first talon card's suit\n\nTricks with the talon leading less tricks with it closed:")
    page.append(
        table(
            ("cards of that suit", *PLACES[:3]),
            [(label, *(told(by_length[place, at], 2, signed=True) for place in range(3))) for at, label in enumerate(LENGTHS)],
        )
    )
    page += _sentences(figures, by_length, spread)
    return page


def _sentences(figures: Figures, by_length: Lengths, spread: dict[bool, float]) -> list[str]:
    words = []
    for place in range(3):
        e = figures["difference", "whists", place]
        verb = ("gains" if (e.value or 0) > 0 else "loses") if sure(e) else "neither gains nor loses for sure"
        words.append(f"{PLACES[place]} {verb} by it ({told(e, 2, signed=True)} whists)")
    text = [f"The talon's lead: {'; '.join(words)}."]
    cards = " and ".join(f"{told(by_length[0, at], 2, signed=True)} with {LENGTHS[at]}" for at in (1, 4))
    text.append(f"For first hand the cards of the turned-up suit matter: {cards}.")
    text.append(
        f"The standard deviation of a hand's whists is {spread[True]:.1f} with the talon leading, {spread[False]:.1f} with it closed."
    )
    return [" ".join(text)]


def _draw(figure: Any, question: Question, figures: Figures, by_length: Lengths) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(2, 3))
    for axes in (left, right):
        plots.zero_line(axes)
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    for k, (measure, label) in enumerate((("tricks", f"{question.names[0]} plays"), ("paranoid", "paranoid (solved)"))):
        estimates = [figures["difference", measure, place] for place in range(3)]
        plots.dots(left, [place + 0.2 * k - 0.1 for place in range(3)], estimates, plots.COLOURS[k], label, "oD"[k])
    left.set_xticks(range(3), [p.replace(" ", "\n") for p in PLACES[:3]])
    left.set_xlim(-0.5, 2.5)
    left.set_ylabel("tricks, talon leading less closed")
    left.legend(frameon=False, fontsize=8)
    for place in range(3):
        estimates = [by_length[place, at] for at in range(len(LENGTHS))]
        plots.dots(
            right, [at + 0.15 * (place - 1) for at in range(len(LENGTHS))], estimates, plots.COLOURS[place], PLACES[place], "osD"[place]
        )
    right.set_xticks(range(len(LENGTHS)), [label.replace(" and more", "+") for label in LENGTHS])
    right.set_xlabel("cards held of the first talon card's suit")
    right.set_title(f"{question.names[0]} plays")
    right.legend(frameon=False, fontsize=8)
