"""From what `bots.club_learning` found to `club`'s tables: means of losses, and sums over suits fitted to tricks.

A table of losses holds, for each sight of a suit and each card of it, the mean number of tricks that the card lost against best play,
drawn towards the mean of a coarser sight where there are few positions. A table of tricks holds one number per holding or standing of
a suit, such that their sum over the four suits (and a base) comes nearest to the tricks that hands took.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bots import novice
from bots.suits import ORDERS, OWNERS, STANDINGS, order_of, standing_of
from engine.cards import DECK

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Key = Callable[[int, Ints], Ints]  # the sight of a card's suit in the positions of some rows

_POPCOUNT = np.array([ranks.bit_count() for ranks in range(256)], dtype=np.int64)
_BAD = np.asarray(novice.BAD, dtype=np.float64)
_STANDING = np.zeros((256, 256), dtype=np.int64)
_ORDER = np.zeros((256, 256), dtype=np.int64)
for _mine in range(256):
    for _out in range(256):
        if _mine & _out == 0:
            _STANDING[_mine, _out] = standing_of(_mine, _out)
            _ORDER[_mine, _out] = order_of(_mine, _out)


def _load(folder: Path, name: str, last: int = 99) -> dict[str, Ints]:
    """The columns found under a name in the last rounds."""
    rounds = len(list(folder.glob(f"{name}-*.npz")))
    parts = [np.load(folder / f"{name}-{k}.npz") for k in range(max(0, rounds - last), rounds)]
    return {column: np.concatenate([part[column] for part in parts]).astype(np.int64) for column in parts[0].files}


def tables(folder: Path) -> dict[str, Any]:
    """All tables, by the names that `bots.club_tables` reads."""
    return {
        **card_tables(_load(folder, "cards")),
        **misere_tables(_load(folder, "misere")),
        **raspas_tables(_load(folder, "raspas", 2)),  # what hands come to depends on how they are played: only by the latest
        **word_tables(_load(folder, "games", 2)),
        **misere_hand_tables(_load(folder, "hands")),
    }


def _suit(cards: Ints, suit: int) -> Ints:
    return (cards >> 8 * suit) & 0xFF


def _losses(values: Ints, declarer: Ints, few: bool) -> Ints:
    """Tricks lost by each card of 32 (-1: not legal), from the declarer's tricks; `few`: he wants few."""
    most = values.max(1, keepdims=True)
    fewest = np.where(values < 0, 99, values).min(1, keepdims=True)
    wants_many = (declarer != few)[:, None]
    return np.where(values < 0, -1, np.where(wants_many, most - values, values - fewest))


def _means(losses: Ints, rows: Ints, fine: Key, shape: tuple[int, ...], coarse: Key | None, coarse_size: int, places: Key) -> Floats:
    """The mean loss by sight and place; `fine` and `coarse` give the sights of a card's suit in these rows."""
    size = int(np.prod(shape))
    total, count, towards = np.zeros(size), np.zeros(size), np.full(size, -1, dtype=np.int64)
    rough, rough_count = np.zeros(coarse_size * 8), np.zeros(coarse_size * 8)
    for card in range(32):
        at = rows[losses[rows, card] >= 0]
        loss = losses[at, card].astype(np.float64)
        key = fine(card, at) * 8 + places(card, at)
        total += np.bincount(key, loss, size)
        count += np.bincount(key, minlength=size)
        if coarse is not None:
            key_there = coarse(card, at) * 8 + places(card, at)
            towards[key] = key_there
            rough += np.bincount(key_there, loss, len(rough))
            rough_count += np.bincount(key_there, minlength=len(rough))
    mean = total.sum() / count.sum()
    prior = np.full(size, mean)
    weight = 20.0
    if coarse is not None:
        weight = 8.0
        prior = np.where(towards >= 0, ((rough + 10 * mean) / (rough_count + 10))[towards], mean)
    return ((total + weight * prior) / (count + weight)).reshape(shape)


def _bytes(losses: Floats, scale: int) -> Any:
    return np.minimum(255, np.round(losses * scale)).astype(np.uint8)


def card_tables(p: dict[str, Ints]) -> dict[str, Any]:
    """Leads, second hand and discards in trick contracts (`bots.club_cards` tells what a sight is)."""
    every = np.arange(len(p["seat"]))
    declares = p["seat"] == p["declarer"]
    losses = _losses(p["values"], declares, few=False)
    mine = p["hands"][every, p["seat"]]
    out = DECK & ~(p["played"] | mine | np.where(declares, p["discard"], 0))
    trumps = np.minimum(p["trump"], 3)
    here = (p["trump"] < 4) & ((mine >> 8 * trumps) & 0xFF != 0)
    elsewhere = (p["trump"] < 4) & ((out >> 8 * trumps) & 0xFF != 0)
    side = np.where(p["trump"] == 4, 5, here + 2 * elsewhere)
    follows = (p["led"] >= 0) & ((mine >> 8 * np.maximum(p["led"], 0)) & 0xFF != 0)
    before_declarer = ((p["seat"] + 1) % 3 == p["declarer"]).astype(np.int64)

    def places(card: int, at: Ints) -> Ints:
        return _POPCOUNT[_suit(mine[at] | out[at], card >> 3) & ((1 << (card & 7)) - 1)]

    def order(card: int, at: Ints) -> Ints:
        return _ORDER[_suit(mine[at], card >> 3), _suit(out[at], card >> 3)]

    def sight(card: int, at: Ints) -> Ints:
        return np.where(p["trump"][at] == card >> 3, 4, side[at])

    def plain(card: int, at: Ints) -> Ints:
        return sight(card, at) * ORDERS + order(card, at)

    def lead(card: int, at: Ints) -> Ints:
        return (before_declarer[at] * 6 + sight(card, at)) * ORDERS + order(card, at)

    def second(card: int, at: Ints) -> Ints:
        about = np.where(p["led"][at] == p["trump"][at], 0, np.where(elsewhere[at], 1, 2))
        under = _POPCOUNT[_suit(mine[at] | out[at], card >> 3) & ((1 << (p["best"][at] & 7)) - 1)]
        return (((p["best_seat"][at] == p["declarer"][at]) * 3 + about) * 9 + under) * ORDERS + order(card, at)

    def table(rows: Any, key: Key, sights: int) -> Any:
        return _bytes(_means(losses, np.flatnonzero(rows), key, (sights, ORDERS, 8), None, 1, places), 256)

    leads, is_second = p["place"] == 0, (p["place"] == 1) & follows
    return {
        "declarer_lead": table(declares & leads, plain, 6),
        "declarer_second": table(declares & is_second, second, 54),
        "defence_lead": table(~declares & leads, lead, 12),
        "defence_second": table(~declares & is_second, second, 54),
        "defence_discard": table(~declares & ~leads & ~follows & ~here, plain, 6),
    }


def _owners(mine: Ints, second: Ints, third: Ints) -> Ints:
    """`bots.suits.owners` of arrays."""
    number = np.ones(len(mine), dtype=np.int64)
    for rank in range(7, -1, -1):
        digit = (mine >> rank & 1) + 2 * (second >> rank & 1) + 3 * (third >> rank & 1)
        number = np.where(digit > 0, 3 * number + digit - 1, number)
    return number


def misere_tables(p: dict[str, Ints]) -> dict[str, Any]:
    """Leads on misère, the declarer's and those against him."""
    every = np.arange(len(p["seat"]))
    declares = p["seat"] == p["declarer"]
    losses = _losses(p["values"], declares, few=True)
    mine = p["hands"][every, p["seat"]]
    left, right = p["hands"][every, (p["seat"] + 1) % 3], p["hands"][every, (p["seat"] + 2) % 3]
    before_declarer = ((p["seat"] + 1) % 3 == p["declarer"]).astype(np.int64)
    partner = np.where(before_declarer == 1, right, left)
    his = DECK & ~(p["played"] | mine | partner)  # and what he has laid away
    out = DECK & ~(p["played"] | mine | p["discard"])

    def places(second: Ints, third: Ints) -> Key:
        return lambda card, at: _POPCOUNT[_suit(mine[at] | second[at] | third[at], card >> 3) & ((1 << (card & 7)) - 1)]

    def fine(second: Ints, third: Ints, row: Ints) -> Key:
        return lambda card, at: row[at] * OWNERS + _owners(*(_suit(c[at], card >> 3) for c in (mine, second, third)))

    def coarse(here: Ints, there: Ints, row: Ints) -> Key:
        return lambda card, at: row[at] * ORDERS + _ORDER[_suit(here[at], card >> 3), _suit(there[at], card >> 3)]

    leads, nobody = p["place"] == 0, np.zeros(len(mine), dtype=np.int64)
    attack = _means(
        losses, np.flatnonzero(~declares & leads), fine(partner, his, before_declarer), (2, OWNERS, 8),
        coarse(mine | partner, his, before_declarer), 2 * ORDERS, places(partner, his),
    )  # fmt: skip
    lead = _means(
        losses, np.flatnonzero(declares & leads & (p["trick"] > 0)), fine(left, right, nobody), (1, OWNERS, 8),
        coarse(mine, left | right, nobody), ORDERS, places(left, right),
    )  # fmt: skip
    dark = _means(
        losses, np.flatnonzero(declares & leads & (p["trick"] == 0)), coarse(mine, out, nobody), (ORDERS, 8), None, 1, places(out, out)
    )
    return {"misere_attack": _bytes(attack, 64), "misere_lead": _bytes(lead, 64), "misere_dark": _bytes(dark, 64)}


def _fit(parts: Ints, tricks: Floats, group: Ints, groups: int, prior: Floats, weight: float) -> tuple[Floats, Floats]:
    """Numbers per part (of `parts`, (n, 4)) and per group whose sum is nearest to `tricks`; rare parts stay near `prior`."""
    numbers, size = prior.copy(), len(prior)
    count = np.bincount(parts.ravel(), minlength=size)
    members = np.maximum(1, np.bincount(group, minlength=groups))
    base = np.zeros(groups)
    for _ in range(80):
        rest = tricks - numbers[parts].sum(1)
        base = np.bincount(group, rest, groups) / members
        rest = rest - base[group]
        pull = sum(np.bincount(parts[:, k], rest, size) for k in range(4)) + 0.3 * weight * (prior - numbers)
        numbers += 0.35 * pull / (count + weight)  # all four suits move at once: a third of the way
    return numbers, base


def _whole(numbers: Any) -> Any:
    return np.round(np.asarray(numbers) * 256).astype(np.int16)


def _by_suit(table: Callable[[Ints, int], Ints], cards: Ints) -> Ints:
    return np.stack([table(_suit(cards, suit), suit) for suit in range(4)], 1)


def raspas_tables(p: dict[str, Ints]) -> dict[str, Any]:
    """What a standing still brings in raspas, and what being on lead adds."""
    parts = np.stack([_STANDING[_suit(p["hand"], suit), _suit(p["out"], suit)] for suit in range(4)], 1)
    numbers, base = _fit(parts, p["tricks"].astype(np.float64), p["to_go"] * 3 + p["leads"], 33, np.zeros(STANDINGS), 30)
    lead = base.reshape(11, 3)[:, 1] - base.reshape(11, 3)[:, 0]
    return {"raspas": _whole(numbers), "raspas_lead": _whole(lead)}


def word_tables(p: dict[str, Ints]) -> dict[str, Any]:
    """Tricks of a contract from the declarer's ten cards, from those he was dealt, from one defender's."""
    trump = p["trump"]

    def parts(cards: Ints, trumps: Ints) -> Ints:
        return _by_suit(lambda held, suit: held + 256 * np.where(trumps == 4, 2, np.where(trumps == suit, 0, 1)), cards)

    def prior(*by_role: Any) -> Floats:
        return np.concatenate([np.asarray(table) for table in by_role]) / 4

    without = (trump == 4).astype(np.int64)
    counted = prior(novice.AS_TRUMPS, novice.AS_SIDE, novice.WITHOUT_TRUMPS)
    tricks = p["tricks"].astype(np.float64)
    final, final_base = _fit(parts(p["final"], trump), tricks, without, 2, counted, 40)
    dealt, dealt_base = _fit(parts(p["dealt"], trump), tricks, without, 2, counted, 40)
    defenders = parts(np.concatenate([p["hand1"], p["hand2"]]), np.concatenate([trump, trump]))
    level = np.concatenate([p["level"], p["level"]]) - 6
    against = prior(novice.TRUMPS_AGAINST, novice.AGAINST, novice.AGAINST)
    total, total_base = _fit(defenders, 10 - np.concatenate([tricks, tricks]), level, 5, 0.6 * against, 40)
    own, own_base = _fit(defenders, np.concatenate([p["tricks1"], p["tricks2"]]).astype(np.float64), level, 5, against, 40)
    found = {"final": final, "dealt": dealt, "total": total, "own": own}
    bases = {"final_base": final_base, "dealt_base": dealt_base, "total_base": total_base, "own_base": own_base}
    return {name: _whole(table).reshape(3, 256) for name, table in found.items()} | {name: _whole(base) for name, base in bases.items()}


def misere_hand_tables(p: dict[str, Ints]) -> dict[str, Any]:
    """What a holding threatens on misère, and what the sum comes to: how often clean, how many tricks."""
    tricks = p["tricks"].astype(np.float64)
    capped = np.minimum(tricks, 4)
    final, _ = _fit(_by_suit(lambda held, _: held, p["kept"]), capped, p["leader"], 3, 0.5 * _BAD, 15)
    dealt, base = _fit(_by_suit(lambda held, _: held, p["dealt"]), capped, p["leader"], 3, 0.5 * _BAD, 15)
    threat = dealt[_by_suit(lambda held, _: held, p["dealt"])].sum(1) + base[p["leader"]]
    step = np.clip(np.floor(4 * threat).astype(np.int64) + 4, 0, 13)
    count = np.maximum(1, np.bincount(step, minlength=14))
    clean = np.minimum.accumulate(np.where(np.bincount(step, minlength=14) == 0, 1, np.bincount(step, tricks == 0, 14) / count))
    taken = np.maximum.accumulate(np.bincount(step, tricks, 14) / count)
    return {
        "misere_final": _whole(final),
        "misere_dealt": _whole(dealt),
        "misere_base": _whole(base),
        "misere_clean": np.round(4096 * clean).astype(np.int16),
        "misere_tricks": _whole(taken),
    }
