"""The whist negotiation (вист, `docs/rules.md` 4.2, 4.6, 4.8, 5.3, 11)."""

from engine import actions, contracts, play, seats
from engine.jit import rule
from engine.table import (
    D_HALF,
    D_PASS,
    D_WHIST,
    E_HALF,
    E_UNPLAYED,
    P_OPEN,
    P_WHIST,
    W_AGAIN,
    W_FIRST,
    W_RAISE,
    W_SECOND,
    W_SITTER,
)

_PASS = 1
_WHIST = 1 << actions.WHIST - actions.WORDS
_HALF = 1 << actions.HALF - actions.WORDS
_OPEN = 1 << actions.OPEN - actions.WORDS
_CLOSED = 1 << actions.CLOSED - actions.WORDS
_LOOK = actions.LOOK - actions.WORDS


@rule
def begin(t, p):
    """The contract is ordered: Stalingrad and an unwhisted ten skip the words."""
    first = seats.after(t, t.declarer)
    second = seats.after(t, first)
    if t.contract == contracts.SIX_SPADES and p.stalingrad != 0:
        t.defence[first] = D_WHIST
        t.defence[second] = D_WHIST
        t.second = second
        play.begin(t, p)
    elif contracts.LEVEL[t.contract] == 10 and p.ten_whisted == 0:
        t.checked = 1
        t.opened = 1
        play.begin(t, p)
    else:
        ask(t, W_FIRST, first)


@rule
def ask(t, stage, seat):
    """It is for `seat` to speak, at this stage of the negotiation."""
    t.phase = P_WHIST
    t.stage = stage
    t.turn = seat


@rule
def may_half(t, p):
    """Half a whist (полвиста, 4.3): the second defender, on six and seven, after the first one's pass."""
    return (
        p.half_whist != 0 and contracts.LEVEL[t.contract] <= 7 and t.stage == W_SECOND and t.defence[seats.after(t, t.declarer)] == D_PASS
    )


@rule
def legal(t, p):
    """Mask of whist words (over the words, bit 0 pass)."""
    mask = _PASS | _WHIST
    if may_half(t, p):
        mask |= _HALF
    if t.stage == W_SITTER and t.looked < 0:
        for seat in range(t.seats):
            if seats.is_active(t, seat):
                mask |= 1 << (_LOOK + seat)
    return mask


@rule
def alone(t, seat):
    """A defender whists alone: he says open (в светлую) or closed (в тёмную) next."""
    t.defence[seat] = D_WHIST
    t.whister = seat
    t.turn = seat
    t.phase = P_OPEN


@rule
def apply(t, p, action):
    """Say a whist word."""
    seat = t.turn
    first = seats.after(t, t.declarer)
    second = seats.after(t, first)
    whists = action == actions.WHIST
    if t.stage == W_FIRST:
        t.defence[seat] = D_WHIST if whists else D_PASS
        ask(t, W_SECOND, second)
    elif t.stage == W_SECOND:
        if whists:
            if t.defence[first] == D_WHIST:
                t.defence[second] = D_WHIST
                t.second = second
                play.begin(t, p)
            else:
                alone(t, second)
        elif action == actions.HALF:
            t.defence[second] = D_HALF
            if p.first_may_raise != 0:
                ask(t, W_RAISE, first)
            else:
                after_half(t, p)
        else:
            t.defence[second] = D_PASS
            if t.defence[first] == D_WHIST:
                alone(t, first)
            elif p.pass_pass_whist != 0 and contracts.LEVEL[t.contract] >= 8:
                ask(t, W_AGAIN, first)
            else:
                t.ended = E_UNPLAYED
    elif t.stage == W_RAISE:
        if whists:
            t.defence[second] = D_PASS
            alone(t, first)
        else:
            after_half(t, p)
    elif t.stage == W_SITTER:
        if whists:
            t.defence[seat] = D_WHIST
            t.defence[second] = D_PASS
            t.whister = seat
            t.opened = 1
            play.begin(t, p)
        elif action == actions.PASS:
            t.ended = E_HALF
        else:
            t.looked = action - actions.LOOK
    elif whists:  # second thoughts
        alone(t, first)
    else:
        t.ended = E_UNPLAYED


@rule
def after_half(t, p):
    """The first defender did not raise the half whist: the talon-sitter is asked, where the convention lets him whist."""
    if t.seats == 4 and p.talon_sitter_may_whist != 0:
        ask(t, W_SITTER, t.dealer)
    else:
        t.ended = E_HALF


@rule
def legal_open(t, p):
    """Mask of `open` and `closed`."""
    return _OPEN | _CLOSED


@rule
def apply_open(t, p, action):
    """The lone whister chooses to play both hands open, or his own only."""
    t.opened = 1 if action == actions.OPEN else 0
    play.begin(t, p)
