"""The sheet (пулька) as people keep it: running entries by player and place, deal by deal, and the settlement in tables.

The drawings (`lab.sheet_text`, `lab.sheet_svg`) show this model and know no rule.
"""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import attrs

from conventions import settlement
from conventions.convention import Convention

# English, Russian
_WORDS = {
    "pool": ("pool", "пуля"),
    "mountain": ("mountain", "гора"),
    "whists": ("whists", "висты"),
    "on": ("on", "→"),
    "seat": ("seat", "место"),
    "player": ("player", "игрок"),
    "result": ("result", "итог"),
    "rounded": ("rounded", "округлённо"),
    "settlement": ("Settlement", "Расчёт"),
    "has_whists": ("whists", "висты"),
    "owes_whists": ("owes whists", "висты на нём"),
    "by_average": ("By the average mountain", "По средней горе"),
    "left": ("mountain left", "осталось горы"),
    "for_mountain": ("for the mountain", "за гору"),
    "for_whists": ("for whists", "за висты"),
    "average": ("average", "в среднем"),
    "by_pairs": ("Pair by pair: what each wins from each", "Попарно: выигрыш у каждого"),
    "agree": ("Both ways of doing it by hand give this result.", "Оба ручных способа дают этот же итог."),
    "to": ("to", "пуля до"),
    "deal": ("deal", "сдача"),
    "dealer": ("dealer", "сдаёт"),
    "played": ("what was played", "что сыграно"),
    "written": ("what was written", "что записано"),
    "nothing": ("nothing", "ничего"),
    "raspas": ("raspas", "распасы"),
    "misere": ("misère", "мизер"),
    "no_trump": (" no trump", " без козыря"),
    "gives_up": ("gives up without three", "уходит без трёх"),
    "tricks": ("tricks", "взятки"),
    "whist": ("whist", "вист"),
    "half": ("half a whist", "полвиста"),
    "pass": ("pass", "пас"),
    "refused": ("talon refused", "без прикупа"),
    "forced": ("raspas state", "ступень распасов"),
    "finished": ("The pulka is over.", "Пуля закрыта."),
    "open": ("The pulka goes on; settled as it stands.", "Пуля не закрыта; расчёт на этот момент."),
    "worth": ("a pool point is worth {} whists, a mountain point {}", "очко пули – {} вистов, очко горы – {}"),
    "semester": ("semester", "семестр"),
}
LANGUAGES = ("en", "ru")


def word(key: str, lang: str) -> str:
    """A word of the sheet in English or Russian."""
    return _WORDS[key][LANGUAGES.index(lang)]


def number_text(value: Any) -> str:
    """An exact number as people write it: `12`, `−75 1/3`, `2/3`."""
    value = Fraction(value)
    whole, rest = divmod(abs(value), 1)
    part = f"{rest.numerator}/{rest.denominator}" if rest else ""
    text = " ".join(x for x in (str(whole) if whole or not part else "", part) if x)
    return f"−{text}" if value < 0 else text


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable()).strip()


def clean_names(players: Sequence[str] | None, seats: int, lang: str) -> tuple[str, ...]:
    """One printable name a seat; where there is none, the number of the seat."""
    shown = (_printable(name)[:24] for name in players or [""] * seats)
    return tuple(name or f"{word('seat', lang)} {seat}" for seat, name in enumerate(shown))


def short(name: str, most: int) -> str:
    """A name that takes no more than `most` characters."""
    return name if len(name) <= most else name[: most - 1] + "…"


@attrs.frozen
class Table:
    """A small table of the settlement: title, head and rows of text, the first column names the player; a line beneath."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@attrs.frozen
class Settled:
    """A finished sheet and its results, exact, in both ways that people use by hand (`docs/rules.md` 7.5)."""

    pool: list[Fraction]
    mountain: list[Fraction]
    whists: list[list[Fraction]]
    pool_worth: Fraction
    mountain_worth: Fraction
    result: list[Fraction]
    average: settlement.AverageMountain
    pairs: settlement.Pairwise

    @classmethod
    def of(
        cls,
        pool: Sequence[Any],
        mountain: Sequence[Any],
        whists: Sequence[Sequence[Any]],
        pool_worth: int | Fraction,
        mountain_worth: int | Fraction,
    ) -> Settled:
        """Settle a sheet of exact numbers (ints, Fractions or texts such as `5/2`); the three ways must agree."""
        exact_pool, exact_mountain = [Fraction(x) for x in pool], [Fraction(x) for x in mountain]
        exact_whists = [[Fraction(x) for x in row] for row in whists]
        sheet = exact_pool, exact_mountain, exact_whists, pool_worth, mountain_worth
        result = settlement.settle(*sheet)
        average, pairs = settlement.by_average_mountain(*sheet), settlement.by_pairs(*sheet)
        if not result == average.result == pairs.result:
            raise ArithmeticError(f"the settlements of {sheet} differ")
        return cls(exact_pool, exact_mountain, exact_whists, Fraction(pool_worth), Fraction(mountain_worth), result, average, pairs)

    def tables(self, names: Sequence[str], lang: str) -> list[Table]:
        """The result and the two ways by hand as tables of text."""
        seats = range(len(self.pool))

        def rows(*columns: Sequence[Any]) -> tuple[tuple[str, ...], ...]:
            return tuple((names[s], *(number_text(column[s]) for column in columns)) for s in seats)

        has = [sum(row, Fraction(0)) for row in self.whists]
        owed = [sum((row[s] for row in self.whists), Fraction(0)) for s in seats]
        head = ("player", "pool", "mountain", "has_whists", "owes_whists", "result", "rounded")
        by_average = ("player", "left", "for_mountain", "for_whists", "result")
        average = self.average
        worth = word("worth", lang).format(number_text(self.pool_worth), number_text(self.mountain_worth))
        return [
            Table(
                word("settlement", lang),
                tuple(word(key, lang) for key in head),
                rows(self.pool, self.mountain, has, owed, self.result, settlement.rounded(self.result)),
                worth,
            ),
            Table(
                word("by_average", lang),
                tuple(word(key, lang) for key in by_average),
                rows(average.mountains, average.from_mountain, average.from_whists, average.result),
                f"{word('average', lang)} {number_text(average.average)}",
            ),
            Table(
                word("by_pairs", lang),
                (word("player", lang), *names, word("result", lang)),
                tuple(
                    (names[a], *("" if a == b else number_text(self.pairs.net[a][b]) for b in seats), number_text(self.pairs.result[a]))
                    for a in seats
                ),
                word("agree", lang),
            ),
        ]


@attrs.frozen
class DealLine:
    """A deal in words: who dealt, what was played, what was written, and in which semester (from 0)."""

    dealer: str
    played: str
    written: str
    semester: int


@attrs.frozen
class Sheet:
    """A pulka's sheet. Running entries are totals after each deal that changed them, as texts.

    `pool[seat]` and `mountain[seat]` hold one list of entries a semester (one in an ordinary pulka), because each semester starts
    anew; `whists[a][b]` is one list of what a has written on b.
    """

    title: str
    target: int
    names: tuple[str, ...]
    lang: str
    pool: list[list[list[str]]]
    mountain: list[list[list[str]]]
    whists: list[list[list[str]]]
    settled: Settled
    finished: bool
    level: int | None = None  # raspas state of the next deal
    deals: tuple[DealLine, ...] = ()

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.names)

    def tag(self, seat: int) -> str:
        """The name of a seat where space is short: its number where nobody is named."""
        name = self.names[seat]
        return str(seat) if name == f"{word('seat', self.lang)} {seat}" else name


def running(changes: Sequence[Any]) -> list[str]:
    """The entries of one place: the total after every change that is not 0."""
    total, entries = Fraction(0), []
    for change in changes:
        if change := Fraction(change):
            total += change
            entries.append(number_text(total))
    return entries


def draw_up(
    convention: Convention,
    target: int,
    players: Sequence[str] | None,
    seats: int,
    written: Sequence[Any],
    semester_of: Sequence[int],
    finished: bool,
    lang: str = "en",
    level: int | None = None,
    deals: Sequence[DealLine] = (),
) -> Sheet:
    """The sheet of deals that wrote `written` (each `{"pool": […], "mountain": […], "whists": [[…]]}`, exact numbers).

    `semester_of[i]` is the semester (from 0) of deal i; pool and mountain begin anew in each. Works for the answers of
    `preferans score` and for the `scored` of a record alike.
    """
    count = max([*semester_of, 0]) + 1
    everybody = range(seats)

    def by_semester(place: str, seat: int) -> list[list[str]]:
        return [running([w[place][seat] for w, s in zip(written, semester_of, strict=True) if s == n]) for n in range(count)]

    def total(place: str, seat: int) -> Fraction:
        return sum((Fraction(w[place][seat]) for w in written), Fraction(0))

    whists = [[sum((Fraction(w["whists"][a][b]) for w in written), Fraction(0)) for b in everybody] for a in everybody]
    title = _printable(convention.title)
    return Sheet(
        title=f"{title} ({convention.name})" if title else convention.name,
        target=target,
        names=clean_names(players, seats, lang),
        lang=lang,
        pool=[by_semester("pool", s) for s in everybody],
        mountain=[by_semester("mountain", s) for s in everybody],
        whists=[[running([w["whists"][a][b] for w in written]) for b in everybody] for a in everybody],
        settled=Settled.of(
            [total("pool", s) for s in everybody],
            [total("mountain", s) for s in everybody],
            whists,
            convention.pool_worth,
            convention.mountain_worth,
        ),
        finished=finished,
        level=level if convention.progresses else None,
        deals=tuple(deals),
    )


def sheet_of_protocol(content: Any, lang: str = "en") -> tuple[Sheet, dict[str, Any]]:
    """The sheet of a protocol (`docs/interfaces.md`, a protocol) and the answer to it; ValueError as `preferans score` says it."""
    from conventions import protocol
    from lab.scoring import find_convention

    convention, seats, target, deals = protocol.check_protocol(content, find_convention)
    scorer = protocol.Scorer.of(convention, seats)
    answer = protocol.score_deals(scorer, target, deals)
    semester_of = _semesters(scorer, target, deals)
    names = clean_names(content.get("players"), seats, lang)
    lines = [
        DealLine(names[deal["dealer"]], played_text(deal, names, lang), written_text(wrote, names, lang), semester)
        for deal, wrote, semester in zip(deals, answer["deals"], semester_of, strict=True)
    ]
    drawn = draw_up(convention, target, names, seats, answer["deals"], semester_of, answer["finished"], lang, answer["raspas_level"], lines)
    return drawn, answer


def _semesters(scorer: Any, target: int, deals: Sequence[Any]) -> list[int]:
    """The semester of each deal. The engine is asked which semester comes after the first n deals, for as few n as it takes."""
    if not scorer.convention.semesters:
        return [0] * len(deals)
    import numpy as np

    from conventions import outcome, protocol
    from engine.jit import plain
    from engine.table import new_tables

    rows = np.array([outcome.read_deal(deal, scorer.deal_rules) for deal in deals], dtype=np.int64).reshape(len(deals), outcome.COLUMNS)

    def next_semester(count: int) -> int:
        tables, written = new_tables(1), np.zeros((max(count, 1), 24), dtype=np.int64)
        terms = scorer.terms
        protocol.run_deals(plain(tables), terms.procedure, terms.scorer_number, terms.pointer, plain(rows), plain(written), count, target)
        return int(tables["next_semester"][0])

    # the first deal of each semester but the first: the smallest number of deals after which it comes
    starts = [bisect.bisect_left(range(len(deals)), n, key=next_semester) for n in range(1, scorer.convention.semesters)]
    return [bisect.bisect_right(starts, index) for index in range(len(deals))]


def contract_sign(text: str, lang: str) -> str:
    """A contract as people write it: `6♣`, `8 no trump`, `misère`."""
    from engine import cards, contracts

    rung = contracts.parse_contract(text)
    if rung == contracts.MISERE:
        return word("misere", lang)
    trump = contracts.TRUMP[rung]
    return f"{contracts.LEVEL[rung]}{cards.SUIT_SYMBOLS[trump] if trump < 4 else word('no_trump', lang)}"


def played_text(deal: Any, names: Sequence[str], lang: str) -> str:
    """A checked deal of a protocol in words."""
    if deal.get("raspas"):
        return f"{word('raspas', lang)}, {word('tricks', lang)} {_by_hyphen(deal['tricks'])}"
    declarer = names[deal["declarer"]]
    if deal.get("give_up") is not None:
        return f"{declarer} {word('gives_up', lang)}: {contract_sign(deal['give_up'], lang)}"
    parts = [f"{declarer} {contract_sign(deal['contract'], lang)}"]
    if deal.get("refused"):
        parts.append(word("refused", lang))
    parts += [f"{names[int(seat)]} {word(said, lang)}" for seat, said in sorted((deal.get("defence") or {}).items())]
    if deal.get("tricks") is not None:
        parts.append(f"{word('tricks', lang)} {_by_hyphen(deal['tricks'])}")
    return ", ".join(parts)


def _by_hyphen(tricks: Sequence[int]) -> str:
    return "-".join(map(str, tricks))


def written_text(wrote: Any, names: Sequence[str], lang: str) -> str:
    """What a deal wrote, in words."""
    parts = []
    for seat, name in enumerate(names):
        entries = [
            f"{word(place, lang)} {number_text(wrote[place][seat])}" for place in ("pool", "mountain") if Fraction(wrote[place][seat])
        ]
        on = [f"{number_text(w)} {word('on', lang)} {names[b]}" for b, w in enumerate(wrote["whists"][seat]) if Fraction(w)]
        if on:
            entries.append(f"{word('whists', lang)} {', '.join(on)}")
        if entries:
            parts.append(f"{name}: {', '.join(entries)}")
    return "; ".join(parts) or word("nothing", lang)
