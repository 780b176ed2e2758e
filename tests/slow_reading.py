"""How the slow scorer reads a deal of a protocol (`docs/interfaces.md`, "A protocol"): words, seats, tricks, defence.

Nothing is written here; a deal that contradicts the rules is a ValueError.
"""

from typing import Any, NamedTuple

Deal = dict[str, Any]
Rules = dict[str, Any]


def read_contract(text: object) -> int:
    """The level 6..10 of `6S` … `10N`, 0 for misère."""
    word = str(text).upper()
    for symbol, letter in zip("♠♣♦♥", "SCDH", strict=True):
        word = word.replace(symbol, letter)
    if word == "MISERE":
        return 0
    if word[:-1] in ("6", "7", "8", "9", "10") and word[-1:] in tuple("SCDHN"):
        return int(word[:-1])
    raise ValueError(f"{text!r} is not a contract")


def is_six_spades(text: object) -> bool:
    """Whether the contract is Stalingrad's."""
    return str(text).upper().replace("♠", "S") == "6S"


def quick_trick_whists(talon: object) -> int:
    """Быстрые взятки (3.6): what the talon's two cards are worth, 0, 10, 20 or 30."""
    word = str(talon).upper().replace("10", "T")
    for symbol, letter in zip("♠♣♦♥", "SCDH", strict=True):
        word = word.replace(symbol, letter)
    cards = word.split()
    if len(cards) != 2 or cards[0] == cards[1] or any(len(c) != 2 or c[0] not in "SCDH" or c[1] not in "789TJQKA" for c in cards):
        raise ValueError(f"{talon!r} is not a talon of two cards")
    ranks = {cards[0][1], cards[1][1]}
    one_suit = cards[0][0] == cards[1][0]
    if ranks == {"A"}:
        return 30
    if ranks == {"A", "K"} and one_suit:
        return 20
    if "A" in ranks or (ranks == {"K", "Q"} and one_suit):
        return 10
    return 0


class Seats(NamedTuple):
    """Who is who in a deal."""

    number: int
    dealer: int

    @property
    def sitter(self) -> int | None:
        """The talon-sitter: the dealer of four."""
        return self.dealer if self.number == 4 else None

    def clockwise(self, seat: int) -> list[int]:
        """All seats, `seat` first."""
        return [(seat + i) % self.number for i in range(self.number)]

    def active(self) -> list[int]:
        """The three who play, first hand first."""
        return [s for s in self.clockwise((self.dealer + 1) % self.number) if s != self.sitter]

    def defenders(self, declarer: int) -> list[int]:
        """W1 and W2."""
        return [s for s in self.clockwise(declarer) if s not in (declarer, self.sitter)]


class Game(NamedTuple):
    """A contract as it ended; misère is level 0."""

    level: int
    declarer: int
    first: int  # W1
    second: int  # W2
    words: dict[int, str]  # what each defender finally was, the talon-sitter too where he whisted
    second_whister: int  # who said whist second, where two did
    tricks: list[int] | None  # by seat, None where it was not played
    refused: bool  # the talon
    talon: str | None
    overcalled: bool  # it overcalled a misère
    short: int  # tricks the declarer is short; on misère, has taken

    @property
    def made(self) -> bool:
        return self.short == 0

    @property
    def whisters(self) -> list[int]:
        return [s for s, word in self.words.items() if word == "whist"]

    @property
    def whisted(self) -> bool:
        """Somebody whisted, half a whist included (11)."""
        return "whist" in self.words.values() or "half" in self.words.values()

    @property
    def all_passed(self) -> bool:
        """There were words, and every one was pass."""
        return bool(self.words) and not self.whisted


def kind_of(deal: Deal) -> str:
    """raspas, give_up or contract."""
    kinds = [k for k in ("raspas", "give_up", "contract") if deal.get(k)]
    if len(kinds) != 1:
        raise ValueError("a deal is one of contract, raspas and give_up")
    return kinds[0]


def refuse_fields(deal: Deal, what: str, *names: str) -> None:
    """No such field belongs to such a deal."""
    for name in names:
        if deal.get(name) is not None and deal[name] is not False:  # `"refused": false` says nothing
            raise ValueError(f"{what} has no {name}")


def read_tricks(deal: Deal, seats: Seats, sitter_at_most: int = 0) -> list[int]:
    """Ten tricks by seat; the talon-sitter has at most those of the talon's cards."""
    tricks = deal.get("tricks")
    if tricks is None:
        raise ValueError("a deal that is played needs its tricks")
    if len(tricks) != seats.number or any(type(t) is not int or t < 0 for t in tricks) or sum(tricks) != 10:
        raise ValueError(f"tricks {tricks} are not ten in all, one number a seat")
    if seats.sitter is not None and tricks[seats.sitter] > sitter_at_most:
        raise ValueError(f"the talon-sitter cannot take {tricks[seats.sitter]} tricks")
    return list(tricks)


def read_declarer(deal: Deal, seats: Seats) -> int:
    """The declarer, one of the three who play."""
    declarer = deal.get("declarer")
    if declarer not in seats.active():
        raise ValueError(f"declarer {declarer} is not one of the three who play")
    return int(declarer)


def read_give_up(deal: Deal, rules: Rules, seats: Seats) -> tuple[int, int]:
    """The declarer who went without three, and the level he had bid."""
    if not rules["give_up"]:
        raise ValueError("there is no giving up here")
    refuse_fields(deal, "a given-up deal", "tricks", "defence", "second", "refused", "overcalled_misere", "write")
    level = read_contract(deal["give_up"])
    if level == 0:
        raise ValueError("misère cannot be given up")
    return read_declarer(deal, seats), level


def read_game(deal: Deal, rules: Rules, seats: Seats) -> Game:
    """A played or unplayed contract."""
    level = read_contract(deal["contract"])
    declarer = read_declarer(deal, seats)
    first, second = seats.defenders(declarer)
    overcalled = bool(deal.get("overcalled_misere"))
    if overcalled and level not in (9, 10):
        raise ValueError("only a nine or a ten overcalls misère")
    checked = level == 10 and not rules["ten_whisted"]
    if level == 0:
        refuse_fields(deal, "misère", "defence", "second", "refused")
    if checked:
        refuse_fields(deal, "a checked ten", "defence", "second")
    words = {} if level == 0 or checked else read_defence(deal, rules, seats, declarer, level)
    whisters = [s for s, word in words.items() if word == "whist"]
    if deal.get("second") is not None and (len(whisters) != 2 or deal["second"] not in whisters):
        raise ValueError(f"seat {deal['second']} did not whist second")
    if words and not whisters:
        if deal.get("tricks") is not None:
            raise ValueError("a deal that nobody whisted is not played")
        tricks, short = None, 0
    else:
        tricks = read_tricks(deal, seats)
        short = tricks[declarer] if level == 0 else max(0, level - tricks[declarer])
    return Game(
        level=level,
        declarer=declarer,
        first=first,
        second=second,
        words=words,
        second_whister=second if deal.get("second") is None else deal["second"],
        tricks=tricks,
        refused=bool(deal.get("refused")),
        talon=deal.get("talon"),
        overcalled=overcalled,
        short=short,
    )


def read_defence(deal: Deal, rules: Rules, seats: Seats, declarer: int, level: int) -> dict[int, str]:
    """What each defender finally was, and the talon-sitter where he was asked (4.2)."""
    first, second = seats.defenders(declarer)
    sitter = seats.sitter
    stalingrad = rules["stalingrad"] and is_six_spades(deal["contract"])
    if stalingrad and deal.get("defence") is None:
        return {first: "whist", second: "whist"}
    words = {int(seat): str(word) for seat, word in deal["defence"].items()}
    for seat, word in words.items():
        if seat not in (first, second, sitter):
            raise ValueError(f"seat {seat} does not defend")
        if word not in ("whist", "half", "pass"):
            raise ValueError(f"{word!r} is no word of the defence")
    if first not in words or second not in words:
        raise ValueError("both defenders say something")
    if stalingrad and list(words.values()) != ["whist", "whist"]:
        raise ValueError("both defenders whist six spades")
    if words[first] == "half":
        raise ValueError("only the second defender goes for half a whist")
    if words[second] == "half":
        if not rules["half_whist"] or level not in (6, 7):
            raise ValueError("there is no half whist here")
        if words[first] == "whist":
            raise ValueError("whist and half a whist do not go together")
    if sitter in words:
        if not (rules["talon_sitter_may_whist"] and rules["half_whist"] and level in (6, 7)):
            raise ValueError("the talon-sitter has no word here")
        if words[sitter] == "half" or words[first] != "pass":
            raise ValueError("the talon-sitter is asked after pass, half whist, pass")
        if words[sitter] == "whist" and words[second] != "pass":
            raise ValueError("where the talon-sitter whists both defenders are passers")
        if words[sitter] == "pass" and words[second] != "half":
            raise ValueError("the talon-sitter is asked only after a half whist")
    return words
