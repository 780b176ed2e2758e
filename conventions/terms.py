"""From a convention to what the engine plays by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conventions.convention import Convention
from conventions.scorer import score
from engine.terms import Terms


def terms_of(convention: Convention, seats: int, options: Mapping[str, Any] | None = None) -> Terms:
    """The terms of a convention (already with its options) at 3 or 4 seats; `options` is what records will say of it."""
    return Terms(convention.compile(seats), score, convention.name, options)
