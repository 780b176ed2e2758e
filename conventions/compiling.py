"""From a convention to the record that engine, scorer and bots read (`conventions.rules_record`).

A convention comes as `Any` because `conventions.convention` imports this module.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conventions import rules_record
from conventions.parameters import numbers_of, price_by_level
from conventions.rules_record import DUTY, RULES
from engine.table import END_EACH, END_FIRST, END_SUM

_RESPONSIBLE = {"second": rules_record.BY_SECOND, "both": rules_record.BY_BOTH, "halves": rules_record.BY_HALVES}
_POOL_END = {"sum": END_SUM, "each": END_EACH, "first": END_FIRST}


def compile_rules(convention: Any, seats: int) -> np.ndarray[Any, Any]:
    """The record of a convention for 3 or 4 seats: shape (1,), dtype `RULES`; what has no effect is 0."""
    record = np.zeros(1, dtype=RULES)
    values = _procedure(convention, seats) | _contracts(convention, seats) | _raspas(convention, seats) | _ending(convention)
    for name, value in values.items():
        record[name][0] = value
    return record


def _procedure(c: Any, seats: int) -> dict[str, Any]:
    progresses = c.progresses
    return {
        "seats": seats,
        "hold": c.hold,
        "start_level": numbers_of(c.raspas_exit),
        "give_up": c.give_up,
        "refuse": c.talon_throw or (c.talon_return and seats == 4),
        "stalingrad": c.stalingrad,
        "ten_whisted": c.ten_whisted,
        "half_whist": c.half_whist,
        "first_may_raise": c.half_whist and c.first_may_raise,
        "talon_sitter_may_whist": c.talon_sitter_may_whist and seats == 4,
        "pass_pass_whist": c.pass_pass_whist,
        "light_game": c.declarer_first_lead_game == "light",
        "light_misere": c.declarer_first_lead_misere == "light",
        "raspas_talon": c.raspas_talon,
        "first_hand_leads_third": c.first_hand_leads_third,
        "sliding": c.sliding_raspas or not progresses,
        "progresses": progresses,
        "failed_keeps": progresses and c.failed_keeps,
        "unwhisted_exits": progresses and c.unwhisted_exits,
        "half_exits": progresses and (c.half_exits or c.unwhisted_exits),
        "forces": c.forced_raspas,
        "wait_exit": progresses and (c.plays_on_in_raspas or c.semesters > 0),
        "pool_end": END_SUM if c.semesters else _POOL_END[c.pool_end],
        "semesters": c.semesters,
        "deal_limit": c.deal_limit or 0,
    }


def _contracts(c: Any, seats: int) -> dict[str, Any]:
    costs = c.costs
    responsible = [_RESPONSIBLE[v] for v in (c.responsible_on_8, c.responsible_on_9, c.responsible_on_10)]
    refusal = rules_record.REFUSAL_NONE
    if c.talon_throw:
        refusal = rules_record.REFUSAL_THROW
    elif c.talon_return and seats == 4:
        refusal = rules_record.REFUSAL_RETURN
    return {
        "made": costs,
        "undertrick": price_by_level(c.undertrick, costs),
        "whist": price_by_level(c.whist, costs),
        "consolation": price_by_level(c.consolation, costs),
        "whister_undertrick": price_by_level(c.whister_undertrick, costs),
        "duty": (*DUTY[:4], DUTY[4] if c.ten_whisted else 0),
        "responsible": [rules_record.BY_SHARES, rules_record.BY_SHARES, *responsible[:2], responsible[2] if c.ten_whisted else 0],
        "personal_shortfall": c.shortfall == "personal",
        "gentleman": c.gentleman,
        "consolation_to_sitter": c.consolation_to_talon_sitter and seats == 4,
        "sitter_responsible": c.talon_whister_responsible and c.talon_sitter_may_whist and seats == 4,
        "remise_multiplier": c.remise_whist_multiplier,
        "misere_made": c.misere_made,
        "misere_trick": c.misere_trick,
        "refusal": refusal,
        "throw_whists": 10 if c.talon_throw else 0,
        "quick_trick_whists": 10 if c.quick_tricks else 0,
    }


def _raspas(c: Any, seats: int) -> dict[str, Any]:
    prices = numbers_of(c.raspas_progression)
    price = [prices[min(k, len(prices) - 1)] for k in range(3)]
    to_whists = c.raspas_scored_to == "whists"
    bonus = [1, 1, 1] if to_whists else price
    sitter = rules_record.SITTER_NOTHING
    if seats == 4 and c.dealer_zero_bonus:
        sitter = rules_record.SITTER_ALWAYS
    elif seats == 4 and c.talon_sitter_zero_bonus:
        # where the talon stays closed he never has a trick
        sitter = rules_record.SITTER_AS_OTHERS if c.raspas_talon else rules_record.SITTER_ALWAYS
    times = {"none": 0, "pool": 0, "mountain": 1, "choice": 2}[c.zero_bonus]
    return {
        "raspas_price": [0, 0, 0] if to_whists else price,
        "raspas_whists": price[0] if to_whists else 0,
        "amnesty": c.amnesty,
        "zero_pool": bonus if c.zero_bonus in ("pool", "choice") else [0, 0, 0],
        "zero_mountain": [times * points for points in bonus],
        "zero_sitter": sitter,
    }


def _ending(c: Any) -> dict[str, Any]:
    from_level = 0 if c.unwhisted_write_off == "none" else c.unwhisted_write_off
    return {
        "help": c.help,
        "help_whists": c.pool_worth if c.help else 0,
        "help_skips_set_whister": c.help and c.help_skips_set_whister,
        "write_off_from": from_level,
        "write_off_closed": c.write_off_when_closed,
        "write_off_multiplier": c.write_off_multiplier if from_level or c.write_off_when_closed else 0,
        "mountain_first": c.mountain_first,
        "prize_pool": c.prize_pool if c.semesters else 0,
        "prize_mountain": c.prize_mountain if c.semesters else 0,
        "pool_worth": c.pool_worth,
        "mountain_worth": c.mountain_worth,
    }
