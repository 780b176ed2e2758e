"""Every kind of entry that a sheet can get, by name, and which of them a finished deal has.

This reads a deal's outcome and what it wrote; it is no second scorer, only a list to see that nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conventions import rules_record
from engine.contracts import LEVEL, SIX_SPADES
from engine.table import (
    C_MOUNTAIN,
    C_POOL,
    D_WHIST,
    E_GAVE_UP,
    E_HALF,
    E_PLAYED,
    E_UNPLAYED,
    END_EACH,
    END_FIRST,
    END_SUM,
    K_GAME,
    K_MISERE,
    K_RASPAS,
    P_OVER,
    UNIT,
)

_LEVELS = range(6, 11)
_RESPONSIBLE = ("for his share", "who said it second", "both in full", "both in halves")

KINDS: tuple[str, ...] = (
    *(f"{level} made, {how}" for level in _LEVELS for how in ("two whists", "a lone whist")),
    *(f"{level} made, nobody whisted" for level in range(6, 10)),
    *(f"{level} failed, {how}" for level in _LEVELS for how in ("two whists", "a lone whist")),
    "checked ten made",
    "checked ten failed",
    "six spades with two whists by duty",
    *(f"{level} settled at half a whist" for level in (6, 7)),
    "whists on a set declarer shared by gentlemen",
    "whists on a set declarer kept by the greedy whister",
    "whists and consolation on a set declarer doubled",
    "consolation to the talon-sitter",
    "no consolation to the talon-sitter",
    "the talon-sitter whists, game made",
    "the talon-sitter whists, game failed",
    "the talon-sitter is set as a whister",
    "the talon-sitter whists in vain and does not answer for it",
    *(f"lone whister set on {level}" for level in range(6, 11)),
    "whister set on 6 for his share",
    "whister set on 6 for what the pair is short, less than his own shortage",
    "whister set on 6 for his own shortage, more than the pair is short",
    "both whisters set on 6 for their shares",
    "both whisters set on 7 for their shares",
    *(f"whister set on {level}: {how}" for level in (8, 9, 10) for how in _RESPONSIBLE[1:]),
    "clean misère",
    "misère with tricks",
    "given up",
    "talon returned",
    "talon thrown on the talon-sitter",
    "talon thrown on two",
    *(f"{n} quick tricks in the talon, written by {who}" for n in (1, 2, 3) for who in ("two", "the talon-sitter")),
    *(f"raspas to the mountain at price {n}" for n in (1, 2, 3)),
    "raspas with amnesty",
    "raspas with amnesty, nothing to strike",
    "raspas tricks of the talon-sitter",
    "raspas to whists, one writes on two",
    "raspas to whists, two share",
    *(f"zero bonus off the mountain at price {n}" for n in (1, 2, 3)),
    *(f"zero bonus into the pool at price {n}" for n in (1, 2, 3)),
    "zero bonus off the mountain by choice",
    "zero bonus into the pool by choice",
    "zero bonus of the talon-sitter as of the others",
    "zero bonus of the talon-sitter whatever is played",
    "two zero bonuses in one raspas",
    "forced raspas at a semester's opening",
    *(f"forced raspas at price {n} after a failed contract over misère" for n in (1, 2, 3)),
    "help to one",
    "help split among two",
    "help split among three",
    "help from a raspas bonus",
    "help passes a set whister by",
    "nobody to help: struck from the helper's mountain",
    "nobody to help and nothing to strike",
    "unwhisted game written off the mountain",
    "unwhisted game into the pool by choice",
    "clean misère written off the mountain",
    "whisted game of a closed player written off the mountain",
    "written off in double size",
    "made game strikes the mountain first",
    "made game strikes the mountain first and fills the pool with the rest",
    "semester's prize for the pool",
    "semester's prize for the mountain, one winner",
    "semester's prize for the mountain, two share",
    "semester's prize for the mountain, three share",
    "nobody's prize for the mountain, all four tie",
    "final prize for the pools, one winner",
    "final prize for the pools, two share",
    "final prize for the mountains, one winner",
    "final prize for the mountains, two share",
    "the pulka ends: the sum is full",
    "the pulka ends: each pool is full",
    "the pulka ends: the first pool is full",
    "the pulka ends: the last semester",
    "the pulka ends: the limit of deals",
    "the pulka waits for the exit from raspas",
)


class Deal:
    """A finished deal (`t`: a `TABLE` element, `r`: the `RULES` element it was written by), read in plain numbers.

    `pool_before`, `mountain_before`: by seat in sixths, as they stood before the deal (those of this semester in Скачки).
    """

    def __init__(self, t: Any, r: Any) -> None:
        self.t, self.r = t, r
        self.seats = int(t["seats"])
        self.dealer = int(t["dealer"])
        self.kind = int(t["kind"])
        self.ended = int(t["ended"])
        self.declarer = int(t["declarer"])
        self.level = LEVEL[int(t["contract"])]
        self.tricks = [int(x) for x in t["tricks"][: self.seats]]
        self.defence = [int(x) for x in t["defence"][: self.seats]]
        self.pool = [int(x) for x in t["d_pool"][: self.seats]]
        self.mountain = [int(x) for x in t["d_mountain"][: self.seats]]
        self.whists = [[int(x) for x in row[: self.seats]] for row in t["d_whists"][: self.seats]]
        self.choice = [int(x) for x in t["choice"][: self.seats]]
        self.pool_before = [int(t["pool"][s]) - self.pool[s] for s in range(self.seats)]
        self.mountain_before = [int(t["mountain"][s]) - self.mountain[s] for s in range(self.seats)]
        self.sitter = self.dealer if self.seats == 4 else -1
        self.whisters = [s for s, word in enumerate(self.defence) if word == D_WHIST]
        self.full = int(t["target"]) * UNIT

    @property
    def made(self) -> bool:
        """Whether the contract was made (unplayed ones too)."""
        if self.kind == K_MISERE:
            return self.tricks[self.declarer] == 0
        return self.ended != E_GAVE_UP and (self.ended != E_PLAYED or self.tricks[self.declarer] >= self.level)


def kinds(t: Any, r: Any) -> Iterator[str]:
    """The kinds of entries of a finished deal (`t`: `TABLE` element, `r`: `RULES` element)."""
    d = Deal(t, r)
    if d.kind == K_GAME:
        yield from _game(d)
    elif d.kind == K_MISERE:
        yield "clean misère" if d.made else "misère with tricks"
        if d.made and d.choice[d.declarer] == C_MOUNTAIN:
            yield "clean misère written off the mountain"
    else:
        yield from _raspas(d)
    yield from _pools(d)
    yield from _ending(d)


def _game(d: Deal) -> Iterator[str]:
    r, level = d.r, d.level
    if d.ended == E_GAVE_UP:
        yield "given up"
        return
    if d.t["refused"]:
        returned = int(r["refusal"]) == rules_record.REFUSAL_RETURN
        yield "talon returned" if returned else f"talon thrown on {'two' if d.seats == 3 else 'the talon-sitter'}"
    elif r["quick_trick_whists"]:
        by = d.sitter if d.seats == 4 else (d.declarer + 1) % 3
        price = int(r["quick_trick_whists"]) * UNIT // (1 if d.seats == 4 else 2)
        worth = _quick(d) if d.whists[by][d.declarer] >= price else 0
        if worth:
            yield f"{worth} quick tricks in the talon, written by {'two' if d.seats == 3 else 'the talon-sitter'}"
    if d.t["contract"] == SIX_SPADES and r["stalingrad"]:
        yield "six spades with two whists by duty"
    result = "made" if d.made else "failed"
    if d.t["checked"]:
        yield f"checked ten {result}"
    elif d.ended == E_UNPLAYED:
        yield f"{level} made, nobody whisted"
    elif d.ended == E_HALF:
        yield f"{level} settled at half a whist"
    elif d.sitter in d.whisters:
        yield f"the talon-sitter whists, game {result}"
    else:
        yield f"{level} {result}, {'two whists' if len(d.whisters) == 2 else 'a lone whist'}"
    if not d.made:
        yield from _set_declarer(d)
    elif d.ended == E_PLAYED and not d.t["checked"]:
        yield from _set_whisters(d)
    if d.choice[d.declarer]:
        yield from _written(d)
    struck = -d.mountain[d.declarer]
    if r["mountain_first"] and d.made and struck > 0:
        cost = int(r["made"][level - 6]) * UNIT
        yield "made game strikes the mountain first" + (" and fills the pool with the rest" if struck < cost else "")


def _quick(d: Deal) -> int:
    ranks = sorted(int(c) % 8 for c in d.t["talon"])
    suited = int(d.t["talon"][0]) // 8 == int(d.t["talon"][1]) // 8
    if ranks == [7, 7]:
        return 3
    if ranks[1] == 7:
        return 2 if suited and ranks[0] == 6 else 1
    return 1 if suited and ranks == [5, 6] else 0


def _set_declarer(d: Deal) -> Iterator[str]:
    if d.r["remise_multiplier"] == 2:
        yield "whists and consolation on a set declarer doubled"
    if len(d.whisters) == 1 and d.sitter not in d.whisters:
        gentleman = bool(d.r["gentleman"])
        yield "whists on a set declarer " + ("shared by gentlemen" if gentleman else "kept by the greedy whister")
    if d.seats == 4 and d.sitter not in d.whisters:
        yield ("no " if not d.r["consolation_to_sitter"] else "") + "consolation to the talon-sitter"


def _set_whisters(d: Deal) -> Iterator[str]:
    set_ = [s for s in d.whisters if d.mountain[s] > 0]
    level, r = d.level, d.r
    missing = int(r["duty"][level - 6]) - (10 - d.tricks[d.declarer])
    price = int(r["whister_undertrick"][level - 6]) * UNIT
    if len(d.whisters) == 1:
        if d.sitter in d.whisters:
            if set_:
                yield "the talon-sitter is set as a whister"
            elif missing > 0:
                yield "the talon-sitter whists in vain and does not answer for it"
        elif set_:
            yield f"lone whister set on {level}"
        return
    if not set_:
        return
    if level >= 8:
        yield f"whister set on {level}: {_RESPONSIBLE[int(r['responsible'][level - 6])]}"
    elif len(set_) == 2:
        yield f"both whisters set on {level} for their shares"
    elif level == 6:
        own = int(r["duty"][0]) // 2 - d.tricks[set_[0]]
        charged = d.mountain[set_[0]] // price
        if charged < own:
            yield "whister set on 6 for what the pair is short, less than his own shortage"
        elif charged > missing:
            yield "whister set on 6 for his own shortage, more than the pair is short"
        else:
            yield "whister set on 6 for his share"


def _written(d: Deal) -> Iterator[str]:
    unwhisted = d.ended == E_UNPLAYED or bool(d.t["checked"])
    if d.choice[d.declarer] == C_POOL and unwhisted:
        yield "unwhisted game into the pool by choice"
    if d.choice[d.declarer] == C_MOUNTAIN:
        yield ("unwhisted game" if unwhisted else "whisted game of a closed player") + " written off the mountain"
        if d.r["write_off_multiplier"] == 2:
            yield "written off in double size"


def _raspas(d: Deal) -> Iterator[str]:
    r, price = d.r, int(d.t["level"])
    if d.t["forced"]:
        # a semester's opening has its clean sheet; the others follow a failed contract
        opening = bool(r["semesters"]) and d.dealer == int(d.t["opener"]) and not any(d.pool_before) and not any(d.mountain_before)
        yield "forced raspas at a semester's opening" if opening else f"forced raspas at price {price} after a failed contract over misère"
    if r["raspas_whists"]:
        writers = [s for s in range(d.seats) if any(d.whists[s])]
        if writers:
            yield f"raspas to whists, {'one writes on two' if len(writers) == 1 else 'two share'}"
    else:
        yield f"raspas to the mountain at price {price}"
        if r["amnesty"]:
            playing = [n for s, n in enumerate(d.tricks) if s != d.sitter or r["raspas_talon"]]
            yield "raspas with amnesty" + (", nothing to strike" if min(playing) == 0 else "")
        if d.seats == 4 and d.tricks[d.sitter]:
            yield "raspas tricks of the talon-sitter"
    gets = [s for s in range(d.seats) if _zero(d, s)]
    if len(gets) > 1:
        yield "two zero bonuses in one raspas"
    for seat in gets:
        if d.choice[seat]:
            yield f"zero bonus {'off the mountain' if d.choice[seat] == C_MOUNTAIN else 'into the pool'} by choice"
        elif r["zero_pool"][price - 1]:
            yield f"zero bonus into the pool at price {price}"
        else:
            yield f"zero bonus off the mountain at price {price}"
        if seat == d.sitter:
            always = int(r["zero_sitter"]) == rules_record.SITTER_ALWAYS
            yield f"zero bonus of the talon-sitter {'whatever is played' if always else 'as of the others'}"


def _zero(d: Deal, seat: int) -> bool:
    if not (d.r["zero_pool"][0] or d.r["zero_mountain"][0]):
        return False
    if seat == d.sitter:
        return int(d.r["zero_sitter"]) == rules_record.SITTER_ALWAYS or (d.r["zero_sitter"] != 0 and d.tricks[seat] == 0)
    return d.tricks[seat] == 0


def _pools(d: Deal) -> Iterator[str]:
    """Help: pool points that went elsewhere than to who earned them."""
    if not d.r["help"] or d.kind == K_RASPAS:
        if d.r["help"] and any(d.pool[s] and d.tricks[s] and s != d.sitter for s in range(d.seats)):
            yield "help from a raspas bonus"
        return
    if not d.made or d.choice[d.declarer] == C_MOUNTAIN:
        return
    cost = (int(d.r["misere_made"]) if d.kind == K_MISERE else int(d.r["made"][d.level - 6])) * UNIT
    others = [s for s in range(d.seats) if s != d.declarer and d.pool[s]]
    if others:
        yield f"help {('to one', 'split among two', 'split among three')[len(others) - 1]}"
        skipped = [s for s in d.whisters if d.mountain[s] > 0 and d.pool_before[s] < d.full and s not in others]
        ahead = [s for s in skipped if d.pool_before[s] >= max(d.pool_before[o] for o in others)]
        if d.r["help_skips_set_whister"] and ahead:
            yield "help passes a set whister by"
    if not d.r["mountain_first"] and sum(d.pool) < cost:
        struck = d.mountain[d.declarer] < 0
        yield "nobody to help: struck from the helper's mountain" if struck else "nobody to help and nothing to strike"


def _prize_winners(d: Deal, amount: int, totals: list[int]) -> int:
    """How many share a prize for the smallest total; 0 where all tie."""
    winners = totals.count(min(totals))
    return winners if amount and winners < d.seats else 0


def _ending(d: Deal) -> Iterator[str]:
    t, r = d.t, d.r
    over = int(t["phase"]) == P_OVER
    semesters = int(r["semesters"])
    ends_semester = semesters and t["reached"] >= 0 and t["next_level"] == 1 and (over or t["next_semester"] != t["semester"])
    mountains = [int(x) for x in t["mountain"][: d.seats]]
    if ends_semester and r["prize_mountain"]:
        yield "semester's prize for the pool"
        winners = _prize_winners(d, int(r["prize_mountain"]), mountains)
        if winners:
            yield f"semester's prize for the mountain, {('one winner', 'two share', 'three share')[winners - 1]}"
        else:
            yield "nobody's prize for the mountain, all four tie"
        if t["semester"] == semesters - 1:
            pools = [-int(t["pool"][s]) - int(t["pool_done"][s]) for s in range(d.seats)]
            all_mountains = [mountains[s] + int(t["mountain_done"][s]) for s in range(d.seats)]
            for what, totals in (("pools", pools), ("mountains", all_mountains)):
                winners = _prize_winners(d, 1, totals)
                if winners:
                    yield f"final prize for the {what}, {('one winner', 'two share', 'three share')[winners - 1]}"
            yield "the pulka ends: the last semester"
    if semesters or not t["finished"]:
        if not semesters and not over and r["wait_exit"] and _closed(d):
            yield "the pulka waits for the exit from raspas"
        return
    if _closed(d) and (not r["wait_exit"] or t["next_level"] == 1):
        how = {END_SUM: "the sum", END_EACH: "each pool", END_FIRST: "the first pool"}[int(r["pool_end"])]
        yield f"the pulka ends: {how} is full"
    elif r["deal_limit"]:
        yield "the pulka ends: the limit of deals"


def _closed(d: Deal) -> bool:
    pools = [int(x) for x in d.t["pool"][: d.seats]]
    full = sum(p >= d.full for p in pools)
    end = int(d.r["pool_end"])
    return full == d.seats if end == END_EACH else full > 0 if end == END_FIRST else sum(pools) >= d.full * d.seats
