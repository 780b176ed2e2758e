"""The double-dummy solver: exact values with all cards known (`docs/05-solver.md`)."""

from bots.solver.batch import MISERE, NO_TRUMP, at_least_many, positions, solve_many, values_of_moves
from bots.solver.position import Position, PositionError, Solution, max_n, paranoid, solve, takes_at_least, tricks

__all__ = [
    "MISERE",
    "NO_TRUMP",
    "Position",
    "PositionError",
    "Solution",
    "at_least_many",
    "max_n",
    "paranoid",
    "positions",
    "solve",
    "solve_many",
    "takes_at_least",
    "tricks",
    "values_of_moves",
]
