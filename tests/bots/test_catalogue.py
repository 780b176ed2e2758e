"""Bots by name and by file, and the sentence that answers a bad one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bots import catalogue
from bots.catalogue import BotError, load
from engine.batch import Setup, play_block
from tests.helpers import terms

RULES = terms("piter", 3).rules

PLAIN = """
from engine import cards
LIMIT = 3
class Lowest:
    def act(self, view):
        assert view.rules.seats == 3
        return view.legal_actions()[0]
class Words:
    def act(self, view):
        return view.legal_texts()[-1]
class Batch:
    def act_batch(self, views):
        return [int(f) + (int(m) & -int(m)).bit_length() - 1 for f, m in zip(views["first_action"], views["legal"])]
class Counter:
    def __init__(self):
        self.calls = 0
    def act(self, view):
        self.calls += 1
        return view.legal_actions()[self.calls % len(view.legal_actions())]
class Greedy:
    def __init__(self, appetite):
        pass
    def act(self, view):
        return 0
batch = Batch()
counter = Counter()
def plain(v, r):
    return 64
"""

ODD = """
import threading
class Lowest:
    def act(self, view):
        return view.legal_actions()[0]
class Hostile(type):
    def __getattribute__(cls, name):
        raise GeneratorExit(name)
class Strange(metaclass=Hostile):
    pass
class Uncopied(Lowest):
    def __deepcopy__(self, memo):
        raise BaseException("no copies")
class Locked(Lowest):
    def __init__(self):
        self.lock = threading.Lock()
class Mute(Exception):
    def __str__(self):
        raise ValueError
class Unmade(Lowest):
    def __init__(self):
        raise Mute
uncopied = Uncopied()
locked = Locked()
"""

COMPILED = """
from engine.jit import lowbit, rule
@rule
def lowest(v, r):
    return v.first_action + lowbit(v.legal)
@rule
def broken(v, r):
    return v.no_such_field
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(PLAIN, encoding="utf8")
    (tmp_path / "fast.py").write_text(COMPILED, encoding="utf8")
    (tmp_path / "bad.py").write_text("import no_such_module\n", encoding="utf8")
    (tmp_path / "odd.py").write_text(ODD, encoding="utf8")
    (tmp_path / "stopped.py").write_text("raise KeyboardInterrupt('stop')\n", encoding="utf8")
    (tmp_path / "closed.py").write_text("raise GeneratorExit\n", encoding="utf8")
    (tmp_path / "getting.py").write_text("def __getattr__(name):\n    raise OSError('gone')\n", encoding="utf8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_bots_of_the_house_load_by_name() -> None:
    for name in catalogue.names():
        player = load(name, RULES, allow_oracle=True)
        assert player.name == name
        assert (player.compiled is not None) == (name in catalogue.BOTS)
        assert (catalogue.BOTS | catalogue.SEARCHING)[name].description


@pytest.mark.parametrize("spec", ["mine.py:Lowest", "mine.py:Batch", "mine.py:batch", "fast.py:lowest"])
def test_three_ways_to_be_a_bot_play_the_same(spec: str, folder: Path) -> None:
    played = terms("piter", 3)
    tables = [
        play_block(Setup(played, (load(each, RULES),), ((0, 0, 0),), seed=4, limit=2), 0, 4).tables.tobytes()
        for each in ("fast.py:lowest", spec)
    ]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("spec", ["mine.py:Counter", "mine.py:counter", "mine.py:Words"])
def test_every_block_gets_a_fresh_bot(spec: str, folder: Path) -> None:
    played = terms("piter", 3)
    table = Setup(played, (load(spec, RULES), load("novice", RULES)), ((0, 1, 1),), seed=4, limit=2)
    one, again = (play_block(table, 0, 3) for _ in range(2))
    assert one.failures == []
    assert one.tables.tobytes() == again.tables.tobytes()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nobody", "bot 'nobody' is not known; allowed: random, novice"),
        ("", "bot '' is not known"),
        ("mine.py", "bot 'mine.py' is not known; allowed: .* or FILE.py:NAME"),
        ("lost.py:MyBot", "the file lost.py cannot be read: No such file"),
        ("mine.py:MyBot", "there is no MyBot in the file; it has Lowest, Words, Batch, Counter, Greedy, plain"),
        ("mine.py:Greedy", "cannot be made without arguments: TypeError: .*appetite"),
        ("odd.py:MyBot", "there is no MyBot in the file; it has Lowest, Hostile, Uncopied, Locked, Mute, Unmade"),
        ("odd.py:Strange", "cannot be used: GeneratorExit"),
        ("odd.py:uncopied", "cannot be copied for each block: BaseException: no copies"),
        ("odd.py:locked", "cannot be copied for each block: TypeError: cannot pickle"),
        ("odd.py:Unmade", "cannot be made without arguments: Mute: its message cannot be read"),
        ("stopped.py:MyBot", "stopped.py cannot be run: KeyboardInterrupt: stop"),
        ("closed.py:MyBot", "closed.py cannot be run: GeneratorExit"),
        ("getting.py:MyBot", "cannot be used: OSError: gone"),
        ("mine.py:LIMIT", "is 'int' without act; allowed: a class or an object"),
        ("bad.py:MyBot", "bad.py cannot be run: ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_bot_that_cannot_be_had_is_one_sentence(spec: str, said: str, folder: Path) -> None:
    with pytest.raises(BotError, match=said) as caught:
        load(spec, RULES)
    assert "\n" not in str(caught.value)


def test_a_function_that_does_not_compile_is_one_sentence(folder: Path) -> None:
    from engine.jit import JIT

    if JIT:
        with pytest.raises(BotError, match=r"'fast.py:broken' does not compile as f\(v, r\)") as caught:
            load("fast.py:broken", RULES)
        assert "\n" not in str(caught.value)
    else:
        assert load("fast.py:broken", RULES).compiled is not None


def test_listing_the_names_does_not_import_the_compiler() -> None:
    code = "import sys; from bots import catalogue; assert catalogue.names(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
