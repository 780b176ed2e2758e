"""Trick play (`docs/rules.md` 5, 11): following, trumping, who leads, whose cards lie open."""

from engine import raspas, seats
from engine.cards import NO_TRUMP, SUIT
from engine.jit import rule, rule_hot
from engine.table import E_PLAYED, K_MISERE, K_RASPAS, P_PLAY


@rule
def begin(t, p):
    """First hand leads, whoever is declarer (5.2); open hands are laid down now or after a dark lead (5.3, 5.4)."""
    t.phase = P_PLAY
    t.first_card = t.words
    t.turn = seats.first_hand(t)
    t.leader = t.turn
    light = p.light_misere if t.kind == K_MISERE else p.light_game
    if t.turn != t.declarer or light != 0:
        lay_open(t)


@rule
def lay_open(t):
    """Both defenders' hands go face up where the defence plays open; the declarer's never does."""
    if t.kind == K_MISERE or t.opened != 0:
        first = seats.after(t, t.declarer)
        second = seats.after(t, first)
        t.shown[first] = t.hands[first]
        t.shown[second] = t.hands[second]


@rule_hot
def legal(t, p):
    """Mask of cards: follow suit; without it trump; without both anything; no duty to beat (5.1)."""
    hand = t.hands[t.turn]
    if t.led < 0:
        return hand & 0xFFFFFFFF
    follow = hand & (SUIT << 8 * t.led)
    if follow != 0:
        return follow
    if t.trump != NO_TRUMP:
        trumps = hand & (SUIT << 8 * t.trump)
        if trumps != 0:
            return trumps
    return hand & 0xFFFFFFFF


@rule_hot
def beats(t, card):
    """Whether the card takes the trick from the best one so far (none yet: a talon card that only names the suit)."""
    suit = card >> 3
    if t.best_card < 0:
        return suit == t.led
    best = t.best_card >> 3
    if suit == best:
        return card > t.best_card
    return suit == t.trump


@rule_hot
def apply(t, p, action):
    """Play a card from the hand in turn; the third one ends the trick, the thirtieth the deal."""
    seat = t.turn
    card = action
    suit = card >> 3
    if t.led < 0:
        t.led = suit
        t.best_seat = seat
        t.best_card = card
    else:
        if beats(t, card):
            t.best_seat = seat
            t.best_card = card
        if suit != t.led:
            t.voids[seat] |= 1 << t.led
            if t.trump != NO_TRUMP and suit != t.trump:
                t.voids[seat] |= 1 << t.trump
    t.hands[seat] &= ~(1 << card)
    t.played[seat] |= 1 << card
    t.shown[seat] &= ~(1 << card)
    t.trick[seat] = card
    t.in_trick += 1
    if t.in_trick == 1 and t.trick_no == 0 and seat == t.declarer:
        lay_open(t)  # after a dark lead; already open after a light one
    if t.in_trick < 3:
        t.turn = seats.after(t, seat)
    else:
        end_trick(t, p)


@rule_hot
def end_trick(t, p):
    """The winner takes the trick and leads to the next one; raspas have their own leader (6.2)."""
    winner = t.best_seat
    t.tricks[winner] += 1
    t.trick_no += 1
    clear_trick(t)
    if t.trick_no == 10:
        t.ended = E_PLAYED
        return
    t.leader = winner
    if t.kind == K_RASPAS:
        raspas.lead_trick(t, p, winner)
    t.turn = t.leader


@rule_hot
def clear_trick(t):
    """No card lies on the table."""
    t.in_trick = 0
    t.led = -1
    t.best_card = -1
    t.best_seat = -1
    for seat in range(4):
        t.trick[seat] = -1
