"""Whole records that between them have every kind of entry: they are replayed, and the kinds are looked for again."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.rules.entries import KINDS, kinds
from conventions.parameters import ConventionError
from engine.replay import RecordError
from lab.replaying import check as check_record

FOLDER = Path(__file__).parent / "records"


def check(folder: Path = FOLDER) -> tuple[int, set[str], list[str]]:
    """How many records were replayed, the kinds of entries they have, and what is wrong."""
    have: set[str] = set()
    wrong: list[str] = []
    count = 0
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text(encoding="utf8").splitlines(), 1):
            count += 1
            try:
                checked = check_record(json.loads(line))
            except (RecordError, ConventionError) as error:
                wrong.append(f"{file.name}, record {number}: {error}")
                continue
            rules = checked.game.terms.rules[0]
            have.update(kind for deal in checked.game.finished_deals for kind in kinds(deal[0], rules))
    if not wrong:  # else it is for the want of those
        wrong += [f"no record has the entry {kind!r}" for kind in KINDS if kind not in have]
    return count, have, wrong
