"""Conventions by name, with options: what may be chosen where, and the sentence that says why not (`docs/interfaces.md`, names)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import attrs

from conventions.convention import PARAMETERS, Convention
from conventions.parameters import ConventionError, or_list, show
from conventions.presets.classic import CLASSIC
from conventions.presets.leningrad import LENINGRAD
from conventions.presets.moscow import MOSCOW
from conventions.presets.piter import PITER
from conventions.presets.rostov import ROSTOV
from conventions.presets.skachki import SKACHKI
from conventions.presets.sochi import SOCHI
from conventions.presets.vmk import VMK

PRESETS: dict[str, Convention] = {c.name: c for c in (PITER, ROSTOV, VMK, SKACHKI, MOSCOW, SOCHI, LENINGRAD, CLASSIC)}

# they speak of the fourth player, who sits on the talon
_FOUR_SEATS = frozenset(
    {
        "talon_return",
        "talon_sitter_may_whist",
        "dealer_zero_bonus",
        "talon_sitter_zero_bonus",
        "consolation_to_talon_sitter",
        "talon_whister_responsible",
    }
)

# the options of docs/interfaces.md: `read_option` refuses each of them where it has no effect
_CHECKED_BY_TABLE = frozenset(
    {
        "ten_whisted",
        "stalingrad",
        "sliding_raspas",
        "give_up",
        "raspas_exit",
        "raspas_progression",
        "talon_return",
        "unwhisted_exits",
        "pass_pass_whist",
        "talon_sitter_may_whist",
        "dealer_zero_bonus",
        "gentleman",
        "hold",
        "shortfall",
        "pool_end",
        "remise_whist_multiplier",
        "deal_limit",
    }
)


def names() -> tuple[str, ...]:
    """The names of the presets."""
    return tuple(PRESETS)


def get(name: str | Convention, seats: int | None = None, options: Mapping[str, Any] | None = None) -> Convention:
    """A convention by its name (or one already at hand) with options, checked for this number of seats.

    Values are as in JSON or text (`true`, `"6-7-8"`, `"none"`). Raises `ConventionError` naming the convention, option or value
    that is not allowed, and what is.
    """
    convention = name if isinstance(name, Convention) else PRESETS.get(name) if isinstance(name, str) else None
    if convention is None:
        raise ConventionError(f"convention: {name!r} is not known; known: {', '.join(PRESETS)}")
    if seats is not None:
        convention.check_seats(seats)
    if options is None:
        return convention
    if not isinstance(options, Mapping):
        raise ConventionError(f"options: {options!r} is not an object of option names and values")
    values = {option: read_option(convention, option, value, seats) for option, value in options.items()}
    if all(getattr(convention, option) == value for option, value in values.items()):
        return convention
    chosen = attrs.evolve(convention, **values)
    _refuse_idle(convention, chosen, values, seats)
    return chosen


def read_option(convention: Convention, option: str, value: Any, seats: int | None = None) -> Any:
    """The value of one option of this convention, read from text or JSON; `ConventionError` where it may not stand."""
    field = PARAMETERS.get(option)
    if field is None:
        near = difflib.get_close_matches(str(option), PARAMETERS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ConventionError(f"option {option}: there is no such option; {hint}known: {', '.join(PARAMETERS)}")
    try:
        read = field.metadata["kind"].read(value)
    except ValueError:
        raise ConventionError(f"option {option}: {show(value)} is not allowed; allowed: {allowed(convention, option)}") from None
    current = getattr(convention, option)
    if option == "pool_end" and convention.semesters:
        raise ConventionError(
            f"option pool_end: {show(value)} is not allowed in {convention.name}: its semesters end by themselves; leave it out"
        )
    if option in convention.fixed and read != current:
        raise ConventionError(f"option {option}: {show(value)} is not allowed in {convention.name}: there it is always {show(current)}")
    if option not in convention.fixed and option in convention.choices and read not in convention.choices[option]:
        raise ConventionError(f"option {option}: {show(value)} is not allowed in {convention.name}; allowed: {allowed(convention, option)}")
    if seats == 3 and option in _FOUR_SEATS and read and read != current:
        raise ConventionError(f"option {option}: {show(value)} is not allowed with 3 seats: nobody sits on the talon; allowed: false")
    return read


def allowed(convention: Convention, option: str) -> str:
    """The values that an option may have in this convention, in words, the default first where they can be listed."""
    current = getattr(convention, option)
    if option in convention.fixed:
        return f"{show(current)} only"
    kind = PARAMETERS[option].metadata["kind"]
    if option in convention.choices:
        return or_list(list(convention.choices[option]))
    if kind.values:
        return or_list([show(v) for v in (current, *(v for v in kind.values if v != current))])
    return str(kind.allowed)


def _refuse_idle(base: Convention, chosen: Convention, values: Mapping[str, Any], seats: int | None) -> None:
    """A changed option that changes nothing about the game is refused, not ignored."""
    counts = chosen.seats_allowed() if seats is None else (seats,)
    for option, value in values.items():
        default = getattr(base, option)
        if value == default or (option in _CHECKED_BY_TABLE and base.name in PRESETS):
            continue
        try:
            without = attrs.evolve(chosen, **{option: default})
        except ConventionError:
            continue  # the others need it
        if set(counts) <= set(without.seats_allowed()) and all(without.compile(n).tobytes() == chosen.compile(n).tobytes() for n in counts):
            where = f"with {seats} seats" if seats else "with any number of seats"
            raise ConventionError(
                f"option {option}: {show(value)} has no effect in {base.name} {where} beside the other rules; leave it at {show(default)}"
            )


def split_option(text: str) -> tuple[str, str]:
    """`NAME=VALUE` as a pair."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise ConventionError(f"option {text!r} is not of the form NAME=VALUE, such as ten_whisted=true")
    return name.strip(), value.strip()


def split_options(texts: list[str]) -> dict[str, str]:
    """The options of a command line, each named at most once."""
    pairs = [split_option(text) for text in texts]
    options = dict(pairs)
    for name in options:
        given = [value for option, value in pairs if option == name]
        if len(given) > 1:
            raise ConventionError(f"option {name} is given {len(given)} times: {', '.join(given)}")
    return options


@attrs.frozen
class Option:
    """One line of the list of options: a parameter as it stands in a convention."""

    name: str
    group: str
    default: str
    allowed: str
    help: str
    russian: str
    offered: bool  # False: the convention has it fixed


def available_options(convention: Convention, seats: int | None = None) -> list[Option]:
    """Every parameter of a convention in the order of its groups, with default, allowed values, meaning and Russian term."""
    listed = []
    for name, field in PARAMETERS.items():
        if (name == "pool_end" and convention.semesters) or (seats == 3 and name in _FOUR_SEATS):
            continue
        data = field.metadata
        single = name in convention.fixed or len(data["kind"].values) == 1
        words = f"{show(getattr(convention, name))} only" if single else allowed(convention, name)
        listed.append(Option(name, data["group"], show(getattr(convention, name)), words, data["help"], data["russian"], not single))
    return listed


def options_in_full(convention: Convention, seats: int) -> dict[str, Any]:
    """Every option with its value, as JSON values, such that `get(name, seats, …)` reads it back."""
    values = {}
    for option in available_options(convention, seats):
        value = getattr(convention, option.name)
        values[option.name] = "none" if value is None else value
    return values


def changed_options(convention: Convention, base: Convention) -> dict[str, Any]:
    """The options in which a convention differs from another, as JSON values."""
    return {
        name: "none" if getattr(convention, name) is None else getattr(convention, name)
        for name in PARAMETERS
        if getattr(convention, name) != getattr(base, name)
    }


@attrs.frozen
class Difference:
    """A parameter in which two conventions differ."""

    name: str
    group: str
    help: str
    russian: str
    first: str
    second: str


def compare(first: Convention, second: Convention) -> list[Difference]:
    """The parameters that differ, in the order of the groups, values as text."""
    return [
        Difference(
            name,
            field.metadata["group"],
            field.metadata["help"],
            field.metadata["russian"],
            show(getattr(first, name)),
            show(getattr(second, name)),
        )
        for name, field in PARAMETERS.items()
        if getattr(first, name) != getattr(second, name)
    ]
