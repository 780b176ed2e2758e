"""`preferans raspas`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from lab.errors import UsageError
from lab.simulate import cores, options_of


class Study(StrEnum):
    """What is studied."""

    hands = "hands"
    strategies = "strategies"
    talon = "talon"
    pass_or_play = "pass-or-play"
    seats = "seats"


# module of lab.raspas, bots by default, deals by default, the smallest number of deals that makes sense
STUDIES: dict[Study, tuple[str, str, int, int]] = {
    Study.hands: ("hands", "novice", 122_880, 3072),
    Study.strategies: ("strategies", "novice,random", 40_000, 2),
    Study.talon: ("talon", "novice", 100_000, 2),
    Study.pass_or_play: ("pass_or_play", "novice", 300_000, 12),
    Study.seats: ("places", "novice", 60_000, 2),
}
MOST = 100_000_000


@contextmanager
def _progress() -> Iterator[Any]:
    """Bars on stderr where a person watches, one for each stage."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.advance(tasks[what], done)

        yield tell


def _whole(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise UsageError(f"{name} {value} is not allowed; allowed: a whole number from {low} to {high}")
    return value


def _hand(text: str | None, study: Study) -> int:
    from engine import cards

    if text is None:
        return 0
    if study is not Study.pass_or_play:
        raise UsageError(f"--hand belongs to the study {Study.pass_or_play}, not to {study}")
    try:
        hand = cards.parse_hand(text)
    except cards.CardError as error:
        raise UsageError(f"--hand: {error}") from None
    if hand.bit_count() != 10:
        raise UsageError(f"--hand {text!r} has {hand.bit_count()} cards; a hand has 10")
    return hand


def _bots(given: str, study: Study) -> tuple[str, ...]:
    names = tuple(name.strip() for name in given.split(","))
    wanted = 2 if study is Study.strategies else 1
    if len(names) != wanted or not all(names):
        allowed = "two, such as novice,random" if wanted == 2 else "one, which sits at every seat"
        raise UsageError(f"--bots {given!r} is not allowed in the study {study}; allowed: {allowed}")
    return names


def raspas(
    study: Annotated[Study, typer.Argument(help="What is studied.")],
    convention: Annotated[str, typer.Option(help="A convention's name or the path of a .toml file.")] = "piter",
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE: an option of the convention; may be given several times.")] = None,
    seats: Annotated[int | None, typer.Option(help="3 or 4. [the smallest the convention has; the study seats takes all]")] = None,
    deals: Annotated[int | None, typer.Option(help="How many deals are played. [enough for a minute or two]")] = None,
    seed: Annotated[int, typer.Option(help="Cards and bots' chances follow from it.")] = 1,
    bots: Annotated[str | None, typer.Option(help="The bot that plays; strategies compares two. [novice; novice,random]")] = None,
    hand: Annotated[str | None, typer.Option(help="pass-or-play: one hand of ten cards, such as 'SAKQ CT97 D8 HA97'.")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads. [one for each core]")] = None,
    out: Annotated[Path | None, typer.Option(help="Leave dataset (Parquet), plot (SVG) and page (Markdown) in this directory.")] = None,
) -> int:
    """Study raspas alone: what hands, strategies, the talon's lead, a pass and a seat are worth.

    hands: tricks and chance of none by suit holding. strategies: two bots on the same deals. talon: the same deals with the talon
    leading and closed. pass-or-play: passing out against the lowest contract, to the end of the pulka. seats: first, second, third
    hand and dealer. Prints the page of findings; figures carry 95 % intervals.
    """
    import importlib

    from conventions import catalogue, files
    from conventions.parameters import ConventionError
    from lab.raspas.common import Findings, Question
    from lab.raspas.plots import available

    module, default_bots, default_deals, fewest = STUDIES[study]
    options = options_of(option) or {}
    try:
        base = files.find(convention)
        counts = base.seats_allowed() if study is Study.seats and seats is None else (seats or base.seats_allowed()[0],)
        chosen = [catalogue.get(base, count, options) for count in counts]
    except ConventionError as error:
        raise UsageError(str(error)) from None
    if out:
        available()
    with _progress() as tell:
        question = Question(
            convention=chosen[0],
            options=options,
            seat_counts=counts,
            bots=_bots(default_bots if bots is None else bots, study),
            deals=_whole("--deals", default_deals if deals is None else deals, fewest, MOST),
            seed=_whole("--seed", seed, 0, 2**63 - 1),
            workers=_whole("--workers", cores() if workers is None else workers, 1, 1024),
            hand=_hand(hand, study),
            progress=tell,
        )
        findings: Findings = importlib.import_module(f"lab.raspas.{module}").study(question)
        paths = findings.write(out, question) if out else []
    sys.stdout.write(findings.text(question))
    if paths:
        print("\nwritten: " + ", ".join(str(path) for path in paths))
    return 0
