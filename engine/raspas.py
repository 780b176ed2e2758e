"""Raspas (распасы): the all-pass deal, with the talon leading to two tricks or never opened (`docs/rules.md` 6.1–6.3, 11)."""

from engine import seats
from engine.cards import NO_TRUMP
from engine.jit import rule
from engine.table import K_RASPAS, P_PLAY


@rule
def begin(t, p):
    """Everybody has passed, or a raspas is forced: first hand plays first."""
    t.kind = K_RASPAS
    t.trump = NO_TRUMP
    t.phase = P_PLAY
    t.first_card = t.words
    t.leader = seats.first_hand(t)
    if p.raspas_talon != 0:
        lead_talon(t, 0)
    t.turn = t.leader


@rule
def lead_talon(t, which):
    """A talon card is led: with three players it only names the suit, with four it is the dealer's and may win."""
    card = t.talon[which]
    t.talon_up[which] = card
    t.led = card >> 3
    if t.seats == 4:
        t.best_card = card
        t.best_seat = t.dealer
        t.trick[t.dealer] = card
        t.played[t.dealer] |= 1 << card


@rule
def lead_trick(t, p, winner):
    """Who leads after a trick: first hand to tricks 2 (after the talon) and 3, then the winner; the talon-sitter never."""
    if p.raspas_talon == 0:
        return
    if t.trick_no == 1:
        lead_talon(t, 1)
        t.leader = seats.first_hand(t)
    elif t.trick_no == 2 and (p.first_hand_leads_third != 0 or not seats.is_active(t, winner)):
        t.leader = seats.first_hand(t)
