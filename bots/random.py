"""`random`: uniform over the legal actions. It says everything the rules allow, and wins nothing."""

from engine.jit import lowbit, popcount, rule
from engine.rng import below

VERSION = "1"


@rule
def act(v, r):
    """One of the legal actions, each equally likely (`v`: a view, `r`: the convention's rules)."""
    mask = v.legal
    for _ in range(below(v.random, popcount(mask))):
        mask &= mask - 1
    return v.first_action + lowbit(mask)
