"""`preferans simulate`: its object, its directory, its ends (`docs/interfaces.md`, simulating, a simulation's directory)."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import lab
from lab import cli
from lab.description import describe
from lab.directory import WHOLE, Directory
from lab.run import Run

SHORT = ["--bots", "novice,random,random", "--deal-limit", "8", "--seed", "3"]
MAIN = [sys.executable, "-c", "from lab.cli import main; main()", "simulate"]


@pytest.fixture
def simulate(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process: status, stdout, stderr."""

    def call(*arguments: Any) -> tuple[int, str, str]:
        page = [] if "--report" in arguments else ["--no-report"]
        status = cli.run(["simulate", *map(str, arguments), *page])
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


Call = Callable[..., tuple[int, str, str]]


def start(root: Path, *arguments: Any, **rest: Any) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": str(root)}
    command = [*MAIN, *map(str, arguments), "--no-report"]
    return subprocess.Popen(command, cwd=root, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **rest)


def rows_of(directory: Path) -> dict[str, bytes]:
    return {name: (directory / whole).read_bytes() for name, whole in WHOLE.items() if (directory / whole).exists()}


def test_json_is_one_object_with_what_was_promised(simulate: Call) -> None:
    status, out, err = simulate(*SHORT, "--pulkas", 30, "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert answer["pulkas"] == 30
    assert answer["deals"] == 240
    assert answer["decisions"] > 0
    assert answer["seconds"] >= 0
    assert list(answer["bots"]) == ["novice", "random"]
    for bot in answer["bots"].values():
        assert bot["pulkas"] == 30
        assert bot["ci95"][0] <= bot["mean"] <= bot["ci95"][1]
        assert isinstance(bot["per_100_deals"], float)
    assert 0 <= answer["raspas_share"] <= 1
    assert list(answer["contracts"]) == ["6", "7", "8", "9", "10", "misere"]
    for contract in answer["contracts"].values():
        assert contract["made"] + contract["failed"] == contract["played"]
    assert answer["cut"] == 30


def test_the_object_follows_from_the_rows(simulate: Call, tmp_path: Path) -> None:
    simulate(*SHORT, "--pulkas", 31, "--out", tmp_path / "run", "--deals")
    answer = json.loads((tmp_path / "run" / "summary.json").read_text())
    pulkas = pl.read_parquet(tmp_path / "run" / "pulkas.parquet")
    deals = pl.read_parquet(tmp_path / "run" / "deals.parquet")
    result = pl.col("result_numerator") / pl.col("result_denominator")
    by_pulka = pulkas.group_by("bot", "pulka").agg(result.mean(), pl.col("deals").first())
    for bot, found in answer["bots"].items():
        mine = by_pulka.filter(pl.col("bot") == bot)
        assert found["mean"] == pytest.approx(mine["result_numerator"].mean())
        assert found["per_100_deals"] == pytest.approx(100 * float(mine["result_numerator"].sum()) / float(mine["deals"].sum()))
    assert answer["deals"] == len(deals)
    assert answer["raspas_share"] == pytest.approx((deals["kind"] == "raspas").mean())
    level = pl.col("contract").cast(pl.String).str.extract(r"^(\d+)")
    by_level = dict(deals.filter(kind="game", ended="played").group_by(level).len().iter_rows())
    assert {k: c["played"] for k, c in answer["contracts"].items() if c["played"] and k != "misere"} == by_level
    assert answer["contracts"]["misere"]["played"] == deals.filter(kind="misere").height


def test_rows_of_pulkas_settle_to_zero_and_name_who_sat_where(simulate: Call, tmp_path: Path) -> None:
    simulate(*SHORT, "--pulkas", 10, "--out", tmp_path / "run")
    pulkas = pl.read_parquet(tmp_path / "run" / "pulkas.parquet")
    assert pulkas.height == 30
    assert pulkas.group_by("pulka").agg(pl.col("result_numerator").sum())["result_numerator"].to_list() == [0] * 10
    novice = pulkas.filter(bot="novice")
    assert novice["seat"].to_list() == [0, 1, 2] * 3 + [0]
    assert pulkas["pulka"].min() == 1
    assert pulkas["cut"].all()


def test_entries_of_deals_add_up_to_the_sheet(simulate: Call, tmp_path: Path) -> None:
    simulate(*SHORT, "--pulkas", 6, "--out", tmp_path / "run", "--deals", "--records", 2, "--seats", 3)
    deals = pl.read_parquet(tmp_path / "run" / "deals.parquet")
    pulkas = pl.read_parquet(tmp_path / "run" / "pulkas.parquet")
    assert deals.select("pulka", "deal").rows() == [(pulka, deal) for pulka in range(1, 7) for deal in range(1, 9)]
    for seat in range(3):
        own = pulkas.filter(seat=seat)
        summed = deals.group_by("pulka", maintain_order=True).agg(pl.col(f"pool_{seat}_sixths", f"mountain_{seat}_sixths").sum())
        assert own["pool_sixths"].to_list() == summed[f"pool_{seat}_sixths"].to_list()
        assert own["mountain_sixths"].to_list() == summed[f"mountain_{seat}_sixths"].to_list()


def test_rows_of_deals_are_those_of_the_records(simulate: Call, tmp_path: Path) -> None:
    simulate(*SHORT, "--pulkas", 5, "--out", tmp_path / "run", "--deals", "--records", 3, "--seed", 11, "--target", 2)
    records = [json.loads(line) for line in (tmp_path / "run" / "records.jsonl").read_text().splitlines()]
    deals = pl.read_parquet(tmp_path / "run" / "deals.parquet").filter(pl.col("pulka") <= 3)
    recorded = [deal for record in records for deal in record["deals"]]
    assert len(records) == 3
    assert len(recorded) == deals.height
    for deal, row in zip(recorded, deals.iter_rows(named=True), strict=True):
        assert deal["actions"].startswith(row["auction"])
        after = deal["actions"][len(row["auction"]) :].split()
        assert not after or row["kind"] == "raspas" or re.match(r"take|refuse|give-up|-|\d", after[0])
        assert row["dealer"] == deal["dealer"]
        assert [Fraction(row[f"pool_{s}_sixths"], 6) for s in range(3)] == [Fraction(v) for v in deal["scored"]["pool"]]
        if row["declarer"] is None:
            assert row["kind"] == "raspas"
            assert row["contract"] is None
    pulkas = pl.read_parquet(tmp_path / "run" / "pulkas.parquet").filter(pl.col("pulka") <= 3)
    results = [Fraction(n, d) for n, d in pulkas.select("result_numerator", "result_denominator").rows()]
    assert results == [Fraction(r) for record in records for r in record["result"]]
    assert cli.run(["replay", str(tmp_path / "run" / "records.jsonl")]) == 0


@pytest.mark.parametrize("workers", [2, 4])
def test_any_number_of_workers_gives_the_same_bytes(simulate: Call, tmp_path: Path, workers: int) -> None:
    flags = [*SHORT, "--pulkas", 50, "--deals", "--records", 4, "--block", 3]
    simulate(*flags, "--out", tmp_path / "one", "--workers", 1)
    simulate(*flags, "--out", tmp_path / "more", "--workers", workers)
    assert rows_of(tmp_path / "one") == rows_of(tmp_path / "more")
    assert set(rows_of(tmp_path / "one")) == set(WHOLE)


def test_run_json_repeats_the_run(simulate: Call, tmp_path: Path) -> None:
    simulate(*SHORT, "--pulkas", 12, "--records", 2, "--option", "raspas_exit=6-7-8", "--out", tmp_path / "first")
    status, _, _ = simulate(tmp_path / "first" / "run.json", "--out", tmp_path / "again")
    assert status == 0
    assert rows_of(tmp_path / "first") == rows_of(tmp_path / "again")
    assert (tmp_path / "first" / "run.json").read_bytes() == (tmp_path / "again" / "run.json").read_bytes()


def test_flags_go_above_the_file(simulate: Call, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text('bots = ["random"]\npulkas = 4\ndeal_limit = 3\n[options]\nten_whisted = true\n')
    out = tmp_path / "run"
    simulate(tmp_path / "run.toml", "--pulkas", 2, "--option", "give_up=false", "--out", out)
    written = json.loads((out / "run.json").read_text())
    assert (written["pulkas"], written["deal_limit"], written["bots"]) == (2, 3, ["random"] * 3)
    assert written["options"]["ten_whisted"] is True
    assert written["options"]["give_up"] is False


def test_duplicate_pulkas_have_the_same_cards_under_every_seating(simulate: Call, tmp_path: Path) -> None:
    simulate(*SHORT, "--pulkas", 6, "--duplicate", "--deals", "--out", tmp_path / "run")
    first = pl.read_parquet(tmp_path / "run" / "deals.parquet").filter(deal=1)
    hands = first.select("hand_0", "hand_1", "hand_2").rows()
    assert hands[0] == hands[1] == hands[2] != hands[3] == hands[4] == hands[5]
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["unit"] == "set"


def test_a_person_reads_the_result(simulate: Call) -> None:
    status, out, _ = simulate(*SHORT, "--pulkas", 31)
    assert status == 0
    for words in ("31 pulkas", "a pulka", "per 100 deals", "95 %", "±", "Contracts", "Misère", "Raspas", "Results of one", "█", "pulkas/s"):
        assert words in out
    assert "no whole number of the 3 seatings" in out
    assert "cut after 8 deals" in out
    assert max(len(line) for line in out.splitlines()) <= 120


def test_a_table_of_one_bot_is_told_by_its_spread(simulate: Call) -> None:
    _, out, _ = simulate("--bots", "novice", "--pulkas", 20, "--deal-limit", 10)
    assert "the mean is 0 by construction" in out
    assert "median" in out
    assert "±" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pulkas", "0"], "pulkas: 0 is not allowed"),
        (["--seats", "5"], "seats: 5 is not allowed"),
        (["--stakes", "1"], "No such option: --stakes"),
        (["--pulkas", "many"], "--pulkas"),
        (["--option", "sliding=1"], "option sliding: there is no such option"),
        (["--option", "stalingrad=perhaps"], "option stalingrad: perhaps is not allowed"),
        (["--option", "stalingrad"], "not of the form NAME=VALUE"),
        (["--bots", "grandmaster"], "bot 'grandmaster' is not known; allowed: random, novice"),
        (["--bots", "novice,novice"], "bots: 2 are named for 3 seats"),
        (["--convention", "whist"], "'whist' is not known"),
        (["--convention", "none.toml"], "none.toml"),
        (["--workers", "0"], "workers: 0 is not allowed"),
        (["--executor", "abacus"], "executor: 'abacus' is not known"),
        (["--resume"], "--resume needs --out"),
        (["--deals"], "--deals needs --out"),
        (["--records", "2"], "--records needs --out"),
        (["--out", "/proc/here"], "/proc/here: no directory can be written there"),
        (["none.toml"], "none.toml: the run cannot be read"),
    ],
)
def test_a_wrong_argument_gets_one_sentence_and_status_2(simulate: Call, arguments: list[str], said: str) -> None:
    status, out, err = simulate(*arguments)
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("preferans simulate: ")
    assert said in err


def test_a_directory_that_holds_something_else_is_left_alone(simulate: Call, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    flags = [*SHORT, "--pulkas", 3]
    assert "is not empty and holds no run" in simulate(*flags, "--out", tmp_path / "full")[2]
    assert "is a file" in simulate(*flags, "--out", tmp_path / "file")[2]
    assert "holds no run that could be resumed" in simulate(*flags, "--out", tmp_path / "none", "--resume")[2]
    assert not (tmp_path / "none").exists()
    assert simulate(*flags, "--out", tmp_path / "run")[0] == 0
    assert "holds another run (it differs in seed)" in simulate(*flags, "--seed", 4, "--out", tmp_path / "run")[2]
    assert "add --resume" in simulate(*flags, "--out", tmp_path / "run")[2]
    assert os.listdir(tmp_path / "full") == ["thesis.txt"]


def test_resuming_a_finished_run_tells_its_result_again(simulate: Call, tmp_path: Path) -> None:
    flags = [*SHORT, "--pulkas", 9, "--out", tmp_path / "run", "--json"]
    first = simulate(*flags)
    assert simulate(*flags, "--resume") == first


def test_no_progress_where_nobody_watches(root: Path) -> None:
    process = start(root, *SHORT, "--pulkas", 5, "--json")
    out, err = process.communicate(timeout=200)
    assert (process.returncode, err) == (0, "")
    json.loads(out)


BAD_BOT = """
class Bad:
    def act(self, view):
        if view.deal_no == 2:
            raise RuntimeError("lost my cards")
        return view.legal_actions()[0]
"""


def test_a_failing_bot_is_reported_and_the_run_goes_on(simulate: Call, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD_BOT)
    bots = f"{tmp_path}/bad.py:Bad,random,random"
    status, out, _ = simulate("--bots", bots, "--pulkas", 6, "--deal-limit", 5, "--json", "--out", tmp_path / "run")
    answer = json.loads(out)
    assert status == 1
    assert answer["pulkas"] == 6
    assert answer["failed"] == answer["failures_in_all"] > 0
    failure = answer["failures"][0]
    assert failure["bot"].endswith(":Bad")
    assert (failure["pulka"], failure["deal"]) == (1, 3)
    assert failure["reason"] == "RuntimeError: lost my cards"
    assert all(b["pulkas"] == 6 - answer["failed"] for b in answer["bots"].values())
    assert pl.read_parquet(tmp_path / "run" / "pulkas.parquet")["failed"].sum() == 3 * answer["failed"]
    status, out, _ = simulate("--bots", bots, "--pulkas", 6, "--deal-limit", 5)
    assert status == 1
    assert "failed in pulka 1, deal 3, seat" in out


LONG = ["--bots", "novice", "--pulkas", "40000", "--deals", "--records", "30", "--seed", "8", "--target", "2", "--block", "40"]


@pytest.fixture(scope="module")
def whole_run(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing disturbed."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    process = start(root, *LONG, "--out", directory)
    assert process.wait(timeout=300) == 0, process.stderr and process.stderr.read()
    return directory


def wait_for_line(process: subprocess.Popen[str], manifest: Path, more_than: int = 0) -> None:
    """Until one more part is safe, or the process has ended."""
    while process.poll() is None and not (manifest.exists() and manifest.stat().st_size > more_than):
        time.sleep(0.01)


@pytest.mark.slow
def test_kill_9_at_any_moment_and_resume_give_the_same_bytes(root: Path, whole_run: Path, tmp_path: Path) -> None:
    rng = random.Random(20240229)
    directory, killed = tmp_path / "run", 0
    while killed < 10:
        resume = ["--resume"] if (directory / "run.json").exists() else []
        process = start(root, *LONG, "--out", directory, *resume)
        if killed % 3:
            before = (directory / "manifest.jsonl").stat().st_size if resume else 0
            wait_for_line(process, directory / "manifest.jsonl", before)
            time.sleep(rng.random() * 0.3)
        else:
            time.sleep(rng.random() * 3)
        process.kill()
        if process.wait() == 0:
            break
        killed += 1
    process = start(root, *LONG, "--out", directory, "--resume")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert rows_of(directory) == rows_of(whole_run)
    assert not (directory / "parts").exists()
    mine, whole = (json.loads((d / "summary.json").read_text()) for d in (directory, whole_run))
    for clock in ("seconds", "pulkas_per_second", "decisions_per_second"):
        del mine[clock], whole[clock]
    assert mine == whole
    assert killed >= 3


def test_a_manifest_cut_short_is_taken_up_before_the_cut(root: Path, simulate: Call, tmp_path: Path) -> None:
    process = start(root, *LONG, "--out", tmp_path / "run")
    wait_for_line(process, tmp_path / "run" / "manifest.jsonl")
    process.kill()
    process.wait()
    manifest = tmp_path / "run" / "manifest.jsonl"
    lines = manifest.read_bytes().splitlines(keepends=True)
    manifest.write_bytes(b"".join(lines) + lines[0][:40])
    (tmp_path / "run" / "parts" / "999-pulkas.parquet").write_text("left by a part that was not finished")
    flags = {"bots": "novice", "pulkas": 40000, "deals": True, "records": 30, "seed": 8, "target": 2, "block": 40}
    taken = Directory(tmp_path / "run", Run(describe(flags)).as_json(), True)
    assert taken.done == sum(json.loads(line)["count"] for line in lines)
    assert manifest.read_bytes() == b"".join(lines)
    assert not (tmp_path / "run" / "parts" / "999-pulkas.parquet").exists()
    # a part that was lost: what follows it is played again
    next((tmp_path / "run" / "parts").glob("000000000000-pulkas*")).unlink()
    del taken
    assert Directory(tmp_path / "run", Run(describe(flags)).as_json(), True).done == 0


def test_ctrl_c_ends_cleanly_and_the_rest_can_be_played_later(root: Path, whole_run: Path, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    process = start(root, *LONG, "--out", directory)
    wait_for_line(process, directory / "manifest.jsonl")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "--resume" in err
    assert "Stopped after" in out
    done = pl.read_parquet(directory / "pulkas.parquet")
    summary = json.loads((directory / "summary.json").read_text())
    assert summary["interrupted"]
    assert 0 < summary["pulkas"] == done.height // 3 < 40000
    assert_frame_equal(done, pl.read_parquet(whole_run / "pulkas.parquet").head(done.height))
    process = start(root, *LONG, "--out", directory, "--resume")
    assert process.wait(timeout=300) == 0
    assert rows_of(directory) == rows_of(whole_run)


def test_ctrl_c_does_not_wait_for_a_slow_bot(root: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\nclass Slow:\n    def act(self, view):\n        time.sleep(30)\n        return 64\n")
    process = start(root, "--bots", f"{tmp_path}/slow.py:Slow", "--pulkas", 2, "--out", tmp_path / "run")
    while not (tmp_path / "run" / "manifest.jsonl").exists():
        time.sleep(0.05)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, _ = process.communicate(timeout=25)
    assert process.returncode == 130
    assert time.monotonic() - began < 10
    assert "Stopped after 0 of 2 pulkas" in out


_FULL_DISK = """
import resource
from lab import cli, session
play = session.carry_out
def on_a_full_disk(*arguments):  # from here on no file may grow beyond what one part takes
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    return play(*arguments)
session.carry_out = on_a_full_disk
cli.main()
"""


@pytest.mark.parametrize("limit", [20_000, 200_000, 400_000])
def test_a_full_disk_stops_with_one_sentence_and_loses_nothing(root: Path, whole_run: Path, tmp_path: Path, limit: int) -> None:
    """A limit on the size of files stands for the full disk: the smallest stops the first part, others a later one or the whole file."""
    directory = tmp_path / "run"
    script = _FULL_DISK.replace("LIMIT, LIMIT", f"{limit}, {limit}")
    command = [sys.executable, "-c", script, "simulate", *LONG, "--no-report", "--out", str(directory)]
    failed = subprocess.run(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True, timeout=300)
    assert failed.returncode == 1
    assert "Traceback" not in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert f"{directory}: cannot be written: File too large" in failed.stderr
    lines = (directory / "manifest.jsonl").read_bytes().splitlines()
    safe = sum(json.loads(line)["count"] for line in lines)
    assert (f"the first {safe:,} pulkas are safe" in failed.stderr) == (safe > 0)
    process = start(root, *LONG, "--out", directory, "--resume")
    assert process.wait(timeout=300) == 0
    assert rows_of(directory) == rows_of(whole_run)


def test_a_lost_directory_stops_with_one_sentence(root: Path, tmp_path: Path) -> None:
    process = start(root, *LONG, "--out", tmp_path / "run")
    wait_for_line(process, tmp_path / "run" / "manifest.jsonl")
    shutil.rmtree(tmp_path / "run", ignore_errors=True)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert err.count("\n") == 1
    assert "cannot be written" in err


def test_two_processes_do_not_write_one_run(simulate: Call, tmp_path: Path) -> None:
    flags = {"bots": "novice", "pulkas": 3, "deal_limit": 8}
    held = Directory(tmp_path / "run", Run(describe(flags)).as_json(), False)
    arguments = ["--bots", "novice", "--pulkas", 3, "--deal-limit", 8, "--out", tmp_path / "run", "--resume"]
    status, _, err = simulate(*arguments)
    assert status == 2
    assert "another process is writing this run" in err
    del held
    assert simulate(*arguments)[0] == 0


def test_results_are_exact_in_the_rows(simulate: Call, tmp_path: Path) -> None:
    simulate("--convention", "rostov", "--seats", 3, "--bots", "novice", "--pulkas", 20, "--out", tmp_path / "run")
    pulkas = pl.read_parquet(tmp_path / "run" / "pulkas.parquet")
    assert pulkas["result_numerator"].dtype.is_integer()
    fractions = {Fraction(n, d).denominator for n, d in pulkas.select("result_numerator", "result_denominator").rows()}
    assert fractions <= {1, 2, 3, 6}
    assert np.abs(pulkas["result_numerator"].to_numpy()).max() > 0


def test_names_and_errors_are_shown_as_they_are_written(simulate: Call, tmp_path: Path) -> None:
    (tmp_path / "a[b].py").write_text("class A:\n    def act(self, view):\n        raise ValueError('bad [/red] suit [S] :fire:')\n")
    status, out, _ = simulate("--bots", f"{tmp_path / 'a[b].py'}:A,novice,novice", "--pulkas", 3, "--deal-limit", 2)
    assert status == 1
    assert "a[b].py:A" in out
    assert "ValueError: bad [/red] suit [S] :fire:" in " ".join(out.split())


def test_a_directory_may_have_any_name(simulate: Call, tmp_path: Path) -> None:
    out = tmp_path / "run [1]*?"
    assert simulate(*SHORT, "--pulkas", 6, "--deals", "--out", out)[0] == 0
    loaded = lab.load(out)
    assert loaded.pulkas.collect().height == 18
    assert loaded.deals is not None
    assert simulate(*SHORT, "--pulkas", 6, "--deals", "--out", out, "--resume")[0] == 0
    assert cli.run(["report", str(out)]) == 0
