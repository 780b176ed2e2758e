"""Сочи, Сочинка (`docs/rules.md` 8, columns С): greedy, fully responsible whist, raspas 1-2-3 to the mountain, help."""

from conventions.convention import Convention

SOCHI = Convention(
    name="sochi",
    title="Сочинка",
    failed_keeps=False,  # every deal that is not a raspas returns to the first price
    talon_sitter_zero_bonus=True,
    fixed=frozenset(
        {
            "stalingrad",
            "sliding_raspas",
            "give_up",
            "raspas_exit",
            "talon_return",
            "unwhisted_exits",
            "dealer_zero_bonus",
            "remise_whist_multiplier",
        }
    ),
    choices={"raspas_progression": ("1-2-3", "2-4-6", "2-4-8")},
)
