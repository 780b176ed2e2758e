"""`preferans odds`: the distribution of the declarer's double-dummy tricks over what the others may hold.

With the discard known twenty cards are unknown, and all C(20, 10) = 184,756 ways to share them between two defenders are solved:
the odds are exact. Before the talon twenty-two are unknown and the ways are sampled. Seats: 0 the declarer, 1 and 2 clockwise.
Results are kept on disk, so that the same question is answered at once.
"""

import hashlib
import json
import math
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from engine import cards, contracts

LAYOUTS = math.comb(20, 10)
SAMPLES = 20_000  # layouts before the talon
DISCARD_SAMPLES = 1_000  # layouts for each of the 66 discards, the same for all
Z95 = 1.959963984540054

Progress = Callable[[int, int], None]  # done, of how many


class OddsError(ValueError):
    """A question that cannot be answered; the message says what is wrong and what is allowed."""


@frozen
class Question:
    """A hand of ten cards, two discarded cards or none (before the talon), the contract and who leads."""

    hand: int
    discard: int
    contract: int  # a rung
    leader: int

    @property
    def game(self) -> int:
        from bots.solver.batch import MISERE

        return MISERE if self.contract == contracts.MISERE else contracts.TRUMP[self.contract]

    @property
    def unknown(self) -> NDArray[np.int64]:
        """The cards that others may hold, lowest first."""
        return np.array(list(cards.cards_of(cards.DECK & ~(self.hand | self.discard))))

    def makes(self, tricks: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which numbers of the declarer's tricks make the contract."""
        made: NDArray[np.bool_] = tricks == 0 if self.contract == contracts.MISERE else tricks >= contracts.LEVEL[self.contract]
        return made


def _mask(name: str, text: str) -> int:
    try:
        return cards.parse_hand(text)
    except cards.CardError as fault:
        raise OddsError(f"the {name}: {fault}") from None


def question(hand: str, contract: str, discard: str | None = None, leader: int = 0, best_discard: bool = False) -> Question:
    """A checked question; with `best_discard` the hand keeps its twelve cards."""
    held = _mask("hand", hand)
    thrown = _mask("discard", discard) if discard else 0
    try:
        rung = contracts.parse_contract(contract)
    except contracts.ContractError as fault:
        raise OddsError(str(fault)) from None
    if leader not in (0, 1, 2):
        raise OddsError(f"leader {leader} is not a seat: 0 is the declarer, 1 and 2 the defenders clockwise")
    count = held.bit_count()
    if best_discard:
        if thrown:
            raise OddsError("--discard and --best-discard exclude each other")
        if count != 12:
            raise OddsError(f"the hand has {count} cards: the best discard is looked for in the twelve cards after the talon")
        return Question(held, 0, rung, leader)
    if thrown and thrown.bit_count() != 2:
        raise OddsError(f"the discard has {thrown.bit_count()} cards: two cards are discarded")
    if count == 12:
        if not thrown:
            raise OddsError("the hand has twelve cards: say which two are thrown with --discard, or ask for --best-discard")
        if thrown & ~held:
            stranger = cards.card_text(next(cards.cards_of(thrown & ~held)))
            raise OddsError(f"{stranger} cannot be discarded: it is not among the twelve cards")
        return Question(held & ~thrown, thrown, rung, leader)
    if count != 10:
        raise OddsError(f"the hand has {count} cards: it has ten, or twelve of which two are discarded")
    if thrown & held:
        both = cards.card_text(next(cards.cards_of(thrown & held)))
        raise OddsError(f"{both} is both in the hand of ten and in the discard: give the ten cards kept, or all twelve")
    return Question(held, thrown, rung, leader)


def all_layouts(unknown: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Every way to give ten of the twenty unknown cards to seat 1 and the rest to seat 2: uint32 (184756, 2)."""
    first = np.zeros(LAYOUTS, dtype=np.uint32)
    bits = (1 << unknown).astype(np.uint32)
    chosen = np.fromiter((i for ten in combinations(range(20), 10) for i in ten), dtype=np.int64, count=10 * LAYOUTS).reshape(-1, 10)
    for k in range(10):
        first |= bits[chosen[:, k]]
    return np.stack([first, np.uint32(bits.sum()) ^ first], axis=1)


def sampled_layouts(unknown: NDArray[np.int64], n: int, seed: int) -> NDArray[np.uint32]:
    """n independent uniform layouts of the unknown cards, ten to seat 1 and ten to seat 2: uint32 (n, 2)."""
    rng = np.random.Generator(np.random.PCG64(seed))
    order = np.argsort(rng.random((n, len(unknown))), axis=1)
    bits = (1 << unknown).astype(np.uint32)[order]
    return np.stack([np.bitwise_or.reduce(bits[:, :10], axis=1), np.bitwise_or.reduce(bits[:, 10:20], axis=1)], axis=1)


def tricks_over(
    hand: int, game: int, leader: int, layouts: NDArray[np.uint32], progress: Progress | None = None, threads: int | None = None
) -> NDArray[np.int8]:
    """The declarer's tricks in every layout, int8 (n,)."""
    from bots.solver.batch import positions, solve_many

    n = len(layouts)
    result = np.zeros(n, dtype=np.int8)
    step = 4096
    for begin in range(0, n, step):
        part = layouts[begin : begin + step]
        hands = np.concatenate([np.full((len(part), 1), hand, dtype=np.uint32), part], axis=1)
        result[begin : begin + step] = solve_many(positions(hands, game, 0, leader), threads)
        if progress:
            progress(min(begin + step, n), n)
    return result


def _chance(made: int, n: int, exact: bool) -> dict[str, Any]:
    """A chance, with its 95 % interval (Wilson's) if it was sampled."""
    share = made / n
    if exact:
        return {"chance": share}
    middle = (share + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
    half = Z95 / (1 + Z95**2 / n) * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    return {"chance": share, "ci95": [middle - half if made else 0.0, middle + half if made < n else 1.0]}


def _cache_file(key: dict[str, Any]) -> Path | None:
    """Where the answer to a question is kept; the name covers the solver's sources, so that no answer outlives a change to it."""
    import bots.solver
    from engine.jit import cache_root

    digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode())
    for source in sorted(Path(bots.solver.__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    folder = cache_root() / "odds"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / f"{digest.hexdigest()[:32]}.json"


def _kept(key: dict[str, Any], count: Callable[[], list[int]]) -> list[int]:
    file = _cache_file(key)
    if file is not None and file.exists():
        try:
            kept: list[int] = json.loads(file.read_text())["counts"]
            return kept
        except (ValueError, KeyError, OSError):
            pass  # a torn file: count again
    counts = count()
    if file is not None:
        with suppress(OSError):  # nothing is remembered where nothing can be written
            file.write_text(json.dumps({**key, "counts": counts}))
    return counts


def odds(
    asked: Question, samples: int = SAMPLES, seed: int = 0, progress: Progress | None = None, threads: int | None = None
) -> dict[str, Any]:
    """The distribution of the declarer's tricks: exact with the discard known, sampled before the talon.

    Answer: `hand`, `discard`, `contract`, `leader`, `exact`, `layouts`, `counts` (eleven numbers of layouts, by tricks), `mean`,
    `makes` (`chance` and, if sampled, `ci95`).
    """
    exact = asked.discard != 0

    def count() -> list[int]:
        unknown = asked.unknown
        layouts = all_layouts(unknown) if exact else sampled_layouts(unknown, samples, seed)
        tricks = tricks_over(asked.hand, asked.game, asked.leader, layouts, progress, threads)
        return [int(count) for count in np.bincount(tricks, minlength=11)]

    key: dict[str, Any] = {"hand": asked.hand, "discard": asked.discard, "game": asked.game, "leader": asked.leader}
    if not exact:
        key |= {"samples": samples, "seed": seed}
    counts = _kept(key, count)
    n = sum(counts)
    made = sum(c for c, good in zip(counts, asked.makes(np.arange(11)), strict=True) if good)
    return {
        "hand": cards.hand_text(asked.hand),
        "discard": cards.hand_text(asked.discard) or None,
        "contract": contracts.contract_text(asked.contract),
        "leader": asked.leader,
        "exact": exact,
        "layouts": n,
        "counts": counts,
        "mean": sum(t * c for t, c in enumerate(counts)) / n,
        "makes": _chance(made, n, exact),
    }


def best_discards(
    asked: Question, samples: int = DISCARD_SAMPLES, seed: int = 0, progress: Progress | None = None, threads: int | None = None
) -> dict[str, Any]:
    """All 66 discards of twelve cards over the same sampled layouts, best first: by the chance to make the contract, then by mean tricks.

    Each discard has `discard`, `chance`, `ci95` (Wilson's), `mean` and `mean_ci95`.
    """
    layouts = sampled_layouts(asked.unknown, samples, seed)
    pairs = list(combinations(cards.cards_of(asked.hand), 2))

    def count() -> list[int]:
        flat: list[int] = []
        for done, pair in enumerate(pairs, 1):
            tricks = tricks_over(asked.hand & ~cards.mask_of(pair), asked.game, asked.leader, layouts, None, threads)
            flat += np.bincount(tricks, minlength=11).tolist()
            if progress:
                progress(done, len(pairs))
        return flat

    key = {"twelve": asked.hand, "game": asked.game, "leader": asked.leader, "samples": samples, "seed": seed}
    table = np.array(_kept(key, count)).reshape(len(pairs), 11)
    numbers = np.arange(11)
    good = asked.makes(numbers)
    rows = []
    for pair, counts in zip(pairs, table, strict=True):
        mean = float(counts @ numbers) / samples
        spread = math.sqrt(max(0.0, float(counts @ numbers**2) / samples - mean * mean) / samples)
        row: dict[str, Any] = {"discard": cards.hand_text(cards.mask_of(pair)), **_chance(int(counts[good].sum()), samples, False)}
        rows.append(row | {"mean": mean, "mean_ci95": [mean - Z95 * spread, mean + Z95 * spread]})
    sign = 1 if asked.contract == contracts.MISERE else -1
    rows.sort(key=lambda row: (-row["chance"], sign * row["mean"]))
    return {
        "hand": cards.hand_text(asked.hand),
        "contract": contracts.contract_text(asked.contract),
        "leader": asked.leader,
        "layouts": samples,
        "discards": rows,
    }
