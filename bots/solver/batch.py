"""Many positions at once: arrays in, arrays out, all cores, the GIL released.

Every function takes its arguments for n positions as arrays or as one value for all. Results do not depend on the number
of threads. A batch keeps one workspace per thread, made on first use (20 MB each).
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bots.solver.root import AT_LEAST, MISERE_GAME, MOVES, POSITION, VALUE, answer
from bots.solver.workspace import new_workspace
from engine.jit import plain

NO_TRUMP, MISERE = 4, MISERE_GAME  # games beside the trump suits 0..3
CHUNK = 64  # positions a thread takes at a time
INLINE = 8  # fewer positions than this are solved by the calling thread

Positions = NDArray[Any]  # of dtype POSITION

_idle: SimpleQueue[Any] = SimpleQueue()


@contextmanager
def _workspace() -> Iterator[Any]:
    try:
        workspace = _idle.get_nowait()
    except Empty:
        workspace = new_workspace()
    try:
        yield workspace
    finally:
        _idle.put(workspace)


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """The threads of this process: a forked child inherits none."""
    return ThreadPoolExecutor(threads, thread_name_prefix="solver")


def threads_to_use(threads: int | None = None) -> int:
    """As many threads as the process may use cores, unless told otherwise."""
    if threads:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(positions: Positions, mode: int, targets: NDArray[np.int64], out: NDArray[np.int8], threads: int | None = None) -> None:
    """Answer all positions into `out` (see `root.answer`)."""
    n = len(positions)
    records = plain(positions)

    def chunk(begin: int, end: int) -> None:
        with _workspace() as workspace:
            answer(plain(workspace), records, mode, targets, begin, end, out)

    workers = min(threads_to_use(threads), -(-n // INLINE))
    if workers <= 1:
        if n:
            chunk(0, n)
        return
    size = max(1, min(CHUNK, -(-n // workers)))
    for done in [_pool(workers, os.getpid()).submit(chunk, i, min(i + size, n)) for i in range(0, n, size)]:
        done.result()


def positions(
    hands: ArrayLike,
    game: ArrayLike,
    declarer: ArrayLike = 0,
    leader: ArrayLike = 0,
    table: Sequence[ArrayLike] = (),
    talon: Sequence[ArrayLike] = (),
    talon_takes: ArrayLike = False,
    guess: ArrayLike = -1,
) -> Positions:
    """An array of `POSITION` records for n positions.

    hands: (n, 3) card masks, seats clockwise, without the cards on the table; game: 0..3 the trump suit, 4 no trump, 5 misère
    or raspas; declarer: the seat whose tricks are counted (on misère and raspas it wants few, else many); leader: who led the
    trick under way or is to lead; table: none, one or two cards played to it, in order; talon (raspas, `docs/rules.md` 6.2): the
    talon cards that lead this trick and the next; talon_takes: four seats, a talon card can win its trick; guess: the value, if
    you have an idea. Nothing is checked: see `Position` for that.
    """
    masks = np.asarray(hands)
    result = np.zeros(len(masks), dtype=POSITION)
    result["hands"] = masks
    result["table"] = result["talon"] = -1
    for k, card in enumerate(table):
        result["table"][:, k] = card
    for k, card in enumerate(talon):
        result["talon"][:, k] = card
    for name, value in (("game", game), ("declarer", declarer), ("leader", leader), ("talon_takes", talon_takes), ("guess", guess)):
        result[name] = value
    return result


def solve_many(given: Positions, threads: int | None = None) -> NDArray[np.int8]:
    """The declarer's tricks from here on with best play by all, the trick under way included: int8 (n,)."""
    out = np.zeros((len(given), 1), dtype=np.int8)
    run(given, VALUE, np.zeros(0, dtype=np.int64), out, threads)
    return out[:, 0]


def at_least_many(given: Positions, targets: ArrayLike, threads: int | None = None) -> NDArray[np.bool_]:
    """Whether the declarer takes at least `targets` (a number, or one per position) of the tricks: bool (n,). Cheaper than values."""
    wanted = np.ascontiguousarray(np.broadcast_to(np.asarray(targets, dtype=np.int64), (len(given),)))
    out = np.zeros((len(given), 1), dtype=np.int8)
    run(given, AT_LEAST, wanted, out, threads)
    return out[:, 0] == 1


def values_of_moves(given: Positions, threads: int | None = None) -> NDArray[np.int8]:
    """The declarer's tricks after each card of the seat in turn: int8 (n, 32), -1 where the card is not legal."""
    out = np.zeros((len(given), 32), dtype=np.int8)
    run(given, MOVES, np.zeros(0, dtype=np.int64), out, threads)
    return out
