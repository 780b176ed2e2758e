"""Carrying a league out: blocks of sets on an executor, taken in in their order, kept in a directory, stopped cleanly."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any, cast

from lab.league_directory import LeagueDirectory
from lab.league_play import Players, Sets
from lab.league_standings import Standings
from lab.run import play_blocks
from lab.session import progress_bar

MOST_FAILURES = 1000  # failed pulkas after which there is no sense in going on


def given_up(standings: Standings) -> bool:
    """Whether bots have failed so often that the league ended there."""
    return sum(standings.failed) >= MOST_FAILURES


def carry_out(
    players: Players,
    executor: Executor,
    window: int,
    wanted: int,
    standings: Standings,
    directory: LeagueDirectory | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Fill `standings` with what `directory` holds and with what is left of `wanted` sets.

    Ends early when the test decides, when bots have failed too often, or once `stop` is set. `window`: blocks under way at once.
    """
    league = players.league
    if directory is not None:
        for sets in directory.stored(league):
            standings.take(sets)
    if standings.decided or given_up(standings):
        return
    done = standings.sets
    with progress_bar(max(done, wanted) * len(league.seatings), done * len(league.seatings)) as advance:
        for sets in _blocks(players, executor, window, wanted, done, stop or threading.Event()):
            fresh = sets.part(max(0, done - sets.first), len(sets))
            taken = standings.take(fresh)
            if directory is not None:
                directory.add(fresh.part(0, taken))
            advance(taken * len(league.seatings))
            if standings.decided or given_up(standings):
                return


def _blocks(players: Players, executor: Executor, window: int, wanted: int, done: int, stop: threading.Event) -> Iterator[Sets]:
    """The blocks with sets that are not done yet; one that is done in part is played anew from its beginning, as it was."""
    size = players.league.block
    ranges = ((at, min(size, wanted - at)) for at in range(done // size * size, wanted, size))
    play: Any = players.play  # `play_blocks` only hands on what a block comes to
    return cast(Iterator[Sets], play_blocks(executor, play, ranges, window, stop))
