"""A simulation's directory (`docs/interfaces.md`): parts as blocks finish, a manifest that survives any end, whole files at the last.

A part is written beside its place, synced and renamed; then one line is added to the manifest and synced. What the manifest
names is therefore complete, and a line cut short by a sudden end is no line. Nothing of the rows depends on where parts end.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import polars as pl

from lab import deals as deal_rows
from lab import tally
from lab.description import same_run
from lab.errors import LabError, UsageError

RUN, MANIFEST, SUMMARY, REPORT, PARTS = "run.json", "manifest.jsonl", "summary.json", "report.html", "parts"
WHOLE = {"pulkas": "pulkas.parquet", "deals": "deals.parquet", "records": "records.jsonl"}
SUMMARY_KEYS = (
    "pulkas", "deals", "wanted", "interrupted", "cut", "failed", "bots", "differences", "deals_per_pulka", "contracts",
    "contracts_by_bot", "raspas_share", "raspas", "failures", "failures_in_all", "pulkas_per_second",
)  # fmt: skip
COMPLETE = b'{"complete": true}\n'  # the manifest's last line
ROW_GROUP = 1 << 17

_READ_OF_PULKAS = {"pulka", "seat", "bot", "deals", "failed", "result_numerator", "result_denominator"}
_NOBODY = ("declarer", "second_whister", "lone_whister", "looked_at")  # -1 in the core, null in a file


@attrs.define
class Part:
    """One line of the manifest: pulkas `first` … `first + count - 1` are safe in these files (name in WHOLE -> file, bytes)."""

    first: int
    count: int
    files: dict[str, tuple[str, int]]
    decisions: int
    deals: int
    seconds: float
    tally: list[int]  # `lab.tally.to_sparse`
    failures: list[dict[str, Any]]


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path` so that there is always the old file or the whole new one, also after a power cut.

    A link is followed; what is there and is no regular file (a pipe, a device) is written into and stays what it is.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_part(line: bytes) -> Part:
    """One line of the manifest; `ValueError` if that is not what it is."""
    try:
        part = Part(**json.loads(line))
        numbers = [part.first, part.count, part.decisions, part.deals, *(size for _, size in part.files.values())]
        if not all(isinstance(n, int) and n >= 0 for n in numbers) or part.count == 0 or not isinstance(part.seconds, (int, float)):
            raise ValueError("numbers that no part has")
        if not isinstance(part.failures, list) or not all(isinstance(file, str) for file, _ in part.files.values()):
            raise ValueError("failures or files that no part has")
        tally.from_sparse(part.tally)
    except (TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return part


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what polars says of a table that cannot be read into one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise LabError(f"{path} is missing") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise LabError(f"{path} is damaged: {(str(error).splitlines() or ['it cannot be read'])[0]}") from None


def check_table(path: Path, rows: int, players: tuple[str, ...] | None = None) -> None:
    """See that a table has as many rows as the run says and what is read of it; only its footer is read. `LabError` tells what is wrong.

    `players`: the bots of `pulkas.parquet`; None for `deals.parquet`.
    """
    needed = {"pulka", "deal", "dealer"} if players is None else _READ_OF_PULKAS
    with reading(path):
        frame = pl.scan_parquet(path, glob=False)
        schema = frame.collect_schema()
        found = frame.select(pl.len()).collect().item()
    if missing := sorted(needed - set(schema)):
        raise LabError(f"{path} is damaged: it has no column {missing[0]}")
    if players is not None and schema["bot"] != pl.Enum(players):
        raise LabError(f"{path} is damaged: its bots are not those of {RUN}")
    if found != rows:
        raise LabError(f"{path} is damaged: it has {found:,} rows, the run {rows:,}")


def pulka_frame(columns: dict[str, np.ndarray[Any, Any]], players: tuple[str, ...]) -> pl.DataFrame:
    """The rows of `pulkas.parquet` (`lab.run.pulka_columns`) with the bots' names."""
    return pl.DataFrame({name: _named(column, players) if name == "bot" else pl.Series(column) for name, column in columns.items()})


def deal_frame(columns: dict[str, np.ndarray[Any, Any]]) -> pl.DataFrame:
    """The rows of `deals.parquet` (`lab.deals.deal_columns`) with words for numbers; null is "nobody" or "nothing"."""
    frame = {}
    for name, column in columns.items():
        if name == "auction":
            texts, places = np.unique(column, return_inverse=True)
            frame[name] = pl.Series([deal_rows.auction_text(text) for text in texts], dtype=pl.String).gather(places)
        elif name in deal_rows.NAMES:
            words = _named(np.maximum(column, 1) - 1, deal_rows.NAMES[name][1:])
            frame[name] = words if column.all() else words.set(pl.Series(column == 0), None)
        elif name in _NOBODY:
            frame[name] = pl.Series(column).set(pl.Series(column < 0), None)
        else:
            frame[name] = pl.Series(column)
    return pl.DataFrame(frame)


def _named(codes: np.ndarray[Any, Any], names: tuple[str, ...]) -> pl.Series:
    return pl.Series(codes.astype(np.uint8)).cat.to(pl.Enum(names))


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", row_group_size=ROW_GROUP)
    return buffer.getvalue()


@contextlib.contextmanager
def _disk(path: Path, safe: int) -> Iterator[None]:
    """Turn a full disk or a lost directory into one sentence that says what is safe."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        told = re.search(r"([^:]+) \(os error \d+\)", str(error))  # polars wraps what the system says
        reason = told[1].strip() if told else getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise LabError(
            f"{path}: cannot be written: {reason}; the first {safe:,} pulkas are safe there, go on with the same command and --resume"
            if safe
            else f"{path}: cannot be written: {reason}"
        ) from None


class Directory:
    """The directory of one run, open for writing by this process alone."""

    def __init__(self, path: Path, description: dict[str, Any], resume: bool) -> None:
        """Make the directory, or take up the unfinished run in it; `UsageError` says why it cannot serve."""
        self.path = path
        self.description = description
        self.parts: list[Part] = []
        self.complete = False
        known = _known_run(path, description)
        if known and not resume:
            raise UsageError(f"{path} holds this very run already: add --resume to go on with it, or choose another directory")
        if resume and not known:
            raise UsageError(f"{path} holds no run that could be resumed: leave --resume out to begin one")
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not known:
                write_whole(path / RUN, _json(description))
            self._manifest = (path / MANIFEST).open("a+b", buffering=0)
        except OSError as error:
            raise UsageError(f"{path}: no directory can be written there: {error.strerror}") from None
        try:
            fcntl.flock(self._manifest, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"{path}: another process is writing this run; wait for it or choose another directory") from None
        if known:
            try:
                self._take_up()
            except LabError:
                self._manifest.close()
                raise
        if self.complete:
            shutil.rmtree(path / PARTS, ignore_errors=True)  # a sudden end came just before this
        else:
            (path / PARTS).mkdir(exist_ok=True)

    @property
    def done(self) -> int:
        """How many pulkas are safe."""
        return self.parts[-1].first + self.parts[-1].count if self.parts else 0

    def _take_up(self) -> None:
        """Read the manifest up to its last whole line whose files are all there; forget what follows."""
        content = (self.path / MANIFEST).read_bytes()
        self.complete = content.endswith(COMPLETE)
        good = 0
        for line in content.splitlines(keepends=True):
            if line == COMPLETE or not line.endswith(b"\n"):
                break
            try:
                part = read_part(line)
            except ValueError:
                break
            if part.first != self.done or not (self.complete or self._is_there(part)):
                break
            self.parts.append(part)
            good += len(line)
        if self.complete:
            self._check_whole()
        else:
            self._manifest.truncate(good)
            kept = {file for part in self.parts for file, _ in part.files.values()}
            for path in (self.path / PARTS).glob("*"):
                if f"{PARTS}/{path.name}" not in kept:
                    path.unlink()

    def _check_whole(self) -> None:
        """See that a run that is said to be complete is: there are no parts any more to mend it from."""
        if self.done != self.description["pulkas"]:
            raise LabError(
                f"{self.path / MANIFEST} is damaged: it tells of {self.done:,} of {self.description['pulkas']:,} pulkas and yet of the "
                "end of the run; choose another directory"
            )
        players = tuple(dict.fromkeys(self.description["bots"]))
        check_table(self.path / WHOLE["pulkas"], self.done * self.description["seats"], players)
        if any("deals" in part.files for part in self.parts):  # there are none where every pulka failed in its first deal
            check_table(self.path / WHOLE["deals"], sum(part.deals for part in self.parts))

    def _is_there(self, part: Part) -> bool:
        paths = [(self.path / file, size) for file, size in part.files.values()]
        return all(path.is_file() and path.stat().st_size == size for path, size in paths)

    def commit(self, pulkas: pl.DataFrame, by_deal: pl.DataFrame | None, records: list[str], **facts: Any) -> None:
        """Make the next pulkas safe: write their part, then its line of the manifest (`facts`: what `Part` holds besides the files)."""
        data = {"pulkas": _parquet(pulkas)}
        if by_deal is not None:
            data["deals"] = _parquet(by_deal)
        if records:
            data["records"] = "".join(line + "\n" for line in records).encode()
        with _disk(self.path, self.done):
            files = {}
            for name, content in data.items():
                file = f"{PARTS}/{facts['first']:012d}-{WHOLE[name]}"
                write_whole(self.path / file, content)
                files[name] = (file, len(content))
            part = Part(files=files, **facts)
            self._append(json.dumps(attrs.asdict(part), ensure_ascii=False).encode() + b"\n")
        self.parts.append(attrs.evolve(part, tally=[], failures=[]))  # written; memory stays flat

    def _append(self, line: bytes) -> None:
        end = self._manifest.seek(0, os.SEEK_END)
        try:
            while line:
                line = line[self._manifest.write(line) :]
            os.fsync(self._manifest.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self._manifest.truncate(end)  # half a line must not stand before a later whole one
            raise

    def stored(self) -> Iterator[dict[str, np.ndarray[Any, Any]]]:
        """All rows that are safe as `lab.statistics.Standings` reads them (bots are numbers again), some at a time."""
        if not self.complete:
            for part in self.parts:
                path = self.path / part.files["pulkas"][0]
                with reading(path):
                    frame = pl.read_parquet(path, glob=False)
                yield pulka_numbers(frame)
            return
        path = self.path / WHOLE["pulkas"]
        rows = pl.scan_parquet(path, glob=False)
        seats = self.description["seats"]
        slice_rows = seats * len(self.description["seatings"]) * 10_000
        for at in range(0, self.done * seats, slice_rows):
            with reading(path):
                frame = rows.slice(at, slice_rows).collect()
            yield pulka_numbers(frame)

    def finish(self, summary: dict[str, Any], complete: bool) -> None:
        """Join the parts into the whole files and write the summary; a complete run keeps no parts."""
        with _disk(self.path, self.done):
            for name, whole in WHOLE.items():
                parts = [self.path / part.files[name][0] for part in self.parts if name in part.files]
                if parts:
                    beside = self.path / f".{whole}.new"
                    _join(parts, beside)
                    beside.replace(self.path / whole)
            write_whole(self.path / SUMMARY, _json(summary))
            if complete:
                self._append(COMPLETE)
                self.complete = True
                shutil.rmtree(self.path / PARTS, ignore_errors=True)

    def summary(self) -> dict[str, Any]:
        """The summary of a complete run."""
        return read_object(self.path / SUMMARY, SUMMARY_KEYS)


def read_object(path: Path, keys: tuple[str, ...]) -> dict[str, Any]:
    """The object in a JSON file of a run, which must have these keys; `UsageError` names the file and what is wrong."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path.parent} holds no simulation ({path.name} is missing)") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply") from None
    if not isinstance(content, Mapping):
        raise UsageError(f"{path} is damaged: it is not an object")
    return with_keys(path, dict(content), keys)


def with_keys(path: Path, content: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """`content` as it is; `UsageError` names the file that it was read from if a key is missing."""
    if missing := [key for key in keys if key not in content]:
        raise UsageError(f"{path} is damaged: it has no {missing[0]}")
    return content


def pulka_numbers(frame: pl.DataFrame) -> dict[str, np.ndarray[Any, Any]]:
    """`pulka_frame` turned back into arrays of numbers."""
    return {name: (frame[name].to_physical() if name == "bot" else frame[name]).to_numpy() for name in frame.columns}


def _join(parts: list[Path], whole: Path) -> None:
    if parts[0].suffix == ".parquet":
        pl.scan_parquet(parts, glob=False).sink_parquet(whole, compression="zstd", row_group_size=ROW_GROUP, sync_on_close="all")
        return
    with whole.open("wb") as joined:
        for part in parts:
            with part.open("rb") as file:
                shutil.copyfileobj(file, joined)
        joined.flush()
        os.fsync(joined.fileno())


def _json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def _known_run(path: Path, description: dict[str, Any]) -> bool:
    """Whether the directory holds this run; `UsageError` where it holds anything else."""
    if not path.exists():
        return False
    if not path.is_dir():
        raise UsageError(f"{path} is a file: choose a directory for the run")
    try:
        held = [entry.name for entry in path.iterdir() if not (entry.name.startswith(".") and entry.name.endswith(".new"))]
        text = (path / RUN).read_bytes() if RUN in held else None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if text is None:
        if held:
            raise UsageError(f"{path} is not empty and holds no run: choose an empty directory or a new one")
        return False
    try:
        stored = json.loads(text)
        differing = same_run(stored, description)
    except (ValueError, AttributeError, RecursionError):
        raise UsageError(f"{path / RUN} is damaged: choose another directory") from None
    if differing:
        raise UsageError(f"{path} holds another run (it differs in {', '.join(differing)}): choose another directory")
    return True
