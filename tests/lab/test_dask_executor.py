"""The same blocks on a Dask cluster give the same rows, also when a worker is killed in the middle (`docs/06-runs-and-statistics.md`)."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from lab import cli
from lab.directory import WHOLE

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

FLAGS = [
    "--bots",
    "novice,random,random",
    "--pulkas",
    "600",
    "--deal-limit",
    "30",
    "--seed",
    "5",
    "--block",
    "3",
    "--deals",
    "--records",
    "4",
    "--no-report",
]


def simulate(out: Path, *more: str) -> int:
    return cli.run(["simulate", *FLAGS, "--out", str(out), *more])


@pytest.mark.slow
def test_a_killed_worker_changes_no_row(tmp_path: Path) -> None:
    assert simulate(tmp_path / "threads") == 0
    killed = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid

        def kill_once_it_runs() -> None:
            manifest = tmp_path / "cluster" / "manifest.jsonl"
            while not (manifest.exists() and manifest.stat().st_size):
                time.sleep(0.01)
            os.kill(victim, signal.SIGKILL)
            killed.append(len(manifest.read_bytes().splitlines()))

        killer = threading.Thread(target=kill_once_it_runs)
        killer.start()
        assert simulate(tmp_path / "cluster", "--executor", f"dask:{cluster.scheduler_address}") == 0
        killer.join(timeout=10)
    assert killed
    assert killed[0] < 4, "it was killed before the end"
    for whole in WHOLE.values():
        assert (tmp_path / "cluster" / whole).read_bytes() == (tmp_path / "threads" / whole).read_bytes()


def test_a_scheduler_that_does_not_answer_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.dask_executor.PATIENCE", "1s")
    assert simulate(tmp_path / "run", "--executor", "dask:tcp://127.0.0.1:9") == 1
    error = capsys.readouterr().err
    assert "dask:tcp://127.0.0.1:9: no scheduler answers there" in error
    assert "Traceback" not in error
    assert simulate(tmp_path / "none", "--executor", "dask:") == 2
    assert "an address is missing" in capsys.readouterr().err
