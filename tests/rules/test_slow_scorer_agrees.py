"""The compiled scorer and the slow one agree on random protocols: every convention, both seat counts, random options.

`PREFERANS_AGREEMENT_DEALS` sets the deals per convention and number of seats (`python -m tests.compare_scorers` prints the same).
"""

import json
import os
import re
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.compare_scorers import compare, difference_of, protocols
from tests.protocol_generator import corrupted, seatings
from tests.slow_conventions import CONVENTIONS
from tests.slow_scorer import Table, score_protocol

DEALS = int(os.environ.get("PREFERANS_AGREEMENT_DEALS", "2000"))
TABLES = [(name, seats) for name in CONVENTIONS for seats in seatings(name)]
IDS = [f"{name}-{seats}" for name, seats in TABLES]


@pytest.mark.parametrize(("convention", "seats"), TABLES, ids=IDS)
def test_scorers_agree(convention: str, seats: int) -> None:
    found = compare(convention, seats, DEALS, seed=0)
    assert found.difference == ""
    assert found.deals >= DEALS


def slow_answer(protocol: dict[str, Any]) -> dict[str, Any]:
    try:
        return score_protocol(protocol)
    except ValueError as error:
        return {"error": str(error)}


def fault_of(answer: dict[str, Any]) -> str:
    """`deal N` of an answer's error, empty where it is none."""
    found = re.search(r"deal \d+", answer.get("error", ""))
    return found[0] if found else ""


@pytest.mark.parametrize(("convention", "seats"), TABLES, ids=IDS)
def test_scorers_refuse_the_same_protocols(convention: str, seats: int) -> None:
    """One field of one deal is changed: both name the same deal as wrong, or both score it alike."""
    from lab.scoring import score_protocols

    rng = Random(f"{convention} {seats}")
    changed = []
    for protocol in islice(protocols(convention, seats, seed=1), 150):
        changed.append(corrupted(rng, protocol | {"deals": protocol["deals"][:8]}))
    errors = 0
    for protocol, answer in zip(changed, score_protocols(json.dumps(p) for p in changed), strict=True):
        slow = slow_answer(protocol)
        if "error" in slow or "error" in answer:
            assert fault_of(answer) == fault_of(slow), f"{answer} {slow}\n{json.dumps(protocol)}"
            errors += 1
        else:
            assert difference_of(protocol, json.loads(json.dumps(answer)), slow) == ""
    assert 40 <= errors <= 140


def test_a_difference_would_be_seen() -> None:
    """The comparison names the deal and both answers."""
    deal = {"dealer": 0, "raspas": True, "tricks": [1, 4, 5]}
    ours = {"deals": [{"pool": [0, 0, 0]}], "finished": False}
    slow = {"deals": [{"pool": [1, 0, 0]}], "finished": False}
    assert difference_of({"deals": [deal]}, ours, ours) == ""
    assert "deal 1" in difference_of({"deals": [deal]}, ours, slow)
    assert "finished" in difference_of({"deals": [deal]}, ours, ours | {"finished": True})


def events_of(table: Table, deal: dict[str, Any]) -> set[str]:
    """What happened in the deal that the table has just scored, in words."""
    words = sorted(deal.get("defence", {}).values())
    events = {word for word in ("raspas", "give_up", "refused", "talon", "overcalled_misere", "second", "write") if deal.get(word)}
    if table.set_whisters:
        events.add("a whister is set")
    if deal.get("contract") == "misere":
        events.add("misere")
    elif "contract" in deal:
        events.add("game " + (" ".join(words) or "without words"))
    if deal.get("raspas"):
        tricks = deal["tricks"]
        events |= {"zero"} if 0 in tricks else set()
        events |= {"tie"} if tricks.count(min(tricks)) == 2 else set()
    else:
        helped = [s for s, points in enumerate(table.entry_pool) if points and s != deal["declarer"]]
        events |= {f"helped {len(helped)}"} if helped else set()
    if table.finished:
        events.add("the end")
    if any(w >= 300 for row in table.entry_whists for w in row):
        events.add("a prize")
    return events


COMMON = {
    "raspas",
    "zero",
    "tie",
    "misere",
    "a whister is set",
    "game pass pass",
    "game pass whist",
    "game whist whist",
    "second",
    "the end",
}
OF_CONVENTION = {
    "piter": {"give_up", "refused", "game half pass", "game without words"},
    "rostov": {"refused", "talon", "helped 1", "helped 2", "game half pass", "game without words"},
    "vmk": {"give_up", "write", "helped 1", "helped 2", "game half pass", "game without words"},
    "skachki": {"overcalled_misere", "write", "a prize", "game half pass"},
    "moscow": {"helped 1", "helped 2", "game half pass", "game without words"},
    "sochi": {"helped 1", "helped 2", "game half pass", "game without words"},
    "leningrad": {"game half pass", "game without words"},
    "classic": {"helped 1", "helped 2", "game without words"},
}


@pytest.mark.parametrize(("convention", "seats"), TABLES, ids=IDS)
def test_random_protocols_meet_every_kind_of_deal(convention: str, seats: int) -> None:
    met: set[str] = set()
    for protocol in islice(protocols(convention, seats, seed=0), 200):
        table = Table(convention, seats, protocol["options"], protocol.get("target"))
        for deal in protocol["deals"]:
            table.score(deal)
            met |= events_of(table, deal)
    expected = COMMON | OF_CONVENTION[convention]
    if seats == 4 and convention != "classic":
        expected |= {"game pass pass whist"}
    if seats == 3 and convention == "piter":
        expected -= {"refused"}
    assert expected <= met
