"""The report of one run or several: what it says follows from the rows, and a browser shows it without a complaint."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import threading
import warnings
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import lab
from lab import charts, cli, report, report_comparison, report_pulkas
from lab.errors import UsageError

pytest.importorskip("matplotlib", reason="the extra `report` is not installed")


def simulate(path: Path, *more: str) -> Path:
    flags = ["--bots", "novice,random,random", "--pulkas", "42", "--deal-limit", "12", "--seed", "2", "--no-report"]
    assert cli.run(["simulate", *flags, "--out", str(path), *more]) == 0
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A run of two bots with four seats' worth of options, one that differs in an option, and one of a single bot."""
    folder = tmp_path_factory.mktemp("runs")
    first = simulate(folder / "first", "--records", "2", "--deals")
    second = simulate(folder / "second", "--option", "raspas_exit=6-7-8", "--option", "ten_whisted=true")
    alone = simulate(
        folder / "alone", "--bots", "novice", "--pulkas", "60", "--deal-limit", "100", "--seats", "4", "--convention", "rostov"
    )
    return first, second, alone


class Page(HTMLParser):
    """What a page holds: its text, its tags, where it links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_page_is_whole_and_holds_no_program(runs: tuple[Path, ...]) -> None:
    path = report.write([lab.load(runs[0])])
    assert path == runs[0] / "report.html"
    page = Page(path.read_text(encoding="utf-8"))
    assert "script" not in page.tags
    assert all(link.startswith(("#", "data:")) for link in page.links), "nothing is loaded from outside"
    assert {link[1:] for link in page.links if link.startswith("#") and len(link) > 1} <= set(page.ids)
    assert page.tags.count("svg") >= 8
    for words in (
        "What was run",
        "Standings",
        "Distribution of results",
        "Contracts",
        "Misère",
        "Whist",
        "Raspas",
        "course",
        "A typical pulka",
    ):
        assert words in page.words
    for value in (f"{lab.load(runs[0]).summary['deals']:,}", "novice less random", "per 100 deals", "±", "first dealer"):
        assert value in page.words


def test_simulate_leaves_the_page(tmp_path: Path) -> None:
    flags = ["--bots", "novice", "--pulkas", "4", "--deal-limit", "5", "--out", str(tmp_path / "run")]
    assert cli.run(["simulate", *flags]) == 0
    assert "novice sat at every seat" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_two_runs_on_the_same_cards_are_paired(runs: tuple[Path, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.run(["report", str(runs[0]), str(runs[1]), "--out", str(tmp_path / "both.html")]) == 0
    assert "both.html" in capsys.readouterr().out
    words = Page((tmp_path / "both.html").read_text(encoding="utf-8")).words
    assert "second against first" in words
    assert "raspas_exit 6-7-7 → 6-7-8" in words
    assert "42 pairs" in words


def test_paired_differences_are_those_of_the_rows(runs: tuple[Path, ...]) -> None:
    first, second = lab.load(runs[0]), lab.load(runs[1])
    found = report_comparison.compare(first, second)
    assert found.paired
    result = pl.col("result_numerator") / pl.col("result_denominator")

    def by_pulka(loaded: lab.Loaded) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        rows = loaded.pulkas.filter(pl.col("bot") == "random").group_by("pulka").agg(result.mean().alias("x")).sort("pulka").collect()
        return rows["x"].to_numpy()

    a, b = by_pulka(first), by_pulka(second)
    moments = dict(found.lines)["random"]
    difference = moments.difference(True)
    assert difference.value == pytest.approx((b - a).mean())
    assert difference.error == pytest.approx((b - a).std(ddof=1) / np.sqrt(len(a)))
    assert moments.difference(False).error == pytest.approx(np.sqrt((a.var(ddof=1) + b.var(ddof=1)) / len(a)))
    assert moments.gain() == pytest.approx((a.var(ddof=1) + b.var(ddof=1)) / (b - a).var(ddof=1))


def test_runs_on_other_cards_are_not_paired(runs: tuple[Path, ...], tmp_path: Path) -> None:
    other = simulate(tmp_path / "other", "--seed", "3")
    found = report_comparison.compare(lab.load(runs[0]), lab.load(other))
    assert not found.paired
    assert "compared as independent ones" in report.page([lab.load(runs[0]), lab.load(other)])


def test_duplicate_cards_have_their_gain_told(tmp_path: Path) -> None:
    text = report.page([lab.load(simulate(tmp_path / "run", "--duplicate"))])
    assert "What duplicate cards gained" in text
    assert "intervals; the unit is the duplicate set" in text


def test_the_typical_and_the_extreme_pulka_are_those_of_the_rows(runs: tuple[Path, ...]) -> None:
    loaded = lab.load(runs[2])
    (_, typical), (_, extreme) = report_pulkas.chosen(loaded)
    rows = loaded.pulkas.collect()
    largest = rows["result_numerator"].abs().max()
    assert largest in rows.filter(pulka=extreme)["result_numerator"].abs().to_list()
    record = report_pulkas.record_of(loaded, extreme)
    assert record is not None
    results = [Fraction(n, d) for n, d in rows.filter(pulka=extreme).select("result_numerator", "result_denominator").rows()]
    assert [Fraction(r) for r in record["result"]] == results
    assert typical != extreme


def test_records_in_the_page_replay(runs: tuple[Path, ...], tmp_path: Path) -> None:
    links = re.findall(r"data:application/x-ndjson;base64,([\w+/=]+)", report.page([lab.load(runs[2])]))
    assert len(links) == 2
    for n, link in enumerate(links):
        path = tmp_path / f"{n}.jsonl"
        path.write_bytes(base64.b64decode(link))
        assert cli.run(["replay", str(path)]) == 0


def test_kept_records_are_taken_as_they_are(runs: tuple[Path, ...]) -> None:
    loaded = lab.load(runs[0])
    kept = [json.loads(line) for line in (runs[0] / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [report_pulkas.record_of(loaded, n) for n in (1, 2)] == kept


def test_without_matplotlib_the_page_does_without_pictures(runs: tuple[Path, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "available", lambda: False)
    text = report.page([lab.load(runs[0])])
    assert "Pictures need Matplotlib" in text
    assert "Contracts" in text
    assert cli.run(["report", str(runs[0])]) == 2


@pytest.mark.parametrize(
    ("name", "said"), [("none", "holds no simulation"), ("empty", "holds no simulation"), ("damaged", "cannot be read")]
)
def test_what_is_no_run_is_named(tmp_path: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "run.json").write_text("{")
    with pytest.raises(UsageError, match=said):
        lab.load(tmp_path / name)
    assert cli.run(["report", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


TABLE_DAMAGE = {"cut": _cut, "empty": lambda _: b"", "junk": lambda _: b"\xff\xfejunk\n" * 50}
RESUME = ["--records", "2", "--deals", "--resume"]


def copied(run: Path, to: Path) -> Path:
    shutil.copytree(run, to)
    return to


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command that must fail says: one line."""
    capsys.readouterr()
    assert cli.run(list(arguments)) in (1, 2)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def again(path: Path) -> list[str]:
    flags = ["--bots", "novice,random,random", "--pulkas", "42", "--deal-limit", "12", "--seed", "2", "--no-report"]
    return ["simulate", *flags, "--out", str(path), *RESUME]


@pytest.mark.parametrize("table", ["pulkas.parquet", "deals.parquet"])
@pytest.mark.parametrize("damage", TABLE_DAMAGE)
def test_a_damaged_table_is_named(
    runs: tuple[Path, ...], tmp_path: Path, table: str, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copied(runs[0], tmp_path / "run")
    (run / table).write_bytes(TABLE_DAMAGE[damage]((run / table).read_bytes()))
    for arguments in (["report", str(run)], ["report", str(run), "--controls", "42", "--no-solve"], again(run)):
        assert f"{run / table} is damaged" in complaint(capsys, *arguments)


def test_a_table_of_another_run_is_named(runs: tuple[Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = copied(runs[0], tmp_path / "run")
    pl.read_parquet(run / "pulkas.parquet").head(9).write_parquet(run / "pulkas.parquet")
    assert "pulkas.parquet is damaged: it has 9 rows, the run 126" in complaint(capsys, "report", str(run))
    pl.DataFrame({"x": [1]}).write_parquet(run / "deals.parquet")
    shutil.copy(runs[0] / "pulkas.parquet", run)
    assert "deals.parquet is damaged: it has no column" in complaint(capsys, "report", str(run))


def test_a_page_of_a_table_that_is_damaged_inside_is_named(
    runs: tuple[Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copied(runs[0], tmp_path / "run")
    content = bytearray((run / "deals.parquet").read_bytes())
    content[4 : len(content) // 2] = b"\xff" * (len(content) // 2 - 4)
    (run / "deals.parquet").write_bytes(content)
    assert "is damaged" in complaint(capsys, "report", str(run), "--controls", "42", "--no-solve")


@pytest.mark.parametrize("damage", [*TABLE_DAMAGE, "missing", "true", "wrong"])
def test_a_damaged_manifest_is_named(runs: tuple[Path, ...], tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]) -> None:
    run = copied(runs[0], tmp_path / "run")
    manifest = run / "manifest.jsonl"
    part, complete = manifest.read_bytes().splitlines(keepends=True)
    if damage in TABLE_DAMAGE:
        manifest.write_bytes(TABLE_DAMAGE[damage](part + complete))
    elif damage == "missing":
        manifest.unlink()
    else:
        lines = {"true": b"junk\n", "wrong": json.dumps(json.loads(part) | {"count": "x"}).encode() + b"\n"}
        manifest.write_bytes(lines[damage] + complete)
        # no parts are left from which such a run could be mended
        assert f"{manifest} is damaged" in complaint(capsys, *again(run))
    assert str(manifest) in complaint(capsys, "report", str(run))


def test_a_summary_without_its_figures_is_named(runs: tuple[Path, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = copied(runs[0], tmp_path / "run")
    (run / "summary.json").write_text("{}")
    for arguments in (["report", str(run)], again(run)):
        assert f"{run / 'summary.json'} is damaged" in complaint(capsys, *arguments)


def test_the_page_goes_where_a_link_leads_and_into_a_pipe(runs: tuple[Path, ...], tmp_path: Path) -> None:
    link, real, pipe = tmp_path / "link.html", tmp_path / "real.html", tmp_path / "pipe"
    real.write_text("old")
    link.symlink_to(real)
    assert cli.run(["report", str(runs[0]), "--out", str(link)]) == 0
    assert link.is_symlink()
    page = real.read_bytes()
    assert page.startswith(b"<!doctype html>")
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    assert cli.run(["report", str(runs[0]), "--out", str(pipe)]) == 0
    reader.join(30)
    assert read == [page]
    assert pipe.is_fifo()


@pytest.mark.parametrize("first_bad_deal", [1, 3])
def test_a_run_in_which_pulkas_failed_is_whole(tmp_path: Path, first_bad_deal: int, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def act(self, view):\n"
        f"        if view.deal_no + 1 >= {first_bad_deal}:\n            raise ValueError('lost')\n        return view.legal_actions()[0]\n"
    )
    run = tmp_path / "run"
    flags = ["--bots", f"{tmp_path}/bad.py:Bad,random,random", "--pulkas", "6", "--deal-limit", "5", "--deals", "--no-report"]
    assert cli.run(["simulate", *flags, "--out", str(run)]) == 1
    assert cli.run(["simulate", *flags, "--out", str(run), "--resume"]) == 1
    capsys.readouterr()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cli.run(["report", str(run)]) == 0
    assert capsys.readouterr().err == ""


def test_a_picture_of_nothing_needs_no_legend() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "<svg" in charts.stacked("contracts", ("6", "7"), {}, "contracts")
        assert charts.intervals("standings", [], [], "whists") == ""


def test_load_gives_the_rows_as_frames(runs: tuple[Path, ...]) -> None:
    loaded = lab.load(runs[0])
    assert loaded.pulkas.select(pl.len()).collect().item() == 3 * 42
    assert loaded.deals is not None
    assert loaded.deals.select(pl.len()).collect().item() == loaded.summary["deals"]
    assert lab.load(runs[1]).deals is None
    assert sum(1 for _ in loaded.records()) == 2
    assert loaded.counters["deals"] == loaded.summary["deals"]
    assert loaded.standings.mean(0).value == loaded.summary["bots"]["novice"]["mean"]


BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def shown(page: Path, *more: str) -> subprocess.CompletedProcess[str]:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium here: apt-get install chromium (make report does it)")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0", "--window-size=1100,1400", *more]
    return subprocess.run([browser, *flags, page.as_uri()], capture_output=True, text=True, timeout=120, check=True)


def test_a_browser_shows_it_without_an_error(runs: tuple[Path, ...], tmp_path: Path) -> None:
    page = report.write([lab.load(runs[0]), lab.load(runs[1])], tmp_path / "page.html")
    answer = shown(page, "--dump-dom")
    assert "CONSOLE" not in answer.stderr
    dom = Page(answer.stdout)
    assert dom.tags.count("svg") >= 9
    assert "second against first" in dom.words
    for scheme in ("light", "dark"):
        picture = tmp_path / f"{scheme}.png"
        shown(page, f"--screenshot={picture}", *(["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []))
        from matplotlib.image import imread

        pixels = imread(picture)[..., :3]
        paper = np.median(pixels.reshape(-1, 3), axis=0).mean()
        assert paper > 0.9 if scheme == "light" else paper < 0.2
        assert np.abs(pixels.mean(axis=2) - paper).max() > 0.5, "something legible stands on the paper"
