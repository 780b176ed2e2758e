"""Control variates: their expectation is 0, the corrected estimate is unbiased, and no figure depends on the number of workers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import lab
from bots.solver import MISERE, NO_TRUMP, positions, solve_many
from engine import deal
from lab import cli, controls, deal_figures, report
from lab.controls import CARDS, FOLDS, KINDS, PLAIN, SOLVED
from lab.deal_figures import Array

pytestmark = pytest.mark.compiled  # hundreds of deals are solved

FLAGS = ["--bots", "club,novice,novice", "--deal-limit", "6", "--seed", "2", "--no-report"]


def simulate(path: Path, *more: str) -> Path:
    assert cli.run(["simulate", *FLAGS, "--out", str(path), *more]) == 0
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> lab.Loaded:
    return lab.load(simulate(tmp_path_factory.mktemp("controls") / "run", "--pulkas", "60", "--deals"))


def dealt(n: int) -> Array:
    """Random deals: masks of the three hands, (n, 3)."""
    decks = deal.decks(5, np.arange(n))
    bits = np.uint32(1) << decks.astype(np.uint32)
    return np.stack([np.bitwise_or.reduce(bits[:, 10 * hand : 10 * hand + 10], axis=1) for hand in range(3)], axis=1)


def deviations(x: Array) -> Array:
    """By column how many standard errors the mean is from 0, where there is anything to be seen."""
    seen = (x != 0).sum(axis=0) >= 30
    return np.asarray(np.abs(x.mean(axis=0))[seen] / (x.std(axis=0)[seen] / np.sqrt(len(x))))


def test_the_mean_of_every_control_is_0_on_random_deals() -> None:
    hands = dealt(1200)
    counts = deal_figures.counted(hands)
    solved = np.concatenate([deal_figures.solve(hands), counts], axis=-1)
    states = np.ones(len(hands), dtype=np.int64)
    for figures, features in ((counts, deal_figures.of_cards), (solved, deal_figures.of_solved)):
        by_place = controls.controls(figures, states, features)
        assert all(deviations(x).max() < 4 for x in by_place)
        assert (deviations(by_place[0]) > 0).any()
        own = features(figures)
        assert (by_place[0][:, : own.shape[1]] == 3 * own - sum(features(np.roll(figures, -k, axis=1)) for k in range(3))).all()
        # the same feature of the same seat over the three turnings of the hands: they cancel, deal by deal
        turned = [controls.controls(np.roll(figures, -k, axis=1), states, features)[0] for k in range(3)]
        assert not (turned[0] + turned[1] + turned[2]).any()


@pytest.mark.parametrize("seats", [3, 4])
def test_the_luck_of_a_pulka_has_mean_0_at_tables_of_3_and_4(seats: int, tmp_path: Path) -> None:
    """Wald: over the deals of whole pulkas, whose number depends on how the cards fell. Bots at every seat, the talon-sitter's too."""
    flags = ["--pulkas", "2400", "--deal-limit", "200", "--seats", str(seats), "--target", "3", "--deals"]
    bots = ["--bots", ",".join(["club", "novice", "novice", "novice"][:seats])]
    loaded = lab.load(simulate(tmp_path / "run", *flags, *bots))
    deals = deal_figures.read(loaded, 2400)
    assert len(np.unique(np.bincount(deals.pulka))) > 5, "pulkas differ in length"
    assert (np.bitwise_count(deals.hands) == 10).all()
    figures = deal_figures.counted(deals.hands)
    sums = np.zeros((2400, seats, 3 * 18))
    for place, x in enumerate(controls.controls(figures, deals.state, deal_figures.of_cards)):
        np.add.at(sums, (deals.pulka, deals.seats[:, place]), x)
    assert all(deviations(sums[:, seat]).max() < 4 for seat in range(seats))
    assert not sums.sum(axis=1)[:, :6].any(), "what one seat holds more the others hold less"


@pytest.mark.parametrize("convention", ["piter", "sochi", "rostov", "skachki", "classic"])
def test_deals_are_worth_what_their_pulka_came_to(convention: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    flags = ["--convention", convention, "--pulkas", "12", "--deals", "--bots", "novice", "--no-report", "--out", str(path)]
    assert cli.run(["simulate", *flags]) == 0
    loaded = lab.load(path)
    deals = deal_figures.read(loaded, 12)
    sums = np.zeros((12, loaded.seats), dtype=np.int64)
    np.add.at(sums, deals.pulka, deals.worth)
    assert sums.ravel().tolist() == loaded.pulkas.collect()["result_numerator"].to_list()


def test_hands_are_solved_on_their_own_lead_with_the_next_two_clockwise() -> None:
    hands = dealt(40)
    found = deal_figures.solve(hands)
    for i, three in enumerate(hands.tolist()):
        for place in range(3):
            turned = three[place:] + three[:place]
            lengths = [(turned[0] >> 8 * suit & 0xFF).bit_count() for suit in range(4)]
            games = (lengths.index(max(lengths)), NO_TRUMP, MISERE)
            in_suit, without, fewest = solve_many(positions([turned] * 3, games)).tolist()
            assert found[i, place].tolist() == [max(in_suit, without), fewest]


def synthetic(rng: np.random.Generator, units: int) -> tuple[Array, float]:
    """Units of a random number of deals whose worth depends on one control by a curve: what is left of each, and the plain mean."""
    deals = rng.geometric(0.2, units)
    unit = np.repeat(np.arange(units), deals)
    x = rng.integers(-3, 4, (len(unit), 4))
    y = np.round(40 * x[:, 0] + 10 * x[:, 0] ** 2 + 10 * rng.standard_exponential(len(unit)) * (1 + np.abs(x[:, 1])) - 60)
    x = 3 * x  # thirds, as the lab counts them
    fold = np.arange(units) % FOLDS
    fit = controls.Fit(fold)
    fit.add(x.astype(float), y.astype(np.int64), unit)
    luck = (x * fit.coefficients()[fold[unit]]).sum(axis=1)
    return np.bincount(unit, y - luck, units), float(np.bincount(unit, y, units).mean())


def test_the_corrected_mean_is_unbiased_and_its_interval_covers_with_few_units() -> None:
    rng = np.random.default_rng(1)
    truth = 5 * (10 * 4 + 10 * (1 + 12 / 7) - 60)  # deals a unit, times E 10 x² + E 10 e (1 + |x|) - 60
    found, plain, covered, n = [], [], 0, 600
    for _ in range(n):
        left, before = synthetic(rng, 30)
        line = controls._line("", {PLAIN: left, SOLVED: left})
        estimate = line.estimates[SOLVED]
        assert estimate.value is not None and estimate.low is not None and estimate.high is not None
        found.append(estimate.value)
        plain.append(before)
        covered += estimate.low < truth < estimate.high
    assert abs(np.mean(found) - truth) < 4 * np.std(found) / np.sqrt(n)
    assert abs(np.mean(plain) - truth) < 4 * np.std(plain) / np.sqrt(n)
    assert np.std(found) < 0.7 * np.std(plain)
    assert covered / n > 0.91  # 95 % less what skewness and four deviations of 600 tries take


def test_the_number_of_workers_changes_no_figure(run: lab.Loaded) -> None:
    found = [controls.controlled(run, 60, threads) for threads in (1, 3)]
    assert found[0] == found[1]


def test_what_is_told_follows_from_the_rows(run: lab.Loaded) -> None:
    told: list[tuple[int, int]] = []
    found = controls.controlled(run, 45, None, lambda some, of: told.append((some, of)))
    assert (found.pulkas, found.units, found.deals) == (45, 45, sum(some for some, _ in told))
    assert {of for _, of in told} == {found.deals}
    assert [line.name for line in found.lines] == ["club", "novice", "club less novice"]
    result = pl.col("result_numerator") / pl.col("result_denominator")
    rows = run.pulkas.filter(pl.col("pulka") <= 45, pl.col("bot") == "club").select(result.alias("x")).collect()["x"]
    club = found.lines[0]
    assert club.estimates[PLAIN].value == pytest.approx(rows.mean())
    assert club.estimates[PLAIN].error == pytest.approx(rows.std() / np.sqrt(45))
    assert set(club.estimates) == set(KINDS)
    for kind in (CARDS, SOLVED):
        error = club.estimates[kind].error
        assert error is not None
        assert club.gains[kind] == pytest.approx((rows.std() / np.sqrt(45) / error) ** 2)
    novice = found.lines[1].estimates[SOLVED].value
    club_value, less = club.estimates[SOLVED].value, found.lines[2].estimates[SOLVED].value
    assert club_value is not None and novice is not None and less is not None
    assert less == pytest.approx(club_value - novice)


def test_sets_of_a_duplicate_run_stay_whole(tmp_path: Path) -> None:
    loaded = lab.load(simulate(tmp_path / "run", "--duplicate", "--pulkas", "63", "--deals"))
    found = controls.controlled(loaded, 62)
    assert (found.pulkas, found.units) == (60, 20)


def test_the_page_and_the_terminal_tell_it(run: lab.Loaded, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason="the extra `report` is not installed")
    page = tmp_path / "page.html"
    assert cli.run(["report", str(run.path), "--controls", "60", "--out", str(page)]) == 0
    told = capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    for words in ("as played", "cards counted", "double dummy", "club less novice", "×"):
        assert words in told
        assert words in text
    assert "id='controls'" in text
    assert text.index("id='standings'") < text.index("id='controls'") < text.index("id='results'")
    assert "id='controls'" not in report.page([run])
    assert cli.run(["report", str(run.path), "--controls", "60", "--no-solve", "--out", str(page)]) == 0
    told = capsys.readouterr().out
    assert "cards counted" in told
    assert "double dummy" not in told


@pytest.mark.parametrize(
    ("more", "pulkas", "said"),
    [
        (["--pulkas", "30"], "30", "kept no deals: simulate with --deals"),
        (["--pulkas", "30", "--deals"], "19", "controls need 20 pulkas at least"),
        (["--pulkas", "30", "--deals", "--duplicate"], "30", "controls need 60 pulkas (20 sets) at least"),
        (["--pulkas", "30", "--deals", "--bots", "novice"], "30", "nothing to control"),
        (["--pulkas", "3"], "0", "controls: 0 is not allowed"),
    ],
)
def test_what_cannot_be_controlled_is_named(
    more: list[str], pulkas: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = simulate(tmp_path / "run", *more)
    capsys.readouterr()
    assert cli.run(["report", str(path), "--controls", pulkas]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
