"""`preferans league`: bots ranked on duplicate sets."""

from __future__ import annotations

import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer

from lab.errors import UsageError
from lab.simulate import console, cores, options_of

SPRT = "LOW,HIGH: end once it is clear whether the first bot less the second wins at most LOW or at least HIGH whists a pulka."


def league(
    bots: Annotated[str, typer.Option(help="Two bots or more, such as club,my_bot.py:MyBot,random or 'novice,exec:./mybot --flag'.")],
    convention: Annotated[str | None, typer.Option(help="A convention's name or the path of a .toml file. [piter]")] = None,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE: an option of the convention; may be given several times.")] = None,
    seats: Annotated[int | None, typer.Option(help="3 or 4. [3]")] = None,
    target: Annotated[int | None, typer.Option(help="The pool is played to so many points. [the convention's]")] = None,
    sets: Annotated[int, typer.Option(help="How many duplicate sets (with --sprt: at most).", min=1)] = 100,
    seed: Annotated[int | None, typer.Option(help="Cards and bots' chances follow from it. [1]")] = None,
    deal_limit: Annotated[int | None, typer.Option(help="A pulka not closed after so many deals is settled as it stands. [1000]")] = None,
    deals: Annotated[int | None, typer.Option(help="Sets of so many deals, settled as they stand, instead of whole pulkas.", min=1)] = None,
    raspas: Annotated[
        bool, typer.Option("--raspas", help="All pass in every auction: raspas alone, in pulkas of 3 deals or --deals.")
    ] = False,
    most_seatings: Annotated[int | None, typer.Option(help="More bots than seats: so many seatings to a set, about. [360]", min=1)] = None,
    sprt: Annotated[str | None, typer.Option(help=SPRT)] = None,
    alpha: Annotated[float, typer.Option(help="The test's chance to accept HIGH where LOW is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="The test's chance to accept LOW where HIGH is true.")] = 0.05,
    check_every: Annotated[int, typer.Option(help="The test looks after each so many sets.")] = 30,
    time_limit: Annotated[float | None, typer.Option(help="Seconds for one decision of a bot that is not compiled. [60]")] = None,
    allow_oracle: Annotated[bool | None, typer.Option("--allow-oracle", help="Let `oracle` play, who sees all cards.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads. [one for each core]", min=1, max=1024)] = None,
    block: Annotated[int | None, typer.Option(help="Sets to a block, the piece that a worker plays.", min=1, max=100_000)] = None,
    out: Annotated[Path | None, typer.Option(help="Keep the sets in this directory.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Add sets to the league in --out, up to --sets in all.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Rank bots on duplicate sets: the same cards under every seating, so that luck of the cards falls on all alike.

    Prints each bot's mean in whists with 95 % intervals by set, its share of wins, a rating, and every pair at the same table.
    Ctrl-C ends the league cleanly: what is done is reported and kept.
    """  # fmt: skip
    from lab.league import MOST_SEATINGS, describe_league
    from lab.sprt import read_sprt

    if resume and out is None:
        raise UsageError("--resume needs --out DIR, the directory of the league")
    if time_limit is not None and not 0 < time_limit < 1e6:
        raise UsageError(f"time-limit: {time_limit:g} is not allowed; allowed: seconds above 0")
    if deals is not None and deal_limit is not None:
        raise UsageError("--deal-limit has no meaning beside --deals, which is the limit of every pulka; leave one out")
    said = {
        "convention": convention,
        "options": options_of(option),
        "seats": seats,
        "target": target,
        "seed": seed,
        "deal_limit": deal_limit,
        "allow_oracle": allow_oracle,
    }
    test = None if sprt is None else read_sprt(sprt, alpha, beta, check_every)
    given = {name: value for name, value in said.items() if value is not None}
    described = describe_league(given, bots.split(","), deals, raspas, most_seatings or MOST_SEATINGS, sets, block)
    return _league(described, test, sets, time_limit, workers or cores(), out, resume, json_, block is None)


def _league(
    described: Any, test: Any, wanted: int, limit: float | None, workers: int, out: Path | None, resume: bool, json_: bool, any_block: bool
) -> int:
    from lab import league_printing, league_session
    from lab.league_directory import LeagueDirectory, with_stored_block
    from lab.league_play import Players
    from lab.league_standings import Standings
    from lab.session import stop_on_signals

    if out is not None and any_block:
        described = with_stored_block(described, out)
    players = Players(described, limit)
    directory = LeagueDirectory(out, players.as_json(), resume) if out else None
    _warm_up(players)
    standings = Standings(described, test)
    stop = threading.Event()
    began = time.monotonic()
    executor = ThreadPoolExecutor(workers)
    with stop_on_signals(stop):
        try:
            league_session.carry_out(players, executor, 2 * workers, wanted, standings, directory, stop)
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
        given_up = league_session.given_up(standings)
        stopped = standings.sets < wanted and not standings.decided and not given_up
        summary = standings.summary(time.monotonic() - began, wanted, stopped or given_up)
        if directory is not None:
            directory.finish(summary)
    if json_:
        print(json.dumps(summary, ensure_ascii=False))
    else:
        league_printing.show(summary, console())
    if given_up:
        print("preferans league: ended early, because bots failed too often", file=sys.stderr)
    elif stopped and out:
        print(f"preferans league: stopped; go on with the same command and --resume (directory {out})", file=sys.stderr)
    return 130 if stopped else 1 if summary["failures_in_all"] else 0


def _warm_up(players: Any) -> None:
    from rich.console import Console

    with Console(stderr=True).status("making the rules ready (compiled once)"):
        players.warm_up()
