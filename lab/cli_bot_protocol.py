"""`preferans bot-protocol`: what a program must do to play, in whatever language it is written."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

PROTOCOL = """\
A bot may be a program in any language: --bots "novice,exec:./mybot --flag" runs ./mybot --flag. The command is split into words
as a shell splits it (quotes hold together, no variables, no pipes; a comma ends the bot's name, so put a command with commas
into a script). It is started once for each block of pulkas, several at a time where there are several workers.

The program reads lines on its standard input. Each is one JSON object in UTF-8:

  {"hello": "preferans", "version": 1, ...}   once, first; no answer
  {"question": 1, "legal": ["pass", ...], ...}   answer with one line: one of the texts in "legal"

The answer goes to standard output and must be sent at once: flush the output after each line. Nothing else may be written there;
standard error is free and is passed on. When the input ends the program must end; after 1 second it is killed.

Texts are those of docs/interfaces.md. A card is suit and rank (S C D H; 7 8 9 T J Q K A): SA. A hand is suit groups: "SAKQ CT97".
A contract is level and trump (6S ... 10N) or misere. An action is a card, a discard (-SA), a contract, or one of pass, whist, half,
look:SEAT, open, closed, take, refuse, give-up, pool, mountain. Seats are numbers from 0, clockwise. Lists go by seat. Amounts are
exact: whole numbers, or texts such as "5/2". null is nobody or nothing. Fields may be added; a program skips what it does not know.

The greeting:
  version     of this agreement; it changes when a program that keeps to it would no longer work
  convention  piter, rostov, ...; null where options or a convention of somebody's own make the rules
  seats       3 or 4
  rules       the convention in numbers: prices by level (six to ten) or raspas state, duties, what is allowed

A question tells everything that the seat may know, so that a program needs no memory; questions of many tables come mixed:
  question    its number
  legal       the actions to choose from
  phase       bidding, talon, discard, order, whist, open, play, choice
  seat, turn  who decides; whose hand the card comes from (an open defence is played by the whister alone)
  hand        the cards of the seat
  known       the cards of each seat as far as they are known: its own hand, hands that lie open
  discard     what the seat itself has discarded
  deal, dealer, target, semester   where the pulka stands; deals count from 1, with 4 seats the dealer sits on the talon
  raspas_state, forced_raspas      the raspas state (1 to 3) of this deal; whether it is a raspas without an auction
  actions     all that was said and played in this deal, in order, but for discards
  bid, bidder, bids, passed        the standing bid and whose it is; the last bid of each seat; who has passed
  contract, declarer               what is played (raspas, misere, 6S ...) and by whom
  talon, talon_refused             the talon's cards that lie open
  defence, second_whister, lone_whister, open, checked, looked_at   who whists; whether the defence is open; a ten that nobody may whist
  trick, leader, best              the cards on the table by seat; who led; who holds the trick so far
  tricks, played, voids            tricks taken, cards played, suits that a seat has shown to lack
  choice, pool, mountain, whists   choices between pool and mountain; the sheet, whists[a][b] being what a has written on b
  pool_before, mountain_before     of semesters that are over
  random      a random number below 2^53 of this decision's own: use it alone for chance, and the same seed gives the same pulkas

Faults. A program that answers with something else than a legal action, gives no answer within the time limit (60 seconds a decision,
the first one with its start; league: --time-limit SECONDS), or ends, has its pulka ended there with a report that names bot, deal and
view; the run goes on. A program that stalled or ended is started anew, three times in a block at most.

preferans bot-protocol --example prints the greeting and some questions of a real deal.
"""


def bot_protocol(
    example: Annotated[
        bool, typer.Option("--example", help="Print lines that a program is sent: the greeting and some questions.")
    ] = False,
) -> int:
    """Let a program in any language play over pipes: the agreement on standard input and output."""
    if example:
        for message in example_messages():
            print(json.dumps(message, ensure_ascii=False, separators=(",", ":")))
    else:
        print(PROTOCOL, end="")
    return 0


def example_messages() -> list[dict[str, Any]]:
    """The greeting, and a question of each phase of one deal of Питер with three seats."""
    from bots.messages import greeting, question
    from conventions import catalogue
    from conventions.terms import terms_of
    from engine.game import Game

    terms = terms_of(catalogue.get("piter", 3), 3)
    game = Game(terms, seed=7)
    game.deal()
    messages = [greeting(terms.rules)]
    phases: set[str] = set()
    said = iter(("pass", "6C", "pass", "take"))
    while not game.waits_for_deal and not game.over:
        view = game.view(int(game.table["actor"][0]))
        asked = question(len(messages), view[0])
        if asked["phase"] not in phases:
            phases.add(asked["phase"])
            messages.append(asked)
        lone = "whist" in asked["legal"] and "whist" not in asked["actions"].split()  # the second defender passes: a word on open play
        game.act(next(said, "whist" if lone else asked["legal"][0]))
    return messages
