"""`preferans analyse`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lab.errors import LabError, UsageError
from lab.lines import each_line, opened

if TYPE_CHECKING:
    from lab.analysis import Deal, Play
    from lab.analysis_samples import Sampled
    from lab.replaying import Checked


@contextmanager
def _progress() -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("solving deals", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _card(card: int) -> str:
    from engine.cards import card_text

    return card_text(card)


def _play_json(play: Play, sampled: Sampled | None = None) -> dict[str, Any]:
    from engine.record import exact
    from lab.analysis import after_card, solve_line

    told: dict[str, Any] = {
        "deal": play.deal,
        "play": play.number,
        "trick": play.trick,
        "seat": play.seat,
        "actor": play.actor,
        "card": _card(play.card),
    }
    if play.best is None:
        return told
    told |= {
        "best": [_card(c) for c in play.best_cards],
        "value": play.best,
        "after": play.after,
        "cost": play.cost,
        "whists": exact(play.whists),
    }
    if play.max_n_cost is not None:
        told["max_n_cost"] = play.max_n_cost
    if play.cost:
        following, winner = after_card(play.position, play.card)
        told["solve_before"] = solve_line(play.position)
        told["solve_after"] = solve_line(following) if following else None
        told["taken_between"] = int(winner == play.position.declarer)
    if sampled:
        told["sampled"] = {
            "layouts": sampled.layouts, "best": _card(sampled.best_card), "cost": sampled.cost, "ci95": [sampled.low, sampled.high],
        }  # fmt: skip
    return told


def _deal_json(deal: Deal) -> dict[str, Any]:
    from engine.contracts import contract_text
    from engine.table import K_MISERE, K_RASPAS
    from lab.deals import ENDS

    t = deal.table
    kind = {K_RASPAS: "raspas", K_MISERE: "misere"}.get(deal.kind, "game")
    told: dict[str, Any] = {
        "deal": deal.number,
        "dealer": int(t["dealer"]),
        "kind": kind,
        "ended": ENDS[int(t["ended"])],
        "order": list(deal.order),
    }
    if kind != "raspas":
        told |= {"contract": contract_text(int(t["contract"])), "declarer": int(t["declarer"])}
    if deal.plays:
        told["tricks"] = [int(x) for x in t["tricks"][: int(t["seats"])]]
        told["double_dummy"] = deal.value
        if deal.paranoid:
            told |= {"judged_by": "paranoid value; in the last five tricks also max^n", "paranoid": list(deal.paranoid)}
        told["plays"] = [_play_json(play) for play in deal.plays]
    return told


def _seats_json(deals: Sequence[Deal], names: Sequence[str]) -> list[dict[str, Any]]:
    from fractions import Fraction

    from engine.record import exact

    told = []
    for seat, name in enumerate(names):
        choices = [play for deal in deals for play in deal.plays if play.actor == seat and play.best is not None]
        costly = [play for play in choices if play.cost]
        whists = sum((play.whists for play in costly), Fraction(0))
        cost = sum(play.cost for play in costly)
        told.append({"seat": seat, "player": name, "choices": len(choices), "costly": len(costly), "tricks": cost, "whists": exact(whists)})
    return told


def _analysed(value: Any, wanted: int | None, most: int, samples: int, seed: int, workers: int | None, progress: Any) -> dict[str, Any]:
    from engine.complete import KnowledgeError
    from lab.analysis import deal_of, worst
    from lab.analysis_samples import sampled, views_before
    from lab.replaying import check

    checked: Checked = check(value)
    count = len(checked.record.deals)
    if wanted is not None and wanted > count:
        raise ValueError(f"there is no deal {wanted}: the pulka has {count}")
    numbers = range(1, count + 1) if wanted is None else (wanted,)
    deals = []
    for done, number in enumerate(numbers, 1):
        deals.append(deal_of(checked, number, workers))
        progress(done, len(numbers))
    seats = range(checked.record.seats)
    named = {kind: [worst(deals, seat, most, kind == "raspas") for seat in seats] for kind in ("contracts", "raspas")}
    views = views_before(checked, (play for by_seat in named.values() for plays in by_seat for play in plays)) if samples else {}
    talon = bool(checked.game.terms.rules["raspas_talon"][0])

    def told(play: Play) -> dict[str, Any]:
        deal = next(d for d in deals if d.number == play.deal)
        try:
            over = sampled(play, views[play.deal, play.number], deal, talon, samples, seed, workers) if samples else None
        except KnowledgeError as error:  # a record whose words no view explains
            raise ValueError(f"deal {play.deal}, play {play.number}: {error}") from None
        return _play_json(play, over)

    return {
        "convention": checked.record.convention,
        "players": list(checked.record.players),
        "seats": _seats_json(deals, checked.record.players),
        "worst": [{kind: [told(play) for play in by_seat[seat]] for kind, by_seat in named.items()} for seat in seats],
        "deals": [_deal_json(deal) for deal in deals],
    }


def _deal_line(deal: dict[str, Any]) -> str:
    head = f"deal {deal['deal']:>2}: "
    if deal["kind"] == "raspas":
        if "plays" not in deal:
            return head + "raspas"
        if "paranoid" not in deal:
            return head + f"raspas, tricks {deal['tricks']}; not judged: the solver has first hand lead to the third trick"
        paranoid = ", ".join(f"seat {seat} {value}" for seat, value in zip(deal["order"], deal["paranoid"], strict=True))
        return head + f"raspas, tricks {deal['tricks']}; paranoid {paranoid}; {_costs(deal)}"
    head += f"seat {deal['declarer']} plays {deal['contract']}: "
    if "plays" not in deal:
        return head + {"unwhisted": "nobody whists", "half": "half a whist", "gave_up": "given up"}.get(deal["ended"], deal["ended"])
    return head + f"{deal['tricks'][deal['declarer']]} tricks, double dummy {deal['double_dummy']}; {_costs(deal)}"


def _costs(deal: dict[str, Any]) -> str:
    costly = [play for play in deal["plays"] if play.get("cost")]
    return f"{len(costly)} costly plays" if len(costly) != 1 else "1 costly play"


def _tricks(count: int) -> str:
    return f"{count} trick{'s' * (count != 1)}"


def _show_play(play: dict[str, Any]) -> None:
    hand = "" if play["seat"] == play["actor"] else f" from the hand of seat {play['seat']}"
    print(
        f"  deal {play['deal']}, trick {play['trick']}: {play['card']}{hand} costs {_tricks(play['cost'])} "
        f"and {_whists(play['whists'])}; best {' '.join(play['best'])}"
    )
    if "max_n_cost" in play:
        print(f"    if all play for themselves it costs {_tricks(play['max_n_cost'])}")
    if "sampled" in play:
        s = play["sampled"]
        low, high = (f"{x:.2f}".replace("-", "−") for x in s["ci95"])
        better = f"against {s['best']}" if s["best"] != play["card"] else "being best on average"
        print(f"    by what the seat knew: {s['cost']:.2f} tricks ({low} to {high}, {s['layouts']} layouts) {better}")
    taken = " and the trick taken with it" if play["taken_between"] else ""
    print(f"    before it {play['value']}: {json.dumps(play['solve_before'])}")
    if play["solve_after"]:
        print(f"    after it {play['after'] - play['taken_between']}{taken}: {json.dumps(play['solve_after'])}")


def _whists(amount: int | str) -> str:
    return f"{amount} whist{'s' * (str(amount) not in ('1', '-1'))}".replace("-", "−")


def _show(number: int, told: dict[str, Any]) -> None:
    print(f"pulka {number}, {told['convention']}: " + ", ".join(f"seat {seat} {name}" for seat, name in enumerate(told["players"])))
    for deal in told["deals"]:
        print(_deal_line(deal))
    for seat, plays in zip(told["seats"], told["worst"], strict=True):
        print(
            f"seat {seat['seat']}, {seat['player']}: {seat['costly']} of {seat['choices']} decisions cost {_tricks(seat['tricks'])} "
            f"and {_whists(seat['whists'])}"
        )
        for kind, named in plays.items():
            if named:
                print(f" the worst in {kind}:")
            for play in named:
                _show_play(play)


def analyse(
    file: Annotated[str, typer.Argument(help="A file of records, JSON Lines, one pulka a line; - reads standard input.")],
    pulka: Annotated[int | None, typer.Option(help="Only this pulka of the file, from 1.", min=1)] = None,
    deal: Annotated[int | None, typer.Option(help="Only this deal of each pulka, from 1.", min=1)] = None,
    worst: Annotated[int, typer.Option(help="How many plays of each seat are named, in contracts and in raspas.", min=0)] = 2,
    samples: Annotated[int, typer.Option(help="Layouts over which a named play is judged by what its seat knew; 0: none.", min=0)] = 100,
    seed: Annotated[int, typer.Option(help="Seed of those layouts.", min=0)] = 1,
    workers: Annotated[int | None, typer.Option(help="Threads. [one for each core]", min=1)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object a line.")] = False,
) -> int:
    """Judge the play of recorded pulkas with all cards known: what each deal comes to, what each card cost, each seat's worst decisions.

    A card of a contract costs what it takes off the actor's double-dummy tricks. A card of a raspas costs what it adds to the
    seat's own paranoid tricks (it wants few, both others want it to have many); in the last five tricks it is also told what it costs if
    all three play for themselves (max^n). Positions are given as `preferans solve` reads them.
    """
    faults = pulkas = 0
    with opened(file) as lines, _progress() as progress:
        chosen: Any = lines
        if pulka is not None:
            text = next((line for number, line in enumerate((x for x in lines if x.strip()), 1) if number == pulka), None)
            if text is None:
                raise UsageError(f"{file} has no pulka {pulka}")
            chosen = [text]
        answers = each_line(chosen, lambda value: _analysed(value, deal, worst, samples, seed, workers, progress))
        for number, answer in enumerate(answers, pulka or 1):
            pulkas += 1
            faults += "error" in answer
            if as_json:
                sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
            elif "error" in answer:
                print(f"pulka {number}: {answer['error']}")
            else:
                _show(number, answer)
    if not pulkas and not as_json:
        raise LabError(f"{file} holds no record")
    return 1 if faults else 0
