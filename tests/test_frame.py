"""The shape of the project: four floors, imports downwards, whole hints, pinned packages, no leftovers."""

import ast
import fnmatch
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))
FLOORS = ("engine", "conventions", "bots", "lab")  # from the ground up
NOT_OURS = {".git", ".venv", "build", "dist", "runs", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"}
CONVENTIONS = ("piter", "rostov", "vmk", "skachki", "moscow", "sochi", "leningrad", "classic")

# Spelled in two halves, so that this file does not hold what it looks for.
LEFTOVERS = {
    "a path of somebody's machine": "/wo" + r"rk/|/t" + r"mp/|/ro" + r"ot/|/ho" + "me/",
    "a folder beside the project": r"\.\./sha" + r"red|\.\./see" + "ds",
    "work that was put off": r"\bTO" + r"DO\b|\bFIX" + r"ME\b|\bXX" + r"X\b|\bNotImple" + "mentedError",
    "a test that is switched off": r"mark\.sk" + r"ip\b|mark\.xf" + r"ail\b",
    "an index of packages by its address": r"pypi\.o" + r"rg|python" + r"hosted|npmjs\.o" + "rg",
    "how it was made instead of what it is": r"\bCE" + r"O\b|\bsub" + r"agent|\bissue #?\d",
}


def files() -> Iterator[Path]:
    """Every file of the project, whether git knows it already or not."""
    folders = [ROOT]
    while folders:
        for path in sorted(folders.pop().iterdir()):
            if path.name in NOT_OURS or path.name.endswith(".egg-info") or path.is_symlink():
                continue
            if path.is_dir():
                folders.append(path)
            elif path.suffix != ".pyc" and path.name != ".coverage":
                yield path


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder), "PATH": ""})


def test_imports_run_downwards_without_circles() -> None:
    answer = lint_imports(ROOT)
    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize(
    ("importer", "imported", "broken"),
    [
        ("engine/low.py", "from bots import high", "An import runs downwards"),
        ("bots/high.py", "import lab.top", "An import runs downwards"),
        ("engine/deep.py", "def later():\n    from engine import low\n", "No circles"),
    ],
)
def test_the_import_rule_catches_what_breaks_it(tmp_path: Path, importer: str, imported: str, broken: str) -> None:
    for floor, module in (("engine", "low"), ("engine", "deep"), ("conventions", "data"), ("bots", "high"), ("lab", "top")):
        (tmp_path / floor).mkdir(exist_ok=True)
        (tmp_path / floor / "__init__.py").touch()
        (tmp_path / floor / f"{module}.py").touch()
    (tmp_path / "engine" / "low.py").write_text("from engine import deep\n")
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text(encoding="utf8"), encoding="utf8")
    assert lint_imports(tmp_path).returncode == 0

    with (tmp_path / importer).open("a") as file:
        file.write(imported)
    answer = lint_imports(tmp_path)
    assert answer.returncode == 1
    assert re.search(rf"{broken}.* BROKEN", answer.stdout)


def test_the_engine_names_no_convention() -> None:
    """Names and strings of the engine's code; comments and docstrings may tell where a procedure is played."""
    word = re.compile(rf"(?<![a-z])({'|'.join(CONVENTIONS)})(?![a-z])", re.IGNORECASE)
    named = []
    for path in sources("engine"):
        text = path.read_text(encoding="utf8")
        documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
        docstrings = {node.body[0].lineno for node in ast.walk(ast.parse(text)) if isinstance(node, documented) and ast.get_docstring(node)}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.NAME, tokenize.STRING) and word.search(token.string) and token.start[0] not in docstrings:
                named.append(f"{place(path, token.start[0])}: {token.string}")
    assert named == []


def test_the_package_is_exactly_the_four_floors_and_all_of_them() -> None:
    top = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert top == set(FLOORS)
    data = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    left_out = []
    for path in files():
        inside = path.relative_to(ROOT)
        if inside.parts[0] in FLOORS and len(inside.parts) > 1:
            packaged = all((ROOT / folder / "__init__.py").exists() for folder in inside.parents if folder != Path())
            shipped = path.suffix == ".py" or any(fnmatch.fnmatch(path.name, pattern) for pattern in data)
            if not (packaged and shipped):
                left_out.append(str(inside))
    assert left_out == [], "an installed copy would lack these: is an __init__.py or a package-data pattern missing?"


def test_public_functions_have_whole_type_hints() -> None:
    """All but compiled ones: those take records, for which Python has no type."""
    compiled = {"rule", "rule_hot", "rule_inline", "rule_variant", "overload", "intrinsic"}
    bare = []
    for path in sources(*FLOORS, "benchmarks"):
        for node in public_functions(ast.parse(path.read_text(encoding="utf8"))):
            marks = {getattr(part, "id", None) for decorator in node.decorator_list for part in ast.walk(decorator)}
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            whole = node.returns is not None and all(arg.annotation for arg in given if arg.arg not in ("self", "cls"))
            if not whole and not marks & compiled:
                bare.append(f"{place(path, node.lineno)}: {node.name}")
    assert bare == []


def public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions and methods that a reader may call: those at module level (also under an `if`) and in public classes."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            if not node.name.startswith("_"):
                yield node
        elif isinstance(node, ast.If):
            waiting += node.body + node.orelse
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            waiting += node.body


@pytest.mark.parametrize("what", LEFTOVERS)
def test_nothing_speaks_of(what: str) -> None:
    pattern = re.compile(LEFTOVERS[what])
    found = []
    for path in files():
        try:
            text = path.read_text(encoding="utf8")
        except UnicodeDecodeError:
            continue
        found += [f"{place(path, n)}: {line.strip()[:100]}" for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)]
    assert found == []


def test_no_file_is_larger_than_a_megabyte() -> None:
    assert [str(path.relative_to(ROOT)) for path in files() if path.stat().st_size > 1_000_000] == []


def test_every_module_is_short_enough_to_read() -> None:
    long = {str(path.relative_to(ROOT)): path.read_text(encoding="utf8").count("\n") for path in sources(*FLOORS, "tests", "benchmarks")}
    assert {path: lines for path, lines in long.items() if lines > 700} == {}


def pins(name: str) -> dict[str, str]:
    """Name -> version of one file of requirements; every line but the first pins exactly."""
    _, *lines = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf8").splitlines()
    pairs = [re.fullmatch(r"([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)", line) for line in lines]
    assert all(pairs), f"requirements/{name}.txt: {lines[pairs.index(None)]!r} is not NAME==VERSION"
    return {canonicalize_name(pair[1]): pair[2] for pair in pairs if pair}


@pytest.mark.parametrize("extra", ["core", *PROJECT["project"]["optional-dependencies"]])
def test_the_pinned_versions_are_those_that_the_project_asks_for(extra: str) -> None:
    project = PROJECT["project"]
    asked = project["dependencies"] if extra == "core" else project["optional-dependencies"][extra]
    pinned = pins("core") if extra == "core" else pins("core") | pins(extra)
    for requirement in map(Requirement, asked):
        version = pinned.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} has no pin: run `make pins`"
        assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}: run `make pins`"
