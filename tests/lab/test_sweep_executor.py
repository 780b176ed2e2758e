"""A sweep plays on the same executors as a simulation, and goes on where it was stopped (`docs/06-runs-and-statistics.md`)."""

from pathlib import Path

import pytest

from lab import cli
from lab.directory import MANIFEST, WHOLE

GRID = """
bots = ["novice", "random", "random"]
pulkas = 24
seed = 7
deal_limit = 6
block = 4
deals = true

[grid]
target = [10, 20]
"""
POINTS = ("10", "20")


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(GRID)
    return path


def rows(out: Path) -> list[bytes]:
    return [(out / point / WHOLE[kind]).read_bytes() for point in POINTS for kind in ("pulkas", "deals")]


def test_a_stopped_sweep_goes_on_and_ends_with_the_same_rows(grid: Path, tmp_path: Path) -> None:
    assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "whole")]) == 0
    assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "stopped"), "--workers", "1"]) == 0
    # as if it had been killed after the first point was done and before the second wrote a part
    second = tmp_path / "stopped" / "20"
    (second / MANIFEST).write_bytes(b"")
    for kind in ("pulkas", "deals"):
        (second / WHOLE[kind]).unlink()
    assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "stopped")]) == 2
    assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "stopped"), "--resume"]) == 0
    assert rows(tmp_path / "stopped") == rows(tmp_path / "whole")


def test_an_executor_that_is_none_is_named(grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "out"), "--executor", "cloud"]) == 2
    assert "'cloud' is not known; allowed: threads, or dask:ADDRESS" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_sweep_on_a_cluster_has_the_same_rows(grid: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "threads")]) == 0
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        flags = ["--executor", f"dask:{cluster.scheduler_address}"]
        assert cli.run(["sweep", str(grid), "--out", str(tmp_path / "cluster"), *flags]) == 0
    assert rows(tmp_path / "cluster") == rows(tmp_path / "threads")
