"""A grid of runs: one for each combination of the values given, each in a directory of its own, and one table over all."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from lab.description import Description, describe
from lab.errors import UsageError
from lab.loading import Loaded
from lab.statistics import Estimate

AXES = ("convention", "seats", "target", "bots", "options", "deal_limit")
TABLE = "comparison.json"
LONGEST = 200  # bytes of a folder's name; file systems take 255


@attrs.frozen
class Point:
    """One run of a sweep: the values that tell it from the others, its directory's name, its description."""

    values: dict[str, Any]
    name: str
    description: Description


def read(path: Path) -> list[Point]:
    """The points of a sweep file: settings of a run as in RUN.toml, and a table `[grid]` whose lists are varied.

    `[grid]` may vary convention, seats, target, bots and deal_limit, and under `[grid.options]` any options. Every value in a list is a
    setting as it would stand outside. `UsageError` names the file, the point and the setting that is not allowed.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a UTF-8 text"
        raise UsageError(f"{path}: the sweep cannot be read: {reason}") from None
    except RecursionError:
        raise UsageError(f"{path}: the sweep is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not a TOML text: {error}") from None
    grid = content.pop("grid", None)
    if not isinstance(grid, Mapping) or not grid:
        raise UsageError(f"{path}: a sweep needs a table [grid] of lists, such as target = [10, 20]; it may vary {', '.join(AXES)}")
    points = []
    for values in _combinations(path, grid):
        name = _folder("_".join(_word(value) for value in values.values()))
        try:
            points.append(Point(values, name, describe(_settings(content, values, path.parent))))
        except UsageError as error:
            raise UsageError(f"{path}: point {name}: {error}") from None
    doubled = next((p.name for p in points if sum(q.name == p.name for q in points) > 1), None)
    if doubled:
        raise UsageError(f"{path}: [grid] names the point {doubled} twice")
    return points


def _combinations(path: Path, grid: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    axes: dict[str, list[Any]] = {}
    for key, value in grid.items():
        if key not in AXES:
            raise UsageError(f"{path}: [grid] cannot vary {key}; it may vary {', '.join(AXES)}")
        if key == "options":
            if not isinstance(value, Mapping):
                raise UsageError(f"{path}: [grid.options] is a table of lists, such as raspas_exit = ['6-7-7', '6-7-8']")
            axes |= {f"options.{option}": values for option, values in value.items()}
        else:
            axes[key] = value
    for name, values in axes.items():
        if not isinstance(values, list) or not values:
            raise UsageError(f"{path}: [grid] {name}: {values!r} is not a list of values")
    for chosen in itertools.product(*axes.values()):
        yield dict(zip(axes, chosen, strict=True))


def _settings(base: Mapping[str, Any], values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    options = {name.removeprefix("options."): value for name, value in values.items() if name.startswith("options.")}
    settings = {**base, **{name: value for name, value in values.items() if not name.startswith("options.")}}
    if options:
        if not isinstance(base.get("options", {}), Mapping):
            raise UsageError(f"options: {base['options']!r} is not a table of option names and values")
        settings["options"] = {**base.get("options", {}), **options}
    convention = settings.get("convention")
    if isinstance(convention, str) and convention.endswith(".toml") and not Path(convention).is_absolute():
        settings["convention"] = str(folder / convention)
    return settings


def _folder(name: str) -> str:
    """A name that file systems take: one that is too long ends in a digest of the whole."""
    if len(name.encode()) <= LONGEST:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return name.encode()[: LONGEST - len(digest) - 1].decode(errors="ignore") + "-" + digest


def _word(value: Any) -> str:
    text = "+".join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
    return re.sub(r"[^\w.+-]+", "_", Path(text).stem if text.endswith(".toml") else text)


def rows(points: list[tuple[Point, Loaded]]) -> list[dict[str, Any]]:
    """The comparison: for each point its values, deals a pulka, raspas share, contracts made, and each bot's mean with interval."""
    found: list[dict[str, Any]] = []
    for point, loaded in points:
        summary = loaded.summary
        played = sum(c["played"] for level, c in summary["contracts"].items() if level != "misere")
        made = sum(c["made"] for level, c in summary["contracts"].items() if level != "misere")
        spread = max((bot["seat_deviation"] for bot in summary["bots"].values() if bot["seat_deviation"] is not None), default=None)
        found.append(
            {
                "point": point.name,
                "values": point.values,
                "pulkas": summary["pulkas"],
                "cut": summary["cut"],
                "deals_per_pulka": summary["deals_per_pulka"]["mean"],
                "raspas_share": summary["raspas_share"],
                "made_of_played": made / played if played else None,
                "seat_deviation": spread,
                "bots": {name: {"mean": bot["mean"], "ci95": bot["ci95"]} for name, bot in summary["bots"].items()},
                "against_first": None if not found else _against(points[0][1], loaded),
            }
        )
    return found


def _against(first: Loaded, other: Loaded) -> dict[str, Any]:
    """Differences to the first point, on the same deals where the cards are the same."""
    from lab.report_comparison import compare

    compared = compare(first, other)
    return {"paired": compared.paired} | {label: _json(moments.difference(compared.paired)) for label, moments in compared.lines}


def _json(found: Estimate) -> dict[str, Any]:
    return {"mean": found.value, "ci95": found.ci95}


def to_json(found: list[dict[str, Any]]) -> bytes:
    """The comparison as a file."""
    return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()
