"""The auction (торговля, `docs/rules.md` 2 and 11)."""

from engine import actions, contracts, raspas, seats, talon
from engine.jit import popcount, rule

_ALL = (1 << contracts.RUNGS + 1) - 2  # rungs 1..26


@rule
def lowest_bid(t, p):
    """The rung of the lowest trick bid at this raspas state (2.7)."""
    return (p.start_level[t.level - 1] - 6) * 5 + 1


@rule
def may_hold(t, p, seat):
    """Hold («здесь», 2.3): the elder of the last two hands may say the standing contract again."""
    return (
        p.hold != 0
        and popcount(t.passed) == 1
        and t.bid > 0
        and t.bid != contracts.MISERE
        and seats.hand_order(t, t.bidder) > seats.hand_order(t, seat)
    )


@rule
def legal(t, p):
    """Mask of legal words, bit 0 pass, bit *r* the bid of rung *r*."""
    seat = t.turn
    if t.said[seat] == contracts.MISERE:
        return 1  # bound by his misère (кабальный мизер, 2.4)
    low = max(t.bid + 1, lowest_bid(t, p))
    mask = (_ALL >> low) << low
    if t.said[seat] != 0 or t.bid >= contracts.MISERE:
        mask &= ~(1 << contracts.MISERE)
    else:
        mask |= 1 << contracts.MISERE  # stands above every starting level (2.7)
    if may_hold(t, p, seat):
        mask |= 1 << t.bid
    return mask | 1


@rule
def apply(t, p, action):
    """Say a word; a pass is final (2.1). Ends in raspas, or with a declarer before the talon (2.6)."""
    seat = t.turn
    rung = action - actions.BID
    if rung == 0:
        t.passed |= 1 << seat
    else:
        t.bid = rung
        t.bidder = seat
        t.said[seat] = rung
        if rung == contracts.MISERE:
            t.misere_said = 1
    out = popcount(t.passed)
    if out == 3:
        raspas.begin(t, p)
    elif out == 2 and t.bid > 0:
        talon.begin(t, p)
    else:
        seat = seats.after(t, seat)
        while t.passed >> seat & 1:
            seat = seats.after(t, seat)
        t.turn = seat
