"""`preferans odds`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from lab.errors import UsageError
from lab.lines import say

BAR = 40  # characters of the longest bar


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr where a person watches, nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _percent(row: dict[str, Any]) -> str:
    text = f"{row['chance']:.2%}"
    if "ci95" in row:
        text += " ({:.2%} to {:.2%})".format(*row["ci95"])
    return text


def _leads(leader: int) -> str:
    return "the declarer leads" if leader == 0 else f"seat {leader} leads"


def _print_odds(answer: dict[str, Any]) -> None:
    how = f"all {answer['layouts']:,} layouts" if answer["exact"] else f"a sample of {answer['layouts']:,} layouts, the talon unknown"
    thrown = f", {answer['discard']} discarded" if answer["discard"] else ""
    print(f"{answer['hand']}{thrown}: {answer['contract']}, {_leads(answer['leader'])}; {how}")
    most = max(answer["counts"])
    for tricks, count in enumerate(answer["counts"]):
        if count:
            print(f"{tricks:>3}  {count / answer['layouts']:>7.2%}  {'█' * round(BAR * count / most) or '▏'}")
    verb = "is not caught" if answer["contract"] == "misere" else "makes"
    print(f"mean {answer['mean']:.3f} tricks; {answer['contract']} {verb}: {_percent(answer['makes'])}")


def _print_discards(answer: dict[str, Any]) -> None:
    print(f"{answer['hand']}: {answer['contract']}, {_leads(answer['leader'])}")
    print(f"the best of 66 discards over the same {answer['layouts']:,} sampled layouts")
    for row in answer["discards"][:12]:
        low, high = row["mean_ci95"]
        print(f"  {row['discard']:<8} {_percent(row):<28} mean {row['mean']:.3f} ({low:.3f} to {high:.3f}) tricks")


def odds(
    hand: Annotated[str, typer.Argument(help="Ten cards, or the twelve after the talon: 'SAKQ CT97 D8 HA97'.")],
    contract: Annotated[str, typer.Option(help="6S … 10N, or misere.")],
    discard: Annotated[str | None, typer.Option(help="The two cards thrown; without them the talon is unknown, the odds sampled.")] = None,
    leader: Annotated[int, typer.Option(help="Who leads: 0 the declarer, 1 and 2 the defenders clockwise.")] = 0,
    best_discard: Annotated[bool, typer.Option("--best-discard", help="Try all 66 discards of twelve cards.")] = False,
    samples: Annotated[int | None, typer.Option(help="Layouts to sample: before the talon, or for each discard.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampled layouts.", min=0)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> int:
    """How many tricks a hand takes over everything the others may hold, with best play by all and all cards known.

    With the discard known all 184,756 layouts of the other twenty cards are solved and the odds are exact.
    """
    from lab.odds import DISCARD_SAMPLES, SAMPLES, OddsError, best_discards, odds, question

    try:
        asked = question(hand, contract, discard, leader, best_discard)
    except OddsError as fault:
        raise UsageError(str(fault)) from None
    with _progress("solving") as progress:
        if best_discard:
            answer = best_discards(asked, samples or DISCARD_SAMPLES, seed, progress)
        else:
            answer = odds(asked, samples or SAMPLES, seed, progress)
    if as_json:
        say(answer)
    elif best_discard:
        _print_discards(answer)
    else:
        _print_odds(answer)
    return 0
