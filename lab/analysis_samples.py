"""A play judged by what its seat could know: the same question over layouts that agree with everything in sight."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import attrs
import numpy as np

from bots.solver import values_of_moves
from engine import cards
from engine.complete import complete
from engine.game import Game
from engine.replay import deck_of
from engine.table import K_RASPAS
from lab.analysis import Deal, Play
from lab.replaying import Checked

Z95 = 1.959963984540054


@attrs.frozen
class Sampled:
    """A play over sampled layouts: tricks it costs on average against the card that is best on average."""

    layouts: int
    best_card: int
    cost: float
    low: float
    high: float


def views_before(checked: Checked, plays: Iterable[Play]) -> dict[tuple[int, int], np.ndarray[Any, Any]]:
    """What the actor of each play knew just before it: a `VIEW` record by (deal, number of the play)."""
    wanted = {(play.deal, play.number): play.actor for play in plays}
    record = checked.record
    game = Game(checked.game.terms, target=record.target, dealer=record.deals[0].dealer)
    found: dict[tuple[int, int], np.ndarray[Any, Any]] = {}
    last = max((deal for deal, _ in wanted), default=0)
    for number, deal in enumerate(record.deals[:last], 1):
        game.deal(deck_of(deal, record.seats))
        played = 0
        for action in deal.actions:
            if action < cards.DECK.bit_length():
                played += 1
                if (number, played) in wanted:
                    found[number, played] = game.view(wanted[number, played])
            game.act(action)
    return found


def layouts(view: np.ndarray[Any, Any], deal: Deal, raspas_talon: bool, n: int, key: int) -> np.ndarray[Any, Any]:
    """`n` layouts of the three hands (in hand order) that agree with a view, all equally likely: uint32 (n, 3)."""
    v = view[0]
    seats = deal.order
    talon = [int(c) for c in v["talon_up"] if int(c) >= 0]
    seen = int(np.bitwise_or.reduce(v["played"]))
    sizes = [10 - (int(v["played"][seat])).bit_count() for seat in seats]
    known = [int(v["known"][seat]) for seat in seats]
    barred = [0, 0, 0, 0]
    away, room = 0, 2  # the discard, or the talon where it stays closed
    if int(v["kind"]) == K_RASPAS:
        seen |= cards.mask_of(talon)
        room = 2 - len(talon) if raspas_talon else 2
    elif int(v["refused"]):
        away = cards.mask_of(talon)
    else:
        away = int(v["discard"])
        for place, seat in enumerate(seats):
            if seat != int(v["declarer"]):
                barred[place] = cards.mask_of(talon) & ~known[place]
    voids = [int(v["voids"][seat]) for seat in seats]
    return complete([*known, away], [*sizes, room], n, key, voids=[*voids, 0], forbidden=barred, cards=cards.DECK & ~seen)[:, :3]


def sampled(
    play: Play, view: np.ndarray[Any, Any], deal: Deal, raspas_talon: bool, n: int, seed: int, threads: int | None = None
) -> Sampled:
    """The play over `n` layouts; the same for the same seed."""
    key = ((seed << 20) + (play.deal << 5) + play.number) % (1 << 64)  # `complete` mixes it
    hands = layouts(view, deal, raspas_talon, n, key)
    given = np.repeat(play.position.record(), n)
    given["hands"] = hands
    values = values_of_moves(given, threads).astype(np.float64)
    legal = list(cards.cards_of(play.position.legal))
    gain = values[:, legal] if play.position.wants_many else -values[:, legal]
    best = int(gain.mean(axis=0).argmax())
    if gain[:, best].mean() == gain[:, legal.index(play.card)].mean():
        best = legal.index(play.card)
    lost = gain[:, best] - gain[:, legal.index(play.card)]
    half = Z95 * float(lost.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    mean = float(lost.mean())
    return Sampled(n, legal[best], mean, mean - half, mean + half)
