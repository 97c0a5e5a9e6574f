"""Shares, numbers and texts, and their intervals, compared with published values."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from batchwright.analysis.statistics.choices import OptionShare, option_shares, option_shares_by_field
from batchwright.analysis.statistics.groups import category_fields, field_groups
from batchwright.analysis.statistics.intervals import (
    effective_size,
    mean_interval,
    median_rank,
    t_quantile,
    wilson,
)
from batchwright.analysis.statistics.numbers import NumberSummary, group_medians, histograms, number_summaries
from batchwright.analysis.statistics.text_lengths import text_summaries
from batchwright.analysis.statistics.unit_conversion import converted, read_conversions
from batchwright.analysis.statistics.weights import weight_fields
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.data_files.rows import UnreadableFile
from tests.analysis.answers import ratings, record, table_of


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_of_newcombe_1998_table_1(count: int, total: int, low: float, high: float) -> None:
    """Newcombe, R. G. (1998). Two-sided confidence intervals for the single proportion, method 3."""
    assert [round(end, 4) for end in wilson(count, total)] == [low, high]


def test_answers_about_the_same_record_count_less_the_more_alike_they_are() -> None:
    """Four records with two answers each: alike, half of them alike, and different; by hand."""
    alike, half = effective_size(8, 4, 2, 4), effective_size(8, 4, 2, 2)
    assert alike == pytest.approx(8 / (2 * (7 / 8) / (3 / 4)))
    assert half == pytest.approx(8 / ((7 / 8) / (3 / 4)))
    assert effective_size(8, 4, 2, 0) == 8
    assert effective_size(8, 4, 0, 0) == 4
    assert effective_size(8, 1, 2, 0) == 0
    assert effective_size(8, 8, 2, 2) == 8


def shares_of(*units: str) -> OptionShare:
    """The share of the first option, given the answers to each record."""
    return option_shares(table_of(ratings(list(map(list, units)), "better")), 0)[0]


def test_the_interval_of_a_share_is_that_of_the_effective_number_of_answers() -> None:
    """Of records whose answers are equal, the records count; otherwise the answers."""
    assert wilson(12, 20, 5) == pytest.approx(wilson(3, 5))
    equal, single = shares_of("aaaa", "bbbb", "aaaa", "bbbb", "aaaa"), shares_of(*"ababa")
    different = shares_of("ab", "ba", "ab", "ab", "ba")
    effective = 20 / (4 * (19 / 20) / (4 / 5)) * (t_quantile(0.975, 19) / t_quantile(0.975, 4)) ** 2
    assert (equal.low, equal.high) == pytest.approx(wilson(12, 20, effective))
    assert (single.low, single.high) == pytest.approx(wilson(3, 5))
    effective = 10 * (t_quantile(0.975, 9) / t_quantile(0.975, 4)) ** 2
    assert (different.low, different.high) == pytest.approx(wilson(5, 10, effective))
    same, poll = shares_of("aa", "aa", "aa"), shares_of("aab")
    assert (same.low, same.high) == pytest.approx(wilson(3, 3))
    assert math.isnan(poll.low)
    assert math.isnan(poll.high)


def test_shares_by_a_field_use_the_records_with_its_values() -> None:
    units = ["aab", "bb", "ab", "aaa", "b", "abb"]
    fields = {f"t{n}": {"topic": "xy"[n % 2]} for n in range(6)}
    by_field = option_shares_by_field(table_of(ratings(list(map(list, units)), "better"), fields), 0, "topic")
    first = {one.field_value: one for one in by_field if one.option == "a"}
    for value, part in (("x", units[::2]), ("y", units[1::2])):
        assert replace(first[value], field="", field_value="") == shares_of(*part)


def test_intervals_of_means_and_medians_of_numbers_about_the_same_records() -> None:
    """Ten records with three equal numbers each: the interval of the mean is that of ten numbers, nearly."""

    def summary(copies: int) -> NumberSummary:
        table = table_of(
            record(f"p{copy}", f"t{n}", "duration", {"value": str(n)})
            for n in range(10)
            for copy in range(copies)
        )
        return number_summaries(table, 3)[0]

    one, three = summary(1), summary(3)
    assert (one.mean_low, one.mean_high) == pytest.approx(mean_interval(4.5, one.deviation, 10))
    effective = 30 / (3 * (29 / 30) / (9 / 10))
    interval = mean_interval(4.5, three.deviation, effective, 9)
    assert (three.mean_low, three.mean_high) == pytest.approx(interval)
    assert (one.median_low, one.median_high) == (1, 8)
    assert (three.median_low, three.median_high) == (0, 9)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)]
)
def test_quantiles_of_the_t_distribution_as_in_printed_tables(degrees: int, quantile: float) -> None:
    assert round(t_quantile(0.975, degrees), 3) == quantile


def test_the_interval_of_a_mean_needs_two_values() -> None:
    assert math.isnan(mean_interval(1, math.nan, 1).low)
    low, high = mean_interval(10, 2, 11)
    assert (round(low, 4), round(high, 4)) == (8.6564, 11.3436)


@pytest.mark.parametrize(
    ("count", "rank"), [(5, 0), (6, 1), (10, 2), (15, 4), (20, 6), (30, 10), (50, 18), (100, 40), (1001, 469)]
)
def test_ranks_of_the_interval_of_a_median_as_in_printed_tables(count: int, rank: int) -> None:
    assert median_rank(count) == rank


def test_the_interval_of_a_median_is_from_one_value_to_another() -> None:
    numbers = [4, 8, 1, 10, 2, 9, 3, 7, 6, 5]
    table = table_of(record("p", f"t{n}", "duration", {"value": str(n), "unit": "h"}) for n in numbers)
    (summary,) = number_summaries(table, 3)
    assert (summary.median, summary.median_low, summary.median_high) == (5.5, 2, 9)


def test_shares_of_options_with_ties_and_of_a_question_with_several_answers() -> None:
    table = table_of(
        [
            record("p1", "t1", "better", "a"),
            record("p2", "t1", "better", "same"),
            record("p3", "t1", "better", "gone"),
            record("p1", "t1", "faults", "wrong", "short"),
            record("p2", "t1", "faults", "wrong", "wrong"),
            record("p3", "t1", "faults"),
        ]
    )
    better = [(share.label, share.outcome, share.count, share.answers) for share in option_shares(table, 0)]
    assert better == [
        ("A is better", "left", 1, 3),
        ("B is better", "right", 0, 3),
        ("About the same", "tie", 1, 3),
        ("not an option", "", 1, 3),
    ]
    faults = [(share.label, share.count, share.share) for share in option_shares(table, 1)]
    assert faults == [("Wrong", 2, 2 / 3), ("Short", 1, 1 / 3), ("Nothing", 0, 0), ("no option", 1, 1 / 3)]


def test_options_have_a_meaning_in_comparisons_only() -> None:
    table = table_of([record("p", "t", "better", "a"), record("p", "t", "faults", "nothing")])
    meanings = [[(share.option, share.outcome) for share in option_shares(table, index)] for index in (0, 1)]
    assert meanings[0] == [("a", "left"), ("b", "right"), ("same", "tie")]
    assert meanings[1] == [("wrong", ""), ("short", ""), ("nothing", "")]


def test_shares_by_the_values_of_a_field() -> None:
    fields = {f"t{n}": {"topic": "b" if n % 2 else "a", "id": str(n)} for n in range(4)}
    values = ("a", "b", "a", "same")
    table = table_of((record("p", f"t{n}", "better", value) for n, value in enumerate(values)), fields)
    assert category_fields(table) == ["topic"]
    counts = [(one.field_value, one.count) for one in option_shares_by_field(table, 0, "topic")]
    assert counts == [("a", 2), ("a", 0), ("a", 0), ("b", 0), ("b", 1), ("b", 1)]


def test_records_without_a_value_of_a_field_are_a_group() -> None:
    fields = {"t0": {"topic": "b"}, "t1": {"topic": ""}, "t2": {}, "t3": {"topic": "a"}, "t4": {"topic": "a"}}
    table = table_of((record("p", f"t{n}", "better", "a") for n in range(5)), fields)
    shares = [one for one in option_shares_by_field(table, 0, "topic") if one.option == "a"]
    assert [(one.field_value, one.count, one.answers) for one in shares] == [
        ("a", 2, 2),
        ("b", 1, 1),
        ("", 2, 2),
    ]


def test_many_numbers_are_grouped_to_ranges_in_numerical_order() -> None:
    fields = {
        f"t{n}": {"length": str(n % 80 + 0.5), "few": str(8 + n % 3), "id": str(n), "text": f"x{n % 80}"}
        for n in range(100)
    }
    table = table_of((record("p", f"t{n}", "better", "a") for n in range(100)), fields)
    assert category_fields(table) == ["length", "few"]
    groups = field_groups(table.fields["length"])
    assert groups.values == ("0.5 – 12.5", "13.5 – 29.5", "30.5 – 54.5", "55.5 – 79.5")
    assert np.bincount(groups.codes).tolist() == [26, 24, 25, 25]
    assert field_groups(table.fields["few"]).values == ("8", "9", "10")


def test_ranges_of_large_numbers_have_different_names() -> None:
    stamps = field_groups(TextColumn.of(str(1_700_000_000 + n) for n in range(60)))
    assert stamps.values[:2] == ("1700000000 – 1700000014", "1700000015 – 1700000029")
    close = field_groups(TextColumn.of(str(1 + n * 1e-9) for n in range(60)))
    assert len(set(close.values)) == 4


def test_texts_with_underscores_are_no_numbers() -> None:
    fields = {f"t{n}": {"month": f"2024_{n // 2:02}"} for n in range(120)}
    table = table_of((record("p", f"t{n}", "better", "a") for n in range(120)), fields)
    assert category_fields(table) == []
    assert weight_fields(table) == []


def test_an_unanswered_question_has_shares_without_values() -> None:
    shares = option_shares(table_of([record("p", "t", "reason", "x")]), 0)
    assert [(share.count, math.isnan(share.share), math.isnan(share.low)) for share in shares] == [
        (0, True, True)
    ] * 3


def test_numbers_in_different_units_are_never_combined() -> None:
    answers = [("30", "min"), ("60", "min"), ("1", "h"), ("soon", "min")]
    table = table_of(
        record(f"p{n}", "t", "duration", {"value": value, "unit": unit})
        for n, (value, unit) in enumerate(answers)
    )
    hours, minutes = number_summaries(table, 3)
    assert (hours.unit, hours.count, hours.mean, hours.median) == ("h", 1, 1, 1)
    assert math.isnan(hours.deviation)
    assert (minutes.unit, minutes.count, minutes.not_numbers, minutes.mean) == ("min", 2, 1, 45)
    assert [sum(one.count for one in histograms(table, 3) if one.unit == unit) for unit in ("h", "min")] == [
        1,
        2,
    ]


def test_medians_of_groups_are_those_of_numpy() -> None:
    random = np.random.default_rng(3)
    numbers, groups = random.normal(size=200), random.integers(0, 20, 200)
    groups[groups == 7] = 8
    medians = group_medians(numbers, groups, 20)
    for group in range(20):
        expected = np.median(numbers[groups == group]) if group != 7 else np.nan
        np.testing.assert_equal(medians[group], expected)


def test_a_histogram_of_extreme_numbers_has_few_bins() -> None:
    table = table_of(record(f"p{n}", "t", "duration", {"value": str(n**9), "unit": "h"}) for n in range(200))
    assert len(histograms(table, 3)) <= 30


@pytest.mark.parametrize(
    "numbers", [["9999999999999999"], ["0.3", "0.30000000000000004"], ["3.6999999999999997", "3.7"]]
)
def test_numbers_without_others_between_them_are_in_one_bin(numbers: list[str]) -> None:
    table = table_of(
        record(f"p{n}", "t", "duration", {"value": value, "unit": "h"}) for n, value in enumerate(numbers)
    )
    (only,) = histograms(table, 3)
    assert only.count == len(numbers)
    assert only.low <= min(map(float, numbers)) <= max(map(float, numbers)) <= only.high
    assert only.low < only.high


def test_texts_are_measured_in_characters_and_words() -> None:
    (summary,) = text_summaries(
        table_of(
            record(f"p{n}", "t", "reason", text) for n, text in enumerate(["Yes.", "No, it is not.", " "])
        )
    )
    assert (summary.answers, summary.empty, summary.different) == (3, 1, 2)
    assert (summary.mean_characters, summary.median_words, summary.longest_characters) == (9, 2.5, 14)
    (without_spaces,) = text_summaries(table_of([record("p", "t", "reason", "説明が具体的だから。")]))
    assert (without_spaces.empty, without_spaces.mean_characters) == (0, 10)
    assert np.isnan(without_spaces.mean_words)


def test_units_are_converted_only_by_the_table_of_the_researcher(tmp_path: Path) -> None:
    file = tmp_path / "units.csv"
    file.write_text("unit,to,factor,offset\nh,min,60,\n")
    answers = [("30", "min"), ("1", "h"), ("2", "d")]
    table = table_of(
        record(f"p{n}", "t", "duration", {"value": value, "unit": unit})
        for n, (value, unit) in enumerate(answers)
    )
    rows = number_summaries(converted(table, read_conversions(file)), 3)
    assert [(row.unit, row.count, row.mean) for row in rows] == [("d", 1, 2), ("min", 2, 45)]
    assert converted(table, ()) is table


@pytest.mark.parametrize("rows", ["h,min,x,", "h,min,inf,", ",min,60,", "h,min,60,\nh,s,3600,", "h,min"])
def test_an_invalid_table_of_units_is_rejected(tmp_path: Path, rows: str) -> None:
    (tmp_path / "units.csv").write_text(f"unit,to,factor,offset\n{rows}\n")
    with pytest.raises(UnreadableFile):
        read_conversions(tmp_path / "units.csv")
