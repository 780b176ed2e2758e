"""The compiled scorer and the slow one agree on random protocols: every convention, both seat counts, random options.

`PREFERANS_AGREEMENT_DEALS` sets the deals per convention and number of seats (`python -m tests.compare_scorers` prints the same).
"""

import os

import pytest

from tests.compare_scorers import compare, difference_of
from tests.protocol_generator import seatings
from tests.slow_conventions import CONVENTIONS

DEALS = int(os.environ.get("PREFERANS_AGREEMENT_DEALS", "2000"))
TABLES = [(name, seats) for name in CONVENTIONS for seats in seatings(name)]


@pytest.mark.parametrize(("convention", "seats"), TABLES, ids=[f"{name}-{seats}" for name, seats in TABLES])
def test_scorers_agree(convention: str, seats: int) -> None:
    found = compare(convention, seats, DEALS, seed=0)
    assert found.difference == ""
    assert found.deals >= DEALS


def test_a_difference_would_be_seen() -> None:
    """The comparison names the deal and both answers."""
    deal = {"dealer": 0, "raspas": True, "tricks": [1, 4, 5]}
    ours = {"deals": [{"pool": [0, 0, 0]}], "finished": False}
    slow = {"deals": [{"pool": [1, 0, 0]}], "finished": False}
    assert difference_of({"deals": [deal]}, ours, ours) == ""
    assert "deal 1" in difference_of({"deals": [deal]}, ours, slow)
    assert "finished" in difference_of({"deals": [deal]}, ours, ours | {"finished": True})
