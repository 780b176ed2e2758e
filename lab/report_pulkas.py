"""A typical and an extreme pulka of a run: their sheets, and their records to be shown or replayed."""

from __future__ import annotations

import base64
import itertools
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from lab.errors import LabError
from lab.html import escape, section
from lab.loading import Loaded


def pulkas(loaded: Loaded) -> str:
    """The section with both sheets; empty where no pulka counts."""
    found = chosen(loaded)
    if not found:
        return ""
    return section("pulkas", "Two pulkas", *(_one(loaded, title, number) for title, number in found))


def chosen(loaded: Loaded) -> list[tuple[str, int]]:
    """What they are called and their numbers (from 1): nearest to the medians of length and largest result, and the largest result.

    Two passes over the rows, so that a run of any length needs no more memory than a short one.
    """
    lengths: Counter[int] = Counter()
    results: Counter[int] = Counter()
    extreme, largest = 0, -1
    for numbers, length, result in _measured(loaded):
        lengths.update(length.tolist())
        results.update(result.tolist())
        if len(result) and result.max() > largest:
            extreme, largest = int(numbers[result.argmax()]), int(result.max())
    if not lengths:
        return []
    (usual_length, spread_of_lengths), (usual_result, spread_of_results) = _middle(lengths), _middle(results)
    typical, nearest = 0, np.inf
    for numbers, length, result in _measured(loaded):
        away = ((length - usual_length) / spread_of_lengths) ** 2 + ((result - usual_result) / spread_of_results) ** 2
        if len(away) and away.min() < nearest:
            typical, nearest = int(numbers[away.argmin()]), float(away.min())
    return [("A typical pulka", typical), ("The most extreme pulka", extreme)]


def _measured(loaded: Loaded) -> Iterator[tuple[np.ndarray[Any, Any], ...]]:
    """Numbers of pulkas that no failure ended, their deals, and the largest result in each (numerators of one denominator)."""
    for columns in loaded.blocks("pulka", "deals", "failed", "result_numerator"):
        good = ~columns["failed"][:: loaded.seats]
        largest = np.abs(columns["result_numerator"].reshape(-1, loaded.seats)).max(axis=1)
        yield columns["pulka"][:: loaded.seats][good], columns["deals"][:: loaded.seats][good].astype(np.int64), largest[good]


def _middle(counts: Counter[int]) -> tuple[int, float]:
    """The median of counted whole numbers and their standard deviation (1 where all are equal)."""
    values = np.array(sorted(counts))
    times = np.array([counts[value] for value in values.tolist()])
    seen = times.cumsum()
    mean = np.average(values, weights=times)
    spread = float(np.sqrt(np.average((values - mean) ** 2, weights=times)))
    return int(values[np.searchsorted(seen, seen[-1] / 2)]), spread or 1.0


def _one(loaded: Loaded, title: str, number: int) -> str:
    record = record_of(loaded, number)
    heading = f"<h3>{title}: number {number:,}</h3>"
    if record is None:
        return f"{heading}<p class='note'>Its record was not kept: simulate again with --records {number} to have it.</p>"
    line = json.dumps(record, ensure_ascii=False)
    link = "data:application/x-ndjson;base64," + base64.b64encode((line + "\n").encode()).decode()
    players = ", ".join(f"seat {seat}: {bot}" for seat, bot in enumerate(record["players"]))
    file, results = f"pulka-{number}.jsonl", ", ".join(record["result"])
    shown = f"<a download='{file}' href='{link}'>Its record</a> can be read with <code>preferans show {file}</code>."
    told = f"{len(record['deals'])} deals; {escape(players)}; results {escape(results)}. {shown}"
    return f"{heading}<p>{told}</p><figure class='sheet'>{_sheet(record)}</figure>"


def record_of(loaded: Loaded, number: int) -> dict[str, Any] | None:
    """The record of a pulka: kept by the run, or played again, since a pulka of compiled bots follows from its number."""
    if number <= loaded.run["records"]:
        kept = next(itertools.islice(loaded.records(), number - 1, None), None)
        if kept is not None:
            return kept
    from lab.description import describe
    from lab.run import Run

    try:
        run = Run(describe({**loaded.run, "records": number, "deals": False}))
    except LabError:
        return None  # the convention or a bot is not there any more
    if run.as_json()["bot_versions"] != loaded.run["bot_versions"] or not run.compiled:
        return None
    return json.loads(run.play(number - 1, 1).records[0])


def _sheet(record: dict[str, Any]) -> str:
    from lab.replaying import check
    from lab.sheet import draw_up
    from lab.sheet_svg import svg

    checked = check(record)
    written = [deal["scored"] for deal in record["deals"]]
    semesters = [int(deal["semester"][0]) for deal in checked.game.finished_deals]
    players = record["players"]
    names = [f"{seat}: {bot}" if players.count(bot) > 1 else bot for seat, bot in enumerate(players)]
    finished = record.get("finished", True)
    sheet = draw_up(checked.convention, record["target"], names, record["seats"], written, semesters, finished)
    picture = svg(sheet)
    return picture[picture.index("<svg") :]
