"""Makes anew everything that is kept: `python -m benchmarks.rules.regenerate` (`make rules-bench-regenerate`).

To be run when rules or bots have changed on purpose, never to silence a difference. It refuses to write other digests for a
convention whose version is the one kept: a convention's version changes when its behaviour does.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from benchmarks.rules import counting, digests, positions, store
from benchmarks.rules.cases import tables


def changed(old: store.Book, new: store.Book, bot: str) -> list[str]:
    """The cases whose digest by this bot is not the kept one."""
    return [
        case
        for case, by_bot in new.held.items()
        if case in old.held and bot in old.held[case] and by_bot[bot].sha256 != old.held[case][bot].sha256
    ]


def unversioned(old: store.Book, new: store.Book) -> list[str]:
    """Why the new digests may not be written: they changed, and no version says so."""
    if old.version != new.version:
        return []
    found = []
    for bot, version in new.bots.items():
        cases = changed(old, new, bot) if old.bots.get(bot) == version else []
        if cases:
            found.append(f"{len(cases)} digests of {bot} (version {version}) changed, the first of case {cases[0]}")
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", metavar="CONVENTION", help="these conventions only")
    parser.add_argument("--positions", action="store_true", help="look for new positions too")
    parser.add_argument(
        "--same-versions",
        action="store_true",
        help="write even where a convention's version stays: before a release, or after mending a bug",
    )
    chosen = parser.parse_args(arguments)
    print("REGENERATING what the rules-regression benchmarks are compared with: what the rules do NOW becomes what is right.", flush=True)
    refused = 0
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        for convention, seats in tables():
            if chosen.only and convention not in chosen.only:
                continue
            book = digests.make_book(convention, seats, executor)
            faults: list[str] = []
            if store.path(convention, seats).exists():
                old = store.read(convention, seats)
                faults = unversioned(old, book)
                for bot in book.bots:
                    for case in changed(old, book, bot):
                        print(f"  CHANGED {convention}, {seats} seats, {case}, {bot}")
            if faults and not chosen.same_versions:
                refused += 1
                print(
                    f"{convention}, {seats} seats: NOT WRITTEN: {'; '.join(faults)}. If that is meant, raise the version in "
                    f"conventions/presets/{convention}.py (or the bot's in bots/catalogue.py), or say --same-versions."
                )
                continue
            store.write(book)
            if chosen.positions or not positions.path(convention, seats).exists():
                positions.write(convention, seats, positions.find(convention, seats))
            counting.regenerate(convention, seats)
            deals = sum(h.deals for by_bot in book.held.values() for h in by_bot.values())
            print(f"{convention}, {seats} seats: {len(book.held)} cases, {deals:,} deals WRITTEN", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
