"""What the engine is handed of a convention: a record of numbers and a scorer (`engine` names no convention)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from engine import jit
from engine.table import PROCEDURE, TABLE


class Terms:
    """The terms a table plays by.

    `rules` is an array of one record whose first fields are `engine.table.PROCEDURE_FIELDS`; `scorer` a function
    `f(table, rules, stage) -> int` (stages `S_*` of `engine.table`). `name` and `options` are what records say of them.
    """

    def __init__(
        self, rules: np.ndarray[Any, Any], scorer: Callable[..., int], name: str = "", options: Mapping[str, Any] | None = None
    ) -> None:
        self.rules = rules
        self.scorer = scorer
        self.name = name
        self.options = dict(options or {})
        self.seats = int(rules["seats"][0])

    @cached_property
    def procedure(self) -> Any:
        """The rules as the engine reads them: an array of one `PROCEDURE` record over the same bytes."""
        return jit.plain(np.ndarray(1, PROCEDURE, buffer=self.rules))

    @cached_property
    def scorer_address(self) -> jit.Address:
        return jit.scorer_address(self.scorer, TABLE, self.rules.dtype)

    @cached_property
    def scorer_number(self) -> Any:
        """The scorer as compiled rules call it."""
        return self.scorer_address.number

    @cached_property
    def pointer(self) -> Any:
        """The rules record as compiled rules hand it to scorer and bots."""
        return jit.rules_pointer(self.rules)
