"""Compares the compiled scorer with the slow one on random protocols.

    python -m tests.compare_scorers --deals 100000 --seed 1

prints, per convention and number of seats, how many protocols and deals agreed, and the first protocol that did not.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from tests.protocol_generator import random_options, random_protocol, random_target, seatings
from tests.slow_conventions import CONVENTIONS
from tests.slow_scorer import score_protocol

CHUNK = 50  # protocols a call


class Agreement(NamedTuple):
    """What was compared, and the first protocol on which the scorers differ with both answers."""

    protocols: int
    deals: int
    difference: str


def protocols(convention: str, seats: int, seed: int) -> Iterator[dict[str, Any]]:
    """Random protocols without end; the same seed gives the same ones."""
    rng = Random(f"{convention} {seats} {seed}")
    while True:
        options = random_options(rng, convention, seats)
        yield random_protocol(rng, convention, seats, options, rng.choice((2, 8, 30, 120)), random_target(rng, convention))


def difference_of(protocol: dict[str, Any], ours: dict[str, Any], slow: dict[str, Any]) -> str:
    """The first deal that differs, both entries and what led there; empty where all agrees."""
    if ours == slow:
        return ""
    head = {key: protocol[key] for key in protocol if key != "deals"}
    lines = [f"protocol {json.dumps(head)}"]
    for number, (deal, mine, other) in enumerate(zip(protocol["deals"], ours.get("deals", []), slow["deals"], strict=False), 1):
        if mine != other:
            lines += [f"deal {number}: {json.dumps(deal)}", f"  compiled {mine}", f"  slow     {other}"]
            break
    else:
        lines += [
            f"  {key}: compiled {ours.get(key)!r}, slow {slow[key]!r}" for key in slow if key != "deals" and ours.get(key) != slow[key]
        ]
    if "error" in ours:
        lines.append(f"  compiled answers an error: {ours['error']}")
    return "\n".join([*lines, json.dumps(protocol)])


def compare(convention: str, seats: int, deals: int, seed: int) -> Agreement:
    """Scores random protocols of at least so many deals both ways."""
    from lab.scoring import score_protocols

    source = protocols(convention, seats, seed)
    done = scored = 0
    while scored < deals:
        chunk: list[dict[str, Any]] = []
        while len(chunk) < CHUNK and scored < deals:
            chunk.append(next(source))
            scored += len(chunk[-1]["deals"])
        answers = score_protocols(json.dumps(p) for p in chunk)
        for protocol, answer in zip(chunk, answers, strict=True):
            done += 1
            difference = difference_of(protocol, json.loads(json.dumps(answer)), score_protocol(protocol))
            if difference:
                return Agreement(done, scored, difference)
    return Agreement(done, scored, "")


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the compiled scorer with the slow one.")
    parser.add_argument("--deals", type=int, default=10_000, help="deals per convention, shared between its numbers of seats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--convention", choices=sorted(CONVENTIONS), action="append", help="only this one; may be repeated")
    chosen = parser.parse_args()
    wrong = 0
    for convention in chosen.convention or CONVENTIONS:
        counts = seatings(convention)
        for seats in counts:
            found = compare(convention, seats, -(-chosen.deals // len(counts)), chosen.seed)
            verdict = "agree" if not found.difference else "DIFFER"
            print(f"{convention:10} {seats} seats  {found.protocols:7} protocols  {found.deals:8} deals  {verdict}", flush=True)
            if found.difference:
                wrong += 1
                print(found.difference)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
