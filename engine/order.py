"""The order (заказ): the contract the declarer names after the talon (`docs/rules.md` 3.2)."""

from engine import actions, contracts, whist
from engine.jit import rule

_ALL = (1 << contracts.RUNGS + 1) - 2 & ~(1 << contracts.MISERE)


@rule
def legal(t, p):
    """Mask of trick contracts at or above the winning bid, bit *r* for rung *r*."""
    return (_ALL >> t.bid) << t.bid


@rule
def apply(t, p, action):
    """The contract is ordered; the defenders speak next."""
    t.contract = action - actions.BID
    t.trump = contracts.TRUMP[t.contract]
    whist.begin(t, p)
