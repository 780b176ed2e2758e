"""What is kept of the pulkas: digests in a readable JSON file, entries and check values in a compressed one beside it.

`digests/piter-3.json` has, for each case and bot, how many pulkas and deals there were and the sha256 of it all.
`digests/piter-3.xz` has, in the order of the JSON file, for each case and bot: a 16-bit check of every hundred deals, then an
8-bit check and the entries of each of the first deals (of all of them in a default case). Entries are numbers of rows of a
table of distinct rows that stands once in the file. With these the first deal that differs is found and its old sheet shown.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from benchmarks.rules.cases import DEFAULT
from benchmarks.rules.playing import Played, columns

FOLDER = Path(__file__).parent / "digests"
HUNDRED = 100
KEPT = 500  # deals of a case that is not a default one whose entries are kept

Array = np.ndarray[Any, Any]


@attrs.frozen(eq=False)
class Held:
    """What is kept of one case and bot."""

    pulkas: int
    deals: int
    sha256: str
    hundreds: Array  # uint16
    checks: Array  # uint8, of the first deals
    entries: Array  # int32 rows, of the first deals


@attrs.frozen(eq=False)
class Book:
    """What is kept of a convention at a number of seats: `held[case][bot]`."""

    convention: str
    seats: int
    version: str  # of the convention
    bots: dict[str, str]  # their versions
    held: dict[str, dict[str, Held]]


def hundreds_of(checks: Array) -> Array:
    """A 16-bit check of every hundred deals."""
    starts = np.arange(0, len(checks), HUNDRED)
    return (np.bitwise_xor.reduceat(checks, starts) >> np.uint64(48)).astype(np.uint16) if len(checks) else np.zeros(0, np.uint16)


def small(checks: Array) -> Array:
    """An 8-bit check of every deal."""
    return (checks >> np.uint64(56)).astype(np.uint8)


def hold(played: Played, case: str) -> Held:
    """What is kept of what was played."""
    kept = len(played.at) if case == DEFAULT else min(KEPT, len(played.at))
    return Held(
        played.pulkas,
        len(played.at),
        played.digest,
        hundreds_of(played.checks),
        small(played.checks[:kept]),
        played.entries[:kept],
    )


def path(convention: str, seats: int) -> Path:
    """The readable file."""
    return FOLDER / f"{convention}-{seats}.json"


def write(book: Book) -> None:
    """Write both files of a book."""
    FOLDER.mkdir(exist_ok=True)
    all_held = [held for by_bot in book.held.values() for held in by_bot.values()]
    distinct, numbers = np.unique(np.concatenate([h.entries for h in all_held]), axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    lines = {
        case: {bot: {"pulkas": h.pulkas, "deals": h.deals, "kept": len(h.checks), "sha256": h.sha256} for bot, h in by_bot.items()}
        for case, by_bot in book.held.items()
    }
    told = {
        "convention": book.convention,
        "seats": book.seats,
        "version": book.version,
        "bots": book.bots,
        "distinct_entries": len(distinct),
    }
    head = json.dumps(told, ensure_ascii=False)[1:-1]
    body = ",\n".join(
        f" {json.dumps(case)}: {{\n" + ",\n".join(f"  {json.dumps(bot)}: {json.dumps(line)}" for bot, line in by_bot.items()) + "}"
        for case, by_bot in lines.items()
    )
    path(book.convention, book.seats).write_text(f'{{{head},\n"cases": {{\n{body}}}}}\n', encoding="utf8")
    planes = [(numbers >> shift & 255).astype(np.uint8) for shift in (16, 8, 0)]
    parts = [np.ascontiguousarray(distinct.T).astype("<i4").tobytes(), *(plane.tobytes() for plane in planes)]
    parts += [h.hundreds.astype("<u2").tobytes() for h in all_held] + [h.checks.tobytes() for h in all_held]
    path(book.convention, book.seats).with_suffix(".xz").write_bytes(lzma.compress(b"".join(parts), preset=9 | lzma.PRESET_EXTREME))


def read(convention: str, seats: int) -> Book:
    """A book as it was written; FileNotFoundError where there is none."""
    told = json.loads(path(convention, seats).read_text(encoding="utf8"))
    data = lzma.decompress(path(convention, seats).with_suffix(".xz").read_bytes())
    lines = [(case, bot, line) for case, by_bot in told["cases"].items() for bot, line in by_bot.items()]
    width, rows = len(columns(seats)), told["distinct_entries"]
    kept = sum(line["kept"] for _, _, line in lines)
    at = 0

    def take(count: int, kind: str) -> Array:
        nonlocal at
        array = np.frombuffer(data, dtype=kind, count=count, offset=at)
        at += array.nbytes
        return array

    distinct = take(width * rows, "<i4").reshape(width, rows).T
    planes = [take(kept, "u1").astype(np.int64) for _ in range(3)]
    numbers = planes[0] << 16 | planes[1] << 8 | planes[2]
    hundreds = [take(-(-line["deals"] // HUNDRED), "<u2") for _, _, line in lines]
    checks = [take(line["kept"], "u1") for _, _, line in lines]
    held: dict[str, dict[str, Held]] = {}
    first = 0
    for (case, bot, line), groups, each in zip(lines, hundreds, checks, strict=True):
        entries = distinct[numbers[first : first + line["kept"]]].astype(np.int32)
        first += line["kept"]
        held.setdefault(case, {})[bot] = Held(line["pulkas"], line["deals"], line["sha256"], groups, each, entries)
    return Book(told["convention"], told["seats"], told["version"], told["bots"], held)
