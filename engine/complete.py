"""Complete a partly known deal at random: every layout that agrees with the knowledge is equally likely.

*Places* are whatever cards can lie in: up to three hands, the talon, the discard. The knowledge is which cards lie in which
place for certain, how many each place holds, and which cards it cannot hold (a suit that a hand has shown to lack
is eight such cards). The cards that are not placed fall into classes by the set of places open to them; within a class any
exchange of two cards turns one layout into another, so it is enough to draw how many cards of each class go to each place, with the
right weights, and then which ones.

The weights are numbers of layouts, counted place by place with the rooms that are left as the state: whole numbers below
2**62, never rounded, and every draw throws away what would make it uneven. So the sample is uniform as far as its random words are.
`fill` is compiled and may be called from compiled bots; `complete` is its face for Python and says what is wrong with
knowledge that is impossible.
"""

import operator
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, SUIT, card_text, cards_of, hand_text
from engine.jit import JIT, highbit, lowbit, plain, popcount, rule, rule_inline
from engine.rng import join, mix

PLACES = 5  # at most
_LIMIT = 1 << 62  # layouts that can be counted exactly
_PASCAL = [comb(n, k) for n in range(33) for k in range(33)]
_CHOOSE: Any = np.array(_PASCAL, dtype=np.int64) if JIT else _PASCAL  # [33 × n + k]

if JIT:

    @rule_inline
    def _ints(count):
        return np.zeros(count, np.int64)

    @rule_inline
    def _word(stream, t):
        """Word `t` of a stream: 62 random bits."""
        return np.int64(mix(stream ^ np.uint64(t)) >> np.uint64(2))
else:

    def _ints(count: int) -> list[int]:
        return [0] * count

    def _word(stream: int, t: int) -> int:
        return int(mix(stream ^ t)) >> 2


class KnowledgeError(ValueError):
    """Knowledge that contradicts itself or the rules, or that cannot be counted."""


@rule_inline
def _below(stream, t, n):
    """A number 0..n-1 (n < 2**30), all equally likely, from word `t` on: (the next t, the number)."""
    product = (_word(stream, t) >> 30) * n
    t += 1
    if product & 0xFFFFFFFF < n:  # perhaps one of the 2**32 % n values too many
        uneven = (1 << 32) % n
        while product & 0xFFFFFFFF < uneven:
            product = (_word(stream, t) >> 30) * n
            t += 1
    return t, product >> 32


@rule_inline
def _below_large(stream, t, n):
    """The same for n up to 2**62: the lowest bits that can hold n-1, drawn until they do not exceed it."""
    if n == 1:
        return t, 0
    bits = (1 << (highbit(n - 1) + 1)) - 1
    drawn = _word(stream, t) & bits
    t += 1
    while drawn >= n:
        drawn = _word(stream, t) & bits
        t += 1
    return t, drawn


@rule_inline
def _settle(cards, held, room, forbidden, open_to):
    """Put the cards that have one place only where they must lie, again and again, since that fills places.

    `held` and `room` follow; `open_to` has the set of places open to each card that is left. Returns those cards, or -1 when
    one has no place.
    """
    places = len(room)
    changed = True
    while changed:
        changed = False
        rest = cards
        while rest:
            card = lowbit(rest)
            rest &= rest - 1
            to = 0
            for p in range(places):
                if room[p] > 0 and not (forbidden[p] >> card) & 1:
                    to |= 1 << p
            if to == 0:
                return -1
            open_to[card] = to
            if to & (to - 1) == 0:
                p = lowbit(to)
                held[p] |= 1 << card
                room[p] -= 1
                cards ^= 1 << card
                changed = True
    return cards


@rule_inline
def _classes(cards, open_to, order, sets, begin, pile):
    """Sort `cards` by the set of places open to them, the widest set last: class j is `pile[begin[j]:begin[j + 1]]`.

    `sets[j]` has bit *a* for the place `order[a]`. Returns the number of classes.
    """
    places = len(order)
    m = 0
    filled = 0
    for width in range(2, places + 1):
        for members in range(1, 1 << places):
            if popcount(members) != width:
                continue
            named = 0
            for a in range(places):
                if (members >> a) & 1:
                    named |= 1 << order[a]
            start = filled
            rest = cards
            while rest:
                card = lowbit(rest)
                rest &= rest - 1
                if open_to[card] == named:
                    pile[filled] = card
                    filled += 1
            if filled > start:
                sets[m] = members
                begin[m] = start
                m += 1
    begin[m] = filled
    return m


@rule_inline
def _steps(m, sets, begin, layer_size, layer_place, layer_last, layer_after):
    """One layer for every free choice of a number: a class but the last, a place open to it but its last two.

    `layer_size` the class's cards, `layer_place` the place, `layer_last` the place that takes what the class has left, where
    this is its last choice, else -1; `layer_after` the cards of later classes. Returns the number of layers.
    """
    layers = 0
    for j in range(m - 1):
        last = highbit(sets[j])
        members = sets[j] ^ (1 << last)
        while members:
            a = lowbit(members)
            members &= members - 1
            layer_size[layers] = begin[j + 1] - begin[j]
            layer_place[layers] = a
            layer_last[layers] = -1 if members else last
            layer_after[layers] = begin[m] - begin[j + 1]
            layers += 1
    return layers


@rule_inline
def _count(layers, layer_size, layer_place, layer_last, layer_after, last_set, last_size, size, stride, states):
    """How many layouts there are from each layer and state on: `ways[layer * states + state]`.

    A state is the rooms left, in mixed radix: Σ room × stride. What a class has still to place follows from it.
    """
    places = len(size)
    caps = _ints(states * places)
    total = _ints(states)
    ways = _ints((layers + 1) * states)
    base = layers * states
    now = _ints(places)
    for state in range(states):
        taken = 0
        number = 1
        for a in range(places):
            cap = now[a]
            caps[state * places + a] = cap
            taken += cap
            if cap and not (last_set >> a) & 1:
                number = 0
        total[state] = taken
        for a in range(places):  # one more, digit by digit
            now[a] += 1
            if now[a] <= size[a]:
                break
            now[a] = 0
        if taken == last_size and number:  # the last class fills what is left
            for a in range(places):
                cap = caps[state * places + a]
                number *= _CHOOSE[33 * taken + cap]
                taken -= cap
            ways[base + state] = number
    for layer in range(layers - 1, -1, -1):
        a = layer_place[layer]
        b = layer_last[layer]
        after = (layer + 1) * states
        for state in range(states):
            left = total[state] - layer_after[layer]
            if left < 0 or left > layer_size[layer]:
                continue
            low = 0
            high = min(left, caps[state * places + a])
            if b >= 0:
                low = max(0, left - caps[state * places + b])
            number = 0
            for x in range(low, high + 1):
                then = state - x * stride[a]
                if b >= 0:
                    then -= (left - x) * stride[b]
                number += _CHOOSE[33 * left + x] * ways[after + then]
            ways[layer * states + state] = number
    return ways


@rule_inline
def _draw(stream, m, sets, begin, pile, room, hand, ways, states, stride, layer_last):
    """One layout: `hand` gets its cards, `room` falls to 0, the classes of `pile` are shuffled."""
    t = 0
    state = states - 1
    layer = 0
    for j in range(m):
        start = begin[j]
        left = begin[j + 1] - start
        last = highbit(sets[j])
        members = sets[j]
        while members:
            a = lowbit(members)
            members &= members - 1
            if j == m - 1:
                x = room[a]
            elif a == last:
                x = left
            else:  # how many, by the number of layouts that go on from there
                t, drawn = _below_large(stream, t, ways[layer * states + state])
                final = layer_last[layer] >= 0
                x = max(0, left - room[last]) if final else 0
                while True:
                    then = state - x * stride[a]
                    if final:
                        then -= (left - x) * stride[last]
                    weight = _CHOOSE[33 * left + x] * ways[(layer + 1) * states + then]
                    if drawn < weight:
                        break
                    drawn -= weight
                    x += 1
                state = then
                layer += 1
            room[a] -= x
            if x == left:
                for k in range(start, start + left):
                    hand[a] |= 1 << pile[k]
            else:
                for k in range(start + left - 1, start + left - 1 - x, -1):
                    t, drawn = _below(stream, t, k - start + 1)
                    hand[a] |= 1 << pile[start + drawn]
                    pile[start + drawn] = pile[k]
            left -= x


@rule
def fill(known, sizes, forbidden, cards, key, out):
    """Fill `out` with layouts drawn uniformly from all that agree with the knowledge; returns how many agree, 0 if none.

    `known`, `sizes`, `forbidden`: int64 (places,): sets of cards, numbers of cards, sets of cards. `cards`: the set of all cards that
    lie in the places, the known ones included. `out` (n, places) takes sets; row i depends on the knowledge, `key` and i only.
    The caller sees to it that there would be fewer than 2**62 layouts without `forbidden`, as there are for any four places and
    for any three hands with a talon and a discard. With impossible knowledge `out` stays as it is.
    """
    places = len(known)
    held = _ints(places)
    room = _ints(places)
    wanted = 0
    for p in range(places):
        held[p] = known[p]
        room[p] = sizes[p] - popcount(known[p])
        if room[p] < 0 or known[p] & ~cards or known[p] & forbidden[p]:
            return 0
        wanted += room[p]
        for q in range(p):
            if known[p] & known[q]:
                return 0
    free = cards
    for p in range(places):
        free &= ~known[p]
    if popcount(free) != wanted:
        return 0
    open_to = _ints(32)
    free = _settle(free, held, room, forbidden, open_to)
    if free < 0:
        return 0

    # small places first: the last one takes what is left without a draw
    order = _ints(places)
    for p in range(places):
        a = p
        while a > 0 and room[order[a - 1]] > room[p]:
            order[a] = order[a - 1]
            a -= 1
        order[a] = p
    size = _ints(places)
    stride = _ints(places)
    states = 1
    for a in range(places):
        size[a] = room[order[a]]
        stride[a] = states
        states *= size[a] + 1
    sets = _ints(32)
    begin = _ints(33)
    pile = _ints(32)
    m = _classes(free, open_to, order, sets, begin, pile)

    layers = 0
    layer_size = _ints(32 * places)
    layer_place = _ints(32 * places)
    layer_last = _ints(32 * places)
    layer_after = _ints(32 * places)
    if m > 1:
        layers = _steps(m, sets, begin, layer_size, layer_place, layer_last, layer_after)
        last_size = begin[m] - begin[m - 1]
        ways = _count(layers, layer_size, layer_place, layer_last, layer_after, sets[m - 1], last_size, size, stride, states)
        number = ways[states - 1]
    else:
        ways = _ints(1)
        number = 1
        left = begin[m]
        for a in range(places):
            if size[a] and not (sets[0] >> a) & 1:
                return 0
            number *= _CHOOSE[33 * left + size[a]]
            left -= size[a]
    if number == 0:
        return 0

    mine = _ints(32)
    now = _ints(places)
    hand = _ints(places)
    for i in range(out.shape[0]):
        for k in range(begin[m]):
            mine[k] = pile[k]
        for a in range(places):
            now[a] = size[a]
            hand[a] = held[order[a]]
        _draw(join(key, i), m, sets, begin, mine, now, hand, ways, states, stride, layer_last)
        for a in range(places):
            out[i, order[a]] = hand[a]
    return number


def complete(
    known: Sequence[int],
    sizes: Sequence[int],
    n: int,
    key: int,
    *,
    voids: Sequence[int] | None = None,
    forbidden: Sequence[int] | None = None,
    cards: int | None = None,
) -> NDArray[np.uint32]:
    """`n` layouts of a partly known deal, independent and uniform among all that agree with the knowledge: uint32 (n, places).

    Per place (1 to 5 of them): `known` the set of cards that lie there for certain, `sizes` how many cards it holds, `voids` the
    suits it lacks (bit s: suit s, as in a view's `voids`), `forbidden` the set of single cards that it cannot hold.
    `cards` is the set of all cards that lie in the places, known ones included; without it, the whole deck.
    Row i depends on the knowledge, `key` (0 .. 2**64 - 1) and i alone. A contradiction is a `KnowledgeError` that names it.
    """
    given = _checked(known, sizes, voids, forbidden, cards)
    try:
        n, key = operator.index(n), operator.index(key)
    except TypeError:
        raise KnowledgeError(f"n = {n!r} and key = {key!r} are whole numbers") from None
    if n < 0 or not 0 <= key < 1 << 64:
        raise KnowledgeError(f"n = {n}, key = {key}: n is a whole number from 0 on, the key one of 0 .. {(1 << 64) - 1}")
    out = np.empty((n, len(given[0])), dtype=np.uint32)
    if not _run(given, key, out):
        raise KnowledgeError(_contradiction(*given))
    return out


def count(
    known: Sequence[int],
    sizes: Sequence[int],
    *,
    voids: Sequence[int] | None = None,
    forbidden: Sequence[int] | None = None,
    cards: int | None = None,
) -> int:
    """How many layouts agree with the knowledge, exactly; the arguments and errors are those of `complete`."""
    given = _checked(known, sizes, voids, forbidden, cards)
    number = _run(given, 0, np.empty((0, len(given[0])), dtype=np.uint32))
    if not number:
        raise KnowledgeError(_contradiction(*given))
    return number


def _run(given: tuple[list[int], list[int], list[int], int], key: int, out: NDArray[np.uint32]) -> int:
    known, sizes, forbidden, cards = given
    columns = [plain(np.array(column, dtype=np.int64)) for column in (known, sizes, forbidden)]
    return int(fill(*columns, cards, np.uint64(key) if JIT else key, plain(out)))


def suits_mask(suits: int) -> int:
    """The cards of a set of suits (bit s: suit s)."""
    return sum(SUIT << 8 * s for s in range(4) if suits >> s & 1)


def _column(name: str, values: Sequence[int] | None, places: int, high: int) -> list[int]:
    """One number 0..high per place."""
    if values is None:
        return [0] * places
    try:
        column = [operator.index(value) for value in values]
    except TypeError:
        raise KnowledgeError(f"{name} = {values!r}: one whole number per place is needed") from None
    if len(column) != places:
        raise KnowledgeError(f"{name} has {len(column)} entries for {places} places")
    for place, value in enumerate(column):
        if not 0 <= value <= high:
            raise KnowledgeError(f"{name} of place {place} is {value}: 0 .. {high} is allowed")
    return column


def _checked(
    known: Sequence[int], sizes: Sequence[int], voids: Sequence[int] | None, forbidden: Sequence[int] | None, cards: int | None
) -> tuple[list[int], list[int], list[int], int]:
    """The knowledge as (known, sizes, forbidden with the voids in it, cards), free of all contradictions that show at a glance."""
    places = len(known)
    if not 1 <= places <= PLACES:
        raise KnowledgeError(f"there are {places} places: 1 .. {PLACES} are allowed")
    held = _column("known", known, places, DECK)
    number = _column("sizes", sizes, places, 32)
    barred = [
        f | suits_mask(v) for f, v in zip(_column("forbidden", forbidden, places, DECK), _column("voids", voids, places, 15), strict=True)
    ]
    everything = DECK if cards is None else _column("cards", [cards], 1, DECK)[0]
    seen = 0
    for place in range(places):
        mask = held[place]
        if mask & seen:
            raise KnowledgeError(f"place {place} is known to hold {hand_text(mask & seen)}, and so is another place")
        if mask & ~everything:
            raise KnowledgeError(f"place {place} is known to hold {hand_text(mask & ~everything)}, which is none of the cards in play")
        if mask & barred[place]:
            raise KnowledgeError(f"place {place} is known to hold {hand_text(mask & barred[place])}, which it cannot hold")
        if mask.bit_count() > number[place]:
            raise KnowledgeError(f"place {place} is known to hold {mask.bit_count()} cards, but its size is {number[place]}")
        seen |= mask
    if sum(number) != everything.bit_count():
        raise KnowledgeError(f"the places have room for {sum(number)} cards, but {everything.bit_count()} cards lie in them")
    if _layouts_at_most(held, number) >= _LIMIT:
        raise KnowledgeError("there are too many layouts to be counted exactly (2**62 or more): take fewer places or cards")
    return held, number, barred, everything


def _layouts_at_most(known: list[int], sizes: list[int]) -> int:
    """The number of layouts if no card were forbidden anywhere."""
    rooms = [size - mask.bit_count() for size, mask in zip(sizes, known, strict=True)]
    number, left = 1, sum(rooms)
    for room in rooms:
        number *= comb(left, room)
        left -= room
    return number


def _contradiction(known: list[int], sizes: list[int], forbidden: list[int], cards: int) -> str:
    """What makes the knowledge impossible: places that too many cards are confined to (there are such, by Hall's theorem)."""
    places = range(len(known))
    seen = sum(known)
    for number in range(len(known)):
        for chosen in combinations(places, number):
            barred = cards & ~seen
            for place in places:
                if place not in chosen:
                    barred &= forbidden[place]
            room = sum(sizes[place] - known[place].bit_count() for place in chosen)
            if barred.bit_count() > room:
                if not chosen:
                    return f"no place can hold {card_text(next(cards_of(barred)))}"
                where = " and ".join(f"place {place}" for place in chosen)
                return f"{hand_text(barred)} ({barred.bit_count()} cards) can lie in {where} only, with room for {room} more"
    raise AssertionError("knowledge without a contradiction was called impossible")
