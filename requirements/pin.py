"""Resolve pyproject.toml anew and write the exact pins beside this file: `make pins`.

`core.txt` is what the program needs and what builds it; every other file adds one extra to it.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXTRAS = ("dev", "bench", "cluster", "report")
BUILD = ["setuptools>=77"]


def resolve(requirements: list[str], pinned: dict[str, str]) -> dict[str, str]:
    """Name -> version of everything that `requirements` need, in keeping with what is pinned already."""
    constraints = HERE.parent / "build" / "pins.txt"
    constraints.parent.mkdir(exist_ok=True)
    constraints.write_text("".join(f"{name}=={version}\n" for name, version in pinned.items()))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    answer = subprocess.run([*command, "-c", str(constraints), *requirements], check=True, capture_output=True, text=True)
    found = (item["metadata"] for item in json.loads(answer.stdout)["install"])
    return {item["name"]: item["version"] for item in found if item["name"] != "preferans"}


def write(name: str, first: str, pins: dict[str, str]) -> None:
    lines = [first, *(f"{package}=={version}" for package, version in sorted(pins.items(), key=lambda pin: pin[0].lower()))]
    (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print(f"requirements/{name}.txt: {len(pins)} packages")


def main() -> None:
    core = resolve([str(HERE.parent), *BUILD], {})
    write("core", "# made by `make pins`", core)
    known = dict(core)
    for extra in EXTRAS:
        pins = resolve([f"{HERE.parent}[{extra}]", *BUILD], known)
        known |= pins
        write(extra, "-r core.txt", {name: version for name, version in pins.items() if name not in core})


if __name__ == "__main__":
    main()
