"""A grid of runs becomes one run a point and one comparison."""

import json
from pathlib import Path

import pytest

import lab
from lab import cli, sweep
from lab.description import describe, read_file
from lab.errors import UsageError

GRID = """
bots = "novice"
pulkas = 20
seed = 7
deal_limit = 30

[grid.options]
raspas_exit = ["6-7-7", "6-7-8"]
raspas_progression = ["2-4-6", "2-4-8"]
"""


def test_every_point_is_a_run_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    assert cli.run(["sweep", str(tmp_path / "grid.toml"), "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr().out
    names = ["6-7-7_2-4-6", "6-7-7_2-4-8", "6-7-8_2-4-6", "6-7-8_2-4-8"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.is_dir()) == names
    for name in names:
        run = lab.load(tmp_path / "out" / name).run
        assert f"{run['options']['raspas_exit']}_{run['options']['raspas_progression']}" == name
        assert name in told
    table = json.loads((tmp_path / "out" / sweep.TABLE).read_text())
    assert [row["point"] for row in table] == names
    assert table[0]["against_first"] is None
    # the price of a raspas changes no card that novice plays, only what is written
    assert table[1]["against_first"]["paired"]
    assert table[1]["against_first"]["deals"]["mean"] == 0
    assert cli.run(["sweep", str(tmp_path / "grid.toml"), "--out", str(tmp_path / "out"), "--resume", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == table
    assert cli.run(["sweep", str(tmp_path / "grid.toml"), "--out", str(tmp_path / "out")]) == 2


def test_conventions_seats_targets_and_bots_vary_too(tmp_path: Path) -> None:
    path = tmp_path / "grid.toml"
    path.write_text('pulkas = 2\n[grid]\nconvention = ["piter", "sochi"]\nseats = [3, 4]\ntarget = [5]\nbots = [["novice"], ["random"]]\n')
    points = sweep.read(path)
    assert len(points) == 8
    assert points[0].name == "piter_3_5_novice"
    assert {(p.description.convention.name, p.description.seats, p.description.bots[0]) for p in points} == {
        (c, s, b) for c in ("piter", "sochi") for s in (3, 4) for b in ("novice", "random")
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("pulkas = 2", "needs a table [grid]"),
        ("[grid]\nseed = [1]", "[grid] cannot vary seed"),
        ("[grid]\nseats = 3", "seats: 3 is not a list"),
        ("[grid]\nseats = [3, 5]", "point 5: seats: 5 is not allowed"),
        ("[grid]\nseats = [3, 3]", "names the point 3 twice"),
        ("[grid]\noptions = [1]", "[grid.options] is a table of lists"),
        ("[grid.options]\nraspas_exit = ['6-9-9']", "allowed: 6-7-7 or 6-7-8"),
        ("[grid", "not a TOML text"),
        ("options = 5\n[grid.options]\nraspas_exit = ['6-7-7']", "options: 5 is not a table"),
        ("options = 'x'\n[grid.options]\nraspas_exit = ['6-7-7']", "options: 'x' is not a table"),
        ("definition = 5\n[grid]\nseats = [3]", "definition: 5 is not a table"),
        ("a = " + "[" * 3000, "nested too deeply"),
    ],
)
def test_a_wrong_grid_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "grid.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        sweep.read(tmp_path / "grid.toml")
    assert said in str(caught.value)
    assert str(tmp_path / "grid.toml") in str(caught.value)


def test_a_long_name_of_a_point_is_cut_to_what_a_folder_may_bear(tmp_path: Path) -> None:
    path = tmp_path / "grid.toml"
    path.write_text(f'pulkas = 1\n[grid]\nbots = [["{"n" * 300}"], ["{"n" * 301}"], ["{"ы" * 300}"], ["novice"]]\n')
    names = [point.name for point in sweep.read(path)]
    assert len(set(names)) == 4
    for name in names:
        (tmp_path / name).mkdir()


@pytest.mark.parametrize(("name", "text"), [("run.toml", "a = " + "[" * 3000), ("run.json", '{"a": ' + "[" * 3000)])
def test_a_description_nested_too_deeply_is_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=f"{name}: the run is nested too deeply"):
        read_file(tmp_path / name)


def test_a_setting_nested_too_deeply_is_named() -> None:
    deep: list[object] = []
    for _ in range(3000):
        deep = [deep]
    with pytest.raises(UsageError, match="nested too deeply"):
        describe({"bots": deep})
