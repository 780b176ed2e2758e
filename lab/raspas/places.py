"""What a seat is worth: the same three hands at every place, with the talon leading and closed (`docs/rules.md` 6.2, 6.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import deal
from engine.terms import Terms
from lab.raspas import plots, tables
from lab.raspas.common import PLACES, Findings, Question, columns_of, mean, sure, table, told
from lab.statistics import Estimate

SOLVED = 8  # one deal in so many is solved too
Key = tuple[int, bool, str]  # seats, talon leads, measure


def rotations(decks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The three hands of each deck moved on by no, one and two places: (n, 3, 32); the talon stays."""
    hands = decks[:, :30].reshape(-1, 3, 10)
    turned = [np.concatenate([np.roll(hands, turn, axis=1).reshape(-1, 30), decks[:, 30:]], axis=1) for turn in range(3)]
    return np.stack(turned, axis=1)


def study(question: Question) -> Findings:
    """Play `question.deals` deals, each in three rotations, under every number of seats and both ways of the talon."""
    found: dict[Key, list[Estimate]] = {}
    notes = []
    for seats in question.seat_counts:
        base = question.terms(seats)
        notes.append(question.rules_line(seats))
        for leads in (True, False):
            _measure(question, tables.with_talon(base, leads), leads, found)
    rows = [
        {"seats": seats, "talon_leads": leads, "measure": measure, "place": PLACES[place], **columns_of("value", e)}
        for (seats, leads, measure), estimates in found.items()
        for place, e in enumerate(estimates)
    ]
    page = [*notes, *_page(question, found)]
    return Findings("seats", "What a seat is worth in raspas", rows, page, lambda figure: _draw(figure, question, found), (9.0, 3.8))


def _measure(question: Question, terms: Terms, leads: bool, found: dict[Key, list[Estimate]]) -> None:
    players = question.players(terms)
    places = tables.places_of(terms)
    what = f"{terms.seats} seats, talon {'leads' if leads else 'closed'}"

    def block(first: int, number: int) -> tuple[np.ndarray[Any, Any], ...]:
        numbers = np.arange(first, first + number)
        decks = rotations(deal.decks(question.seed, numbers)).reshape(-1, 32)
        seating = np.zeros((len(decks), terms.seats), dtype=np.int64)
        done = tables.raspas(terms, players, seating, decks, 1, np.repeat(numbers, 3), question.seed)
        tricks = done["tricks"][:, places].astype(np.float64)
        whists = tables.deal_whists(terms, done)[:, places]
        # the unit is the deal: its three rotations together
        return tuple(x.reshape(number, 3, len(places)).mean(axis=1) for x in (tricks, tricks == 0, whists))

    parts = question.blocks(what, question.deals, block, 1024)
    for name, columns in zip(("tricks", "none", "whists"), zip(*parts, strict=True), strict=True):
        values = np.concatenate(columns)
        found[terms.seats, leads, name] = [mean(values[:, place]) for place in range(len(places))]
    solved = rotations(deal.decks(question.seed, np.arange(max(2, question.deals // (3 * SOLVED)))))
    paranoid = question.paranoid(f"{what}, solved", terms, solved.reshape(-1, 32)).reshape(len(solved), 3, 3).mean(axis=1)
    found[terms.seats, leads, "paranoid"] = [mean(paranoid[:, place]) for place in range(3)]


def _page(question: Question, found: dict[Key, list[Estimate]]) -> list[str]:
    page = [
        f"{question.deals:,} deals, each played in three rotations, so that every place is given the same hands; {question.names[0]} plays "
        "all hands. *Paranoid*: tricks against two who know all cards and play against this seat (solved). 95 % intervals by deal."
    ]
    for seats in question.seat_counts:
        for leads in (True, False):
            tricks, none, whists, paranoid = (found[seats, leads, name] for name in ("tricks", "none", "whists", "paranoid"))
            page.append(f"## {seats} seats, {'the talon leads to tricks 1 and 2' if leads else 'the talon stays closed'}")
            page.append(
                table(
                    ("place", "tricks", "no trick", "whists a raspas, first price", "paranoid tricks"),
                    [
                        (
                            PLACES[k],
                            told(tricks[k], 3),
                            told(none[k], 1, percent=True),
                            told(whists[k], 2, signed=True),
                            told(paranoid[k], 3) if k < 3 else "–",
                        )
                        for k in range(len(tricks))
                    ],
                )
            )
            page.append(_sentence(tricks, whists))
    return page


def _sentence(tricks: list[Estimate], whists: list[Estimate]) -> str:
    order = sorted(range(3), key=lambda k: tricks[k].value or 0.0)
    best, worst = order[0], order[-1]
    text = (
        f"Best off among those who hold cards is {PLACES[best]} with {told(tricks[best], 3)} tricks, worst {PLACES[worst]} "
        f"with {told(tricks[worst], 3)}"
    )
    apart = (tricks[best].high or 0.0) < (tricks[worst].low or 0.0)
    text += "; the intervals do not meet." if apart else "; the intervals meet, so that these deals do not tell the places apart."
    if len(tricks) == 4 and sure(whists[3]):
        text += f" The talon-sitter takes {told(tricks[3], 3)} tricks and is {told(whists[3], 2, signed=True)} whists a raspas to the good."
    return text.replace("+−", "−")


def _draw(figure: Any, question: Question, found: dict[Key, list[Estimate]]) -> None:
    counts = question.seat_counts
    axes = figure.subplots(1, len(counts), squeeze=False, sharey=True)[0]
    for one, seats in zip(axes, counts, strict=True):
        for at, (leads, label) in enumerate(((True, "talon leads"), (False, "talon closed"))):
            estimates = found[seats, leads, "tricks"]
            shift = 0.16 * (2 * at - 1)
            xs, colour = [k + shift for k in range(len(estimates))], plots.COLOURS[at]
            plots.dots(one, xs, estimates, colour, f"{label},\n{question.names[0]} plays")
            plots.dots(one, xs[:3], found[seats, leads, "paranoid"], colour, f"{label},\nparanoid (solved)", "D")
        one.set_xticks(range(seats), [p.replace(" ", "\n").replace("-", "-\n") for p in PLACES[:seats]])
        one.set_title(f"{seats} seats")
        one.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes[0].set_ylabel("tricks a raspas")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False, fontsize=8)
