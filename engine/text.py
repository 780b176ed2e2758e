"""A table in text, from above or from one seat's eyes."""

from __future__ import annotations

from typing import Any

from engine import actions, cards, contracts
from engine.record import from_sixths
from engine.table import D_HALF, D_PASS, D_WHIST, K_GAME, K_MISERE, K_RASPAS, P_BID, P_DEAL, P_OVER, P_PLAY, PHASE_NAMES

_DEFENCE = {D_PASS: "passes", D_WHIST: "whists", D_HALF: "half a whist"}


def pretty(mask: int) -> str:
    """A hand with suit symbols: `♠ AKQ  ♣ T97  ♦ 8  ♥ A97`."""
    words = cards.hand_text(mask).split()
    return "  ".join(cards.SUIT_SYMBOLS[cards.SUITS.index(w[0])] + " " + w[1:] for w in words) or "no cards"


def pretty_card(card: int) -> str:
    return cards.SUIT_SYMBOLS[card >> 3] + cards.RANKS[card & 7]


def pretty_contract(rung: int) -> str:
    """`7♥`, `8 no trump`, `misère`."""
    if rung == contracts.MISERE:
        return "misère"
    trump = contracts.TRUMP[rung]
    return f"{contracts.LEVEL[rung]}{cards.SUIT_SYMBOLS[trump] if trump < 4 else ' no trump'}"


def _headline(t: Any) -> str:
    deal = int(t["deal_no"]) + (0 if int(t["phase"]) in (P_DEAL, P_OVER) else 1)
    head = f"deal {deal}, seat {int(t['dealer'])} deals, {PHASE_NAMES[int(t['phase'])]}"
    if int(t["level"]) > 1:
        head += f", raspas state {int(t['level'])}"
    if int(t["kind"]) == K_RASPAS:
        return head + ", raspas"
    if int(t["kind"]) in (K_GAME, K_MISERE) and int(t["contract"]):
        return head + f", seat {int(t['declarer'])} plays {pretty_contract(int(t['contract']))}"
    if int(t["bid"]):
        return head + f", seat {int(t['bidder'])} has bid {pretty_contract(int(t['bid']))}"
    return head


def _seat_line(t: Any, seat: int, hand: str) -> str:
    notes = []
    if seat == int(t["declarer"]):
        notes.append("declarer")
    if seat == int(t["dealer"]):
        notes.append("dealer")
    if int(t["defence"][seat]) in _DEFENCE:
        notes.append(_DEFENCE[int(t["defence"][seat])])
    if int(t["phase"]) == P_BID and int(t["passed"]) >> seat & 1:
        notes.append("passed")
    if int(t["phase"]) == P_PLAY or int(t["trick_no"]):
        notes.append(f"{int(t['tricks'][seat])} tricks")
    arrow = ">" if seat == int(t["turn"]) else " "
    return f"{arrow} seat {seat}  {hand:<36}{', '.join(notes)}".rstrip()


def _table_lines(t: Any) -> list[str]:
    lines = []
    up = [pretty_card(int(c)) for c in t["talon_up"] if int(c) >= 0]
    if up:
        lines.append(f"  talon   {' '.join(up)}{' (refused)' if int(t['refused']) else ''}")
    on_table = [f"{pretty_card(int(c))} by seat {s}" for s, c in enumerate(t["trick"]) if int(c) >= 0]
    if on_table:
        lines.append(f"  trick {int(t['trick_no']) + 1}: {', '.join(on_table)}")
    seats = int(t["seats"])
    pool, mountain, whists = from_sixths(t["pool"][:seats]), from_sixths(t["mountain"][:seats]), from_sixths(t["whists"][:seats, :seats])
    lines.append(f"  pool {pool}  mountain {mountain}  whists {whists}")
    return lines


def _words_line(t: Any) -> str:
    said = [actions.action_text(int(a)) for a in t["log"][: int(t["words"])]]
    return "  said: " + " ".join(said) if said else "  nothing has been said"


def from_above(t: Any) -> str:
    """All cards: `t` is one element of a `TABLE` array."""
    lines = [_headline(t)]
    for seat in range(int(t["seats"])):
        hand = pretty(int(t["hands"][seat])) if int(t["dealt"][seat]) else "on the talon"
        lines.append(_seat_line(t, seat, hand))
    lines.append(f"  talon as dealt {' '.join(pretty_card(int(c)) for c in t['talon'])}, discarded {pretty(int(t['discard']))}")
    return "\n".join([*lines, *_table_lines(t), _words_line(t)])


def from_seat(v: Any) -> str:
    """What one seat sees: `v` is one element of a `VIEW` array."""
    lines = [f"{_headline(v)}; seen by seat {int(v['seat'])}"]
    seats = int(v["seats"])
    for seat in range(seats):
        if seats == 4 and seat == int(v["dealer"]):
            hand = "on the talon"
        elif int(v["known"][seat]) or seat == int(v["seat"]):
            hand = pretty(int(v["known"][seat]))
        else:
            hand = "unknown"
        lines.append(_seat_line(v, seat, hand))
    if int(v["discard"]):
        lines.append(f"  discarded {pretty(int(v['discard']))}")
    lines.extend([*_table_lines(v), _words_line(v)])
    if int(v["legal"]):
        words = [actions.action_text(a) for a in actions.actions_of(int(v["legal"]), int(v["first_action"]))]
        lines.append("  legal: " + " ".join(words))
    return "\n".join(lines)
