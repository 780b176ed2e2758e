"""`preferans solve`: positions as JSON Lines in, values out (`docs/interfaces.md`, Solving).

Lines are read in blocks, a block is solved in one call on all cores, so that reading and writing cost less than solving.
"""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from bots.solver.batch import MISERE, solve_many
from bots.solver.position import RASPAS, Position, solve
from bots.solver.root import POSITION
from engine import cards, contracts
from lab.lines import each_line

BLOCK = 4096  # lines solved together

FIELDS = ("hands", "contract", "declarer", "leader", "table", "talon", "talon_takes")
_GAMES = {contracts.contract_text(rung): contracts.TRUMP[rung] for rung in range(1, contracts.RUNGS + 1)}
_GAMES |= {"misere": MISERE, RASPAS: MISERE}

# a position on its way to the solver: the columns of a `POSITION` record, and whether the three seats of a raspas are asked for
Row = tuple[tuple[int, int, int], int, int, int, tuple[int, ...], tuple[int, ...], bool]


class LineError(ValueError):
    """A line that is no position; the message is what the caller is told."""


@lru_cache(maxsize=8192)
def _group(text: str) -> int:
    return cards.parse_hand(text)


def _hand(text: Any, seat: int) -> int:
    """`cards.parse_hand`, from the suit groups remembered one by one: there are few, and positions come by the thousand."""
    if not isinstance(text, str):
        raise LineError(f"the hand of seat {seat} is {json.dumps(text)}: a hand is a text such as 'SAKQ CT97 D8 HA97'")
    mask = 0
    try:
        for group in text.split():
            part = _group(group)
            if mask & part:
                break
            mask |= part
        else:
            return mask
        return cards.parse_hand(text)
    except cards.CardError:
        try:  # a group may lean on the one before it (`S AK`), or the fault is better named in the whole hand
            return cards.parse_hand(text)
        except cards.CardError as fault:
            raise LineError(f"the hand of seat {seat}: {fault}") from None


def _cards(name: str, value: Any, most: int) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > most or not all(isinstance(card, str) for card in value):
        raise LineError(f"{name} is {json.dumps(value)}: it is a list of at most {most} cards such as ['D9', 'HK']")
    try:
        return tuple(cards.parse_card(card) for card in value)
    except cards.CardError as fault:
        raise LineError(f"{name}: {fault}") from None


def read_position(given: Any) -> dict[str, Any]:
    """A parsed line as `row`, the columns of a record; `raspas`, whether all three seats are asked for; `contract`.

    Raises `LineError` or `bots.solver.PositionError` (both `ValueError`) with a message for the person who wrote the line.
    """
    if not isinstance(given, dict):
        raise LineError("the line is not a JSON object with hands, contract, declarer and leader")
    for name in given:
        if name not in FIELDS:
            raise LineError(f"{name!r} is not a field of a position: there are {', '.join(FIELDS)}")
    contract = given.get("contract")
    if not isinstance(contract, str):
        raise LineError(f"contract is {json.dumps(contract)}: a contract is 6S … 10N, misere or raspas")
    game = _GAMES.get(contract)
    if game is None:
        try:
            contract = RASPAS if contract.strip().lower() == RASPAS else contracts.contract_text(contracts.parse_contract(contract))
        except contracts.ContractError:
            raise LineError(f"{contract!r} is not a contract: a contract is 6S … 10N, misere or raspas") from None
        game = _GAMES[contract]
    raspas = contract == RASPAS
    for name in ("leader",) if raspas else ("declarer", "leader"):
        if name not in given:
            raise LineError(f"{name} is missing: a position names the seat 0, 1 or 2")
    hands = given.get("hands")
    if not isinstance(hands, list) or len(hands) != 3:
        raise LineError("hands is not a list of three hands, seats 0, 1 and 2 in clockwise order")
    a, b, c = _hand(hands[0], 0), _hand(hands[1], 1), _hand(hands[2], 2)
    table = _cards("table", given["table"], 2) if "table" in given else ()
    talon = _cards("talon", given["talon"], 2) if "talon" in given else ()
    takes = given.get("talon_takes", False)
    if not isinstance(takes, bool):
        raise LineError(f"talon_takes is {json.dumps(takes)}: it is true (four seats, a talon card can take its trick) or false")
    declarer, leader = given.get("declarer", 0), given["leader"]
    n = a.bit_count()
    plain = not table and not talon and type(declarer) is int and type(leader) is int and 0 <= declarer <= 2 and 0 <= leader <= 2
    fair = 1 <= n <= 10 and n == b.bit_count() == c.bit_count() and (a | b | c).bit_count() == 3 * n
    if not (plain and fair):
        Position((a, b, c), contract, declarer, leader, table, talon, takes)  # raises what is wrong, if anything is
    return {"row": ((a, b, c), game, declarer, leader, table, talon, takes), "raspas": raspas, "contract": contract}


def _records(rows: list[Row]) -> np.ndarray[Any, Any]:
    result = np.zeros(len(rows), dtype=POSITION)
    if rows:
        hands, game, declarer, leader, table, talon, takes = zip(*rows, strict=True)
        result["hands"], result["game"], result["declarer"], result["leader"] = hands, game, declarer, leader
        result["table"] = [(*cards, -1, -1)[:2] for cards in table]
        result["talon"] = [(*cards, -1, -1)[:2] for cards in talon]
        result["talon_takes"] = takes
        result["guess"] = -1
    return result


def _answers(block: list[dict[str, Any]], moves: bool, threads: int | None) -> list[dict[str, Any]]:
    """The answers to what `read_position` made of lines, in order; errors stay as they are."""
    answers = list(block)
    rows: list[Row] = []
    asked: list[tuple[int, bool]] = []  # which answer waits for the next row, or the next three
    for place, line in enumerate(block):
        if "error" in line:
            continue
        row, raspas = line["row"], line["raspas"]
        if moves and not raspas:
            hands, _, declarer, leader, table, talon, takes = row
            answers[place] = solution_answer(solve(Position(hands, line["contract"], declarer, leader, table, talon, takes)))
            continue
        asked.append((place, raspas))
        rows.extend([(row[0], row[1], seat, *row[3:]) for seat in range(3)] if raspas else [row])
    # equal games and sizes together: neighbours help each other, and a thread's share is alike
    records = _records(rows)
    order = np.lexsort((np.bitwise_count(records["hands"][:, 0]), records["game"]))
    values = np.zeros(len(rows), dtype=np.int8)
    values[order] = solve_many(records[order], threads)
    found = iter(values.tolist())
    for place, raspas in asked:
        answers[place] = {"paranoid": list(islice(found, 3))} if raspas else {"tricks": next(found)}
    return answers


def solution_answer(solution: Any) -> dict[str, Any]:
    """A `Solution` as the answer that is written."""
    return {
        "tricks": solution.tricks,
        "moves": {cards.card_text(card): value for card, value in solution.moves.items()},
        "best": [cards.card_text(card) for card in solution.best],
        "line": [cards.card_text(card) for card in solution.line],
    }


def solve_lines(lines: Iterable[str], moves: bool = False, threads: int | None = None) -> Iterator[dict[str, Any]]:
    """An answer per line, in order: `{"tricks": T}`, `{"paranoid": [a, b, c]}` or `{"error": …, "line": N}`.

    With `moves`, an answer about one declarer also has `moves` (his tricks after each legal card), `best` and `line` (best play).
    """
    read = each_line(lines, read_position)
    while block := list(islice(read, BLOCK)):
        yield from _answers(block, moves, threads)
