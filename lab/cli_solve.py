"""`preferans solve`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lab.errors import LabError
from lab.lines import opened, say

FileArgument = Annotated[str, typer.Argument(help="A file of positions, JSON Lines; - reads standard input.")]


def _told(answer: dict[str, Any]) -> str:
    """An answer in words."""
    if "paranoid" in answer:
        return "paranoid " + " ".join(map(str, answer["paranoid"]))
    text = f"{answer['tricks']} tricks"
    if "moves" in answer:
        text += "; after " + ", ".join(f"{card} {value}" for card, value in answer["moves"].items())
        text += f"; best play {' '.join(answer['line'])}"
    return text


def solve(
    file: FileArgument = "-",
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object a line.")] = False,
    moves: Annotated[bool, typer.Option("--moves", help="Also the value after each legal card, the best cards and a line.")] = False,
) -> int:
    """Best play with all cards known: how many tricks the declarer takes (raspas: what each seat takes against two).

    A position is {"hands": ["SAKQ …", "…", "…"], "contract": "6S" | "misere" | "raspas", "declarer": 1, "leader": 0}; a trick under
    way adds "table": ["SA"], raspas with the talon led "talon": ["D9", "HK"] and, with four seats, "talon_takes": true.
    """
    from lab.solving import solve_lines

    faults = positions = 0
    with opened(file) as lines:
        for answer in solve_lines(lines, moves):
            positions += 1
            faults += "error" in answer
            if as_json:
                say(answer)
            elif "error" in answer:
                print(f"line {answer['line']}: {answer['error']}")
            else:
                print(_told(answer))
    if not positions and not as_json:
        raise LabError(f"{file} holds no position")
    return 1 if faults else 0
