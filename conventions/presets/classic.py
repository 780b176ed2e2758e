"""Классика (`docs/rules.md` 8, columns К): the free half only; bombs and razboynik are left out."""

import attrs

from conventions.presets.sochi import SOCHI

CLASSIC = attrs.evolve(
    SOCHI,
    name="classic",
    title="Классика",
    stalingrad=True,
    half_whist=False,
    first_may_raise=False,
    declarer_first_lead_game="dark",
    raspas_exit="6-7-7",
    failed_keeps=True,
    mountain_first=True,
)
