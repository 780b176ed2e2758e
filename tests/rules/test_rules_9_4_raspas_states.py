"""`docs/rules.md` 9.4: the raspas state machine of Питер, step by step, and what other conventions do instead."""

from typing import Any

import pytest

from tests.rules.conftest import Score
from tests.rules.protocols import TARGET, Deal, contract, dull_raspas, protocol

STEPS: list[tuple[str, int]] = [
    # the deal, the state after it
    ("raspas", 2),
    ("7S failed", 2),
    ("raspas", 3),
    ("misere", 3),
    ("raspas", 3),
    ("8C passed", 3),
    ("7D made", 1),
]
STATES = [1, *(state for _, state in STEPS)]


def deal_of(step: str, dealer: int) -> Deal:
    declarer = (dealer + 1) % 3
    return {
        "raspas": dull_raspas(3, dealer),
        "7S failed": contract(3, dealer, declarer, "7S", ("whist", "pass"), (6, 4, 0)),
        "misere": contract(3, dealer, declarer, "misere", None, (0, 6, 4)),
        "8C passed": contract(3, dealer, declarer, "8C", ("pass", "pass")),
        "7D made": contract(3, dealer, declarer, "7D", ("whist", "whist"), (7, 2, 1)),
        "8D made": contract(3, dealer, declarer, "8D", ("whist", "pass"), (8, 2, 0)),
        "half": contract(3, dealer, declarer, "7D", ("pass", "half")),
    }[step]


def deals_of(steps: list[str]) -> list[Deal]:
    return [deal_of(step, i % 3) for i, step in enumerate(steps)]


@pytest.mark.parametrize("count", range(len(STEPS) + 1), ids=lambda n: f"after-step-{n}")
def test_9_4_state(count: int, score: Score) -> None:
    answer = score(protocol("piter", 3, deals_of([s for s, _ in STEPS[:count]])))
    assert answer["raspas_level"] == STATES[count]
    assert answer["finished"] is False


@pytest.mark.parametrize("exit_levels", ["6-7-7", "6-7-8"])
@pytest.mark.parametrize("step", range(1, len(STEPS) + 1))
def test_9_4_minimum_bid(step: int, exit_levels: str, score: Score) -> None:
    """Before each step the lowest contract allowed is accepted and the one a level below is an error."""
    lowest = int(exit_levels.split("-")[STATES[step - 1] - 1])
    past = deals_of([s for s, _ in STEPS[: step - 1]])
    dealer = (step - 1) % 3
    declarer = (dealer + 1) % 3
    allowed = contract(3, dealer, declarer, f"{lowest}C", ("whist", "whist"), (lowest, 10 - lowest, 0))
    assert score(protocol("piter", 3, [*past, allowed], {"raspas_exit": exit_levels}))["raspas_level"] == 1
    misere = contract(3, dealer, declarer, "misere", None, (0, 6, 4))
    assert score(protocol("piter", 3, [*past, misere], {"raspas_exit": exit_levels}))["raspas_level"] == STATES[step - 1]
    if lowest > 6:
        for below in (
            contract(3, dealer, declarer, f"{lowest - 1}N", ("whist", "whist"), (lowest, 10 - lowest, 0)),
            {"dealer": dealer, "declarer": declarer, "give_up": f"{lowest - 1}N"},
        ):
            with pytest.raises(ValueError, match=f"deal {step}"):
                score(protocol("piter", 3, [*past, below], {"raspas_exit": exit_levels}))


@pytest.mark.parametrize(("progression", "prices"), [("2-4-6", [2, 4, 6, 6, 6]), ("2-4-8", [2, 4, 8, 8, 8])])
def test_9_4_price(progression: str, prices: list[int], score: Score) -> None:
    answer = score(protocol("piter", 3, [dull_raspas(3, d % 3) for d in range(5)], {"raspas_progression": progression}))
    assert [max(deal["mountain"]) for deal in answer["deals"]] == prices  # 4, 3, 3: one trick over the least


@pytest.mark.parametrize("target", [5, 6], ids=["closed-at-step-6", "closed-at-step-7"])
def test_9_4_step_8_a_pool_closed_in_raspas_waits_for_the_exit(target: int, score: Score) -> None:
    """Pools add up to 10, 16, 20 after steps 4, 6, 7; the game ends with step 7 both times, not before."""
    for count in range(len(STEPS) + 1):
        answer = score(protocol("piter", 3, deals_of([s for s, _ in STEPS[:count]]), target=target))
        assert answer["finished"] is (count == 7)
    with pytest.raises(ValueError, match="deal 8"):
        score(protocol("piter", 3, deals_of([*(s for s, _ in STEPS), "raspas"]), target=target))


EXITS: list[tuple[str, dict[str, Any], str, int]] = [
    # convention, options, what is played in state 2, the state after it
    ("piter", {}, "half", 1),
    ("piter", {}, "8C passed", 2),
    ("piter", {"unwhisted_exits": True}, "8C passed", 1),
    ("piter", {"unwhisted_exits": True}, "misere", 1),
    ("piter", {"unwhisted_exits": True}, "7S failed", 2),
    ("vmk", {}, "8C passed", 2),
    ("vmk", {}, "7D made", 1),
    ("leningrad", {}, "misere", 2),
    ("leningrad", {}, "7D made", 1),
    ("sochi", {}, "7S failed", 1),
    ("sochi", {}, "misere", 1),
    ("sochi", {}, "8C passed", 1),
    ("classic", {}, "7S failed", 2),
    ("classic", {}, "8C passed", 1),
    ("rostov", {}, "7S failed", 1),
    ("moscow", {}, "7S failed", 1),
]


@pytest.mark.parametrize(("convention", "options", "step", "state"), EXITS, ids=[f"{e[0]}-{e[2]}-{len(e[1])}" for e in EXITS])
def test_8_3_exits(convention: str, options: dict[str, Any], step: str, state: int, score: Score) -> None:
    assert score(protocol(convention, 3, deals_of(["raspas", step]), options))["raspas_level"] == state


@pytest.mark.parametrize("convention", ["sochi", "rostov", "moscow"])
def test_6_10_a_six_may_always_be_bid(convention: str, score: Score) -> None:
    deals = [dull_raspas(3, 0), dull_raspas(3, 1), contract(3, 2, 0, "6C", ("pass", "pass"))]
    assert score(protocol(convention, 3, deals))["deals"][2]["pool"] == [2, 0, 0]


@pytest.mark.parametrize("convention", ["piter", "vmk"])
def test_6_8_without_sliding_the_dealer_stays_until_the_exit(convention: str, score: Score) -> None:
    options = {"sliding_raspas": False}
    stays = [dull_raspas(3, 0), deal_of("7S failed", 0), deal_of("8C passed", 0), dull_raspas(3, 0), deal_of("7D made", 0)]
    assert score(protocol(convention, 3, [*stays, dull_raspas(3, 1)], options))["raspas_level"] == 2
    with pytest.raises(ValueError, match="deal 2"):
        score(protocol(convention, 3, [dull_raspas(3, 0), dull_raspas(3, 1)], options))
    with pytest.raises(ValueError, match="deal 6"):
        score(protocol(convention, 3, [*stays, dull_raspas(3, 0)], options))


@pytest.mark.parametrize("convention", ["piter", "rostov", "vmk", "moscow", "sochi", "leningrad"])
def test_1_5_the_deal_passes_clockwise(convention: str, score: Score) -> None:
    with pytest.raises(ValueError, match="deal 2"):
        score(protocol(convention, 3, [dull_raspas(3, 0), dull_raspas(3, 0)], target=TARGET))
