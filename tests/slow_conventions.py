"""The parameters of the slow scorer: `docs/rules.md` section 8 as it stands after section 11, one plain dict a convention.

Written from the rules for `tests/slow_scorer.py`; it shares nothing with the project's own conventions.
"""

from fractions import Fraction
from typing import Any

# Multipliers are of the game's cost (стоимость).
_PITER: dict[str, Any] = {
    "seats": (3, 4),
    # the contract (8.1)
    "declarer_undertrick": 2,  # into the mountain, times cost
    "whist": 2,  # per trick, times cost
    "consolation": 2,  # per trick short, times cost ...
    "consolation_flat": 0,  # ... or this many whists
    "whister_undertrick": Fraction(1),  # into the mountain, times cost
    "two_short_on_8": "second",
    "two_short_on_9": "both",
    "two_short_on_10": "both",
    "misere_undertrick": 20,
    "remise_whist_multiplier": 1,
    # talon and negotiation (8.2)
    "half_whist": True,
    "quick_tricks": False,
    "throw_talon": False,
    # raspas (8.3)
    "raspas_to": "mountain",
    "talon_leads": True,
    "amnesty": True,
    "zero": "mountain",  # mountain, mountain one, pool, pool one, choice
    "zero_for_sitter": False,  # on the same terms as the players
    "sitter_always": 0,  # points into the pool in every raspas
    "any_game_resets": False,
    "forced_raspas": False,
    # end, help, settlement
    "help": False,
    "help_skips_set_whister": False,
    "write_off": "",  # "", vmk, skachki
    "mountain_first": False,  # a made game is struck off the own mountain before it fills a pool
    "end_waits_for_exit": True,
    "pool_worth": 20,
    "target": 10,
    "semesters": False,
    # options by name (defaults)
    "ten_whisted": False,
    "stalingrad": True,
    "sliding_raspas": True,
    "give_up": True,
    "raspas_exit": "6-7-7",
    "raspas_progression": "2-4-6",
    "talon_return": False,
    "unwhisted_exits": False,
    "pass_pass_whist": True,
    "talon_sitter_may_whist": True,
    "dealer_zero_bonus": False,
    "gentleman": True,
    "hold": True,
    "shortfall": "pair",
    "pool_end": "sum",
    "deal_limit": None,
}

_ROSTOV: dict[str, Any] = _PITER | {
    "declarer_undertrick": 1,
    "whist": 1,
    "consolation": 0,
    "consolation_flat": 10,
    "gentleman": False,
    "whister_undertrick": Fraction(1, 2),
    "misere_undertrick": 10,
    "quick_tricks": True,
    "throw_talon": True,
    "give_up": False,
    "pass_pass_whist": False,
    "raspas_to": "whists",
    "talon_leads": False,
    "zero": "mountain one",
    "raspas_exit": "6-6-6",
    "raspas_progression": "",
    "help": True,
    "end_waits_for_exit": False,
    "pool_end": "each",
    "pool_worth": 10,
}

_VMK: dict[str, Any] = _PITER | {
    "declarer_undertrick": 1,
    "whist": 1,
    "consolation": 0,
    "consolation_flat": 10,
    "gentleman": False,
    "two_short_on_8": "both",
    "misere_undertrick": 10,
    "talon_sitter_may_whist": False,
    "pass_pass_whist": False,
    "raspas_progression": "2-4-4",
    "help": True,
    "help_skips_set_whister": True,
    "write_off": "vmk",
    "end_waits_for_exit": False,
    "pool_end": "each",
    "pool_worth": 10,
}

_SKACHKI: dict[str, Any] = _PITER | {
    "seats": (4,),
    "remise_whist_multiplier": 2,
    "two_short_on_8": "shares",
    "two_short_on_9": "shares",
    "two_short_on_10": "shares",
    "ten_whisted": True,
    "give_up": False,
    "zero": "choice",
    "zero_for_sitter": True,
    "forced_raspas": True,
    "write_off": "skachki",
    "semesters": True,
    "target": 22,
}

_MOSCOW: dict[str, Any] = _ROSTOV | {
    "gentleman": True,
    "two_short_on_10": "second",
    "stalingrad": False,
    "quick_tricks": False,
    "throw_talon": False,
    "talon_sitter_may_whist": False,
    "zero": "pool one",
    "sitter_always": 1,
}

_SOCHI: dict[str, Any] = _PITER | {
    "declarer_undertrick": 1,
    "whist": 1,
    "consolation": 1,
    "gentleman": False,
    "two_short_on_9": "second",
    "two_short_on_10": "second",
    "misere_undertrick": 10,
    "stalingrad": False,
    "give_up": False,
    "pass_pass_whist": False,
    "talon_sitter_may_whist": False,
    "amnesty": False,
    "zero": "pool",
    "zero_for_sitter": True,
    "any_game_resets": True,
    "raspas_exit": "6-6-6",
    "raspas_progression": "1-2-3",
    "help": True,
    "end_waits_for_exit": False,
    "pool_end": "each",
    "pool_worth": 10,
}

_LENINGRAD: dict[str, Any] = _PITER | {
    "two_short_on_9": "second",
    "stalingrad": False,
    "give_up": False,
    "pass_pass_whist": False,
    "zero": "pool",
    "end_waits_for_exit": False,
}

_CLASSIC: dict[str, Any] = _SOCHI | {
    "mountain_first": True,
    "stalingrad": True,
    "half_whist": False,
    "any_game_resets": False,
    "unwhisted_exits": True,
    "raspas_exit": "6-7-7",
}

CONVENTIONS: dict[str, dict[str, Any]] = {
    "piter": _PITER,
    "rostov": _ROSTOV,
    "vmk": _VMK,
    "skachki": _SKACHKI,
    "moscow": _MOSCOW,
    "sochi": _SOCHI,
    "leningrad": _LENINGRAD,
    "classic": _CLASSIC,
}


def option_values(convention: str, seats: int) -> dict[str, tuple[Any, ...]]:
    """The options of `docs/interfaces.md` that mean something here, each with its values; `deal_limit` is apart."""
    both = (False, True)
    values: dict[str, tuple[Any, ...]] = {"pass_pass_whist": both, "gentleman": both, "hold": both, "shortfall": ("pair", "personal")}
    if convention not in ("vmk", "skachki"):
        values["ten_whisted"] = both
    if convention in ("piter", "rostov", "vmk"):
        values["stalingrad"] = both
    if convention in ("piter", "vmk"):
        values["sliding_raspas"] = both
        values["give_up"] = both
    if convention in ("piter", "vmk", "skachki", "leningrad"):
        values["raspas_exit"] = ("6-7-7", "6-7-8")
        values["unwhisted_exits"] = both
    if convention not in ("rostov", "moscow"):
        own = CONVENTIONS[convention]["raspas_progression"]
        values["raspas_progression"] = tuple(dict.fromkeys((own, "2-4-6", "2-4-8")))
    if seats == 4 and CONVENTIONS[convention]["half_whist"]:
        values["talon_sitter_may_whist"] = both
    if convention == "piter" and seats == 4:
        values["talon_return"] = both
    if convention == "rostov" and seats == 4:
        values["dealer_zero_bonus"] = both
    if convention == "skachki":
        values["remise_whist_multiplier"] = (1, 2)
    else:
        values["pool_end"] = ("sum", "each", "first")
    return values


def rules_of(convention: str, options: dict[str, Any], seats: int) -> dict[str, Any]:
    """The convention's parameters with the options in their place."""
    if convention not in CONVENTIONS:
        raise ValueError(f"unknown convention {convention!r}")
    rules = dict(CONVENTIONS[convention])
    if seats not in rules["seats"]:
        raise ValueError(f"{convention} is not played by {seats}")
    values = option_values(convention, seats)
    for name, value in options.items():
        if name == "deal_limit":
            fits = value is None or (type(value) is int and value >= 1)
        elif name == "amnesty":  # it is a parameter of 8.3 beside the named options
            fits = isinstance(value, bool)
        else:  # saying what is always so does no harm
            allowed = values.get(name, (rules[name],) if name in rules else ())
            fits = any(type(v) is type(value) and v == value for v in allowed)
        if not fits:
            raise ValueError(f"option {name}={value!r} has no meaning in {convention} with {seats} seats")
        rules[name] = value
    return rules
