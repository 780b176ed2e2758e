"""Who sits where (`docs/rules.md` 1.3, 2.1): active seats, first hand, the talon-sitter."""

from engine.jit import rule


@rule
def is_active(t, seat):
    """Whether the seat holds cards in this deal: with four players the dealer sits on the talon (сидит на прикупе)."""
    return t.seats == 3 or seat != t.dealer


@rule
def after(t, seat):
    """The next active seat clockwise."""
    seat = (seat + 1) % t.seats
    if t.seats == 4 and seat == t.dealer:
        seat = (seat + 1) % t.seats
    return seat


@rule
def first_hand(t):
    """First hand (первая рука): the next active seat clockwise after the dealer."""
    return (t.dealer + 1) % t.seats


@rule
def hand_order(t, seat):
    """0, 1, 2 for first, second and third hand."""
    return (seat - t.dealer - 1) % t.seats
