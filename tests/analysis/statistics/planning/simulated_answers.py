"""Answers as the planner assumes them, simulated without it, and the widths of their intervals in Results."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from batchwright.analysis.statistics.agreement.agreement_results import (
    ALPHA,
    first_alphas,
    total_agreement_rows,
)
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import (
    Comparisons,
    pair_rows,
    system_results,
)
from batchwright.analysis.statistics.numbers import number_summaries
from batchwright.analysis.statistics.planning.assumptions import Assumptions, StudyMeasure
from batchwright.analysis.statistics.planning.simulated_studies import likeness_of_logarithms
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.sampling import Sampling
from tests.analysis.answers import record, table_of

Half = tuple[float, float, float]
"""A value with the ends of its interval."""


def simulated_interval(assumptions: Assumptions, records: int, answers: int, seed: int) -> Half:
    """The value of a simulated study with its interval, as Results shows it."""
    find = _INTERVALS[assumptions.measure]
    return find(assumptions, records, answers, np.random.default_rng([7, seed]))


def mean_half_width(assumptions: Assumptions, records: int, answers: int, studies: int) -> float:
    """Half of the mean width of the intervals of simulated studies."""
    found = [simulated_interval(assumptions, records, answers, seed) for seed in range(studies)]
    return float(np.nanmean([(high - low) / 2 for _value, low, high in found]))


@cache
def _table(records: int, answers: int, tasks: int, question: str) -> AnswerTable:
    """Equal answers; each group of tasks is answered by participants of its own."""
    value = {"value": "1"} if question == "duration" else "a"
    return table_of(
        record(f"p{task // tasks}-{person}", f"t{task}", question, value)
        for task in range(records)
        for person in range(answers)
    )


def _about(assumptions: Assumptions, records: int, answers: int, question: str) -> AnswerTable:
    table = _table(records, answers, assumptions.tasks_per_participant, question)
    return replace(table, sampling=Sampling(assumptions.clusters))


def _copied(
    table: AnswerTable,
    assumptions: Assumptions,
    draw: Callable[[int], np.ndarray],
    random: np.random.Generator,
) -> np.ndarray:
    """Answers that are the record's, the participant's, or their own.

    Two answers about a record are both the record's with a probability of its correlation.
    """
    people, tasks = table.participants.codes, table.tasks.codes
    by_record = math.sqrt(assumptions.correlation)
    by_person = math.sqrt(assumptions.of_participants)
    kind = random.random(len(table))
    of_record, of_person = draw(int(tasks.max()) + 1)[tasks], draw(int(people.max()) + 1)[people]
    own = np.where(kind > 1 - by_person, of_person, draw(len(table)))
    return np.where(kind < by_record, of_record, own)


def _share(assumptions: Assumptions, records: int, answers: int, random: np.random.Generator) -> Half:
    table = _about(assumptions, records, answers, "better")
    options = _copied(table, assumptions, lambda n: (random.random(n) >= assumptions.expected) * 1, random)
    row = option_shares(replace(table, options=options), 0)[0]
    return row.share, row.low, row.high


def _mean(assumptions: Assumptions, records: int, answers: int, random: np.random.Generator) -> Half:
    """The parts of records, participants and answers add up to a normal distribution."""
    table = _about(assumptions, records, answers, "duration")
    people, tasks = table.participants.codes, table.tasks.codes
    parts = assumptions.correlation, assumptions.of_participants
    rest = random.normal(size=len(table)) * math.sqrt(1 - sum(parts))
    of_records = random.normal(size=records)[tasks] * math.sqrt(parts[0])
    of_people = random.normal(size=int(people.max()) + 1)[people] * math.sqrt(parts[1])
    numbers = assumptions.expected + assumptions.deviation * (rest + of_records + of_people)
    (row,) = number_summaries(replace(table, numbers=numbers), 3)
    return row.mean, row.mean_low, row.mean_high


def _agreement(assumptions: Assumptions, records: int, answers: int, random: np.random.Generator) -> Half:
    if not assumptions.has_options:
        return _agreement_on_numbers(assumptions, records, answers, random)
    question, place = ("scale", 2) if assumptions.metric is Metric.ORDINAL else ("better", 0)
    table, count = _about(assumptions, records, answers, question), assumptions.options
    largest = assumptions.largest_share or 1 / count
    shares = [largest, *[(1 - largest) / (count - 1)] * (count - 1)]
    is_known = random.random(len(table)) < math.sqrt(assumptions.expected)
    truth = random.choice(count, records, p=shares)[table.tasks.codes]
    options = np.where(is_known, truth, random.choice(count, len(table), p=shares))
    ((row),) = first_alphas(total_agreement_rows(replace(table, options=options), place))
    return row.value, row.low, row.high


def _agreement_on_numbers(
    assumptions: Assumptions, records: int, answers: int, random: np.random.Generator
) -> Half:
    """The parts of records and answers add up to a normal distribution, or to that of logarithms."""
    table, tasks = _about(assumptions, records, answers, "duration"), np.repeat(np.arange(records), answers)
    alike, spread = assumptions.expected, 1.0
    if assumptions.metric is Metric.RATIO:
        spread = math.sqrt(math.log(1 + assumptions.relative_deviation**2))
        alike = likeness_of_logarithms(assumptions.expected, spread)
    parts = random.normal(size=records)[tasks] * math.sqrt(alike)
    numbers = spread * (parts + random.normal(size=len(tasks)) * math.sqrt(1 - alike))
    if assumptions.metric is Metric.RATIO:
        numbers = np.exp(numbers.round(2))
    rows = total_agreement_rows(replace(table, numbers=numbers), 3)
    (row,) = [row for row in rows if (row.coefficient, row.metric) == (ALPHA, str(assumptions.metric))]
    return row.value, row.low, row.high


def comparisons(
    assumptions: Assumptions, records: int, answers: int, random: np.random.Generator
) -> Comparisons:
    """Comparisons of systems, each of which wins against the next one as often as expected."""
    count = assumptions.systems
    pairs = [(one, other) for one in range(count) for other in range(one + 1, count)]
    sides = np.array(
        [pairs[record % len(pairs)][:: 1 if random.random() < 1 / 2 else -1] for record in range(records)]
    )
    gap = math.log(assumptions.expected / (1 - assumptions.expected))
    rates = 1 / (1 + np.exp(-gap * (sides[:, 1] - sides[:, 0])))
    chances = ((rates - assumptions.ties / 2) / (1 - assumptions.ties)).clip(0, 1)
    tasks = np.repeat(np.arange(records), answers)
    is_of_record = random.random(len(tasks)) < math.sqrt(assumptions.correlation)
    drawn = np.where(is_of_record, random.random(records)[tasks], random.random(len(tasks)))
    is_tie = (
        np.where(is_of_record, random.random(records)[tasks], random.random(len(tasks))) < assumptions.ties
    )
    scores = np.where(is_tie, 1 / 2, (drawn < chances[tasks]) * 1.0)
    names = tuple("ABCDEFGH"[:count])
    people = np.tile(np.arange(answers), records)
    return Comparisons(names, tasks, sides[tasks, 0], sides[tasks, 1], scores, people, Sampling())


def _win_rate(assumptions: Assumptions, records: int, answers: int, random: np.random.Generator) -> Half:
    row = next(pair_rows("better", comparisons(assumptions, records, answers, random)))
    return row.win_rate, row.low, row.high


def _order(assumptions: Assumptions, records: int, answers: int, random: np.random.Generator) -> Half:
    """The mean of the differences of neighbours, with the mean of their half widths."""
    found = system_results("better", comparisons(assumptions, records, answers, random), StrengthModel())
    names = [tuple("ABCDEFGH"[place : place + 2]) for place in range(assumptions.systems - 1)]
    near = [row for row in found.differences if tuple(sorted((row.system, row.opponent))) in names]
    value = float(np.mean([row.difference for row in near]))
    half = float(np.mean([(row.high - row.low) / 2 for row in near]))
    return value, value - half, value + half


def finds_order(assumptions: Assumptions, records: int, answers: int, seed: int) -> bool:
    """Whether all neighbouring systems differ, in their order, in a simulated study."""
    drawn = comparisons(assumptions, records, answers, np.random.default_rng([8, seed]))
    rows = system_results("better", drawn, StrengthModel()).differences
    found = {(row.system, row.opponent) for row in rows if row.differs}
    return all(tuple("ABCDEFGH"[place : place + 2]) in found for place in range(assumptions.systems - 1))


_INTERVALS: dict[StudyMeasure, Callable[[Assumptions, int, int, np.random.Generator], Half]] = {
    StudyMeasure.SHARE: _share,
    StudyMeasure.MEAN: _mean,
    StudyMeasure.WIN_RATE: _win_rate,
    StudyMeasure.AGREEMENT: _agreement,
    StudyMeasure.ORDER: _order,
}
