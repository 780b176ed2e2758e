"""`preferans conventions`, `score` and `settle` as a person and as a program use them."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import attrs
import pytest

from conventions import catalogue, files
from conventions.convention import PARAMETERS
from lab.cli import run
from tests.rules.protocols import contract, protocol, raspas

DEALS = [contract(3, 0, 1, "6C", ("whist", "pass"), (5, 5, 0)), raspas(1, (2, 3, 5))]
GOOD = protocol("rostov", 3, DEALS, target=10)
SHEET = {"convention": "piter", "pool": [12, 10, 8], "mountain": [20, 32, 8], "whists": [[0, 40, 24], [16, 0, 60], [48, 20, 0]]}


@attrs.frozen
class Said:
    """Exit status and what went to stdout and stderr."""

    status: int
    out: str
    err: str

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


class Preferans:
    """Runs one command in this process, standard input given as text or bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: str | Path, stdin: str | bytes = "", columns: int | None = None) -> Said:
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        if columns is None:
            self.monkeypatch.delenv("COLUMNS", raising=False)
        else:
            self.monkeypatch.setenv("COLUMNS", str(columns))
        status = run([str(a) for a in arguments])
        return Said(status, *self.capsys.readouterr())


@pytest.fixture
def preferans(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Preferans:
    return Preferans(monkeypatch, capsys)


def lines(*contents: Any) -> str:
    return "".join((c if isinstance(c, str) else json.dumps(c)) + "\n" for c in contents)


# conventions


def test_all_conventions_are_listed_with_name_title_seats_and_version(preferans: Preferans) -> None:
    listed = preferans("conventions", "--json").answers
    assert [c["name"] for c in listed] == list(catalogue.names())
    assert all(c["title"] and c["version"] and c["summary"] for c in listed)
    assert next(c["seats"] for c in listed if c["name"] == "skachki") == [4]
    assert [c["name"] for c in preferans("conventions", "--json", "--seats", "3").answers] == [
        n for n in catalogue.names() if n != "skachki"
    ]
    printed = preferans("conventions").out
    assert all(c.name in printed and c.title in printed for c in catalogue.PRESETS.values())


@pytest.mark.parametrize("columns", [None, 50, 80, 200])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_no_word_of_a_table_is_cut_off(preferans: Preferans, columns: int | None, lang: str) -> None:
    """In a pipe and in a narrow terminal: every name and term can be read, if need be over several lines."""
    shown = preferans("conventions", "piter", "--lang", lang, columns=columns)
    assert shown.status == 0
    assert max(map(len, shown.out.splitlines()[1:])) <= (columns or 150)
    prices = [name for name, field in PARAMETERS.items() if "…" in field.metadata["kind"].allowed]
    assert shown.out.count("…") == len(prices), "a sign for a word cut off, beside those of 2c … 9c"
    if columns != 50:
        assert all(name in shown.out for name in PARAMETERS)


@pytest.mark.parametrize("name", catalogue.names())
def test_a_convention_shows_every_option_with_default_meaning_and_russian_term(preferans: Preferans, name: str) -> None:
    answer = preferans("conventions", name, "--json").answers[0]
    rows = {o["name"]: o for o in answer["options"]}
    assert set(rows) >= set(PARAMETERS) - {"pool_end"}
    for option, field in PARAMETERS.items():
        if option in rows:
            assert rows[option]["russian"] == field.metadata["russian"]
            assert rows[option]["group"] == field.metadata["group"]
            assert rows[option]["default"] in (str(getattr(catalogue.get(name), option)).lower(), "none")
            assert rows[option]["allowed"] and rows[option]["help"]


def test_an_option_shows_what_it_changes(preferans: Preferans) -> None:
    assert preferans("conventions", "piter", "--option", "raspas_exit=6-7-8", "--json").answers[0]["changed"] == {"raspas_exit": "6-7-8"}
    assert "6-7-8 (not 6-7-7)" in preferans("conventions", "piter", "--option", "raspas_exit=6-7-8").out
    assert "6-7-8 (не 6-7-7)" in preferans("conventions", "piter", "--option", "raspas_exit=6-7-8", "--lang", "ru").out


def test_three_seats_have_no_talon_sitter(preferans: Preferans) -> None:
    def shown(seats: str) -> set[str]:
        return {o["name"] for o in preferans("conventions", "piter", "--seats", seats, "--json").answers[0]["options"]}

    assert shown("4") - shown("3") >= {"talon_return", "talon_sitter_may_whist"}


@pytest.mark.parametrize("name", catalogue.names())
def test_toml_reads_back_as_the_same_rules(preferans: Preferans, name: str, tmp_path: Path) -> None:
    own = tmp_path / "my.toml"
    own.write_text(preferans("conventions", name, "--option", "deal_limit=18", "--toml").out, encoding="utf8")
    read, wanted = files.load(own), catalogue.get(name, None, {"deal_limit": 18})
    for seats in wanted.seats_allowed():
        assert read.compile(seats).tobytes() == wanted.compile(seats).tobytes()
    again = preferans("conventions", own, "--toml")
    assert again.status == 0
    assert again.out == own.read_text(encoding="utf8")
    assert [d["name"] for d in preferans("conventions", "--compare", name, str(own), "--json").answers[0]["differences"]] == ["deal_limit"]


def test_two_conventions_side_by_side(preferans: Preferans) -> None:
    rows = {d["name"]: d for d in preferans("conventions", "--compare", "piter", "rostov", "--json").answers[0]["differences"]}
    assert (rows["consolation"]["first"], rows["consolation"]["second"]) == ("2c", "10")
    assert (rows["gentleman"]["first"], rows["gentleman"]["second"]) == ("true", "false")
    same = set(PARAMETERS) - set(rows)
    assert all(getattr(catalogue.get("piter"), name) == getattr(catalogue.get("rostov"), name) for name in same)
    english, russian = (preferans("conventions", "--compare", "piter", "rostov", "--lang", lang).out for lang in ("en", "ru"))
    assert all(name in english and name in russian for name in rows)
    assert "whist per" not in russian
    assert "консоляция" in russian
    assert "консоляция" not in english
    assert "do not differ" in preferans("conventions", "--compare", "sochi", "sochi").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nosuch"], "'nosuch' is not known; known: piter"),
        (["none.toml"], "none.toml: the convention cannot be read"),
        (["piter", "--option", "ten_whisted=maybe"], "ten_whisted: maybe is not allowed; allowed: false or true"),
        (["piter", "--option", "ten_whisted"], "NAME=VALUE"),
        (["piter", "--option", "hold=true", "--option", "hold=false"], "hold is given 2 times"),
        (["skachki", "--seats", "3"], "seats: 3 is not allowed in skachki; allowed: 4"),
        (["--seats", "5"], "--seats 5 is not allowed; allowed: 3 or 4"),
        (["--option", "hold=true"], "--option needs the name"),
        (["--toml"], "--toml needs the name"),
        (["piter", "--toml", "--json"], "choose one"),
        (["piter", "--compare", "piter", "rostov"], "'piter' is a third"),
        (["--compare", "piter", "nosuch"], "'nosuch' is not known"),
        (["--compare", "piter"], "requires 2 arguments"),
        (["--compare", "piter", "vmk", "--toml"], "choose one"),
        (["--compare", "piter", "vmk", "--option", "hold=true"], "--option goes with one convention"),
        (["piter", "--lang", "de"], "'de' is not one of"),
    ],
)
def test_a_wrong_argument_is_one_sentence_and_status_2(preferans: Preferans, arguments: list[str], said: str) -> None:
    answer = preferans("conventions", *arguments)
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert said in answer.err


# score


def test_protocols_are_answered_line_by_line_in_order(preferans: Preferans) -> None:
    bad = protocol("rostov", 3, [raspas(0, (2, 3, 4))])
    said = preferans("score", "--json", stdin=lines(GOOD, "{", bad, GOOD))
    assert said.status == 1
    first, not_json, wrong, last = said.answers
    assert first == last
    assert first["mountain"] == [0, 2, 0]
    assert first["whists"] == [[0, 25, 25], [0, 0, 0], [0, 20, 0]]
    assert not_json["line"] == 2
    assert wrong == {"error": wrong["error"], "line": 3}
    assert "deal 1" in wrong["error"]
    assert preferans("score", "--json", stdin=lines(GOOD)).status == 0


def test_bytes_that_are_no_text_spoil_their_own_line_only(preferans: Preferans, tmp_path: Path) -> None:
    broken = lines(GOOD).encode() + b'{"convention": "\xff\xfe"}\n' + lines(GOOD).encode()
    (tmp_path / "p.jsonl").write_bytes(b"\xef\xbb\xbf" + broken)
    for said in (preferans("score", "--json", stdin=broken), preferans("score", tmp_path / "p.jsonl", "--json")):
        assert said.status == 1
        assert ["error" in a for a in said.answers] == [False, True, False]


def test_half_a_character_is_an_error_not_a_crash(preferans: Preferans) -> None:
    said = preferans("score", "--json", stdin=lines('{"\\ud800": 1}', GOOD))
    assert said.status == 1
    assert ["error" in a for a in said.answers] == [True, False]
    assert preferans("score", stdin=lines('{"\\ud800": 1}')).status == 1
    assert preferans("score", stdin=lines(GOOD | {"players": ["\ud800a", "b", "c"]})).status == 0


def test_without_json_the_sheet_is_drawn(preferans: Preferans) -> None:
    said = preferans("score", stdin=lines(GOOD | {"players": ["Anna", "Boris", "Vera"]}), columns=100)
    assert said.status == 0
    for text in ("Ростов (rostov), to 10", "Boris 6♣", "10.25.", "( 10 )", "Settlement", "By the average mountain", "Pair by pair"):
        assert text in said.out
    russian = preferans("score", "--lang", "ru", stdin=lines(GOOD)).out
    for text in ("пуля до 10", "распасы, взятки 2-3-5", "гора:", "По средней горе", "Попарно"):
        assert text in russian


def test_every_protocol_of_a_file_is_drawn_and_a_bad_one_is_named(preferans: Preferans) -> None:
    said = preferans("score", stdin=lines(GOOD, "nothing", GOOD))
    assert said.status == 1
    assert said.out.count("( 10 )") == 2
    assert "line 2: the line is not JSON" in said.out


def test_svg_draws_the_only_protocol(preferans: Preferans, tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    said = preferans("score", "--svg", file, "--json", stdin=lines(GOOD))
    assert said.status == 0
    assert said.answers == preferans("score", "--json", stdin=lines(GOOD)).answers
    assert ET.parse(file).getroot().tag.endswith("svg")


@pytest.mark.parametrize(("given", "status", "said"), [((), 2, "holds none"), ((GOOD, GOOD), 2, "holds 2"), (("{",), 1, "not JSON")])
def test_svg_of_anything_but_one_good_protocol_is_refused(
    preferans: Preferans, tmp_path: Path, given: tuple[Any, ...], status: int, said: str
) -> None:
    answer = preferans("score", "--svg", tmp_path / "no.svg", stdin=lines(*given))
    assert answer.status == status
    assert said in answer.out + answer.err
    assert not (tmp_path / "no.svg").exists()


@pytest.mark.parametrize("command", ["score", "settle"])
def test_files_that_are_not_there_or_hold_nothing(preferans: Preferans, tmp_path: Path, command: str) -> None:
    (tmp_path / "empty").touch()
    assert "cannot be read" in preferans(command, tmp_path / "none").err
    assert preferans(command, tmp_path / "none").status == 2
    assert preferans(command, tmp_path).status == 2
    assert "holds no" in preferans(command, tmp_path / "empty").err
    assert preferans(command, tmp_path / "empty").status == 1
    assert preferans(command, tmp_path / "empty", "--json") == Said(0, "", "")


def test_svg_into_a_folder_that_is_not_there(preferans: Preferans, tmp_path: Path) -> None:
    answer = preferans("score", "--svg", tmp_path / "none" / "x.svg", stdin=lines(GOOD))
    assert answer.status == 2
    assert "cannot be written" in answer.err


# settle


def test_settlements_are_answered_line_by_line(preferans: Preferans, root: Path) -> None:
    """Piter's printed example of `docs/rules.md` 9.6, a bad sheet, and the worth of the pool overridden."""
    said = preferans("settle", "--json", stdin=lines(SHEET, {"convention": "piter"}, SHEET | {"pool_worth": 10}))
    assert said.status == 1
    assert said.answers[0] == {"result": ["40", "-104", "64"]}
    assert said.answers[1]["line"] == 2
    assert said.answers[2] == {"result": ["20", "-104", "84"]}


def test_a_settlement_to_read_shows_both_ways_by_hand(preferans: Preferans) -> None:
    said = preferans("settle", stdin=lines(SHEET | {"players": ["Anna", "Boris", "Vera"]}, SHEET))
    assert said.status == 0
    assert said.out.count("By the average mountain") == said.out.count("Both ways of doing it by hand give this result.") == 2
    assert said.out.count("−104") >= 4
    assert "Anna" in said.out and "seat 0" in said.out
    assert "Попарно" in preferans("settle", "--lang", "ru", stdin=lines(SHEET)).out
    assert "worth 7 1/2 whists" in preferans("settle", stdin=lines(SHEET | {"pool_worth": "15/2"})).out


def test_a_bad_sheet_is_one_line(preferans: Preferans) -> None:
    said = preferans("settle", stdin=lines(SHEET | {"pool": [1, 2]}))
    assert said.status == 1
    assert said.out.startswith("line 1: pool: ")
    assert said.out.count("\n") == 1
