"""The solver against plain minimax: every kind, size, card on the table and talon lead."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bots.solver import MISERE, at_least_many, positions, solve_many, values_of_moves
from bots.solver.max_n import new_table, outcome, outcome_of
from bots.solver.root import play
from engine.jit import JIT, plain
from tests.solver import minimax
from tests.solver.generate import random_positions

N = 120 if JIT else 3
SIZES = (1, 2, 3, 4) if JIT else (1, 2)


def yardstick(given: NDArray[np.void], selfish: int = 0) -> NDArray[np.int64]:
    """The declarer's tricks by plain minimax; packed vectors where all seats are selfish."""
    out = np.zeros(len(given), dtype=np.int64)
    minimax.solve_range(plain(given), given["declarer"].astype(np.int64), selfish, out)
    return out if selfish else out >> 4 * given["declarer"].astype(np.int64) & 15


def check(given: NDArray[np.void]) -> None:
    expected = yardstick(given)
    assert np.array_equal(solve_many(given), expected)
    # the value is the best of the values after the legal cards, and both yes-no questions around it come out right
    after = values_of_moves(given).astype(np.int64)
    turn = (given["leader"] + (given["table"] >= 0).sum(axis=1)) % 3
    wants_many = (turn == given["declarer"]) != (given["game"] == MISERE)
    best = np.where(wants_many, np.where(after < 0, -1, after).max(axis=1), np.where(after < 0, 99, after).min(axis=1))
    assert np.array_equal(best, expected)
    assert at_least_many(given, expected).all() and not at_least_many(given, expected + 1).any()


@pytest.mark.parametrize("table", [0, 1, 2])
@pytest.mark.parametrize("game", range(6))
@pytest.mark.parametrize("cards", SIZES)
def test_values_equal_plain_minimax(cards: int, game: int, table: int) -> None:
    check(random_positions(np.random.default_rng([cards, game, table]), N, cards, game, table))


@pytest.mark.parametrize("takes", [False, True])
@pytest.mark.parametrize("talon", [1, 2])
@pytest.mark.parametrize("table", [0, 1, 2])
@pytest.mark.parametrize("cards", [2, 3, 4] if JIT else [2])
def test_values_with_the_talon_led_equal_plain_minimax(cards: int, table: int, talon: int, takes: bool) -> None:
    check(random_positions(np.random.default_rng([cards, table, talon, takes]), N, cards, MISERE, table, talon, takes))


def test_the_value_after_each_card_equals_plain_minimax_after_it() -> None:
    given = random_positions(np.random.default_rng(11), N // 2, 3, table=1)
    after = values_of_moves(given)
    for row, values in zip(given, after, strict=True):
        turn = (int(row["leader"]) + 1) % 3
        for card in range(32):
            if values[card] >= 0:
                next_row = np.array([row], dtype=given.dtype)
                next_row["hands"][0, turn] &= np.uint32(~(1 << card) & 0xFFFFFFFF)
                next_row["table"][0, 1] = card
                assert yardstick(next_row)[0] == values[card]


@pytest.mark.parametrize(("talon", "takes"), [(0, False), (2, False), (2, True), (1, True)])
@pytest.mark.parametrize("cards", [2, 3, 4] if JIT else [2])
def test_max_n_equals_the_plain_search_of_three_selfish_seats(cards: int, talon: int, takes: bool) -> None:
    for table in (0, 1, 2):
        given = random_positions(np.random.default_rng([cards, talon, takes, table]), N // 3, cards, MISERE, table, talon, takes)
        expected = yardstick(given, selfish=1)
        memory = new_table()
        found = [outcome_of(plain(given[i : i + 1]), plain(memory)) for i in range(len(given))]
        assert found == expected.tolist()


def test_guesses_threads_and_the_order_of_positions_change_nothing() -> None:
    rng = np.random.default_rng(5)
    given = np.concatenate([random_positions(rng, 20, cards) for cards in ((4, 6, 8) if JIT else (2,))])
    values = solve_many(given, threads=1)
    assert np.array_equal(values, solve_many(given, threads=3))
    assert np.array_equal(values[::-1], solve_many(np.ascontiguousarray(given[::-1])))
    for guess in (0, 2, 5, 10):
        guessed = given.copy()
        guessed["guess"] = guess
        assert np.array_equal(values, solve_many(guessed))


def test_no_positions_have_no_values() -> None:
    none = positions(np.zeros((0, 3), dtype=np.uint32), 0)
    assert len(solve_many(none)) == 0 and values_of_moves(none).shape == (0, 32)


@pytest.mark.parametrize("function", [play, outcome, minimax.best_vector])
def test_a_recursive_function_is_compiled_for_one_set_of_types(function: object) -> None:
    """Two versions that call each other break when they are loaded from the cache."""
    check(random_positions(np.random.default_rng(1), 3, 2, MISERE, 1, 2, True))
    assert len(getattr(function, "signatures", [0])) <= 1


def test_small_endings_are_solved_in_plain_python_too(root: Path) -> None:
    code = (
        "import numpy as np; from bots.solver import solve_many; from tests.solver.generate import random_positions;"
        "print(solve_many(random_positions(np.random.default_rng(3), 12, 2)).tolist())"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True, check=True).stdout
    assert told.strip() == str(solve_many(random_positions(np.random.default_rng(3), 12, 2)).tolist())
