"""Pulkas of a case played by one bot at every seat, from a fixed seed, and what they amount to."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from benchmarks.rules import modest
from benchmarks.rules.cases import Case
from benchmarks.rules.kernels import fingerprints
from bots import catalogue
from conventions.catalogue import PRESETS
from conventions.settlement import settle_tables
from engine import jit
from engine.batch import Setup, play_block
from engine.terms import Terms

BOTS = ("random", "novice")
DEFAULT_BOTS = (*BOTS, "modest")  # `modest` (see there) brings about what the others seldom do; it plays the default cases
SEED = 20
DEALS = 10_000  # at least so many of each case and bot
BLOCK = 64  # pulkas
MODEST = Path(__file__).parent / "modest.py"

Array = np.ndarray[Any, Any]


@attrs.frozen(eq=False)
class Played:
    """Deals in order of pulka and deal: `at` (n, 2) their numbers from 0, `checks` (n,) 64-bit, `entries` (n, columns) sixths."""

    target: int
    pulkas: int
    at: Array
    checks: Array
    entries: Array
    results: Array  # (pulkas, 4) numerators over `conventions.settlement.DENOMINATOR`
    faults: int

    @property
    def digest(self) -> str:
        """sha256 of the target, the deals' contents and what each pulka settled to."""
        told = hashlib.sha256(f"target {self.target}".encode())
        for array, kind in ((self.at, "<i4"), (self.checks, "<u8"), (self.results, "<i8")):
            told.update(np.ascontiguousarray(array.astype(kind)).tobytes())
        return told.hexdigest()


def bots_of(case: Case) -> tuple[str, ...]:
    """Who plays a case."""
    return BOTS if case.options else DEFAULT_BOTS


def versions() -> dict[str, str]:
    """The versions of the bots that play; `modest` changes with the novice whose cards it plays."""
    named = {bot: catalogue.BOTS[bot].version for bot in BOTS}
    return named | {"modest": f"{modest.VERSION}+{named['novice']}"}


def columns(seats: int) -> list[str]:
    """What the columns of an entry row are."""
    whists = [f"whists of {a} on {b}" for a in range(seats) for b in range(seats) if a != b]
    return [f"{part} of {seat}" for part in ("pool", "mountain") for seat in range(seats)] + whists


def setup(terms: Terms, convention: str, bot: str) -> Setup:
    """`novice` plays the convention's own pulka to its end; the others hardly close a pool: they play to 2, cut after 40 deals."""
    player = catalogue.load(f"{MODEST}:{bot}" if bot == "modest" else bot, terms.rules)
    target, limit = (PRESETS[convention].default_target, 5_000) if bot == "novice" else (2, 40)
    return Setup(terms, (player,), ((0,) * terms.seats,), seed=SEED, target=target, limit=limit)


def play(setup_: Setup, pulkas: int | None = None, deals: int = DEALS, stop: Callable[[Played], bool] | None = None) -> Played:
    """Play so many pulkas, or as many blocks as give `deals` deals; `stop` may end it after a block."""
    seats = setup_.terms.seats
    blocks: list[Played] = []
    done = dealt = 0
    while done < pulkas if pulkas is not None else dealt < deals:
        blocks.append(_block(setup_, done, BLOCK if pulkas is None else min(BLOCK, pulkas - done), seats))
        done += blocks[-1].pulkas
        dealt += len(blocks[-1].at)
        if stop is not None and stop(blocks[-1]):
            break
    return Played(
        setup_.target,
        done,
        np.concatenate([b.at for b in blocks]),
        np.concatenate([b.checks for b in blocks]),
        np.concatenate([b.entries for b in blocks]),
        np.concatenate([b.results for b in blocks]),
        sum(b.faults for b in blocks),
    )


def _block(setup_: Setup, first: int, count: int, seats: int) -> Played:
    numbers: list[Array] = []
    checks: list[Array] = []
    entries: list[Array] = []

    def on_deals(rows: Array) -> None:
        numbers.append(np.stack([rows["pulka"], rows["deal_no"] - 1], axis=1).astype(np.int32))
        checks.append(np.zeros(len(rows), dtype=np.uint64))
        entries.append(np.zeros((len(rows), len(columns(seats))), dtype=np.int32))
        fingerprints(jit.plain(rows), jit.plain(checks[-1]), jit.plain(entries[-1]), 0)

    block = play_block(setup_, first, count, on_deals)
    at = np.concatenate(numbers)
    order = np.lexsort((at[:, 1], at[:, 0]))
    rules = setup_.terms.rules
    results = settle_tables(block.tables, int(rules["pool_worth"][0]), int(rules["mountain_worth"][0]))
    return Played(
        setup_.target, count, at[order], np.concatenate(checks)[order], np.concatenate(entries)[order], results, len(block.failures)
    )


def deals_of(setup_: Setup, pulka: int) -> Array:
    """One pulka again, with everything its deals were: `TABLE` records in order."""
    kept: list[Array] = []
    play_block(setup_, pulka, 1, lambda rows: kept.append(rows.copy()))
    return np.concatenate(kept)
