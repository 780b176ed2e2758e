"""Московская (`docs/rules.md` 8, columns М): Ростов with a gentleman's whist, no dealings with the talon, zero tricks into the pool."""

import attrs

from conventions.presets.rostov import ROSTOV

MOSCOW = attrs.evolve(
    ROSTOV,
    name="moscow",
    title="Московская",
    talon_throw=False,
    quick_tricks=False,
    stalingrad=False,
    talon_sitter_may_whist=False,
    gentleman=True,
    responsible_on_10="second",
    zero_bonus="pool",
    dealer_zero_bonus=True,
    fixed=ROSTOV.fixed | {"stalingrad", "dealer_zero_bonus"},
)
