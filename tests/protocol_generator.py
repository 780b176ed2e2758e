"""Random legal protocols (`docs/interfaces.md`, "A protocol"), drawn by asking the slow scorer what may come next.

The deals are not what people would play: every kind of deal and every edge of the scoring comes up often. The same
`random.Random` gives the same protocols.
"""

from random import Random
from typing import Any

from tests.slow_conventions import CONVENTIONS, option_values
from tests.slow_reading import Deal, Seats
from tests.slow_scorer import Table

TALONS = ("SA D7", "CK CQ", "HA HK", "SA CA", "HA CK", "DK DQ", "DK HQ", "D9 DK", "S7 S8", "CQ CA", "DT HJ")


def random_options(rng: Random, convention: str, seats: int) -> dict[str, Any]:
    """A few options, each at one of its values, the default included."""
    options = {name: rng.choice(values) for name, values in option_values(convention, seats).items() if rng.random() < 0.4}
    if rng.random() < 0.1:
        options["deal_limit"] = rng.randint(1, 40)
    return options


def random_target(rng: Random, convention: str) -> int | None:
    """A short pulka, a long one, or the convention's own (None)."""
    if rng.random() < 0.2:
        return None
    if convention == "skachki":
        return rng.randint(2, 24)
    return rng.choice((rng.randint(1, 5), rng.randint(6, 20), rng.randint(20, 80)))


def random_protocol(
    rng: Random, convention: str, seats: int, options: dict[str, Any], deals: int, target: int | None = None
) -> dict[str, Any]:
    """A legal protocol of `deals` deals, fewer where the pulka ends before."""
    table = Table(convention, seats, options, target)
    written: list[Deal] = []
    dealer = rng.randrange(seats)
    while len(written) < deals and not table.finished:
        deal = random_deal(rng, table, dealer if table.dealer is None else table.dealer)
        table.score(deal)
        written.append(deal)
    protocol: dict[str, Any] = {"convention": convention, "options": options, "seats": seats, "deals": written}
    if target is not None:
        protocol["target"] = target
    return protocol


def random_deal(rng: Random, table: Table, dealer: int) -> Deal:
    """One deal that may come next at the table."""
    seats = Seats(table.number, dealer)
    deal: Deal = {"dealer": dealer}
    if table.forced or rng.random() < 0.25:
        deal |= {"raspas": True, "tricks": raspas_tricks(rng, table, seats)}
    else:
        deal["declarer"] = rng.choice(seats.active())
        start = table.start_level()
        if table.rules["give_up"] and rng.random() < 0.07:
            deal["give_up"] = f"{rng.randint(start, 10)}{rng.choice('SCDHN')}"
        elif rng.random() < 0.13:
            deal["contract"] = "misere"
            taken = rng.choice((0, 0, 0, 1, 2, 3, 4, rng.randint(5, 10)))
            deal["tricks"] = played_tricks(rng, seats, deal["declarer"], taken)
        else:
            game(rng, table, seats, deal, rng.choice([level for level in (6, 6, 6, 7, 7, 7, 8, 8, 9, 9, 10, 10) if level >= start]))
    choices(rng, table, deal)
    return deal


def raspas_tricks(rng: Random, table: Table, seats: Seats) -> list[int]:
    """Ten tricks by seat, with many zeros and ties."""
    tricks = [0] * seats.number
    if seats.sitter is not None and table.rules["talon_leads"]:
        tricks[seats.sitter] = rng.choice((0, 0, 1, 2))
    left = 10 - sum(tricks)
    players = seats.active()
    rng.shuffle(players)
    a = rng.choice((0, 0, rng.randint(0, left), left // 3))
    b = rng.choice((a if 2 * a <= left else 0, rng.randint(0, left - a)))
    for seat, taken in zip(players, (a, b, left - a - b), strict=True):
        tricks[seat] = taken
    return tricks


def played_tricks(rng: Random, seats: Seats, declarer: int, taken: int) -> list[int]:
    """The declarer's tricks and any split of the others between the defenders."""
    first, second = seats.defenders(declarer)
    tricks = [0] * seats.number
    tricks[declarer] = taken
    tricks[first] = rng.choice((0, 10 - taken, rng.randint(0, 10 - taken)))
    tricks[second] = 10 - taken - tricks[first]
    return tricks


def game(rng: Random, table: Table, seats: Seats, deal: Deal, level: int) -> None:
    """Fills in a trick contract."""
    rules = table.rules
    contract = deal["contract"] = f"{level}{rng.choice('SCDHN')}"
    if rng.random() < 0.15 and (rules["throw_talon"] or rules["talon_return"]):
        deal["refused"] = True
    if rng.random() < (0.5 if rules["quick_tricks"] else 0.1):
        deal["talon"] = rng.choice(TALONS)
    if rules["forced_raspas"] and level >= 9 and rng.random() < 0.4:
        deal["overcalled_misere"] = True
    first, second = seats.defenders(deal["declarer"])
    words = ["whist pass", "pass whist", "whist whist", "whist whist", "pass pass"]
    if level in (6, 7) and rules["half_whist"]:
        words.append("pass half")
        if seats.sitter is not None and rules["talon_sitter_may_whist"]:
            words.append("sitter")
    word = rng.choice(words)
    played = word not in ("pass pass", "pass half")
    if level == 10 and not rules["ten_whisted"]:
        played = True
    elif contract == "6S" and rules["stalingrad"]:
        played = True
        if rng.random() < 0.5:
            deal["defence"] = {str(first): "whist", str(second): "whist"}
    elif word == "sitter":
        deal["defence"] = {str(first): "pass", str(second): "pass", str(seats.sitter): "whist"}
    else:
        deal["defence"] = dict(zip((str(first), str(second)), word.split(), strict=True))
        if word == "whist whist" and rng.random() < 0.3:
            deal["second"] = rng.choice((first, second))
    if played:
        fewest = max(0, level - rng.choice((1, 2, 3, 10)))
        taken = rng.choice((level, rng.randint(fewest, level), rng.randint(level, 10), 10))
        deal["tricks"] = played_tricks(rng, seats, deal["declarer"], taken)


def choices(rng: Random, table: Table, deal: Deal) -> None:
    """A word for each seat that may choose; a missing word means the pool."""
    words = {str(seat): rng.choice(("pool", "mountain")) for seat in table.choosers(deal) if rng.random() < 0.8}
    if words:
        deal["write"] = words if deal.get("raspas") else next(iter(words.values()))


def seatings(convention: str) -> tuple[int, ...]:
    """How many may sit down to a convention."""
    return tuple(CONVENTIONS[convention]["seats"])


def corrupted(rng: Random, protocol: dict[str, Any]) -> dict[str, Any]:
    """The protocol with one field of one deal changed: often against the rules, sometimes only another legal deal."""
    deals = [dict(deal) for deal in protocol["deals"]]
    seats = protocol["seats"]
    index = rng.randrange(len(deals))
    deal = deals[index]
    how = rng.choice(
        ("dealer", "tricks", "no tricks", "contract", "write", "refused", "raspas", "word", "second", "overcalled", "more", "declarer")
    )
    if how == "dealer":
        deal["dealer"] = rng.randrange(seats)
    elif how == "tricks":
        tricks = deal["tricks"] = list(deal.get("tricks", [10, *[0] * (seats - 1)]))
        tricks[rng.randrange(seats)] += rng.choice((0, 1, -1))
        tricks[rng.randrange(seats)] += rng.choice((0, 1, -1))
    elif how == "no tricks":
        deal.pop("tricks", None)
    elif how == "contract" and "contract" in deal:
        deal["contract"] = rng.choice(("6S", "6C", "7N", "8D", "9H", "10N", "misere"))
    elif how == "write":
        deal["write"] = {str(rng.randrange(seats)): "mountain"} if deal.get("raspas") else rng.choice(("pool", "mountain"))
    elif how == "refused":
        deal["refused"] = True
    elif how == "raspas":
        deals[index] = {"dealer": deal["dealer"], "raspas": True, "tricks": [10 // seats + (s < 10 % seats) for s in range(seats)]}
    elif how == "word" and deal.get("defence"):
        deal["defence"] = dict(deal["defence"]) | {str(rng.randrange(seats)): rng.choice(("whist", "half", "pass"))}
    elif how == "second":
        deal["second"] = rng.randrange(seats)
    elif how == "overcalled":
        deal["overcalled_misere"] = True
    elif how == "declarer" and "declarer" in deal:
        deal["declarer"] = rng.randrange(seats)
    elif how == "more":
        deals.append(dict(rng.choice(deals)))
    return protocol | {"deals": deals}
