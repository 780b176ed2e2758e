"""How much is looked at for a decision, by phase and cards left, in proportion to the number of samples."""

from __future__ import annotations

from typing import Any

import attrs

from bots.search.futures import MOST_DEEPER
from engine.table import K_MISERE, K_RASPAS, P_DISCARD, P_PLAY

DEFAULT_SAMPLES = 20
DISCARDS = 66  # against misère nothing else is hidden


@attrs.frozen
class Effort:
    """What one decision may cost."""

    tries: int  # layouts drawn and weighed
    layouts: int  # of them kept
    playouts: int  # layouts in which every candidate is played out
    solved: int  # layouts in which the best candidates are solved
    kept: int = 4  # candidates that are solved
    deeper: int = 0  # own later cards that a playout chooses by search, at most `futures.MOST_DEEPER`
    playout_share: int = 2  # what playouts count beside solved layouts, in `futures.SHARES`

    def __attrs_post_init__(self) -> None:
        assert max(self.playouts, self.solved) <= self.layouts <= self.tries
        assert self.deeper <= MOST_DEEPER


def effort(view: Any, samples: int) -> Effort:
    """The effort for the decision at a view: more layouts the fewer cards are left, as each of them costs less."""
    phase, kind, trick = int(view["phase"]), int(view["kind"]), int(view["trick_no"])
    if phase == P_PLAY and kind == K_RASPAS:
        layouts = samples * (4, 4, 5, 6, 8, 10, 12, 16, 16, 16)[trick]
        return Effort(tries=2 * layouts, layouts=layouts, playouts=layouts, solved=0, deeper=1 if trick < 6 else 2)
    if phase == P_PLAY:
        layouts = samples * (1, 1, 1, 2, 3, 4, 6, 8, 8, 8)[trick]
        if kind == K_MISERE:  # three times as dear to solve
            layouts = -(-layouts // 2)
        tries = max(4 * layouts, DISCARDS) if kind == K_MISERE else 4 * layouts
        return Effort(tries=tries, layouts=layouts, playouts=min(samples, layouts), solved=layouts)
    if phase == P_DISCARD:  # up to 66 candidates
        return Effort(tries=4 * samples, layouts=samples, playouts=-(-samples // 2), solved=samples, kept=6)
    return Effort(tries=6 * samples, layouts=samples, playouts=samples, solved=samples, kept=4)
