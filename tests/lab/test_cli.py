"""What all subcommands of `preferans` share: help, and how the process ends."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lab import cli


def test_help_answers_without_importing_what_compiles(root: Path) -> None:
    script = "import sys\nfrom lab.cli import run\nrun(['--help'])\nprint(sorted({'numba', 'numpy', 'polars'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"
    assert "simulate" in out
    assert "Play bots against each other" in out


def test_every_listed_command_can_be_asked_for_help(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.util import find_spec

    for name, (module, _, _) in cli.COMMANDS.items():
        if find_spec(module):
            assert cli.run([name, "--help"]) == 0
            assert "Usage" in capsys.readouterr().out


def test_an_unknown_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simluate"]) == 2
    assert capsys.readouterr().err.startswith("preferans: No such command 'simluate'.")


def test_threads_of_others_do_not_end_a_process_that_calls_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        assert cli.run(["league", "--bots", "random,novice", "--sets", "1", "--deals", "1", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["sets"] == 1
    finally:
        over.set()
        other.join()


def test_a_command_ends_over_a_thread_that_does_not(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(
        "import sys, threading\nfrom lab import cli\ncli.PATIENCE = 0.1\nthreading.Thread(target=threading.Event().wait).start()\n"
        "cli.main(['conventions', '--nonsense'])"
    )
    ended = subprocess.run([sys.executable, str(tmp_path / "stuck.py")], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "--nonsense" in ended.stderr


@pytest.mark.parametrize(
    ("shell", "status", "told"),
    [
        ("{} conventions piter > /dev/full", 1, "preferans conventions: standard output cannot be written: No space left on device\n"),
        ("{} conventions piter >&-", 1, "preferans: standard output is closed\n"),
        ("{} conventions piter > /dev/null 2>&-", 0, ""),
        ("{} conventions piter | head -1 > /dev/null", 0, ""),
        ("PYTHONIOENCODING=ascii {} conventions piter > /dev/null", 0, ""),
        (
            "echo '{{}}' > lines.jsonl; {} settle lines.jsonl > /dev/full",
            1,
            "preferans settle: standard output cannot be written: No space left on device\n",
        ),
    ],
)
def test_an_output_that_cannot_be_written_is_told_in_a_sentence(root: Path, tmp_path: Path, shell: str, status: int, told: str) -> None:
    command = shell.format(f"{sys.executable} -m lab")
    ended = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (status, told)


@pytest.mark.parametrize("wrong", [["--seed", "-1"], ["--limit", "0"], ["-n", "99999999999999999999"], ["-n", "0"], ["--where", ""]])
def test_what_deal_cannot_do_is_a_wrong_argument(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["deal", *wrong]) == 2
    assert capsys.readouterr().err.startswith("preferans deal: ")
