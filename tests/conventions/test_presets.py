"""Each convention's parameters against the table of `docs/rules.md` 8 as section 11 completes it."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

import conventions
from conventions.convention import GROUPS, PARAMETERS, Convention
from conventions.parameters import show
from conventions.rules_record import RULES
from engine.table import PROCEDURE

ORDER = ("piter", "rostov", "vmk", "skachki", "moscow", "sochi", "leningrad", "classic")
YES, NO = "true", "false"

# columns in the order of the table: П Р В Ск М С Л К
TABLE = {
    "seat_counts": "3-4 3-4 3-4 4 3-4 3-4 3-4 3-4",
    "game_cost": "2-4-6-8-10 " * 8,
    "undertrick": "2c c c 2c c c 2c c",
    "whist": "2c c c 2c c c 2c c",
    "remise_whist_multiplier": "1 1 1 2 1 1 1 1",
    "consolation": "2c 10 10 2c 10 c 2c c",
    "consolation_to_talon_sitter": "true " * 8,
    "gentleman": "true false false true true false true false",
    "whister_undertrick": "c c/2 c c c/2 c c c",
    "shortfall": "pair " * 8,
    "responsible_on_8": "second second both halves second second second second",
    "responsible_on_9": "both both both halves both second second second",
    "ten_whisted": "false false false true false false false false",
    "misere_made": "10 " * 8,
    "misere_trick": "20 10 10 20 10 10 20 10",
    "misere_whists": "false " * 8,
    "stalingrad": "true true true true false false false true",
    "give_up": "true false true false false false false false",
    "quick_tricks": "false true false false false false false false",
    "talon_return": "false " * 8,
    "talon_throw": "false true false false false false false false",
    "half_whist": "true true true true true true true false",
    "first_may_raise": "true true true true true true true false",
    "talon_sitter_may_whist": "true true false true false false true false",
    "talon_whister_responsible": "true " * 8,
    "whist_pass_half": "false " * 8,
    "pass_pass_whist": "true false false true false false false false",
    "hold": "true " * 8,
    "misere_beaten_by": "nine " * 8,
    "declarer_first_lead_game": "light light light light light light light dark",
    "declarer_first_lead_misere": "dark " * 8,
    "raspas_scored_to": "mountain whists mountain mountain whists mountain mountain mountain",
    "raspas_progression": "2-4-6 5 2-4-4 2-4-6 5 1-2-3 2-4-6 1-2-3",
    "amnesty": "true false true true false false true false",
    "raspas_exit": "6-7-7 6-6-6 6-7-7 6-7-7 6-6-6 6-6-6 6-7-7 6-7-7",
    "unwhisted_exits": "false false false false false true false true",
    "half_exits": "true " * 8,
    "failed_keeps": "true true true true true false true true",
    "raspas_talon": "true false true true false true true true",
    "first_hand_leads_third": "true false true true false true true true",
    "zero_bonus": "mountain mountain mountain choice pool pool pool pool",
    "talon_sitter_zero_bonus": "false false false true false true false true",
    "dealer_zero_bonus": "false false false false true false false false",
    "sliding_raspas": "true " * 8,
    "forced_raspas": "false false false true false false false false",
    "plays_on_in_raspas": "true false false true false false false false",
    "help": "false true true false true true false true",
    "help_skips_set_whister": "false false true false false false false false",
    "unwhisted_write_off": "none none 6 8 none none none none",
    "write_off_when_closed": "false false true false false false false false",
    "mountain_first": "false false false false false false false true",
    "semesters": "0 0 0 4 0 0 0 0",
    "prize_pool": "0 0 0 300 0 0 0 0",
    "prize_mountain": "0 0 0 200 0 0 0 0",
    "deal_limit": "none " * 8,
    "default_target": "10 10 10 22 10 10 10 10",
    "pool_worth": "20 10 10 20 10 10 20 10",
    "mountain_worth": "10 " * 8,
}
# where the table says nothing of a convention
PARTIAL = {
    "pool_end": {"piter": "sum", "rostov": "each", "vmk": "each", "moscow": "each", "sochi": "each", "leningrad": "sum", "classic": "each"},
    "responsible_on_10": {
        "piter": "both", "rostov": "both", "skachki": "halves", "leningrad": "both",
        "moscow": "second", "sochi": "second", "classic": "second",
    },
    "write_off_multiplier": {"vmk": "1", "skachki": "2"},
}  # fmt: skip


def test_there_are_the_eight_conventions() -> None:
    assert conventions.names() == ORDER
    assert [conventions.get(n).title for n in ORDER] == [
        "Питер", "Ростов", "ВМК", "Питерские скачки", "Московская", "Сочинка", "Ленинградка", "Классика"
    ]  # fmt: skip


def test_the_table_here_speaks_of_every_parameter() -> None:
    assert set(TABLE) | set(PARTIAL) == set(PARAMETERS)
    assert all(len(row.split()) == 8 for row in TABLE.values())


@pytest.mark.parametrize("name", ORDER)
def test_8_parameters(name: str) -> None:
    convention = conventions.get(name)
    expected = {row: values.split()[ORDER.index(name)] for row, values in TABLE.items()}
    expected |= {row: values[name] for row, values in PARTIAL.items() if name in values}
    assert {row: show(getattr(convention, row)) for row in expected} == expected


def test_every_parameter_has_a_group_a_meaning_and_a_russian_term() -> None:
    for name, field in PARAMETERS.items():
        data = field.metadata
        assert data["group"] in GROUPS
        assert data["help"], name
        assert any("а" <= c.lower() <= "я" for c in data["russian"]), name
    assert list(dict.fromkeys(f.metadata["group"] for f in PARAMETERS.values())) == list(GROUPS)


def test_the_record_begins_with_what_the_engine_reads() -> None:
    assert PROCEDURE.fields is not None
    assert RULES.fields is not None
    assert all(RULES.fields[n] == field for n, field in PROCEDURE.fields.items())


@pytest.mark.parametrize("name", ORDER)
def test_a_convention_compiles_for_each_number_of_seats(name: str) -> None:
    convention = conventions.get(name)
    for seats in convention.seats_allowed():
        rules = convention.compile(seats)
        assert rules.shape == (1,)
        assert rules.dtype == RULES
        assert rules["seats"][0] == seats
        assert rules.tobytes() == convention.compile(seats).tobytes()
    for seats in {2, 3, 4, 5} - set(convention.seats_allowed()):
        with pytest.raises(conventions.ConventionError, match=rf"seats: {seats} is not allowed in {name}"):
            convention.compile(seats)


def test_prices_by_level_and_by_raspas_state() -> None:
    piter = conventions.get("piter").compile(3)
    assert piter["undertrick"][0].tolist() == [4, 8, 12, 16, 20]
    assert piter["whister_undertrick"][0].tolist() == [2, 4, 6, 8, 10]
    assert piter["raspas_price"][0].tolist() == [2, 4, 6]
    assert piter["zero_mountain"][0].tolist() == [2, 4, 6]
    assert piter["zero_pool"][0].tolist() == [0, 0, 0]
    rostov = conventions.get("rostov").compile(4)
    assert rostov["whister_undertrick"][0].tolist() == [1, 2, 3, 4, 5]
    assert rostov["consolation"][0].tolist() == [10] * 5
    assert rostov["raspas_whists"][0] == 5
    assert rostov["zero_mountain"][0].tolist() == [1, 1, 1]
    skachki = conventions.get("skachki").compile(4)
    assert skachki["zero_pool"][0].tolist() == [2, 4, 6]
    assert skachki["zero_mountain"][0].tolist() == [4, 8, 12]
    assert conventions.get("vmk").compile(3)["raspas_price"][0].tolist() == [2, 4, 4]
    assert conventions.get("moscow").compile(4)["zero_pool"][0].tolist() == [1, 1, 1]


# A convention's version changes when its behaviour does, and only then: a new digest here asks for a new version there.
VERSIONS = {
    "piter": ("1", "0ef03a08ebee"),
    "rostov": ("1", "90eefa71aecf"),
    "vmk": ("1", "18df0b1c6072"),
    "skachki": ("1", "6387b0cb5bc6"),
    "moscow": ("1", "a3a9c6cefec3"),
    "sochi": ("1", "2b2f33ac84b4"),
    "leningrad": ("1", "5a6abdf7db66"),
    "classic": ("1", "6e91c4fa09e3"),
}


def digest(convention: Convention) -> str:
    parameters = {name: show(getattr(convention, name)) for name in PARAMETERS}
    return hashlib.sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:12]


@pytest.mark.parametrize("name", ORDER)
def test_the_version_changes_with_the_parameters(name: str) -> None:
    convention = conventions.get(name)
    assert (convention.version, digest(convention)) == VERSIONS[name]


def test_a_convention_cannot_be_changed() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        conventions.get("piter").hold = False  # type: ignore[misc]


def test_listing_and_settling_compile_nothing(root: Path) -> None:
    code = (
        "import sys, conventions, conventions.settlement, lab.scoring\n"
        "conventions.get('piter').compile(3)\n"
        "list(lab.scoring.settle_sheets(['{}']))\n"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
