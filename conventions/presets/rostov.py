"""Ростов (`docs/rules.md` 8, columns Р): half-responsible greedy whist, quick tricks in the talon, raspas to whists."""

from conventions.convention import Convention

ROSTOV = Convention(
    name="rostov",
    title="Ростов",
    talon_throw=True,
    quick_tricks=True,
    stalingrad=True,
    talon_sitter_may_whist=True,
    consolation="10",
    whister_undertrick="c/2",
    responsible_on_9="both",
    responsible_on_10="both",
    raspas_scored_to="whists",
    raspas_progression="5",
    unwhisted_exits=False,
    raspas_talon=False,
    first_hand_leads_third=False,
    zero_bonus="mountain",
    fixed=frozenset(
        {
            "sliding_raspas",
            "give_up",
            "raspas_exit",
            "raspas_progression",
            "talon_return",
            "unwhisted_exits",
            "remise_whist_multiplier",
        }
    ),
)
