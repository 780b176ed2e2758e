"""What is held: every convention and number of seats with its defaults, and with each option away from its default."""

from __future__ import annotations

import functools
from typing import Any

import attrs

from conventions.catalogue import PRESETS, get
from conventions.convention import PARAMETERS, Convention
from conventions.parameters import ConventionError, show
from conventions.terms import terms_of
from engine.terms import Terms

DEFAULT = "default"

# values of options that cannot be listed; the one that is a convention's own is left out there
_VALUES: dict[str, tuple[Any, ...]] = {
    "game_cost": ("4-6-8-10-12",),
    "undertrick": ("c", "2c"),
    "whist": ("c", "2c"),
    "consolation": ("c", "2c", "10"),
    "whister_undertrick": ("c", "c/2"),
    "misere_made": (12,),
    "misere_trick": (10, 20),
    "raspas_progression": ("2-4-6", "2-4-8", "3"),
    "raspas_exit": ("6-6-6", "6-7-7", "6-7-8"),
    "unwhisted_write_off": ("none", 6, 8),
    "semesters": (2,),
    "prize_pool": (120,),
    "prize_mountain": (60,),
    "deal_limit": (12,),
    "pool_worth": (10, 20),
    "mountain_worth": (5,),
}

# what an option needs beside it where it has no effect alone
_WITH: dict[str, dict[str, Any]] = {
    "first_may_raise": {"half_whist": True},
    "talon_whister_responsible": {"talon_sitter_may_whist": True},
    "responsible_on_10": {"ten_whisted": True},
    "raspas_scored_to": {"raspas_talon": False, "first_hand_leads_third": False, "raspas_progression": "5", "amnesty": False},
    "raspas_talon": {"first_hand_leads_third": False},
    "first_hand_leads_third": {"raspas_scored_to": "mountain", "raspas_talon": True},
    "amnesty": {"raspas_scored_to": "mountain"},
    "talon_sitter_zero_bonus": {"zero_bonus": "pool"},
    "plays_on_in_raspas": {"forced_raspas": True},
    "unwhisted_exits": {"forced_raspas": True},
    "half_exits": {"unwhisted_exits": False, "forced_raspas": True},
    "failed_keeps": {"forced_raspas": True},
    "help_skips_set_whister": {"help": True},
    "write_off_multiplier": {"unwhisted_write_off": 6},
    "prize_pool": {"semesters": 2},
    "prize_mountain": {"semesters": 2},
}


@attrs.frozen
class Case:
    """A convention at a number of seats, with options away from their defaults (none: the default case)."""

    convention: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """`default`, or the options as a command line takes them."""
        return ", ".join(f"{option}={show(value)}" for option, value in self.options) or DEFAULT

    def __str__(self) -> str:
        return f"{self.convention}, {self.seats} seats, {self.name}"

    def rules_of(self) -> Convention:
        """The convention with its options."""
        return get(self.convention, self.seats, dict(self.options))

    def terms(self) -> Terms:
        """What the engine plays by."""
        return terms_of(self.rules_of(), self.seats, dict(self.options))


def tables() -> list[tuple[str, int]]:
    """Every convention with every number of seats it is played with."""
    return [(name, seats) for name, convention in PRESETS.items() for seats in convention.seats_allowed()]


def away(name: str, option: str) -> list[Any]:
    """The values of an option that are held beside its default."""
    values = _VALUES.get(option, PARAMETERS[option].metadata["kind"].values)
    return [value for value in values if value != getattr(PRESETS[name], option)]


@functools.cache
def cases(name: str, seats: int) -> tuple[Case, ...]:
    """The default case and one for each value of each option that may stand there and changes something."""
    found = [Case(name, seats)]
    for option in PARAMETERS:
        for value in away(name, option):
            case = _away(name, seats, option, value)
            if case is not None:
                found.append(case)
    return tuple(found)


def _away(name: str, seats: int, option: str, value: Any) -> Case | None:
    """The option away from its default, alone or beside what it needs; None where it may not stand or does nothing."""
    needed = {other: v for other, v in _WITH.get(option, {}).items() if getattr(PRESETS[name], other) != v}
    for options in ({option: value}, needed | {option: value}):
        try:
            with_it = get(name, seats, options).compile(seats)
            without = get(name, seats, {o: v for o, v in options.items() if o != option}).compile(seats)
        except ConventionError:
            continue
        if with_it.tobytes() != without.tobytes():
            return Case(name, seats, tuple(sorted(options.items())))
    return None
