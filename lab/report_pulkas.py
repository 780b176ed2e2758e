"""A typical and an extreme pulka of a run: their sheets, and their records to be shown or replayed."""

from __future__ import annotations

import base64
import itertools
import json
from typing import Any

import polars as pl

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
    """What they are called and their numbers (from 1): nearest to the medians of length and largest result, and the largest result."""
    result = (pl.col("result_numerator").abs() / pl.col("result_denominator")).max()
    by_pulka = (
        loaded.pulkas.filter(~pl.col("failed"))
        .group_by("pulka")
        .agg(result.alias("largest"), pl.col("deals").first())
        .sort("pulka")
        .collect(engine="streaming")
    )
    if by_pulka.is_empty():
        return []

    def away(name: str) -> pl.Expr:
        column = pl.col(name)
        return ((column - column.median()) / pl.max_horizontal(column.std().fill_null(0), 1e-9)) ** 2

    typical = by_pulka.sort(away("largest") + away("deals"), maintain_order=True)["pulka"][0]
    extreme = by_pulka.sort("largest", descending=True, maintain_order=True)["pulka"][0]
    return [("A typical pulka", typical), ("The most extreme pulka", extreme)]


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
