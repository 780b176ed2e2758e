"""A recorded pulka judged with all cards known: what each deal comes to with best play, and what every card played cost.

A card of a contract costs the tricks by which the declarer's double-dummy value moves against the seat that decided; a card of a
raspas the tricks by which the *paranoid* value of the seat itself rises (it plays for the fewest, both others for the most it
can be given), and in the last five tricks also what it costs if everybody plays for himself (max^n). Whists are what the
convention's own scorer makes of the difference: the finished deal is written again with other tricks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from bots.solver import Position, max_n, values_of_moves
from bots.solver.position import RASPAS
from conventions.settlement import DENOMINATOR, settle_tables
from engine import cards, contracts, jit
from engine.game import Event
from engine.jit import call_scorer, rule
from engine.table import C_NONE, C_POOL, E_PLAYED, K_RASPAS, P_PLAY, S_CHOOSERS, S_ENTRIES, new_tables
from engine.terms import Terms
from lab.replaying import Checked

Array = np.ndarray[Any, Any]
ENDING = 5  # tricks left from which a raspas is also judged by max^n


@attrs.frozen
class Play:
    """One card as it was judged. Values are tricks from this card on, the trick under way included."""

    deal: int  # from 1
    number: int  # of the deal's thirty cards, from 1
    seat: int  # whose hand it came from
    actor: int  # who decided
    card: int
    position: Position  # before it, the three hands in the order of `Deal.order`
    counted: int  # whose tricks the values are: the declarer's seat, in raspas the seat itself
    best: int | None = None  # value with best play; None where there was no choice, or nothing to judge by
    after: int | None = None  # value after this card
    best_cards: tuple[int, ...] = ()
    max_n_cost: int | None = None  # raspas endings: own tricks more than need be if all play for themselves
    whists: Fraction = Fraction(0)  # what it cost the actor

    @property
    def trick(self) -> int:
        return (self.number + 2) // 3

    @property
    def cost(self) -> int:
        """Tricks lost by it, 0 where there was no choice."""
        return 0 if self.best is None or self.after is None else abs(self.best - self.after)


@attrs.frozen
class Deal:
    """One deal: what was played, what it comes to double dummy, and its cards."""

    number: int  # from 1
    table: Array  # the finished table, one record
    order: tuple[int, ...]  # seats of first, second and third hand: seats 0, 1, 2 of every position
    value: int | None  # the declarer's double-dummy tricks; None for raspas and unplayed deals
    paranoid: tuple[int, ...] | None  # raspas: by hand order
    plays: tuple[Play, ...]

    @property
    def kind(self) -> int:
        return int(self.table["kind"])


def deal_of(checked: Checked, number: int, threads: int | None = None) -> Deal:
    """Judge deal `number` (from 1) of a record that replayed."""
    game = checked.game
    table = game.finished_deals[number - 1]
    t = table[0]
    seats, dealer = game.terms.seats, int(t["dealer"])
    order = tuple((dealer + 1 + k) % seats for k in range(3))
    if int(t["ended"]) != E_PLAYED:
        return Deal(number, t, order, None, None, ())
    played = [e for e in game.events if e.deal == number and e.phase == P_PLAY]
    plays = _positions(game.terms, t, order, played)
    raspas = int(t["kind"]) == K_RASPAS
    if raspas and not _solver_knows(game.terms):
        return Deal(number, t, order, None, None, tuple(plays))
    judged = _judged(plays, order, raspas, threads)
    prices = Prices(game.terms, table)
    judged = [attrs.evolve(play, whists=prices.cost(play, _so_far(play, played, seats))) if play.cost else play for play in judged]
    first = plays[0].position
    if raspas:
        from bots.solver import paranoid

        return Deal(number, t, order, None, paranoid(first), tuple(judged))
    return Deal(number, t, order, _first_value(first, threads), None, tuple(judged))


def _solver_knows(terms: Terms) -> bool:
    """Whether the solver plays this raspas: where the talon leads, it has first hand lead to the third trick (`docs/rules.md` 6.2)."""
    rules = terms.rules[0]
    return bool(rules["raspas_talon"] == 0 or rules["first_hand_leads_third"])


def _first_value(position: Position, threads: int | None) -> int:
    from bots.solver import solve_many

    return int(solve_many(position.record(), threads)[0])


def _positions(terms: Terms, t: Any, order: tuple[int, ...], played: Sequence[Event]) -> list[Play]:
    hands = [0, 0, 0]
    for e in played:
        hands[order.index(e.seat)] |= 1 << e.action
    raspas = int(t["kind"]) == K_RASPAS
    leads = raspas and bool(terms.rules["raspas_talon"][0])
    talon = tuple(int(c) for c in t["talon"])
    contract = RASPAS if raspas else contracts.contract_text(int(t["contract"]))
    plays = []
    for at, e in enumerate(played):
        turn = order.index(e.seat)
        trick, inside = divmod(at, 3)
        counted = turn if raspas else order.index(int(t["declarer"]))
        position = Position(
            tuple(hands),  # type: ignore[arg-type]
            contract,
            counted,
            order.index(played[3 * trick].seat),
            tuple(x.action for x in played[3 * trick : at]),
            talon[trick:] if leads and trick < 2 else (),
            leads and trick < 2 and terms.seats == 4,
        )
        plays.append(Play(e.deal, at + 1, e.seat, e.actor, e.action, position, order[counted]))
        hands[turn] &= ~(1 << e.action)
        assert inside == len(position.table)
    return plays


def _judged(plays: list[Play], order: tuple[int, ...], raspas: bool, threads: int | None) -> list[Play]:
    """Each play with its values: one call of the solver for the deal."""
    chosen = [k for k, play in enumerate(plays) if play.position.legal.bit_count() > 1]
    if not chosen:
        return plays
    values = values_of_moves(np.concatenate([plays[k].position.record() for k in chosen]), threads)
    result = list(plays)
    for k, row in zip(chosen, values.tolist(), strict=True):
        play = plays[k]
        after = {card: value for card, value in enumerate(row) if value >= 0}
        best = max(after.values()) if play.position.wants_many else min(after.values())
        ending = raspas and play.position.hands[play.position.turn].bit_count() <= ENDING
        result[k] = attrs.evolve(
            play,
            best=best,
            after=after[play.card],
            best_cards=tuple(card for card, value in after.items() if value == best),
            max_n_cost=_max_n_cost(play) if ending else None,
        )
    return result


def after_card(position: Position, card: int) -> tuple[Position | None, int]:
    """The position after a card (None after the last), and the hand 0..2 that takes a trick with it, -1 where none does."""
    following = position.played(card)
    if len(position.table) < 2:
        return following, -1
    trick = (*position.table, card)
    led = (position.talon[0] if position.talon else trick[0]) // 8
    trump = min(position.game, cards.NO_TRUMP)
    ranked = [(c // 8 == trump, c // 8 == led, c) for c in trick]
    best = max(range(3), key=lambda k: ranked[k])
    if position.talon and position.talon_takes and ranked[best] < (False, True, position.talon[0]):
        return following, -1  # the talon card takes it for the dealer
    return following, (position.leader + best) % 3


def _max_n_cost(play: Play) -> int:
    """By how many tricks the seat takes more than it need, if all three play for themselves from here on."""
    turn = play.position.turn
    own = {}
    for card in cards.cards_of(play.position.legal):
        following, winner = after_card(play.position, card)
        own[card] = (max_n(following)[turn] if following else 0) + (winner == turn)
    return own[play.card] - min(own.values())


def _so_far(play: Play, played: Sequence[Event], seats: int) -> list[int]:
    """Tricks of every seat before the trick in which the play fell."""
    tricks = [0] * seats
    for e in played[: play.number - 1]:
        if e.took >= 0:
            tricks[e.took] += 1
    return tricks


@rule
def write_again(tables, scorer, rules):
    """Write the deal of each table anew, its sheet being that before the deal; who has a choice he never made writes in the pool."""
    for i in range(len(tables)):
        t = tables[i]
        choosers = call_scorer(scorer, t, rules, S_CHOOSERS)
        for seat in range(4):
            if choosers >> seat & 1 == 0:
                t.choice[seat] = C_NONE
            elif t.choice[seat] == C_NONE:
                t.choice[seat] = C_POOL
        call_scorer(scorer, t, rules, S_ENTRIES)


class Prices:
    """What a finished deal settles to with other tricks, by the convention's own scorer."""

    def __init__(self, terms: Terms, table: Array) -> None:
        self.terms = terms
        self.final = [int(x) for x in table["tricks"][0][: terms.seats]]
        self.kind = int(table["kind"][0])
        self.dealer = int(table["dealer"][0])
        self.before = table.copy()
        for name in ("pool", "mountain", "whists"):
            self.before[name] -= table[f"d_{name}"]
        self._known: dict[tuple[int, ...], tuple[Fraction, ...]] = {}

    def results(self, tricks: Sequence[int]) -> tuple[Fraction, ...]:
        """What the deal alone settles to for each seat, in whists, if the seats had taken these tricks."""
        key = tuple(tricks)
        if key not in self._known:
            written = self.before.copy()
            written["tricks"][0, : self.terms.seats] = key
            write_again(jit.plain(written), self.terms.scorer_number, self.terms.pointer)
            sheet = new_tables(1)
            sheet["seats"] = written["seats"]
            for name in ("pool", "mountain", "whists"):
                sheet[name] = written[f"d_{name}"]
            rules = self.terms.rules
            row = settle_tables(sheet, int(rules["pool_worth"][0]), int(rules["mountain_worth"][0]))[0]
            self._known[key] = tuple(Fraction(int(x), DENOMINATOR) for x in row[: self.terms.seats])
        return self._known[key]

    def spread(self, seat: int, tricks: int) -> list[int]:
        """Ten tricks of which `seat` has so many: the two others who hold cards share the rest as nearly as they did at the table."""
        row = [0] * self.terms.seats
        row[seat] = tricks
        rest = 10 - tricks
        if self.terms.seats == 4 and seat != self.dealer:
            row[self.dealer] = min(self.final[self.dealer], rest)
            rest -= row[self.dealer]
        others = [s for s in ((self.dealer + 1 + k) % self.terms.seats for k in range(3)) if s != seat]
        a, b = (self.final[s] for s in others)
        share = Fraction(rest * a, a + b) if a + b else Fraction(rest, 2)
        row[others[0]] = int(share + Fraction(1, 2))  # a half goes to the earlier hand
        row[others[1]] = rest - row[others[0]]
        return row

    def cost(self, play: Play, so_far: Sequence[int]) -> Fraction:
        """What a play cost its actor: the deal with best play from there less the deal after it, both double dummy to the end."""
        assert play.best is not None and play.after is not None
        counted = play.counted
        best = self.results(self.spread(counted, so_far[counted] + play.best))
        after = self.results(self.spread(counted, so_far[counted] + play.after))
        return best[play.actor] - after[play.actor]


def worst(deals: Sequence[Deal], seat: int, number: int, raspas: bool) -> list[Play]:
    """The plays a seat decided, in contracts or in raspas, that cost most: by whists, then by tricks, the earliest first among equals."""
    costly = [play for deal in deals if (deal.kind == K_RASPAS) == raspas for play in deal.plays if play.cost and play.actor == seat]
    costly.sort(key=lambda play: (-play.whists, -play.cost, play.deal, play.number))
    return costly[:number]


def solve_line(position: Position) -> dict[str, Any]:
    """A position as `preferans solve` reads it (`docs/interfaces.md`, solving)."""
    line: dict[str, Any] = {"hands": [cards.hand_text(hand) for hand in position.hands], "contract": position.contract}
    if position.contract != RASPAS:
        line["declarer"] = position.declarer
    line["leader"] = position.leader
    for name in ("table", "talon"):
        if getattr(position, name):
            line[name] = [cards.card_text(card) for card in getattr(position, name)]
    if position.talon_takes:
        line["talon_takes"] = True
    return line
