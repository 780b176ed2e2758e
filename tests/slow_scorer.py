"""A slow scorer of protocols: the rules of scoring read aloud, in plain Python.

It is the oracle the compiled scorer is compared with, so it shares no code with it: everything here and in
`slow_conventions` and `slow_reading` is written from `docs/rules.md` (sections 3 to 8 and 11) and `docs/interfaces.md`
("A protocol"). Numbers are whole, or Fractions where something is shared; `whists[a][b]` is what a has written on b.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.slow_conventions import rules_of
from tests.slow_reading import Deal, Game, Seats, kind_of, quick_trick_whists, read_game, read_give_up, read_tricks, refuse_fields

Number = int | Fraction

COST = {6: 2, 7: 4, 8: 6, 9: 8, 10: 10, 0: 10}  # стоимость игры (0.2); level 0 is misère
DUTY = {6: 4, 7: 2, 8: 1, 9: 1, 10: 1}  # tricks the defence owes in all (4.1)
OWN_SHARE = {6: 2, 7: 1}  # what each of two whisters owes (4.7)
RASPAS_WHISTS = 5  # per trick, where raspas is scored to whists (6.6)
HELP_WHISTS = 10  # per point given to another's pool (7.3)
PRIZE_POOL, PRIZE_MOUNTAIN = 300, 200  # скачки (7.6)
SEMESTERS = 4


class Table:
    """A table with its sheet; deals are scored one after another."""

    def __init__(self, convention: str, seats: int, options: dict[str, Any] | None = None, target: int | None = None) -> None:
        self.rules = rules_of(convention, options or {}, seats)
        self.number = seats
        self.target: int = self.rules["target"] if target is None else target
        if self.target < 1:
            raise ValueError("target must be at least 1")
        self.sheet_pool, self.sheet_mountain, self.sheet_whists = self.blank()
        # the running semester's (elsewhere the pulka's) pools and mountains
        self.pool, self.mountain, _ = self.blank()
        self.entries: list[dict[str, Any]] = []
        self.level = 1  # the state s of 6.7
        self.forced = 1 if self.rules["semesters"] else 0  # the next deal is a raspas of at least this level; 0: an auction
        self.dealer: int | None = None  # of the next deal; the first may be anybody
        self.opener = 0  # who dealt first in this semester
        self.semester = 0
        self.reached: int | None = None  # who first reached the semester's target
        self.finished = False

    def blank(self) -> tuple[list[Number], list[Number], list[list[Number]]]:
        """Empty pools, mountains, whists."""
        return [0] * self.number, [0] * self.number, [[0] * self.number for _ in range(self.number)]

    # -- what stands before the next deal

    @property
    def raspas_level(self) -> int:
        """The state of the next deal; a forced raspas may stand higher than the table (11)."""
        return max(self.level, self.forced)

    def raspas_price(self) -> int:
        """What a trick of the next raspas costs."""
        return int(self.rules["raspas_progression"].split("-")[self.raspas_level - 1])

    def start_level(self) -> int:
        """The lowest level that may be bid (выход)."""
        return int(self.rules["raspas_exit"].split("-")[self.level - 1])

    def choosers(self, deal: Deal) -> list[int]:
        """The seats that say pool or mountain in the deal, clockwise from the dealer (6.5, 7.4)."""
        seats = Seats(self.number, deal["dealer"])
        if kind_of(deal) == "contract":
            game = read_game(deal, self.rules, seats)
            return [game.declarer] if self.declarer_chooses(game) else []
        if kind_of(deal) == "raspas" and self.rules["zero"] == "choice":
            return [s for s in seats.clockwise(seats.dealer) if deal["tricks"][s] == 0]
        return []

    # -- writing

    def put_pool(self, seat: int, points: Number) -> None:
        """Into the pool, as it is."""
        for pools in (self.pool, self.sheet_pool, self.entry_pool):
            pools[seat] += points

    def add_mountain(self, seat: int, points: Number) -> None:
        """Into the mountain; below zero is allowed."""
        for mountains in (self.mountain, self.sheet_mountain, self.entry_mountain):
            mountains[seat] += points

    def add_whists(self, writer: int, on: int, whists: Number) -> None:
        """`writer` writes whists on another."""
        for sheet in (self.sheet_whists, self.entry_whists):
            sheet[writer][on] += whists

    def add_pool(self, seat: int, points: Number) -> None:
        """Pool points earned, through the help of 7.3 where the convention has it."""
        if not self.rules["help"]:
            self.put_pool(seat, points)
            return
        own = min(points, max(0, self.target - self.pool[seat]))
        self.put_pool(seat, own)
        left = points - own
        while left > 0:
            open_ones = [s for s in Seats(self.number, 0).clockwise(seat)[1:] if self.pool[s] < self.target]
            if self.rules["help_skips_set_whister"]:
                open_ones = [s for s in open_ones if s not in self.set_whisters]
            if not open_ones:
                self.add_mountain(seat, -min(left, max(0, self.mountain[seat])))
                return
            receiver = max(open_ones, key=lambda s: self.pool[s])  # of equals the first clockwise
            given = min(left, self.target - self.pool[receiver])
            self.put_pool(receiver, given)
            self.add_whists(seat, receiver, HELP_WHISTS * given)
            left -= given

    # -- one deal

    def score(self, deal: Deal) -> dict[str, Any]:
        """Scores the next deal and answers its entries; ValueError names a deal that contradicts the rules."""
        try:
            return self._score(deal)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"deal {len(self.entries) + 1}: {error}") from error

    def _score(self, deal: Deal) -> dict[str, Any]:
        if self.finished:
            raise ValueError("the pulka has already ended")
        dealer = deal["dealer"]
        if dealer not in range(self.number):
            raise ValueError(f"dealer {dealer} is no seat")
        if self.dealer is None:
            self.opener = dealer
        elif dealer != self.dealer:
            raise ValueError(f"dealer {dealer} is out of turn, seat {self.dealer} deals")
        seats = Seats(self.number, dealer)
        kind = kind_of(deal)
        if self.forced and kind != "raspas":
            raise ValueError("this deal is a forced raspas")
        self.entry_pool, self.entry_mountain, self.entry_whists = self.blank()
        self.set_whisters: set[int] = set()
        if kind == "raspas":
            self.raspas(deal, seats)
        elif kind == "give_up":
            declarer, level = read_give_up(deal, self.rules, seats)
            self.check_start(level)
            self.add_mountain(declarer, 3 * self.rules["declarer_undertrick"] * COST[level])
            self.after_game(made=False, whisted=False)
        else:
            self.contract(deal, seats)
        stays = not self.rules["sliding_raspas"] and self.level >= 2
        self.dealer = dealer if stays else (dealer + 1) % self.number
        self.entries.append({"pool": self.entry_pool, "mountain": self.entry_mountain, "whists": self.entry_whists})
        self.judge_end(seats)
        return self.entries[-1]

    # -- raspas (6)

    def raspas(self, deal: Deal, seats: Seats) -> None:
        refuse_fields(deal, "a raspas", "declarer", "defence", "second", "refused", "overcalled_misere")
        tricks = read_tricks(deal, seats, sitter_at_most=2 if self.rules["talon_leads"] else 0)
        words = deal.get("write") or {}
        choosers = [str(s) for s in self.choosers(deal)]
        for seat_text, word in words.items():
            if seat_text not in choosers or word not in ("pool", "mountain"):
                raise ValueError(f"seat {seat_text} cannot choose {word!r}")
        if self.rules["raspas_to"] == "whists":
            self.raspas_to_whists(tricks, seats.active())
        else:
            forgiven = min(tricks) if self.rules["amnesty"] else 0
            for seat, taken in enumerate(tricks):
                self.add_mountain(seat, self.raspas_price() * (taken - forgiven))
        for seat in seats.clockwise(seats.dealer):
            if seat == seats.sitter and self.rules["sitter_always"]:
                self.add_pool(seat, self.rules["sitter_always"])
            elif seat == seats.sitter and self.rules["dealer_zero_bonus"]:
                self.add_mountain(seat, -1)
            elif tricks[seat] == 0 and (seat != seats.sitter or self.rules["zero_for_sitter"]):
                self.zero_bonus(seat, words.get(str(seat), "pool"))
        if self.rules["raspas_progression"]:
            self.level = min(3, self.raspas_level + 1)
        self.forced = 0

    def raspas_to_whists(self, tricks: list[int], active: list[int]) -> None:
        """The winner writes 5 a trick on each opponent; two winners write half each on the third."""
        fewest = min(tricks[s] for s in active)
        winners = [s for s in active if tricks[s] == fewest]
        for winner in winners:
            for loser in active:
                if loser not in winners:
                    self.add_whists(winner, loser, Fraction(RASPAS_WHISTS * tricks[loser], len(winners)))

    def zero_bonus(self, seat: int, word: str) -> None:
        """Чистый на пасах (6.5)."""
        zero = self.rules["zero"]
        if zero == "mountain":
            self.add_mountain(seat, -self.raspas_price())
        elif zero == "mountain one":
            self.add_mountain(seat, -1)
        elif zero == "pool one":
            self.add_pool(seat, 1)
        elif zero == "choice" and word == "mountain":
            self.add_mountain(seat, -2 * self.raspas_price())
        else:
            self.add_pool(seat, self.raspas_price())

    # -- a contract (4, 8.1)

    def contract(self, deal: Deal, seats: Seats) -> None:
        game = read_game(deal, self.rules, seats)
        where = deal.get("write")
        if where is not None and (where not in ("pool", "mountain") or not self.declarer_chooses(game)):
            raise ValueError(f"there is no choice of {where!r} here")
        if game.level == 0:
            if not game.made:
                self.add_mountain(game.declarer, self.rules["misere_undertrick"] * game.short)
        else:
            self.check_start(game.level)
            self.talon(game, seats)
            if "half" in game.words.values():
                half_the_duty = DUTY[game.level] // 2
                self.add_whists(game.second, game.declarer, self.rules["whist"] * COST[game.level] * half_the_duty)
            elif not game.made:
                self.declarer_set(game)
            elif game.tricks is not None and game.whisters:
                self.defence_of_made(game, game.tricks)
        if game.made:
            self.write_made(game, where or "pool")
        self.after_game(game.made, game.whisted)
        said_misere = game.level == 0 or game.overcalled
        if self.rules["forced_raspas"] and said_misere and not game.made:
            self.forced = min(3, game.short)

    def check_start(self, level: int) -> None:
        """A contract below the start of the bidding cannot be."""
        if level < self.start_level():
            raise ValueError(f"the bidding starts at {self.start_level()} now")

    def talon(self, game: Game, seats: Seats) -> None:
        """What a refused talon or its quick tricks write, whatever becomes of the contract (3.4 to 3.6, 11)."""
        if game.refused:
            if self.rules["talon_return"] and seats.sitter is not None:
                self.add_mountain(seats.sitter, COST[game.level])
            elif not self.rules["throw_talon"]:
                raise ValueError("the talon cannot be refused here")
            elif seats.sitter is not None:
                self.add_whists(game.declarer, seats.sitter, 10)
            else:
                self.add_whists(game.declarer, game.first, 5)
                self.add_whists(game.declarer, game.second, 5)
        elif self.rules["quick_tricks"] and game.talon is not None:
            whists = quick_trick_whists(game.talon)
            if seats.sitter is not None:
                self.add_whists(seats.sitter, game.declarer, whists)
            else:
                self.add_whists(game.first, game.declarer, whists // 2)
                self.add_whists(game.second, game.declarer, whists // 2)

    def declarer_set(self, game: Game) -> None:
        """Подсад играющего: his mountain, consolation by everybody, the defence's trick whists (4.5 to 4.8)."""
        assert game.tricks is not None
        cost = COST[game.level]
        times = self.rules["remise_whist_multiplier"]
        price = self.rules["whist"] * cost * times
        taken = 10 - game.tricks[game.declarer]
        self.add_mountain(game.declarer, self.rules["declarer_undertrick"] * cost * game.short)
        consolation = (self.rules["consolation"] * cost + self.rules["consolation_flat"]) * times
        for seat in range(self.number):
            if seat != game.declarer:
                self.add_whists(seat, game.declarer, consolation * game.short)
        defenders = (game.first, game.second)
        checked_ten = not game.whisters
        lone_defender = len(game.whisters) == 1 and game.whisters[0] in defenders
        if len(game.whisters) == 2:
            for seat in defenders:
                self.add_whists(seat, game.declarer, price * game.tricks[seat])
        elif checked_ten or (lone_defender and self.rules["gentleman"]):
            for seat in defenders:
                self.add_whists(seat, game.declarer, Fraction(price * taken, 2))
        else:
            self.add_whists(game.whisters[0], game.declarer, price * taken)

    def defence_of_made(self, game: Game, tricks: list[int]) -> None:
        """Whists on a made game, and подсад на висте where the defence took less than it owes in all (4.5, 4.7)."""
        cost = COST[game.level]
        taken = 10 - tricks[game.declarer]
        lone = len(game.whisters) == 1
        for seat in game.whisters:
            self.add_whists(seat, game.declarer, self.rules["whist"] * cost * (taken if lone else tricks[seat]))
        missing = DUTY[game.level] - taken
        if missing > 0:
            for seat, short in self.shortages(game, tricks, missing).items():
                if short > 0:
                    self.add_mountain(seat, self.rules["whister_undertrick"] * cost * short)
                    self.set_whisters.add(seat)

    def shortages(self, game: Game, tricks: list[int], missing: int) -> dict[int, Number]:
        """How many undertricks each whister answers for, when `missing` tricks are missing in all (4.7, A1, A6)."""
        if len(game.whisters) == 1:
            return {game.whisters[0]: missing}
        if game.level in OWN_SHARE:
            own: dict[int, Number] = {s: max(0, OWN_SHARE[game.level] - tricks[s]) for s in game.whisters}
            if self.rules["shortfall"] == "pair" and sum(own.values()) > missing:
                return {s: missing for s in own if own[s] > 0}  # the partner's surplus counts
            return own
        how = self.rules[f"two_short_on_{game.level}"]
        if how == "second":
            return {game.second_whister: missing}
        return dict.fromkeys(game.whisters, missing if how == "both" else Fraction(missing, 2))

    # -- a made game's points (7.4, 11)

    def declarer_chooses(self, game: Game) -> bool:
        """Whether the declarer says pool or mountain."""
        if not game.made:
            return False
        if self.rules["write_off"] == "vmk":
            return not game.whisted or self.pool[game.declarer] >= self.target
        if self.rules["write_off"] == "skachki":
            return game.level == 0 or (game.level >= 8 and game.all_passed)
        return False

    def write_made(self, game: Game, where: str) -> None:
        """The cost into the pool, or off the mountain (скачки: twice)."""
        cost: Number = COST[game.level]
        if where == "mountain":
            self.add_mountain(game.declarer, -cost * (2 if self.rules["write_off"] == "skachki" else 1))
            return
        if self.rules["mountain_first"]:
            struck = min(cost, max(0, self.mountain[game.declarer]))
            self.add_mountain(game.declarer, -struck)
            cost -= struck
        self.add_pool(game.declarer, cost)

    def after_game(self, made: bool, whisted: bool) -> None:
        """The state after a deal that was not a raspas (6.7 to 6.10)."""
        if self.rules["any_game_resets"] or (made and (whisted or self.rules["unwhisted_exits"])):
            self.level = 1

    # -- the end (7.2, 7.6)

    def judge_end(self, seats: Seats) -> None:
        if self.rules["semesters"]:
            self.judge_semester(seats)
        else:
            closed = {
                "sum": sum(self.pool) >= self.target * self.number,
                "each": min(self.pool) >= self.target,
                "first": max(self.pool) >= self.target,
            }[self.rules["pool_end"]]
            self.finished = closed and (self.level == 1 or not self.rules["end_waits_for_exit"])
        if self.rules["deal_limit"] is not None and len(self.entries) >= self.rules["deal_limit"]:
            self.finished = True

    def judge_semester(self, seats: Seats) -> None:
        """Скачки: the semester ends outside raspas, once somebody has reached the target (11)."""
        if self.reached is None:
            there = [s for s in seats.clockwise(seats.dealer) if self.pool[s] >= self.target]
            self.reached = there[0] if there else None
        if self.reached is None or self.level > 1 or self.forced:
            return
        for other in range(self.number):
            if other != self.reached:
                self.add_whists(self.reached, other, PRIZE_POOL)
        self.prize([-m for m in self.mountain], PRIZE_MOUNTAIN)
        self.semester += 1
        if self.semester == SEMESTERS:
            self.prize(self.sheet_pool, PRIZE_POOL)
            self.prize([-m for m in self.sheet_mountain], PRIZE_MOUNTAIN)
            self.finished = True
            return
        self.pool, self.mountain, _ = self.blank()
        self.level, self.forced, self.reached = 1, 1, None
        self.opener = (self.opener + 1) % self.number
        self.dealer = self.opener

    def prize(self, standing: Sequence[Number], whists: int) -> None:
        """The highest standing writes a prize on everybody below; equals share it and write nothing on each other."""
        best = max(standing)
        winners = [s for s in range(self.number) if standing[s] == best]
        for winner in winners:
            for other in range(self.number):
                if other not in winners:
                    self.add_whists(winner, other, Fraction(whists, len(winners)))

    # -- the answer

    def answer(self) -> dict[str, Any]:
        """The object that `preferans score --json` answers."""
        result = settle(self.sheet_pool, self.sheet_mountain, self.sheet_whists, self.rules["pool_worth"])
        return {
            "deals": [as_written(e["pool"], e["mountain"], e["whists"]) for e in self.entries],
            **as_written(self.sheet_pool, self.sheet_mountain, self.sheet_whists),
            "raspas_level": self.raspas_level,
            "finished": self.finished,
            "result": [str(r) for r in result],
        }


def plain(number: Number) -> int | str:
    """A number as protocols write it: 3, "5/2"."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else str(exact)


def as_written(pool: Sequence[Number], mountain: Sequence[Number], whists: Sequence[Sequence[Number]]) -> dict[str, Any]:
    """Entries in a protocol's numbers."""
    return {
        "pool": [plain(p) for p in pool],
        "mountain": [plain(m) for m in mountain],
        "whists": [[plain(w) for w in row] for row in whists],
    }


def settle(pool: Sequence[Number], mountain: Sequence[Number], whists: Sequence[Sequence[Number]], pool_worth: int) -> list[Fraction]:
    """Расчёт (7.5): 10 whists a point of the mountain against the average, `pool_worth` a point of the pool."""
    worth = [Fraction(pool_worth * p - 10 * m) for p, m in zip(pool, mountain, strict=True)]
    average = Fraction(sum(worth), len(worth))
    seats = range(len(worth))
    return [worth[i] - average + sum(Fraction(w) for w in whists[i]) - sum(Fraction(whists[j][i]) for j in seats) for i in seats]


def score_protocol(protocol: dict[str, Any]) -> dict[str, Any]:
    """Scores a protocol of `docs/interfaces.md`; ValueError names the deal, from 1, that contradicts the rules."""
    table = Table(protocol["convention"], protocol.get("seats", 3), protocol.get("options"), protocol.get("target"))
    for deal in protocol["deals"]:
        table.score(deal)
    return table.answer()
