"""`preferans league` from end to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lab.cli import run

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["league", "--bots", "novice,random", "--deals", "2", "--seed", "4"]


def answer(capsys: pytest.CaptureFixture[str], *more: str, arguments: list[str] = SMALL, status: int = 0) -> dict[str, Any]:
    assert run([*arguments, *more, "--json"]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    found.pop("seconds")
    return found


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 2) -> str:
    assert run(["league", *arguments]) == status
    captured = capsys.readouterr()
    assert captured.err.startswith("preferans league: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_novice_beats_random(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--sets", "40", arguments=["league", "--bots", "random,novice", "--deal-limit", "20"])
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"]) == ("random", "novice")
    assert pair["mean_ci95"][1] < 0
    assert found["bots"]["novice"]["mean_ci95"][0] > 0
    assert found["bots"]["novice"]["rating"]["mu"] > found["bots"]["random"]["rating"]["mu"]
    assert found["bots"]["novice"]["mean"] == pytest.approx(-found["bots"]["random"]["mean"])


@pytest.mark.parametrize(("convention", "seats"), [("rostov", "3"), ("sochi", "4"), ("skachki", "4")])
def test_in_raspas_alone_every_deal_is_a_raspas(capsys: pytest.CaptureFixture[str], convention: str, seats: str) -> None:
    found = answer(capsys, "--sets", "20", "--raspas", "--convention", convention, "--seats", seats)
    tricks = [bot["tricks_per_deal"] for bot in found["bots"].values()]
    assert tricks[0] < tricks[1]
    if seats == "3":
        assert sum(tricks) / 2 == pytest.approx(10 / 3)


def test_the_number_of_workers_does_not_show(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert answer(capsys, "--sets", "25", "--workers", "1", "--out", str(tmp_path / "a")) == answer(
        capsys, "--sets", "25", "--workers", "3", "--out", str(tmp_path / "b")
    )
    assert (tmp_path / "a" / "sets.jsonl").read_bytes() == (tmp_path / "b" / "sets.jsonl").read_bytes()


def test_the_test_ends_at_the_same_set_with_any_number_of_workers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    test = ["--sets", "400", "--sprt", "0,40", "--check-every", "10"]
    one = answer(capsys, *test, "--workers", "1", "--out", str(tmp_path / "a"))
    assert one["sprt"]["decided"] == "H1"
    assert one["sets"] < 400
    assert one == answer(capsys, *test, "--workers", "4", "--out", str(tmp_path / "b"))
    assert (tmp_path / "a" / "sets.jsonl").read_bytes() == (tmp_path / "b" / "sets.jsonl").read_bytes()
    again = answer(capsys, *test, "--out", str(tmp_path / "a"), "--resume")
    assert again == one


def test_a_league_that_is_extended_is_the_league_played_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole, pieces = str(tmp_path / "whole"), str(tmp_path / "pieces")
    once = answer(capsys, "--sets", "33", "--block", "5", "--out", whole)
    for sets in ("3", "17"):
        answer(capsys, "--sets", sets, "--block", "5", "--out", pieces, *(["--resume"] if sets != "3" else []))
    assert answer(capsys, "--sets", "33", "--out", pieces, "--resume") == once
    assert (tmp_path / "pieces" / "sets.jsonl").read_bytes() == (tmp_path / "whole" / "sets.jsonl").read_bytes()
    assert answer(capsys, "--sets", "10", "--out", pieces, "--resume")["sets"] == 33


def test_half_a_line_is_taken_away(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "league")
    once = answer(capsys, "--sets", "12", "--out", out)
    path = tmp_path / "league" / "sets.jsonl"
    content = path.read_bytes()
    for cut in (1, len(content) // 2, len(content) - 3, len(content)):
        path.write_bytes(content[:-cut])
        assert answer(capsys, "--sets", "12", "--out", out, "--resume") == once
        assert path.read_bytes() == content


def test_it_survives_a_sudden_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text(
        "import time\nclass Slow:\n    def act(self, view):\n        time.sleep(0.001)\n        return view.legal_actions()[0]\n"
    )
    league = ["league", "--bots", f"{bot}:Slow,random", "--deals", "1", "--sets", "30", "--block", "1", "--out", str(tmp_path / "out")]
    process = subprocess.Popen([sys.executable, "-m", "lab", *league], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sets = tmp_path / "out" / "sets.jsonl"
    until = time.monotonic() + 120
    while not (sets.exists() and sets.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed = sets.read_bytes()
    assert killed
    once = answer(capsys, arguments=[*league[:-1], str(tmp_path / "other")])
    assert answer(capsys, "--resume", arguments=league) == once
    assert sets.read_bytes().startswith(killed[: killed.rfind(b"\n") + 1])
    assert sets.read_bytes() == (tmp_path / "other" / "sets.jsonl").read_bytes()


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    league = [*SMALL, "--sets", "10000000", "--out", str(tmp_path / "out"), "--json"]
    process = subprocess.Popen([sys.executable, "-m", "lab", *league], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    sets = tmp_path / "out" / "sets.jsonl"
    until = time.monotonic() + 120
    while not (sets.exists() and sets.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped; go on with the same command and --resume" in err
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["interrupted"]
    assert found["sets"] == sets.read_bytes().count(b"\n") > 0


def test_wrong_arguments_are_told_in_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pair = ("--bots", "novice,random")
    assert "bot 'nobody' is not known; allowed: random, novice" in told(capsys, "--bots", "novice,nobody")
    assert "--resume needs --out DIR" in told(capsys, *pair, "--resume")
    assert "--deal-limit has no meaning beside --deals" in told(capsys, *pair, "--deals", "1", "--deal-limit", "5")
    assert "time-limit: 0 is not allowed" in told(capsys, *pair, "--time-limit", "0")
    assert "holds no league that could go on" in told(capsys, *pair, "--out", str(tmp_path / "new"), "--resume")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note").touch()
    assert "is not empty and holds no league" in told(capsys, *pair, "--out", str(tmp_path / "full"))


def test_a_directory_holds_one_league(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    answer(capsys, "--sets", "2", "--out", out)
    same = SMALL[1:]
    assert "holds this very league already: add --resume" in told(capsys, *same, "--sets", "3", "--out", out)
    differs = told(capsys, "--bots", "random,novice", *same[2:], "--out", out, "--resume")
    assert "holds another league (it differs in bots, bot_versions)" in differs or "(it differs in bots)" in differs
    sets = tmp_path / "out" / "sets.jsonl"
    lines = sets.read_text().splitlines(keepends=True)
    sets.write_text(lines[1])
    assert "is damaged at or before line 1" in told(capsys, *same, "--out", out, "--resume", status=1)


def test_the_table_names_every_bot_from_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SMALL, "--sets", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    places = [line.split()[:2] for line in lines if line[:1] in "12" and len(line.split()) > 3]
    assert places == [["1", "novice"], ["2", "random"]]
    assert any(line.startswith("novice less random at the same table: +") for line in lines)


def test_json_is_quiet_where_nobody_watches() -> None:
    command = [sys.executable, "-m", "lab", *SMALL, "--sets", "2", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ})
    assert done.returncode == 0
    assert json.loads(done.stdout)["sets"] == 2
    assert "\x1b" not in done.stderr
