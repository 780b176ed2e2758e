"""Which actions a decision is between, before anything is searched."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from bots.search.futures import NONE, STEPS
from engine import actions
from engine.cards import cards_of
from engine.contracts import MISERE
from engine.table import P_BID, P_DISCARD, P_PLAY, P_WHIST

Steps = tuple[int, ...]
LOWEST_BIDS = 3  # of the bids that are legal, beside what the bot of the house would say


def candidates(view: Any, said: int) -> list[Steps]:
    """The actions worth a thought at one view, each as the steps it begins with; `said`: what the bot of the house would do."""
    mask, base = int(view["legal"]), int(view["first_action"])
    legal = actions.actions_of(mask, base)
    phase = int(view["phase"])
    if phase == P_BID:
        return _bids(legal, said)
    if phase == P_DISCARD and int(view["discard"]) == 0:
        hand = [actions.DISCARD + card for card in cards_of(int(view["hand"]))]
        return list(combinations(hand, 2))
    if phase == P_PLAY:
        return [(actions.PLAY + card,) for card in _without_twins(view, mask)]
    if phase == P_WHIST:
        looks = [action for action in legal if actions.LOOK <= action < actions.LOOK + 4]
        if looks:  # seeing a hand costs nothing: the declarer's, who holds what the defence has to beat
            return [(actions.LOOK + int(view["declarer"]),)]
    return [(action,) for action in legal]


def _bids(legal: list[int], said: int) -> list[Steps]:
    bids = [action for action in legal if action != actions.PASS and action != actions.BID + MISERE]
    chosen = {actions.PASS, said, *bids[:LOWEST_BIDS], actions.BID + MISERE}
    return [(action,) for action in legal if action in chosen]


def _without_twins(view: Any, mask: int) -> list[int]:
    """Of neighbouring cards in one hand (nothing still to be played lies between them) the highest only."""
    live = ~(int(view["played"][0]) | int(view["played"][1]) | int(view["played"][2]) | int(view["played"][3]))
    for card in view["trick"]:
        if card >= 0:
            live |= 1 << int(card)
    kept = []
    for card in cards_of(mask):
        higher = card + 1
        while higher & 7 and not live >> higher & 1:
            higher += 1
        if not higher & 7 or not mask >> higher & 1:
            kept.append(card)
    return kept


def as_array(steps: list[Steps]) -> np.ndarray[Any, Any]:
    """The steps as rows of action numbers: uint8 (n, STEPS), `NONE` where there is no step."""
    rows = np.full((len(steps), STEPS), NONE, dtype=np.uint8)
    for row, step in zip(rows, steps, strict=True):
        row[: len(step)] = step
    return rows
