"""Simulated participants whose behaviour, and therefore the truth, is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.api.participant_client import OpenPage
from batchwright.base.json_values import is_object
from batchwright.workflows.rehearsal import simulate as rehearsal
from tests.analysis.answers import COMPARISON, record, table_of

OPTIONS = ("a", "b", "same")


@dataclass(frozen=True)
class Behaviour:
    """What a simulated participant does."""

    random_share: float = 0.0
    """Fraction of answers that are drawn from all options with equal probability."""
    left_bias: float = 0.0
    """Fraction of answers that choose the left side, whatever is there."""
    seconds: float = 20.0
    """Time per task."""


def simulate(
    strengths: Sequence[float],
    tasks: int,
    raters: int,
    behaviour: Behaviour,
    seed: int,
    others: Sequence[Behaviour] = (),
) -> AnswerTable:
    """Comparisons of systems with these strengths; every task is a pair on random sides.

    Without bias or random answers, the left system wins with the probability of Bradley and Terry's model.
    After `raters` participants who behave the same come `others`.
    """
    random = np.random.default_rng(seed)
    records, fields = [], {}
    for task in range(tasks):
        left, right = random.choice(len(strengths), 2, replace=False)
        fields[f"t{task}"] = {"left": f"s{left}", "right": f"s{right}"}
        chance = 1 / (1 + np.exp(strengths[right] - strengths[left]))
        for rater, person in enumerate([behaviour] * raters + list(others)):
            kind = random.random()
            if kind < person.random_share:
                answer = OPTIONS[random.integers(3)]
            elif kind < person.random_share + person.left_bias:
                answer = "a"
            else:
                answer = "a" if random.random() < chance else "b"
            moment = int((task + 1) * person.seconds * 1000)
            time = f"2026-03-05T{moment // 3_600_000:02}:{moment // 60_000 % 60:02}:{moment // 1000 % 60:02}Z"
            records.append(record(f"p{rater}", f"t{task}", "better", answer, created_at=time))
    return table_of(records, fields)


def simulate_ratings(
    tasks: int, raters: int, reliability: float, seed: int, shares: Sequence[float] = (1 / 3, 1 / 3, 1 / 3)
) -> AnswerTable:
    """Single choices of three options with these frequencies; a rater knows the truth with `reliability`.

    Otherwise the answer is random. Krippendorff's alpha of infinitely many tasks is `reliability` squared.
    """
    drawn = _known_or_random(tasks, raters, reliability, seed, shares)
    return table_of(
        record(f"p{rater}", f"t{task}", "better", OPTIONS[answer])
        for (task, rater), answer in np.ndenumerate(drawn)
    )


def simulate_scale(tasks: int, raters: int, reliability: float, seed: int) -> AnswerTable:
    """The same with five equally frequent values of a scale; the same is true of AC2 and weighted kappa."""
    drawn = _known_or_random(tasks, raters, reliability, seed, [1 / 5] * 5)
    return table_of(
        record(f"p{rater}", f"t{task}", "scale", int(answer) + 1)
        for (task, rater), answer in np.ndenumerate(drawn)
    )


def _known_or_random(
    tasks: int, raters: int, reliability: float, seed: int, shares: Sequence[float]
) -> np.ndarray:
    """Indexes of options: a row per task, a column per rater."""
    random = np.random.default_rng(seed)
    truth = random.choice(len(shares), size=tasks, p=shares)
    is_known = random.random((tasks, raters)) < reliability
    drawn = random.choice(len(shares), size=(tasks, raters), p=shares)
    answers: np.ndarray = np.where(is_known, truth[:, None], drawn)
    return answers


def rehearsed(tasks: int, raters: int, behaviour: rehearsal.Behaviour, seed: int) -> AnswerTable:
    """The single choices that the simulated participants of a rehearsal make, without a service."""
    simulation = rehearsal.SimulatedParticipants("", seed, raters, behaviour)
    records = []
    for task in range(tasks):
        page = OpenPage("", "", f"t{task}", f"record {task}", 0, 1, 0, (COMPARISON,))
        for rater in range(raters):
            ((_item, answer),) = simulation.answers(rater, page)
            records.append(record(f"p{rater}", f"t{task}", "better", *filter(is_object, answer)))
    return table_of(records)
