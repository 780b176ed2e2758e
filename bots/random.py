"""`random`: uniform over the legal actions. It says everything the rules allow, and wins nothing."""

from engine.jit import nth_bit, popcount, rule
from engine.rng import below


@rule
def act(v, r):
    """One of the legal actions, each equally likely (`v`: a view, `r`: the convention's rules)."""
    return v.first_action + nth_bit(v.legal, below(v.random, popcount(v.legal)))
