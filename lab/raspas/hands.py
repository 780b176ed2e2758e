"""What a hand is worth in raspas, suit by suit: every holding of a suit in a hand whose other cards are random.

Three figures a holding: the whole hand's tricks and chance of none, from play by a bot and from the solver's paranoid value;
and its *share*: the part of the tricks that is the suit's own in a sum over the hand's four suits (least squares), so
that a player may add four numbers up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import cards, deal
from lab.raspas import tables
from lab.raspas.common import Z95, Findings, Question, apart, columns_of, mean, share, table, told
from lab.statistics import Estimate

HOLDINGS = 256
TURNS = 12  # three places, four suits
SOLVED = 4  # one deal in so many is solved too
FULL = 0xFF
LENGTHS = range(1, 6)
Array = np.ndarray[Any, Any]


def holding_text(holding: int) -> str:
    """The ranks of a holding from the ace down, `–` for a void."""
    return "".join(cards.RANKS[r] for r in range(7, -1, -1) if holding >> r & 1) or "–"


def decks_with(holdings: Array, suits: Array, places: Array, shuffled: Array) -> Array:
    """Decks (n, 32) in which the hand at `places[i]` holds exactly `holdings[i]` of suit `suits[i]`, all else uniform.

    `shuffled` (n, 32): uniform decks, from whose order the other cards are drawn.
    """
    n = len(holdings)
    card = shuffled.astype(np.int64)
    in_suit = card >> 3 == suits[:, None]
    wanted = in_suit & (holdings[:, None] >> (card & 7) & 1 == 1)
    # the wanted cards first, the suit's others last; then ten cards are the hand
    order = np.argsort(np.where(wanted, 0, np.where(in_suit, 2, 1)), axis=1, kind="stable")
    own = np.zeros((n, 32), dtype=bool)
    np.put_along_axis(own, order[:, :10], True, axis=1)
    order = np.argsort(~own, axis=1, kind="stable")
    laid = np.take_along_axis(shuffled, order, axis=1)  # the hand's ten, then the rest in the order of the shuffle
    result = np.empty_like(shuffled)
    for place in range(3):
        rows = places == place
        rest = laid[rows, 10:]
        result[rows, 10 * place : 10 * place + 10] = laid[rows, :10]
        others = [p for p in range(3) if p != place]
        for k, other in enumerate(others):
            result[rows, 10 * other : 10 * other + 10] = rest[:, 10 * k : 10 * k + 10]
        result[rows, 30:] = rest[:, 20:]
    return result


def shares(hands: Array, tricks: Array, weights: Array) -> tuple[Array, Array, float]:
    """Least squares of a hand's tricks as a sum over its suits' holdings: value and standard error (256,), and the share explained.

    hands: (n,) masks; a void is worth nothing, which makes the sum unique (a hand has ten cards). `weights` (n,).
    """
    held = np.stack([hands.astype(np.int64) >> 8 * suit & FULL for suit in range(4)], axis=1)
    normal = np.zeros((HOLDINGS, HOLDINGS))
    right = np.zeros(HOLDINGS)
    for a in range(4):
        np.add.at(right, held[:, a], weights * tricks)
        for b in range(4):
            np.add.at(normal, (held[:, a], held[:, b]), weights)
    used = np.arange(1, HOLDINGS)
    values = np.zeros(HOLDINGS)
    values[used] = np.linalg.solve(normal[np.ix_(used, used)], right[used])
    residual = tricks - values[held].sum(axis=1)
    # sandwich: what the weights and the uneven spread of tricks do to the errors is in it
    middle = np.zeros((HOLDINGS, HOLDINGS))
    squares = (weights * residual) ** 2
    for a in range(4):
        for b in range(4):
            np.add.at(middle, (held[:, a], held[:, b]), squares)
    bread = np.linalg.inv(normal[np.ix_(used, used)])
    errors = np.zeros(HOLDINGS)
    errors[used] = np.sqrt(np.maximum(0.0, np.diag(bread @ middle[np.ix_(used, used)] @ bread)))
    centre = np.average(tricks, weights=weights)
    explained = 1 - np.average(residual**2, weights=weights) / np.average((tricks - centre) ** 2, weights=weights)
    return values, errors, float(explained)


def study(question: Question) -> Findings:
    """About `question.deals` deals, the same number for each of the 256 holdings, played and, one in four, solved."""
    terms = question.terms()
    players = question.players(terms)
    each = TURNS * max(1, round(question.deals / HOLDINGS / TURNS))
    count = HOLDINGS * each
    places = tables.places_of(terms)

    def decks_of(first: int, number: int) -> tuple[Array, Array]:
        numbers = np.arange(first, first + number)
        turn = numbers // HOLDINGS
        suits, own_places = turn // 3 % 4, turn % 3
        return decks_with(numbers % HOLDINGS, suits, own_places, deal.decks(question.seed, numbers)), own_places

    def block(first: int, number: int) -> tuple[Array, Array]:
        decks, own = decks_of(first, number)
        seating = np.zeros((number, terms.seats), dtype=np.int64)
        done = tables.raspas(terms, players, seating, decks, 1, np.arange(first, first + number), question.seed)
        hands = deal.masks_of(decks)[np.arange(number), own]
        return hands, done["tricks"][np.arange(number), np.asarray(places)[own]]

    parts = question.blocks("playing", count, block)
    hands, played = (np.concatenate(column) for column in zip(*parts, strict=True))
    solved = HOLDINGS * TURNS * max(1, each // TURNS // SOLVED)
    decks, own = decks_of(0, solved)
    paranoid = _paranoid(question, terms, decks, own)
    return _findings(question, hands, played.astype(np.float64), paranoid.astype(np.float64))


def _paranoid(question: Question, terms: Any, decks: Array, own: Array) -> Array:
    from bots.solver import MISERE, positions, solve_many

    leads = tables.talon_leads(terms)
    talon = (decks[:, 30], decks[:, 31]) if leads else ()
    given = positions(deal.masks_of(decks)[:, :3], MISERE, own, 0, talon=talon, talon_takes=leads and terms.seats == 4)
    found = []
    for at in range(0, len(given), 1024):
        found.append(solve_many(given[at : at + 1024], question.workers))
        question.progress("solving", len(found[-1]), len(given))
    return np.concatenate(found)


def _findings(question: Question, hands: Array, played: Array, paranoid: Array) -> Findings:
    # holdings of random hands are rarer the longer they are: weights make the sum of shares that of a random hand
    common = _chance_of_holding()
    weights = common[np.arange(len(hands)) % HOLDINGS]
    fits = {"play": shares(hands, played, weights), "paranoid": shares(hands[: len(paranoid)], paranoid, weights[: len(paranoid)])}
    rows = []
    for holding in range(HOLDINGS):
        row: dict[str, Any] = {"holding": holding_text(holding), "length": holding.bit_count(), "chance_of_holding": common[holding]}
        for name, tricks in (("play", played), ("paranoid", paranoid)):
            own = tricks[holding::HOLDINGS]
            value, error, _ = fits[name]
            row |= {f"{name}_deals": len(own)}
            row |= columns_of(f"{name}_tricks", mean(own)) | columns_of(f"{name}_none", share(own == 0))
            part, half = float(value[holding]), Z95 * float(error[holding])
            row |= columns_of(f"{name}_share", Estimate(len(tricks), part, half / Z95, part - half, part + half))
        rows.append(row)
    explained = {name: fit[2] for name, fit in fits.items()}
    cards_do = one_card(played)
    page = _page(question, rows, cards_do, explained, len(hands), len(paranoid))
    return Findings("hands", "What a hand is worth in raspas", rows, page, lambda figure: _draw(figure, question, rows), (10.5, 9.0))


def _chance_of_holding() -> Array:
    """How likely a random hand of ten is to hold exactly this of a given suit: (256,)."""
    from math import comb

    return np.array([comb(24, 10 - h.bit_count()) / comb(32, 10) for h in range(HOLDINGS)])


def _of(row: dict[str, Any], name: str) -> Estimate:
    return Estimate(2, row[name], None, row[f"{name}_low"], row[f"{name}_high"])


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["holding"],
        told(_of(row, "play_tricks")),
        told(_of(row, "play_none"), 1, percent=True),
        told(_of(row, "play_share"), 2, signed=True),
        told(_of(row, "paranoid_tricks")),
        told(_of(row, "paranoid_none"), 1, percent=True),
    )


HEAD = ("holding", "tricks, played", "none, played", "share, played", "tricks, paranoid", "none, paranoid")
SHOWN = (
    *"–789TJQKA",
    *("87", "A7", "A8", "KQ", "AK", "987", "J97", "A87", "AQ7", "AKQ", "AK7", "J987", "AQ97", "AKQJ", "AKQ7"),
)


def _page(
    question: Question,
    rows: list[dict[str, Any]],
    cards_do: dict[tuple[int, int], Estimate],
    explained: dict[str, float],
    played: int,
    solved: int,
) -> list[str]:
    by_text = {row["holding"]: row for row in rows}
    page = [
        question.rules_line(),
        f"{played:,} deals, {played // HOLDINGS} for each of the 256 holdings of a suit, the other cards random; {question.names[0]} plays "
        f"all hands. {solved:,} of them are solved: *paranoid* is what the hand takes when it plays for the fewest tricks and both others, "
        "all cards known, for the most it can be given. *Share* is the suit's part in a sum over the four suits (a void counts nothing) "
        f"that comes nearest to the hand's tricks; the sum explains {explained['play']:.0%} of the variance of the tricks in play and "
        f"{explained['paranoid']:.0%} of the paranoid ones. 95 % intervals.",
        table(HEAD, [_line(by_text[text]) for text in SHOWN]),
    ]
    page += _lessons(cards_do, by_text)
    page.append("All 256 holdings are in the dataset.")
    return page


def one_card(played: Array) -> dict[tuple[int, int], Estimate]:
    """What one card does: by its rank and the suit's length (1..5), the hand's tricks with it less without it, all else random."""
    holdings = np.arange(HOLDINGS)
    lengths = np.bitwise_count(holdings.astype(np.uint8))
    by_holding = played.reshape(-1, HOLDINGS)
    found = {}
    for rank in range(8):
        has = holdings >> rank & 1 == 1
        for length in LENGTHS:
            found[rank, length] = apart(by_holding[:, has & (lengths == length)].ravel(), by_holding[:, ~has & (lengths == length)].ravel())
    return found


def _lessons(cards_do: dict[tuple[int, int], Estimate], rows: dict[str, dict[str, Any]]) -> list[str]:
    """What the tables say, in sentences."""
    page = ["## What one card does", "The hand's tricks with this card less those without it, in a suit of the same length:"]
    ranks = range(7, -1, -1)
    head = ("card", *(f"of {length}" for length in LENGTHS))
    page.append(table(head, [(cards.RANKS[rank], *(told(cards_do[rank, length], 2, signed=True) for length in LENGTHS)) for rank in ranks]))

    def part(text: str) -> str:
        return f"{text} {told(_of(rows[text], 'play_share'), 2, signed=True)}"

    page.append("## What to remember")
    lines = [f"- A lone card's share of the tricks: {', '.join(map(part, '789TJQKA'))}."]
    lines.append(f"- A small card beside the ace: {part('A')}, {part('A7')}, {part('A87')}, {part('A987')}.")
    lines.append(f"- Small ones: {part('87')}, {part('987')}, {part('T987')}; every second card: {part('J97')}, {part('KJ97')}.")
    page.append("\n".join(lines))
    return page


def _draw(figure: Any, question: Question, rows: list[dict[str, Any]]) -> None:
    panels = figure.subplots(2, 2)
    high = [row["holding"].replace("–", "") for row in rows]
    tall = [holding_text(h << 4) for h in range(16)]
    wide = [holding_text(h) for h in range(16)]
    assert len(high) == HOLDINGS
    for axes, name, title, part, style in (
        (panels[0, 0], "play_tricks", f"tricks of the hand, {question.names[0]} plays", 1, "YlOrRd"),
        (panels[0, 1], "paranoid_tricks", "tricks of the hand, paranoid (solved)", 1, "YlOrRd"),
        (panels[1, 0], "play_none", f"chance of no trick in %, {question.names[0]} plays", 100, "YlGn"),
        (panels[1, 1], "play_share", f"the suit's own share of the tricks, {question.names[0]} plays", 1, "RdBu_r"),
    ):
        grid = np.array([row[name] for row in rows], dtype=np.float64).reshape(16, 16) * part
        limits = {"vmin": -4, "vmax": 4} if style == "RdBu_r" else {}
        image = axes.imshow(grid, cmap=style, aspect="auto", **limits)
        axes.set_xticks(range(16), wide, rotation=90, fontsize=7)
        axes.set_yticks(range(16), tall, fontsize=7)
        axes.set_title(title, fontsize=10)
        top = grid.max()
        for i in range(16):
            for j in range(16):
                value = grid[i, j]
                dark = image.norm(value) > 0.68 or (style == "RdBu_r" and image.norm(value) < 0.25)
                text = f"{value:.0f}" if part == 100 else f"{value:.1f}".replace("-0.0", "0.0")
                axes.text(j, i, text, ha="center", va="center", fontsize=5.5, color="white" if dark and top > 0 else "#222222")
    for axes in panels[1]:
        axes.set_xlabel("low cards held: 10 to 7")
    for axes in panels[:, 0]:
        axes.set_ylabel("high cards held: ace to jack")
