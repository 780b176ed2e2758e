"""Every row of `docs/rules.md` 9.1 to 9.4 and 9.6 is asked of both scorers: the project's own and the slow one of the tests.

The two fixtures are the only place that knows how the project's functions are called.
"""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests import slow_scorer
from tests.slow_conventions import CONVENTIONS

Score = Callable[[dict[str, Any]], dict[str, Any]]
Settle = Callable[..., list[Fraction]]


def project_score(protocol: dict[str, Any]) -> dict[str, Any]:
    """The project's answer to one protocol; ValueError with its sentence where it answers an error."""
    from lab.scoring import score_protocols

    (answer,) = score_protocols([json.dumps(protocol)])
    if "error" in answer:
        raise ValueError(answer["error"])
    return dict(json.loads(json.dumps(answer)))  # as it goes to other programs


def project_settle(sheet: dict[str, Any]) -> list[Fraction]:
    """The project's settlement of a sheet of `docs/interfaces.md`."""
    from lab.scoring import settle_sheets

    (answer,) = settle_sheets([json.dumps(sheet)])
    if "error" in answer:
        raise ValueError(answer["error"])
    return [Fraction(r) for r in answer["result"]]


def slow_settle(sheet: dict[str, Any]) -> list[Fraction]:
    """The same by the slow scorer."""
    worth = sheet.get("pool_worth", CONVENTIONS[sheet["convention"]]["pool_worth"])
    return slow_scorer.settle(sheet["pool"], sheet["mountain"], sheet["whists"], worth)


@pytest.fixture(params=["slow", "project"])
def score(request: pytest.FixtureRequest) -> Score:
    """A protocol -> the answer of `preferans score --json`."""
    return slow_scorer.score_protocol if request.param == "slow" else project_score


@pytest.fixture(params=["slow", "project"])
def settle(request: pytest.FixtureRequest) -> Settle:
    """A sheet as `preferans settle` reads it -> results."""
    return slow_settle if request.param == "slow" else project_settle
