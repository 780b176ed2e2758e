"""`preferans deal`: cards, also such as satisfy a condition."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from lab.errors import LabError, UsageError

MOST = 10_000_000  # deals at once


def deal(
    where: Annotated[str | None, typer.Option(help='A condition, such as \'length(0, "S") >= 5 and has(first, "SA")\'.')] = None,
    n: Annotated[int, typer.Option("-n", "--count", help="How many deals.")] = 10,
    seats: Annotated[int, typer.Option(help="3 or 4.")] = 3,
    dealer: Annotated[int, typer.Option(help="The seat that deals.")] = 0,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Key of the cards: the same seed deals the same cards.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=2**62, help="How many deals are looked at before giving up.")] = 10_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deal.")] = False,
    functions: Annotated[bool, typer.Option("--functions", help="List the functions a condition may use.")] = False,
) -> int:
    """Deal cards uniformly, or uniformly among the deals that satisfy a condition."""
    from engine import cards
    from engine import deal as dealing
    from lab.where import FUNCTIONS, WhereError, condition

    if functions:
        for _, usage, _ in FUNCTIONS.values():
            print(usage)
        print("place: a seat from 0 on, or first, second, third (the hands that play, clockwise after the dealer), or talon")
        return 0
    if seats not in (3, 4):
        raise UsageError(f"--seats {seats} is not allowed; allowed: 3 or 4")
    if not 0 <= dealer < seats:
        raise UsageError(f"--dealer {dealer} is not at the table; allowed: 0 … {seats - 1}")
    if not 1 <= n <= MOST:
        raise UsageError(f"--count {n} is not allowed; allowed: 1 … {MOST:,}")
    try:
        found = dealing.where(condition("1 == 1" if where is None else where, seats, dealer), n, seed, limit=limit)
    except WhereError as error:
        raise UsageError(f"--where {error}") from None
    except dealing.DealError as error:
        raise LabError(str(error)) from None
    hands, talons = dealing.hands_of(found.decks, seats, dealer)
    for masks, talon in zip(hands.tolist(), talons.tolist(), strict=True):
        texts = [cards.hand_text(m) or None for m in masks[:seats]]
        up = " ".join(cards.card_text(c) for c in talon)
        if as_json:
            print(json.dumps({"dealer": dealer, "hands": texts, "talon": up}))
        else:
            print("  |  ".join(f"{t or 'on the talon':<24}" for t in texts) + f"  |  talon {up}")
    share = len(found.deals) / found.tried
    print(f"{len(found.deals)} of {found.tried} deals looked at ({share:.3%}); hands by seat, 0 first", file=sys.stderr)
    if len(found.deals) < n:
        raise LabError(f"only {len(found.deals)} of the {n} deals asked for were found among {found.tried}: raise --limit, or ask for less")
    return 0
