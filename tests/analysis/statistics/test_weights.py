"""Weights of records: weighted shares, means, win rates and strengths, and what is said about them."""

import math
from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest

from batchwright.analysis.prepared_answers import PreparedAnswers, prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.sections import comparisons_result, questions_result
from batchwright.analysis.statistics.choices import option_shares, option_shares_by_field
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.intervals import t_quantile, wilson
from batchwright.analysis.statistics.numbers import (
    all_number_summaries,
    number_summaries,
    number_summaries_by_field,
)
from batchwright.analysis.statistics.planning.needed_records import needed_rows
from batchwright.analysis.statistics.planning.sample_size import precision_rows, win_precision
from batchwright.analysis.statistics.weights import weight_fields, weights_sentence
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.sampling import Clusters
from tests.analysis.answers import record, table_of
from tests.analysis.statistics.test_clusters import ALL

FIELDS = {f"t{task}": {"weight": f"{1 + task % 3}", "topic": "ab"[task % 2]} for task in range(8)}
WEIGHTED = AnalysisSettings(weight_field="weight")


def no_step(_fraction: float) -> None:
    """Do nothing."""


def numbers() -> AnswerTable:
    answers = (record(f"p{p}", f"t{t}", "duration", {"value": str(value)}) for t, p, value in ALL)
    return table_of(answers, FIELDS)


def choices() -> AnswerTable:
    answers = (record(f"p{p}", f"t{t}", "better", "a" if value > 16 else "b") for t, p, value in ALL)
    return table_of(answers, FIELDS)


def test_weighted_means_and_their_intervals_are_those_of_statsmodels() -> None:
    """`WLS` on a constant with `cov_type="cluster"` by record: 13.32777778, standard error 1.52917556."""
    (row,) = number_summaries(prepare(numbers(), WEIGHTED).included, 3)
    half = t_quantile(0.975, 7) * 1.52917556
    assert row.mean == pytest.approx(13.32777778)
    assert (row.mean_low, row.mean_high) == pytest.approx((row.mean - half, row.mean + half), rel=1e-6)
    assert row.count == len(ALL)


def test_weighted_shares_and_their_intervals_are_those_of_statsmodels() -> None:
    """`WLS` as above: 0.31111111, standard error 0.11205105."""
    row = option_shares(prepare(choices(), WEIGHTED).included, 0)[0]
    share, answers = 0.31111111, len(ALL)
    effective = answers / (0.11205105**2 * (answers - 1) / (share * (1 - share)))
    effective *= (t_quantile(0.975, answers - 1) / t_quantile(0.975, 7)) ** 2
    assert row.share == pytest.approx(share)
    assert (row.low, row.high) == pytest.approx(wilson(share * answers, answers, effective), rel=1e-6)
    assert (row.count, row.answers) == (15, 48), "counts are not weighted"


def test_whole_weights_are_as_many_copies_of_a_record() -> None:
    table = prepare(numbers(), WEIGHTED).included
    (row,) = number_summaries(table, 3)
    copies = np.repeat([value for _t, _p, value in ALL], [1 + task % 3 for task, _p, _v in ALL])
    quantiles = np.quantile(copies, [0.25, 0.5, 0.75], method="inverted_cdf")
    assert (row.lower_quartile, row.median, row.upper_quartile) == pytest.approx(tuple(quantiles))
    assert row.median_low <= row.median <= row.median_high
    by_topic = option_shares_by_field(prepare(choices(), WEIGHTED).included, 0, "topic")
    for topic in "ab":
        inside = [(task, value) for task, _p, value in ALL if "ab"[task % 2] == topic]
        weight_of_large = sum((1 + task % 3) * (value > 16) for task, value in inside)
        expected = weight_of_large / sum(1 + task % 3 for task, _value in inside)
        (share,) = [row.share for row in by_topic if row.field_value == topic and row.option == "a"]
        assert share == pytest.approx(expected)


def test_means_by_a_field_and_their_intervals_are_those_of_the_textbook() -> None:
    """Weighted residuals are summed within the records of each value of the field."""
    rows = {
        row.field_value: row
        for row in number_summaries_by_field(prepare(numbers(), WEIGHTED).included, 3, "topic")
    }
    assert [*rows] == ["a", "b"]
    for topic, row in rows.items():
        cells = [(1 + task % 3, task, value) for task, _p, value in ALL if topic == "ab"[task % 2]]
        total = sum(weight for weight, _task, _value in cells)
        mean = sum(weight * value for weight, _task, value in cells) / total
        residuals = dict.fromkeys((task for _weight, task, _value in cells), 0.0)
        for weight, task, value in cells:
            residuals[task] += weight * (value - mean)
        count = len(residuals)
        error = math.sqrt(count / (count - 1) * sum(sum_**2 for sum_ in residuals.values())) / total
        half = t_quantile(0.975, count - 1) * error
        assert row.count == len(cells)
        assert row.mean == pytest.approx(mean)
        assert (row.mean_low, row.mean_high) == pytest.approx((mean - half, mean + half), rel=1e-6)


@pytest.mark.parametrize("clusters", Clusters)
def test_numbers_by_a_field_are_those_of_the_answers_to_its_records_alone(clusters: Clusters) -> None:
    table = prepare(numbers(), replace(WEIGHTED, clusters=clusters)).included
    is_first = np.array([table.tasks.values[code] in ("t0", "t2", "t4", "t6") for code in table.tasks.codes])
    (total, *_others) = rows = all_number_summaries(table)
    assert (total.field, total.field_value) == ("", "")
    for value, part in (("a", is_first), ("b", ~is_first)):
        (row,) = [row for row in rows if (row.field, row.field_value) == ("topic", value)]
        (alone,) = number_summaries(table.where(part), 3)
        assert replace(row, field="", field_value="") == alone


def test_equal_weights_change_nothing() -> None:
    fields = {name: {**values, "same": "2.5"} for name, values in FIELDS.items()}
    answers = [record(f"p{p}", f"t{t}", "better", "a" if value > 16 else "b") for t, p, value in ALL]
    table = table_of(answers, fields)
    plain, weighted = (
        option_shares(prepare(table, AnalysisSettings(weight_field=name)).included, 0)
        for name in ("", "same")
    )
    for one, other in zip(plain, weighted, strict=True):
        assert (other.share, other.low, other.high) == pytest.approx((one.share, one.low, one.high))
    assert weight_fields(table) == ["weight"]


def systems(settings: AnalysisSettings) -> PreparedAnswers:
    """X wins 30 of 40 records with weight 1, and 10 of 40 with weight 3."""
    fields = {
        f"t{n}": {"left": "x", "right": "y", "weight": "1" if n < 40 else "3", "name": f"n{n}"}
        for n in range(80)
    }
    answers = (record("p", f"t{n}", "better", "a" if n < 30 or 40 <= n < 50 else "b") for n in range(80))
    return prepare(table_of(answers, fields), settings)


def test_win_rates_and_strengths_are_weighted() -> None:
    prepared = systems(AnalysisSettings(systems=SystemFields("left", "right"), weight_field="weight"))
    result = comparisons_result(prepared, no_step)
    row = next(row for row in result.results.systems if row.system == "x")
    assert (row.wins, row.losses) == (40, 40)
    assert row.win_rate == pytest.approx((30 + 3 * 10) / 160)
    assert 2 * row.strength == pytest.approx(math.log(60 / 100))
    assert "records: 80; with equal weights, as many would tell as much: 64." in result.sampling_note
    assert result.weight_fields == ("weight",)


def test_a_field_without_weights_is_named_and_nothing_is_weighted() -> None:
    prepared = systems(AnalysisSettings(weight_field="name"))
    assert prepared.included.sampling.weights is None
    result = questions_result(prepared, no_step)
    assert "“name” has no weight of 80 records: weights are numbers of at least 0." in result.sampling_note
    gone = questions_result(systems(AnalysisSettings(weight_field="gone")), no_step)
    assert "The answers have no field “gone”." in gone.sampling_note


def test_excluded_records_need_no_weight() -> None:
    fields = {**FIELDS, "t0": {"weight": "", "topic": "a"}}
    answers = [record("p", f"t{task}", "better", "ab"[task % 2]) for task in range(8)]
    settings = AnalysisSettings(Exclusions(answers={"p-t0-better": "no weight"}), weight_field="weight")
    prepared = prepare(table_of(answers, fields), settings)
    assert prepared.weights_error is None
    assert weights_sentence(prepared.included, "weight").startswith("Records are weighted by “weight”")


ZERO = {f"z{n}": {"weight": "0", "topic": "z", "left": "x", "right": "y"} for n in range(40)}
"""Records of weight 0."""


def of_zeros(question: str, values: Sequence[object]) -> list[dict[str, Any]]:
    """Answers of six participants about the records of weight 0."""
    return [
        record(f"p{n % 6}", id, question, value)
        for n, (id, value) in enumerate(zip(ZERO, values, strict=True))
    ]


@pytest.mark.parametrize("clusters", Clusters)
def test_records_of_weight_0_change_counts_only(clusters: Clusters) -> None:
    settings = replace(WEIGHTED, clusters=clusters, systems=SystemFields("left", "right"))
    fields = {id: {**values, "left": "x", "right": "y"} for id, values in FIELDS.items()}
    answers = [record(f"p{p}", f"t{t}", "duration", {"value": str(value)}) for t, p, value in ALL]
    answers += [record(f"p{p}", f"t{t}", "better", "a" if value > 16 else "b") for t, p, value in ALL]
    more = [*of_zeros("duration", [{"value": "13"}] * 40), *of_zeros("better", ["a", "b"] * 20)]
    alone = prepare(table_of(answers, fields), settings)
    both = prepare(table_of([*answers, *more], {**fields, **ZERO}), settings)
    (number,), (other,) = (number_summaries(part.included, 3) for part in (alone, both))
    assert other.count == number.count + 40
    assert astuple(replace(other, count=number.count)) == pytest.approx(astuple(number), nan_ok=True)
    shares, others = (option_shares(part.included, 0) for part in (alone, both))
    for one, share in zip(shares, others, strict=True):
        assert share.answers == one.answers + 40
        assert (share.share, share.low, share.high) == pytest.approx((one.share, one.low, one.high))
    systems, others_ = (comparisons_result(part, no_step).results.systems for part in (alone, both))
    for row, with_zeros in zip(systems, others_, strict=True):
        assert (with_zeros.wins, with_zeros.losses) == (row.wins + 20, row.losses + 20)
        same = replace(with_zeros, comparisons=row.comparisons, wins=row.wins, losses=row.losses)
        assert astuple(same) == pytest.approx(astuple(row))


def test_a_group_of_records_of_weight_0_has_counts_but_no_share_and_no_mean() -> None:
    answers = [*of_zeros("duration", [{"value": "13"}] * 40), *of_zeros("better", ["a"] * 40)]
    answers += [record("p0", "t0", "duration", {"value": "9"}), record("p0", "t0", "better", "b")]
    prepared = prepare(table_of(answers, {**FIELDS, **ZERO}), WEIGHTED)
    by_topic = option_shares_by_field(prepared.included, 0, "topic")
    (share,) = [row for row in by_topic if row.field_value == "z" and row.option == "a"]
    assert (share.count, share.answers) == (40, 40)
    assert all(map(math.isnan, (share.share, share.low, share.high)))
    (row,) = [
        row for row in number_summaries_by_field(prepared.included, 3, "topic") if row.field_value == "z"
    ]
    assert row.count == 40
    assert all(map(math.isnan, (row.mean, row.mean_low, row.deviation, row.median, row.maximum)))


def test_questions_answered_about_records_of_weight_0_only_have_no_estimates() -> None:
    """Sample size, needed records and the sentence about weights have nothing to tell either."""
    fields = {"t0": {"weight": "1"}, **ZERO}
    answers = [*of_zeros("better", ["a", "b"] * 20), *of_zeros("duration", [{"value": "13"}] * 40)]
    settings = replace(WEIGHTED, systems=SystemFields("left", "right"), wanted_width=10)
    prepared = prepare(table_of([*answers, record("p0", "t0", "reason", "long")], fields), settings)
    table = prepared.included
    assert math.isnan(number_summaries(table, 3)[0].mean)
    assert precision_rows(table) == []
    assert needed_rows(table, 10) == []
    systems = comparisons_result(prepared, no_step).results.systems
    assert [(row.wins, math.isnan(row.win_rate)) for row in systems] == [(20, True), (20, True)]
    assert win_precision(systems) == []
    without = table.where(table.tasks.codes != table.tasks.values.index("t0"))
    assert weights_sentence(without, "weight") == ""
