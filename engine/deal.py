"""Dealing as a function of a key: any table's cards without a generator (`docs/rules.md` 1.3, 1.4).

A deck is a row of 32 card numbers (`engine.cards`), laid out in the order in which the places of the deal take them:

    0..9    the first hand's cards: the seat next clockwise after the dealer, among those who play
    10..19  the second hand's
    20..29  the third hand's (with three seats that is the dealer)
    30, 31  the talon, in the order in which it is turned up

The deck of (seed, pulka, deal) is the 32 cards sorted by a 64-bit splitmix64 word each. The key's three numbers go through
the hash one after the other, so that no two keys meet in a pattern, and nothing is remembered between calls: any subset of
tables, in any order, on any thread or machine gets the same decks.

The low five bits of each sort key give way to the card's number, so that one sort in place leaves the deck. Two cards that
agree in the other 59 bits then fall in order of their numbers: that happens to one deck in 2**59 / 496, about 10**15. And
there are 2**64 decks for one place in the key space, not 32! ones; neither is within the reach of any count.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import ArrayLike, NDArray

from engine.rng import _M1, _M2, GAMMA

FIRST, SECOND, THIRD, TALON = slice(0, 10), slice(10, 20), slice(20, 30), slice(30, 32)

_WORD = 1 << 64
_DEALING = 0x5DEECE66D1CE4E5B  # sets the words of the decks apart from all other uses of a seed
_A, _B, _G = np.uint64(_M1), np.uint64(_M2), np.uint64(GAMMA)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_CARD = np.arange(32, dtype=np.uint64)
_STEPS = (_CARD + np.uint64(1)) * _G  # card c reads word c of the deck's splitmix64 stream
_NOT_CARD = np.uint64(_WORD - 32)
_BLOCK = 1024  # decks worked on at once: their words stay in a core's own cache

Masks = NDArray[np.uint32]
Decks = NDArray[np.uint8]


class DealError(ValueError):
    """A key that is no key, or a condition that no deal met."""


@frozen(eq=False)
class Found:
    """What `where` found, in the order of the deal numbers."""

    decks: Decks  # (m, 32)
    deals: NDArray[np.int64]  # (m,): `deck(seed, pulka, deals[i])` is `decks[i]`
    tried: int  # deals looked at up to the last one returned, or all of the limit if fewer than asked for were found


def _finish(z: NDArray[np.uint64], spare: NDArray[np.uint64]) -> None:
    """splitmix64's output function on words that have already been stepped, in place."""
    np.right_shift(z, _30, out=spare)
    np.bitwise_xor(z, spare, out=z)
    np.multiply(z, _A, out=z)
    np.right_shift(z, _27, out=spare)
    np.bitwise_xor(z, spare, out=z)
    np.multiply(z, _B, out=z)
    np.right_shift(z, _31, out=spare)
    np.bitwise_xor(z, spare, out=z)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`engine.rng.mix` of every word."""
    z = words + _G
    _finish(z, np.empty_like(z))
    return z


def whole(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int within low..high."""
    try:
        number = low - 1 if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise DealError(f"{name} {value!r} is not allowed: it is a whole number {low} .. {high}")
    return number


def _numbers(name: str, values: ArrayLike) -> NDArray[np.uint64]:
    """`values` as words; whole numbers from 0 on only."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iu":  # a list with numbers from 2**63 on comes out as floats: read it one by one
            array = np.array(values, dtype=object)
            for value in array.flat:
                whole(f"the {name}", value, 0, _WORD - 1)
    except ValueError as error:
        raise error if isinstance(error, DealError) else DealError(f"the {name} numbers do not form an array") from None
    if array.dtype.kind == "i" and array.size:
        whole(f"the {name}", int(array.min()), 0, _WORD - 1)
    return array.astype(np.uint64)


def working_memory(count: int = _BLOCK) -> NDArray[np.uint64]:
    """Working memory for `decks`, to be kept by one thread between calls: (2, `count`, 32) words; 1024 decks serve every call."""
    count = min(whole("the count of decks", count, 1, 1 << 40), _BLOCK)
    words = np.empty(2 * count * 32 + 8, dtype=np.uint64)
    begin = -words.ctypes.data % 64 // 8  # rows that begin with a cache line are worked on 15 % faster
    return words[begin : begin + 2 * count * 32].reshape(2, count, 32)


def decks(
    seed: int,
    pulkas: ArrayLike,
    deals: ArrayLike = 0,
    *,
    count: int | None = None,
    out: Decks | None = None,
    scratch: NDArray[np.uint64] | None = None,
) -> Decks:
    """The decks of many tables (`docs/rules.md` 1.4; the layout stands at the head of this module).

    `seed` is 0 .. 2**64 - 1; `pulkas` (n,) and `deals` are whole numbers from 0 on.
    Without `count`, a single number in `deals` gives each pulka's deal of that number, shape (n, 32), and an array that
    broadcasts to (n, k) gives shape (n, k, 32). With `count`, `deals` (one number or (n,)) is where each pulka starts,
    and the result holds its next `count` deals, (n, count, 32). dtype uint8.
    `out` is a C-contiguous uint8 array of that shape to fill; `scratch` is what `working_memory()` made (of one thread only).
    The GIL is released in all that takes time. A number that is none, or out of range, is a `DealError`.
    """
    words = np.atleast_1d(_numbers("pulka", pulkas))
    if words.ndim != 1:
        raise DealError(f"the pulkas have shape {words.shape}: one number or (n,) is allowed")
    numbers = _numbers("deal", deals)
    if count is not None:
        count = whole("the count of deals", count, 0, 1 << 40)
        if numbers.size and int(numbers.max()) > _WORD - 1 - count:
            raise DealError(f"the deals from {numbers.max()} on are too large: a deal is a whole number 0 .. {_WORD - 1}")
        if numbers.ndim > 1:
            raise DealError(f"the first deals have shape {numbers.shape}: one number or (n,) is allowed")
        following: NDArray[np.uint64] = np.arange(count, dtype=np.uint64)
        numbers = numbers[..., None] + following
    key = _mixed(np.array([whole("the seed", seed, 0, _WORD - 1) ^ _DEALING], dtype=np.uint64))
    words = _mixed(key ^ words)
    try:
        keys = _mixed(np.bitwise_xor(words if numbers.ndim == 0 else words[:, None], numbers))
    except ValueError:
        raise DealError(f"deals of shape {numbers.shape} do not fit {len(words)} pulkas: (k,), (n, 1) and (n, k) do") from None
    if len(keys) != len(words):
        raise DealError(f"deals of shape {numbers.shape} do not fit {len(words)} pulkas: (k,), (n, 1) and (n, k) do")
    return _sorted_decks(keys, out, scratch)


def _sorted_decks(keys: NDArray[np.uint64], out: Decks | None, scratch: NDArray[np.uint64] | None) -> Decks:
    shape = (*keys.shape, 32)
    if out is None:
        out = np.empty(shape, dtype=np.uint8)
    elif out.shape != shape or out.dtype != np.uint8 or not out.flags.c_contiguous:
        raise DealError(f"out is {out.dtype} of shape {out.shape}: a C-contiguous uint8 array of shape {shape} is needed")
    flat, rows = keys.reshape(-1), out.reshape(-1, 32)
    if scratch is None:
        scratch = working_memory(max(len(flat), 1))
    elif scratch.dtype != np.uint64 or scratch.ndim != 3 or scratch.shape[0] != 2 or scratch.shape[2] != 32 or not scratch.size:
        raise DealError(f"scratch is {scratch.dtype} of shape {scratch.shape}: uint64 of shape (2, block, 32) is needed")
    block = int(scratch.shape[1])
    for begin in range(0, len(flat), block):
        part = flat[begin : begin + block]
        z, row = scratch[0, : len(part)], rows[begin : begin + block]
        np.add(part[:, None], _STEPS, out=z)
        _finish(z, scratch[1, : len(part)])
        np.bitwise_and(z, _NOT_CARD, out=z)
        np.bitwise_or(z, _CARD, out=z)
        z.sort(axis=-1)
        np.copyto(row, z, casting="unsafe")
        np.bitwise_and(row, 31, out=row)
    return out


def deck(seed: int, pulka: int, deal: int) -> Decks:
    """One deck, (32,) uint8: what `decks` gives for this key."""
    return decks(seed, [whole("the pulka", pulka, 0, _WORD - 1)], whole("the deal", deal, 0, _WORD - 1))[0]


def masks_of(decks: Decks) -> Masks:
    """The cards of the four places of each deck as sets: decks (..., 32) -> uint32 (..., 4): first, second, third hand, talon."""
    bits = np.left_shift(np.uint32(1), decks, dtype=np.uint32)
    masks: Masks = np.bitwise_or.reduceat(bits, [0, 10, 20, 30], axis=-1)
    return masks


def hands_of(decks: Decks, seats: int, dealer: ArrayLike) -> tuple[Masks, Decks]:
    """Decks (..., 32) as they lie on the table (`docs/rules.md` 1.3): sets by seat, uint32 (..., 4), and the talon's cards, (..., 2).

    `seats` is 3 or 4, `dealer` a seat or an array of seats that broadcasts to the decks. Whoever has no cards (the talon-sitter,
    seat 3 of a table of three) holds the empty set.
    """
    seats = whole("the number of seats", seats, 3, 4)
    dealers = np.asarray(dealer)
    if dealers.dtype.kind not in "iu" or (dealers.size and not (dealers.min() >= 0 and dealers.max() < seats)):
        raise DealError(f"the dealer {dealer!r} is not allowed: with {seats} seats it is a seat 0 .. {seats - 1}")
    masks = masks_of(decks)
    hands = np.zeros_like(masks)
    try:
        dealers = np.broadcast_to(dealers.astype(np.int64), masks.shape[:-1])
    except ValueError:
        raise DealError(f"dealers of shape {dealers.shape} do not fit decks of shape {decks.shape}") from None
    for place in range(3):
        np.put_along_axis(hands, ((dealers + 1 + place) % seats)[..., None], masks[..., place : place + 1], axis=-1)
    return hands, decks[..., TALON]


def where(
    predicate: Callable[[Masks], NDArray[np.bool_]],
    n: int,
    seed: int,
    *,
    pulka: int = 0,
    first: int = 0,
    limit: int = 10_000_000,
) -> Found:
    """The first `n` deals, of those numbered `first`, `first` + 1, … in this pulka, that satisfy a condition.

    `predicate` takes the hands of m deals, uint32 (m, 4) as `masks_of` makes them, and returns m truth values; it must judge each
    row by itself. Uniform among all deals that satisfy it, since nothing is done but to leave out those that do not.
    At most `limit` deals are looked at: fewer than `n` may come back, and `tried` says how many it took, so that
    `len(found.deals) / found.tried` estimates how rare they are. If there is none within the limit, a `DealError` says so.
    """
    n, limit = whole("the number of deals asked for", n, 1, 1 << 40), whole("the limit", limit, 1, 1 << 62)
    first = whole("the first deal", first, 0, 1 << 62)
    pulka = whole("the pulka", pulka, 0, _WORD - 1)
    memory, step = working_memory(), 4096
    rows: list[Decks] = []
    numbers: list[NDArray[np.int64]] = []
    tried = found = 0
    while tried < limit and found < n:
        size = min(step, limit - tried)
        dealt = decks(seed, [pulka], first + tried, count=size, scratch=memory)[0]
        fits = np.asarray(predicate(masks_of(dealt)))
        if fits.shape != (size,) or fits.dtype != np.bool_:
            raise DealError(f"the predicate answered {fits.dtype} of shape {fits.shape}: bool of shape ({size},) is needed")
        chosen = np.flatnonzero(fits)[: n - found]
        rows.append(dealt[chosen])
        numbers.append(first + tried + chosen)
        found += len(chosen)
        tried += int(chosen[-1]) + 1 if found == n else size
        step = min(2 * step, 65536)
    if not found:
        raise DealError(f"none of the {limit:,} deals looked at satisfies the condition: allow more of them, or ask for less")
    return Found(np.concatenate(rows), np.concatenate(numbers), tried)
