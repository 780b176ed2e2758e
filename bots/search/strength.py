"""How much is looked at for a decision, by phase and cards left, in proportion to the number of samples."""

from __future__ import annotations

from typing import Any

import attrs

from bots.search.futures import MOST_DEEPER
from engine.table import K_MISERE, K_RASPAS, P_DISCARD, P_PLAY

DEFAULT_SAMPLES = 16


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
    """The effort for the decision at a view."""
    phase, kind = int(view["phase"]), int(view["kind"])
    if phase == P_PLAY:
        left = 10 - int(view["trick_no"])
        if kind == K_RASPAS:
            layouts = 4 * samples
            return Effort(2 * layouts, layouts, layouts, 0)
        layouts = samples * (1, 1, 1, 2, 3, 4, 6, 8, 8, 8, 8)[10 - left]
        if kind == K_MISERE:
            layouts = max(8, layouts // 2)
        return Effort(4 * layouts, layouts, min(samples, layouts), layouts)
    if phase == P_DISCARD:
        return Effort(4 * samples, samples, min(samples, max(4, samples // 2)), samples, 6)
    return Effort(6 * samples, samples, samples, samples, 4)
