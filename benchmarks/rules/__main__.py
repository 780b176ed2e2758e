"""`make rules-bench`: everything that is kept, checked against the rules as they are now."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from benchmarks.rules import counting, digests, records

REPORTS = 5  # differences told in full
LINES = 15  # further ones in a line

HELP = (
    "If this is meant: raise the version of every convention that plays otherwise (conventions/presets/NAME.py), or of the bot "
    "(bots/catalogue.py), and run `make rules-bench-regenerate`. If it is not: something has broken a rule."
)


def tell(what: str, wrong: list[str]) -> None:
    """The first differences of one check in full, others by their first line."""
    print(f"{len(wrong)} of {what}:\n")
    for text in wrong[:REPORTS]:
        print(text, "\n")
    for text in wrong[REPORTS : REPORTS + LINES]:
        print(text.splitlines()[0])
    if len(wrong) > REPORTS + LINES:
        print(f"… and {len(wrong) - REPORTS - LINES} more")
    print()


def main() -> int:
    wrong: dict[str, list[str]] = {}
    began = time.perf_counter()

    def passed(what: str) -> None:
        print(f"{time.perf_counter() - began:6.1f} s  {what}", flush=True)

    count, have, faults = records.check()
    wrong["the records"] = faults
    passed(f"{count} records replayed, {len(have)} kinds of entries")
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        count, faults = counting.check(executor)
        wrong["the counts of continuations"] = faults
        passed(f"{count} counts of continuations")
        verdicts = digests.check(executor)
        played = sorted((v.report for v in verdicts if v.report), key=lambda text: ", default" not in text.splitlines()[0])
        wrong["the games played"] = played
        passed(f"{len(verdicts)} digests of {sum(v.deals for v in verdicts):,} deals")
    if any(wrong.values()):
        print(f"\n{sum(map(len, wrong.values()))} DIFFERENCES\n")
        for what in reversed(wrong):  # whole games tell most
            if wrong[what]:
                tell(what, wrong[what])
        print(HELP)
        return 1
    print("The rules are what they were.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
