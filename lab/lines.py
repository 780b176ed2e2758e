"""JSON Lines in, one answer a line out (`docs/interfaces.md`, names)."""

from __future__ import annotations

from lab.scoring import _each_line as each_line

__all__ = ["each_line"]
