"""What the five studies share: the question as it was asked, figures with intervals, and what a study leaves behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from conventions.convention import Convention
from engine.batch import Player
from engine.terms import Terms
from lab.raspas import tables
from lab.statistics import Estimate, estimate

Array = np.ndarray[Any, Any]
Progress = Callable[[str, int, int], None]  # what is being done, how much more of it, of how much in all

Z95 = 1.959963984540054
PLACES = ("first hand", "second hand", "third hand", "talon-sitter")


@attrs.frozen(eq=False)
class Question:
    """A study as it was asked for. Every figure is a function of this, but for `workers` and `progress`."""

    convention: Convention
    options: Mapping[str, Any]
    seat_counts: tuple[int, ...]  # the first one, but for studies that compare them
    bots: tuple[str, ...]
    deals: int
    seed: int
    workers: int = 1
    hand: int = 0  # of ten cards, where the study may be asked about one
    progress: Progress = lambda what, done, total: None

    @property
    def seats(self) -> int:
        return self.seat_counts[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The bots as pages call them: a bot of one's own by its name in its file."""
        return tuple(spec.rpartition(":")[2] if ".py:" in spec else spec for spec in self.bots)

    def terms(self, seats: int | None = None) -> Terms:
        """What is played."""
        from conventions.terms import terms_of

        return terms_of(self.convention, seats or self.seats, self.options)

    def players(self, terms: Terms) -> tuple[Player, ...]:
        """The bots, ready to play."""
        from bots import catalogue
        from lab.errors import UsageError

        try:
            return tuple(catalogue.load(spec, terms.rules) for spec in self.bots)
        except catalogue.BotError as error:
            raise UsageError(str(error)) from None

    def blocks(self, what: str, count: int, task: Callable[[int, int], Any], size: int = tables.BLOCK) -> list[Any]:
        """`task(first, number)` over blocks of `count`, with progress told; the answers in order."""
        return list(tables.in_blocks(count, task, self.workers, lambda done: self.progress(what, done, count), size))

    def paranoid(self, what: str, terms: Terms, decks: Array) -> Array:
        """The solver's values of every deck (`tables.paranoid_values`), with progress told."""
        found = []
        for at in range(0, len(decks), 512):
            part = decks[at : at + 512]
            found.append(tables.paranoid_values(terms, part, self.workers))
            self.progress(what, len(part), len(decks))
        return np.concatenate(found)

    def rules_line(self, seats: int | None = None) -> str:
        """The raspas rules of this convention in a sentence."""
        return rules_line(self.convention, self.terms(seats))

    def command(self, study: str) -> str:
        """The command line that asks this question again."""
        words = ["preferans raspas", study, "--convention", self.convention.base or self.convention.name]
        words += [f"--option {name}={value}" for name, value in self.options.items()]
        words += [f"--seats {self.seats}"] if len(self.seat_counts) == 1 else []
        words += ["--bots", ",".join(self.bots), "--deals", str(self.deals), "--seed", str(self.seed)]
        if self.hand:
            from engine.cards import hand_text

            words += ["--hand", f"'{hand_text(self.hand)}'"]
        return " ".join(words)


def rules_line(convention: Convention, terms: Terms) -> str:
    """What of raspas a convention fixes: talon, price, amnesty, bonus for zero tricks (`docs/rules.md` 6)."""
    rules = terms.rules[0]
    parts = [f"{convention.title or convention.name} ({convention.name}) for {terms.seats}"]
    parts.append("the talon leads to tricks 1 and 2" if rules["raspas_talon"] else "the talon stays closed")
    if rules["raspas_whists"]:
        parts.append(f"{int(rules['raspas_whists'])} whists a trick to who took fewest")
    else:
        parts.append("price " + "-".join(str(int(x)) for x in rules["raspas_price"]))
        parts.append("amnesty" if rules["amnesty"] else "no amnesty")
    pool, mountain = (int(rules[name][0]) for name in ("zero_pool", "zero_mountain"))
    bonus = {(True, True): f"pool +{pool} or mountain −{mountain}", (True, False): f"pool +{pool}", (False, True): f"mountain −{mountain}"}
    parts.append("no trick: " + bonus.get((pool > 0, mountain > 0), "nothing") + (" at the first price" if pool or mountain else ""))
    return ", ".join(parts)


def mean(values: Array) -> Estimate:
    """The mean of independent units with its 95 % interval."""
    x = np.asarray(values, dtype=np.float64)
    if len(x) == 0:
        return Estimate(0, None, None, None, None)
    return estimate(len(x), float(x.mean()), float(x.var(ddof=1)) if len(x) > 1 else 0.0)


def share(hits: Array) -> Estimate:
    """How often something is so among independent units, with Wilson's 95 % interval."""
    n = len(hits)
    if n == 0:
        return Estimate(0, None, None, None, None)
    p, z2 = float(np.mean(hits)), Z95 * Z95
    centre, half = (p + z2 / (2 * n)) / (1 + z2 / n), Z95 / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return Estimate(n, p, math.sqrt(p * (1 - p) / n), max(0.0, centre - half), min(1.0, centre + half))


def apart(a: Array, b: Array) -> Estimate:
    """The mean of one sample less that of another, independent one."""
    first, second = mean(a), mean(b)
    if first.value is None or second.value is None or first.error is None or second.error is None:
        return Estimate(0, None, None, None, None)
    value, error = first.value - second.value, math.hypot(first.error, second.error)
    return Estimate(min(first.n, second.n), value, error, value - Z95 * error, value + Z95 * error)


def told(e: Estimate, digits: int = 2, signed: bool = False, percent: bool = False) -> str:
    """An estimate in words: `2.41 (2.38 to 2.44)`."""
    if e.value is None:
        return "–"
    scale, end = (100, " %") if percent else (1, "")

    def number(x: float) -> str:
        text = f"{abs(x * scale):.{digits}f}"
        zero = float(text) == 0
        sign = "−" if x < 0 and not zero else "+" if signed and not zero else ""
        return sign + text

    text = number(e.value) + end
    if e.low is not None and e.high is not None:
        text += f" ({number(e.low)} to {number(e.high)})"
    return text


def sure(e: Estimate) -> bool:
    """Whether the interval leaves zero out."""
    return e.low is not None and e.high is not None and (e.low > 0 or e.high < 0)


def columns_of(name: str, e: Estimate) -> dict[str, float | None]:
    """An estimate as three columns of a dataset."""
    return {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


@attrs.define(eq=False)
class Findings:
    """What a study found: rows for the dataset, paragraphs for the page, and how to draw it."""

    study: str
    title: str
    rows: list[dict[str, Any]]
    page: list[str]
    draw: Callable[[Any], None]  # onto a matplotlib figure
    size: tuple[float, float] = (8.0, 4.5)  # inches

    def text(self, question: Question) -> str:
        """The page of findings."""
        head = [f"# {self.title}", f"`{question.command(self.study)}`"]
        return "\n\n".join([*head, *self.page]) + "\n"

    def write(self, folder: Path, question: Question) -> list[Path]:
        """Leave `STUDY.parquet`, `STUDY.svg` and `STUDY.md` in the folder."""
        import polars as pl

        from lab.errors import LabError
        from lab.raspas.plots import save

        paths = [folder / f"{self.study}.{end}" for end in ("parquet", "svg", "md")]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            pl.DataFrame(self.rows, infer_schema_length=None).write_parquet(paths[0])
            save(self.draw, self.size, paths[1])
            text = self.text(question)
            paths[2].write_text(f"{text}\n![{self.title}]({self.study}.svg)\n", encoding="utf8")
        except OSError as error:
            raise LabError(f"{folder}: nothing can be written there: {error.strerror or error}") from None
        return paths
