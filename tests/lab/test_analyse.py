"""Looking into a recorded deal: values are the solver's, whists the scorer's, and what is named can be confirmed."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import cards
from engine.table import E_PLAYED, K_RASPAS, P_PLAY, UNIT
from lab import analysis, analysis_samples, cli
from lab.replaying import Checked, check
from lab.solving import solve_lines

RULES = {"piter": 4, "rostov": 3, "skachki": 4, "sochi": 3}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A short pulka of novices under each kind of rules."""
    files = {}
    for name, seats in RULES.items():
        folder = tmp_path_factory.mktemp(name) / "run"
        flags = [
            "--seats",
            str(seats),
            "--bots",
            "novice",
            "--pulkas",
            "1",
            "--deal-limit",
            "7",
            "--records",
            "1",
            "--out",
            str(folder),
            "--json",
        ]
        assert cli.run(["simulate", "--convention", name, *flags]) == 0
        files[name] = folder / "records.jsonl"
    return files


@pytest.fixture(scope="module")
def judged(records: dict[str, Path]) -> dict[str, tuple[Checked, list[analysis.Deal]]]:
    found = {}
    for name, file in records.items():
        checked = check(json.loads(file.read_text()))
        found[name] = checked, [analysis.deal_of(checked, n + 1, 1) for n in range(len(checked.record.deals))]
    return found


def answer(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    status = cli.run(["analyse", *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", RULES)
def test_named_plays_are_confirmed_by_solve(name: str, records: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    status, told = answer([str(records[name]), "--samples", "0", "--worst", "3"], capsys)
    assert status == 0
    named = [play for seat in told["worst"] for plays in seat.values() for play in plays]
    assert named
    for play in named:
        before, after = solve_lines([json.dumps(play["solve_before"]), json.dumps(play["solve_after"])], threads=1)
        order = next(deal["order"] for deal in told["deals"] if deal["deal"] == play["deal"])
        at = order.index(play["seat"])
        first, second = (a["tricks"] if "tricks" in a else a["paranoid"][at] for a in (before, after))
        assert first == play["value"]
        assert second + play["taken_between"] == play["after"]
        assert abs(first - play["after"]) == play["cost"] > 0
        assert play["card"] not in play["best"]


@pytest.mark.parametrize("name", RULES)
def test_costs_add_up_to_what_the_play_made_of_the_double_dummy_value(name: str, judged: dict[str, Any]) -> None:
    for deal in judged[name][1]:
        if deal.value is None:
            continue
        moved = sum((play.after or 0) - (play.best or 0) for play in deal.plays)
        assert deal.value + moved == int(deal.table["tricks"][int(deal.table["declarer"])])


@pytest.mark.parametrize("name", RULES)
def test_with_the_tricks_that_were_taken_the_scorer_writes_what_the_record_says(name: str, judged: dict[str, Any]) -> None:
    checked, deals = judged[name]
    rules = checked.game.terms.rules
    for deal in deals:
        if int(deal.table["ended"]) != E_PLAYED:
            continue
        prices = analysis.Prices(checked.game.terms, checked.game.finished_deals[deal.number - 1])
        seats = checked.record.seats
        assert all(prices.spread(seat, prices.final[seat]) == prices.final for seat in deal.order)
        t = deal.table
        worth = [
            Fraction(int(rules["pool_worth"][0]) * int(t["d_pool"][s]) - int(rules["mountain_worth"][0]) * int(t["d_mountain"][s]), UNIT)
            for s in range(seats)
        ]
        net = [Fraction(int(t["d_whists"][s].sum()) - int(t["d_whists"][:, s].sum()), UNIT) for s in range(seats)]
        mean = sum(worth, Fraction(0)) / seats
        prizes = name == "skachki" and int(t["next_semester"]) != int(t["semester"])
        assert prizes or list(prices.results(prices.final)) == [w - mean + x for w, x in zip(worth, net, strict=True)]


@pytest.mark.parametrize("name", RULES)
def test_other_tricks_are_ten_in_all_and_the_talon_sitter_keeps_his(name: str, judged: dict[str, Any]) -> None:
    checked, deals = judged[name]
    for deal in deals:
        prices = analysis.Prices(checked.game.terms, checked.game.finished_deals[deal.number - 1])
        for seat in deal.order:
            for tricks in range(11):
                row = prices.spread(seat, tricks)
                assert sum(row) == 10 and min(row) >= 0 and row[seat] == tricks


@pytest.mark.parametrize("name", RULES)
def test_who_takes_a_trick_is_what_the_engine_says(name: str, judged: dict[str, Any]) -> None:
    checked, deals = judged[name]
    for deal in deals:
        events = [e for e in checked.game.events if e.deal == deal.number and e.phase == P_PLAY]
        for play, event in zip(deal.plays, events, strict=False):
            _, winner = analysis.after_card(play.position, play.card)
            took = event.took if event.took in deal.order else -1
            assert (deal.order[winner] if winner >= 0 else -1) == took


def test_a_cost_in_whists_is_that_of_the_tricks_at_the_conventions_price(judged: dict[str, Any]) -> None:
    """Сочи without amnesty: a trick more in a raspas costs its price in the mountain, against the average of what all write."""
    checked, deals = judged["sochi"]
    plays = [play for deal in deals if deal.kind == K_RASPAS for play in deal.plays if play.cost]
    assert plays
    for play in plays:
        deal = deals[play.deal - 1]
        price = int(checked.game.terms.rules["raspas_price"][0][int(deal.table["level"]) - 1])
        assert play.whists >= play.cost * price * 10  # and the zero bonus on top, where it was thrown away


def test_raspas_endings_are_also_judged_by_max_n(judged: dict[str, Any]) -> None:
    plays = [
        play for _, deals in judged.values() for deal in deals if deal.kind == K_RASPAS for play in deal.plays if play.best is not None
    ]
    for play in plays:
        assert (play.max_n_cost is not None) == (play.number > 15)
        assert play.max_n_cost is None or play.max_n_cost >= 0


@pytest.mark.parametrize("name", RULES)
def test_layouts_agree_with_all_that_the_seat_saw_and_the_true_one_is_among_the_possible(name: str, judged: dict[str, Any]) -> None:
    checked, deals = judged[name]
    chosen = [play for deal in deals for play in deal.plays if play.best is not None][::7]
    views = analysis_samples.views_before(checked, chosen)
    talon = bool(checked.game.terms.rules["raspas_talon"][0])
    for play in chosen:
        deal, view = deals[play.deal - 1], views[play.deal, play.number][0]
        for row in analysis_samples.layouts(views[play.deal, play.number], deal, talon, 5, 1).tolist():
            for place, seat in enumerate(deal.order):
                assert row[place].bit_count() == play.position.hands[place].bit_count()
                assert row[place] & int(view["known"][seat]) == int(view["known"][seat])
                assert not any(row[place] >> 8 * suit & 255 for suit in range(4) if int(view["voids"][seat]) >> suit & 1)
            assert row[play.position.turn] == play.position.hands[play.position.turn] or play.actor != play.seat
        for place, seat in enumerate(deal.order):
            assert play.position.hands[place] & int(view["known"][seat]) == int(view["known"][seat])


def test_a_seat_that_sees_everything_is_judged_as_with_all_cards_known(judged: dict[str, Any]) -> None:
    """At the last two tricks of a contract the declarer knows the two others' cards but for who has which."""
    checked, deals = judged["piter"]
    play = next(p for d in deals if d.kind != K_RASPAS for p in d.plays if p.best is not None)
    view = analysis_samples.views_before(checked, [play])[play.deal, play.number].copy()
    deal = deals[play.deal - 1]
    for place, seat in enumerate(deal.order):
        view["known"][0, seat] = play.position.hands[place]
    over = analysis_samples.sampled(play, view, deal, True, 4, 1, 1)
    assert (over.cost, over.low, over.high) == (play.cost, play.cost, play.cost)


def test_samples_are_the_same_for_the_same_seed(records: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(records["sochi"]), "--samples", "12", "--worst", "1"]
    first = answer(arguments, capsys)
    assert first == answer([*arguments, "--workers", "2"], capsys)
    sampled = [play["sampled"] for seat in first[1]["worst"] for plays in seat.values() for play in plays]
    assert sampled and all(s["layouts"] == 12 and s["cost"] >= 0 for s in sampled)


def test_the_sums_of_a_seat_are_those_of_its_plays(records: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, told = answer([str(records["piter"]), "--samples", "0"], capsys)
    for seat in told["seats"]:
        plays = [p for d in told["deals"] for p in d.get("plays", []) if p["actor"] == seat["seat"] and "cost" in p]
        assert seat["choices"] == len(plays)
        assert seat["tricks"] == sum(p["cost"] for p in plays)
        assert Fraction(seat["whists"]) == sum((Fraction(p["whists"]) for p in plays), Fraction(0))


def test_a_pulka_is_told_in_words(records: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["analyse", str(records["piter"]), "--samples", "5"]) == 0
    text = capsys.readouterr().out
    for words in (
        "pulka 1, piter: seat 0 novice",
        "double dummy",
        "paranoid seat",
        "the worst in raspas:",
        "by what the seat knew:",
        "before it",
    ):
        assert words in text


def test_one_deal_may_be_asked_for(records: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, told = answer([str(records["piter"]), "--deal", "2", "--pulka", "1", "--samples", "0"], capsys)
    assert [deal["deal"] for deal in told["deals"]] == [2]


def test_a_raspas_whose_third_trick_the_winner_leads_is_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    rules = ["--convention", "sochi", "--option", "first_hand_leads_third=false", "--seats", "3", "--bots", "novice"]
    assert cli.run(["simulate", *rules, "--pulkas", "1", "--deal-limit", "5", "--records", "1", "--out", str(folder), "--json"]) == 0
    capsys.readouterr()
    assert cli.run(["analyse", str(folder / "records.jsonl"), "--samples", "0"]) == 0
    assert "not judged" in capsys.readouterr().out


def test_bad_lines_get_an_error_in_their_place(records: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = records["sochi"].read_text().strip()
    broken = json.loads(good)
    broken["deals"][0]["actions"] = "pass pass pass"
    file = tmp_path / "mixed.jsonl"
    file.write_text("\n".join(["{", json.dumps(broken), good, "[]"]))
    assert cli.run(["analyse", str(file), "--samples", "0", "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [("error" in line, line.get("line")) for line in lines] == [(True, 1), (True, 2), (False, None), (True, 4)]


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["nowhere.jsonl"], 2, "nowhere.jsonl cannot be read"),
        (["FILE", "--pulka", "9"], 2, "has no pulka 9"),
        (["FILE", "--samples", "-1"], 2, "samples"),
        (["EMPTY"], 1, "holds no record"),
    ],
)
def test_a_wrong_argument_gets_one_sentence(
    arguments: list[str], status: int, words: str, records: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    named = {"FILE": str(records["piter"]), "EMPTY": str(empty)}
    assert cli.run(["analyse", *(named.get(a, a) for a in arguments)]) == status
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1


def test_a_deal_that_is_not_there_is_named(records: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["analyse", str(records["piter"]), "--deal", "99"]) == 1
    assert "there is no deal 99: the pulka has 7" in capsys.readouterr().out


def test_positions_are_written_as_solve_reads_them() -> None:
    from bots.solver import Position

    position = Position.read(["SAK", "SQJ", "HAK"], "raspas", leader=1, talon="S9 S8", talon_takes=True)
    assert analysis.solve_line(position) == {
        "hands": ["SAK", "SQJ", "HAK"],
        "contract": "raspas",
        "leader": 1,
        "talon": ["S9", "S8"],
        "talon_takes": True,
    }
    following, winner = analysis.after_card(Position.read(["SA", "SQJ", "HAK"], "6N", 0, 0, "SK"), cards.parse_card("SQ"))
    assert winner == -1 and following is not None and np.array_equal(following.table, (cards.parse_card("SK"), cards.parse_card("SQ")))
