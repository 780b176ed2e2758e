"""The yardstick of the solver: plain minimax over cards, without table, bounds, pruning or any sharing of code with it."""

import numpy as np

from engine.jit import JIT, rule

NOBODY = 3
number = np.int64 if JIT else int  # keeps the compiler from making copies for constants


@rule
def best_vector(h, trump, declarer, misere, player, played, led, winner, best, first, talon_now, next_talon, takes, selfish):
    """The tricks of the three seats from here on, packed as a + 16 b + 256 c.

    h: the hands, three masks (changed and restored);
    trump 4: none; selfish 1: every seat minimises its own tricks, then maximises the next seat's, then the one after that's.
    """
    if played == 3:
        won = number(0)
        if winner != NOBODY:
            won = number(1 << 4 * winner)
        none, zero = number(-1), number(0)
        if talon_now and next_talon >= 0:
            top = none
            if takes:
                top = next_talon % 8
            led = next_talon // 8
            nobody = number(NOBODY)
            return won + best_vector(h, trump, declarer, misere, first, zero, led, nobody, top, first, talon_now, none, takes, selfish)
        leader = first if talon_now else winner
        if h[0] == 0 and h[1] == 0 and h[2] == 0:
            return won
        return won + best_vector(h, trump, declarer, misere, leader, zero, none, leader, none, leader, zero, none, takes, selfish)
    hand = h[player]
    has_led = False
    has_trump = False
    for card in range(32):
        if hand >> card & 1:
            if card // 8 == led:
                has_led = True
            if card // 8 == trump:
                has_trump = True
    found, found_worth = number(-1), number(0)
    for card in range(32):
        if not hand >> card & 1:
            continue
        suit = card // 8
        if led >= 0 and suit != led and (has_led or (has_trump and suit != trump)):
            continue
        # strength within the trick: trumps above the suit led above the rest; `best` is kept on the same scale
        the_led = suit if led < 0 else led
        strength = number(-2)
        if suit == trump:
            strength = 100 + card % 8
        elif suit == the_led:
            strength = card % 8
        over = strength > best and strength >= 0
        h[player] = hand & ~(1 << card)
        result = best_vector(
            h, trump, declarer, misere, (player + 1) % 3, played + 1, the_led, player if over else winner, strength if over else best,
            first, talon_now, next_talon, takes, selfish,
        )  # fmt: skip
        h[player] = hand
        own = result >> 4 * player & 15
        following = result >> 4 * ((player + 1) % 3) & 15
        last = result >> 4 * ((player + 2) % 3) & 15
        if selfish:
            worth = 256 * (15 - own) + 16 * following + last
        else:
            tricks = result >> 4 * declarer & 15
            worth = tricks if (player == declarer) != (misere == 1) else 15 - tricks
        if found < 0 or worth > found_worth:
            found, found_worth = result, worth
    return found


@rule
def solve(position, seat, selfish):
    """The packed vector of one record of the solver's `POSITION` dtype, with `seat` as declarer."""
    h = np.zeros(3, dtype=np.int64)
    for k in range(3):
        h[k] = position.hands[k]
    game = number(position.game)
    trump = min(game, 4)
    first = number(position.leader)
    talon_now, next_talon = number(position.talon[0]), number(position.talon[1])
    takes = number(position.talon_takes)
    led, winner, best, played = number(-1), first, number(-1), number(0)
    if talon_now >= 0:
        led, winner = talon_now // 8, number(NOBODY)
        if takes:
            best = talon_now % 8
    for k in range(2):
        card = number(position.table[k])
        if card >= 0:
            if led < 0:
                led = card // 8
            strength = number(-2)
            if card // 8 == trump:
                strength = 100 + card % 8
            elif card // 8 == led:
                strength = card % 8
            if strength > best and strength >= 0:
                winner, best = (first + k) % 3, strength
            played += 1
    misere, on_talon = number(game == 5), number(talon_now >= 0)
    return best_vector(
        h, trump, seat, misere, (first + played) % 3, played, led, winner, best, first, on_talon,
        next_talon, takes, selfish,
    )  # fmt: skip


@rule
def solve_range(positions, seats, selfish, out):
    """The packed vectors of many positions into `out` (int64), `seats` the declarers."""
    for i in range(len(positions)):
        out[i] = solve(positions[i], seats[i], selfish)
