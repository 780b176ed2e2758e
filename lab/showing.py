"""A recorded pulka in words: deal by deal, and the sheet at its end."""

from __future__ import annotations

from typing import Any

from conventions.settlement import rounded
from engine import actions
from engine.game import Event
from engine.record import exact, from_sixths
from engine.table import (
    D_HALF,
    D_PASS,
    D_WHIST,
    E_GAVE_UP,
    E_HALF,
    E_UNPLAYED,
    K_MISERE,
    K_RASPAS,
    P_PLAY,
)
from engine.text import pretty, pretty_card, pretty_contract
from lab.replaying import Checked

_DEFENCE = {D_PASS: "pass", D_WHIST: "whist", D_HALF: "half a whist"}


def headline(checked: Checked) -> str:
    """What was played, and who sat where."""
    record = checked.record
    options = ", ".join(f"{name}={value}" for name, value in record.options.items()) or "no options"
    players = ", ".join(f"seat {seat} {name}" for seat, name in enumerate(record.players))
    return f"{checked.convention.title} ({record.convention}), {options}, to {record.target}; {players}"


def _tricks(table: Any, events: list[Event]) -> list[str]:
    """The play, a trick a line: what the talon led, who played what, who took it."""
    plays = [e for e in events if e.phase == P_PLAY]
    lines = []
    for trick in range(len(plays) // 3):
        played = plays[3 * trick : 3 * trick + 3]
        led = int(table["talon_up"][trick]) if int(table["kind"]) == K_RASPAS and trick < 2 else -1
        head = f"talon {pretty_card(led)}  " if led >= 0 else ""
        lines.append(
            f"  {trick + 1:>2}. {head}" + "  ".join(f"{e.seat}:{pretty_card(e.action)}" for e in played) + f"  -> seat {played[2].took}"
        )
    return lines


def _outcome(table: Any) -> str:
    kind, ended = int(table["kind"]), int(table["ended"])
    tricks = [int(x) for x in table["tricks"][: int(table["seats"])]]
    if kind == K_RASPAS:
        return f"raspas at state {int(table['level'])}{' (forced)' if int(table['forced']) else ''}, tricks {tricks}"
    declarer = int(table["declarer"])
    contract = pretty_contract(int(table["contract"]))
    if ended == E_GAVE_UP:
        return f"seat {declarer} gives up {contract} without three"
    if kind == K_MISERE:
        return f"seat {declarer} plays misère and takes {tricks[declarer]} tricks"
    words = ", ".join(f"seat {s} {_DEFENCE[int(d)]}" for s, d in enumerate(table["defence"]) if int(d) in _DEFENCE)
    how = {E_UNPLAYED: "nobody whists", E_HALF: "settled at half a whist"}.get(ended, f"{tricks[declarer]} tricks")
    talon = ", talon refused" if int(table["refused"]) else ""
    return f"seat {declarer} plays {contract}{talon}: {words or 'nobody is asked'}; {how}"


def _wrote(table: Any) -> str:
    seats = int(table["seats"])
    parts = []
    for name, words in (("d_pool", "pool"), ("d_mountain", "mountain")):
        parts += [f"seat {s} {words} {from_sixths(table[name][s])}" for s in range(seats) if int(table[name][s])]
    parts += [
        f"seat {a} on seat {b} {from_sixths(table['d_whists'][a, b])} whists"
        for a in range(seats)
        for b in range(seats)
        if int(table["d_whists"][a, b])
    ]
    return "; ".join(parts) or "nothing"


def deal_text(checked: Checked, number: int) -> str:
    """Deal `number` (from 1): the hands, every word, the tricks, what was written."""
    table = checked.game.finished_deals[number - 1][0]
    lines = [f"deal {number}, seat {int(table['dealer'])} deals: {_outcome(table)}"]
    for seat in range(int(table["seats"])):
        dealt = int(table["dealt"][seat])
        lines.append(f"  seat {seat}  {pretty(dealt) if dealt else 'on the talon'}")
    talon = " ".join(pretty_card(int(c)) for c in table["talon"])
    lines.append(f"  talon   {talon}" + (f", discarded {pretty(int(table['discard']))}" if int(table["discard"]) else ""))
    events = [e for e in checked.game.events if e.deal == number]
    said = [e.action for e in events if e.action >= actions.WORDS]
    if said:
        lines.append("  said    " + " ".join(actions.action_text(a) for a in said))
    lines += _tricks(table, events)
    lines.append(f"  written {_wrote(table)}")
    return "\n".join(lines)


def sheet_text(checked: Checked) -> str:
    """The sheet at the end, and its settlement."""
    table = checked.game.table[0]
    seats = checked.record.seats
    whole = rounded(checked.record.result)
    lines = [
        f"{'':8}{'pool':>8}{'mountain':>10}  whists" + "".join(f"{f'on {s}':>9}" for s in range(seats)) + f"{'result':>12}{'rounded':>9}"
    ]
    for seat, name in enumerate(checked.record.players):
        pool = from_sixths(table["pool"][seat] + table["pool_done"][seat])
        mountain = from_sixths(table["mountain"][seat] + table["mountain_done"][seat])
        on = "".join(f"{from_sixths(table['whists'][seat, b]) if b != seat else '':>9}" for b in range(seats))
        lines.append(f"seat {seat:<3}{pool:>8}{mountain:>10}        {on}{exact(checked.record.result[seat])!s:>12}{whole[seat]:>9}  {name}")
    if not int(table["finished"]):
        lines.append("the pulka was not played to its end")
    return "\n".join(lines)
