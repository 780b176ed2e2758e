"""Builds short protocols for the rows of `docs/rules.md` section 9 and compares what a deal wrote."""

from collections.abc import Sequence
from typing import Any

Deal = dict[str, Any]

TARGET = 1000  # so far that nothing closes where a row is not about closing


def protocol(convention: str, seats: int, deals: list[Deal], options: dict[str, Any] | None = None, target: int = TARGET) -> dict[str, Any]:
    return {"convention": convention, "seats": seats, "target": target, "options": options or {}, "deals": deals}


def defenders(seats: int, dealer: int, declarer: int) -> tuple[int, int]:
    """W1 and W2: clockwise after the declarer, the talon-sitter left out."""
    sitter = dealer if seats == 4 else None
    w1, w2 = (s % seats for s in range(declarer + 1, declarer + seats) if s % seats != sitter)
    return w1, w2


def declarers(seats: int, dealer: int) -> list[int]:
    """Everybody who may be declarer."""
    return [s for s in range(seats) if seats == 3 or s != dealer]


def by_seat(seats: int, values: dict[int, int]) -> list[int]:
    return [values.get(s, 0) for s in range(seats)]


def contract(
    seats: int, dealer: int, declarer: int, name: str, words: Sequence[str] | None = None, tricks: Sequence[int] | None = None, **more: Any
) -> Deal:
    """A contract deal; `words` and `tricks` are of W1 W2 and of declarer, W1, W2."""
    w1, w2 = defenders(seats, dealer, declarer)
    deal: Deal = {"dealer": dealer, "contract": name, "declarer": declarer} | more
    if words is not None:
        deal["defence"] = {str(w1): words[0], str(w2): words[1]}
    if tricks is not None:
        deal["tricks"] = by_seat(seats, dict(zip((declarer, w1, w2), tricks, strict=True)))
    return deal


def raspas(dealer: int, tricks: Sequence[int], **more: Any) -> Deal:
    return {"dealer": dealer, "raspas": True, "tricks": list(tricks)} | more


def dull_raspas(seats: int, dealer: int) -> Deal:
    """A raspas without zero for the players: 4, 3, 3."""
    active = [s % seats for s in range(dealer + 1, dealer + 4)]
    return raspas(dealer, by_seat(seats, dict(zip(active, (4, 3, 3), strict=True))))


def before(convention: str, seats: int, dealer: int, raspas_played: int) -> list[Deal]:
    """Deals after which `dealer` deals outside raspas, or after so many raspas in a row; скачки opens with a forced one."""
    if convention != "skachki" or raspas_played:
        return [dull_raspas(seats, (dealer - i) % seats) for i in range(raspas_played, 0, -1)]
    opener, exit_dealer = (dealer - 2) % seats, (dealer - 1) % seats
    declarer = (exit_dealer + 1) % seats
    return [dull_raspas(seats, opener), contract(seats, exit_dealer, declarer, "7C", ("whist", "whist"), (7, 2, 1))]


def written(seats: int, pool: dict[int, int], mountain: dict[int, int], whists: dict[tuple[int, int], int]) -> dict[str, Any]:
    """A deal's entries, zeros left out; `whists[a, b]` is what a writes on b."""
    return {
        "pool": by_seat(seats, pool),
        "mountain": by_seat(seats, mountain),
        "whists": [[whists.get((a, b), 0) for b in range(seats)] for a in range(seats)],
    }
