"""`make rules-bench`: everything that is kept, checked against the rules as they are now."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from benchmarks.rules import counting, digests, records

REPORTS = 5  # differences told in full
LINES = 40  # further ones in a line

HELP = (
    "If this is meant: raise the version of every convention that plays otherwise (conventions/presets/NAME.py), or of the bot "
    "(bots/catalogue.py), and run `make rules-bench-regenerate`. If it is not: something has broken a rule."
)


def tell(wrong: list[str]) -> None:
    """The first differences in full, others by their first line."""
    for text in wrong[:REPORTS]:
        print(text, "\n")
    for text in wrong[REPORTS : REPORTS + LINES]:
        print(text.splitlines()[0])
    if len(wrong) > REPORTS + LINES:
        print(f"… and {len(wrong) - REPORTS - LINES} more")


def main() -> int:
    wrong: list[str] = []
    began = time.perf_counter()

    def passed(what: str) -> None:
        print(f"{time.perf_counter() - began:6.1f} s  {what}", flush=True)

    count, have, faults = records.check()
    wrong += faults
    passed(f"{count} records replayed, {len(have)} kinds of entries")
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        count, faults = counting.check(executor)
        wrong += faults
        passed(f"{count} counts of continuations")
        verdicts = digests.check(executor)
        wrong += sorted((v.report for v in verdicts if v.report), key=lambda text: ", default" not in text.splitlines()[0])
        passed(f"{len(verdicts)} digests of {sum(v.deals for v in verdicts):,} deals")
    if wrong:
        print(f"\n{len(wrong)} DIFFERENCES\n")
        tell(wrong)
        print("\n" + HELP)
        return 1
    print("The rules are what they were.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
