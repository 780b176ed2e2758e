"""A person's own convention: a TOML file with a base and what differs (`conventions.files`)."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conventions
from conventions import ConventionError, files
from conventions.convention import GROUPS, PARAMETERS
from tests.helpers import CASES


@pytest.mark.parametrize("name", conventions.names())
def test_any_convention_printed_as_toml_plays_the_same(name: str) -> None:
    base = conventions.get(name)
    text = conventions.to_toml(base)
    assert set(GROUPS) <= set(tomllib.loads(text))
    own = files.loads(text)
    assert own.base == name
    assert own.name == f"my-{name}"
    assert conventions.changed_options(own, base) == {}
    assert files.loads(conventions.to_toml(own)) == own
    for seats in base.seats_allowed():
        assert own.compile(seats).tobytes() == base.compile(seats).tobytes()


def test_a_file_states_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text('base = "sochi"\ngentleman = true\n[raspas]\nraspas_progression = "2-4-6"\n', encoding="utf-8")
    own = conventions.find(str(path))
    assert own.name == "club"
    assert conventions.changed_options(own, conventions.get("sochi")) == {"gentleman": True, "raspas_progression": "2-4-6"}


def test_an_own_convention_may_change_what_its_base_has_fixed() -> None:
    own = files.loads('base = "rostov"\ngive_up = true\n')
    assert own.give_up
    assert conventions.get(own, 3, {"give_up": "false", "hold": False}).give_up is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gentleman = true", "base is missing; allowed: piter, rostov, vmk"),
        ('base = "pitr"', "base: 'pitr' is not a known convention; allowed: piter, rostov"),
        ('base = "piter"\ngentelman = true', "gentelman: there is no such field"),
        ('base = "piter"\ngentleman = "maybe"', "gentleman: 'maybe' is not allowed; allowed: true or false"),
        ('base = "piter"\n[whist]\ngentleman = true', "whist.gentleman: there is no such parameter; known under [whist]: stalingrad"),
        ('base = "piter"\nhold = true\n[auction]\nhold = true', "hold stands twice"),
        ('base = "piter"\n[auction]\nhold = true\n[auction]\nhold = true', "not a TOML text"),
        ('base = "piter"\nname = "sochi"', "name: 'sochi' is the name of a built-in convention"),
        ('base = "piter"\nversion = 2', "version: 2 is not allowed"),
        ('base = "piter"\nundertrick = "3d"', "undertrick: '3d' is not allowed; allowed: a price of the game"),
        ('base = "piter"\nundertrick = 2.5', "undertrick: '2.5' is not allowed"),
        ('base = "piter"\nraspas_exit = "6-7-9"', "raspas_exit: '6-7-9' is not allowed; allowed: 3 whole numbers from 6 to 8"),
        ('base = "piter"\nprize_pool = -1', "prize_pool: '-1' is not allowed; allowed: a whole number from 0 to 10000"),
        ('base = "piter"\ntalon_return = true\ntalon_throw = true', "talon_return=true contradicts talon_throw=true"),
        ("base = ", "not a TOML text"),
        ("base = " + "[" * 5000, "it is nested too deeply"),
    ],
)
def test_an_error_names_the_field_the_value_and_what_is_allowed(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConventionError) as error:
        files.load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConventionError, match="cannot be read: No such file"):
        conventions.find(str(tmp_path / "none.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConventionError, match="cannot be read: it is not a UTF-8 text"):
        conventions.find(str(tmp_path / "bytes.toml"))
    with pytest.raises(ConventionError, match="cannot be read"):
        conventions.find(str(tmp_path) + "/.toml/../x.toml")


@given(st.data())
def test_any_own_convention_is_read_back_from_its_text(data: st.DataObject) -> None:
    name, _ = data.draw(st.sampled_from(CASES))
    lines = [f'base = "{name}"', 'name = "own"']
    listable = [p for p, f in PARAMETERS.items() if f.metadata["kind"].values]
    for parameter in data.draw(st.lists(st.sampled_from(listable), unique=True, max_size=6)):
        value = data.draw(st.sampled_from(PARAMETERS[parameter].metadata["kind"].values))
        lines.append(f"{parameter} = {str(value).lower() if isinstance(value, bool) else repr(value)}")
    try:
        own = files.loads("\n".join(lines))
    except ConventionError as error:
        sentence = str(error)
    else:
        assert files.loads(conventions.to_toml(own)) == own
        return
    assert "contradicts" in sentence


@given(st.text(max_size=200))
def test_no_text_gets_past_the_reader_but_as_a_convention_or_an_error(text: str) -> None:
    try:
        base, sentence = files.loads(text).base, ""
    except ConventionError as error:
        base, sentence = "", str(error)
    assert bool(sentence) != (base in conventions.names())
    assert "\n" not in sentence
