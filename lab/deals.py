"""The rows of `deals.parquet`: what research asks of a deal. `docs/06-runs-and-statistics.md` names the columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import actions, contracts
from engine.table import K_RASPAS

KINDS = ("", "game", "misere", "raspas")  # K_*
ENDS = ("", "played", "unwhisted", "half", "gave_up")  # E_*
WORDS = ("", "pass", "whist", "half")  # D_*
CHOICES = ("", "pool", "mountain")  # C_*

# columns of small numbers that stand for words; the rest are numbers
NAMES: dict[str, tuple[str, ...]] = {
    "kind": KINDS,
    "ended": ENDS,
    "bid": contracts.CONTRACT_NAMES,
    "contract": contracts.CONTRACT_NAMES,
    **{f"defence_{seat}": WORDS for seat in range(4)},
    **{f"choice_{seat}": CHOICES for seat in range(4)},
}
_AUCTION = tuple(actions.ACTION_NAMES[actions.PASS : actions.BID + contracts.RUNGS + 1])


def deal_columns(rows: np.ndarray[Any, Any], rules: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Finished deals (shape (n,), dtype `TABLE`, any order) as columns sorted by pulka and deal.

    `rules`: the convention's record. Words are small numbers (`NAMES`), the auction is fixed-width bytes (`auction_text`).
    """
    rows = rows[np.lexsort((rows["deal_no"], rows["pulka"]))]
    seats = int(rules["seats"])
    state = rows["level"].astype(np.int64)
    price = rules["raspas_price"] if rules["raspas_whists"] == 0 else np.full(3, rules["raspas_whists"])
    columns: dict[str, np.ndarray[Any, Any]] = {
        "pulka": rows["pulka"] + 1,
        "deal": rows["deal_no"],
        "dealer": rows["dealer"],
        "semester": rows["semester"] + 1,
        "raspas_state": rows["level"],
        "forced": rows["forced"] != 0,
        "kind": rows["kind"],
        "ended": rows["ended"],
        "auction": _auctions(rows),
        "bid": rows["bid"],
        "declarer": rows["declarer"],
        "contract": rows["contract"],
        "refused": rows["refused"] != 0,
        "checked": rows["checked"] != 0,
        "opened": rows["opened"] != 0,
        "second_whister": rows["second"],
        "lone_whister": rows["whister"],
        "looked_at": rows["looked"],
        "raspas_price": np.where(rows["kind"] == K_RASPAS, price[state - 1], 0).astype(np.int16),
        "talon_1": rows["talon"][:, 0],
        "talon_2": rows["talon"][:, 1],
        "discard": rows["discard"],
        "next_raspas_state": rows["next_level"],
    }
    for name, field in (("hand", "dealt"), ("defence", "defence"), ("tricks", "tricks"), ("choice", "choice")):
        for seat in range(seats):
            columns[f"{name}_{seat}"] = rows[field][:, seat]
    for name, field in (("pool", "d_pool"), ("mountain", "d_mountain")):
        for seat in range(seats):
            columns[f"{name}_{seat}_sixths"] = rows[field][:, seat]
    for a in range(seats):
        for b in range(seats):
            if a != b:
                columns[f"whists_{a}_{b}_sixths"] = rows["d_whists"][:, a, b]
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}


def _auctions(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The words of each auction as bytes (1: pass, 1 + rung: a bid), shape (n,), dtype `S…`."""
    log = rows["log"]
    is_bid = (log >= actions.PASS) & (log < actions.PASS + len(_AUCTION))
    words = rows["words"].astype(np.int64)
    # the auction ends at the talon's word, at the discards, or where the play of a raspas begins
    taken = np.where(rows["discard"] != 0, rows["discarded_at"], words).astype(np.int64)
    end = np.where(rows["kind"] == K_RASPAS, rows["first_card"], taken)
    longest = int(end.max(initial=0))
    at = np.arange(longest)
    inside = np.logical_and.accumulate(is_bid[:, :longest], axis=1) & (at < end[:, None])
    kept = np.where(inside, log[:, :longest] - (actions.PASS - 1), 0).astype(np.uint8)
    width = max(1, int(inside.sum(axis=1).max(initial=0)))
    return np.ascontiguousarray(np.pad(kept, ((0, 0), (0, 1)))[:, :width]).view(f"S{width}").reshape(-1)


def auction_text(auction: bytes) -> str:
    """The words of an auction as records write them: `pass 6S pass`."""
    return " ".join(_AUCTION[word - 1] for word in auction)
