"""What a run is: settings, their defaults and what is said of wrong ones (`docs/interfaces.md`, simulating)."""

import json
from pathlib import Path
from typing import Any

import pytest

from lab.description import describe, read_file, recorded_as, same_run
from lab.errors import UsageError


def test_defaults() -> None:
    run = describe({})
    assert (run.convention.name, run.seats, run.target, run.pulkas, run.deal_limit) == ("piter", 3, 10, 1000, 1000)
    assert describe({"convention": "skachki"}).seats == 4
    assert describe({"convention": "skachki"}).target == 22


@pytest.mark.parametrize(
    ("bots", "fixed", "seatings"),
    [
        ("a", False, [(0, 0, 0)]),
        ("a,b,b", False, [(0, 1, 1), (1, 0, 1), (1, 1, 0)]),
        ("a,b,c", False, [(0, 1, 2), (2, 0, 1), (1, 2, 0)]),
        ("a,b,c", True, [(0, 1, 2)]),
        ("a,b,a,b", False, [(0, 1, 0, 1), (1, 0, 1, 0)]),
        ("a,a,b,b", False, [(0, 0, 1, 1), (1, 0, 0, 1), (1, 1, 0, 0), (0, 1, 1, 0)]),
    ],
)
def test_seats_rotate_so_that_every_bot_sits_everywhere_equally_often(bots: str, fixed: bool, seatings: list[tuple[int, ...]]) -> None:
    run = describe({"bots": bots, "seats": 4 if bots.count(",") == 3 else 3, "fixed_seats": fixed})
    assert list(run.seatings) == seatings
    if not fixed:
        places = list(zip(*run.seatings, strict=True))
        assert all(sorted(place) == sorted(places[0]) for place in places)


def test_a_block_is_a_whole_number_of_sets_of_seatings() -> None:
    for pulkas in (1, 7, 100, 10**6):
        for bots, seats in (("a,b,c", 3), ("a,b,c,d", 4), ("a,b,a,b", 4)):
            run = describe({"bots": bots, "seats": seats, "pulkas": pulkas})
            assert run.block % len(run.seatings) == 0
            assert 1 <= run.block <= 240
    assert describe({"pulkas": 100, "bots": "a"}).block < 20, "a short run keeps several workers busy"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pulkas": 0}, "pulkas: 0 is not allowed; allowed: a whole number from 1"),
        ({"pulkas": True}, "pulkas: True is not allowed"),
        ({"pulkas": 1.5}, "pulkas: 1.5 is not allowed"),
        ({"seats": 5}, "seats: 5 is not allowed; allowed: a whole number from 3 to 4"),
        ({"seats": 3, "convention": "skachki"}, "seats: 3 is not allowed in skachki; allowed: 4"),
        ({"convention": "bridge"}, "'bridge' is not known; known: piter"),
        ({"convention": 7}, "convention: 7 is not a name"),
        ({"options": {"stalingard": True}}, "did you mean stalingrad"),
        ({"options": ["x"]}, "is not a table of option names and values"),
        ({"options": {"raspas_exit": "6-9-9"}}, "allowed: 6-7-7 or 6-7-8"),
        ({"bots": "a,b"}, "bots: 2 are named for 3 seats"),
        ({"bots": "a,,b"}, "names no bot in one place"),
        ({"bots": [1, 2, 3]}, "is not a list of bots"),
        ({"bots": "a", "duplicate": True}, "one seating has nothing to be compared with"),
        ({"fixed_seats": "yes"}, "fixed_seats: 'yes' is not allowed; allowed: true or false"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"target": 0}, "target: 0 is not allowed"),
        ({"deal_limit": 0}, "deal_limit: 0 is not allowed"),
        ({"pulka": 5}, "pulka: there is no such setting of a run; known: convention, options"),
        ({"format": "preferans-record"}, "this program reads preferans-run"),
        ({"convention_version": "0"}, "the run was made by piter 0, this program has piter"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=None) as caught:
        describe(given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"convention": "rostov", "seats": 4, "bots": "a,b,c,d", "options": {"dealer_zero_bonus": True}, "records": 3, "deals": True},
        {"convention": "skachki", "bots": "a,a,b,b", "duplicate": True, "options": {"remise_whist_multiplier": 1}},
    ],
)
def test_run_json_describes_the_same_run(given: dict[str, Any]) -> None:
    run = describe(given)
    written = json.loads(json.dumps(run.as_json({"a": "1"})))
    again = describe(written)
    assert again == run
    assert again.convention == run.convention
    assert same_run(written, again.as_json({"a": "1"})) == []
    assert same_run(written, describe(given | {"seed": 5}).as_json({"a": "2"})) == ["seed", "bot_versions"]


def test_a_convention_of_ones_own_is_kept_in_full(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('base = "piter"\nname = "house"\n[raspas]\nraspas_progression = "2-4-8"\n')
    (tmp_path / "run.toml").write_text('convention = "house.toml"\npulkas = 5\nbots = ["a"]\n[options]\nten_whisted = true\n')
    run = describe(read_file(tmp_path / "run.toml"))
    assert run.convention.name == "house"
    assert run.convention.ten_whisted
    written = json.loads(json.dumps(run.as_json({})))
    (tmp_path / "house.toml").unlink()
    assert describe(written).convention == run.convention
    assert recorded_as(run.convention, 3) == ("piter", {"raspas_progression": "2-4-8", "ten_whisted": True})


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [("run.toml", "pulkas = = 3", "not a TOML text"), ("run.json", "{", "not a JSON text"), ("run.json", "[1]", "a run is a table")],
)
def test_a_broken_file_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError) as caught:
        read_file(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert said in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the run cannot be read: No such file"):
        read_file(tmp_path / "none.toml")
