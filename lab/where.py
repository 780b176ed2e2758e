"""Conditions on a deal as a small expression language: `length(0, "S") >= 5 and has(1, "SA HK")`.

Python's own parser reads the text (it knows precedence and says where a text goes wrong); nothing is evaluated as
Python: the tree is walked here, every node that is not listed is refused, and the functions work on arrays of deals.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import cards
from engine.cards import CardError

LONGEST = 2000  # characters
DEEPEST = 60  # parentheses and operators inside one another

PLACES = {"first": 0, "second": 1, "third": 2, "talon": 3}


class WhereError(ValueError):
    """A condition that cannot be read; `at` is the character (from 1) where it goes wrong."""

    def __init__(self, text: str, at: int, words: str) -> None:
        self.at = at
        super().__init__(f"at character {at}: {words}\n  {text}\n  {' ' * (at - 1)}^")


Value = Any  # an int, a bool, or an array of them, one a deal


class _Reader:
    """Turns one condition into values over an array of deals."""

    def __init__(self, text: str, skipped: int, columns: dict[int, int]) -> None:
        self.text = text
        self.skipped = skipped  # blanks before what the parser saw
        self.columns = columns
        self.masks: np.ndarray[Any, Any] = np.zeros((1, 4), dtype=np.int64)

    def fail(self, node: ast.AST, words: str) -> WhereError:
        # the parser counts bytes; suit signs are longer than one
        before = self.text[self.skipped :].encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore")
        return WhereError(self.text, self.skipped + len(before) + 1, words)

    def value(self, node: ast.AST) -> Value:
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(v) for v in node.values]
            join: Callable[[Any, Any], Any] = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            result = parts[0]
            for part in parts[1:]:
                result = join(result, part)
            return result
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return np.logical_not(self.truth(node.operand))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.number(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            return _ARITHMETIC[type(node.op)](self.number(node.left), self.number(node.right))
        if isinstance(node, ast.Compare):
            return self.compared(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return node.value
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            if abs(node.value) > 10**6:
                raise self.fail(node, "the number is too large; numbers up to 1000000 are allowed")
            return node.value
        if isinstance(node, ast.Call):
            return self.called(node)
        if isinstance(node, ast.Name) and node.id in FUNCTIONS:
            raise self.fail(node, f"{node.id} is a function: {FUNCTIONS[node.id][1]}")
        raise self.fail(node, f"this is not part of the language; allowed: {_ALLOWED}")

    def number(self, node: ast.AST) -> Value:
        value = self.value(node)
        if np.asarray(value).dtype == np.bool_:
            raise self.fail(node, "a number is needed here, and this is true or false")
        return value

    def truth(self, node: ast.AST) -> Value:
        value = self.value(node)
        if np.asarray(value).dtype != np.bool_:
            raise self.fail(node, 'true or false is needed here, and this is a number; compare it, as in length(0, "S") >= 5')
        return value

    def compared(self, node: ast.Compare) -> Value:
        result: Value = True
        left = self.number(node.left)
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            if type(operator) not in _COMPARISONS:
                raise self.fail(right_node, "only < <= > >= == != compare numbers")
            right = self.number(right_node)
            result = np.logical_and(result, _COMPARISONS[type(operator)](left, right))
            left = right
        return result

    def called(self, node: ast.Call) -> Value:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise self.fail(node.func, f"there is no such function; known: {', '.join(FUNCTIONS)}")
        function, usage, kinds = FUNCTIONS[node.func.id]
        if node.keywords or len(node.args) not in (len(kinds), len(kinds) - (kinds[-1] == "suit?")):
            raise self.fail(node, f"the arguments do not fit: {usage}")
        given = [self.argument(kind, argument) for kind, argument in zip(kinds, node.args, strict=False)]
        return function(self.masks, *given)

    def argument(self, kind: str, node: ast.AST) -> int:
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
        if kind == "place":
            if isinstance(node, ast.Name) and node.id in PLACES:
                return PLACES[node.id]
            if isinstance(node, ast.Constant) and type(node.value) is int and node.value in self.columns:
                return self.columns[node.value]
            seats = ", ".join(map(str, sorted(self.columns)))
            raise self.fail(node, f"a place is needed: a seat that holds cards ({seats}) or first, second, third, talon")
        if kind in ("suit", "suit?"):
            suit = _SUITS.get(text.upper()) if text else None
            if suit is None:
                raise self.fail(node, 'a suit is needed: "S", "C", "D" or "H"')
            return suit
        if kind == "rank":
            word = "T" if text == "10" else (text or "").upper()
            if len(word) != 1 or word not in cards.RANKS:
                raise self.fail(node, 'a rank is needed: one of "7" "8" "9" "T" "J" "Q" "K" "A"')
            return cards.RANKS.index(word)
        if not text:
            raise self.fail(node, 'cards are needed, such as "SA" or "SAKQ H7"')
        try:
            mask = cards.parse_hand(text)
        except CardError as error:
            raise self.fail(node, str(error)) from None
        if not mask:
            raise self.fail(node, f"{text!r} names no card")
        return mask


def _counts(masks: np.ndarray[Any, Any], place: int, among: int) -> Any:
    return np.bitwise_count(masks[:, place] & among).astype(np.int64)


def _length(masks: np.ndarray[Any, Any], place: int, suit: int) -> Any:
    return _counts(masks, place, cards.SUIT << 8 * suit)


def _lengths(masks: np.ndarray[Any, Any], place: int) -> Any:
    return np.stack([_length(masks, place, suit) for suit in range(4)])


def _top(masks: np.ndarray[Any, Any], place: int, suit: int | None = None) -> Any:
    suits = range(4) if suit is None else (suit,)
    total: Any = 0
    for s in suits:
        ranks = masks[:, place] >> 8 * s & cards.SUIT
        running = np.ones(len(masks), dtype=bool)
        for rank in range(7, -1, -1):
            running = running & (ranks >> rank & 1 == 1)
            total = total + running.astype(np.int64)
    return total


_RANK = sum(1 << 8 * suit for suit in range(4))
FUNCTIONS: dict[str, tuple[Callable[..., Any], str, tuple[str, ...]]] = {
    "length": (_length, 'length(place, suit): how many cards of a suit, as in length(0, "S")', ("place", "suit")),
    "longest": (lambda m, p: _lengths(m, p).max(axis=0), "longest(place): the length of its longest suit", ("place",)),
    "shortest": (lambda m, p: _lengths(m, p).min(axis=0), "shortest(place): the length of its shortest suit", ("place",)),
    "voids": (lambda m, p: (_lengths(m, p) == 0).sum(axis=0), "voids(place): how many suits it lacks", ("place",)),
    "count": (
        lambda m, p, r: _counts(m, p, _RANK << r),
        'count(place, rank): how many cards of a rank, as in count(1, "A")',
        ("place", "rank"),
    ),
    "has": (
        lambda m, p, c: (m[:, p] & c) == c,
        'has(place, cards): whether it holds all of them, as in has(0, "SAKQ")',
        ("place", "cards"),
    ),
    "any": (
        lambda m, p, c: (m[:, p] & c) != 0,
        'any(place, cards): whether it holds one of them, as in any(talon, "SA HA")',
        ("place", "cards"),
    ),
    "top": (_top, 'top(place[, suit]): the cards from the ace down without a gap, as in top(0, "S") or top(0)', ("place", "suit?")),
}

_SUITS = {c: i for i, c in enumerate(cards.SUITS)} | {c: i for i, c in enumerate(cards.SUIT_SYMBOLS)}
_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
}
_COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
}
_ALLOWED = f"whole numbers, + - *, < <= > >= == !=, and, or, not, parentheses and the functions {', '.join(FUNCTIONS)}"


def _depth(node: ast.AST) -> int:
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for n in level for child in ast.iter_child_nodes(n)]
    return deepest


def condition(text: str, seats: int = 3, dealer: int = 0) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    """The predicate that a text describes: uint32 (n, 4) hands of first, second, third hand and talon -> bool (n,).

    Places in the text are seats (of a deal by `dealer` at a table of `seats`) or `first`, `second`, `third`, `talon`.
    `WhereError` says at which character the text goes wrong and what is allowed.
    """
    if not text.strip():
        raise WhereError(text, 1, f"the condition is empty; allowed: {_ALLOWED}")
    if len(text) > LONGEST:
        raise WhereError(text[:60], 1, f"the condition has {len(text)} characters; {LONGEST} are allowed")
    for at, character in enumerate(text):
        if character in "\0\\\r\n\f#;":
            raise WhereError(text, at + 1, f"{character!r} is not part of the language; allowed: {_ALLOWED}")
    skipped = len(text) - len(text.lstrip())
    try:
        tree = ast.parse(text[skipped:], mode="eval").body
    except SyntaxError as error:
        at = skipped + (error.offset or 1)
        raise WhereError(text, min(max(at, 1), len(text) + 1), f"the condition cannot be read here; allowed: {_ALLOWED}") from None
    except (ValueError, RecursionError, MemoryError):
        raise WhereError(text, 1, f"the condition cannot be read; allowed: {_ALLOWED}") from None
    if _depth(tree) > DEEPEST:
        raise WhereError(text, 1, f"the condition is nested too deeply; {DEEPEST} levels are allowed")
    reader = _Reader(text, skipped, {(dealer + 1 + k) % seats: k for k in range(3)})

    def holds(hands: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        reader.masks = hands.astype(np.int64)
        return np.broadcast_to(reader.truth(tree), (len(hands),)).astype(np.bool_)

    holds(np.zeros((1, 4), dtype=np.uint32))  # every fault of the text shows on the first deal
    return holds
