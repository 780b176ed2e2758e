"""The kinds of parameters a convention has: how a value is read from text, JSON or TOML, checked and written back."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import attrs


class ConventionError(ValueError):
    """A convention, an option or a value that is not allowed; the message names it and says what is."""


@attrs.frozen
class Kind:
    """One kind of parameter: `read` makes a value of text or JSON (ValueError if it cannot), `allowed` says what may stand there."""

    read: Callable[[Any], Any]
    allowed: str
    values: tuple[Any, ...] = ()  # where they can be listed


def _read_flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    raise ValueError


FLAG = Kind(_read_flag, "true or false", (False, True))
NEVER = Kind(lambda value: False if _read_flag(value) is False else _refuse(), "false (nothing else is offered)", (False,))


def _refuse() -> Any:
    raise ValueError


def _read_int(value: Any) -> int:
    if isinstance(value, bool):
        raise ValueError
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip()):
        return int(value)
    raise ValueError


def choice(*values: str | int) -> Kind:
    """One of a few words or numbers."""
    by_text = {str(v): v for v in values}

    def read(value: Any) -> str | int:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise ValueError
        word = str(value).strip().lower()
        if word not in by_text:
            raise ValueError
        return by_text[word]

    return Kind(read, or_list([str(v) for v in values]), values)


def whole(low: int, high: int) -> Kind:
    """A whole number from `low` to `high`."""

    def read(value: Any) -> int:
        number = _read_int(value)
        if not low <= number <= high:
            raise ValueError
        return number

    return Kind(read, f"a whole number from {low} to {high}")


def _read_limit(value: Any) -> int | None:
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return None
    number = _read_int(value)
    if not 1 <= number <= 10**9:
        raise ValueError
    return number


LIMIT = Kind(_read_limit, "none or a whole number of deals from 1")


def numbers(counts: tuple[int, ...], low: int, high: int, example: str) -> Kind:
    """Numbers joined by hyphens, such as `2-4-6`."""

    def read(value: Any) -> str:
        if isinstance(value, (list, tuple)):
            value = "-".join(str(v) for v in value)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise ValueError
        parts = value.replace(" ", "").split("-")
        if len(parts) not in counts or not all(re.fullmatch(r"[1-9]\d{0,3}", p) and low <= int(p) <= high for p in parts):
            raise ValueError
        return "-".join(parts)

    many = or_list([str(c) for c in counts])
    return Kind(read, f"{many} whole numbers from {low} to {high} joined by hyphens, such as {example}")


def _read_price(value: Any) -> str:
    text = str(value).replace(" ", "").lower() if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    if not re.fullmatch(r"c|[2-9]c|c/2|\d{1,3}", text):
        raise ValueError
    return text


PRICE = Kind(_read_price, "a price of the game: c (its cost), c/2, 2c … 9c, or a number that does not depend on the game")


def price_by_level(price: str, costs: tuple[int, ...]) -> list[int]:
    """The price at each level: `2c` of the costs (2, 4, 6, 8, 10) is [4, 8, 12, 16, 20]."""
    if price == "c/2":
        return [cost // 2 for cost in costs]
    if price.endswith("c"):
        return [int(price[:-1] or 1) * cost for cost in costs]
    return [int(price)] * len(costs)


@functools.cache
def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers of `2-4-6`."""
    return tuple(int(part) for part in text.split("-"))


def or_list(words: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def show(value: Any) -> str:
    """A value as it stands in options and messages: `true`, `none`, `2-4-6`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def parameter(default: Any, kind: Kind, group: str, help: str, russian: str) -> Any:
    """A field of a convention: its default, kind, group, meaning and Russian term."""

    def convert(value: Any, field: attrs.Attribute[Any]) -> Any:
        try:
            return kind.read(value)
        except ValueError:
            raise ConventionError(f"{field.name}: {show(value)!r} is not allowed; allowed: {kind.allowed}") from None

    return attrs.field(
        default=default,
        converter=attrs.Converter(convert, takes_field=True),
        kw_only=True,
        metadata={"kind": kind, "group": group, "help": help, "russian": russian},
    )
