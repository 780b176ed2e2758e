"""ВМК (`docs/rules.md` 8, columns В): undoubled, greedy, consolation 10, both answer on 8 and 9, raspas 2-4-4, write-offs."""

from conventions.convention import Convention

VMK = Convention(
    name="vmk",
    title="ВМК",
    give_up=True,
    stalingrad=True,
    consolation="10",
    responsible_on_8="both",
    responsible_on_9="both",
    raspas_progression="2-4-4",
    amnesty=True,
    raspas_exit="6-7-7",
    unwhisted_exits=False,
    zero_bonus="mountain",
    help_skips_set_whister=True,
    unwhisted_write_off=6,
    write_off_when_closed=True,
    fixed=frozenset({"ten_whisted", "talon_return", "dealer_zero_bonus", "remise_whist_multiplier"}),
    choices={"raspas_exit": ("6-7-7", "6-7-8"), "raspas_progression": ("2-4-4", "2-4-6", "2-4-8")},
)
