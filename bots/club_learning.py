"""How `club` comes by its tables: `python -m bots.club_learning FOLDER [BOT]` plays, solves, and writes them anew.

One call is one round. BOT (default `club`; `novice` for the first round, when there are no tables yet) plays pulkas of several
conventions; the positions of its trick contracts and misères are solved with all cards known, its raspas and the contracts of a
bolder bidder are kept as they went. What is found is added to FOLDER, and the tables are fitted to what lies there (`bots.club_fitting`).
Later rounds see the positions that better play leads to; after three or four little changes. The same calls in the same
order make the same tables. What cards of a raspas are worth beyond these is learnt afterwards (`bots.club_raspas_learning`).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np

import conventions
from bots import catalogue, novice
from bots.solver import MISERE, positions, solve_many, values_of_moves
from conventions.rules_record import RULES
from conventions.terms import terms_of
from engine import actions, cards, contracts, jit
from engine.batch import Player, Setup, blocks, play_block
from engine.contracts import LEVEL
from engine.jit import lowbit, rule
from engine.rng import below, draw
from engine.table import D_NONE, E_PLAYED, K_GAME, K_MISERE, K_RASPAS, P_BID, P_TALON, P_WHIST, TABLE, VIEW, W_SITTER

Ints = np.ndarray[Any, np.dtype[np.int64]]
Deals = np.ndarray[Any, Any]

SOLVED = (("piter", 3), ("sochi", 3), ("rostov", 3))
RASPAS = (("piter", 3), ("piter", 4), ("rostov", 3))
GAMES, MISERES, RASPAS_DEALS, BOLD_DEALS, MISERE_HANDS = 8000, 2500, 12_000, 60_000, 15_000  # kept from each table in a round


@rule
def bold_bid(v, r):
    """Bids up to five quarters of a trick more or less than `novice`, always as much on the same hand."""
    limit = novice.highest_contract(v.hand & cards.DECK, 2 + below(draw(v.hand, 7), 10), 1)
    bids = v.legal & ~(1 | 1 << contracts.MISERE) & ((2 << limit) - 1)
    return actions.BID + lowbit(bids) if bids != 0 else actions.PASS


@rule
def bold_whist(v, r):
    """Whists three times in four, whatever it holds."""
    if v.stage == W_SITTER or below(draw(v.hand, 9), 4) == 0:
        return actions.PASS
    return actions.WHIST


def _name_of(act: Any) -> str:
    return str(getattr(act, "py_func", act).__qualname__)


def bold(act: Any) -> Any:
    """The bot, but with bids and whists that lead to good and bad contracts alike."""

    def bold_act(v, r):
        if v.phase == P_BID:
            return bold_bid(v, r)
        if v.phase == P_WHIST:
            return bold_whist(v, r)
        if v.phase == P_TALON:
            return actions.TAKE
        return act(v, r)

    return jit.rule_variant(bold_act, f"learning-{_name_of(act)}")


def passing(act: Any) -> Any:
    """The bot, but it always passes: raspas with strong hands too, which its own bids would keep out of sight."""

    def passing_act(v, r):
        return actions.PASS if v.phase == P_BID else act(v, r)

    return jit.rule_variant(passing_act, f"learning-{_name_of(act)}")


def daring(act: Any) -> Any:
    """The bot, but it bids as `novice` does, who tries many a misère that can be caught."""

    def daring_act(v, r):
        return novice.bid(v, r) if v.phase == P_BID else act(v, r)

    return jit.rule_variant(daring_act, f"learning-{_name_of(act)}")


def deals(act: Any, name: str, seats: int, kinds: tuple[int, ...], wanted: int, seed: int) -> Iterator[tuple[Deals, Any]]:
    """Deals of these kinds that were played out, up to `wanted`, in pieces, with the convention's record."""
    terms = terms_of(conventions.get(name, seats), seats)
    setup = Setup(terms, (Player(name, jit.bot_address(act, VIEW, RULES)),), ((0,) * seats,), seed=seed, limit=200)
    kept: list[Deals] = []

    def keep(rows: Deals) -> None:
        chosen = np.isin(rows["kind"], kinds) & (rows["ended"] == E_PLAYED)
        kept.append(rows.view(f"V{TABLE.itemsize}")[chosen].view(TABLE))

    for block in blocks(0, 1 << 30, 256):
        play_block(setup, *block, keep)
        for piece in kept:
            yield piece[:wanted], terms.rules
            wanted -= len(piece)
            if wanted <= 0:
                return
        kept.clear()


@attrs.define
class Step:
    """All deals before their next card: arrays over the deals."""

    trick: int
    place: int  # 0 leads, 1, 2
    seat: Ints
    card: Ints  # what was played
    hands: Ints  # (n, 4)
    leader: Ints
    first: Ints  # the card led, -1
    second: Ints  # the second card of the trick, -1
    best: Ints  # the best card so far, -1
    best_seat: Ints
    played: Ints
    led_by_talon: bool


def following(rows: Deals, seat: Ints) -> Ints:
    """The next active seat."""
    seats = rows["seats"].astype(np.int64)
    after = (seat + 1) % seats
    return np.where((seats == 4) & (after == rows["dealer"]), (after + 1) % seats, after)


def contract_hands(rows: Deals) -> Ints:
    """The hands that the cards were played from, (n, 4)."""
    hands = rows["dealt"].astype(np.int64)
    takes = np.isin(rows["kind"], (K_GAME, K_MISERE)) & (rows["refused"] == 0)
    at = np.flatnonzero(takes)
    talon = 1 << rows["talon"][at].astype(np.int64)
    declarer = rows["declarer"][at]
    hands[at, declarer] = (hands[at, declarer] | talon[:, 0] | talon[:, 1]) & ~rows["discard"][at].astype(np.int64)
    return hands


def replay(rows: Deals, rules: Any) -> Iterator[Step]:
    """The thirty cards of each deal."""
    n = len(rows)
    every = np.arange(n)
    hands = contract_hands(rows)
    first_hand = following(rows, rows["dealer"].astype(np.int64))
    leader = first_hand
    played = np.zeros(n, dtype=np.int64)
    talon_leads = bool((rows["kind"] == K_RASPAS).all()) and int(rules["raspas_talon"][0]) != 0
    for trick in range(10):
        nothing = np.full(n, -1, dtype=np.int64)
        led, first, second, best, best_seat = nothing, nothing, nothing, nothing, nothing
        by_talon = talon_leads and trick < 2
        if by_talon:
            card = rows["talon"][:, trick].astype(np.int64)
            led = card >> 3
            if int(rules["seats"][0]) == 4:
                best, best_seat = card, rows["dealer"].astype(np.int64)
        seat = leader
        for place in range(3):
            card = rows["log"][every, rows["first_card"].astype(np.int64) + 3 * trick + place].astype(np.int64)
            yield Step(trick, place, seat, card, hands.copy(), leader, first, second, best, best_seat, played, by_talon)
            suit = card >> 3
            led = np.where(led < 0, suit, led)
            higher = np.where(best < 0, suit == led, np.where(suit == best >> 3, card > best, suit == rows["trump"]))
            best = np.where(higher, card, best)
            best_seat = np.where(higher, seat, best_seat)
            first = card if place == 0 else first
            second = card if place == 1 else second
            hands[every, seat] &= ~(1 << card)
            played = played | 1 << card
            seat = following(rows, seat)
        leader = best_seat
        if by_talon and (trick == 0 or int(rules["first_hand_leads_third"][0]) != 0):
            leader = first_hand
        leader = np.where((rows["seats"] == 4) & (leader == rows["dealer"]), first_hand, leader)


def solved_cards(act: Any, kind: int, wanted: int, seed: int) -> dict[str, Ints]:
    """Positions before each card with the declarer's tricks after each legal one, columns by name."""
    columns: dict[str, list[Any]] = {}
    for k, (name, seats) in enumerate(SOLVED):
        for rows, rules in deals(act, name, seats, (kind,), wanted, seed + k):
            steps: list[dict[str, Any]] = []
            declarer, trump = rows["declarer"].astype(np.int64), rows["trump"].astype(np.int64)
            for s in replay(rows, rules):
                game = np.full(len(rows), MISERE) if kind == K_MISERE else trump
                given = positions(s.hands[:, :3].astype(np.uint32), game, declarer, s.leader, table=(s.first, s.second))
                same = {"trick": s.trick, "place": s.place}
                steps.append(
                    {name: np.full(len(rows), value) for name, value in same.items()}
                    | {"seat": s.seat, "card": s.card, "hands": s.hands[:, :3], "led": np.where(s.place > 0, s.first >> 3, -1)}
                    | {"best": s.best, "best_seat": s.best_seat, "played": s.played, "declarer": declarer, "trump": trump}
                    | {"discard": rows["discard"].astype(np.int64), "values": values_of_moves(given)}
                )
            for step in steps:
                for column, values in step.items():
                    columns.setdefault(column, []).append(values)
    return {column: np.concatenate(values) for column, values in columns.items()}


def raspas_standings(act: Any, wanted: int, seed: int) -> dict[str, Ints]:
    """Every seat before every trick: its hand, what is out, the tricks it still took, whether it was to lead."""
    columns: dict[str, list[Any]] = {"hand": [], "out": [], "tricks": [], "to_go": [], "leads": []}
    for k, (name, seats) in enumerate(RASPAS):
        for rows, rules in deals(act, name, seats, (K_RASPAS,), wanted, seed + k):
            left = rows["tricks"].astype(np.int64)
            every = np.arange(len(rows))
            last = None
            for s in replay(rows, rules):
                if s.place > 0:
                    last = s
                    continue
                if last is not None:
                    _count_trick(rows, last, left, every)
                shown = np.zeros(len(rows), dtype=np.int64)
                for t in range(2):
                    up = (rows["talon_up"][:, t] >= 0) & (s.trick > t)
                    shown |= np.where(up, 1 << rows["talon"][:, t].astype(np.int64), 0)
                for seat in range(seats):
                    active = np.flatnonzero((rows["seats"] == 3) | (rows["dealer"] != seat))
                    hand = s.hands[active, seat]
                    columns["hand"].append(hand)
                    columns["out"].append(cards.DECK & ~(s.played[active] | shown[active] | hand))
                    columns["tricks"].append(left[active, seat])
                    columns["to_go"].append(np.full(len(active), 10 - s.trick))
                    leads = (s.leader[active] == seat).astype(np.int64)
                    columns["leads"].append(np.full(len(active), 2) if s.led_by_talon else leads)
    return {column: np.concatenate(values) for column, values in columns.items()}


def _count_trick(rows: Deals, last: Step, left: Ints, every: Ints) -> None:
    """Take the finished trick off what its winner has still to take; `last`: before its third card."""
    suit = last.card >> 3
    wins = np.where(last.best < 0, True, np.where(suit == last.best >> 3, last.card > last.best, suit == rows["trump"]))
    left[every, np.where(wins, last.seat, last.best_seat)] -= 1


def bold_games(act: Any, wanted: int, seed: int) -> dict[str, Ints]:
    """Contracts of the bolder bidder: the hands as dealt and as played, the order, who took what."""
    columns: dict[str, list[Any]] = {}
    for k, (name, seats) in enumerate(SOLVED):
        for rows, _ in deals(bold(act), name, seats, (K_GAME,), wanted, seed + k):
            every, declarer = np.arange(len(rows)), rows["declarer"].astype(np.int64)
            final = contract_hands(rows)
            found = {
                "dealt": rows["dealt"].astype(np.int64)[every, declarer],
                "final": final[every, declarer],
                "trump": rows["trump"].astype(np.int64),
                "level": np.array(LEVEL)[rows["contract"]],
                "tricks": rows["tricks"].astype(np.int64)[every, declarer],
            }
            for j in (1, 2):
                found[f"hand{j}"] = final[every, (declarer + j) % 3]
                found[f"tricks{j}"] = rows["tricks"].astype(np.int64)[every, (declarer + j) % 3]
            for column, values in found.items():
                columns.setdefault(column, []).append(values)
    return {column: np.concatenate(values) for column, values in columns.items()}


def misere_hands(safest: Any, wanted: int, seed: int) -> dict[str, Ints]:
    """Dealt hands with a thought of misère, the ten cards kept of twelve, who leads, the tricks they are made to take."""
    rng = np.random.default_rng(seed)
    dealt: list[Any] = []
    while sum(map(len, dealt)) < wanted:
        bits = 1 << rng.permuted(np.tile(np.arange(32), (50_000, 1)), axis=1).astype(np.int64)
        bad = sum(np.asarray(novice.BAD)[(bits[:, :10].sum(1) >> 8 * suit) & 255] for suit in range(4))
        dealt.append(bits[bad <= 4])
    bits = np.concatenate(dealt)[:wanted]
    hand, left, right, talon = bits[:, :10].sum(1), bits[:, 10:20].sum(1), bits[:, 20:30].sum(1), bits[:, 30:].sum(1)
    kept = np.array([h & ~int(safest(h)) for h in (hand | talon).tolist()], dtype=np.int64)
    leader = rng.integers(0, 3, wanted)
    given = positions(np.stack([kept, left, right], 1).astype(np.uint32), np.full(wanted, MISERE), 0, leader)
    return {"dealt": hand, "kept": kept, "leader": leader, "tricks": solve_many(given).astype(np.int64)}


def main(folder: Path, bot: str = "club") -> None:
    """One round."""
    from bots import club_fitting, club_tables

    folder.mkdir(parents=True, exist_ok=True)
    act = catalogue.BOTS[bot].compiled()
    if bot == "novice":

        def safest(hand: int) -> int:
            return int(novice.pair(hand, K_MISERE, D_NONE))

    else:
        safest = importlib.import_module("bots.club_words").safest_pair
    number = len(list(folder.glob("cards-*.npz")))
    seed = 1000 * (number + 1)
    found: dict[str, Callable[[], dict[str, Any]]] = {
        "cards": lambda: solved_cards(act, K_GAME, GAMES, seed),
        "misere": lambda: solved_cards(daring(act), K_MISERE, MISERES, seed + 10),
        "raspas": lambda: raspas_standings(passing(act), RASPAS_DEALS, seed + 20),
        "games": lambda: bold_games(act, BOLD_DEALS, seed + 30),
        "hands": lambda: misere_hands(safest, MISERE_HANDS, seed + 40),
    }
    for name, find in found.items():
        np.savez(folder / f"{name}-{number}.npz", **find())
        print(f"round {number}: {name} found", flush=True)
    club_tables.write_tables(club_tables.FILE, club_fitting.tables(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
