"""Every claim of `bots/solver/claims.py` and `bounds.py`, on its own, against plain minimax.

A claim is checked wherever it speaks in thousands of random endings, so that one false case fails the test; each test
also counts how often its claim spoke.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from bots.solver import claims as claimed
from bots.solver.claims import RUNS, TRICKS_MASK, WORDS, claims
from bots.solver.codes import code_of, suits
from bots.solver.kernel import KINDS, kernel
from bots.solver.root import MISERE_GAME
from engine.jit import JIT, plain
from tests.solver import minimax
from tests.solver.generate import random_positions

# cards in a hand, how many endings, of how many suits: fewer suits make them longer
SIZES = ((2, 1000, 4), (2, 6000, 2), (3, 3000, 4), (3, 5000, 2), (4, 2000, 3), (4, 3000, 2)) if JIT else ((2, 300, 4), (3, 150, 2))
SUIT, NO_TRUMP, MISERE = 0, 4, MISERE_GAME


class Ending(NamedTuple):
    codes: list[int]  # by suit, the trump suit first
    leader: int  # 0: the declarer
    rest: int
    value: int  # the declarer's tricks


def codes_of(record: Any, trump: int) -> list[int]:
    """The codes of the four suits, seats rotated so that the declarer is 0, written down from the definition."""
    declarer = int(record["declarer"])
    hands = [int(record["hands"][(declarer + k) % 3]) for k in range(3)]
    codes = []
    for suit in sorted(range(4), key=lambda s: s != trump):
        owners = [k for rank in range(7, -1, -1) for k in range(3) if hands[k] >> 8 * suit + rank & 1]
        codes.append(code_of(owners))
    return codes


@cache
def endings(game: int) -> list[Ending]:
    rng = np.random.default_rng(100 + game)
    result = []
    for cards, n, suit_count in SIZES:
        given = random_positions(rng, n, cards, game, suits=suit_count)
        vectors = np.zeros(n, dtype=np.int64)
        minimax.solve_range(plain(given), given["declarer"].astype(np.int64), 0, vectors)
        for record, vector in zip(given, vectors.tolist(), strict=True):
            declarer = int(record["declarer"])
            leader = (int(record["leader"]) - declarer) % 3
            result.append(Ending(codes_of(record, game), leader, cards, vector >> 4 * declarer & 15))
    return result


def test_a_code_lists_the_owners_from_the_highest_card_down() -> None:
    s = suits()
    code = code_of([2, 0, 0, 1])
    assert s.owner[code].tolist() == [2, 0, 0, 1, 3, 3, 3, 3]
    assert s.count[code].tolist() == [2, 1, 1]
    assert s.high[code, 0, :3].tolist() == [1, 2, 15] and s.low[code, 0, :3].tolist() == [2, 1, 15]
    assert s.touching()[code].tolist() == [0b0010, 0b1000, 0b0001]
    assert s.after()[code, :4].tolist() == [code_of([0, 0, 1]), code_of([2, 0, 1]), code_of([2, 0, 1]), code_of([2, 0, 0])]


def test_codes_are_all_different_and_none_is_left_out() -> None:
    assert {code_of([int(o) for o in row if o < 3]) for row in suits().owner} == set(range(len(suits().owner)))


def test_the_fields_of_a_word_do_not_run_into_each_other() -> None:
    words, shifts = claims()
    for name, shift in shifts.items():
        if name.startswith("run"):
            expected = claimed.cashing(int(name[3]), int(name[4]))
            assert np.array_equal(words[:, RUNS] >> shift & TRICKS_MASK, expected)
    assert words.shape[1] == WORDS and (words >= 0).all()


def check(game: int, leaders: tuple[int, ...], rule: Any, least: int) -> None:
    """`rule(ending)` is None where a claim is silent, else whether it is true."""
    spoke = 0
    for ending in endings(game):
        if ending.leader in leaders:
            truth = rule(ending)
            if truth is not None:
                spoke += 1
                assert truth, ending
    assert spoke >= (least if JIT else 1), spoke


def total(claim: Any, codes: list[int]) -> int:
    return int(sum(claim[code] for code in codes))


def test_cashing_from_the_top_wins_that_many_tricks_without_trumps() -> None:
    for leader in range(3):
        runs = claimed.cashing(leader, claimed.NOBODY)

        def rule(e: Ending, runs: Any = runs, leader: int = leader) -> bool | None:
            run = total(runs, e.codes)
            mine = e.value if leader == 0 else e.rest - e.value
            return mine >= run if run else None

        check(NO_TRUMP, (leader,), rule, 1000)


def test_handing_over_wins_one_more_trick_without_trumps() -> None:
    for leader in (1, 2):
        runs, over = claimed.cashing(leader, claimed.NOBODY), claimed.handing_over(leader, claimed.NOBODY)

        def rule(e: Ending, runs: Any = runs, over: Any = over) -> bool | None:
            return e.rest - e.value >= total(runs, e.codes) + 1 if total(over, e.codes) else None

        check(NO_TRUMP, (leader,), rule, 500)


def test_a_leader_who_must_lead_into_top_cards_gives_the_other_side_its_runs() -> None:
    runs = [claimed.cashing(seat, claimed.NOBODY) for seat in range(3)]
    topped = [claimed.topped(seat) for seat in range(3)]

    def by_declarer(e: Ending) -> bool | None:
        if total(topped[0], e.codes):
            return None
        least = min(total(runs[j], e.codes) for j in (1, 2) if total(topped[j], e.codes))
        return e.value <= e.rest - least

    check(NO_TRUMP, (0,), by_declarer, 200)
    for leader in (1, 2):
        lacking = claimed.lacking(leader)

        def by_defender(e: Ending, lacking: Any = lacking) -> bool | None:
            return None if total(lacking, e.codes) else e.value >= total(runs[0], e.codes)

        check(NO_TRUMP, (leader,), by_defender, 20)


def test_unbeaten_trumps_win_tricks_whoever_leads() -> None:
    declarers = claimed.unbeaten(0)
    defence = np.maximum(claimed.unbeaten(1), claimed.unbeaten(2))
    check(SUIT, (0, 1, 2), lambda e: e.value >= declarers[e.codes[0]] if declarers[e.codes[0]] else None, 1000)
    check(SUIT, (0, 1, 2), lambda e: e.rest - e.value >= defence[e.codes[0]] if defence[e.codes[0]] else None, 1000)


def variant(codes: list[int], leader: int) -> int:
    count = suits().count[codes[0]]
    return int(count[(leader + 1) % 3] > 0) + 2 * int(count[(leader + 2) % 3] > 0)


def test_side_suits_are_cashed_while_those_who_could_ruff_must_follow() -> None:
    for leader in range(3):
        runs = [claimed.cashing(leader, v) for v in range(claimed.VARIANTS)]
        trumps = claimed.unbeaten(0) if leader == 0 else np.maximum(claimed.unbeaten(1), claimed.unbeaten(2))
        for wanted in range(claimed.VARIANTS):

            def rule(e: Ending, wanted: int = wanted, runs: Any = runs, trumps: Any = trumps, leader: int = leader) -> bool | None:
                run = total(runs[wanted], e.codes[1:])
                if variant(e.codes, leader) != wanted or not run:
                    return None
                mine = e.value if leader == 0 else e.rest - e.value
                return mine >= run + trumps[e.codes[0]]

            check(SUIT, (leader,), rule, 100)


def test_handing_over_a_side_suit_wins_one_more_trick() -> None:
    trumps = np.maximum(claimed.unbeaten(1), claimed.unbeaten(2))
    for leader in (1, 2):
        runs = [claimed.cashing(leader, v) for v in range(claimed.VARIANTS)]
        over = [claimed.handing_over(leader, v) for v in range(claimed.VARIANTS)]

        def rule(e: Ending, leader: int = leader, runs: Any = runs, over: Any = over) -> bool | None:
            v = variant(e.codes, leader)
            if not total(over[v], e.codes[1:]):
                return None
            return e.rest - e.value >= total(runs[v], e.codes[1:]) + 1 + trumps[e.codes[0]]

        check(SUIT, (leader,), rule, 200)


def test_who_draws_all_enemy_trumps_takes_his_trumps_and_his_side_suits() -> None:
    count = suits().count
    for leader in range(3):
        drawing = claimed.cashing(leader, claimed.NOBODY)
        runs = [claimed.cashing(leader, v) for v in range(claimed.VARIANTS)]

        def rule(e: Ending, leader: int = leader, drawing: Any = drawing, runs: Any = runs) -> bool | None:
            drawn, trumps = int(drawing[e.codes[0]]), count[e.codes[0]]
            enemies = max(trumps[1], trumps[2]) if leader == 0 else trumps[0]
            if not drawn or drawn < enemies:
                return None
            left = claimed.NOBODY
            if leader and trumps[3 - leader] > drawn:
                left = claimed.FIRST_RUFFS if leader == 1 else claimed.SECOND_RUFFS
            mine = e.value if leader == 0 else e.rest - e.value
            return mine >= drawn + total(runs[left], e.codes[1:])

        check(SUIT, (leader,), rule, 200)


def test_a_declarer_safe_in_all_suits_takes_nothing_on_misere() -> None:
    safe, lead = claimed.safe(False), claimed.safe(True)
    check(MISERE, (1, 2), lambda e: e.value == 0 if total(safe, e.codes) == 4 else None, 200)

    def gets_off_lead(e: Ending) -> bool | None:
        """The suit to lead is trusted for what `safe(True)` says of it, the other three for being safe."""
        for k, code in enumerate(e.codes):
            if lead[code] and total(safe, e.codes[:k] + e.codes[k + 1 :]) == 3:
                return e.value == 0
        return None

    check(MISERE, (0,), gets_off_lead, 50)


def test_a_declarer_stuck_in_all_suits_takes_everything_on_misere() -> None:
    stuck = [claimed.stuck(leader) for leader in range(3)]
    check(MISERE, (0,), lambda e: e.value == e.rest if total(stuck[0], e.codes) == 4 else None, 50)
    for leader in (1, 2):

        def rule(e: Ending, leader: int = leader) -> bool | None:
            return e.value == e.rest if total(stuck[0], e.codes) == 4 and total(stuck[leader], e.codes) else None

        check(MISERE, (leader,), rule, 20)


def test_on_misere_the_declarer_on_lead_can_lose_the_trick_exactly_if_he_has_an_exit() -> None:
    exits = claimed.exits()
    check(MISERE, (0,), lambda e: None if total(exits, e.codes) else e.value >= 1, 50)
    check(MISERE, (0,), lambda e: e.value <= e.rest - 1 if total(exits, e.codes) else None, 500)


def test_on_misere_a_defender_on_lead_can_give_the_declarer_the_trick_exactly_if_he_has_a_catch() -> None:
    for leader in (1, 2):
        catches = claimed.catches(leader)
        check(MISERE, (leader,), lambda e, c=catches: e.value >= 1 if total(c, e.codes) else None, 200)
        check(MISERE, (leader,), lambda e, c=catches: None if total(c, e.codes) else e.value <= e.rest - 1, 200)


@pytest.mark.parametrize(("kind", "game"), [(0, SUIT), (1, NO_TRUMP), (2, MISERE)], ids=KINDS)
def test_the_bounds_the_kernel_uses_hold_the_value(kind: int, game: int) -> None:
    from bots.solver.codes import CODE_BITS
    from bots.solver.workspace import new_workspace
    from engine.jit import rule

    bounds = kernel(kind).bounds

    @rule
    def both(workspace, position, leader, rest):
        return bounds(workspace[0], position, leader, rest)

    workspace = plain(new_workspace())
    narrow = 0
    for e in endings(game):
        position = sum(code << CODE_BITS * k for k, code in enumerate(e.codes))
        lower, upper = both(workspace, position, e.leader, e.rest)
        assert lower <= e.value <= upper, e
        narrow += lower == upper
    assert narrow > len(endings(game)) // 20
