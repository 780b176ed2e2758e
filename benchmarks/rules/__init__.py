"""Rules-regression benchmarks: counts of legal continuations, digests of scored pulkas, and short records of every entry.

`python -m benchmarks.rules` checks them all; `docs/08-rules-regression.md` tells what a difference means and what to do.
"""
