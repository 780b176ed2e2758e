"""What a convention is: one frozen class whose fields are the rows of `docs/rules.md` 8, grouped as people speak.

The defaults are the plain, undoubled scale of Sochi; each preset (`conventions.presets`) states what differs. A
convention compiles, for 3 or 4 seats, to one record (`conventions.rules_record.RULES`).
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from conventions import compiling
from conventions.parameters import (
    FLAG,
    LIMIT,
    NEVER,
    PRICE,
    ConventionError,
    choice,
    numbers,
    numbers_of,
    parameter,
    whole,
)

GROUPS = {
    "auction": "торговля",
    "talon": "прикуп",
    "whist": "вист",
    "contracts": "запись игры",
    "raspas": "распасы",
    "ending": "конец пули",
    "settlement": "расчёт",
}


def _responsible(level: str, default: str) -> Any:
    return parameter(
        default,
        choice("second", "both", "halves"),
        "contracts",
        f"who of two whisters answers for a shortage on {level}: who whisted second, both in full, both in equal halves",
        f"ответственность двух вистующих на {level}",
    )


@attrs.frozen
class Convention:
    """A system of rules (конвенция). Field names are option names; `attrs.fields(Convention)` has meanings and Russian terms."""

    name: str = attrs.field(kw_only=True)
    title: str = attrs.field(kw_only=True, default="")  # as people call it in Russian
    version: str = attrs.field(kw_only=True, default="1")  # changes only when the behaviour does
    base: str = attrs.field(kw_only=True, default="")  # the preset that a person's own convention starts from
    fixed: frozenset[str] = attrs.field(kw_only=True, default=frozenset())  # options it does not offer
    choices: dict[str, tuple[str, ...]] = attrs.field(kw_only=True, factory=dict, eq=False)  # narrower values of an option, default first

    seat_counts: str = parameter("3-4", choice("3-4", "3", "4"), "auction", "how many may play", "число игроков")
    hold: bool = parameter(True, FLAG, "auction", "the elder hand may repeat the younger one's bid", "«здесь»")
    misere_beaten_by: str = parameter("nine", choice("nine"), "auction", "the lowest bid above misère", "чем перебивается мизер")

    talon_return: bool = parameter(
        False, FLAG, "talon", "the declarer may refuse the talon, the talon-sitter writes the game's cost in his mountain", "вернуть прикуп"
    )
    talon_throw: bool = parameter(
        False,
        FLAG,
        "talon",
        "the declarer may refuse the talon and writes 10 whists on the talon-sitter, 5 on each of two",
        "бросить прикуп",
    )
    quick_tricks: bool = parameter(
        False, FLAG, "talon", "aces and marriages in the talon are written on the declarer, 10 whists a quick trick", "быстрые взятки"
    )
    give_up: bool = parameter(False, FLAG, "talon", "the declarer may end the deal as three short, no whists", "ремиз разрешён, «без трёх»")

    stalingrad: bool = parameter(False, FLAG, "whist", "both defenders must whist six spades, closed", "6 пик – два виста")
    half_whist: bool = parameter(True, FLAG, "whist", "after a pass the second defender may take half a whist on 6 and 7", "полвиста")
    first_may_raise: bool = parameter(True, FLAG, "whist", "the first defender may whist after all when the second takes half", "поднять")
    talon_sitter_may_whist: bool = parameter(
        False, FLAG, "whist", "after pass, half, pass the talon-sitter may look at one hand and whist", "вист сидящего на прикупе"
    )
    whist_pass_half: bool = parameter(False, NEVER, "whist", "a lone whister may go back to half a whist", "вист-пас-полвиста")
    pass_pass_whist: bool = parameter(
        False, FLAG, "whist", "on 8, 9 and a whisted 10 the first defender is asked again after two passes", "пас-пас-вист"
    )
    ten_whisted: bool = parameter(False, FLAG, "whist", "tens are whisted; otherwise they are checked with open cards", "вистованные 10")
    declarer_first_lead_game: str = parameter(
        "light",
        choice("light", "dark"),
        "whist",
        "an open defence is laid down before (light) or after his first lead",
        "первый ход играющего",
    )
    declarer_first_lead_misere: str = parameter(
        "dark",
        choice("light", "dark"),
        "whist",
        "on misère the defence is laid down before (light) or after his first lead",
        "первый ход на мизере",
    )

    game_cost: str = parameter(
        "2-4-6-8-10",
        numbers((5,), 1, 100, "2-4-6-8-10"),
        "contracts",
        "what a made 6, 7, 8, 9, 10 writes in the pool (c)",
        "стоимость игры",
    )
    undertrick: str = parameter("c", PRICE, "contracts", "the declarer's mountain per trick short", "подсад на игре, в гору")
    whist: str = parameter("c", PRICE, "contracts", "whists per trick of the defence", "вист за взятку")
    consolation: str = parameter("c", PRICE, "contracts", "whists of every other player per trick the declarer is short", "консоляция")
    consolation_to_talon_sitter: bool = parameter(
        True, FLAG, "contracts", "the talon-sitter writes consolation too", "консоляция сидящему на прикупе"
    )
    remise_whist_multiplier: int = parameter(
        1, choice(1, 2), "contracts", "times which whists on a set declarer are written", "висты при ремизе"
    )
    gentleman: bool = parameter(
        False,
        FLAG,
        "contracts",
        "whister and passer share the whists on a set declarer; else the whister keeps them",
        "джентльменский вист",
    )
    whister_undertrick: str = parameter(
        "c", PRICE, "contracts", "a whister's mountain per trick short of the duty", "подсад на висте, в гору"
    )
    shortfall: str = parameter(
        "pair",
        choice("pair", "personal"),
        "contracts",
        "two whisters on a six, 3–0: the short one writes what the pair is short (pair) or his own shortage",
        "недобор двух вистующих",
    )
    responsible_on_8: str = _responsible("8", "second")
    responsible_on_9: str = _responsible("9", "second")
    responsible_on_10: str = _responsible("10", "second")
    talon_whister_responsible: bool = parameter(
        True, FLAG, "contracts", "a whisting talon-sitter answers for a shortage", "ответственность сидящего на прикупе"
    )
    misere_made: int = parameter(10, whole(0, 1000), "contracts", "what a clean misère writes in the pool", "сыгранный мизер")
    misere_trick: int = parameter(10, whole(0, 1000), "contracts", "the mountain per trick taken on misère", "взятка на мизере, в гору")
    misere_whists: bool = parameter(False, NEVER, "contracts", "whists or consolation on misère", "висты на мизере")

    raspas_scored_to: str = parameter(
        "mountain",
        choice("mountain", "whists"),
        "raspas",
        "tricks go to the mountain, or as whists to who took fewest",
        "распасы на гору или на висты",
    )
    raspas_progression: str = parameter(
        "1-2-3",
        numbers((1, 2, 3), 1, 1000, "2-4-6"),
        "raspas",
        "price of a trick in the first, second, later raspas; the last repeats",
        "прогрессия пасов",
    )
    amnesty: bool = parameter(False, FLAG, "raspas", "the smallest number of tricks is struck from everybody's", "амнистия")
    raspas_exit: str = parameter(
        "6-6-6", numbers((3,), 6, 8, "6-7-7"), "raspas", "lowest level of a bid before the first, second, later raspas", "выход из пасов"
    )
    unwhisted_exits: bool = parameter(True, FLAG, "raspas", "a made game that nobody whisted leaves raspas", "невистованная – выход")
    half_exits: bool = parameter(True, FLAG, "raspas", "a game settled at half a whist leaves raspas", "полвиста – выход")
    failed_keeps: bool = parameter(
        True, FLAG, "raspas", "a failed game keeps the raspas state; else it returns to the first", "ремиз не меняет распасов"
    )
    raspas_talon: bool = parameter(
        True, FLAG, "raspas", "the talon leads to the first two tricks; else it is never opened", "прикуп на распасах"
    )
    first_hand_leads_third: bool = parameter(
        True, FLAG, "raspas", "first hand leads to the third trick whoever took the second", "третий ход с первой руки"
    )
    zero_bonus: str = parameter(
        "pool",
        choice("none", "mountain", "pool", "choice"),
        "raspas",
        "zero tricks: nothing, a trick's price off the mountain, into the pool, or at choice pool or twice off the mountain "
        "(where raspas is scored to whists, the price is 1)",
        "чистый на пасах",
    )
    talon_sitter_zero_bonus: bool = parameter(
        False, FLAG, "raspas", "the talon-sitter gets the zero bonus like the others", "сидящий на прикупе – на общих основаниях"
    )
    dealer_zero_bonus: bool = parameter(
        False, FLAG, "raspas", "the talon-sitter gets the zero bonus in every raspas", "1 с горы сидящему на прикупе"
    )
    sliding_raspas: bool = parameter(True, FLAG, "raspas", "the deal moves on in raspas too", "распасы скользящие")
    forced_raspas: bool = parameter(
        False, FLAG, "raspas", "a failed contract in an auction with misère forces the next raspas", "обязательная распасовка"
    )

    pool_end: str = parameter(
        "each",
        choice("sum", "each", "first"),
        "ending",
        "the pool is closed when the sum, each or the first of the pools is full",
        "конец пули",
    )
    plays_on_in_raspas: bool = parameter(False, FLAG, "ending", "a closed pool is played on until the exit", "закрытая пуля ждёт выхода")
    help: bool = parameter(
        True, FLAG, "ending", "a full pool's points go to an opponent, who owes whists for them", "американская помощь, залив"
    )
    help_skips_set_whister: bool = parameter(
        False, FLAG, "ending", "who was set as a whister in this deal is not helped", "подсевшего на висте заливать нельзя"
    )
    unwhisted_write_off: str | int = parameter(
        "none",
        choice("none", 6, 7, 8, 9, 10),
        "ending",
        "an unwhisted game from this level on, and a clean misère, may be written off the mountain",
        "списание невистованной",
    )
    write_off_when_closed: bool = parameter(
        False, FLAG, "ending", "who is closed may write any made game off his mountain", "списание закрывшегося"
    )
    write_off_multiplier: int = parameter(
        1, choice(1, 2), "ending", "times the cost that a write-off takes off", "списание в двойном размере"
    )
    mountain_first: bool = parameter(
        False, FLAG, "ending", "a made game strikes the declarer's own mountain first, what is left goes to the pool", "сначала гора"
    )
    semesters: int = parameter(0, whole(0, 20), "ending", "semesters, each opened by a raspas; 0: an ordinary pulka", "семестры")
    prize_pool: int = parameter(
        0, whole(0, 10000), "ending", "whists for the first full pool of a semester and the largest of all", "приз за пулю"
    )
    prize_mountain: int = parameter(
        0, whole(0, 10000), "ending", "whists for the smallest mountain of a semester and of all", "приз за гору"
    )
    deal_limit: int | None = parameter(None, LIMIT, "ending", "the pulka ends after so many deals", "лимит сдач")
    default_target: int = parameter(10, whole(1, 10000), "ending", "the pool played to unless another is agreed", "размер пули")

    pool_worth: int = parameter(10, whole(1, 1000), "settlement", "whists per pool point", "очко пули в вистах")
    mountain_worth: int = parameter(10, whole(1, 1000), "settlement", "whists per mountain point", "очко горы в вистах")

    def __attrs_post_init__(self) -> None:
        for first, second, why in (
            ("talon_return", "talon_throw", "a refused talon is either returned or thrown"),
            ("dealer_zero_bonus", "talon_sitter_zero_bonus", "the talon-sitter has the bonus always or as the others have it"),
            ("mountain_first", "write_off_when_closed", "there is no choice where the mountain comes first"),
        ):
            if getattr(self, first) and getattr(self, second):
                raise ConventionError(f"{first}=true contradicts {second}=true: {why}")
        if self.mountain_first and self.unwhisted_write_off != "none":
            level = self.unwhisted_write_off
            raise ConventionError(
                f"mountain_first=true contradicts unwhisted_write_off={level}: there is no choice where the mountain comes first"
            )
        if self.zero_bonus == "none":
            for name in ("dealer_zero_bonus", "talon_sitter_zero_bonus"):
                if getattr(self, name):
                    raise ConventionError(f"{name}=true contradicts zero_bonus=none: there is no bonus to get")
        if self.raspas_scored_to == "whists":
            if self.raspas_talon:
                raise ConventionError("raspas_scored_to=whists contradicts raspas_talon=true: a raspas for whists never opens the talon")
            if self.amnesty:
                raise ConventionError("raspas_scored_to=whists contradicts amnesty=true: an amnesty strikes tricks from the mountain")
            if "-" in self.raspas_progression:
                raise ConventionError(
                    f"raspas_scored_to=whists contradicts raspas_progression={self.raspas_progression}: it has one price, such as 5"
                )
        if self.first_hand_leads_third and not self.raspas_talon:
            raise ConventionError("first_hand_leads_third=true contradicts raspas_talon=false: first hand leads to the first trick then")
        if any(cost % 2 for cost in self.costs) and "c/2" in (self.undertrick, self.whist, self.consolation, self.whister_undertrick):
            raise ConventionError(f"game_cost={self.game_cost}: the costs must be even where a price is c/2")

    @property
    def costs(self) -> tuple[int, ...]:
        """What 6, 7, 8, 9, 10 are worth in the pool, in points."""
        return numbers_of(self.game_cost)

    def seats_allowed(self) -> tuple[int, ...]:
        """The numbers of seats it is played with."""
        return numbers_of(self.seat_counts)

    def check_seats(self, seats: Any) -> int:
        """`seats` if the convention is played with so many; `ConventionError` otherwise."""
        allowed = self.seats_allowed()
        if isinstance(seats, bool) or seats not in allowed:
            words = " or ".join(str(n) for n in allowed)
            raise ConventionError(f"seats: {show_seats(seats)} is not allowed in {self.name}; allowed: {words}")
        return int(seats)

    @property
    def progresses(self) -> bool:
        """Whether there is a raspas state at all (6.7): prices or starting levels that grow, or forced raspas."""
        growing = any(len(set(numbers_of(text))) > 1 for text in (self.raspas_progression, self.raspas_exit))
        return growing or self.forced_raspas or self.semesters > 0

    def compile(self, seats: int) -> np.ndarray[Any, Any]:
        """The record that engine, scorer and bots read: shape (1,), dtype `RULES`, prices in points.

        What has no effect with these parameters is 0, so that conventions that play the same compile to the same bytes.
        """
        return compiling.compile_rules(self, self.check_seats(seats))


def show_seats(seats: Any) -> str:
    """A number of seats in a message."""
    return str(seats) if isinstance(seats, int) and not isinstance(seats, bool) else repr(seats)


PARAMETERS: dict[str, attrs.Attribute[Any]] = {a.name: a for a in attrs.fields(Convention) if "kind" in a.metadata}
