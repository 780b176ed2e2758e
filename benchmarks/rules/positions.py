"""Positions from which continuations are counted: one of every kind in every phase, fixed by a seed and the words said so far.

`positions/piter-3.json` is for reading: `deals` are whole deals before this one, `said` what was said in it. `take` is said where
the convention asks for it and left out where it does not, so that one line of words serves a convention with and without its options.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from bots.catalogue import load
from conventions.catalogue import get
from conventions.terms import terms_of
from engine import actions, deal
from engine.batch import Setup, play_block
from engine.contracts import LEVEL, MISERE
from engine.game import Game
from engine.record import deal_actions
from engine.table import (
    K_GAME,
    K_MISERE,
    K_RASPAS,
    P_BID,
    P_CHOICE,
    P_DISCARD,
    P_OPEN,
    P_ORDER,
    P_PLAY,
    P_TALON,
    P_WHIST,
    UNIT,
)

FOLDER = Path(__file__).parent / "positions"
SEED = 3
TARGET = 2
DECKS = 9  # deals that a position and its continuations may need
PULKAS = 300
BEFORE = 5  # whole deals before a position, at most
_WHIST = ("first defender", "second defender", "the first one may raise a half whist", "the talon-sitter", "second thoughts")


@attrs.frozen
class Position:
    """A pulka to `TARGET` with seat 0 dealing first, the cards of (`SEED`, `pulka`), and what was said."""

    name: str
    pulka: int
    deals: tuple[str, ...]
    said: str

    def actions(self) -> list[int]:
        """Everything said so far as action numbers."""
        return [actions.parse_action(word) for line in (*self.deals, self.said) for word in line.split()]

    def decks(self) -> np.ndarray[Any, Any]:
        """The decks of the first deals, shape (`DECKS`, 32)."""
        return deal.decks(SEED, np.array([self.pulka]), 0, count=DECKS)[0]


def path(convention: str, seats: int) -> Path:
    """Where the positions of a convention stand."""
    return FOLDER / f"{convention}-{seats}.json"


def read(convention: str, seats: int) -> tuple[list[Position], dict[str, Any]]:
    """The positions, and the counts kept of them by position and case (`benchmarks.rules.counting`)."""
    told = json.loads(path(convention, seats).read_text(encoding="utf8"))
    found = [Position(p["name"], p["pulka"], tuple(p["deals"]), p["said"]) for p in told]
    return found, {p["name"]: p.get("counts", {}) for p in told}


def write(convention: str, seats: int, found: list[Position], counts: dict[str, Any] | None = None) -> None:
    """Write positions, one a paragraph, with their counts."""
    FOLDER.mkdir(exist_ok=True)
    paragraphs = []
    for position in found:
        told = attrs.asdict(position)
        kept = (counts or {}).get(position.name, {})
        lines = [f'"name": {json.dumps(told["name"], ensure_ascii=False)}, "pulka": {position.pulka}']
        lines.append('"deals": [' + ",\n  ".join(json.dumps(line) for line in position.deals) + "]")
        lines.append(f'"said": {json.dumps(position.said)}')
        lines.append('"counts": {' + ",\n  ".join(f"{json.dumps(case)}: {json.dumps(value)}" for case, value in kept.items()) + "}")
        paragraphs.append("{" + ",\n ".join(lines) + "}")
    path(convention, seats).write_text("[\n" + ",\n".join(paragraphs) + "\n]\n", encoding="utf8")


def kinds(t: Any, legal: list[int]) -> Iterator[str]:
    """What a position is an example of (`t`: a `TABLE` element before somebody's word)."""
    phase, level, kind = int(t["phase"]), int(t["level"]), int(t["kind"])
    state = ("", "", ", second raspas state", ", third raspas state")[level]
    if phase == P_BID:
        said = int(t["said"][int(t["turn"])])
        if t["words"] == 0:
            yield f"bidding: first word{state}"
        elif said == MISERE:
            yield "bidding: bound by misère"
        elif t["bid"] == MISERE:
            yield "bidding: misère stands"
        elif t["bid"] and actions.BID + int(t["bid"]) in legal:
            yield "bidding: may hold"
        elif int(t["passed"]).bit_count() == 2:
            yield f"bidding: the last one{state}"
        elif t["bid"]:
            yield "bidding: a bid stands"
    elif phase == P_TALON:
        yield f"talon{state}"
    elif phase == P_DISCARD:
        yield f"discard: {'second' if t['discard'] else 'first'} card{', misère' if kind == K_MISERE else ''}"
    elif phase == P_ORDER:
        yield f"order, a {LEVEL[int(t['bid'])]} bid{', talon refused' if t['refused'] else ''}"
    elif phase == P_WHIST:
        yield f"whist, {LEVEL[int(t['contract'])]}: {_WHIST[int(t['stage'])]}"
    elif phase == P_OPEN:
        yield "open or closed"
    elif phase == P_CHOICE:
        yield f"choice: {('', 'game', 'misère', 'raspas')[kind]}"
    elif phase == P_PLAY:
        yield from _play(t, kind, state)


def _play(t: Any, kind: int, state: str) -> Iterator[str]:
    how = ("", "game", "misère", "raspas")[kind]
    if kind == K_RASPAS and t["forced"]:
        how = "forced raspas"
    of_it = "checked ten" if t["checked"] else "open defence" if kind == K_GAME and t["opened"] else how
    trick = int(t["trick_no"])
    if t["in_trick"] != 0:
        return
    if trick == 0 and kind != K_RASPAS:
        yield f"{of_it}: first lead{', the declarer has it' if t['turn'] == t['declarer'] else ''}"
    elif trick in (0, 1, 2) and kind == K_RASPAS:
        yield f"{how}: trick {trick + 1}"
    elif trick == 7:
        yield f"{of_it}: three tricks left"
    elif trick == 9 and kind == K_RASPAS:
        none = any(int(t["tricks"][s]) == 0 for s in range(int(t["seats"])))
        yield f"{how}: the last trick, {'somebody has none' if none else 'all have some'}{state}"
    elif trick == 9:
        full = any(int(x) >= int(t["target"]) * UNIT for x in t["pool"][: int(t["seats"])])
        taken = int(t["tricks"][int(t["declarer"])])
        short = taken > 0 if kind == K_MISERE else taken + 1 < LEVEL[int(t["contract"])]
        over = " over misère" if t["misere_said"] and kind == K_GAME else ", a pool is full" if full else state
        yield f"{how}: the last trick, {'failed' if short else 'not failed yet'}{over}"


def find(convention: str, seats: int) -> list[Position]:
    """The first position of every kind in pulkas of `random` and `novice`, in the order of deals, then of words."""
    terms = terms_of(get(convention, seats), seats)
    bots = tuple(load(bot, terms.rules) for bot in ("random", "novice"))
    seatings = ((1,) * seats, (0,) * seats, tuple(k % 2 for k in range(seats)))
    setup = Setup(terms, bots, seatings, seed=SEED, target=TARGET, limit=BEFORE + 1)
    lines: dict[int, list[list[int]]] = {}

    def on_deals(rows: np.ndarray[Any, Any]) -> None:
        for row in rows:
            lines.setdefault(int(row["pulka"]), []).append(deal_actions(row))

    play_block(setup, 0, PULKAS, on_deals)
    best: dict[str, tuple[tuple[int, int, int], Position]] = {}
    for pulka, deals in lines.items():
        game = Game(terms, target=TARGET, seed=SEED, pulka=pulka)
        for number, words in enumerate(deals[: BEFORE + 1]):
            game.deal()
            for at, action in enumerate(words):
                rank = (number, at, pulka)
                for name in kinds(game.table[0], game.legal()):
                    if name not in best or rank < best[name][0]:
                        before = tuple(_texts(line) for line in deals[:number])
                        best[name] = (rank, Position(name, pulka, before, _texts(words[:at])))
                game.act(action)
    return [best[name][1] for name in sorted(best)]


def _texts(words: list[int]) -> str:
    return " ".join(actions.action_text(a) for a in words)
