"""What one seat may know: all that a bot, a person or a learning agent ever gets (`docs/rules.md` 3.1, 4.6, 5.3, 5.4)."""

from engine import machine, rng
from engine.jit import prefix_copier, rule_hot
from engine.table import PUBLIC_BYTES, PUBLIC_FIELDS, TABLE

copy_public = prefix_copier(PUBLIC_FIELDS, PUBLIC_BYTES)
copy_table = prefix_copier(TABLE.names, TABLE.itemsize)


@rule_hot
def fill(t, v, seat, legal):
    """Write into `v` what `seat` knows; `legal` is the mask of what it may do now (0 when it is not asked)."""
    copy_public(t, v)
    v.seat = seat
    v.first_action = machine.first_action(t)
    v.hand = t.hands[seat]
    v.discard = t.discard if seat == t.declarer else 0
    for s in range(4):
        v.known[s] = t.shown[s]
    v.known[seat] = t.hands[seat]
    if t.seats == 4 and seat == t.dealer and t.looked >= 0:
        v.known[t.looked] = t.hands[t.looked]
    v.legal = legal
    v.random = rng.draw(t.key, t.moves)
