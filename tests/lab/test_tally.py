"""The compiled counters against plain counting over the same deals; summed sheets against the pulkas' own results."""

import json
import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conventions import settlement
from engine import batch, contracts
from engine.table import D_WHIST, E_GAVE_UP, E_PLAYED, K_MISERE, K_RASPAS
from lab import tally
from lab.description import describe
from lab.run import Run

RUNS: list[dict[str, Any]] = [
    {"bots": "random,novice,novice", "pulkas": 12, "deal_limit": 40},
    {"bots": "novice", "pulkas": 8, "seats": 4, "options": {"ten_whisted": True, "talon_return": True}},
    {"convention": "rostov", "seats": 4, "bots": "novice,random,novice,random", "pulkas": 8, "deal_limit": 40},
    {"convention": "skachki", "bots": "novice", "pulkas": 2, "target": 6},
]


def finished(given: dict[str, Any]) -> tuple[Run, np.ndarray[Any, Any], batch.Block]:
    """The run, its finished deals and its tables."""
    run = Run(describe(given))
    rows: list[np.ndarray[Any, Any]] = []
    block = batch.play_block(run.setup, 0, run.description.pulkas, lambda some: rows.append(some.copy()))
    return run, np.concatenate(rows), block


@pytest.fixture(scope="module", params=RUNS, ids=[f"{r.get('convention', 'piter')}-{r.get('seats', 3)}" for r in RUNS])
def played(request: pytest.FixtureRequest) -> tuple[Run, np.ndarray[Any, Any], batch.Block, Any]:
    """A run with its deals, tables and counters."""
    run, rows, block = finished(request.param)
    counters = tally.new_tally()
    run.count(rows, counters)
    return run, rows, block, counters[0]


def test_contracts_by_player_rung_and_outcome(played: Any) -> None:
    run, rows, _, y = played
    counted: Counter[tuple[int, int, int]] = Counter()
    bids: Counter[tuple[int, int]] = Counter()
    for t in rows[rows["kind"] != K_RASPAS]:
        player = run.description.seatings[int(t["pulka"]) % len(run.description.seatings)][int(t["declarer"])]
        rung, taken = int(t["contract"]), int(t["tricks"][t["declarer"]])
        made = taken == 0 if t["kind"] == K_MISERE else taken >= contracts.LEVEL[rung]
        outcome = {1: tally.MADE if made else tally.FAILED, 2: tally.UNWHISTED, 3: tally.HALF, 4: tally.GAVE_UP}[int(t["ended"])]
        counted[player, rung, outcome] += 1
        bids[player, int(t["bid"])] += 1
    assert counted == {(int(a), int(b), int(c)): int(y["contracts"][a, b, c]) for a, b, c in np.argwhere(y["contracts"])}
    assert bids == {(int(a), int(b)): int(y["bids"][a, b]) for a, b in np.argwhere(y["bids"])}
    assert y["deals"] == len(rows) == y["class_deals"].sum() == y["states"].sum()


def test_raspas_by_state_and_tricks(played: Any) -> None:
    run, rows, _, y = played
    mine = rows[rows["kind"] == K_RASPAS]
    assert [int(n) for n in y["raspas"]] == [int((mine["level"] == s).sum()) for s in range(4)]
    held: Counter[tuple[int, int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for t in mine:
        seating = run.description.seatings[int(t["pulka"]) % len(run.description.seatings)]
        for seat in range(run.description.seats):
            tricks = int(t["tricks"][seat])
            if run.description.seats == 4 and seat == t["dealer"]:
                sat[int(t["level"]), tricks] += 1
            else:
                held[seating[seat], int(t["level"]), tricks] += 1
    assert held == {(int(a), int(b), int(c)): int(y["raspas_tricks"][a, b, c]) for a, b, c in np.argwhere(y["raspas_tricks"])}
    assert sat == {(int(a), int(b)): int(y["sitter_tricks"][a, b]) for a, b in np.argwhere(y["sitter_tricks"])}


def test_whist_words_are_counted_once_for_each_defender(played: Any) -> None:
    run, rows, _, y = played
    stalingrad = run.setup.terms.rules["stalingrad"][0]
    spoken = (rows["kind"] == 1) & (rows["ended"] != E_GAVE_UP) & (rows["checked"] == 0)
    forced = spoken & (rows["contract"] == contracts.SIX_SPADES) & (stalingrad != 0)
    assert y["stalingrads"] == forced.sum()
    said = rows[spoken & ~forced]
    assert y["words"].sum() == y["defence"].sum() == 2 * len(said)
    whists = sum(int((t["defence"][np.arange(4) != (t["dealer"] if t["seats"] == 4 else -1)] == D_WHIST).sum()) for t in said)
    assert y["words"][:, 1].sum() == whists
    lone = said[(said["ended"] == E_PLAYED) & (said["whister"] >= 0) & ~((said["seats"] == 4) & (said["whister"] == said["dealer"]))]
    assert y["opened"].sum() == len(lone)


def test_the_course_follows_pool_and_mountain(played: Any) -> None:
    _, rows, _, y = played
    at = rows[rows["deal_no"] == 5]
    assert y["course"][4].tolist() == [len(at), at["pool"].sum() + at["pool_done"].sum(), at["mountain"].sum() + at["mountain_done"].sum()]


def test_the_summed_sheets_of_all_deals_are_the_pulkas_sheets(played: Any) -> None:
    _, _, block, y = played
    tables = block.tables
    assert y["sheets"][:, :, 0].sum() == tables["pool"].sum() + tables["pool_done"].sum()
    assert y["sheets"][:, :, 1].sum() == tables["mountain"].sum() + tables["mountain_done"].sum()
    assert y["sheets"][:, :, 2].sum() == 0


def test_a_role_is_worth_what_its_deals_settle_to(played: Any) -> None:
    """Settling the sum is summing the settlements: each deal of a class on its own sheet, settled, and added up by role."""
    run, rows, _, y = played
    seats, rules = run.description.seats, run.setup.terms.rules
    worths = int(rules["pool_worth"][0]), int(rules["mountain_worth"][0])
    made = Fraction(0)
    for t in rows[rows["kind"] != K_RASPAS]:
        if t["ended"] == E_GAVE_UP:
            continue
        sheet = [[Fraction(int(v), 6) for v in t[f][:seats]] for f in ("d_pool", "d_mountain")]
        whists = [[Fraction(int(v), 6) for v in row[:seats]] for row in t["d_whists"][:seats]]
        made += settlement.settle(sheet[0], sheet[1], whists, *worths)[int(t["declarer"])]
    total = sum((tally.worth(y["sheets"][rung], seats, *worths)[0] for rung in range(1, 27)), Fraction(0))
    assert total == made


def test_sparse_form_keeps_every_counter(played: Any) -> None:
    _, rows, _, _ = played
    run = played[0]
    counters = tally.new_tally()
    run.count(rows, counters)
    pairs = json.loads(json.dumps(tally.to_sparse(counters)))
    assert tally.from_sparse(pairs).tobytes() == counters.tobytes()
    with pytest.raises(ValueError, match="does not have"):
        tally.from_sparse([10**6, 1])


def test_the_ways_out_of_raspas(played: Any) -> None:
    _, rows, _, y = played
    left = rows[(rows["level"] > 1) & (rows["next_level"] == 1) & (rows["kind"] != K_RASPAS)]
    assert y["exits"].sum() == len(left)
    assert y["exits"][:, 0].sum() == (left["ended"] == E_PLAYED).sum()


_PLAIN = """
import hashlib, numpy as np
from lab.description import describe
from lab.run import Run
played = Run(describe({"bots": "random", "pulkas": 2, "seats": 4, "deal_limit": 6})).play(0, 2)
print(hashlib.sha256(played.tally.tobytes() + played.tables.tobytes()).hexdigest())
"""


def test_plain_python_counts_the_same(root: Path) -> None:
    digests = []
    for off in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": off, "PYTHONPATH": str(root)}
        answer = subprocess.run([sys.executable, "-c", _PLAIN], capture_output=True, text=True, env=environment, cwd=root, check=True)
        digests.append(answer.stdout)
    assert digests[0] == digests[1]
