"""`preferans solve` and `preferans odds`: lines in, answers out; exact odds, sampled odds, discards."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.solver import Position, paranoid, tricks
from engine.cards import cards_of, hand_text, mask_of
from lab import cli, odds, solving

DEAL = {"hands": ["SAQ CJT9 DJ7 HKQ7", "SKJ CA8 DT98 HJ98", "ST987 CKQ DAKQ HA"], "contract": "6S", "declarer": 2, "leader": 1}


def answers(*lines: dict[str, Any] | str) -> list[dict[str, Any]]:
    return list(solving.solve_lines([line if isinstance(line, str) else json.dumps(line) for line in lines]))


def test_every_line_is_answered_in_order_and_a_bad_one_in_its_place() -> None:
    told = answers(DEAL, {**DEAL, "leader": 3}, {**DEAL, "contract": "raspas"}, "{", DEAL)
    assert told[0] == told[4] == {"tricks": 6}
    assert told[1]["line"] == 2 and "leader 3" in told[1]["error"]
    assert told[2] == {"paranoid": list(paranoid(Position.read(DEAL["hands"], "raspas", leader=1)))}  # type: ignore[arg-type]
    assert told[3]["line"] == 4


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"hands": ["SAQ CJT9 DJ7 HKQ7", "SKJ CA8 DT98 HJ98", "ST987 CKQ DAKQ HA7"]}, "H7 stands in two places"),
        ({"hands": ["SAQ CJT9 DJ7 HKQ7", "SKJ CA8 DT98 HJ98", "ST987 CKQ DAKQ"]}, "10, 10, 9 cards"),
        ({"hands": ["SAQSA CJT9 DJ HKQ7", "SKJ CA8 DT98 HJ98", "ST987 CKQ DAKQ"]}, "seat 0: the card SA stands twice"),
        ({"hands": "SA"}, "hands is not a list of three hands"),
        ({"hands": [1, 2, 3]}, "the hand of seat 0 is 1"),
        ({"leader": "1"}, "leader '1' is not a seat"),
        ({"leader": 1.0}, "leader 1.0 is not a seat"),
        ({"declarer": None}, "declarer None is not a seat"),
        ({"contract": 6}, "contract is 6"),
        ({"contract": "5S"}, "'5S' is not a contract"),
        ({"trump": "S"}, "'trump' is not a field"),
        ({"table": "SA"}, "table is"),
        ({"talon": ["S8"]}, "talon card leads a trick only in raspas"),
        ({"talon_takes": 1}, "talon_takes is 1"),
    ],
)
def test_a_bad_deal_is_an_error_that_says_so(change: dict[str, Any], told: str) -> None:
    (answer,) = answers({**DEAL, **change})
    assert told in answer["error"] and answer["line"] == 1


def test_hands_are_read_in_any_spelling() -> None:
    spelled = {**DEAL, "hands": ["hkq7 s aq cj109 dj7", "♠KJ ♣A8 D1098 HJ98", "ST987 CKQ DAKQ HA"]}
    assert answers(spelled) == [{"tricks": 6}]


def test_mixed_lines_get_the_values_of_single_positions() -> None:
    rng = np.random.default_rng(2)
    lines, expected = [], []
    for _ in range(60):
        n = int(rng.integers(1, 7))
        deck = rng.permutation(32).tolist()
        hands = [hand_text(mask_of(deck[s * n : s * n + n])) for s in range(3)]
        contract = ["6S", "8H", "6N", "misere", "raspas"][rng.integers(5)]
        declarer, leader = int(rng.integers(3)), int(rng.integers(3))
        lines.append({"hands": hands, "contract": contract, "declarer": declarer, "leader": leader})
        position = Position.read(hands, contract, declarer, leader)
        expected.append({"paranoid": list(paranoid(position))} if contract == "raspas" else {"tricks": tricks(position)})
    assert answers(*lines) == expected


def test_the_command_answers_json_lines_and_fails_if_a_line_is_bad(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps(DEAL) + "\n" + json.dumps({**DEAL, "leader": 3}) + "\n")
    assert cli.run(["solve", str(file), "--json"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert json.loads(first) == {"tricks": 6} and json.loads(second)["line"] == 2
    file.write_text(json.dumps(DEAL) + "\n")
    assert cli.run(["solve", str(file), "--json", "--moves"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["best"] == ["CA"] and answer["moves"]["CA"] == 6 and len(answer["line"]) == 30


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("engine.jit.cache_root", lambda: tmp_path)
    return tmp_path


SOLID = ("SAKQJT987 CAK", "D7 H7")  # ten tricks whatever the others hold


@pytest.mark.compiled
def test_exact_odds_count_every_layout(fresh_cache: Path) -> None:
    answer = odds.odds(odds.question(SOLID[0], "10S", SOLID[1], leader=1))
    assert answer["exact"] and answer["layouts"] == math.comb(20, 10) == answer["counts"][10]
    assert answer["makes"] == {"chance": 1.0} and answer["mean"] == 10


def test_all_layouts_are_different_and_deal_the_twenty_cards() -> None:
    asked = odds.question(*("SAKQJT987 CAK", "10S"), SOLID[1])
    layouts = odds.all_layouts(asked.unknown)
    assert layouts.shape == (184756, 2) and len(np.unique(layouts[:, 0])) == 184756
    assert (np.bitwise_count(layouts) == 10).all()
    assert ((layouts[:, 0] | layouts[:, 1]) == mask_of(asked.unknown.tolist())).all() and (layouts[:, 0] & layouts[:, 1] == 0).all()


@pytest.mark.compiled
def test_exact_and_sampled_odds_agree(fresh_cache: Path) -> None:
    asked = odds.question("ST7 CT987 DT987", "misere", "HAK", leader=1)
    exact = odds.odds(asked)
    n = 4000
    sample = odds.tricks_over(asked.hand, asked.game, asked.leader, odds.sampled_layouts(asked.unknown, n, seed=4))
    chance = exact["makes"]["chance"]
    assert abs((sample == 0).mean() - chance) < 4 * math.sqrt(chance * (1 - chance) / n)


def test_a_second_run_is_answered_from_the_disk(fresh_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = odds.question(SOLID[0], "10S", None)
    first = odds.odds(asked, samples=200)

    def never(*_: Any) -> None:
        raise AssertionError("solved again")

    monkeypatch.setattr(odds, "tricks_over", never)
    assert odds.odds(asked, samples=200) == first
    with pytest.raises(AssertionError):
        odds.odds(asked, samples=201)
    kept = next((fresh_cache / "odds").iterdir())
    kept.write_text("{")  # a torn file is counted again
    with pytest.raises(AssertionError):
        odds.odds(asked, samples=200)


@pytest.mark.compiled
def test_published_misere_holes_agree_with_sampled_odds(root: Path) -> None:
    """The published catch rates are samples of 1,000 layouts; four standard errors of both samples together are allowed."""
    holes = json.loads((root / "tests/data/probabilities.json").read_text())["misere_holes"]
    assert len(holes) == 20
    n = 1000
    for name, hole in holes.items():
        hand = " ".join(group.replace(":", "") for group in hole["hand"].split(",") if group[2:])
        for leader, field in ((1, "opp_leads_catch"), (0, "own_lead_catch")):
            asked = odds.question(hand, "misere", "HAK", leader)
            caught = float((odds.tricks_over(asked.hand, asked.game, leader, odds.sampled_layouts(asked.unknown, n, seed=1)) > 0).mean())
            middle = (caught + hole[field]) / 2
            error = math.sqrt(max(middle * (1 - middle), 1 / n) * (1 / n + 1 / hole["n"]))
            assert abs(caught - hole[field]) <= 4 * error, (name, field, caught, hole[field])


def test_the_best_discard_keeps_what_makes_the_contract(fresh_cache: Path) -> None:
    asked = odds.question("SAKQJT987 CAK D7 H7", "10S", leader=1, best_discard=True)
    answer = odds.best_discards(asked, samples=30)
    assert len(answer["discards"]) == 66
    best = answer["discards"][0]
    assert best["discard"] == "D7 H7" and best["chance"] == 1.0 and best["ci95"][0] < 1.0 <= best["ci95"][1]
    assert answer["discards"][1]["chance"] < 1.0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("SAKQ", "7S", None), "the hand has 3 cards"),
        (("SAKQJT987 CAK D7 H7", "7S", None), "say which two are thrown"),
        (("SAKQJT987 CAK D7 H7", "7S", "D8 H7"), "D8 cannot be discarded"),
        (("SAKQJT987 CAK", "7S", "SA H7"), "SA is both in the hand"),
        (("SAKQJT987 CAK", "7S", "H7"), "the discard has 1 cards"),
        (("SAKQJT987 CAX", "7S", None), "the hand:"),
        (("SAKQJT987 CAK", "5S", None), "is not a contract"),
        (("SAKQJT987 CAK", "7S", None, 3), "leader 3 is not a seat"),
        (("SAKQJT987 CAK", "7S", None, 0, True), "the hand has 10 cards"),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused(given: tuple[Any, ...], told: str) -> None:
    with pytest.raises(odds.OddsError) as fault:
        odds.question(*given)
    assert told in str(fault.value)


def test_the_odds_command_prints_bars_or_json(fresh_cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["odds", SOLID[0], "--contract", "10S", "--samples", "100"]) == 0
    told = capsys.readouterr().out
    assert "a sample of 100 layouts" in told and "█" in told and "10S makes: 100.00%" in told
    assert cli.run(["odds", SOLID[0], "--contract", "10S", "--samples", "100", "--json"]) == 0
    assert sum(json.loads(capsys.readouterr().out)["counts"]) == 100
    assert cli.run(["odds", "SAKQ", "--contract", "10S"]) == 2


def test_the_hands_of_a_question_are_its_own_cards() -> None:
    asked = odds.question("SAKQJT987 CAK D7 H7", "7S", "D7 H7")
    assert list(cards_of(asked.discard)) == list(cards_of(odds.question(*SOLID[:1], "7S", SOLID[1]).discard))
    assert asked.hand == odds.question(SOLID[0], "7S").hand
