"""Питер (`docs/rules.md` 8, columns П): mountain and whists doubled, gentleman's half-responsible whist, progressive raspas."""

from conventions.convention import Convention

PITER = Convention(
    name="piter",
    title="Питер",
    give_up=True,
    stalingrad=True,
    talon_sitter_may_whist=True,
    pass_pass_whist=True,
    undertrick="2c",
    whist="2c",
    consolation="2c",
    gentleman=True,
    responsible_on_9="both",
    responsible_on_10="both",
    misere_trick=20,
    raspas_progression="2-4-6",
    amnesty=True,
    raspas_exit="6-7-7",
    unwhisted_exits=False,
    zero_bonus="mountain",
    pool_end="sum",
    plays_on_in_raspas=True,
    help=False,
    pool_worth=20,
    fixed=frozenset({"dealer_zero_bonus", "remise_whist_multiplier"}),
    choices={"raspas_exit": ("6-7-7", "6-7-8"), "raspas_progression": ("2-4-6", "2-4-8")},
)
