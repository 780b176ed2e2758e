"""What a run is: everything that its rows depend on, read from flags, from a file, or from a finished run's `run.json`."""

from __future__ import annotations

import json
import platform
import tomllib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import attrs

from conventions import catalogue, files
from conventions.convention import Convention
from conventions.parameters import ConventionError
from lab.errors import UsageError

FORMAT = "preferans-run"
VERSION = 1
BLOCK = 240  # pulkas to a block: a multiple of every number of seatings
PACKAGES = ("preferans", "numpy", "numba", "polars")

# what a person may say of a run; the rest of run.json follows from it
KEYS = (
    "convention", "options", "seats", "target", "bots", "pulkas", "seed", "deal_limit",
    "fixed_seats", "duplicate", "allow_oracle", "records", "deals", "block",
)  # fmt: skip
_WRITTEN = ("format", "version", "convention_version", "definition", "bot_versions", "seatings", "versions")


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise UsageError(f"{name}: {value!r} is not allowed; allowed: a whole number from {low} to {high}")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{name}: {value!r} is not allowed; allowed: true or false")
    return value


@attrs.frozen
class Description:
    """A run in full. The rows of a run are a function of this alone."""

    convention: Convention  # with its options
    seats: int
    target: int
    bots: tuple[str, ...]  # one for each seat of the first seating
    pulkas: int
    seed: int
    deal_limit: int
    fixed_seats: bool = False
    duplicate: bool = False  # the same cards under every seating
    allow_oracle: bool = False  # a bot that sees all cards was asked for
    records: int = 0  # pulkas, from the first, whose records are kept
    deals: bool = False  # whether a row is kept for each deal
    block: int = BLOCK

    @property
    def players(self) -> tuple[str, ...]:
        """The bots, each once, in the order in which they are named."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Who sits where, by index into `players`: pulka *n* is played under seating n mod their number.

        Every distinct rotation, so that each bot sits in each place equally often; one seating if the seats are fixed.
        """
        places = [self.players.index(bot) for bot in self.bots]
        turns = 1 if self.fixed_seats else self.seats
        return tuple(dict.fromkeys(tuple(places[(seat - turn) % self.seats] for seat in range(self.seats)) for turn in range(turns)))

    def as_json(self, bot_versions: Mapping[str, str]) -> dict[str, Any]:
        """The content of `run.json`."""
        own = self.convention.name not in catalogue.PRESETS
        return {
            "format": FORMAT,
            "version": VERSION,
            "convention": self.convention.name,
            "convention_version": self.convention.version,
            **({"definition": files.to_mapping(self.convention)} if own else {}),
            "options": catalogue.options_in_full(self.convention, self.seats),
            "seats": self.seats,
            "target": self.target,
            "bots": list(self.bots),
            "bot_versions": dict(bot_versions),
            "seatings": [list(s) for s in self.seatings],
            "pulkas": self.pulkas,
            "seed": self.seed,
            "deal_limit": self.deal_limit,
            "fixed_seats": self.fixed_seats,
            "duplicate": self.duplicate,
            "allow_oracle": self.allow_oracle,
            "records": self.records,
            "deals": self.deals,
            "block": self.block,
            "versions": _versions(),
        }


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a folder, not installed
            found[package] = "?"
    return found


def same_run(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """The keys in which two `run.json` differ, but for versions of packages, on which rows do not depend."""
    keys = [key for key in (*KEYS, *_WRITTEN) if key != "versions"]
    return [key for key in keys if first.get(key) != second.get(key)]


def describe(given: Mapping[str, Any]) -> Description:
    """A description from named values, missing ones at their defaults; `UsageError` names what is not allowed."""
    try:
        return _described(given)
    except RecursionError:
        raise UsageError("a setting of the run, or the convention that it names, is nested too deeply") from None


def _described(given: Mapping[str, Any]) -> Description:
    for key in given:
        if key not in KEYS and key not in _WRITTEN:
            raise UsageError(f"{key}: there is no such setting of a run; known: {', '.join(KEYS)}")
    if given.get("format", FORMAT) != FORMAT or given.get("version", VERSION) != VERSION:
        found = f"format {given.get('format')!r}, version {given.get('version')!r}"
        raise UsageError(f"{found}: this program reads {FORMAT}, version {VERSION}")
    seats = _whole("seats", given["seats"], 3, 4) if "seats" in given else None
    convention = _convention(given, seats)
    seats = seats or convention.seats_allowed()[0]
    pulkas = _whole("pulkas", given.get("pulkas", 1000), 1, 10**12)
    described = Description(
        convention=convention,
        seats=seats,
        target=_whole("target", given.get("target", convention.default_target), 1, 10_000),
        bots=_bots(given.get("bots", "novice"), seats),
        pulkas=pulkas,
        seed=_whole("seed", given.get("seed", 1), 0, 2**63 - 1),
        deal_limit=_whole("deal_limit", given.get("deal_limit", 1000), 1, 1_000_000),
        fixed_seats=_flag("fixed_seats", given.get("fixed_seats", False)),
        duplicate=_flag("duplicate", given.get("duplicate", False)),
        allow_oracle=_flag("allow_oracle", given.get("allow_oracle", False)),
        records=min(pulkas, _whole("records", given.get("records", 0), 0, 10**12)),
        deals=_flag("deals", given.get("deals", False)),
    )
    if described.duplicate and len(described.seatings) == 1:
        raise UsageError("duplicate: one seating has nothing to be compared with; name different bots and leave fixed_seats out")
    return attrs.evolve(described, block=_block(given.get("block"), described))


def _block(given: Any, described: Description) -> int:
    """How many pulkas to a block: few enough to keep several workers busy, whole sets of seatings always."""
    sets = len(described.seatings)
    if given is None:
        wanted = min(BLOCK, -(-described.pulkas // 16))
    else:
        wanted = _whole("block", given, 1, 100_000)
    return -(-wanted // sets) * sets


def _convention(given: Mapping[str, Any], seats: int | None) -> Convention:
    name, options = given.get("convention", "piter"), given.get("options", {})
    if not isinstance(name, str):
        raise UsageError(f"convention: {name!r} is not a name or the path of a .toml file")
    if not isinstance(options, Mapping):
        raise UsageError(f"options: {options!r} is not a table of option names and values")
    definition = given.get("definition")
    if definition is not None and not isinstance(definition, Mapping):
        raise UsageError(f"definition: {definition!r} is not a table of a convention's parameters")
    try:
        base = files.from_mapping(definition, name) if definition is not None else files.find(name)
        chosen = catalogue.get(base, seats or base.seats_allowed()[0], options)
    except ConventionError as error:
        raise UsageError(str(error)) from None
    wanted = given.get("convention_version", chosen.version)
    if wanted != chosen.version:
        raise UsageError(f"convention_version: the run was made by {name} {wanted}, this program has {name} {chosen.version}")
    return chosen


def recorded_as(convention: Convention, seats: int) -> tuple[str, dict[str, Any]]:
    """The convention's name and options as records give them: a person's own one as its base with options, where that says it all."""
    base = catalogue.PRESETS[convention.base or convention.name]
    options = catalogue.changed_options(convention, base)
    try:
        same = catalogue.get(base, seats, options).compile(seats).tobytes() == convention.compile(seats).tobytes()
    except ConventionError:
        same = False
    return (base.name, options) if same else (convention.name, options)


def _bots(given: Any, seats: int) -> tuple[str, ...]:
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise UsageError(f"bots: {given!r} is not a list of bots such as novice,random,random")
    words = tuple(name.strip() for name in names)
    if not all(words):
        raise UsageError(f"bots: {given!r} names no bot in one place")
    if len(words) not in (1, seats):
        raise UsageError(f"bots: {len(words)} are named for {seats} seats; allowed: one for every seat, or one for all")
    return words * seats if len(words) == 1 else words


def read_file(path: Path) -> dict[str, Any]:
    """The settings of a run from a `.toml` or `.json` file (a finished run's `run.json` is one)."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a UTF-8 text"
        raise UsageError(f"{path}: the run cannot be read: {reason}") from None
    try:
        content = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except RecursionError:
        raise UsageError(f"{path}: the run is nested too deeply") from None
    except ValueError as error:
        raise UsageError(f"{path}: not a {'JSON' if path.suffix == '.json' else 'TOML'} text: {error}") from None
    if not isinstance(content, dict):
        raise UsageError(f"{path}: a run is a table of settings: {', '.join(KEYS)}")
    convention = content.get("convention")
    if isinstance(convention, str) and convention.endswith(".toml") and not Path(convention).is_absolute():
        content["convention"] = str(path.parent / convention)  # a convention beside the file that names it
    return content
