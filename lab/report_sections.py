"""The sections of a report of one run, each a piece of HTML made from its sums (`lab.loading.Loaded`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import contracts
from lab import charts, tally
from lab.html import cell, dictionary, estimate_text, figure, number, percent, section, table
from lab.loading import Loaded
from lab.summary import LEVELS, TAILS

SUITS = ("♠", "♣", "♦", "♥", "no trump")
LEAST = 30  # deals below which a mean is not shown as such


def _picture(draw: Any, *arguments: Any) -> str:
    return draw(*arguments) if charts.available() else ""


def _mean(total: Any, count: int) -> str:
    """Whists a deal, of a sum; few deals are told so by brackets."""
    if not count:
        return "–"
    text = number(float(total / count), sign=True, places=1)
    return text if count >= LEAST else f"({text})"


def what_was_run(loaded: Loaded) -> str:
    """The description, so that it can be repeated."""
    run, summary = loaded.run, loaded.summary
    seats = "fixed" if run["fixed_seats"] else f"{len(run['seatings'])} seating{'s' if len(run['seatings']) > 1 else ''}, by rotation"
    pairs = [
        ("convention", f"{run['convention']} (version {run['convention_version']})"),
        ("seats", f"{run['seats']}; {seats}"),
        ("pool", f"to {run['target']}"),
        ("bots", ", ".join(f"{bot} ({version})" for bot, version in run["bot_versions"].items())),
        ("pulkas", f"{summary['pulkas']:,}" + ("" if summary["pulkas"] == run["pulkas"] else f" of {run['pulkas']:,}")),
        ("cards", f"seed {run['seed']}" + (", the same under every seating" if run["duplicate"] else "")),
        ("deal limit", f"{run['deal_limit']:,}; {summary['cut']:,} pulkas were cut there and settled as they stood"),
        ("played", f"{summary['deals']:,} deals, {summary['decisions']:,} decisions in {number(summary['seconds'])} s"),
        ("packages", ", ".join(f"{name} {version}" for name, version in run["versions"].items())),
    ]
    if summary["failures_in_all"]:
        pairs.insert(5, ("failures", f"{summary['failures_in_all']:,} pulkas were ended by a bot's failure and count in no mean"))
    options = table(("option", "value"), [(name, str(value).lower()) for name, value in run["options"].items()])
    return section(
        "run", "What was run", dictionary(pairs), f"<details><summary>all options of the convention</summary>{options}</details>"
    )


def standings(loaded: Loaded) -> str:
    """Means with intervals, by bot, and by place from the first dealer."""
    found, players = loaded.standings, loaded.players
    unit = "duplicate set" if found.sets > 1 else "pulka"
    spread = _spread(loaded)
    if len(players) == 1:
        note = f"<p>{players[0]} sat at every seat, so its mean is 0 by construction; what can be read is how widely results spread.</p>"
        return section("standings", "Standings", note, spread, _places(loaded))
    rows = [
        (bot, f"{found.mean(p).n * found.sets:,}", estimate_text(found.mean(p)), estimate_text(found.per_100_deals(p)))
        for p, bot in enumerate(players)
    ]
    caption = f"Whists, with 95 % intervals; the unit is the {unit}"
    ranked = table(("bot", "pulkas", "a pulka", "per 100 deals"), rows, caption)
    differences = [(f"{players[a]} less {players[b]}", estimate_text(found.difference(a, b))) for a, b in found.pairs]
    values = [(e.value, e.low, e.high) for e in (found.mean(p) for p in range(len(players))) if e.value is not None and e.low is not None]
    picture = (
        _picture(charts.intervals, "standings", players, values, "whists a pulka, with 95 % interval")
        if len(values) == len(players)
        else ""
    )
    told = table(("at the same table", "whists a pulka"), differences)
    return section("standings", "Standings", ranked, figure(picture, ""), told, spread, _places(loaded))


def _spread(loaded: Loaded) -> str:
    rows = []
    for player, bot in enumerate(loaded.players):
        own = loaded.summary["bots"][bot]
        parts = [number(loaded.standings.quantile(player, part)) for part in TAILS]
        rows.append((bot, number(own["seat_deviation"]), number(own["min"]), *parts, number(own["max"])))
    head = ("bot", "deviation", "smallest", *(f"{100 * part:.0f} %" for part in TAILS), "largest")
    return table(head, rows, "What one seat wins or loses in one pulka, in whists: deviation and quantiles")


def _places(loaded: Loaded) -> str:
    found, names = loaded.standings, ("first dealer", "1st after", "2nd after", "3rd after")[: loaded.seats]
    series: dict[str, list[tuple[float, float, float]]] = {}
    for bot in loaded.players:
        places = loaded.summary["bots"][bot]["by_place"]
        if all(place["ci95"] for place in places):
            series[bot] = [(place["mean"], *place["ci95"]) for place in places]
    if found.failed == found.pulkas or not series:
        return ""
    picture = _picture(charts.points, "places", names, series, "whists a pulka", "seat, from who dealt first")
    told = "Result by seat, counted clockwise from the seat that dealt the first deal."
    rows = [(bot, *(f"{number(m, True)} ± {number((high - low) / 2)}" for m, low, high in values)) for bot, values in series.items()]
    return f"<h3>By seat from the first dealer</h3>{figure(picture, told)}{table(('bot', *names), rows)}"


def distribution(loaded: Loaded) -> str:
    """How results are spread, with the tails, and what a typical pulka is like."""
    counts = {bot: dict(own) for bot, own in zip(loaded.players, loaded.standings.results, strict=True) if own}
    if not counts:
        return ""
    picture = _picture(charts.histogram, "results", counts, "whists of one seat in one pulka")
    return section("results", "Distribution of results", figure(picture, "Share of seats by result."))


def contract_section(loaded: Loaded) -> str:
    """Contracts by level and trump: how many, how often made, what they were worth to the declarer."""
    y, deals = loaded.counters, loaded.summary["deals"]
    by_level = loaded.summary["contracts"]
    parts = {
        "made": [by_level[level]["made"] for level in LEVELS],
        "failed": [by_level[level]["failed"] for level in LEVELS],
        "unwhisted": [by_level[level]["unwhisted"] for level in LEVELS],
        "half": [by_level[level]["half"] for level in LEVELS],
        "given up": [by_level[level]["gave_up"] for level in LEVELS],
    }
    picture = _picture(charts.stacked, "contracts", LEVELS, {k: v for k, v in parts.items() if sum(v)}, "contracts")
    rows = []
    for level in LEVELS:
        c = by_level[level]
        counts = [f"{c[key]:,}" for key in ("bid", "ordered", "played", "made", "failed", "unwhisted", "half", "gave_up")]
        rows.append((level, *counts, percent(c["made"], c["played"]), percent(c["ordered"], deals)))
    head = ("level", "bid", "ordered", "played", "made", "failed", "unwhisted", "half", "given up", "made %", "of deals")
    told = "Given-up games (without three) are counted at the level of the winning bid; all else at the level ordered."
    return section("contracts", "Contracts", figure(picture, told), table(head, rows), _by_trump(loaded, y))


def _by_trump(loaded: Loaded, y: Any) -> str:
    outcomes = y["contracts"].sum(axis=0)
    made, worth = [], []
    for level in range(6, 11):
        made_row: list[Any] = [str(level)]
        worth_row: list[Any] = [str(level)]
        for trump in range(5):
            rung = contracts.rung_of(level, trump)
            good, bad = int(outcomes[rung, tally.MADE]), int(outcomes[rung, tally.FAILED])
            share = good / (good + bad) if good + bad else None
            made_row.append(cell(f"{percent(good, good + bad)} of {good + bad:,}", share) if good + bad else cell("–"))
            count = int(y["class_deals"][rung])
            worth_row.append(f"{_mean(loaded.worth(y['sheets'][rung])[0], count)}")
        made.append(made_row)
        worth.append(worth_row)
    head = ("level", *SUITS)
    return (
        "<h3>By trump</h3>"
        + table(head, made, "Contracts made, of those played with cards")
        + table(head, worth, "What a contract was worth to the declarer: whists a deal, settled exactly; in brackets: fewer than 30 deals")
        + table(("bot", *LEVELS, "misère"), _by_bot(loaded, y), "Made of played, by declarer")
    )


def _by_bot(loaded: Loaded, y: Any) -> list[tuple[str, ...]]:
    rows = []
    for bot in loaded.players:
        own = loaded.summary["contracts_by_bot"][bot]
        rows.append((bot, *(f"{percent(own[k]['made'], own[k]['played'])} of {own[k]['played']:,}" for k in (*LEVELS, "misere"))))
    return rows


def misere(loaded: Loaded) -> str:
    """Misère: how often, how clean, what it was worth."""
    y, deals = loaded.counters, loaded.summary["deals"]
    tricks = y["tricks"][contracts.MISERE]
    played = int(tricks.sum())
    if not played:
        return section("misere", "Misère", "<p>Nobody played a misère.</p>")
    picture = _picture(
        charts.bars,
        "misere",
        [str(n) for n in range(11)],
        {"misères": (tricks / played).tolist()},
        "share of misères",
        "tricks the declarer took",
    )
    worth = loaded.worth(y["sheets"][contracts.MISERE])
    pairs = [
        ("played", f"{played:,} ({percent(played, deals)} of all deals)"),
        ("made", f"{int(tricks[0]):,} ({percent(int(tricks[0]), played)})"),
        ("tricks taken, mean", number(float(np.dot(tricks, np.arange(11))) / played)),
        ("worth to the declarer", f"{_mean(worth[0], played)} whists a misère"),
    ]
    return section("misere", "Misère", dictionary(pairs), figure(picture, ""))


def whist(loaded: Loaded) -> str:
    """What defenders decided, and what it earned them."""
    y = loaded.counters
    them = ("passed", "whisted", "half a whist", "talon-sitter whisted")
    me = ("passes", "whists", "takes half")
    rows = []
    for level in range(5):
        for mine in range(3):
            for theirs in range(4):
                count = int(y["words"][level, mine, theirs])
                if count:
                    worth = loaded.worth(y["word_sheets"][level, mine, theirs])
                    rows.append((f"{level + 6}: {me[mine]}", them[theirs], f"{count:,}", _mean(worth[0], count), _mean(worth[1], count)))
    if not rows:
        return section("whist", "Whist", "<p>No contract was left to the defenders' word.</p>")
    head = ("a defender", "the other", "times", "worth to him", "to the declarer")
    opened = [
        (str(level + 6), f"{int(y['opened'][level, 1]):,}", f"{int(y['opened'][level, 0]):,}")
        for level in range(5)
        if y["opened"][level].any()
    ]
    told = (
        "What each defender finally said, by level of the contract, and what the deal was worth to him: whists a deal, settled exactly. "
        "These are what happened, not what would have happened: hands that whist are better hands."
    )
    parts = [f"<p class='note'>{told}</p>", table(head, rows)]
    if opened:
        parts.append(table(("level", "open", "closed"), opened, "Lone whisters: hands played open (в светлую) or closed (в тёмную)"))
    if y["stalingrads"]:
        forced = f"{int(y['stalingrads']):,} contracts of six spades both defenders had to whist (Stalingrad); they are left out."
        parts.append(f"<p class='note'>{forced}</p>")
    return section("whist", "Whist", *parts)


def raspas(loaded: Loaded) -> str:
    """The chapter on raspas: share, states, price, tricks, zeros, ways out."""
    y, deals = loaded.counters, loaded.summary["deals"]
    played = y["raspas"]
    if not played.sum():
        return section("raspas", "Raspas", "<p>There was no raspas.</p>")
    states = [s for s in (1, 2, 3) if y["states"][s]]
    prices = _prices(loaded.run["options"])
    rows, worths = [], []
    for s in states:
        held = y["raspas_tricks"][:, s].sum(axis=0)
        worth = loaded.worth(y["sheets"][tally.RASPAS_CLASS + s])
        ways = y["exits"][s]
        rows.append(
            (
                str(s),
                prices[s - 1],
                f"{int(y['states'][s]):,}",
                f"{int(played[s]):,}",
                percent(int(played[s]), int(y["states"][s])),
                percent(int(held[0]), int(held.sum())),
                ", ".join(f"{int(n):,} {w}" for n, w in zip(ways, ("played", "at half a whist", "unwhisted"), strict=True) if n) or "–",
            )
        )
        worths.append((f"state {s}", *(_mean(worth[role], int(played[s])) for role in range(loaded.seats))))
    hands = ("1st hand", "2nd hand", "3rd hand", "talon-sitter")[: loaded.seats]
    head = ("state", "price", "deals", "raspas", "of its deals", "hands with no trick", "left by a game")
    series = {}
    for s in states:
        held = y["raspas_tricks"][:, s].sum(axis=0)
        if held.sum():
            series[f"state {s}"] = (held / held.sum()).tolist()
    picture = _picture(charts.bars, "raspas", [str(n) for n in range(11)], series, "share of hands", "tricks in a raspas")
    total = int(played.sum())
    share = f"<p>{total:,} of {deals:,} deals were raspas ({percent(total, deals)})"
    forced = f"; {int(y['forced']):,} of them were forced.</p>" if y["forced"] else ".</p>"
    parts = [share + forced, table(head, rows, "By raspas state at the deal"), figure(picture, "")]
    parts.append(table(("whists a raspas", *hands), worths, "What a raspas was worth to each hand, settled exactly"))
    if len(loaded.players) > 1:
        own = [(bot, *_hands_of(y, player, states)) for player, bot in enumerate(loaded.players)]
        parts.append(
            table(("bot", *(f"tricks, state {s}" for s in states), *(f"no trick, state {s}" for s in states)), own, "By bot: mean tricks")
        )
    if loaded.seats == 4:
        sat = y["sitter_tricks"].sum(axis=0)
        if sat[1:].sum():
            mean = float(np.dot(sat, np.arange(11))) / int(sat.sum())
            parts.append(f"<p>The talon took {number(mean)} tricks a raspas for the dealer.</p>")
    return section("raspas", "Raspas", *parts)


def _hands_of(y: Any, player: int, states: list[int]) -> list[str]:
    held = [y["raspas_tricks"][player, s] for s in states]
    means = [number(float(np.dot(h, np.arange(11))) / int(h.sum())) if h.sum() else "–" for h in held]
    return means + [percent(int(h[0]), int(h.sum())) for h in held]


def _prices(options: dict[str, Any]) -> list[str]:
    steps = str(options["raspas_progression"]).split("-")
    unit = "whists" if options["raspas_scored_to"] == "whists" else "of mountain"
    return [f"{steps[min(k, len(steps) - 1)]} {unit}" for k in range(3)]


def course(loaded: Loaded) -> str:
    """How long pulkas are, and how pool and mountain grow."""
    lengths, y = loaded.standings.deals, loaded.counters["course"]
    if not lengths:
        return ""
    limit = loaded.run["deal_limit"]
    total = lengths.total()
    mean = sum(k * n for k, n in lengths.items()) / total
    length = _picture(charts.spread, "lengths", dict(lengths), "share of pulkas", "deals of a pulka")
    shown = int((y[:, 0] >= max(1, 0.02 * y[0, 0])).sum())
    still = np.maximum(1, y[:shown, 0])
    series = {
        "pool": (y[:shown, 1] / still / 6 / loaded.seats).tolist(),
        "mountain": (y[:shown, 2] / still / 6 / loaded.seats).tolist(),
    }
    growth = _picture(charts.curves, "course", list(range(1, shown + 1)), series, "points of one seat, mean", "after so many deals")
    told = "Mean of the pulkas that are still played then, as far as 2 % are; longer ones are slower ones, so the pool seems to stand."
    pairs = [("deals of a pulka", f"{number(mean)} in the mean, {min(lengths):,} to {max(lengths):,}")]
    if loaded.summary["cut"]:
        pairs.append(("cut", f"{loaded.summary['cut']:,} pulkas after {limit:,} deals"))
    return section("course", "The pulka's course", dictionary(pairs), figure(length, ""), figure(growth, told))
