"""From deal to deal: dealer, raspas state, forced raspas, semesters, closing (`docs/rules.md` 6.7–6.10, 7.2, 11)."""

from engine import contracts, play, seats
from engine.jit import call_scorer, rule
from engine.table import (
    D_NONE,
    D_WHIST,
    E_GAVE_UP,
    E_HALF,
    E_NONE,
    E_PLAYED,
    END_EACH,
    END_FIRST,
    K_GAME,
    K_MISERE,
    K_NONE,
    K_RASPAS,
    LOG,
    P_BID,
    P_CHOICE,
    P_DEAL,
    P_OVER,
    S_CHOOSERS,
    S_ENTRIES,
    S_PRIZES,
    UNIT,
)

GIVE_UP_SHORT = 3  # a give-up («без трёх», 3.3) counts as three tricks short


@rule
def begin(t, p, dealer, target, pulka, key, limit):
    """Open a pulka on a zeroed table: `dealer` deals first, `target` points close it, after `limit` deals it is cut (0: never).

    `key` (64 bits) is what the bots' random numbers come from.
    """
    t.seats = p.seats
    t.opener = dealer
    t.next_dealer = dealer
    t.next_level = 1
    t.next_forced = 1 if p.semesters > 0 else 0
    t.reached = -1
    t.target = target
    t.pulka = pulka
    t.key = key
    t.limit = limit
    t.phase = P_DEAL
    clear(t)


@rule
def clear(t):
    """Forget the last deal."""
    t.kind = K_NONE
    t.ended = E_NONE
    t.bid = 0
    t.bidder = -1
    t.passed = 0
    t.misere_said = 0
    t.declarer = -1
    t.contract = 0
    t.trump = 4
    t.refused = 0
    t.stage = 0
    t.second = -1
    t.whister = -1
    t.opened = 0
    t.checked = 0
    t.looked = -1
    t.trick_no = 0
    t.leader = -1
    t.choosers = 0
    t.words = 0
    t.first_card = 0
    t.discarded_at = 0
    t.discard = 0
    t.turn = -1
    t.actor = -1
    for k in range(2):
        t.talon_up[k] = -1
    for seat in range(4):
        t.said[seat] = 0
        t.defence[seat] = D_NONE
        t.tricks[seat] = 0
        t.voids[seat] = 0
        t.played[seat] = 0
        t.shown[seat] = 0
        t.choice[seat] = 0
        t.hands[seat] = 0
        t.dealt[seat] = 0
    for k in range(LOG):
        t.log[k] = 0
    play.clear_trick(t)


@rule
def next_deal(t, p):
    """Move on to the next deal (before its cards): dealer, raspas state, forced raspas, a new semester's clean sheet."""
    clear(t)
    t.dealer = t.next_dealer
    t.level = t.next_level
    t.forced = t.next_forced
    if t.next_semester != t.semester:
        t.semester = t.next_semester
        t.opener = t.dealer
        t.reached = -1
        for seat in range(4):
            t.pool_done[seat] += t.pool[seat]
            t.mountain_done[seat] += t.mountain[seat]
            t.pool[seat] = 0
            t.mountain[seat] = 0
    t.phase = P_BID
    t.turn = seats.first_hand(t)


@rule
def short_by(t):
    """How many tricks the declarer is short of his contract (tricks taken on misère; three after a give-up); 0 or less: made."""
    if t.kind == K_MISERE:
        return t.tricks[t.declarer]
    if t.ended == E_GAVE_UP:
        return GIVE_UP_SHORT
    if t.ended == E_PLAYED:
        return contracts.LEVEL[t.contract] - t.tricks[t.declarer]
    return 0


@rule
def was_whisted(t):
    """Whether somebody whisted in full; a half whist is told by `t.ended`."""
    for seat in range(t.seats):
        if t.defence[seat] == D_WHIST:
            return True
    return False


@rule
def level_after(t, p):
    """The raspas state after this deal (6.7, 6.10)."""
    if t.kind == K_RASPAS:
        return min(3, t.level + 1) if p.progresses != 0 else 1
    if short_by(t) > 0:
        return t.level if p.failed_keeps != 0 else 1
    exits = p.unwhisted_exits != 0
    if t.ended == E_HALF:
        exits = exits or p.half_exits != 0
    else:
        exits = exits or was_whisted(t)
    return 1 if exits else t.level


@rule
def is_closed(t, p):
    """Whether the pool is closed (7.2): the sum of pools, each of them or the first has reached the target."""
    total = 0
    full = 0
    for seat in range(t.seats):
        total += t.pool[seat]
        if t.pool[seat] >= t.target * UNIT:
            full += 1
    if p.pool_end == END_EACH:
        return full == t.seats
    if p.pool_end == END_FIRST:
        return full > 0
    return total >= t.target * UNIT * t.seats


@rule
def first_to_reach(t):
    """Who has the semester's target in the pool, the first clockwise from the dealer, himself first; -1: nobody."""
    for k in range(t.seats):
        seat = (t.dealer + k) % t.seats
        if t.pool[seat] >= t.target * UNIT:
            return seat
    return -1


@rule
def end_deal(t, p, scorer, rules):
    """The cards are done with: ask for scoring choices where there are any, else settle the deal."""
    t.choosers = call_scorer(scorer, t, rules, S_CHOOSERS)
    if t.choosers != 0:
        t.phase = P_CHOICE
        next_chooser(t)
    else:
        finish_deal(t, p, scorer, rules)


@rule
def next_chooser(t):
    """The next seat that has a choice, clockwise from the dealer."""
    for k in range(t.seats):
        seat = (t.dealer + k) % t.seats
        if t.choosers >> seat & 1:
            t.turn = seat
            return


@rule
def finish_deal(t, p, scorer, rules):
    """Write the deal, settle what the next one is, and end the pulka where the rules say so."""
    call_scorer(scorer, t, rules, S_ENTRIES)
    t.deal_no += 1
    t.turn = -1
    t.actor = -1
    t.phase = P_DEAL
    t.next_level = level_after(t, p)
    t.next_forced = 0
    if p.forces != 0 and t.misere_said != 0 and (t.kind == K_GAME or t.kind == K_MISERE) and short_by(t) > 0:
        t.next_forced = 1
        t.next_level = max(t.next_level, min(3, short_by(t)))
    if p.sliding != 0 or t.next_level < 2:
        t.next_dealer = seats.left_of(t, t.dealer)
    if p.semesters > 0:
        end_semester(t, p, scorer, rules)
    elif is_closed(t, p) and (p.wait_exit == 0 or t.next_level == 1):
        t.phase = P_OVER
    if p.deal_limit > 0 and t.deal_no >= p.deal_limit:
        t.phase = P_OVER
    if t.phase == P_OVER:
        t.finished = 1
    elif t.limit > 0 and t.deal_no >= t.limit:
        t.phase = P_OVER


@rule
def end_semester(t, p, scorer, rules):
    """Скачки (6.9, 11): the semester ends out of raspas once somebody has reached the target; the last one ends the pulka."""
    if t.reached < 0:
        t.reached = first_to_reach(t)
    if t.reached < 0 or t.next_level != 1 or t.next_forced != 0:
        return
    call_scorer(scorer, t, rules, S_PRIZES)
    if t.semester + 1 == p.semesters:
        t.phase = P_OVER
    else:
        t.next_semester = t.semester + 1
        t.next_dealer = seats.left_of(t, t.opener)
        t.next_forced = 1
