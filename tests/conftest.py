"""What all tests share: where the project stands and how Hypothesis behaves."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from engine.jit import JIT

# The first example may compile rules for seconds, so no example has a deadline. On CI the examples are the same in every run.
_common = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.register_profile("here", _common)
settings.register_profile("ci", _common, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds the four floors, tests, benchmarks and docs."""
    return ROOT


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In plain mode tests marked `compiled` are left out, and counted among the deselected; so are those of the bots, who play thousands
    of deals there (that they play the same in plain mode is tested in compiled runs, by processes of their own)."""
    if not JIT:
        out = [item for item in items if item.get_closest_marker("compiled") or item.path.is_relative_to(ROOT / "tests" / "bots")]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]
