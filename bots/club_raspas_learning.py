"""How `club` comes by its experience of raspas: `python -m bots.club_raspas_learning ROUND` plays and writes the tables anew.

Round 0 writes tables that know nothing. Every later round plays raspas with the tables there are; before each card of each
deal it looks what every legal card would have come to, all seats playing on as `club` does, with the cards as they lie. Over many
deals that is what the card is worth to one who does not see them. Tables are fitted to those values and written: better
play, and the next round's starting point. Rounds 0, 1, 2, … in this order make the same tables anew; after four little changes.

What a card comes to in a position is taken for a number of the position, less a share of what `bots.club_raspas.cost_of` reckons, plus
the card's entry in the table. Entries seen seldom stay near zero, which leaves the reckoning.
"""

from __future__ import annotations

import sys
from typing import Any

import attrs
import numpy as np

import conventions
from bots import club, club_raspas, club_raspas_tables, club_tables
from bots.club_raspas import KINDS, RANKS, SIGHTS
from bots.club_raspas_tables import PER_PRICE, PER_TRICK
from bots.hands import holding
from bots.search import futures, worth
from bots.suits import ONE, ORDERS, still_out
from conventions.rules_record import RULES
from conventions.terms import terms_of
from engine import actions, machine, pulka, seats, view
from engine.cards import DECK
from engine.deal import decks
from engine.jit import bot_address, lowbit, plain, rule
from engine.table import P_PLAY, VIEW, new_tables

Array = np.ndarray[Any, Any]

TO_MOUNTAIN = (("piter", 3, 160_000), ("piter", 4, 80_000))  # convention, seats, deals in a round
TO_WHISTS = (("rostov", 3, 160_000),)
MOST = 110  # cards looked at in a deal: fewer than this on the average
ENTRIES = SIGHTS * ORDERS * RANKS
SELDOM = 40.0  # an entry seen so often is drawn half the way to zero
SWEEPS = 40


@attrs.define(eq=False)
class Found:
    """What cards came to: arrays over cards looked at."""

    entry: Array  # int32, of the table
    position: Array  # int32
    kind: Array  # int8, `club_raspas.kind_of`
    reckoned: Array  # float32, `cost_of` in tricks
    value: Array  # float32, in tricks or in whists for one trick


@rule
def look_at(given, tables, p_array, r_array, scorer, rules, bot, weights, scratch, work, entry, position, kind, reckoned, value):
    """Play raspas with the decks `given`, write down every card looked at; returns how many. `tables`: two zeroed ones."""
    p = p_array[0]
    r = r_array[0]
    v = work[0]
    n = 0
    asked = 0
    for j in range(len(given)):
        t = tables[0]
        view.copy_table(tables[1], t)
        pulka.begin(t, p, j % p.seats, 10, j, 0, 0)
        pulka.next_deal(t, p)
        machine.deal(t, p, given[j])
        while not futures.over(t):
            legal = machine.legal(t, p)
            if t.phase != P_PLAY:
                machine.apply(t, p, scorer, rules, actions.PASS)
                continue
            if legal & (legal - 1) != 0:
                seat = t.actor
                rest = legal
                while rest != 0:
                    card = lowbit(rest)
                    rest &= rest - 1
                    view.fill(t, v, seat, legal)  # playing on uses it too
                    hand = v.hand & DECK
                    out = still_out(v, hand)
                    left = seats.after(v, v.turn)
                    right = seats.after(v, left)
                    placed = club_raspas.so_far(v, r, left, right)
                    entry[n] = club_raspas.sight(v, card, holding(hand, card >> 3), holding(out, card >> 3), placed, left, right)
                    position[n] = asked
                    kind[n] = club_raspas.kind_of(v, legal, placed)
                    reckoned[n] = club_raspas.cost_of(v, r, card, hand, out, left, right)
                    view.copy_table(t, scratch[0])
                    machine.apply(scratch[0], p, scorer, rules, card)
                    value[n] = futures.play_out(scratch, 0, v, p, scorer, rules, bot, weights, seat)
                    n += 1
                asked += 1
            machine.apply(t, p, scorer, rules, futures.said_by(t, v, p, rules, bot, legal))
    return n


def found_in(name: str, seats_: int, deals: int, seed: int) -> Found:
    """What cards came to in so many raspas of a convention."""
    terms = terms_of(conventions.get(name, seats_), seats_)
    r = terms.rules[0]
    price = int(r["raspas_whists"]) or int(r["raspas_price"][0]) * int(r["mountain_worth"])
    columns: list[Array] = [np.zeros(deals * MOST, dtype=dtype) for dtype in (np.int32, np.int32, np.int8, np.int32, np.int64)]
    n = look_at(
        plain(decks(seed, np.arange(deals)).astype(np.int64)), plain(new_tables(2)), terms.procedure, plain(terms.rules),
        terms.scorer_number, terms.pointer, bot_address(club.act, VIEW, RULES).number, worth.coefficients(terms.rules),
        plain(new_tables(futures.SCRATCH)), plain(np.zeros(1, dtype=VIEW)), *map(plain, columns),
    )  # fmt: skip
    entry, position, kind, reckoned, value = (column[:n] for column in columns)
    tricks = (reckoned / ONE).astype(np.float32)
    return Found(entry, position, kind, tricks, (value / (72 * worth.HALVES * price)).astype(np.float32))


def together(parts: list[Found]) -> Found:
    """One after another."""
    first = 0
    for part in parts:
        part.position += first
        first = int(part.position[-1]) + 1
    return Found(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in attrs.fields(Found)))


def fit(f: Found) -> tuple[Array, Array]:
    """The entries, and for each kind the share of the reckoned cost; both in the unit of `value`."""
    count = np.bincount(f.position)

    def within(values: Array) -> Array:
        """Against the mean of the position."""
        return values - (np.bincount(f.position, values) / count)[f.position]

    value, reckoned = within(f.value), within(f.reckoned)
    # a kind that never came up gets no share
    share = np.bincount(f.kind, -value * reckoned, KINDS) / np.maximum(1e-9, np.bincount(f.kind, reckoned * reckoned, KINDS))
    rest = value + share[f.kind] * reckoned
    seen = np.bincount(f.entry, minlength=ENTRIES)
    entries = np.zeros(ENTRIES)
    for _ in range(SWEEPS):
        pull = np.bincount(f.entry, within(rest - entries[f.entry]), ENTRIES) - SELDOM * entries
        entries += 0.7 * pull / (seen + SELDOM)  # all cards of a position move at once: not the whole way
    return entries, share


def main(number: int) -> None:
    """One round."""
    tables: dict[str, Any] = {}
    for k, (name, unit, played) in enumerate((("mountain", PER_TRICK, TO_MOUNTAIN), ("whists", PER_PRICE, TO_WHISTS))):
        entries, share = np.zeros(ENTRIES), np.ones(KINDS)
        if number > 0:
            parts = [found_in(*each, seed=100 * number + 10 * k + j) for j, each in enumerate(played)]
            entries, share = fit(together(parts))
        tables[name] = np.clip(np.round(unit * entries), -127, 127).astype(np.int8)
        tables[f"{name}_share"] = np.round(ONE * share).astype(np.int16)
    club_tables.write_tables(club_raspas_tables.FILE, tables)


if __name__ == "__main__":
    main(int(sys.argv[1]))
