"""Blocks on a Dask cluster (the extra `cluster`): `--executor dask:ADDRESS`."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import cast

from lab.errors import LabError, UsageError

PATIENCE = "10s"


def connect(address: str) -> tuple[Executor, int]:
    """An executor over the workers of the scheduler at ADDRESS (`tcp://host:8786`), and how many blocks should be under way at once.

    The workers need this package with the same versions. Dask retries what a lost worker had, and since a block is a pure
    function of the run and its number, the rows are the same.
    """
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("executor dask: the package distributed is not installed; install preferans[cluster]") from None
    if not address:
        raise UsageError("executor dask: an address is missing, such as dask:tcp://127.0.0.1:8786")
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise LabError(f"executor dask:{address}: no scheduler answers there: {str(error).splitlines()[0]}") from None
    # blocks are pure, but two runs may share a key only if they are the same run: let every call have its own
    return cast(Executor, client.get_executor(pure=False, retries=10)), max(32, 4 * sum(client.nthreads().values()))
