"""`preferans conventions`, `preferans score` and `preferans settle`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab.errors import LabError, UsageError
from lab.lines import opened, say

if TYPE_CHECKING:
    from conventions.convention import Convention
    from lab.sheet import Sheet


class Language(StrEnum):
    """What tables and sheets are labelled in."""

    en = "en"
    ru = "ru"


JsonOption = Annotated[bool, typer.Option("--json", help="Answer with one JSON object a line.")]
LanguageOption = Annotated[Language, typer.Option(help="Labels in English or Russian.")]


def _answered(answers: Iterator[dict[str, Any]], as_json: bool, show: Callable[[dict[str, Any]], None]) -> tuple[int, int]:
    """Print every answer; how many there were, and how many of them were errors."""
    count = faults = 0
    for answer in answers:
        if as_json:
            say(answer.get("answer", answer))
        elif "error" in answer:
            print(f"line {answer['line']}: {answer['error']}".encode("utf-8", "backslashreplace").decode("utf-8"))
        else:
            if count:
                print()
            show(answer)
        count += 1
        faults += "error" in answer
    return count, faults


def score(
    file: Annotated[str, typer.Argument(help="A file of protocols, JSON Lines, one pulka a line; - reads standard input.")] = "-",
    as_json: JsonOption = False,
    svg: Annotated[Path | None, typer.Option(help="Draw the sheet of the only protocol into this SVG file.", metavar="FILE")] = None,
    lang: LanguageOption = Language.en,
) -> int:
    """Write the sheet of deals whose outcomes are known, and settle it.

    A protocol is {"convention": "piter", "seats": 3, "target": 10, "deals": [{"dealer": 0, "contract": "6S", "declarer": 1,
    "tricks": [2, 6, 2]}, …]}; docs/interfaces.md has all its fields. Prints the sheet as people draw it, or answers with --json.
    """
    from lab.lines import each_line
    from lab.scoring import score_protocols

    def drawn(content: Any) -> dict[str, Any]:
        from lab.sheet import sheet_of_protocol

        sheet, answer = sheet_of_protocol(content, lang.value)
        return {"sheet": sheet, "answer": answer}

    def show(answer: dict[str, Any]) -> None:
        from lab.sheet_text import print_sheet

        print_sheet(answer["sheet"])

    with opened(file) as lines:
        if svg is None:
            answers = score_protocols(lines) if as_json else each_line(lines, drawn)
            count, faults = _answered(answers, as_json, show)
        else:
            found = list(each_line(lines, drawn))
            if len(found) != 1:
                raise UsageError(f"--svg draws one protocol; {file} holds {len(found) or 'none'}")
            if "sheet" in found[0]:
                _draw(found[0]["sheet"], svg)
            count, faults = _answered(iter(found), as_json, show)
    if not count and not as_json:
        raise LabError(f"{file} holds no protocol")
    return 1 if faults else 0


def _draw(sheet: Sheet, file: Path) -> None:
    from lab.sheet_svg import svg

    try:
        file.write_text(svg(sheet), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror or error}") from None


def settle(
    file: Annotated[str, typer.Argument(help="A file of finished sheets, JSON Lines; - reads standard input.")] = "-",
    as_json: JsonOption = False,
    lang: LanguageOption = Language.en,
) -> int:
    """Settle a finished sheet: the result, and the same by the two ways people use by hand.

    A sheet is {"convention": "sochi", "pool": [10, 10, 10], "mountain": [12, 6, 0], "whists": [[0, 70, 140], [114, 0, 96], [100, 180, 0]]},
    where whists[a][b] is what a has written on b; "pool_worth": 20 overrides the convention's whists for a pool point.
    """
    from lab.lines import each_line
    from lab.scoring import read_sheet, settle_sheets

    def settled(content: Any) -> dict[str, Any]:
        from lab.sheet import Settled, clean_names

        convention, pool, mountain, whists, worth = read_sheet(content)
        players = content.get("players")
        if not (isinstance(players, list) and len(players) == len(pool) and all(isinstance(name, str) for name in players)):
            players = None
        names = clean_names(players, len(pool), lang.value)
        return {"tables": Settled.of(pool, mountain, whists, worth, convention.mountain_worth).tables(names, lang.value)}

    def show(answer: dict[str, Any]) -> None:
        from lab.sheet_text import settlement_text

        print(settlement_text(answer["tables"]))

    with opened(file) as lines:
        count, faults = _answered(settle_sheets(lines) if as_json else each_line(lines, settled), as_json, show)
    if not count and not as_json:
        raise LabError(f"{file} holds no sheet")
    return 1 if faults else 0


def conventions(
    name: Annotated[str | None, typer.Argument(help="A convention or the file of one (my.toml); without it all are listed.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="Show it with an option changed.", metavar="NAME=VALUE")] = None,
    seats: Annotated[int | None, typer.Option(help="Only what has a meaning with so many seats: 3 or 4.")] = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print it as a file that a person's own convention can start from.")] = False,
    compare: Annotated[tuple[str, str] | None, typer.Option(help="Show in what two conventions differ.", metavar="A B")] = None,
    lang: LanguageOption = Language.en,
    as_json: JsonOption = False,
) -> int:
    """List the conventions and their options, with meaning and Russian term."""
    from conventions import catalogue
    from conventions.parameters import ConventionError

    try:
        if compare is not None:
            _refuse(name is not None, f"--compare takes two conventions and nothing before them; {name!r} is a third")
            _refuse(bool(option), "--option goes with one convention; --compare shows two as they are (or as their .toml files say)")
            _refuse(toml, "--toml prints one convention, --compare shows two; choose one of them")
            return _compare(_found(compare[0], seats), _found(compare[1], seats), seats, lang.value, as_json)
        if name is None:
            _refuse(bool(option), "--option needs the name of a convention before it")
            _refuse(toml, "--toml needs the name of a convention before it")
            if seats is not None and seats not in (3, 4):
                raise UsageError(f"--seats {seats} is not allowed; allowed: 3 or 4")
            listed = [c for c in catalogue.PRESETS.values() if seats is None or seats in c.seats_allowed()]
            return _list(listed, lang.value, as_json)
        base = _found(name, seats)
        chosen = catalogue.get(base, seats, catalogue.split_options(option or []))
        if toml:
            from conventions.files import to_toml

            _refuse(as_json, "--toml and --json are two ways to print; choose one of them")
            sys.stdout.write(to_toml(chosen))
            return 0
        return _show(chosen, base, seats, lang.value, as_json)
    except ConventionError as error:
        raise UsageError(str(error)) from None


def _refuse(condition: bool, sentence: str) -> None:
    if condition:
        raise UsageError(sentence)


def _found(name: str, seats: int | None) -> Convention:
    from conventions import files

    convention = files.find(name)
    if seats is not None:
        convention.check_seats(seats)
    return convention


def _list(listed: list[Convention], lang: str, as_json: bool) -> int:
    from lab.conventions_text import list_table, summary

    if as_json:
        for c in listed:
            say({"name": c.name, "title": c.title, "seats": list(c.seats_allowed()), "version": c.version, "summary": summary(c, lang)})
    else:
        _print(list_table(listed, lang))
    return 0


def _show(chosen: Convention, base: Convention, seats: int | None, lang: str, as_json: bool) -> int:
    from conventions.catalogue import available_options, changed_options
    from conventions.parameters import show
    from lab.conventions_text import option_tables, summary

    options = available_options(chosen, seats)
    changed = changed_options(chosen, base)
    if as_json:
        rows = [{key: getattr(o, key) for key in ("name", "group", "default", "allowed", "help", "russian", "offered")} for o in options]
        head = {"name": chosen.name, "title": chosen.title, "seats": list(chosen.seats_allowed()), "version": chosen.version}
        say(head | {"summary": summary(chosen, lang), "changed": changed, "options": rows})
        return 0
    print(f"{chosen.title or chosen.name} ({chosen.name}): {summary(chosen, lang)}")
    for table in option_tables(options, {key: show(getattr(base, key)) for key in changed}, lang, _width()):
        print()
        _print(table)
    return 0


def _compare(first: Convention, second: Convention, seats: int | None, lang: str, as_json: bool) -> int:
    from conventions import catalogue
    from lab.conventions_text import compare_table, same_text

    known = {o.name for c in (first, second) for o in catalogue.available_options(c, seats)}
    differences = [d for d in catalogue.compare(first, second) if d.name in known]
    if as_json:
        rows = [{key: getattr(d, key) for key in ("name", "group", "help", "russian", "first", "second")} for d in differences]
        say({"first": first.name, "second": second.name, "differences": rows})
    elif differences:
        _print(compare_table(first, second, differences, lang, _width()))
    else:
        print(same_text(first, second, lang))
    return 0


def _width() -> int:
    """The terminal's width, or a generous one where the text goes into a file or a pipe."""
    return shutil.get_terminal_size((150, 24)).columns


def _print(table: Any) -> None:
    """A table in which long cells are broken into lines, never cut off."""
    from rich.console import Console

    Console(width=_width(), markup=False, emoji=False).print(table)
