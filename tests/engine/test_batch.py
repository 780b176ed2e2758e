"""The fast core: blocks are pure functions, whoever plays in them and however many threads work."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bots import random as random_bot
from bots.python import View, one_by_one
from engine import actions, jit
from engine.batch import Player, Setup, blocks, play_block
from engine.cards import CARD_NAMES, DECK
from engine.contracts import contract_text
from engine.jit import bot_address
from engine.table import E_GAVE_UP, K_GAME, K_RASPAS, LOG, P_BID, P_OVER, VIEW
from engine.terms import Terms
from tests.helpers import CASES, terms

MANY = 64 if jit.JIT else 3


def random_player(played: Terms) -> Player:
    return Player("random", bot_address(random_bot.act, VIEW, played.rules.dtype))


def setup_of(played: Terms, players: tuple[Player, ...] = (), seating: tuple[int, ...] = (), **more: int) -> Setup:
    return Setup(played, players or (random_player(played),), (seating or (0,) * played.seats,), **{"seed": 5, "limit": 20} | more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_random_play_ends_without_a_fault_and_its_sheet_settles(name: str, seats: int) -> None:
    block = play_block(setup_of(terms(name, seats)), 0, MANY)
    assert not block.failures
    assert (block.tables["phase"] == P_OVER).all() and not block.tables["fault"].any()
    assert (block.tables["deal_no"] <= 20).all() and (block.tables["deal_no"] > 0).all()


def test_threads_and_block_sizes_give_the_same_bytes() -> None:
    setup = setup_of(terms())

    def played(workers: int, size: int) -> bytes:
        with ThreadPoolExecutor(workers) as pool:
            return b"".join(pool.map(lambda r: play_block(setup, *r).tables.tobytes(), blocks(7, MANY, size)))

    assert len({played(1, MANY), played(2, 5), played(4, 1), played(4, 7)}) == 1


def test_chunks_of_decks_do_not_matter() -> None:
    setup = setup_of(terms("sochi", 4))
    assert len({play_block(setup, 0, 4, chunk=c).tables.tobytes() for c in (1, 3, 32)}) == 1


class LowestLegal:
    """A Python bot that takes the lowest legal action, or the view's random one."""

    def act(self, view: View) -> int:
        legal = view.legal_actions()
        return legal[(view.random >> 32) * len(legal) >> 32]


class LowestLegalBatch:
    def act_batch(self, views: np.ndarray) -> list[int]:
        return [LowestLegal().act(View(views, i, None)) for i in range(len(views))]


@pytest.mark.parametrize("seating", [(0, 1, 2), (1, 1, 0), (2, 2, 2)])
def test_compiled_python_and_batch_bots_of_one_mind_play_the_same_game(seating: tuple[int, ...]) -> None:
    played = terms()
    players = (
        random_player(played),
        Player("python", make_policy=one_by_one(LowestLegal, played.rules)),
        Player("batch", make_policy=LowestLegalBatch),
    )
    mixed = play_block(setup_of(played, players, seating, limit=6), 0, 3)
    assert not mixed.failures
    assert mixed.tables.tobytes() == play_block(setup_of(played, limit=6), 0, 3).tables.tobytes()


class Awkward:
    """Plays on until the third deal, then misbehaves."""

    def __init__(self, how: str) -> None:
        self.how = how

    def act(self, view: View) -> int | str:
        if view.deal_no == 2 and self.how == "raises":
            raise RuntimeError("no idea")
        if view.deal_no == 2 and self.how == "nonsense":
            return "banana"
        if view.deal_no == 2 and self.how == "illegal":
            return actions.ACTIONS - 1
        if view.deal_no == 2 and self.how == "huge":
            return 10**9
        return view.legal_actions()[0]


@pytest.mark.parametrize("how", ["raises", "nonsense", "illegal", "huge"])
def test_a_failing_bot_ends_its_own_pulka_only_and_is_named(how: str) -> None:
    played = terms()
    players = (random_player(played), Player("awkward", make_policy=one_by_one(lambda: Awkward(how), played.rules)))
    setup = Setup(played, players, ((0, 0, 0), (0, 1, 0)), seed=5, limit=20)
    block = play_block(setup, 0, 6)
    failed = {f.pulka for f in block.failures}
    assert failed and failed <= {1, 3, 5} and len(block.failures) == len(failed)
    for failure in block.failures:
        assert failure.player == "awkward" and failure.deal == 3 and failure.seat == 1 and failure.reason
        assert failure.view["deal_no"][0] == 2 and failure.view["legal"][0]
    clean = play_block(Setup(played, (players[0],), ((0, 0, 0),), seed=5, limit=20), 0, 6)
    for i in (0, 2, 4):
        assert block.tables[i].tobytes() == clean.tables[i].tobytes()


def test_a_compiled_bot_that_raises_or_errs_is_reported() -> None:
    def errs(v, r):
        return 40 if v.deal_no == 1 else v.first_action + jit.lowbit(v.legal)

    def raises(v, r):
        if v.deal_no == 1:
            raise ValueError("no")
        return v.first_action + jit.lowbit(v.legal)

    played = terms()
    for function, action in ((errs, 40), (raises, -1)):
        player = Player(function.__name__, bot_address(function, VIEW, played.rules.dtype))
        block = play_block(setup_of(played, (player,)), 0, 2)
        assert [(f.pulka, f.deal, f.player, f.action) for f in block.failures] == [(i, 2, function.__name__, action) for i in range(2)]


def test_duplicate_sets_have_the_same_cards_under_every_seating() -> None:
    played = terms()
    player = random_player(played)
    setup = Setup(played, (player, player, player), ((0, 1, 2), (1, 2, 0)), seed=9, limit=3, duplicate=True)
    tables = play_block(setup, 0, 4).tables
    assert tables["dealt"][0].tolist() == tables["dealt"][1].tolist() != tables["dealt"][2].tolist()


_WORDS = {"pass", "misere", "take", "refuse", "give-up", "whist", "open", "closed", "pool", "mountain"}
_CONTRACTS = {f"{n}{t}" for n in range(6, 11) for t in "SCDHN"}


def test_random_says_and_plays_everything_that_the_rules_allow() -> None:
    words: set[str] = set()
    orders: set[str] = set()
    discards = 0

    def on_deals(rows: np.ndarray) -> None:
        nonlocal discards
        said = np.unique(rows["log"][np.arange(LOG) < rows["words"][:, None]])
        words.update(actions.action_text(a) for a in said.tolist())
        played = (rows["kind"] == K_GAME) & (rows["ended"] != E_GAVE_UP)
        orders.update(contract_text(c) for c in np.unique(rows["contract"][played]).tolist())
        discards |= int(np.bitwise_or.reduce(rows["discard"]))

    def modest(v, r):
        if v.phase == P_BID and v.deal_no % 2 == 0:  # uniform bids seldom stay at six
            return actions.BID + 1 if v.bid == 0 and v.legal & 2 else actions.PASS
        return random_bot.act(v, r)

    pulkas, limit = (500, 60) if jit.JIT else (12, 40)
    for name, options in (("piter", {"talon_return": True, "ten_whisted": True}), ("skachki", {}), ("rostov", {})):
        played = terms(name, 4, **options)
        mixed = (random_player(played), Player("modest", bot_address(modest, VIEW, played.rules.dtype)))
        play_block(Setup(played, mixed, ((0,) * 4, (1,) * 4), seed=5, limit=limit), 0, pulkas, on_deals)
    assert words >= _WORDS | set(CARD_NAMES) and discards == DECK
    if jit.JIT:  # rarer than a few hundred deals
        assert words >= _CONTRACTS | {"half"} | {f"look:{s}" for s in range(4)} and orders == _CONTRACTS


def test_finished_deals_are_handed_out_in_order_with_all_their_cards() -> None:
    seen: list[tuple[int, int]] = []

    def on_deals(rows: np.ndarray) -> None:
        assert (rows["tricks"].sum(axis=1)[rows["trick_no"] == 10] == 10).all()
        assert (rows["dealt"][:, :3] != 0).all()
        assert ((rows["kind"] == K_RASPAS) | (rows["declarer"] >= 0)).all()
        seen.extend(zip(rows["pulka"].tolist(), rows["deal_no"].tolist(), strict=True))

    block = play_block(setup_of(terms()), 0, 5, on_deals, chunk=4)
    expected = {(i, d + 1) for i in range(5) for d in range(int(block.tables["deal_no"][i]))}
    assert set(seen) == expected and len(seen) == len(expected)
    for i in range(5):
        deals = [d for p, d in seen if p == i]
        assert deals == sorted(deals)
