"""Bots over pipes, and what becomes of those that fail."""

from __future__ import annotations

import json
import re
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots import catalogue, external
from bots.limits import PATIENCE
from bots.messages import greeting, question
from engine.batch import Setup, play_block
from engine.game import Game
from lab.cli import run
from lab.cli_bot_protocol import example_messages
from tests.helpers import terms

FIRST = """
for line in sys.stdin:
    told = json.loads(line)
    if "question" in told:
        print(told["legal"][0], flush=True)
"""
ORDINARY = "class First:\n    def act(self, view):\n        return view.legal_texts()[0]\n"


def program(folder: Path, text: str, name: str = "bot.py") -> str:
    path = folder / name
    path.write_text("import json, sys, time\n" + textwrap.dedent(text))
    return f"exec:{sys.executable} {path}"


def played(capsys: pytest.CaptureFixture[str], bot: str, *more: str, status: int = 0) -> dict[str, Any]:
    assert run(["league", "--bots", f"{bot},random", "--sets", "1", "--deals", "1", "--json", *more]) == status
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def failure(capsys: pytest.CaptureFixture[str], bot: str, *more: str) -> dict[str, Any]:
    """The first failure; every one names bot, deal and view."""
    found = played(capsys, bot, *more, status=1)
    for told in found["failures"]:
        assert told["bot"] == bot
        assert told["deal"] == 1
        assert f"seen by seat {told['seat']}" in told["view"]
        assert "legal: " in told["view"]
        assert "\n" not in told["reason"]
    first: dict[str, Any] = found["failures"][0]
    return first


def test_a_program_plays_as_the_same_bot_in_python_does(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(ORDINARY)
    outside = played(capsys, program(tmp_path, FIRST), "--deals", "3")
    inside = played(capsys, f"{tmp_path / 'own.py'}:First", "--deals", "3")
    assert outside["pairs"][0]["mean"] == inside["pairs"][0]["mean"]
    assert outside["failures_in_all"] == 0


def test_a_program_that_is_missing_is_refused_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plain = tmp_path / "data.txt"
    plain.touch()
    for command, sentence in [
        ("./no-such-bot --flag", "./no-such-bot cannot be run: there is no such program"),
        (str(plain), f"{plain} cannot be run: it is not executable"),
        ("", "there is no command; allowed: exec:PROGRAM with its arguments"),
        ("'half", "the command cannot be read: No closing quotation"),
    ]:
        assert run(["league", "--bots", f"random,exec:{command}"]) == 2
        assert capsys.readouterr().err == f"preferans league: bot {'exec:' + command!r}: {sentence}\n"


def test_a_program_that_cannot_start_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\x7fELF but not really")
    path.chmod(0o755)
    assert "cannot be started" in failure(capsys, f"exec:{path}")["reason"]


def test_a_program_that_ends_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bot = program(tmp_path, "sys.stdin.readline(); sys.stdin.readline(); sys.exit(3)")
    assert failure(capsys, bot)["reason"] == "BotDiedError: the program ended with status 3"
    bot = program(tmp_path, "import os, signal\nsys.stdin.readline(); sys.stdin.readline(); os.kill(os.getpid(), signal.SIGSEGV)")
    assert failure(capsys, bot)["reason"] == "BotDiedError: the program was ended by signal SIGSEGV"


def test_nonsense_is_reported_and_the_program_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bot = program(tmp_path, FIRST.replace('told["legal"][0]', '"banana"'))
    assert failure(capsys, bot)["reason"] == "BadAnswerError: 'banana' is not an action"
    once = FIRST.replace('told["legal"][0]', '"banana" if told["question"] == 1 else told["legal"][0]')
    assert played(capsys, program(tmp_path, once), status=1)["failures_in_all"] == 1


def test_an_illegal_action_is_reported_with_its_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = failure(capsys, program(tmp_path, FIRST.replace('told["legal"][0]', '"-S7"')))
    assert (told["reason"], told["action"]) == ("gave an illegal action", "-S7")


def test_a_program_that_stalls_is_killed_and_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    began = time.monotonic()
    told = failure(capsys, program(tmp_path, "time.sleep(1000)"), "--time-limit", "0.2")
    assert told["reason"] == "BotStalledError: no answer within 0.2 s"
    assert time.monotonic() - began < 30
    assert not [process for process in external._living if process.poll() is None]


def test_a_program_that_reads_nothing_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert failure(capsys, program(tmp_path, "sys.stdin.close(); time.sleep(1000)"), "--time-limit", "0.3")["reason"] in (
        "BotDiedError: the program closed its standard input or output",
        "BotStalledError: no answer within 0.3 s",
    )


def test_more_lines_than_questions_are_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    talkative = FIRST.replace("flush=True", "'ready', sep='\\n', flush=True")
    reasons = {told["reason"] for told in played(capsys, program(tmp_path, talkative), status=1)["failures"]}
    # the line too many comes before the next question, or, on a slow machine, after it: then it is the answer, and the answer one too many
    own = [reason for reason in reasons if "is not asked again in this block" not in reason]
    assert own
    for reason in own:
        assert re.fullmatch(r"BadAnswerError: 'ready' is not an action|OutOfStepError: it said '.*' without having been asked", reason)


def test_an_endless_answer_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bot = program(
        tmp_path, "sys.stdin.readline(); sys.stdin.readline(); sys.stdout.write('x' * 5000); sys.stdout.flush(); time.sleep(1000)"
    )
    assert failure(capsys, bot)["reason"] == "OutOfStepError: its answer is longer than 1000 bytes"


def test_a_program_that_keeps_failing_is_not_asked_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "starts").touch()
    bot = program(tmp_path, f"open({str(tmp_path / 'starts')!r}, 'a').write('x'); sys.exit(1)")
    found = played(capsys, bot, "--sets", "4", "--block", "4", status=1)
    assert len((tmp_path / "starts").read_text()) <= PATIENCE
    assert found["failed_sets"] == 4
    assert "is not asked again in this block" in found["failures"][-1]["reason"]


def test_the_program_ends_with_its_block_and_not_before(tmp_path: Path) -> None:
    t = terms("piter", 3)
    player = catalogue.load(program(tmp_path, FIRST + f"open({str(tmp_path / 'end')!r}, 'a').write('x')\n"), t.rules)
    for number in (1, 2):
        block = play_block(Setup(t, (player,), ((0, 0, 0),), limit=1), 0, 3)
        assert block.failures == []
        assert (tmp_path / "end").read_text() == "x" * number  # it saw the end of its input


def test_standard_error_is_passed_on(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    t = terms("piter", 3)
    player = catalogue.load(program(tmp_path, "print('thinking', file=sys.stderr, flush=True)\n" + FIRST), t.rules)
    play_block(Setup(t, (player,), ((0, 0, 0),), limit=1), 0, 1)
    assert "thinking" in capfd.readouterr().err


def test_the_version_of_a_program_changes_with_its_files(tmp_path: Path) -> None:
    spec = program(tmp_path, FIRST)
    before = catalogue.version_of(spec)
    assert catalogue.version_of(spec) == before
    program(tmp_path, FIRST + "\n")
    assert catalogue.version_of(spec) != before


def test_a_question_holds_the_whole_view_in_texts() -> None:
    hello, *questions = example_messages()
    assert hello == greeting(terms("piter", 3).rules)
    assert hello["convention"] == "piter"
    assert [q["phase"] for q in questions] == ["bidding", "talon", "discard", "order", "whist", "open", "play"]
    assert all(q["known"][q["seat"]] == q["hand"] for q in questions)
    assert greeting(terms("piter", 3, ten_whisted=True).rules)["convention"] is None


def test_a_question_tells_nothing_that_the_view_does_not_hold() -> None:
    """The same view in another array gives the same question: it is made of the view alone."""
    game = Game(terms("sochi", 4), seed=3)
    game.deal()
    view = game.view(int(game.table["actor"][0]))
    assert question(1, view[0]) == question(1, np.frombuffer(view.tobytes(), dtype=view.dtype)[0])


def test_the_agreement_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bot-protocol"]) == 0
    told = capsys.readouterr().out
    for name in [*example_messages()[1], *(key for key in example_messages()[0] if key != "hello")]:
        assert name in told.replace(",", " ").split(), f"{name} is not explained"


def test_amounts_are_exact() -> None:
    game = Game(terms("piter", 3), seed=3)
    game.deal()
    view = game.view(int(game.table["actor"][0]))
    view["pool"][0, :3] = (12, 15, 0)
    view["whists"][0, 0, 1] = -20
    asked = question(1, view[0])
    assert asked["pool"] == [2, "5/2", 0]
    assert asked["whists"][0] == [0, "-10/3", 0]
