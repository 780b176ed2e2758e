"""Full pools: help («американская помощь», `docs/rules.md` 7.3), write-offs (7.4) and the prizes of Скачки (7.6)."""

from conventions.sheet import add_mountain, add_pool, add_whists
from engine import pulka
from engine.contracts import LEVEL
from engine.jit import rule_inline
from engine.table import C_MOUNTAIN, E_UNPLAYED, K_MISERE, K_RASPAS, UNIT


@rule_inline
def is_full(t, seat):
    """Whether the seat's pool is closed now."""
    return t.pool[seat] >= t.target * UNIT


@rule_inline
def write_pool(t, r, seat, sixths, set_whisters):
    """Pool points of `seat`; where the convention has help, what its pool cannot take goes to others (7.3, 11).

    `set_whisters` is the mask of seats set as whisters in this deal.
    """
    if r.help == 0:
        add_pool(t, seat, sixths)
        return
    full = t.target * UNIT
    own = min(sixths, max(0, full - t.pool[seat]))
    add_pool(t, seat, own)
    left = sixths - own
    while left > 0:
        receiver = -1
        for k in range(1, t.seats):
            other = (seat + k) % t.seats
            skipped = r.help_skips_set_whister != 0 and set_whisters >> other & 1 != 0
            if t.pool[other] < full and not skipped and (receiver < 0 or t.pool[other] > t.pool[receiver]):
                receiver = other
        if receiver < 0:
            break
        given = min(left, full - t.pool[receiver])
        add_pool(t, receiver, given)
        add_whists(t, seat, receiver, given * r.help_whists)
        left -= given
    # nobody can take the rest: it is struck from the helper's mountain, down to zero
    struck = min(left, max(0, t.mountain[seat]))
    add_mountain(t, seat, -struck)


@rule_inline
def write_made(t, r, points, set_whisters):
    """A made contract's points: into the declarer's pool or, as he chose, off his mountain (7.4)."""
    seat = t.declarer
    sixths = points * UNIT
    if t.choice[seat] == C_MOUNTAIN:
        add_mountain(t, seat, -sixths * r.write_off_multiplier)
        return
    if r.mountain_first != 0:
        struck = min(sixths, max(0, t.mountain[seat]))
        add_mountain(t, seat, -struck)
        sixths -= struck
    write_pool(t, r, seat, sixths, set_whisters)


@rule_inline
def gets_zero_bonus(t, r, seat):
    """Whether the seat is to have the bonus for zero tricks in this raspas (6.5)."""
    if t.seats == 4 and seat == t.dealer:
        return r.zero_sitter == 2 or (r.zero_sitter == 1 and t.tricks[seat] == 0)
    return t.tricks[seat] == 0


@rule_inline
def choosers(t, r):
    """Mask of the seats that say `pool` or `mountain` before this deal is written (7.4, 6.5, 11)."""
    level = t.level - 1
    if t.kind == K_RASPAS:
        mask = 0
        if r.zero_pool[level] != 0 and r.zero_mountain[level] != 0:
            for seat in range(t.seats):
                if gets_zero_bonus(t, r, seat):
                    mask |= 1 << seat
        return mask
    made = pulka.short_by(t) <= 0
    if t.kind == K_MISERE:
        unwhisted = r.write_off_from != 0
    else:
        nobody = t.ended == E_UNPLAYED or t.checked != 0
        unwhisted = r.write_off_from != 0 and nobody and LEVEL[t.contract] >= r.write_off_from
    if made and (unwhisted or (r.write_off_closed != 0 and is_full(t, t.declarer))):
        return 1 << t.declarer
    return 0


@rule_inline
def share_prize(t, whists, totals, sign):
    """A prize for the largest `sign * total`: each of the tied winners writes an equal share on everyone who has less."""
    best = sign * totals[0]
    for seat in range(1, t.seats):
        best = max(best, sign * totals[seat])
    winners = 0
    for seat in range(t.seats):
        if sign * totals[seat] == best:
            winners += 1
    share = whists * UNIT // winners
    for seat in range(t.seats):
        if sign * totals[seat] == best:
            for other in range(t.seats):
                if sign * totals[other] != best:
                    add_whists(t, seat, other, share)


@rule_inline
def prizes(t, r):
    """The prizes of the semester that this deal ended, and after the last semester the final ones (7.6)."""
    if t.reached >= 0:
        for other in range(t.seats):
            if other != t.reached:
                add_whists(t, t.reached, other, r.prize_pool * UNIT)
    share_prize(t, r.prize_mountain, t.mountain, -1)
    if t.semester == r.semesters - 1:
        pools = (t.pool_done[0] + t.pool[0], t.pool_done[1] + t.pool[1], t.pool_done[2] + t.pool[2], t.pool_done[3] + t.pool[3])
        mountains = (
            t.mountain_done[0] + t.mountain[0],
            t.mountain_done[1] + t.mountain[1],
            t.mountain_done[2] + t.mountain[2],
            t.mountain_done[3] + t.mountain[3],
        )
        share_prize(t, r.prize_pool, pools, 1)
        share_prize(t, r.prize_mountain, mountains, -1)
