"""`preferans replay` and `preferans show`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from engine.record import exact
from lab.errors import LabError, UsageError
from lab.lines import each_line, opened, say

FileArgument = Annotated[str, typer.Argument(help="A file of records, JSON Lines, one pulka a line; - reads standard input.")]


def _answer(value: Any) -> dict[str, Any]:
    from lab.replaying import check

    checked = check(value)
    return {
        "ok": True,
        "convention": checked.record.convention,
        "seats": checked.record.seats,
        "deals": len(checked.record.deals),
        "finished": bool(checked.game.table["finished"][0]),
        "result": [str(exact(r)) for r in checked.record.result],
    }


def replay(
    file: FileArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object a line.")] = False,
) -> int:
    """Play recorded pulkas through the engine and check every action, entry and result."""
    pulkas = deals = faults = 0
    with opened(file) as lines:
        for number, answer in enumerate(each_line(lines, _answer), 1):
            pulkas += 1
            deals += answer.get("deals", 0)
            faults += "error" in answer
            if as_json:
                say(answer)
            elif "error" in answer:
                print(f"pulka {number}: {answer['error']}")
    if not as_json:
        if not pulkas:
            raise LabError(f"{file} holds no record")
        right = "every action, entry and result is right" if not faults else f"{faults} of them with a fault"
        print(f"{pulkas} pulka{'s' * (pulkas != 1)}, {deals} deals replayed: {right}")
    return 1 if faults else 0


def show(
    file: FileArgument,
    pulka: Annotated[int, typer.Option(help="Which pulka of the file, from 1.", min=1)] = 1,
    deal: Annotated[int | None, typer.Option(help="Only this deal, from 1.", min=1)] = None,
) -> int:
    """Print a recorded pulka deal by deal."""
    from lab.showing import deal_text, headline, sheet_text

    with opened(file) as lines:
        text = next((line for number, line in enumerate((x for x in lines if x.strip()), 1) if number == pulka), None)
    if text is None:
        raise UsageError(f"{file} has no pulka {pulka}")
    checked_or_fault: list[dict[str, Any]] = []

    def answer(value: Any) -> dict[str, Any]:
        from lab.replaying import check

        return {"checked": check(value)}

    checked_or_fault.extend(each_line([text], answer))
    found = checked_or_fault[0]
    if "error" in found:
        raise LabError(f"pulka {pulka}: {found['error']}")
    checked = found["checked"]
    count = len(checked.record.deals)
    if deal is not None and deal > count:
        raise UsageError(f"pulka {pulka} of {file} has {count} deals; there is no deal {deal}")
    print(headline(checked))
    for number in range(1, count + 1) if deal is None else (deal,):
        print()
        print(deal_text(checked, number))
    print()
    print(sheet_text(checked))
    return 0
