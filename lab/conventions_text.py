"""Conventions and their options as tables for a person, in English or Russian."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from conventions.catalogue import Difference, Option
from conventions.convention import GROUPS, Convention

_HEADS = {
    "name": ("convention", "конвенция"),
    "title": ("in Russian", "название"),
    "seats": ("seats", "игроков"),
    "version": ("version", "версия"),
    "summary": ("in a few words", "вкратце"),
    "option": ("option", "параметр"),
    "value": ("default", "обычно"),
    "allowed": ("allowed", "допустимо"),
    "help": ("meaning", "смысл"),
    "russian": ("Russian term", "термин"),
}

# the English words of `Kind.allowed` and their Russian; longer ones first
_ALLOWED = (
    (r" \(nothing else is offered\)", " (иного нет)"),
    (
        r"a price of the game: c \(its cost\), c/2, 2c … 9c, or a number that does not depend on the game",
        "c (стоимость игры), c/2, 2c … 9c или число",
    ),
    (r"none or a whole number of deals from 1", "none или число сдач от 1"),
    (r"a whole number from (\d+) to (\d+)", r"целое от \1 до \2"),
    (
        r"([\d, ]+(?:or \d+)?) whole numbers from (\d+) to (\d+) joined by hyphens, such as",
        r"целые от \2 до \3 через дефис (\1 шт.), например",
    ),
    (r"^(.*) only$", r"только \1"),
    (r" or ", " или "),
)


def _word(pair: tuple[str, str], lang: str) -> str:
    return pair[lang == "ru"]


def allowed_text(text: str, lang: str) -> str:
    """What an option may be, in the language asked for."""
    for english, russian in _ALLOWED if lang == "ru" else ():
        text = re.sub(english, russian, text)
    return text


def summary(convention: Convention, lang: str) -> str:
    """A convention in one line, made of its parameters."""
    c = convention
    price = c.raspas_progression
    to_whists = c.raspas_scored_to == "whists"
    raspas = _word(
        (f"raspas to whists, {price} a trick", f"распасы на висты по {price}")
        if to_whists
        else (f"raspas {price} to the mountain", f"распасы {price} в гору"),
        lang,
    )
    style = _word(("gentleman whist", "вист джентльменский") if c.gentleman else ("greedy whist", "вист жлобский"), lang)
    worth = _word((f"pool point {c.pool_worth} whists", f"очко пули {c.pool_worth} вистов"), lang)
    if c.semesters:
        prizes = f"{c.prize_pool}/{c.prize_mountain}"
        end = _word((f"{c.semesters} semesters, prizes {prizes}", f"семестров {c.semesters}, призы {prizes}"), lang)
    else:
        ends = {
            "sum": ("ends on the sum of pools", "до суммы пуль"),
            "each": ("every pool is filled", "до закрытия всех"),
            "first": ("ends with the first full pool", "до первой закрытой"),
        }
        end = _word(ends[c.pool_end], lang)
    helped = [_word(("help", "помощь"), lang)] if c.help and not c.semesters else []
    return ", ".join([raspas, style, worth, end, *helped])


def _table(heads: Sequence[str], lang: str, title: str = "", first: int = 0) -> Table:
    """A table whose first column is at least `first` characters wide: names that people type are not broken."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=title or None, title_justify="left", title_style="bold")
    for key in heads:
        least = first if not table.columns else min(8, len(key))
        table.add_column(_word(_HEADS[key], lang) if key in _HEADS else key, overflow="fold", min_width=least)
    return table


def _row(table: Table, cells: Sequence[str], style: str = "") -> None:
    table.add_row(*(Text(cell) for cell in cells), style=style)


def list_table(listed: Sequence[Convention], lang: str) -> Table:
    """All conventions, one a row."""
    table = _table(("name", "title", "seats", "version", "summary"), lang)
    for c in listed:
        _row(table, (c.name, c.title, " ".join(map(str, c.seats_allowed())), c.version, summary(c, lang)))
    return table


def option_tables(options: Sequence[Option], defaults: Mapping[str, str], lang: str, width: int) -> list[Table]:
    """Every option with value, allowed values, meaning and Russian term, a table a group; `defaults` are of those that were changed.

    Where `width` is too small for five columns, the last three are one.
    """
    narrow = width < (100 if lang == "ru" else 120)
    told = ("russian",) if lang == "ru" else ("help",) if narrow else ("help", "russian")
    tables: list[Table] = []
    for group, russian in GROUPS.items():
        listed = [o for o in options if o.group == group]
        heads = ("option", "value", *told) if narrow else ("option", "value", "allowed", *told)
        table = _table(heads, lang, _word((f"{group} ({russian})", russian), lang), _first(listed, width))
        for o in listed:
            value = f"{o.default} ({_word(('not', 'не'), lang)} {defaults[o.name]})" if o.name in defaults else o.default
            allowed = allowed_text(o.allowed, lang)
            cells: tuple[str, ...] = (o.name, value, allowed, o.russian) if lang == "ru" else (o.name, value, allowed, o.help, o.russian)
            if narrow:
                meaning = o.russian if lang == "ru" else f"{o.help} ({o.russian})"
                cells = (o.name, value, f"{meaning}: {allowed}")
            _row(table, cells, "bold" if o.name in defaults else "")
        tables.append(table)
    return tables


def _first(listed: Sequence[Option | Difference], width: int) -> int:
    return max((len(o.name) for o in listed), default=0) if width >= 72 else 0


def compare_table(first: Convention, second: Convention, differences: Sequence[Difference], lang: str, width: int) -> Table:
    """The parameters in which two conventions differ, side by side."""
    names = (first.name, second.name) if first.name != second.name else (f"{first.name} (1)", f"{second.name} (2)")
    table: Any = _table(("option", *names, "russian" if lang == "ru" else "help"), lang, "", _first(differences, width))
    for number, d in enumerate(differences):
        _row(table, (d.name, d.first, d.second, d.russian if lang == "ru" else d.help))
        if number + 1 < len(differences) and differences[number + 1].group != d.group:
            table.add_section()
    return table


def same_text(first: Convention, second: Convention, lang: str) -> str:
    """The sentence for two conventions without a difference."""
    return _word(
        (f"{first.name} and {second.name} do not differ in any parameter", f"{first.name} и {second.name} не отличаются ничем"), lang
    )
