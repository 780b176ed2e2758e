"""Numbers of a compiled record that nobody reads under its other rules: changing one is no change (`benchmarks.rules.mutations`)."""

from __future__ import annotations

from typing import Any

from conventions import rules_record
from engine.table import END_EACH, END_SUM


def unread(rules: Any, field: str, index: int, value: int) -> str:
    """Why nobody can tell `rules` from the same with `value` at `field[index]`; empty where somebody may.

    `rules`: one element of `conventions.rules_record.RULES`.
    """
    whists, progresses = bool(rules["raspas_whists"]), bool(rules["progresses"])
    by_level = field in ("start_level", "raspas_price", "zero_pool", "zero_mountain") and index > 0
    bonus = bool(rules["zero_pool"][0]) or bool(rules["zero_mountain"][0])
    writes_off = bool(rules["write_off_from"]) or bool(rules["write_off_closed"])
    reasons = {
        "no bid is below six": field == "start_level" and value < 6,
        "the raspas state is always the first": not progresses
        and (by_level or field in ("failed_keeps", "unwhisted_exits", "half_exits", "wait_exit", "sliding")),
        "tens are not whisted": field in ("whister_undertrick", "duty", "responsible") and index == 4 and not rules["ten_whisted"],
        "nobody sits on the talon": rules["seats"] == 3
        and field in ("talon_sitter_may_whist", "consolation_to_sitter", "sitter_responsible", "zero_sitter"),
        "the talon-sitter is asked after a half whist only": not rules["half_whist"] and field == "talon_sitter_may_whist",
        "the talon-sitter may not whist": not rules["talon_sitter_may_whist"] and field == "sitter_responsible",
        "nobody says half": not rules["half_whist"] and field in ("first_may_raise", "half_exits"),
        "every unplayed game exits": field == "half_exits" and bool(rules["unwhisted_exits"]),
        "the talon cannot be refused": not rules["refuse"] and field in ("refusal", "throw_whists"),
        "a talon that is not returned is thrown": field == "refusal" and value > rules_record.REFUSAL_RETURN < int(rules["refusal"]),
        "there is no bonus for zero tricks": field == "zero_sitter" and not bonus,
        "a talon that stays closed takes no trick": field == "zero_sitter"
        and not rules["raspas_talon"]
        and {value, int(rules["zero_sitter"])} == {rules_record.SITTER_AS_OTHERS, rules_record.SITTER_ALWAYS},
        "there is no further way to answer for a shortage": field == "responsible" and value > rules_record.BY_HALVES,
        "there is no help": not rules["help"] and field in ("help_whists", "help_skips_set_whister"),
        "nothing is written off": not writes_off and field == "write_off_multiplier",
        "no game is below six": field == "write_off_from" and 0 < value < 6 and int(rules["write_off_from"]) == 6,
        "there are no semesters": not rules["semesters"] and field in ("prize_pool", "prize_mountain"),
        "semesters end by themselves": bool(rules["semesters"]) and field in ("pool_end", "wait_exit"),
        "with help no pool exceeds the target": bool(rules["help"])
        and field == "pool_end"
        and {value, int(rules["pool_end"])} == {END_SUM, END_EACH},
        "raspas is scored to whists": whists and field in ("raspas_price", "amnesty"),
        "the talon is not opened": not rules["raspas_talon"] and field == "first_hand_leads_third",
    }
    return next((why for why, holds in reasons.items() if holds), "")
