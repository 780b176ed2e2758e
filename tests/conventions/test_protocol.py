"""Protocols and sheets as JSON Lines (`docs/interfaces.md`, a protocol): answers, and errors that name the deal."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.scoring import score_protocols, settle_sheets

Deal = dict[str, Any]
SIX: Deal = {"dealer": 0, "contract": "6C", "declarer": 1, "defence": {"2": "whist", "0": "pass"}, "tricks": [0, 6, 4]}
RASPAS: Deal = {"dealer": 0, "raspas": True, "tricks": [4, 3, 3]}


def protocol(*deals: Any, convention: Any = "piter", seats: Any = 3, **more: Any) -> dict[str, Any]:
    return {"convention": convention, "seats": seats, "deals": list(deals)} | more


def answer(content: Any) -> dict[str, Any]:
    (only,) = score_protocols([content if isinstance(content, str) else json.dumps(content)])
    return only


def error(content: Any) -> str:
    got = answer(content)
    assert got["line"] == 1
    return str(got["error"])


def test_the_example_of_the_interface_page() -> None:
    deals = [
        {"dealer": 0, "contract": "6C", "declarer": 1, "defence": {"2": "whist", "0": "pass"}, "tricks": [5, 5, 0]},
        {"dealer": 1, "contract": "7H", "declarer": 2, "defence": {"0": "pass", "1": "half"}},
        {"dealer": 2, "contract": "misere", "declarer": 0, "tricks": [2, 4, 4]},
        {"dealer": 0, "raspas": True, "tricks": [2, 3, 5]},
    ]
    assert answer(protocol(*deals, convention="rostov", options={}, target=10)) == {
        "deals": [
            {"pool": [0, 0, 0], "mountain": [0, 2, 0], "whists": [[0, 10, 0], [0, 0, 0], [0, 20, 0]]},
            {"pool": [0, 0, 4], "mountain": [0, 0, 0], "whists": [[0, 0, 0], [0, 0, 4], [0, 0, 0]]},
            {"pool": [0, 0, 0], "mountain": [20, 0, 0], "whists": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]},
            {"pool": [0, 0, 0], "mountain": [0, 0, 0], "whists": [[0, 15, 25], [0, 0, 0], [0, 0, 0]]},
        ],
        "pool": [0, 0, 4],
        "mountain": [20, 2, 0],
        "whists": [[0, 25, 25], [0, 0, 4], [0, 20, 0]],
        "raspas_level": 1,
        "finished": False,
        "result": ["-90", "-1", "91"],
    }
    given_up = {"dealer": 1, "give_up": "6D", "declarer": 2}
    assert error(protocol(*deals, given_up, convention="rostov")).startswith("deal 5: give_up is not allowed here")
    assert answer(protocol({"dealer": 0, "give_up": "6D", "declarer": 2}, convention="vmk"))["mountain"] == [0, 0, 6]


def test_a_protocol_without_deals() -> None:
    assert answer(protocol()) == {
        "deals": [],
        "pool": [0, 0, 0],
        "mountain": [0, 0, 0],
        "whists": [[0, 0, 0]] * 3,
        "raspas_level": 1,
        "finished": False,
        "result": ["0", "0", "0"],
    }


def test_halves_are_written_as_texts() -> None:
    own = {"dealer": 0, "raspas": True, "tricks": [1, 1, 8]}
    assert answer(protocol(own, convention="rostov", options={"raspas_progression": "5"}))["whists"] == [[0, 0, 20], [0, 0, 20], [0, 0, 0]]
    skachki = protocol(
        {"dealer": 0, "raspas": True, "tricks": [1, 3, 3, 3]},
        {"dealer": 1, "contract": "8C", "declarer": 2, "defence": {"3": "whist", "0": "whist"}, "tricks": [0, 0, 10, 0]},
        convention="skachki",
        seats=4,
        options={"game_cost": "1-3-5-7-9"},
    )
    assert answer(skachki)["deals"][1]["mountain"] == ["5/2", 0, 0, "5/2"]


def test_finished_and_the_deal_after_it() -> None:
    ten = {"dealer": 0, "contract": "10N", "declarer": 1, "tricks": [0, 10, 0]}
    done = answer(protocol(ten, target=3))
    assert done["finished"]
    assert error(protocol(ten, RASPAS | {"dealer": 1}, target=3)) == "deal 2: the pulka had ended with deal 1"
    assert answer(protocol(RASPAS, options={"deal_limit": 1}))["finished"]


@pytest.mark.parametrize(
    ("deals", "message"),
    [
        ([RASPAS, RASPAS], "deal 2: dealer: seat 0 deals out of turn; it is seat 1's deal"),
        ([RASPAS, SIX | {"dealer": 1}], "deal 2: 6C is too low: at raspas level 2 bids begin with 7S (misere is always allowed)"),
        ([RASPAS, {"dealer": 1, "give_up": "6S", "declarer": 0}], "deal 2: 6S is too low"),
        ([SIX | {"write": "mountain"}], "deal 1: write: there is no choice between pool and mountain here"),
        ([RASPAS | {"write": {"0": "pool"}}], "deal 1: write: there is no choice"),
        ([RASPAS | {"write": "pool"}], "deal 1: write: 'pool' is not allowed in a raspas; allowed: an object"),
        ([SIX | {"write": "both"}], "deal 1: write: 'both' is not allowed; allowed: pool or mountain"),
        ([SIX, 5], "deal 2: 5 is not an object"),
        ([{"contract": "6C"}], "deal 1: dealer is missing"),
        ([SIX | {"dealer": 3}], "deal 1: dealer: 3 is not a seat; allowed: 0 to 2"),
        ([SIX | {"dealer": True}], "deal 1: dealer: True is not a seat"),
        ([SIX | {"raspas": True}], "exactly one of contract, raspas and give_up; this one has contract and raspas"),
        ([{"dealer": 0}], "this one has none of them"),
        ([RASPAS | {"raspas": 1}], "raspas: 1 is not allowed; allowed: true"),
        ([RASPAS | {"declarer": 1}], "declarer: a raspas has no such field"),
        ([SIX | {"cards": 1}], "cards: a contract has no such field; allowed: contract, dealer"),
        ([SIX | {"contract": "6X"}], "contract: '6X' is not a contract"),
        ([SIX | {"contract": 6}], "contract: 6 is not a contract; allowed: 6S … 10N or misere"),
        ([SIX | {"declarer": 4}], "declarer: 4 is not a seat"),
        ([{k: v for k, v in SIX.items() if k != "declarer"}], "declarer is missing"),
        ([{k: v for k, v in SIX.items() if k != "defence"}], "defence is missing"),
        ([SIX | {"defence": {"2": "whist"}}], "defence: seat 0 is missing"),
        ([SIX | {"defence": {"2": "whist", "1": "pass"}}], "defence: seat 1 is the declarer; the defenders are seats 2 and 0"),
        ([SIX | {"defence": {"2": "whist", "7": "pass"}}], "defence: seat: '7' is not a seat"),
        ([SIX | {"defence": {"2": "whist", "0": "passed"}}], "defence of seat 0: 'passed' is not allowed; allowed: whist, half or pass"),
        ([SIX | {"defence": ["whist", "pass"]}], "defence: ['whist', 'pass'] is not allowed; allowed: an object"),
        ([SIX | {"defence": {"2": "half", "0": "pass"}}], "defence: seat 2 cannot take half a whist"),
        ([SIX | {"defence": {"2": "whist", "0": "half"}}], "defence: seat 0 takes half a whist only where seat 2 has passed"),
        ([SIX | {"contract": "8C", "defence": {"2": "pass", "0": "half"}}], "defence: half a whist is not allowed on a 8 here"),
        ([SIX | {"second": 0}], "second: there is a second whister only where both defenders whist"),
        ([SIX | {"defence": {"2": "whist", "0": "whist"}, "second": 1}], "second: seat 1 is no defender; allowed: 2 or 0"),
        ([{k: v for k, v in SIX.items() if k != "tricks"}], "tricks are missing"),
        ([SIX | {"tricks": [0, 6, 3]}], "tricks: [0, 6, 3] are 9 in all; a deal has 10"),
        ([SIX | {"tricks": [0, 10]}], "tricks: [0, 10] is not allowed; allowed: 3 whole numbers from 0 to 10"),
        ([SIX | {"tricks": [-1, 7, 4]}], "tricks: [-1, 7, 4] is not allowed"),
        ([SIX | {"tricks": [0.0, 6, 4]}], "tricks: [0.0, 6, 4] is not allowed"),
        ([SIX | {"defence": {"2": "pass", "0": "pass"}}], "so the deal was not played"),
        ([SIX | {"contract": "6S", "defence": {"2": "whist", "0": "pass"}}], "under Stalingrad both defenders"),
        ([SIX | {"contract": "10C"}], "defence: a ten is not whisted here but checked"),
        ([SIX | {"contract": "misere"}], "defence: a misère has no such field"),
        ([{"dealer": 0, "contract": "misere", "declarer": 1, "tricks": [5, 0, 5], "second": 0}], "second: a misère has no such field"),
        (
            [{"dealer": 0, "contract": "misere", "declarer": 1, "tricks": [5, 0, 5], "refused": True}],
            "refused: true is not allowed on a misère",
        ),
        ([SIX | {"refused": True}], "refused: true is not allowed here"),
        ([SIX | {"refused": 1}], "refused: 1 is not allowed; allowed: true or false"),
        ([SIX | {"overcalled_misere": True}], "overcalled_misere: 6C does not beat misère"),
        ([SIX | {"talon": "SA"}], "talon: 'SA' is not allowed; allowed: two cards such as 'SA D7'"),
        ([SIX | {"talon": "SA SA"}], "talon: the card SA stands twice"),
        ([SIX | {"talon": 5}], "talon: 5 is not allowed"),
        ([{"dealer": 0, "give_up": "misere", "declarer": 1}], "give_up: misere cannot be given up"),
        ([{"dealer": 0, "give_up": "6D", "declarer": 1, "tricks": [0, 5, 5]}], "tricks: a deal that was given up has no such field"),
    ],
)
def test_an_error_names_the_deal_and_what_is_wrong(deals: list[Any], message: str) -> None:
    assert message in error(protocol(*deals))
    assert error(protocol(*deals)).startswith("deal ")


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ({"contract": "6C", "declarer": 0, "tricks": [6, 4, 0, 0]}, "declarer: seat 0 deals and sits on the talon"),
        ({"raspas": True, "tricks": [3, 3, 3, 1]}, "tricks: the talon-sitter, seat 0, has 3; the talon's two cards cannot take more"),
        (
            {"contract": "6C", "declarer": 1, "defence": {"2": "whist", "3": "pass"}, "tricks": [1, 6, 3, 0]},
            "tricks: the talon-sitter, seat 0, has 1; he holds no cards",
        ),
        (
            {"contract": "6C", "declarer": 1, "defence": {"2": "pass", "3": "half", "0": "whist"}, "tricks": [0, 6, 3, 1]},
            "defence: the talon-sitter, seat 0, says whist",
        ),
        (
            {"contract": "8C", "declarer": 1, "defence": {"2": "pass", "3": "pass", "0": "whist"}, "tricks": [0, 6, 3, 1]},
            "defence: seat 0 sits on the talon and has no word here",
        ),
    ],
)
def test_errors_about_the_talon_sitter(deal: Deal, message: str) -> None:
    assert message in error(protocol({"dealer": 0} | deal, seats=4))


def test_forced_raspas_is_required() -> None:
    six = {"dealer": 0, "contract": "7C", "declarer": 1, "defence": {"2": "whist", "3": "pass"}, "tricks": [0, 7, 3, 0]}
    assert 'this deal is a forced raspas; it is written as "raspas": true' in error(protocol(six, convention="skachki", seats=4))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "a protocol is an object"),
        ("{", "the line is not JSON"),
        ('{"seats": 3, "seats": 4}', "the key 'seats' stands twice"),
        ("NaN", "NaN is not a number that JSON allows"),
        ("[" * 100_000, "nested too deeply"),
        ({"convention": "piter", "seats": 3}, "deals is missing"),
        (protocol(bots=[]), "bots: a protocol has no such field; allowed: convention, options, seats"),
        (protocol(convention="pitr"), "convention: 'pitr' is not known"),
        (protocol(convention=5), "convention: 5 is not a name"),
        (protocol(options=[]), "options: [] is not allowed"),
        (protocol(options={"stalingrad": [1]}), "option stalingrad: [1] is not allowed; allowed: true or false"),
        (protocol(seats=5), "seats: 5 is not allowed in piter; allowed: 3 or 4"),
        (protocol(seats="3"), "seats: '3' is not allowed"),
        (protocol(target=0), "target: 0 is not allowed; allowed: a whole number from 1"),
        (protocol(target=10.0), "target: 10.0 is not allowed"),
        (protocol(players=["a"]), "players: ['a'] is not allowed; allowed: 3 names"),
        (protocol() | {"deals": {}}, "deals: {} is not allowed; allowed: a list of deals"),
    ],
)
def test_errors_of_a_whole_line(content: Any, message: str) -> None:
    assert message in error(content)


def test_a_bad_line_is_answered_in_its_place() -> None:
    lines = [json.dumps(protocol(SIX)), "oops", "", json.dumps(protocol(RASPAS)), ""]
    answers = list(score_protocols(lines))
    assert len(answers) == 4
    assert [a.get("line") for a in answers] == [None, 2, 3, None]
    assert answers[3]["raspas_level"] == 2


def test_answers_come_as_lines_come() -> None:
    def lines() -> Any:
        yield json.dumps(protocol(SIX))
        seen.append(1)
        yield json.dumps(protocol(SIX))

    seen: list[int] = []
    answers = score_protocols(lines())
    assert next(answers)["pool"] == [0, 2, 0]
    assert seen == []


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from(["6C", "10N", "misere", "pass", "whist", "half", "pool", "SA D7", "0"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["0", "1", "2", "3"]), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.sampled_from(["piter", "rostov", "vmk"]),
    st.dictionaries(st.sampled_from([*SIX, *RASPAS, "give_up", "write", "second"]), json_values),
)
def test_whatever_a_deal_holds_the_answer_is_a_score_or_an_error_that_names_it(convention: str, changes: Deal) -> None:
    for deal in (SIX, RASPAS):
        got = answer(protocol(deal | changes, convention=convention))
        assert str(got.get("error", "deal 1: ")).startswith("deal 1: ")
        assert ("result" in got) != ("error" in got)


def settled(sheet: Any) -> dict[str, Any]:
    (only,) = settle_sheets([json.dumps(sheet)])
    return only


SHEET: dict[str, Any] = {
    "convention": "sochi",
    "pool": [10, 10, 10],
    "mountain": [12, 6, 0],
    "whists": [[0, 70, 140], [114, 0, 96], [100, 180, 0]],
}


def test_settle() -> None:
    assert settled(SHEET) == {"result": ["-64", "-40", "104"]}
    ll = {"convention": "sochi", "pool": [3, 0, 0], "mountain": [0, 14, 6], "whists": [[0, 0, 0], ["8", 0, 0], [0, 0, 0]]}
    assert settled(ll) == {"result": ["236/3", "-226/3", "-10/3"]}
    own_worth = SHEET | {"pool": [12, 10, 8], "pool_worth": 20}
    assert settled(own_worth)["result"] == settled(SHEET | {"pool": [12, 10, 8], "convention": "piter"})["result"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"convention": "pitr"}, "convention: 'pitr' is not known"),
        ({"pool": [1, 2]}, "pool: [1, 2] is not allowed; allowed: a list of 3 or 4 numbers"),
        ({"pool": [1, 2, 2.5]}, "pool of seat 2: 2.5 is not an exact number; allowed: an integer or a text such as '5/2'"),
        ({"mountain": [1, 2, 3, 4]}, "mountain has 4 seats, pool has 3"),
        ({"whists": [[0, 1, 2]]}, "whists: [[0, 1, 2]] is not allowed; allowed: 3 rows of 3 numbers"),
        ({"whists": [[0, 1, 2], [1, 0, 2], [1, 2, 3]]}, "whists row 2: seat 2 has written 3 on itself"),
        ({"whists": [[0, 1, 2], [1, 0, 2], [0, 0, 0, 0]]}, "whists row 2 has 4 numbers, pool has 3"),
        ({"pool_worth": 0}, "pool_worth: 0 is not allowed"),
        ({"pool_worth": "many"}, "pool_worth: 'many' is not allowed"),
        ({"seats": 4}, "seats: 4 is not allowed in a sheet whose pool has 3 numbers"),
        ({"convention": "skachki"}, "seats: 3 is not allowed in skachki; allowed: 4"),
        ({"cards": 1}, "cards: a sheet has no such field"),
    ],
)
def test_settle_errors(changes: dict[str, Any], message: str) -> None:
    got = settled(SHEET | changes)
    assert message in got["error"]
    assert got["line"] == 1
