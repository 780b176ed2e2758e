"""Питерские скачки (`docs/rules.md` 8, columns Ск): Питер for four in four semesters, with forced raspas and prizes."""

import attrs

from conventions.presets.piter import PITER

SKACHKI = attrs.evolve(
    PITER,
    name="skachki",
    title="Питерские скачки",
    seat_counts="4",
    give_up=False,
    ten_whisted=True,
    remise_whist_multiplier=2,
    responsible_on_8="halves",
    responsible_on_9="halves",
    responsible_on_10="halves",
    zero_bonus="choice",
    talon_sitter_zero_bonus=True,
    forced_raspas=True,
    unwhisted_write_off=8,
    write_off_multiplier=2,
    semesters=4,
    prize_pool=300,
    prize_mountain=200,
    default_target=22,
    fixed=frozenset({"ten_whisted", "stalingrad", "sliding_raspas", "give_up", "talon_return", "dealer_zero_bonus", "pool_end"}),
)
