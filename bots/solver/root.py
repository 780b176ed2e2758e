"""From cards to the kernel: positions by card masks, cards on the table, the talon's led tricks, values of moves.

Everything here sees hands as 32-bit masks rotated so that the declarer (or the seat whose tricks are asked for) is seat
0, and answers about his tricks. Above a trick boundary this is a plain search over the cards of the trick under way;
at the boundary the kernel takes over.
"""

import numpy as np

from bots.solver.codes import CODE_BITS
from bots.solver.kernel import MISERE, NO, SUIT, UNKNOWN, YES, kernel
from engine.jit import JIT, highbit, lowbit, popcount, rule, rule_inline

_suit, _no_trump, _misere = kernel(0), kernel(1), kernel(2)
probe_suit, search_suit = _suit.probe, _suit.search
probe_no_trump, search_no_trump = _no_trump.probe, _no_trump.search
probe_misere, search_misere = _misere.probe, _misere.search

NOBODY = 3  # holds a trick that the talon's card has taken
NO_CARD = -1

# one position to be answered; seats as at the table
POSITION = np.dtype(
    [
        ("hands", "u4", (3,)),  # what each seat still holds
        ("game", "i1"),  # 0..3 the trump suit, 4 no trump, 5 misère and raspas
        ("declarer", "i1"),  # whose tricks are counted
        ("leader", "i1"),  # who led the trick under way, or is to lead; with a talon card led: first hand
        ("table", "i1", (2,)),  # cards played to this trick, in order; -1: none
        ("talon", "i1", (2,)),  # the talon cards that lead this trick and the next; -1: none
        ("talon_takes", "i1"),  # a talon card can take its trick (four seats)
        ("guess", "i1"),  # where to look first for the value; -1: no idea
    ],
    align=True,
)
MISERE_GAME = 5

number = np.int64 if JIT else int  # keeps the compiler from making copies for constants

# what `answer` is asked for
VALUE, MOVES, AT_LEAST = range(3)


@rule_inline
def position_of(h0, h1, h2, trump):
    """The packed suit codes of three hands, the trump suit first (`trump` 4: none)."""
    position = 0
    place = 1 if trump < 4 else 0
    for suit in range(4):
        value, power, cards = 0, 1, 0
        for rank in range(7, -1, -1):
            bit = 1 << 8 * suit + rank
            if (h0 | h1 | h2) & bit:
                owner = 0 if h0 & bit else 1 if h1 & bit else 2
                value += owner * power
                power *= 3
                cards += 1
        code = (power - 1) // 2 + value
        if suit == trump:
            position |= code
        else:
            position |= code << CODE_BITS * place
            place += 1
    return position


@rule_inline
def ask(w, kind, trump, h0, h1, h2, leader, target):
    """YES or NO: at the start of a trick, does seat 0 take at least `target` of the tricks left?"""
    rest = popcount(h0)
    if target <= 0:
        return YES
    if target > rest:
        return NO
    position = position_of(h0, h1, h2, trump)
    if kind == SUIT:
        known = probe_suit(w, position, leader, rest, target)
        return search_suit(w, position, leader, rest, target) if known == UNKNOWN else known
    if kind == MISERE:
        known = probe_misere(w, position, leader, rest, target)
        return search_misere(w, position, leader, rest, target) if known == UNKNOWN else known
    known = probe_no_trump(w, position, leader, rest, target)
    return search_no_trump(w, position, leader, rest, target) if known == UNKNOWN else known


@rule_inline
def legal_cards(hand, led, trump):
    """`docs/rules.md` 5.1: follow suit, else trump, else anything; `led` -1: a lead, `trump` 4: no trump."""
    if led < 0:
        return hand
    cards = hand & 0xFF << 8 * led
    if cards == 0 and trump < 4:
        cards = hand & 0xFF << 8 * trump
    return cards if cards else hand


@rule_inline
def twin(card, own, live):
    """The next higher card of the suit in play, if it is in the same hand (then both are the same move), else -1."""
    suit = card >> 3
    above = live >> card + 1 << card + 1 & 0xFF << 8 * suit
    if above and own >> lowbit(above) & 1:
        return lowbit(above)
    return NO_CARD


@rule_inline
def takes_over(card, led, trump, best):
    """Whether a card beats the best card so far (-1: nothing to beat but the suit led)."""
    if best < 0:
        return card >> 3 == led
    if card >> 3 == best >> 3:
        return card > best
    return card >> 3 == trump


@rule
def play(w, kind, trump, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes, target):
    """YES or NO within a trick, `played` cards of which lie on the table.

    `live`: all cards that can still be compared, in hands or on the table; `led`: the suit led, -1 before a lead;
    `winner` and `best`: who holds the trick with which card; `on_talon`: the talon led this trick (1) or not (0);
    `next_talon`: the talon card that leads the next one, or -1.
    """
    if target <= 0:
        return YES
    if played == 0 and not on_talon:
        return ask(w, kind, trump, h0, h1, h2, first, target)
    if played == 3:
        target -= 1 if winner == 0 else 0
        if not on_talon:
            return ask(w, kind, trump, h0, h1, h2, winner, target)
        if next_talon < 0:
            return ask(w, kind, trump, h0, h1, h2, first, target)
        live = h0 | h1 | h2
        top = number(NO_CARD)
        if takes:
            live |= 1 << next_talon
            top = next_talon
        led, last = next_talon >> 3, number(NO_CARD)
        return play(w, kind, trump, h0, h1, h2, live, first, number(0), led, number(NOBODY), top, last, on_talon, takes, target)
    seat = (first + played) % 3
    hand = h0 if seat == 0 else h1 if seat == 1 else h2
    wants = YES if (seat == 0) == (kind != MISERE) else NO
    cards = legal_cards(hand, led, trump)
    while cards:
        card = lowbit(cards) if wants == NO and seat == 0 else highbit(cards)
        bit = 1 << card
        cards &= ~bit
        if twin(card, hand, live) >= 0:
            continue
        over = takes_over(card, led, trump, best)
        g0 = h0 & ~bit if seat == 0 else h0
        g1 = h1 & ~bit if seat == 1 else h1
        g2 = h2 & ~bit if seat == 2 else h2
        who, top = (seat, card) if over else (winner, best)
        if play(w, kind, trump, g0, g1, g2, live, first, played + 1, led, who, top, next_talon, on_talon, takes, target) == wants:
            return wants
    return YES - wants


@rule_inline
def value(w, kind, trump, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes, most, guess):
    """The exact number of tricks, at most `most`: yes-no questions from `guess` on until the bounds meet."""
    low, high = 0, most
    while low < high:
        target = min(max(guess, low + 1), high)
        if play(w, kind, trump, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes, target) == YES:
            low, guess = target, target + 1
        else:
            high, guess = target - 1, target - 1
    return low


@rule_inline
def under_way(p, first, trump):
    """The trick that a `POSITION` is in the middle of, `first` being who led it or is to lead.

    Its cards that can win as a mask, the suit led (-1: none yet), who holds the trick with which card, how many of the seats have
    played, and whether a talon card leads.
    """
    on_table, led, winner, best, played, on_talon = number(0), number(-1), first, number(NO_CARD), number(0), number(0)
    talon = number(p.talon[0])
    if talon >= 0:
        on_talon, led, winner = number(1), talon >> 3, number(NOBODY)
        if p.talon_takes:
            best = talon
            on_table |= 1 << talon
    for k in range(2):
        card = number(p.table[k])
        if card >= 0:
            if led < 0:
                led = card >> 3
            if takes_over(card, led, trump, best):
                winner, best = (first + played) % 3, card
            on_table |= 1 << card
            played += 1
    return on_table, led, winner, best, played, on_talon


@rule
def answer(workspace, positions, mode, targets, begin, end, out):
    """Answer positions `begin`..`end`-1 of an array of `POSITION` into `out[i]` (int8).

    mode VALUE: `out[i, 0]` is the declarer's tricks from here on (a trick under way counts if he takes it); AT_LEAST: 1 if they
    are at least `targets[i]`, else 0; MOVES: `out[i, card]` is his tricks after each legal card, -1 for cards that are not legal.
    """
    w = workspace[0]
    guess, before = number(0), number(0)
    for i in range(begin, end):
        p = positions[i]
        game = number(p.game)
        kind = SUIT if game < 4 else MISERE if game == MISERE_GAME else SUIT + 1
        trump = min(game, 4)
        a = number(p.declarer)
        b = (a + 1) % 3
        c = (a + 2) % 3
        h0, h1, h2 = number(p.hands[a]), number(p.hands[b]), number(p.hands[c])
        first = (number(p.leader) + 3 - a) % 3
        takes = number(p.talon_takes)
        next_talon = number(p.talon[1])

        on_table, led, winner, best, played, on_talon = under_way(p, first, trump)
        live = h0 | h1 | h2 | on_table
        seat = (first + played) % 3
        hand = h0 if seat == 0 else h1 if seat == 1 else h2
        most = popcount(hand)
        if p.guess >= 0:
            guess = number(p.guess)
        elif h0 != before:  # the same hand as in the position before has a like value
            guess = most * (4 if kind == SUIT else 5 if kind == MISERE else 2) // 10
        before = h0

        if mode == AT_LEAST:
            target = number(targets[i])
            out[i, 0] = play(w, kind, trump, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes, target)
            continue
        if mode == VALUE:
            guess = value(w, kind, trump, h0, h1, h2, live, first, played, led, winner, best, next_talon, on_talon, takes, most, guess)
            out[i, 0] = guess
            continue

        for card in range(32):
            out[i, card] = -1
        cards = legal_cards(hand, led, trump)
        while cards:
            card = highbit(cards)
            bit = 1 << card
            cards &= ~bit
            same = twin(card, hand, live)
            if same >= 0:
                out[i, card] = out[i, same]
                continue
            suit = card >> 3 if led < 0 else led
            over = takes_over(card, suit, trump, best)
            g0 = h0 & ~bit if seat == 0 else h0
            g1 = h1 & ~bit if seat == 1 else h1
            g2 = h2 & ~bit if seat == 2 else h2
            who, top = (seat, card) if over else (winner, best)
            guess = value(w, kind, trump, g0, g1, g2, live, first, played + 1, suit, who, top, next_talon, on_talon, takes, most, guess)
            out[i, card] = guess
