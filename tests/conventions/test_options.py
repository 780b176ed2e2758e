"""Options (`docs/interfaces.md`, names): where each is offered, its values, and the sentence where it is not."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import conventions
from conventions import ConventionError, catalogue
from conventions.convention import PARAMETERS
from tests.helpers import CASES

ALL = conventions.names()
BOTH = (False, True)
PROGRESSES = ("piter", "vmk", "skachki", "sochi", "leningrad", "classic")

# option -> (values, where it is offered)
OPTIONS: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {
    "ten_whisted": (BOTH, tuple(n for n in ALL if n not in ("vmk", "skachki"))),
    "stalingrad": (BOTH, ("piter", "rostov", "vmk")),
    "sliding_raspas": (BOTH, ("piter", "vmk")),
    "give_up": (BOTH, ("piter", "vmk")),
    "raspas_exit": (("6-7-7", "6-7-8"), ("piter", "vmk", "skachki", "leningrad")),
    "raspas_progression": (("2-4-6", "2-4-8"), PROGRESSES),
    "talon_return": (BOTH, ("piter",)),
    "unwhisted_exits": (BOTH, ("piter", "vmk", "skachki", "leningrad")),
    "pass_pass_whist": (BOTH, ALL),
    "talon_sitter_may_whist": (BOTH, ALL),
    "dealer_zero_bonus": (BOTH, ("rostov",)),
    "gentleman": (BOTH, ALL),
    "hold": (BOTH, ALL),
    "shortfall": (("pair", "personal"), ALL),
    "pool_end": (("sum", "each", "first"), tuple(n for n in ALL if n != "skachki")),
    "remise_whist_multiplier": ((2, 1), ("skachki",)),
    "deal_limit": ((None, "none", 1, 18), ALL),
}
FOUR_SEATS = {"talon_return", "talon_sitter_may_whist", "dealer_zero_bonus"}
DEFAULTS = {
    "pass_pass_whist": ("piter", "skachki"),
    "talon_sitter_may_whist": ("piter", "rostov", "skachki", "leningrad"),
    "gentleman": ("piter", "skachki", "moscow", "leningrad"),
}


def values_of(option: str, name: str) -> tuple[Any, ...]:
    values, _ = OPTIONS[option]
    extra = {"vmk": ("2-4-4",), "sochi": ("1-2-3",), "classic": ("1-2-3",)}.get(name, ()) if option == "raspas_progression" else ()
    return (*extra, *values)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_takes_its_values_where_it_is_offered(option: str) -> None:
    _, where = OPTIONS[option]
    for name in where:
        for value in values_of(option, name):
            changed = conventions.get(name, 4, {option: value})
            assert getattr(changed, option) == (None if value == "none" else value)
            text = "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
            assert conventions.get(name, 4, {option: text}) == changed


@pytest.mark.parametrize("option", [o for o in OPTIONS if o != "pool_end"])
def test_an_option_keeps_its_one_value_where_it_is_not_offered(option: str) -> None:
    values, where = OPTIONS[option]
    for name in set(ALL) - set(where):
        base = conventions.get(name)
        current = getattr(base, option)
        assert conventions.get(name, 4, {option: current}) == base
        for value in values:
            if value != current:
                with pytest.raises(ConventionError, match=rf"option {option}: .* is not allowed in {name}: there it is always"):
                    conventions.get(name, 4, {option: value})


def test_11_pool_end_does_not_exist_in_skachki() -> None:
    for value in OPTIONS["pool_end"][0]:
        with pytest.raises(ConventionError, match=f"option pool_end: {value} is not allowed in skachki"):
            conventions.get("skachki", 4, {"pool_end": value})


@pytest.mark.parametrize(("option", "true_in"), DEFAULTS.items())
def test_defaults_that_differ(option: str, true_in: tuple[str, ...]) -> None:
    assert tuple(n for n in ALL if getattr(conventions.get(n), option)) == true_in


@pytest.mark.parametrize("option", sorted(FOUR_SEATS))
def test_an_option_about_the_talon_sitter_needs_four_seats(option: str) -> None:
    for name in set(OPTIONS[option][1]) - {"skachki"}:
        assert conventions.get(name, 3, {option: False}).compile(3).tobytes() == conventions.get(name).compile(3).tobytes()
        if getattr(conventions.get(name), option):
            continue  # an option may be named at its default
        with pytest.raises(ConventionError, match=f"option {option}: true is not allowed with 3 seats"):
            conventions.get(name, 3, {option: True})


@pytest.mark.parametrize(
    ("name", "seats", "options", "message"),
    [
        ("pitr", 3, None, "convention: 'pitr' is not known; known: piter, rostov, vmk, skachki, moscow, sochi, leningrad, classic"),
        ("piter", 5, None, "seats: 5 is not allowed in piter; allowed: 3 or 4"),
        ("skachki", 3, None, "seats: 3 is not allowed in skachki; allowed: 4"),
        ("piter", True, None, "seats: True is not allowed"),
        ("piter", 3, {"ten_wisted": True}, "option ten_wisted: there is no such option; did you mean ten_whisted"),
        ("piter", 3, {"ten_whisted": 1}, "option ten_whisted: 1 is not allowed; allowed: false or true"),
        ("piter", 3, {"ten_whisted": "yes"}, "option ten_whisted: yes is not allowed; allowed: false or true"),
        ("rostov", 3, {"give_up": True}, "option give_up: true is not allowed in rostov: there it is always false"),
        ("skachki", 4, {"stalingrad": False}, "option stalingrad: false is not allowed in skachki: there it is always true"),
        ("vmk", 3, {"ten_whisted": True}, "option ten_whisted: true is not allowed in vmk: there it is always false"),
        ("piter", 3, {"raspas_exit": "6-8-8"}, "option raspas_exit: 6-8-8 is not allowed in piter; allowed: 6-7-7 or 6-7-8"),
        ("piter", 3, {"raspas_progression": "2-4-4"}, "option raspas_progression: 2-4-4 is not allowed in piter; allowed: 2-4-6 or 2-4-8"),
        ("vmk", 3, {"raspas_progression": "1-2-3"}, "allowed: 2-4-4, 2-4-6 or 2-4-8"),
        ("piter", 3, {"pool_end": "last"}, "option pool_end: last is not allowed; allowed: sum, each or first"),
        ("piter", 3, {"deal_limit": 0}, "option deal_limit: 0 is not allowed; allowed: none or a whole number of deals from 1"),
        ("piter", 3, {"deal_limit": 2.5}, "option deal_limit: 2.5 is not allowed"),
        ("piter", 3, {"deal_limit": True}, "option deal_limit: true is not allowed"),
        ("piter", 3, {"whist_pass_half": True}, "option whist_pass_half: true is not allowed"),
        ("piter", 3, {"prize_pool": 300}, "option prize_pool: 300 has no effect in piter with 3 seats"),
        ("piter", 3, {"talon_return": True}, "not allowed with 3 seats"),
        ("piter", 4, {"responsible_on_10": "second"}, "option responsible_on_10: second has no effect in piter"),
    ],
)
def test_an_error_names_the_option_the_value_and_what_is_allowed(
    name: str, seats: int, options: dict[str, Any] | None, message: str
) -> None:
    with pytest.raises(ConventionError) as error:
        conventions.get(name, seats, options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "options",
    [
        {"talon_return": True, "talon_throw": True},
        {"zero_bonus": "none", "dealer_zero_bonus": True},
        {"raspas_scored_to": "whists", "raspas_talon": True},
        {"first_hand_leads_third": True, "raspas_talon": False},
        {"mountain_first": True, "write_off_when_closed": True},
        {"mountain_first": True, "unwhisted_write_off": 6},
        {"game_cost": "1-3-5-7-9", "whister_undertrick": "c/2"},
    ],
)
def test_options_that_contradict_each_other_are_refused(options: dict[str, Any]) -> None:
    plain = conventions.find("sochi")
    with pytest.raises(ConventionError, match=r"contradicts|must be even"):
        conventions.get(attrs.evolve(plain, name="own", fixed=frozenset(), choices={}, talon_sitter_zero_bonus=False), 4, options)


def test_a_further_parameter_is_an_option_where_it_has_an_effect() -> None:
    assert conventions.get("sochi", 3, {"amnesty": True}).compile(3)["amnesty"][0] == 1
    assert conventions.get("piter", 4, {"ten_whisted": True, "responsible_on_10": "second"}).responsible_on_10 == "second"
    assert conventions.get("skachki", 4, {"talon_sitter_zero_bonus": False}).compile(4)["zero_sitter"][0] == 0


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_all_options_in_full_are_read_back(name: str, seats: int) -> None:
    base = conventions.get(name, seats)
    full = conventions.options_in_full(base, seats)
    assert conventions.get(name, seats, full) == base
    assert set(OPTIONS) - set(full) == ({"pool_end"} if name == "skachki" else FOUR_SEATS if seats == 3 else set())


@given(st.data())
def test_any_combination_of_offered_options_is_accepted_and_read_back(data: st.DataObject) -> None:
    name, seats = data.draw(st.sampled_from(CASES))
    offered = [o for o, (_, where) in OPTIONS.items() if name in where and (seats == 4 or o not in FOUR_SEATS)]
    chosen = data.draw(st.lists(st.sampled_from(offered), unique=True))
    options = {o: data.draw(st.sampled_from(values_of(o, name))) for o in chosen}
    convention = conventions.get(name, seats, options)
    assert convention.name == name
    assert conventions.get(name, seats, conventions.options_in_full(convention, seats)) == convention
    differing = conventions.changed_options(convention, conventions.get(name))
    assert set(differing) <= set(options)
    assert conventions.get(name, seats, differing) == convention


def test_options_listed_with_default_allowed_meaning_and_russian_term() -> None:
    listed = {o.name: o for o in conventions.available_options(conventions.get("vmk"), 4)}
    assert list(listed) == list(PARAMETERS)
    assert listed["ten_whisted"].allowed == "false only"
    assert not listed["ten_whisted"].offered
    assert listed["raspas_progression"].default == "2-4-4"
    assert listed["raspas_progression"].allowed == "2-4-4, 2-4-6 or 2-4-8"
    assert listed["deal_limit"].default == "none"
    assert listed["raspas_progression"].russian == "прогрессия пасов"
    assert listed["give_up"].offered
    assert listed["give_up"].group == "talon"


def test_name_equals_value() -> None:
    assert conventions.split_options(["ten_whisted=true", " raspas_exit = 6-7-8"]) == {"ten_whisted": "true", "raspas_exit": "6-7-8"}
    for text in ("ten_whisted", "=true", "ten_whisted="):
        with pytest.raises(ConventionError, match="not of the form NAME=VALUE"):
            catalogue.split_option(text)
    with pytest.raises(ConventionError, match="option hold is given 2 times: true, false"):
        conventions.split_options(["hold=true", "hold=false"])


def test_a_comparison_lists_what_differs() -> None:
    differences = conventions.compare(conventions.get("piter"), conventions.get("leningrad"))
    assert {d.name: (d.first, d.second) for d in differences} == {
        "give_up": ("true", "false"),
        "stalingrad": ("true", "false"),
        "pass_pass_whist": ("true", "false"),
        "responsible_on_9": ("both", "second"),
        "zero_bonus": ("mountain", "pool"),
        "plays_on_in_raspas": ("true", "false"),
    }
    assert all(d.russian and d.help and d.group for d in differences)
    assert conventions.compare(conventions.get("vmk"), conventions.get("vmk")) == []
