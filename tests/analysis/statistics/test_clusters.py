"""Intervals about further records, further participants, or both."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.clusters import cells_in_groups, of_sizes
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import (
    SystemFields,
    comparisons_of,
    system_results,
)
from batchwright.analysis.statistics.intervals import Interval, t_quantile, wilson
from batchwright.analysis.statistics.numbers import number_summaries
from batchwright.analysis.statistics.participants.participant_hints import participants_sentence
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.sampling import Clusters
from tests.analysis.answers import record, table_of
from tests.analysis.statistics.comparisons.test_sides import NEEDS_DATA, shared
from tests.analysis.statistics.coverage_cases import about, effect_of_left, of_ten_participants, share_of_left

ALL = [
    (task, person, 2 * task + 1.5 * person + task * person * 5 % 7)
    for task in range(8)
    for person in range(6)
]
"""Numbers of six participants about eight records."""
NUMBERS = {Clusters.RECORDS: 1.7874223, Clusters.PARTICIPANTS: 1.469747, Clusters.BOTH: 2.14595383}
"""Standard errors of their mean, 12.9375, by statsmodels: `OLS` on a constant with `cov_type="cluster"`."""
LARGE = {Clusters.RECORDS: 0.10652101, Clusters.PARTICIPANTS: 0.11063265, Clusters.BOTH: 0.13789549}
"""The same of the share of numbers above 16, 0.3125."""
DEGREES = {Clusters.RECORDS: 7, Clusters.PARTICIPANTS: 5, Clusters.BOTH: 5}


def numbers(*rows: tuple[int, int, float]) -> AnswerTable:
    return table_of(record(f"p{p}", f"t{t}", "duration", {"value": str(value)}) for t, p, value in rows)


def choices(*rows: tuple[int, int, bool]) -> AnswerTable:
    return table_of(record(f"p{p}", f"t{t}", "better", "a" if yes else "b") for t, p, yes in rows)


@pytest.mark.parametrize("clusters", Clusters)
def test_intervals_of_means_are_those_of_statsmodels(clusters: Clusters) -> None:
    (row,) = number_summaries(about(clusters, numbers(*ALL)), 3)
    half = t_quantile(0.975, DEGREES[clusters]) * NUMBERS[clusters]
    assert (row.mean_low, row.mean_high) == pytest.approx((12.9375 - half, 12.9375 + half), rel=1e-6)


@pytest.mark.parametrize("clusters", Clusters)
def test_intervals_of_shares_have_the_standard_errors_of_statsmodels(clusters: Clusters) -> None:
    table = about(clusters, choices(*((task, person, number > 16) for task, person, number in ALL)))
    row = option_shares(table, 0)[0]
    share, answers = 0.3125, len(ALL)
    effective = answers / (LARGE[clusters] ** 2 * (answers - 1) / (share * (1 - share)))
    effective *= (t_quantile(0.975, answers - 1) / t_quantile(0.975, DEGREES[clusters])) ** 2
    assert row.share == share
    assert (row.low, row.high) == pytest.approx(wilson(share * answers, answers, effective), rel=1e-6)


@NEEDS_DATA
def test_differences_of_systems_have_the_standard_errors_of_statsmodels() -> None:
    """`GLM` with `cov_type="cluster"` by participant: 0.0475 for the system; there are three participants."""
    table = about(Clusters.PARTICIPANTS, shared("sides-unbalanced"))
    comparisons = comparisons_of(table, 0, SystemFields("left", "right"))
    (row,) = system_results("better", comparisons, StrengthModel(has_order=True)).differences
    half = t_quantile(0.975, 2) * 0.04745787
    assert row.high - row.difference == pytest.approx(half, rel=2e-3)


def test_a_large_cluster_counts_as_few() -> None:
    """The factor and the degrees of freedom are those of the expectation of the sum of squares."""
    equal = cells_in_groups(np.arange(10), np.zeros(10, dtype=int), 1, np.ones(10), np.zeros(10))
    (factor,), (degrees,) = of_sizes(equal, 1)
    assert (factor, degrees) == pytest.approx((10 / 9, 9))
    sizes = np.array([0.6, *[0.4 / 9] * 9])
    one_large = cells_in_groups(np.arange(10), np.zeros(10, dtype=int), 1, sizes, np.zeros(10))
    (factor,), (degrees,) = of_sizes(one_large, 1)
    centred = np.eye(10) - np.outer(np.ones(10), sizes)
    matrix = centred.T @ np.diag(sizes**2) @ centred
    assert factor == pytest.approx((sizes**2).sum() / np.trace(matrix))
    assert degrees == pytest.approx(np.trace(matrix) ** 2 / np.trace(matrix @ matrix))
    assert 1 < degrees < 2


def test_one_participant_has_no_interval_about_further_ones() -> None:
    table = numbers(*((task, 0, float(task % 5)) for task in range(20)))
    for clusters in (Clusters.PARTICIPANTS, Clusters.BOTH):
        (row,) = number_summaries(about(clusters, table), 3)
        assert math.isnan(row.mean_low)
        assert math.isnan(row.median_low)
    (row,) = number_summaries(about(Clusters.RECORDS, table), 3)
    assert row.mean_low < 2 < row.mean_high


def test_methods_and_the_warning_say_what_intervals_are_about() -> None:
    table = numbers(*ALL)
    assert "about further records" in methods.WILSON.about(Clusters.RECORDS).summary()
    both = methods.STUDENT.about(Clusters.BOTH)
    assert "further records, answered by further participants" in both.summary()
    assert "Cameron" in both.reference
    assert "can be about further participants" in participants_sentence(table, Clusters.RECORDS)
    assert "wide for that reason" in participants_sentence(table, Clusters.BOTH)


@cache
@pytest.mark.long
@pytest.mark.parametrize("largest", [0.1, 0.6])
@pytest.mark.parametrize("measure", [share_of_left, effect_of_left])
def test_intervals_about_participants_cover_with_ten_and_with_a_dominating_one(
    measure: Callable[[AnswerTable], tuple[Interval, float]], largest: float
) -> None:
    """95 % of 300 are 285; about records alone, they cover less often."""
    covered = dict.fromkeys(Clusters, 0)
    for seed in range(300):
        table = of_ten_participants(seed, largest)
        for clusters in Clusters:
            (low, high), truth = measure(about(clusters, table))
            covered[clusters] += low <= truth <= high
    print(f"{measure.__name__}, one gave {largest:.0%}: {covered} of 300")
    assert covered[Clusters.RECORDS] < 0.85 * 300
    assert covered[Clusters.PARTICIPANTS] >= 0.9 * 300
    assert covered[Clusters.BOTH] >= 0.9 * 300


def test_clusters_are_those_of_the_settings() -> None:
    settings = AnalysisSettings(clusters=Clusters.BOTH)
    assert prepare(numbers(*ALL), settings).included.sampling.clusters is Clusters.BOTH
    survey = table_of([{**record("p", "", "better", "a"), "task_id": ""}])
    assert prepare(survey, replace(settings)).included.sampling.clusters is Clusters.RECORDS
