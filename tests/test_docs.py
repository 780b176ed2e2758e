"""What the pages say is so: commands and code shown are run, links lead somewhere, cited sections exist.

`CONTRIBUTING.md` ("Write a page") tells how a page is written for this.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"console", "python", "toml", "json", "text", ""}
REALLY_MADE = {"simulate"}  # other targets are tried with `make -n`: `make test` is what is running, `make clean` takes its .venv away


@attrs.frozen
class Block:
    """A fenced block: its language, the line on which its content begins, and that content."""

    language: str
    line: int
    lines: list[str]

    @property
    def file(self) -> str | None:
        """The name under which the block is saved, if its first line is a comment that holds nothing but a file's name."""
        named = re.fullmatch(r"# ([\w/.-]+\.\w+)", self.lines[0]) if self.lines else None
        return named and named[1]


@attrs.frozen
class Command:
    """A command of a console block, the exit status that is told, and the lines shown under it."""

    line: int
    text: str
    status: int
    shown: list[str]


def blocks(page: Path) -> Iterator[Block]:
    inside: Block | None = None
    for number, line in enumerate(page.read_text(encoding="utf8").splitlines(), 1):
        if inside is None and line.startswith("```"):
            inside = Block(line[3:].strip(), number + 1, [])
        elif inside is not None and line == "```":
            yield inside
            inside = None
        elif inside is not None:
            inside.lines.append(line)
    assert inside is None, f"{page.name}: the block that begins in line {inside and inside.line} has no end"


def commands(block: Block) -> list[Command]:
    """`$ ` begins a command, `> ` goes on with it (as a shell shows it), `# exits N` at its end tells its status."""
    found: list[Command] = []
    for number, line in enumerate(block.lines, block.line):
        if line.startswith("$ "):
            told = re.search(r"# exits (\d+)$", line)
            found.append(Command(number, line[2:], int(told[1]) if told else 0, []))
        elif line.startswith("> ") and found and not found[-1].shown:
            found[-1] = attrs.evolve(found[-1], text=f"{found[-1].text}\n{line[2:]}")
        elif found:
            found[-1].shown.append(line)
        else:
            raise AssertionError(f"line {number}: a console block begins with a command, not with {line!r}")
    return found


def shape(line: str) -> str:
    """A line without its numbers, bars and spacing."""
    line = re.sub(r"[-+−±]?\d+(?:[.,:/]\d+)*%?", "0", line)
    return " ".join(re.sub(r"[\u2500-\u259f#]+", " ", line).split())


def differs(shown: list[str], printed: list[str]) -> str | None:
    """The first line shown that was not printed in its place, by shape; a line `…` stands for any lines, also none."""
    wanted = [line.strip() for line in shown if shape(line)]
    given = [line for line in printed if shape(line)]
    skipping = False
    for line in wanted:
        if line == "…":
            skipping = True
            continue
        while skipping and given and shape(given[0]) != shape(line):
            given.pop(0)
        if not given or shape(given[0]) != shape(line):
            return line
        given.pop(0)
        skipping = False
    return None if skipping or not given or not wanted else f"(the end, but then comes {given[0]!r})"


def run(command: Command, folder: Path) -> tuple[int, list[str]]:
    """Exit status and lines printed, errors among them as on a terminal, by `command` in `folder`."""
    text = command.text
    made = re.match(r"make(?: (?P<target>[a-z-]+))?\b", text)
    if made:
        folder = ROOT
        text = f"make --old-file=.venv/.ready {'' if made['target'] in REALLY_MADE else '--dry-run '}{text[4:]}"
    foreign = ("MAKE", "MFLAGS", "PYTEST", "NUMBA_DISABLE_JIT")  # a reader types into a plain shell
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}
    answer = subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    return answer.returncode, [] if made and made["target"] not in REALLY_MADE else answer.stdout.decode("utf8", "replace").splitlines()


def run_console(block: Block, folder: Path) -> list[str]:
    faults = []
    for command in commands(block):
        status, printed = run(command, folder)
        if status != command.status:
            faults.append(f"line {command.line}: `{command.text}` exits {status}, not {command.status}: " + "\n".join(printed[-30:]))
        elif printed and (line := differs(command.shown, printed)):
            faults.append(f"line {command.line}: `{command.text}` does not print {line!r} there but\n" + "\n".join(printed[:60]))
    return faults


def run_python(block: Block, folder: Path, names: dict[str, Any]) -> list[str]:
    """Run a block in the names of its page; one with `>>>` is checked against what it shows (`...` for any text)."""
    source = "\n".join(block.lines) + "\n"
    if any(line.startswith(">>> ") for line in block.lines):
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        told = io.StringIO()
        example = doctest.DocTestParser().get_doctest(source, names, f"line {block.line}", None, 0)
        return [told.getvalue()] if runner.run(example, out=told.write, clear_globs=False).failed else []
    path = folder / (block.file or f"line_{block.line}.py")  # a file, because compiled functions are known by theirs
    path.write_text(source, encoding="utf8")
    try:
        exec(compile(source, str(path), "exec"), names)
    except Exception as error:
        return [f"line {block.line}: {type(error).__name__}: {error}"]
    return []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_works(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Console and Python blocks are run in the order in which they stand, in one empty folder for each page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    names: dict[str, Any] = {"__name__": "shown"}
    faults: list[str] = []
    for block in blocks(page):
        assert block.language in LANGUAGES, f"line {block.line - 1}: {block.language!r} blocks are not run; commands go into console blocks"
        if block.file:
            (tmp_path / block.file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block.file).write_text("\n".join(block.lines) + "\n", encoding="utf8")
        if block.language == "console":
            faults += run_console(block, tmp_path)
        elif block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                faults += run_python(block, tmp_path, names)
    assert not faults, "\n\n".join(faults)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ([], ["anything"], True),
        (["novice  +12.5 ███▌ 61%"], ["novice     -3.0   █ 9%"], True),
        (["one", "…", "three"], ["one", "two", "", "three"], True),
        (["one", "…"], ["one", "two"], True),
        (["…", "two"], ["one", "two"], True),
        (["one"], ["one", "two"], False),
        (["…", "one"], ["one", "two"], False),
        (["one", "two"], ["one"], False),
        (["pulkas 10"], ["deals 10"], False),
    ],
)
def test_output_shown_is_compared_by_shape(shown: list[str], printed: list[str], same: bool) -> None:
    assert (differs(shown, printed) is None) == same


@pytest.mark.parametrize(
    ("console", "fault"),
    [
        ("$ true", None),
        ("$ false", "exits 1, not 0"),
        ("$ false # exits 1", None),
        ("$ true # exits 1", "exits 0, not 1"),
        ("$ echo one\none", None),
        ("$ echo one\ntwo", "does not print 'two'"),
        ("$ cat <<'END'\n> one\n> END\none", None),
        ("$ make no-such-target", "exits 2, not 0"),
    ],
)
def test_a_console_block_that_is_wrong_is_caught(console: str, fault: str | None, tmp_path: Path) -> None:
    faults = run_console(Block("console", 1, console.splitlines()), tmp_path)
    assert not faults if fault is None else fault in faults[0]


@pytest.mark.parametrize(
    ("code", "fault"),
    [("x = 1 / 1", None), ("x = 1 / 0", "ZeroDivisionError"), (">>> 1 + 1\n2", None), (">>> 1 + 1\n3", "Expected:")],
)
def test_a_python_block_that_is_wrong_is_caught(code: str, fault: str | None, tmp_path: Path) -> None:
    faults = run_python(Block("python", 1, code.splitlines()), tmp_path, {})
    assert not faults if fault is None else fault in faults[0]


def anchor(heading: str) -> str:
    """The name that a heading has in links."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    astray = []
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, part = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            astray.append(link)
        elif part:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf8"), flags=re.MULTILINE)
            astray += [] if part in map(anchor, headings) else [link]
    assert astray == []


def test_pages_are_numbered_without_gaps_and_all_stand_in_the_index() -> None:
    numbered = sorted(path.name for path in (ROOT / "docs").glob("[0-9][0-9]-*.md"))
    assert [int(name[:2]) for name in numbered] == list(range(1, len(numbered) + 1))
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf8")
    linked = re.findall(r"\]\(([\w./-]+\.md)\)", index)
    assert [name for name in linked if name[:2].isdigit()] == numbered
    rest = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md", *numbered}
    assert rest <= set(linked)


def sections() -> set[str]:
    """The numbers of the sections and paragraphs of `docs/rules.md`."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf8")
    return {number.rstrip(".") for number in re.findall(r"^(?:##+ )?(\d+(?:\.\d+[a-z]?)?\.?) ", text, flags=re.MULTILINE)}


def citations(text: str) -> list[str]:
    """The section numbers that follow the name of the rules' page: `docs/rules.md` 4.2, 6.7."""
    found = []
    for run_of_numbers in re.findall(r"rules\.md`*[,:;]?\s+(?:§+ ?|sections? )?(\d[\d., a-z–-]*)", text):
        found += re.findall(r"(?<![\w.])\d{1,2}(?:\.\d+[a-z]?)?(?![\w])", re.split(r"\.(?!\d)|[a-z]{2}", run_of_numbers)[0])
    return found


def test_citations_are_read_from_text() -> None:
    text = "see `docs/rules.md` 4.2, 6.7 and more 9.9; rules.md section 11. `docs/rules.md` 4.7a, 3.1–3.4"
    assert citations(text) == ["4.2", "6.7", "11", "4.7a", "3.1", "3.4"]


def test_cited_sections_of_the_rules_exist() -> None:
    known = sections()
    assert {"0.1", "1.1", "4.7a", "5.3", "8.2", "9.5", "10", "11"} <= known
    lost = []
    code = (path for folder in ("engine", "conventions", "bots", "lab", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
    for path in [*PAGES, *sorted(code)]:
        cited = citations(path.read_text(encoding="utf8"))
        lost += [f"{path.relative_to(ROOT)}: {number}" for number in cited if number not in known]
    assert lost == []
