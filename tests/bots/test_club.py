"""`club` judges by worth: legal everywhere, blind to what is hidden, better than `novice` as a whole and in its parts."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots import catalogue, club, club_raspas, club_raspas_learning, club_tables, club_value, club_words
from bots.suits import ONE, after_round, order, order_of, owners, place, standing, standing_of, stays_best
from engine.batch import play_block
from engine.cards import parse_hand
from engine.jit import plain
from engine.table import K_RASPAS, P_PLAY, VIEW
from tests.bots.tables import TABLES, by_player, deals_of, decisions_blind_to_hidden_cards, interval, made, setup, words_of
from tests.helpers import terms

WHIST = club_value.WHIST


def rules(name: str, seats: int = 3, **options: Any) -> Any:
    return plain(terms(name, seats, **options).rules)[0]


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_plays_legally_in_every_convention(name: str, seats: int, options: dict[str, Any]) -> None:
    played = terms(name, seats, **options)
    assert play_block(setup(played, "club"), 0, 48).failures == []
    mixed = setup(played, *(["club", "random", "random", "novice"][:seats]), limit=40)
    assert play_block(mixed, 0, 48).failures == []


def test_says_every_word_of_the_game() -> None:
    """What it never meets is never tested: refusals, give-ups, the talon-sitter's look and the choices of Скачки among them."""
    seen: set[str] = set()
    for name, seats in (("piter", 4), ("skachki", 4), ("rostov", 4)):
        for bots in (["club"], ["club", "random", "random", "random"], ["club", "novice", "novice", "novice"]):
            _, deals = deals_of(setup(terms(name, seats), *bots, limit=40), 64)
            for row in range(0, len(deals), 2):
                seen |= words_of(deals[row : row + 1])
    assert {"misere", "pass", "whist", "half", "open", "take", "refuse", "give-up", "card", "pool"} <= seen
    assert any(word.startswith("look:") for word in seen)


def test_same_seed_same_pulkas() -> None:
    played = terms("piter", 3)
    one, again = (play_block(setup(played, "club", seed=5), 0, 12).tables.tobytes() for _ in range(2))
    assert one == again


_PLAIN = """
import hashlib, json
from tests.helpers import terms
from tests.bots.tables import setup
from engine.batch import play_block
print(json.dumps([hashlib.sha256(play_block(setup(terms(n, s), "club", limit=3), 0, 2).tables.tobytes()).hexdigest()
                  for n, s in (("piter", 3), ("rostov", 4))]))
"""


def test_compiled_and_plain_python_agree() -> None:
    answers = []
    for disabled in ("0", "1"):
        answer = subprocess.run(
            [sys.executable, "-c", _PLAIN], env={**os.environ, "NUMBA_DISABLE_JIT": disabled}, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(answer.stdout))
    assert answers[0] == answers[1]


def test_hidden_cards_change_no_decision() -> None:
    for name, seats in (("piter", 3), ("piter", 4), ("sochi", 4), ("rostov", 3)):
        assert decisions_blind_to_hidden_cards(club.act, terms(name, seats), random.Random(12), 350) == 350


@pytest.mark.parametrize(("name", "seats"), [("piter", 3), ("rostov", 3), ("sochi", 3), ("piter", 4)])
def test_beats_novice(name: str, seats: int) -> None:
    """On duplicate sets, one of each against the other's kind in turn."""
    table = setup(terms(name, seats), *(["club", "novice", "novice", "novice"][:seats]), duplicate=True, seed=3)
    block = play_block(table, 0, 200 * seats)
    low, _ = interval(by_player(table, block)[:, 0])
    assert low > 0


@pytest.mark.parametrize(
    ("part", "name"), [*((part, "piter") for part in ("bidding", "discard", "declarer", "defence", "raspas")), ("raspas", "rostov")]
)
def test_its_parts_are_worth_something(part: str, name: str) -> None:
    """Against the same bot with that part left to `novice`; raspas also where it is scored to whists."""
    table = setup(
        terms(name, 3),
        "club",
        f"club-{part}",
        duplicate=True,
        seed=3,
        seatings=((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)),
    )
    means = by_player(table, play_block(table, 0, 400 * 6))
    low, _ = interval(means[:, 0] - means[:, 1])
    assert low > 0


def test_pulkas_come_to_an_end() -> None:
    block, deals = deals_of(setup(terms("piter", 3), "club", limit=500), 64)
    assert block.tables["finished"].all()
    assert len(deals) / 64 < 60
    assert (deals["kind"] == K_RASPAS).any()
    good, games = made(deals)
    assert good / games > 0.7


def test_its_parts_are_those_of_the_catalogue() -> None:
    assert tuple(catalogue.VARIANTS) == tuple(f"club-{part}" for part in club.PARTS)
    assert all(variant.compiled() is getattr(club, variant.function) for variant in catalogue.VARIANTS.values())


def test_tables_that_do_not_belong_to_the_source_are_refused() -> None:
    with pytest.raises(RuntimeError, match=r"club_tables\.npz is not the file that club_tables\.py was written for: make both anew by"):
        club_tables.read_tables(club_tables.FILE, "0", "bots.club_learning")


def test_tables_are_written_with_their_digest(tmp_path: Path) -> None:
    file, source = tmp_path / "found.npz", tmp_path / "found.py"
    source.write_text('DIGEST = "0"\nOTHER = "0"\n', encoding="utf8")
    club_tables.write_tables(file, {"one": np.arange(3)})
    digest, other = source.read_text(encoding="utf8").splitlines()
    assert other == 'OTHER = "0"'
    assert list(club_tables.read_tables(file, digest.split('"')[1], "")["one"]) == [0, 1, 2]


def raspas_view(hand: str, led: str = "", tricks: tuple[int, int, int] = (0, 0, 0)) -> Any:
    """Seat 0 in a raspas of three, to lead or to play to the card `led`."""
    view = np.zeros(1, dtype=VIEW)
    view["seats"], view["phase"], view["kind"], view["trump"] = 3, P_PLAY, K_RASPAS, 4
    view["hand"] = view["legal"] = parse_hand(hand)
    view["led"] = view["best_card"] = view["best_seat"] = view["talon_up"] = -1
    view["tricks"][0, :3] = tricks
    view["trick_no"] = sum(tricks)
    if led:
        card = parse_hand(led).bit_length() - 1
        view["led"], view["best_card"], view["best_seat"], view["in_trick"] = card >> 3, card, 2, 1
        view["played"][0, 2] = parse_hand(led)
        view["legal"] = parse_hand(hand) & (0xFF << 8 * (card >> 3)) or parse_hand(hand)
    return plain(view)[0]


@pytest.mark.parametrize("name", ["piter", "rostov"])
def test_raspas_ducks_under_with_the_highest_card(name: str) -> None:
    hand = "S79K C78 D79 H789"
    assert int(club_raspas.play(raspas_view(hand, "SQ"), rules(name))) == parse_hand("S9").bit_length() - 1


def test_placed_by_own_tricks_or_by_the_others() -> None:
    """To the mountain every trick of one's own counts, to whists whether anybody has fewer."""
    placed = [
        [int(club_raspas.so_far(raspas_view("S7", tricks=tricks), rules(name), 1, 2)) for tricks in ((0, 1, 2), (1, 1, 2), (4, 1, 2))]
        for name in ("piter", "rostov")
    ]
    assert placed == [[0, 1, 2], [0, 1, 2]]
    assert int(club_raspas.so_far(raspas_view("S7", tricks=(1, 2, 2)), rules("piter"), 1, 2)) == 1
    assert int(club_raspas.so_far(raspas_view("S7", tricks=(1, 2, 2)), rules("rostov"), 1, 2)) == 0


def test_cards_looked_at_have_entries_and_other_sights_have_others() -> None:
    """Every entry is one of the table; the same card stands elsewhere when it is led, follows, or is discarded."""
    found = club_raspas_learning.found_in("rostov", 3, 20, seed=1)
    assert 0 <= found.entry.min() <= found.entry.max() < club_raspas_learning.ENTRIES
    assert found.position[0] == 0
    assert set(np.diff(found.position)) == {0, 1}
    assert set(found.kind) <= set(range(club_raspas.KINDS))
    entries = [set(found.entry[found.kind // club_raspas.PLACES_SO_FAR == kind]) for kind in range(3)]
    assert not entries[0] & entries[1] | entries[0] & entries[2] | entries[1] & entries[2]


def test_what_a_card_is_worth_is_found_again() -> None:
    """Values made of a number of the position, a share of the reckoning and an entry: the fit finds share and differences of entries."""
    rng = np.random.default_rng(4)
    positions, cards = 6000, 3
    entry = np.stack([rng.permutation(5)[:cards] for _ in range(positions)]).ravel()
    worth = np.array([0.0, 0.5, -0.5, 1.0, -1.0])
    reckoned = rng.normal(size=positions * cards)
    value = np.repeat(rng.normal(size=positions), cards) - 0.6 * reckoned + worth[entry] + rng.normal(size=positions * cards)
    position, kind = np.repeat(np.arange(positions), cards), np.zeros(positions * cards, dtype=np.int8)
    entries, share = club_raspas_learning.fit(club_raspas_learning.Found(entry, position, kind, reckoned, value))
    assert abs(share[0] - 0.6) < 0.05
    assert np.abs(entries[:5] - entries[:5].mean() - worth).max() < 0.1


HOLDINGS = st.lists(st.integers(0, 3), min_size=8, max_size=8)


@given(HOLDINGS)
def test_standings_and_orders(owner: list[int]) -> None:
    mine, second, third = (sum(1 << rank for rank, whose in enumerate(owner) if whose == k) for k in (1, 2, 3))
    out = second | third
    assert standing(mine, out) == standing_of(mine, out)
    assert order(mine, out) == order_of(mine, out)
    digits = [whose - 1 for whose in reversed(owner) if whose]
    assert owners(mine, second, third) == int("1" + "".join(map(str, digits)), 3)
    for rank in range(8):
        assert place(mine, out, rank) == sum(1 for k in range(rank) if owner[k])


@given(st.integers(0, 255), st.integers(0, 7), st.integers(0, 2))
def test_a_round_takes_as_many_cards_as_there_are_players(out: int, rank: int, players: int) -> None:
    then = int(after_round(out, rank, players))
    assert then & ~out == 0
    assert out.bit_count() - then.bit_count() == min(players, out.bit_count())


def test_chances_of_staying_best() -> None:
    """Nothing higher: certain; a lone holder with a lower card ducks; one without must beat."""
    assert stays_best(0b0111, 3, 2, 2) == ONE
    assert stays_best(0b1001, 1, 1, 1) == ONE
    assert stays_best(0b1000, 1, 1, 1) == 0
    assert 0 < stays_best(0b1001, 1, 2, 2) < ONE


def test_the_worth_of_a_game_is_what_the_sheet_says() -> None:
    """`docs/rules.md` 7.5, 8.1: a six in Питер made exactly: 2 at 20 whists less 4 a trick; one short: 4 at 10, consolation 4 twice."""
    piter, sochi = rules("piter"), rules("sochi")
    assert club_value.outcome(piter, 6, 6) == WHIST * 2 * 20 * 2 // 3 - WHIST * 16
    assert club_value.outcome(piter, 6, 5) == -WHIST * 4 * 10 * 2 // 3 - WHIST * (8 + 20)
    assert club_value.outcome(sochi, 7, 7) == WHIST * 4 * 10 * 2 // 3 - WHIST * 12
    assert club_value.outcome(piter, 10, 10) == WHIST * 10 * 20 * 2 // 3  # checked, not whisted


@given(st.integers(6, 10), st.integers(0, 10 * 256))
def test_more_tricks_are_worth_more(level: int, mean: int) -> None:
    r = rules("piter")
    assert club_value.game_worth(r, level, mean + 128, 230) >= club_value.game_worth(r, level, mean, 230)


def test_the_normal_distribution() -> None:
    assert club_value.at_least(0, 100, 300) == 4096
    assert club_value.at_least(11, 2560, 300) == 0
    assert abs(club_value.at_least(5, 5 * 256 - 128, 256) - 2048) <= 1
    assert abs(club_value.at_least(5, 5 * 256 + 128, 256) - round(4096 * 0.8413)) <= 8


@pytest.mark.parametrize(
    ("hand", "trump", "tricks"),
    [("SAKQJT987 CA HA", 0, 9.5), ("SAKQJ7 CAK D78 H8", 0, 6.5), ("SAK CAK DAK HAKQJ", 4, 9.0), ("S789 C789 D78 H78", 0, -9.0)],
)
def test_counts_the_obvious(hand: str, trump: int, tricks: float) -> None:
    assert club_value.tricks_after_discard(parse_hand(hand), trump) / 256 >= tricks


def test_discards_what_loses() -> None:
    """Two bare small cards go, not the trumps or the aces."""
    hand = parse_hand("SAKQJT9 CA7 DA8 H79")
    assert int(club_words.best_pair(hand, 1)) & parse_hand("SAKQJT9 CA DA") == 0


def test_a_safe_misere_is_bid_in_sochi_but_no_wild_one() -> None:
    r = rules("sochi")
    assert club_value.misere_worth(r, parse_hand("S789 C79J D78 H79"), 1) > 0
    assert club_value.misere_worth(r, parse_hand("SAKQ CAKQ DAK HAK"), 1) < 0


def test_whists_more_gladly_where_a_shortage_is_cheap() -> None:
    """A shortage costs a whister twice as much in Сочи as in Ростов, at the same whists."""
    sochi, rostov = rules("sochi"), rules("rostov")
    mean, own = 3 * 256, 256
    alone = club_value.ALONE
    assert club_value.defence_worth(rostov, 6, mean, own, alone, 0) > club_value.defence_worth(sochi, 6, mean, own, alone, 0)
    assert np.sign(club_value.defence_worth(sochi, 6, 256, own, alone, 0)) < 0
