"""A batch policy that searches: all layouts of all waiting tables go through the compiled futures and the solver together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from bots.search import futures, worlds, worth
from bots.search.candidates import Steps, as_array, candidates
from bots.search.strength import Effort
from bots.solver import solve_many, values_of_moves
from bots.solver.root import POSITION
from engine.jit import Address, call_bot, plain, rule
from engine.table import K_RASPAS, P_PLAY, VIEW, new_tables
from engine.terms import Terms

Array = np.ndarray[Any, Any]


@rule
def ask(views, which, rules, bot, out):
    """What the bot says at each view."""
    for j in range(len(which)):
        out[j] = call_bot(bot, views[which[j]], rules)


@attrs.define(eq=False)
class Question:
    """One decision under way."""

    view: Any
    said: int  # what the bot of the house would do
    effort: Effort
    steps: list[Steps]
    first: int = 0  # its tables
    moves: bool = False  # the solver is asked for all cards at once
    played: Array = attrs.field(factory=lambda: np.zeros(0, dtype=np.int64))  # sums by candidate
    solved: Array = attrs.field(factory=lambda: np.zeros(0, dtype=np.int64))


class Search:
    """Plays by sampled layouts. `bot`: the compiled bot whose play is assumed; `effort`: what a decision may cost."""

    def __init__(self, terms: Terms, bot: Address, effort: Callable[[Any], Effort]) -> None:
        self.terms = terms
        self.bot = bot
        self.effort = effort
        self.weights = worth.coefficients(terms.rules)
        self._work = np.zeros(1, dtype=VIEW)
        self._scratch = new_tables(futures.SCRATCH)

    def act_batch(self, views: Array) -> Array:
        answers = np.zeros(len(views), dtype=np.int64)
        legal = views["legal"]
        single = (legal & (legal - 1)) == 0
        answers[single] = views["first_action"][single] + np.frexp(legal[single])[1] - 1
        open_ = np.flatnonzero(~single)
        if len(open_):
            answers[open_] = self._decide(views, open_)
        return answers

    def _decide(self, views: Array, which: Array) -> list[int]:
        said = np.zeros(len(which), dtype=np.int64)
        ask(plain(views), plain(which), self.terms.pointer, self.bot.number, plain(said))
        questions = [self._question(views[i], int(s)) for i, s in zip(which, said, strict=True)]
        thinking = [k for k, q in enumerate(questions) if len(q.steps) > 1]
        if thinking:
            asked = [questions[k] for k in thinking]
            tables = self._tables(views, which[thinking], asked)
            self._play_out(tables, asked)
            self._solve(tables, asked)
        return [_best(q) for q in questions]

    def _question(self, view: Any, said: int) -> Question:
        raspas = int(view["kind"]) == K_RASPAS
        question = Question(view, said, self.effort(view), candidates(view, said))
        question.moves = int(view["phase"]) == P_PLAY and not raspas
        return question

    def _tables(self, views: Array, which: Array, questions: list[Question]) -> Array:
        """The tables of all questions, each in its layouts."""
        wanted = np.array([q.effort.layouts for q in questions], dtype=np.int64)
        tries = np.array([q.effort.tries for q in questions], dtype=np.int64)
        first = np.concatenate(([0], np.cumsum(wanted)[:-1]))
        for question, at in zip(questions, first, strict=True):
            question.first = int(at)
        out = new_tables(int(wanted.sum()))
        most = int(tries.max())
        terms = self.terms
        failed = worlds.imagine(
            plain(views), plain(which), plain(first), plain(wanted), plain(tries), terms.procedure, terms.scorer_number, terms.pointer,
            self.bot.number, plain(np.zeros((most, worlds.PLACES), dtype=np.int64)), plain(np.zeros((2, 32), dtype=np.int64)),
            plain(new_tables(most)), plain(self._work), plain(np.zeros(most, dtype=np.int64)),
            plain(np.zeros((3, worlds.PLACES), dtype=np.int64)), plain(out),
        )  # fmt: skip
        if failed:
            raise AssertionError("a view that no layout agrees with")
        return out

    def _play_out(self, tables: Array, questions: list[Question]) -> None:
        """Every candidate to the end with the bot of the house; the best of many go on."""
        jobs = _Jobs()
        asked = [q for q in questions if q.effort.playouts]
        for q in asked:
            jobs.add(q, q.effort.playouts, as_array(q.steps), solve=False)
        if not asked:
            return
        states, _, values = self._explore(tables, jobs.all())
        values[states == futures.IMPOSSIBLE] = futures.WORST
        for q, part in jobs.parts(values[:, 0]):
            q.played = part.sum(axis=1)
            if len(q.steps) > q.effort.kept and q.effort.solved and not q.moves:
                order = np.argsort(-q.played, kind="stable")[: q.effort.kept].tolist()
                order += [k for k, step in enumerate(q.steps) if step[0] == q.said and k not in order][:1]
                q.steps = [q.steps[k] for k in sorted(order)]
                q.played = q.played[sorted(order)]

    def _solve(self, tables: Array, questions: list[Question]) -> None:
        """What the candidates come to with all cards known, in every layout."""
        for moves in (False, True):
            jobs = _Jobs()
            for q in questions:
                if q.effort.solved and q.moves == moves:
                    jobs.add(q, q.effort.solved, as_array([()] if moves else q.steps), solve=True)
            if not jobs.questions:
                continue
            rows = jobs.all()
            states, positions, values = self._explore(tables, rows)
            at = tables["declarer"][rows["table"]]
            so_far = np.where(at >= 0, np.take_along_axis(tables["tricks"][rows["table"]], np.maximum(at, 0)[:, None], axis=1)[:, 0], 0)
            if moves:
                after = _unique(positions, lambda some: values_of_moves(some, threads=1))
                for q, part in jobs.parts(np.arange(len(rows))):
                    j = part[0]
                    q.solved = np.array([_worth_of_card(values[j], so_far[j] + after[j, step[0]]) for step in q.steps])
            else:
                solving = states == futures.TO_SOLVE
                tricks = _unique(positions[solving], lambda some: solve_many(some, threads=1))
                result = values[:, 0].copy()
                result[solving] = values[solving, so_far[solving] + tricks]
                result[states == futures.IMPOSSIBLE] = futures.WORST
                for q, part in jobs.parts(result):
                    q.solved = part.sum(axis=1)

    def _explore(self, tables: Array, jobs: Array) -> tuple[Array, Array, Array]:
        states, values = futures.empty(len(jobs))
        positions = np.zeros(len(jobs), dtype=POSITION)
        terms = self.terms
        futures.explore(
            plain(tables), plain(jobs), terms.procedure, terms.scorer_number, terms.pointer, self.bot.number, self.weights,
            plain(self._scratch), plain(self._work), plain(states), plain(positions), plain(values),
        )  # fmt: skip
        return states, positions, values


class _Jobs:
    """The jobs of several questions: by question, then by candidate, then by layout."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.rows: list[Array] = []

    def add(self, question: Question, layouts: int, steps: Array, solve: bool) -> None:
        rows = np.zeros((len(steps), layouts), dtype=futures.JOB)
        rows["table"] = question.first + np.arange(layouts)
        rows["steps"] = steps[:, None, :]
        rows["seat"] = question.view["seat"]
        rows["solve"] = solve
        rows["deeper"] = question.effort.deeper
        self.questions.append(question)
        self.rows.append(rows)

    def all(self) -> Array:
        return np.concatenate([rows.reshape(-1) for rows in self.rows])

    def parts(self, values: Array) -> Any:
        """The questions with their share of `values`, (candidates, layouts)."""
        at = 0
        for question, rows in zip(self.questions, self.rows, strict=True):
            yield question, values[at : at + rows.size].reshape(rows.shape)
            at += rows.size


def _unique(positions: Array, answer: Any) -> Array:
    """`answer(positions)`, each different position asked for once."""
    if not len(positions):
        return np.zeros((0,), dtype=np.int64)
    rows = positions.view(f"V{POSITION.itemsize}")
    _, index, back = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(index)  # in the order asked: neighbours are alike
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return answer(np.ascontiguousarray(positions[index[order]]))[place[back]].astype(np.int64)


def _worth_of_card(values: Array, tricks: Array) -> int:
    return int(np.take_along_axis(values, tricks[:, None], axis=1).sum())


def _best(question: Question) -> int:
    """The candidate with the best mean; of equals what the bot of the house would do, else the first."""
    q = question
    if len(q.steps) == 1:
        return int(q.steps[0][0])
    share = q.effort.playout_share
    score = np.zeros(len(q.steps), dtype=np.int64)
    if not len(q.solved):
        score = q.played
    elif not len(q.played):
        score = q.solved
    else:
        score = q.solved * q.effort.playouts * (futures.SHARES - share) + q.played * q.effort.solved * share
    best = np.flatnonzero(score == score.max())
    for k in best:
        if q.steps[k][0] == q.said:
            return int(q.said)
    return int(q.steps[best[0]][0])
