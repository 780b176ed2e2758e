"""The rules-regression benchmarks in small: what is kept agrees with the rules, and a changed rule is found and told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np
import pytest

from benchmarks.rules import counting, digests, find_records, long_runs, mutations, positions, records, regenerate, scorer_cost, store
from benchmarks.rules.cases import DEFAULT, Case, away, cases, tables
from benchmarks.rules.entries import KINDS
from benchmarks.rules.playing import DEALS, DEFAULT_BOTS, bots_of, play, setup, versions
from conventions.catalogue import PRESETS
from conventions.convention import PARAMETERS
from conventions.scorer import score
from engine import jit
from engine.terms import Terms

SOME = [("piter", 3), ("sochi", 4), ("skachki", 4)]
PULKAS = 6 if jit.JIT else 1


def changed(name: str, seats: int, **numbers: Any) -> Terms:
    """A preset's terms with numbers of its compiled record changed behind its back."""
    rules = PRESETS[name].compile(seats)
    for field, value in numbers.items():
        rules[field][0] = value
    return Terms(rules, score, name)


@pytest.mark.parametrize(("name", "seats"), tables())
def test_kept_deals_are_played_again_to_the_same_entries(name: str, seats: int) -> None:
    book = store.read(name, seats)
    for bot in DEFAULT_BOTS:
        held = book.held[DEFAULT][bot]
        played = play(setup(Case(name, seats).terms(), name, bot), PULKAS)
        n = len(played.at)
        assert not played.faults and n
        assert (played.entries == held.entries[:n]).all()
        assert (store.small(played.checks) == held.checks[:n]).all()
        assert (played.results.sum(axis=1) == 0).all()


@pytest.mark.parametrize(("name", "seats"), tables())
def test_ten_thousand_deals_are_kept_of_every_case_and_bot(name: str, seats: int) -> None:
    book = store.read(name, seats)
    assert list(book.held) == [case.name for case in cases(name, seats)]
    for case in cases(name, seats):
        by_bot = book.held[case.name]
        assert tuple(by_bot) == bots_of(case)
        assert all(held.deals >= DEALS and len(held.sha256) == 64 for held in by_bot.values())


@pytest.mark.parametrize(("name", "seats"), tables())
def test_what_is_kept_is_of_the_versions_of_today(name: str, seats: int) -> None:
    """A convention or bot whose version was raised is played anew; one that plays otherwise must have its version raised."""
    assert digests.strangers(store.read(name, seats)) == []


def test_every_option_is_held_away_from_its_default_somewhere() -> None:
    held = {option for name, seats in tables() for case in cases(name, seats) for option, _ in case.options}
    single = {o for o in PARAMETERS if not any(away(name, o) for name in PRESETS)}
    assert single == {"misere_beaten_by", "whist_pass_half", "misere_whists", "default_target"}
    assert set(PARAMETERS) - single - held == {"seat_counts"}  # held by the tables of 3 and of 4


def test_a_changed_entry_is_told_with_the_first_deal_both_sheets_and_the_entry() -> None:
    case = Case("sochi", 4)
    held = store.read("sochi", 4).held[DEFAULT]["random"]
    verdict = digests.compare_played(case, "random", held, setup(changed("sochi", 4, misere_trick=11), "sochi", "random"))
    lines = verdict.report.splitlines()
    assert lines[0].startswith("sochi, 4 seats, default, random: ") and lines[0].endswith("and they differ.")
    assert lines[1].startswith("The first deal that differs: pulka ")
    assert any(line.startswith("  actions ") and "misere" in line for line in lines)
    assert sum(line.startswith("  seat ") for line in lines) == 4
    (marked,) = [line.split() for line in lines if line.endswith("<-- differs")]
    assert marked[:2] == ["mountain", "of"] and int(marked[4]) * 10 == int(marked[3]) * 11
    assert int(marked[6]) - int(marked[5]) == int(marked[4]) - int(marked[3])


def test_a_changed_procedure_is_told_though_no_entry_differs() -> None:
    case = Case("piter", 3)
    held = store.read("piter", 3).held[DEFAULT]["random"]
    verdict = digests.compare_played(case, "random", held, setup(changed("piter", 3, hold=0), "piter", "random"))
    assert "The first deal that differs: pulka " in verdict.report


def test_a_changed_settlement_is_told_though_every_deal_is_as_it_was() -> None:
    case = Case("piter", 3)
    held = store.read("piter", 3).held[DEFAULT]["random"]
    verdict = digests.compare_played(case, "random", held, setup(changed("piter", 3, pool_worth=21), "piter", "random"))
    assert "Every deal is as it was" in verdict.report


def test_a_difference_beyond_the_kept_entries_is_found_to_a_hundred() -> None:
    terms = Case("piter", 3).terms()
    played = play(setup(terms, "piter", "random"), 30)
    held = attrs.evolve(store.hold(played, "an option"))
    assert len(held.checks) == store.KEPT < len(played.at)
    at = 777
    checks = played.checks.copy()
    checks[at] ^= np.uint64(1 << 60)
    assert digests.first_difference(held, played) == (-1, -1)
    assert digests.first_difference(held, attrs.evolve(played, checks=checks)) == (700, 799)


def test_a_book_is_read_as_it_was_written(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    book = store.read("vmk", 3)
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    store.write(book)
    again = store.read("vmk", 3)
    assert (again.version, again.bots, list(again.held)) == (book.version, book.bots, list(book.held))
    for case, by_bot in book.held.items():
        for bot, held in by_bot.items():
            other = again.held[case][bot]
            assert (other.pulkas, other.deals, other.sha256) == (held.pulkas, held.deals, held.sha256)
            for name in ("hundreds", "checks", "entries"):
                assert (getattr(other, name) == getattr(held, name)).all()


def test_digests_that_change_without_a_version_are_not_written() -> None:
    book = store.read("classic", 3)
    first = {bot: attrs.evolve(held, sha256="0" * 64) for bot, held in book.held[DEFAULT].items()}
    other = attrs.evolve(book, held=book.held | {DEFAULT: first})
    assert regenerate.unversioned(book, book) == []
    assert len(regenerate.unversioned(book, other)) == len(DEFAULT_BOTS)
    assert regenerate.unversioned(book, attrs.evolve(other, version=book.version + "0")) == []
    newer = attrs.evolve(other, bots=book.bots | {"novice": "other", "modest": "other"})
    assert len(regenerate.unversioned(book, newer)) == 1  # `random` alone is what it was, and its digests changed
    assert set(versions()) == set(book.bots)


@pytest.mark.parametrize(("name", "seats"), SOME)
def test_continuations_are_as_many_as_kept(name: str, seats: int) -> None:
    found, kept = positions.read(name, seats)
    terms = {case.name: case.terms() for case in cases(name, seats)[:6]}
    for position in found if jit.JIT else found[:2]:
        assert counting.differences(name, seats, position, kept[position.name], terms) == []


def test_a_position_that_cannot_come_about_any_more_is_told_in_one_line() -> None:
    found, kept = positions.read("piter", 3)
    position = next(p for p in found if p.name.startswith("whist"))
    other = attrs.evolve(position, said=f"{position.said} S7")
    terms = {case.name: case.terms() for case in cases("piter", 3)[:3]}
    (told,) = counting.differences("piter", 3, other, kept[position.name], terms)
    assert told.startswith("piter, 3 seats, default: continuations of position 'whist")
    assert "now illegal at word" in told
    assert told.endswith("(and 2 other cases)")


def test_positions_of_every_phase_are_kept() -> None:
    names = [position.name for name, seats in tables() for position in positions.read(name, seats)[0]]
    for phase in ("bidding", "talon", "discard", "order", "whist", "open or closed", "choice", "game", "open defence", "misère", "raspas"):
        assert any(name.startswith(phase) for name in names), phase
    for name in ("checked ten: first lead", "forced raspas: trick 1", "bidding: bound by misère", "bidding: may hold"):
        assert name in names
    assert any("the talon-sitter" in name for name in names) and any("second thoughts" in name for name in names)


def test_counts_agree_with_a_walk_through_the_interactive_game() -> None:
    from engine.game import Game

    found, kept = positions.read("piter", 4)
    position = next(p for p in found if p.name == "whist, 7: second defender")
    game = Game(Case("piter", 4).terms(), target=positions.TARGET, seed=positions.SEED, pulka=position.pulka)
    for line in (*position.deals, position.said):
        game.deal()
        for word in line.split():
            game.act(word)

    def lines(depth: int) -> int:
        if game.waits_for_deal:
            game.deal()
            number = lines(depth)
            game.undo()
            return number
        if depth == 1:
            return len(game.legal())
        total = 0
        for action in game.legal():
            game.act(action)
            total += lines(depth - 1)
            game.undo()
        return total

    assert [lines(depth) for depth in range(1, 5)] == kept[position.name][DEFAULT]["lines"][:4]


def test_records_have_every_kind_of_entry_and_replay() -> None:
    count, have, wrong = records.check()
    assert wrong == [] and have >= set(KINDS) and 20 <= count <= 60


def test_a_record_with_a_wrong_entry_is_named(tmp_path: Any) -> None:
    source = (records.FOLDER / "moscow.jsonl").read_text(encoding="utf8")
    (tmp_path / "moscow.jsonl").write_text(source.replace('"mountain": [0', '"mountain": [1', 1), encoding="utf8")
    _, _, wrong = records.check(tmp_path)
    assert wrong[0].startswith("moscow.jsonl, record ") and "scored mountain of seat 0" in wrong[0]


def test_the_search_takes_the_short_record_of_two() -> None:
    long, short = {"deals": [0] * 9}, {"deals": [0]}
    chosen, nowhere = find_records.choose([(long, frozenset(KINDS)), (short, frozenset(KINDS))])
    assert chosen == [short] and not nowhere


@pytest.mark.parametrize(
    "change", ["hold true -> false", "misere_made 10 -> 11", "pool_worth 20 -> 9", "declarer_first_lead_game light -> dark"]
)
def test_a_changed_parameter_is_noticed(change: str) -> None:
    mutants = [m for m in mutations.by_parameter("piter", 3) if m.change == change]
    assert len(mutants) == 1
    assert [bool(noticed) for _, noticed in mutations.run("piter", 3, iter(mutants))] == [True]


@pytest.mark.compiled
def test_an_unchanged_convention_is_not_noticed() -> None:
    same = mutations.Mutant("leningrad", 3, "nothing", Case("leningrad", 3).terms(), PRESETS["leningrad"].default_target)
    assert mutations.Keeper("leningrad", 3).notices(same) == ""


@pytest.mark.parametrize(("name", "seats"), tables())
def test_pulkas_under_random_options_end_settle_and_replay(name: str, seats: int) -> None:
    with ThreadPoolExecutor(2) as executor:
        for tally in executor.map(
            lambda number: long_runs.run(name, seats, number, 20 if jit.JIT else 1), range(900, 906 if jit.JIT else 901)
        ):
            assert tally.wrong == [] and tally.replayed == 1 and tally.ended + tally.cut + tally.endless == tally.pulkas


def test_calling_the_scorer_more_often_leaves_the_game_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer_cost, "REPEATS", 1)
    monkeypatch.setattr(scorer_cost, "PULKAS", scorer_cost.BLOCK)
    part, scorer, whole = scorer_cost.share("vmk", 4)
    assert part < 1 and scorer < whole


@pytest.mark.compiled
def test_a_number_that_nobody_reads_says_why() -> None:
    unread = [m for m in mutations.by_number("piter", 3) if m.equivalent]
    assert {m.change: m.equivalent for m in unread}["record prize_pool 0 -> 1"] == "there are no semesters"
    keeper = mutations.Keeper("piter", 3)
    assert [keeper.notices(m) for m in unread[: 6 if jit.JIT else 1]] == [""] * (6 if jit.JIT else 1)
