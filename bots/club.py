"""`club`: a solid club player. Compiled, without memory, without chance.

How it thinks. It judges by experience: tables of what holdings and cards came to in a great many deals of its own kind
(`bots.club_learning` makes them). Every word is chosen by its worth in whists under the convention at hand (`bots.club_value`): a bid by
the tricks to be expected once the talon is in, against raspas or defending; a discard among all 66 pairs; a whist by what the
defence will take, who answers for a shortage and what a set declarer pays. In trick contracts it plays the card that has cost least
in such positions (`bots.club_cards`), on misère and against it likewise, all three hands being nearly known (`bots.club_misere`); in raspas
the card that playing on has come to least with, under the prices at hand (`bots.club_raspas`).

It is made of parts, and any of them can be left to `novice`: the variants `club-PART` show what a part is worth.
"""

from __future__ import annotations

from typing import Any

from bots import club_cards, club_misere, club_raspas, club_words, novice, novice_cards
from engine.jit import rule, rule_variant
from engine.table import K_GAME, K_RASPAS, P_BID, P_CHOICE, P_DISCARD, P_OPEN, P_ORDER, P_PLAY, P_TALON, P_WHIST

PARTS = ("bidding", "discard", "whist", "declarer", "defence", "misere", "raspas")


@rule
def _novice_card(v, r):
    return novice_cards.play(v)


def _assemble(without: str = "") -> Any:
    """The bot, one of its parts being `novice`'s."""

    def part(name: str, own: Any, other: Any) -> Any:
        return other if name == without else own

    bid = part("bidding", club_words.bid, novice.bid)
    talon = part("bidding", club_words.talon, novice.talon)
    discard = part("discard", club_words.discard, novice.discard)
    order = part("discard", club_words.order, novice.order)
    whist = part("whist", club_words.whist, novice.whist)
    declarer = part("declarer", club_cards.play_as_declarer, _novice_card)
    defence = part("defence", club_cards.play_in_defence, _novice_card)
    misere = part("misere", club_misere.play, _novice_card)
    raspas = part("raspas", club_raspas.play, _novice_card)

    def act(v, r):
        phase = v.phase
        if phase == P_PLAY:
            if v.kind == K_RASPAS:
                return raspas(v, r)
            if v.kind == K_GAME:
                return declarer(v, r) if v.turn == v.declarer else defence(v, r)
            return misere(v, r)
        if phase == P_BID:
            return bid(v, r)
        if phase == P_WHIST:
            return whist(v, r)
        if phase == P_DISCARD:
            return discard(v, r)
        if phase == P_ORDER:
            return order(v, r)
        if phase == P_TALON:
            return talon(v, r)
        if phase == P_OPEN:
            return club_words.openness(v, r)
        if phase == P_CHOICE:
            return club_words.choice(v, r)
        return -1

    return rule_variant(act, f"club-{without}")


act = _assemble()
without_bidding = _assemble("bidding")
without_discard = _assemble("discard")
without_whist = _assemble("whist")
without_declarer = _assemble("declarer")
without_defence = _assemble("defence")
without_misere = _assemble("misere")
without_raspas = _assemble("raspas")
