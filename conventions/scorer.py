"""What a finished deal is worth (`docs/rules.md` 3, 4, 6, 11): one compiled function, called by the engine by address.

`score(t, r, stage)` gets a table whose deal is over and the convention's record (`conventions.rules_record.RULES`).
"""

from __future__ import annotations

from conventions import rules_record
from conventions.closing import choosers, gets_zero_bonus, prizes, write_made, write_pool
from conventions.sheet import add_mountain, add_whists, clear
from engine import pulka, seats
from engine.cards import ACE, KING, QUEEN
from engine.contracts import LEVEL
from engine.jit import rule, rule_inline
from engine.table import (
    C_MOUNTAIN,
    D_HALF,
    D_WHIST,
    E_GAVE_UP,
    E_HALF,
    E_PLAYED,
    K_GAME,
    K_MISERE,
    K_RASPAS,
    S_CHOOSERS,
    S_ENTRIES,
    S_PRIZES,
    UNIT,
)

_RETURN = rules_record.REFUSAL_RETURN
_SHARES, _SECOND, _BOTH = rules_record.BY_SHARES, rules_record.BY_SECOND, rules_record.BY_BOTH


@rule_inline
def _quick_tricks(a, b):
    """Quick tricks (быстрые взятки) of a talon of two cards (3.6): 0..3."""
    aces = (1 if a % 8 == ACE else 0) + (1 if b % 8 == ACE else 0)
    if aces == 2:
        return 3
    suited = a // 8 == b // 8
    low = min(a % 8, b % 8)
    if aces == 1:
        return 2 if suited and low == KING else 1
    return 1 if suited and low == QUEEN and max(a % 8, b % 8) == KING else 0


@rule_inline
def _talon(t, r):
    """What the talon writes whatever becomes of the contract (3.4–3.6)."""
    declarer = t.declarer
    if t.refused != 0:
        if r.refusal == _RETURN:
            add_mountain(t, t.dealer, r.made[LEVEL[t.contract] - 6] * UNIT)
        elif t.seats == 4:
            add_whists(t, declarer, t.dealer, r.throw_whists * UNIT)
        else:
            for k in range(1, 3):
                add_whists(t, declarer, (declarer + k) % 3, r.throw_whists * UNIT // 2)
    elif r.quick_trick_whists != 0 and t.ended != E_GAVE_UP:
        whists = _quick_tricks(t.talon[0], t.talon[1]) * r.quick_trick_whists * UNIT
        if t.seats == 4:
            add_whists(t, t.dealer, declarer, whists)
        else:
            for k in range(1, 3):
                add_whists(t, (declarer + k) % 3, declarer, whists // 2)


@rule_inline
def _set_declarer(t, r, first, second, whister, short):
    """The declarer is `short` tricks short: his mountain, trick whists, consolation (4.5, 4.8, 8.1)."""
    declarer = t.declarer
    level = LEVEL[t.contract] - 6
    add_mountain(t, declarer, short * r.undertrick[level] * UNIT)
    whist = r.whist[level] * r.remise_multiplier * UNIT
    consolation = short * r.consolation[level] * r.remise_multiplier * UNIT
    defence = 10 - t.tricks[declarer]
    if t.defence[first] == D_WHIST and t.defence[second] == D_WHIST:
        add_whists(t, first, declarer, t.tricks[first] * whist)
        add_whists(t, second, declarer, t.tricks[second] * whist)
    elif t.checked != 0 or (r.gentleman != 0 and whister in (first, second)):
        add_whists(t, first, declarer, defence * whist // 2)
        add_whists(t, second, declarer, defence * whist // 2)
    else:
        add_whists(t, whister, declarer, defence * whist)
    for seat in range(t.seats):
        sits_out = t.seats == 4 and seat == t.dealer and seat != whister
        if seat != declarer and not (sits_out and r.consolation_to_sitter == 0):
            add_whists(t, seat, declarer, consolation)


@rule_inline
def _short_of_duty(t, r, first, second, whister):
    """The declarer made it: trick whists, and what whisters write for a shortage (4.5, 4.7); the mask of the set ones."""
    declarer = t.declarer
    level = LEVEL[t.contract] - 6
    whist = r.whist[level] * UNIT
    price = r.whister_undertrick[level] * UNIT
    defence = 10 - t.tricks[declarer]
    missing = r.duty[level] - defence
    two = t.defence[first] == D_WHIST and t.defence[second] == D_WHIST
    if not two:
        add_whists(t, whister, declarer, defence * whist)
        sitter = t.seats == 4 and whister == t.dealer
        if missing <= 0 or (sitter and r.sitter_responsible == 0):
            return 0
        add_mountain(t, whister, missing * price)
        return 1 << whister
    add_whists(t, first, declarer, t.tricks[first] * whist)
    add_whists(t, second, declarer, t.tricks[second] * whist)
    if missing <= 0:
        return 0
    mask = 0
    responsible = r.responsible[level]
    for k in range(2):
        seat = second if k else first
        if responsible == _SHARES:
            short = max(0, r.duty[level] // 2 - t.tricks[seat])
            if r.personal_shortfall == 0:
                short = min(short, missing)
            amount = short * price
        elif responsible == _SECOND:
            amount = missing * price if seat == t.second else 0
        elif responsible == _BOTH:
            amount = missing * price
        else:
            amount = missing * price // 2
        if amount > 0:
            add_mountain(t, seat, amount)
            mask |= 1 << seat
    return mask


@rule_inline
def _game(t, r):
    """A trick contract, played or settled without play."""
    level = LEVEL[t.contract] - 6
    declarer = t.declarer
    _talon(t, r)
    if t.ended == E_GAVE_UP:
        given_up = LEVEL[t.bid] - 6
        add_mountain(t, declarer, pulka.short_by(t) * r.undertrick[given_up] * UNIT)
        return
    set_whisters = 0
    first = seats.after(t, declarer)
    second = seats.after(t, first)
    if t.ended == E_PLAYED:
        whister = -1
        for seat in range(t.seats):
            if t.defence[seat] == D_WHIST:
                whister = seat
        short = pulka.short_by(t)
        if short > 0:
            _set_declarer(t, r, first, second, whister, short)
            return
        if t.checked == 0:
            set_whisters = _short_of_duty(t, r, first, second, whister)
    elif t.ended == E_HALF:
        for seat in range(t.seats):
            if t.defence[seat] == D_HALF:
                add_whists(t, seat, declarer, r.duty[level] // 2 * r.whist[level] * UNIT)
    write_made(t, r, r.made[level], set_whisters)


@rule_inline
def _misere(t, r):
    """Misère (мизер): nothing but the declarer's pool or mountain (8.1)."""
    taken = pulka.short_by(t)
    if taken == 0:
        write_made(t, r, r.misere_made, 0)
    else:
        add_mountain(t, t.declarer, taken * r.misere_trick * UNIT)


@rule_inline
def _raspas_to_mountain(t, r):
    """Raspas (распасы) to the mountain, with the amnesty where the convention has it (6.5)."""
    price = r.raspas_price[t.level - 1] * UNIT
    struck = 0
    if r.amnesty != 0:
        struck = 10
        for seat in range(t.seats):
            # a talon-sitter whose cards stay closed cannot take tricks
            if seats.is_active(t, seat) or r.raspas_talon != 0:
                struck = min(struck, t.tricks[seat])
    for seat in range(t.seats):
        charged = t.tricks[seat] - struck
        if charged > 0:
            add_mountain(t, seat, charged * price)


@rule_inline
def _raspas_to_whists(t, r):
    """Raspas to whists (6.6): who took fewest writes on the others; two who tie share what the third lost."""
    fewest = 10
    for seat in range(t.seats):
        if seats.is_active(t, seat):
            fewest = min(fewest, t.tricks[seat])
    winners = 0
    for seat in range(t.seats):
        if seats.is_active(t, seat) and t.tricks[seat] == fewest:
            winners += 1
    for seat in range(t.seats):
        if seats.is_active(t, seat) and t.tricks[seat] == fewest:
            for other in range(t.seats):
                if seats.is_active(t, other) and t.tricks[other] != fewest:
                    add_whists(t, seat, other, t.tricks[other] * r.raspas_whists * UNIT // winners)


@rule_inline
def _raspas(t, r):
    """All entries first, then the bonuses for zero tricks, clockwise from the dealer (6.5, 11)."""
    if r.raspas_whists != 0:
        _raspas_to_whists(t, r)
    else:
        _raspas_to_mountain(t, r)
    level = t.level - 1
    for k in range(t.seats):
        seat = (t.dealer + k) % t.seats
        if gets_zero_bonus(t, r, seat):
            if r.zero_pool[level] == 0 or t.choice[seat] == C_MOUNTAIN:
                add_mountain(t, seat, -r.zero_mountain[level] * UNIT)
            else:
                write_pool(t, r, seat, r.zero_pool[level] * UNIT, 0)


@rule
def score(t, r, stage):
    """The scorer (t: `TABLE` record, r: `RULES` record).

    `S_CHOOSERS` returns the mask of seats that choose between pool and mountain; `S_ENTRIES` writes the deal's entries into
    d_pool, d_mountain, d_whists and adds them to the running sheet (sixths); `S_PRIZES` adds a semester's prizes.
    """
    if stage == S_CHOOSERS:
        return choosers(t, r)
    if stage == S_ENTRIES:
        clear(t)
        if t.kind == K_GAME:
            _game(t, r)
        elif t.kind == K_MISERE:
            _misere(t, r)
        elif t.kind == K_RASPAS:
            _raspas(t, r)
    elif stage == S_PRIZES:
        prizes(t, r)
    return 0
