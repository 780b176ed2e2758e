"""The one place that compiles: no stale rule ever runs, a bot's exception is an illegal action, plain mode says the same."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import jit
from engine.jit import highbit, lowbit, nth_bit, plain, popcount, rule
from engine.plain import Plain
from engine.table import TABLE

ROOT = Path(__file__).resolve().parent.parent

HELPER = """
from engine.jit import rule

@rule
def worth(level):
    return 10 * level
"""
CALLER = """
from engine.helper_of_test import worth
from engine.jit import rule

@rule
def answer(level):
    return 2 * worth(level)
"""
ASK = "from engine.caller_of_test import answer; print(answer(1), sum(answer.stats.cache_hits.values()) if {jit} else 0)"

BOTS = """
import ctypes, sys
import numpy as np
from engine.jit import JIT, bot_address, call_bot, plain

VIEW = np.dtype([("seat", "i1"), ("legal", "i8")], align=True)
RULES = np.dtype([("seats", "i1")], align=True)

def first(v, p):
    if v.seat == 1:
        raise ValueError("this bot knows no seat 1")
    return v.legal + p.seats

def second(v, p):
    if v.seat == 1:
        raise ValueError("this bot knows no seat 1")
    return v.legal - p.seats

view, rules = np.zeros(1, VIEW), np.zeros(1, RULES)
view["legal"], rules["seats"] = 40, 3
said = []
for bot in (first, second):
    address = bot_address(bot, VIEW, RULES)
    for seat in (0, 1):
        view["seat"] = seat
        if JIT:
            call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(address.number)
            said.append(call(view.ctypes.data, rules.ctypes.data))
        else:
            said.append(call_bot(address.number, plain(view)[0], plain(rules)[0]))
    said.append(address._cfunc.cache_hits if JIT else 0)
print(*said)
"""


def run(folder: Path, cache: Path, code: str, **settings: str) -> str:
    """What a fresh Python prints for `code`, with the packages of `folder` and compiled code kept in `cache`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment |= {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1", **settings}
    answer = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the engine with two rules more, one of which calls the other from another module."""
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "engine" / "helper_of_test.py").write_text(HELPER)
    (folder / "engine" / "caller_of_test.py").write_text(CALLER)
    return folder


def test_an_edited_helper_is_never_answered_from_the_cache(copy: Path, tmp_path: Path) -> None:
    """Numba by itself would go on answering 20: the caller's own file has not changed."""
    cache, ask = tmp_path / "cache", ASK.format(jit=True)
    assert run(copy, cache, ask) == "20 0"
    assert run(copy, cache, ask) == "20 1", "the second process should load what the first compiled"
    (copy / "engine" / "helper_of_test.py").write_text(HELPER.replace("10 *", "15 *"))
    assert run(copy, cache, ask) == "30 0"


def test_what_was_compiled_from_an_older_text_is_not_kept_for_the_newer(copy: Path, tmp_path: Path) -> None:
    cache, helper = tmp_path / "cache", copy / "engine" / "helper_of_test.py"
    edit = f"import pathlib; pathlib.Path({str(helper)!r}).write_text({HELPER.replace('10 *', '15 *')!r})"
    assert run(copy, cache, f"from engine.caller_of_test import answer; {edit}; print(answer(1))") == "20"
    assert run(copy, cache, ASK.format(jit=True)) == "30 0"


@pytest.mark.compiled
def test_processes_that_compile_at_once_do_not_mix_up_their_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has read the index before the other wrote it; both then file what they have compiled."""
    files = jit._Files(str(tmp_path), "bots", "stamp")
    with monkeypatch.context() as both:
        both.setattr(files, "_load_index", dict)
        files.save("first", "code of first")
        index = tmp_path / "bots.nbi"
        of_first = index.read_bytes()
        files.save("second", "code of second")
    assert (files.load("first"), files.load("second")) == (None, "code of second")
    index.write_bytes(of_first)
    assert (files.load("first"), files.load("second")) == ("code of first", None)


def test_plain_python_gives_the_same_answer(copy: Path, tmp_path: Path) -> None:
    assert run(copy, tmp_path / "cache", ASK.format(jit=False), NUMBA_DISABLE_JIT="1") == "20 0"
    assert not (tmp_path / "cache").exists()


def test_rules_run_where_no_cache_can_be_written(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert run(copy, tmp_path / "file", ASK.format(jit=True)) == "20 0"


def test_an_exception_in_a_bot_is_minus_one_and_bots_are_cached_apart(tmp_path: Path) -> None:
    """Two bots of one file that differ in one sign; the second process loads both and tells them apart."""
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import bots_of_test"
    (tmp_path / "bots_of_test.py").write_text(BOTS)
    assert run(ROOT, tmp_path / "cache", code) == "43 -1 0 37 -1 0"
    assert run(ROOT, tmp_path / "cache", code) == "43 -1 1 37 -1 1"
    assert run(ROOT, tmp_path / "cache", code, NUMBA_DISABLE_JIT="1") == "43 -1 0 37 -1 0"
    (tmp_path / "bots_of_test.py").write_text(BOTS.replace("v.legal + p.seats", "v.legal + 2 * p.seats"))
    assert run(ROOT, tmp_path / "cache", code) == "46 -1 0 37 -1 0"


@pytest.fixture
def floors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three small floors, and a person's own bot beside them, in place of the project's."""
    for name in ("engine/a.py", "conventions/b.py", "bots/c.py", "mine/d.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    monkeypatch.setattr(jit, "_ROOT", tmp_path)
    return tmp_path


def stamps(floors: Path) -> list[str]:
    """The stamps of the floors from the ground up, then that of the person's own bot."""
    return [jit.stamp_now(str(floors / name)) for name in ("engine/a.py", "conventions/b.py", "bots/c.py", "mine/d.py")]


@pytest.mark.parametrize(("edited", "changed"), [("engine/a.py", 4), ("conventions/b.py", 3), ("bots/c.py", 2), ("mine/d.py", 1)])
def test_a_stamp_changes_with_every_source_it_can_reach_and_no_other(floors: Path, edited: str, changed: int) -> None:
    before = stamps(floors)
    (floors / edited).write_text("# edited\n")
    assert [old != new for old, new in zip(before, stamps(floors), strict=True)] == [False] * (4 - changed) + [True] * changed


@pytest.mark.parametrize("flag", ["NUMBA_BOUNDSCHECK", "NUMBA_OPT"])
def test_a_stamp_changes_with_the_flags_that_change_compiled_code(floors: Path, flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(flag, raising=False)
    before = stamps(floors)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(floors / "elsewhere"))
    assert stamps(floors) == before
    monkeypatch.setenv(flag, "1")
    assert not set(stamps(floors)) & set(before)


@rule
def bits(x):
    return popcount(x), lowbit(x), highbit(x)


@given(st.integers(1, 2**32 - 1))
def test_bit_operations_are_the_same_compiled_and_plain(mask: int) -> None:
    cards = [card for card in range(32) if mask >> card & 1]
    assert bits(mask) == (popcount(mask), lowbit(mask), highbit(mask)) == (len(cards), cards[0], cards[-1])


@rule
def nth(mask, n):
    return nth_bit(mask, n)


@given(st.integers(1, 2**40 - 1), st.data())
def test_the_nth_bit_is_the_same_compiled_and_plain(mask: int, data: st.DataObject) -> None:
    bits = [bit for bit in range(40) if mask >> bit & 1]
    n = data.draw(st.integers(0, len(bits) - 1))
    assert nth(mask, n) == nth_bit(mask, n) == bits[n]


def test_the_nth_bit_is_found_on_a_processor_without_the_instruction(tmp_path: Path) -> None:
    code = """
from engine.jit import nth_bit, rule

@rule
def nth(mask, n):
    return nth_bit(mask, n)

print([nth(0b1011000010, n) for n in range(4)])
"""
    for processor in ({"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}, {}):
        assert run(ROOT, tmp_path / "cache", code, **processor) == "[1, 6, 7, 9]"


def test_a_plain_record_reads_as_python_ints_and_refuses_what_does_not_fit() -> None:
    tables = np.zeros(2, TABLE)
    table = Plain(tables, 1)
    table.dealer = 3
    table.hands[2] = 1 << 31
    assert (tables["dealer"][1], tables["hands"][1, 2], tables["hands"][0, 2]) == (3, 1 << 31, 0)
    assert type(table.dealer) is int
    assert type(table.hands[2]) is int
    assert 1 << table.hands[2].bit_length() == 1 << 32
    for wrong in (300, -129):
        with pytest.raises(OverflowError):
            table.dealer = wrong
    with pytest.raises(OverflowError):
        table.hands[0] = -1
    with pytest.raises(OverflowError):
        table.hands[0] = 1 << 32


def test_plain_wraps_only_in_plain_mode() -> None:
    tables = np.zeros(2, TABLE)
    assert (plain(tables) is tables) == jit.JIT
