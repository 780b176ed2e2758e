"""Ratings of bots from the order in which they finish pulkas (OpenSkill's Plackett-Luce model: a game of several players at once).

OpenSkill and not TrueSkill: it is maintained, free of patents and trade marks, and rates the whole order of three or four players in one
step. Bots do not learn, so skill does not drift (`tau` is 0). The estimate depends a little on the order of pulkas, which is fixed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from openskill.models import PlackettLuce

RATED = 10_000  # pulkas: the first ones; more would change nothing but the time


class Ratings:
    """Ratings that take in one pulka after another."""

    def __init__(self, bots: int, seatings: tuple[tuple[int, ...], ...]) -> None:
        self._model = PlackettLuce(tau=0.0)
        self._ratings = [self._model.rating() for _ in range(bots)]
        self._at = [[(bot, [k for k, b in enumerate(seating) if b == bot]) for bot in sorted(set(seating))] for seating in seatings]
        self.rated = 0

    def add(self, results: np.ndarray[Any, Any]) -> None:
        """Whole sets: results, shape (sets, seatings, seats). A bot that held several seats counts once, with its mean."""
        for one_set in results.tolist():
            if self.rated >= RATED:
                return
            for seated, result in zip(self._at, one_set, strict=True):
                # in twelfths a mean over one to four seats is a whole number: ties are exact
                scores = [12 // len(seats) * sum(result[k] for k in seats) for _, seats in seated]
                ranks = [float(sum(other > score for other in scores)) for score in scores]
                teams = self._model.rate([[self._ratings[bot]] for bot, _ in seated], ranks=ranks)
                for (bot, _), (rating,) in zip(seated, teams, strict=True):
                    self._ratings[bot] = rating
            self.rated += len(self._at)

    def of(self, bot: int) -> dict[str, float]:
        """The estimate: mean, its standard deviation, and mean less three deviations, by which people sort."""
        rating = self._ratings[bot]
        return {"mu": rating.mu, "sigma": rating.sigma, "ordinal": rating.ordinal()}
