"""Bots by name, and anybody's own bot by file: what `--bots` takes (`docs/interfaces.md`, simulating).

Listing the names imports nothing that compiles; `load` does.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from engine.telling import in_a_line

if TYPE_CHECKING:
    from engine.batch import Player


class BotError(ValueError):
    """A bot that is not known or cannot be used; the message names it and says what is allowed."""


@attrs.frozen
class NamedBot:
    """A bot of the house. `version` changes only when its play does; `function` of `module` is the compiled `f(view, rules) -> action`."""

    name: str
    version: str
    description: str
    module: str
    function: str = "act"

    def compiled(self) -> Any:
        """The compiled function (imports Numba)."""
        return getattr(importlib.import_module(self.module), self.function)


@attrs.frozen
class SearchingBot:
    """A bot of the house that searches: `policy(rules, samples)` of `module` makes its policies; NAME:SAMPLES sets its strength."""

    name: str
    version: str
    description: str
    module: str
    sees_all: bool = False

    def maker(self, rules: np.ndarray[Any, Any], samples: int | None) -> Callable[[], Any]:
        """A maker of policies, a fresh one for each block (imports Numba)."""
        policy = importlib.import_module(self.module).policy
        return lambda: policy(rules, samples)


BOTS: dict[str, NamedBot] = {
    bot.name: bot
    for bot in (
        NamedBot("random", "1", "any legal action, each equally likely", "bots.random"),
        NamedBot("novice", "1", "a beginner: counts his own tricks, keeps to the habits that beginners are taught", "bots.novice"),
        NamedBot("club", "2", "a solid club player: judges by experience and says what is worth most under the convention", "bots.club"),
    )
}

# the club player with one part of his play left to `novice`: what each part is worth
VARIANTS: dict[str, NamedBot] = {
    f"club-{part}": NamedBot(f"club-{part}", "2", f"`club` with `novice`'s {part}", "bots.club", f"without_{part}")
    for part in ("bidding", "discard", "whist", "declarer", "defence", "misere", "raspas")
}


SEARCHING: dict[str, SearchingBot] = {
    bot.name: bot
    for bot in (
        SearchingBot("master", "2", "solves layouts that agree with what it has seen; master:50 looks at 50 of them", "bots.master"),
        SearchingBot("oracle", "2", "sees all cards: a ceiling for the others, refused unless asked for", "bots.oracle", sees_all=True),
    )
}
MOST_SAMPLES = 10_000


def names() -> tuple[str, ...]:
    """The named bots."""
    return (*BOTS, *SEARCHING)


def load(spec: str, rules: np.ndarray[Any, Any], seconds: float | None = None, allow_oracle: bool = False) -> Player:
    """The player that `spec` means: a name, `path/to/file.py:NAME` for a bot of one's own, `exec:COMMAND` for a program (`bots.external`).

    `rules`: the convention's record, shape (1,), dtype `conventions.rules_record.RULES`; a bot's `view.rules` reads it.
    NAME in the file is a class with `act(view)` or `act_batch(views)` (made anew, without arguments, for every block), an
    object with one of them (copied for every block), or a function `f(v, r)` under `engine.jit.rule`. `seconds`: the time limit
    for one decision of a bot that is not compiled (`bots.limits`). `allow_oracle`: a bot that sees all cards was asked for. Raises
    `BotError`.
    """
    from bots import external, limits
    from engine.batch import Player

    seconds = limits.DECISION_SECONDS if seconds is None else seconds
    named = BOTS.get(spec) or VARIANTS.get(spec)
    if named is not None:
        return Player(spec, _address(spec, named.compiled()))
    if spec.partition(":")[0] in SEARCHING:
        return _searching(spec, rules, allow_oracle)
    if spec.startswith(external.PREFIX):
        try:
            return Player(spec, None, external.policy_maker(spec, rules, seconds))
        except ValueError as error:
            raise BotError(f"bot {spec!r}: {error}") from None
    path, colon, name = spec.rpartition(":")
    if not colon or not path.endswith(".py") or not name:
        raise BotError(f"bot {spec!r} is not known; allowed: {', '.join(names())}, exec:COMMAND, or FILE.py:NAME for a bot of your own")
    try:
        player = _player(spec, _attribute(spec, _module(spec, path), name), rules)
    except BotError:
        raise
    except BaseException as error:  # looking at a thing can run its code, which may raise anything
        raise BotError(f"bot {spec!r} cannot be used: {in_a_line(error)}") from error
    return player if player.make_policy is None else attrs.evolve(player, make_policy=limits.limited(player.make_policy, seconds))


def _searching(spec: str, rules: np.ndarray[Any, Any], allow_oracle: bool) -> Player:
    from engine.batch import Player

    name, colon, samples = spec.partition(":")
    bot = SEARCHING[name]
    if bot.sees_all and not allow_oracle:
        raise BotError(f"bot {spec!r} sees all cards: it is a yardstick and plays only where --allow-oracle asks for it")
    if colon and not (samples.isascii() and samples.isdigit() and 1 <= int(samples) <= MOST_SAMPLES):
        raise BotError(f"bot {spec!r}: {samples!r} is no number of samples; allowed: {name}, or {name}:1 to {name}:{MOST_SAMPLES}")
    return Player(spec, None, bot.maker(rules, int(samples) if colon else None), sees_all=bot.sees_all)


def version_of(spec: str) -> str:
    """A named bot's version; for a bot of one's own what tells one text of its file from another (a program's files, for `exec:`)."""
    named = BOTS.get(spec) or VARIANTS.get(spec)
    if named is not None:
        return named.version
    if spec.partition(":")[0] in SEARCHING:
        return SEARCHING[spec.partition(":")[0]].version
    if spec.startswith("exec:"):
        from bots.external import files_of

        files = files_of(spec)
    else:
        files = [Path(spec.rpartition(":")[0])]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _module(spec: str, path: str) -> ModuleType:
    """The file as a module; the same file with the same text is run once."""
    file = Path(path).resolve()
    try:
        text = file.read_bytes()
    except OSError as error:
        raise BotError(f"bot {spec!r}: the file {path} cannot be read: {error.strerror}") from None
    name = "own_bot_" + hashlib.sha256(str(file).encode() + b"\0" + text).hexdigest()[:16]
    if name in sys.modules:
        return sys.modules[name]
    description = importlib.util.spec_from_file_location(name, file)
    assert description is not None  # the name ends in .py
    assert description.loader is not None
    module = importlib.util.module_from_spec(description)
    sys.modules[name] = module
    try:
        description.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(name, None)
        raise BotError(f"bot {spec!r}: {path} cannot be run: {in_a_line(error)}") from error
    return module


def _attribute(spec: str, module: ModuleType, name: str) -> Any:
    found = getattr(module, name, None)
    if found is None:
        own = [n for n, value in vars(module).items() if not n.startswith("_") and _defined_in(module, value)]
        has = f"it has {', '.join(own)}" if own else "it defines nothing"
        raise BotError(f"bot {spec!r}: there is no {name} in the file; {has}")
    return found


def _defined_in(module: ModuleType, value: Any) -> bool:
    try:
        return bool(getattr(value, "__module__", None) == module.__name__ and callable(value))
    except BaseException:  # it does not let itself be looked at: it is no bot to choose
        return False


def _player(spec: str, bot: Any, rules: np.ndarray[Any, Any]) -> Player:
    from bots.python import one_by_one
    from engine.batch import Player
    from engine.jit import JIT

    if hasattr(bot, "py_func") or (not JIT and inspect.isfunction(bot)):
        return Player(spec, _address(spec, bot))
    make: Callable[[], Any] = _maker(spec, bot) if inspect.isclass(bot) else _copier(spec, bot)
    if callable(getattr(bot, "act_batch", None)):
        return Player(spec, None, make)
    if callable(getattr(bot, "act", None)):
        return Player(spec, None, one_by_one(make, rules))
    raise BotError(
        f"bot {spec!r} is {type(bot).__name__!r} without act; allowed: a class or an object with act(view) or act_batch(views), "
        "or a function f(v, r) decorated with engine.jit.rule"
    )


def _maker(spec: str, bot: Any) -> Callable[[], Any]:
    """The class, once it has been seen to need no arguments."""
    try:
        bot()
    except BaseException as error:
        raise BotError(f"bot {spec!r} cannot be made without arguments: {in_a_line(error)}") from error
    return bot


def _copier(spec: str, bot: Any) -> Callable[[], Any]:
    """Copies of an object, once it has been seen that it can be copied."""
    try:
        copy.deepcopy(bot)
    except BaseException as error:
        raise BotError(f"bot {spec!r} cannot be copied for each block: {in_a_line(error)}; allowed: its class") from error
    return lambda: copy.deepcopy(bot)


def _address(spec: str, function: Any) -> Any:
    from conventions.rules_record import RULES
    from engine.jit import bot_address
    from engine.table import VIEW

    try:
        return bot_address(function, VIEW, RULES)
    except Exception as error:
        raise BotError(f"bot {spec!r} does not compile as f(v, r) -> action number: {in_a_line(error)}") from error
