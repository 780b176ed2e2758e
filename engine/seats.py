"""Who sits where (`docs/rules.md` 1.3, 2.1): active seats, first hand, the talon-sitter."""

from engine.jit import rule_hot


@rule_hot
def is_active(t, seat):
    """Whether the seat holds cards in this deal: with four players the dealer sits on the talon (сидит на прикупе)."""
    return t.seats == 3 or seat != t.dealer


@rule_hot
def left_of(t, seat):
    """The next seat clockwise, active or not."""
    seat += 1  # a remainder would be the dearest instruction of a decision
    return 0 if seat == t.seats else seat


@rule_hot
def after(t, seat):
    """The next active seat clockwise."""
    seat = left_of(t, seat)
    if t.seats == 4 and seat == t.dealer:
        seat = left_of(t, seat)
    return seat


@rule_hot
def first_hand(t):
    """First hand (первая рука): the next active seat clockwise after the dealer."""
    return left_of(t, t.dealer)


@rule_hot
def hand_order(t, seat):
    """0, 1, 2 for first, second and third hand."""
    order = seat - t.dealer - 1
    return order if order >= 0 else order + t.seats
