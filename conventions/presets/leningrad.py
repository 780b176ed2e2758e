"""Ленинградка (`docs/rules.md` 8, columns Л): Питер's doubled scale without its dealings."""

import attrs

from conventions.presets.piter import PITER

LENINGRAD = attrs.evolve(
    PITER,
    name="leningrad",
    title="Ленинградка",
    give_up=False,
    stalingrad=False,
    pass_pass_whist=False,
    responsible_on_9="second",
    zero_bonus="pool",
    plays_on_in_raspas=False,
    fixed=PITER.fixed | {"stalingrad", "sliding_raspas", "give_up", "talon_return"},
)
