"""A league's directory: `league.json`, what it is; `sets.jsonl`, a line for each set in their order; `summary.json`.

Lines are added and synced as sets finish, and a line that a sudden end cut short is taken away when the league goes on; so later runs
add sets to those that are there, and the file is the same whether it was written at once or in pieces.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from lab.directory import write_whole
from lab.errors import LabError, UsageError
from lab.league import League
from lab.league_play import Sets, sets_of

LEAGUE, SETS, SUMMARY = "league.json", "sets.jsonl", "summary.json"
READ_AT_ONCE = 500


class LeagueDirectory:
    """The directory of one league, open for adding sets by this process alone."""

    def __init__(self, path: Path, content: dict[str, Any], resume: bool) -> None:
        """Make the directory, or take up the league in it; `UsageError` says why it cannot serve."""
        self.path = path
        stored = stored_league(path)
        if stored is None and resume:
            raise UsageError(f"{path} holds no league that could go on: leave --resume out to begin one")
        if stored is not None:
            differing = [key for key in content if key not in ("versions", "block") and stored.get(key) != content[key]]
            if differing:
                raise UsageError(f"{path} holds another league (it differs in {', '.join(differing)}): choose another directory")
            if not resume:
                raise UsageError(f"{path} holds this very league already: add --resume to add sets to it, or choose another directory")
        try:
            path.mkdir(parents=True, exist_ok=True)
            if stored is None:
                write_whole(path / LEAGUE, _json(content))
            self._file = (path / SETS).open("a+b", buffering=0)
        except OSError as error:
            raise UsageError(f"{path}: no league can be written there: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"{path}: another process is writing this league; wait for it or choose another directory") from None
        self._drop_half_a_line()

    def _drop_half_a_line(self) -> None:
        size = at = self._file.seek(0, os.SEEK_END)
        while at:
            start = max(0, at - (1 << 16))
            self._file.seek(start)
            newline = self._file.read(at - start).rfind(b"\n")
            if newline >= 0:
                at = start + newline + 1
                break
            at = start
        if at != size:
            self._file.truncate(at)

    def stored(self, league: League) -> Iterator[Sets]:
        """The sets that are safe, in their order."""
        rows: list[dict[str, Any]] = []
        number = 0
        with (self.path / SETS).open(encoding="utf-8") as lines:
            try:
                for number, line in enumerate(lines, 1):
                    rows.append(json.loads(line))
                    if rows[-1]["set"] != number:
                        raise ValueError("out of order")
                    if len(rows) == READ_AT_ONCE:
                        yield sets_of(rows, league)
                        rows = []
                if rows:
                    yield sets_of(rows, league)
            except (ValueError, KeyError, TypeError, IndexError):
                raise LabError(f"{self.path / SETS} is damaged at or before line {number}: choose another directory") from None

    def add(self, sets: Sets) -> None:
        """Make sets safe."""
        data = "".join(line + "\n" for line in sets.lines()).encode()
        end = self._file.seek(0, os.SEEK_END)
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(end)
            raise LabError(
                f"{self.path}: cannot be written: {error.strerror}; the first {sets.first:,} sets are safe there, "
                "go on with the same command and --resume"
            ) from None

    def finish(self, summary: dict[str, Any]) -> None:
        """Write the summary."""
        try:
            write_whole(self.path / SUMMARY, _json(summary))
        except OSError as error:
            raise LabError(f"{self.path / SUMMARY}: cannot be written: {error.strerror}; the sets are safe") from None


def stored_league(path: Path) -> dict[str, Any] | None:
    """The `league.json` of a directory; None where there is nothing, `UsageError` where there is something else."""
    try:
        if not path.exists():
            return None
        if not path.is_dir():
            raise UsageError(f"{path} is a file: choose a directory for the league")
        held = [entry.name for entry in path.iterdir() if not (entry.name.startswith(".") and entry.name.endswith(".new"))]
        if LEAGUE not in held:
            if held:
                raise UsageError(f"{path} is not empty and holds no league: choose an empty directory or a new one")
            return None
        content = json.loads((path / LEAGUE).read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"{path / LEAGUE} is damaged: choose another directory") from None
    if not isinstance(content, dict):
        raise UsageError(f"{path / LEAGUE} is damaged: choose another directory")
    return content


def with_stored_block(league: League, path: Path) -> League:
    """The league with the blocks of the sets that are there already."""
    block = (stored_league(path) or {}).get("block")
    return attrs.evolve(league, block=block) if isinstance(block, int) and block > 0 else league


def _json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
