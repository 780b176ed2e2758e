"""`preferans simulate`: a run from flags or a file, on all cores, into a directory if wanted."""

from __future__ import annotations

import json
import os
import sys
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer

from conventions import catalogue
from conventions.parameters import ConventionError
from lab.errors import UsageError


def simulate(
    run: Annotated[Path | None, typer.Argument(help="A run as a .toml or .json file, such as run.json of a finished one.")] = None,
    convention: Annotated[str | None, typer.Option(help="A convention's name or the path of a .toml file. [piter]")] = None,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE: an option of the convention; may be given several times.")] = None,
    seats: Annotated[int | None, typer.Option(help="3 or 4. [3, but 4 in skachki]")] = None,
    target: Annotated[int | None, typer.Option(help="The pool is played to so many points. [the convention's]")] = None,
    bots: Annotated[str | None, typer.Option(help="One bot for each seat, such as novice,random,random, or one for all. [novice]")] = None,
    pulkas: Annotated[int | None, typer.Option(help="How many pulkas. [1000]")] = None,
    seed: Annotated[int | None, typer.Option(help="Cards and bots' chances follow from it. [1]")] = None,
    deal_limit: Annotated[int | None, typer.Option(help="After so many deals a pulka is settled as it stands. [1000]")] = None,
    fixed_seats: Annotated[bool | None, typer.Option("--fixed-seats", help="The bots keep their seats; otherwise they rotate.")] = None,
    duplicate: Annotated[bool | None, typer.Option("--duplicate", help="The same cards under every seating.")] = None,
    allow_oracle: Annotated[bool | None, typer.Option("--allow-oracle", help="Let `oracle` play, who sees all cards.")] = None,
    block: Annotated[int | None, typer.Option(help="Pulkas to a block, the piece that a worker plays. [up to 240]")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads. [one for each core]")] = None,
    executor: Annotated[str, typer.Option(help="threads, or dask:ADDRESS for a Dask cluster.")] = "threads",
    out: Annotated[Path | None, typer.Option(help="Keep the run in this directory.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the unfinished run in --out.")] = False,
    records: Annotated[int | None, typer.Option(help="Keep the records of so many pulkas, from the first. [0]")] = None,
    deals: Annotated[bool | None, typer.Option("--deals", help="Keep a row for each deal.")] = None,
    report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html into the directory.")] = True,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Play bots against each other by the thousand or the million, and report.

    Ctrl-C ends the run cleanly: what is done is reported and kept.
    """
    flags = {
        "convention": convention,
        "options": options_of(option),
        "seats": seats,
        "target": target,
        "bots": bots,
        "pulkas": pulkas,
        "seed": seed,
        "deal_limit": deal_limit,
        "fixed_seats": fixed_seats,
        "duplicate": duplicate,
        "allow_oracle": allow_oracle,
        "block": block,
        "records": records,
        "deals": deals,
    }
    if workers is not None and not 1 <= workers <= 1024:
        raise UsageError(f"workers: {workers} is not allowed; allowed: a whole number from 1 to 1024")
    if out is None:
        for name, given in (("--resume", resume), ("--records", records), ("--deals", deals)):
            if given:
                raise UsageError(f"{name} needs --out DIR, the directory of the run")
    return _simulate(settings(run, flags), workers or cores(), executor, out, resume, report, json_)


def options_of(given: list[str] | None) -> dict[str, str] | None:
    """`--option NAME=VALUE` … as a table; None where there is none."""
    if not given:
        return None
    try:
        return catalogue.split_options(given)
    except ConventionError as error:
        raise UsageError(str(error)) from None


def settings(file: Path | None, flags: dict[str, Any]) -> dict[str, Any]:
    """What a file says of a run, and above it what flags say; options are taken together."""
    from lab.description import read_file

    content = read_file(file) if file else {}
    said = {name: value for name, value in flags.items() if value is not None}
    if "options" in said and "options" in content and isinstance(content["options"], dict):
        said["options"] = content["options"] | said["options"]
    changed = set(said) - {"records", "deals", "block"}
    if changed & {"convention", "seats"} and "format" in content:
        content.pop("definition", None)
        content.pop("convention_version", None)
    return content | said


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def make_executor(name: str, workers: int) -> tuple[Executor, int, bool]:
    """The executor that a name means, how many blocks should be under way at once, and whether they run in other processes."""
    if name == "threads":
        return ThreadPoolExecutor(workers), 2 * workers, False
    if name.startswith("dask:"):
        from lab.dask_executor import connect

        return *connect(name.removeprefix("dask:")), True
    raise UsageError(f"executor: {name!r} is not known; allowed: threads, or dask:ADDRESS")


def _simulate(given: dict[str, Any], workers: int, executor_name: str, out: Path | None, resume: bool, report: bool, json_: bool) -> int:
    from lab import printing, session
    from lab.description import describe
    from lab.directory import Directory
    from lab.run import Run
    from lab.summary import summarise

    run = Run(describe(given))
    directory = Directory(out, run.as_json(), resume) if out else None
    if directory and directory.complete:
        totals, summary, stopped = session.taken_up(run, directory), directory.summary(), False
    else:
        stop = threading.Event()
        executor, window, remote = make_executor(executor_name, workers)
        if not remote:
            _warm_up(run)
        with session.stop_on_signals(stop):
            play = session.Elsewhere(run) if remote else run.play
            try:
                totals = session.carry_out(run, executor, window, directory, stop, play)
            finally:
                executor.shutdown(wait=False)  # what waits has been called off
            stopped = totals.standings.pulkas < run.description.pulkas
            summary = summarise(totals, stopped)
            if directory:
                directory.finish(summary, not stopped)
                if report and not stopped:
                    _report(directory.path)
    if json_:
        print(json.dumps(summary, ensure_ascii=False))
    else:
        histograms = dict(zip(run.description.players, totals.standings.results, strict=True))
        printing.show(summary, {bot: dict(counts) for bot, counts in histograms.items()}, console())
    if stopped and out:
        print(f"preferans simulate: stopped; go on with the same command and --resume (directory {out})", file=sys.stderr)
    return 130 if stopped else 1 if summary["failures_in_all"] else 0


def _report(path: Path) -> None:
    """report.html, with pictures where the extra `report` is installed."""
    from lab.loading import load
    from lab.report import write

    write([load(path)])


def console() -> Any:
    """Where a person reads; a pipe or a file gets lines wide enough for every table. Names and errors of bots are shown as they are."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 120, markup=False, emoji=False)


def _warm_up(run: Any) -> None:
    """Compile before the clock starts, and say so to whoever waits."""
    from rich.console import Console

    with Console(stderr=True).status("making the rules ready (compiled once)"):
        run.warm_up()
