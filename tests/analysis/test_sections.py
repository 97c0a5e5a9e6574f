"""What the sections of Results show, computed from small tables and checked by hand."""

from dataclasses import replace

import pytest

from batchwright.analysis.output.pair_fields import PairFields, suggested_pair_fields
from batchwright.analysis.prepared_answers import ExcludedCounts, prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.sections import (
    agreement_details,
    agreement_result,
    comparisons_result,
    participants_result,
    questions_result,
)
from batchwright.analysis.statistics.agreement.agreement_results import ALPHA
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.comparisons.system_fields import suggested_systems
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.participants.gold import gold_fields
from batchwright.analysis.statistics.planning.sample_size import share_width
from batchwright.analysis.statistics.text_lengths import text_rows
from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.analysis.store.exclusion_rules import ExclusionRule, Measure, Operator
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import ratings, record, table_of

DEFAULT = AnalysisSettings()


def no_step(_fraction: float) -> None:
    """Ignore progress."""


def test_questions_have_shares_and_precision() -> None:
    table = table_of(record("p", f"t{task}", "better", "a" if task < 3 else "b") for task in range(4))
    better, *_others = questions_result(
        prepare(table, replace(DEFAULT, further_answers=7)), no_step
    ).questions
    assert [(share.label, share.count, share.share) for share in better.shares] == [
        ("A is better", 3, 0.75),
        ("B is better", 1, 0.25),
        ("About the same", 0, 0.0),
    ]
    assert (better.shares[0].low, better.shares[0].high) == pytest.approx((0.3006, 0.9544), abs=1e-4)
    assert [row.answers for row in better.precision][:2] == [4, 11]


def test_choices_are_split_by_a_field_that_has_categories() -> None:
    fields = {f"t{task}": {"topic": "law" if task < 2 else "art", "id": str(task)} for task in range(4)}
    table = table_of((record("p", f"t{task}", "better", "a") for task in range(4)), fields)
    result = questions_result(prepare(table, DEFAULT), no_step, "topic")
    assert result.fields == ("topic",)
    shares = [(share.field_value, share.count) for share in result.questions[0].shares_by_field]
    assert ("law", 2) in shares
    assert questions_result(prepare(table, DEFAULT), no_step, "unknown").by_field == ""


def test_numbers_are_split_by_a_field_in_each_unit() -> None:
    fields = {f"t{task}": {"topic": "law" if task < 3 else "art"} for task in range(6)}
    values = [{"value": str(task), "unit": "h" if task % 2 else "min"} for task in range(6)]
    table = table_of(
        (record("p", f"t{task}", "duration", value) for task, value in enumerate(values)), fields
    )
    (result,) = [
        item
        for item in questions_result(prepare(table, DEFAULT), no_step, "topic").questions
        if item.numbers_by_field
    ]
    rows = [(row.unit, row.field, row.field_value, row.mean) for row in result.numbers_by_field]
    assert rows == [
        ("h", "topic", "art", 4),
        ("h", "topic", "law", 1),
        ("min", "topic", "art", 4),
        ("min", "topic", "law", 1),
    ]


def test_units_are_converted_only_by_the_table() -> None:
    values = [{"value": "30", "unit": "min"}, {"value": "1", "unit": "h"}]
    table = table_of(record(f"p{place}", "t", "duration", value) for place, value in enumerate(values))
    given = questions_result(prepare(table, DEFAULT), no_step)
    assert given.units == ("h", "min")
    assert [(row.unit, row.mean) for row in given.questions[3].numbers] == [("h", 1.0), ("min", 30.0)]
    settings = replace(DEFAULT, units=(UnitConversion("h", "min", 60.0),))
    converted = questions_result(prepare(table, settings), no_step)
    assert [(row.unit, row.mean) for row in converted.questions[3].numbers] == [("min", 45.0)]
    assert converted.units == ("h", "min")


def test_results_leave_out_exclusions_and_count_them() -> None:
    records = [record(f"p{person}", f"t{task}", "better", "a") for person in range(3) for task in range(2)]
    exclusions = Exclusions({"p0": "Too fast"}, {"p1-t0-better": "Pressed the wrong key", "gone": "Unknown"})
    prepared = prepare(table_of(records), replace(DEFAULT, exclusions=exclusions))
    assert prepared.excluded == ExcludedCounts(answers=3, participants=2)
    result = participants_result(prepared, no_step)
    assert [(row.participant, row.answers) for row in result.participants] == [("p1", 1), ("p2", 2)]
    assert [(row.id, row.answers) for row in result.exclusions] == [
        ("p0", 2),
        ("gone", 0),
        ("p1-t0-better", 1),
    ]


def test_nothing_excluded_changes_nothing() -> None:
    table = table_of(ratings([[1, 2], [3, 3]]))
    prepared = prepare(table, DEFAULT)
    assert prepared.excluded == ExcludedCounts()
    assert prepared.included is table


def test_agreement_in_total_first_and_its_details_on_request() -> None:
    fields = {f"t{unit}": {"topic": "law" if unit % 2 else "art"} for unit in range(6)}
    table = table_of(
        ratings([["a", "a"], ["b", "b"], ["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]], "better"), fields
    )
    prepared = prepare(table, DEFAULT)
    result = agreement_result(prepared, no_step)
    assert {row.field for row in result.rows} == {""}
    assert {row.option for row in result.rows} == {""}
    assert [row.task for row in result.disagreements] == ["t4"]
    details = [row for row in agreement_details(prepared, "better", "topic") if row.coefficient == ALPHA]
    assert {row.option for row in details if row.option} == {"A is better", "B is better", "About the same"}
    assert {row.field_value: row.records for row in details if row.field} == {"art": 3, "law": 3}
    assert agreement_details(prepared, "unknown") == []


def test_labels_are_counted_with_their_ties() -> None:
    table = table_of(ratings([["a", "a"], ["a", "b"], ["b", "b"]], "better"))
    labels = agreement_result(prepare(table, DEFAULT), no_step).labels["better"]
    assert [row.label for row in labels.rows] == ["A is better", "", "B is better"]
    assert (labels.count, labels.ties, labels.has_model) == (3, 1, False)
    with_model = prepare(table, replace(DEFAULT, label_model=LabelModel.DAWID_SKENE))
    labels = agreement_result(with_model, no_step).labels["better"]
    assert labels.has_model
    assert labels.warning.startswith("Answers per participant: 3 in the median")


def test_comparisons_need_fields_that_name_systems() -> None:
    fields = {f"t{task}": {"model_a": "one", "model_b": "two"} for task in range(4)}
    answers = ["a", "a", "a", "b"]
    table = table_of((record("p", f"t{task}", "better", value) for task, value in enumerate(answers)), fields)
    unset = comparisons_result(prepare(table, DEFAULT), no_step)
    assert unset.results.systems == ()
    assert unset.suggested == SystemFields("model_a", "model_b")
    assert [(row.left, row.right) for row in unset.positions] == [(3, 1)]
    settings = replace(DEFAULT, systems=unset.suggested)
    chosen = comparisons_result(prepare(table, settings), no_step)
    assert [(row.system, row.wins, row.losses) for row in chosen.results.systems] == [
        ("one", 3, 1),
        ("two", 1, 3),
    ]
    wrong = replace(DEFAULT, systems=SystemFields("model_a"))
    assert comparisons_result(prepare(table, wrong), no_step).unusable_fields == (
        "Only 1 system is named by “model_a”; two are needed."
    )


@pytest.mark.parametrize(
    "names",
    [
        ("left_model", "right_model"),
        ("Model A", "Model B"),
        ("system1", "system2"),
        ("first-llm", "second-llm"),
    ],
)
def test_fields_are_suggested_whose_names_differ_in_the_side(names: tuple[str, str]) -> None:
    left, right = names
    fields = {
        "t0": {right: "one", left: "two", "topic": "law"},
        "t1": {right: "two", left: "one", "topic": "art"},
    }
    records = [record("p", task, "better", "a") for task in fields]
    assert suggested_systems(table_of(records, fields)) == SystemFields(left, right)


def test_no_fields_are_suggested_without_sides() -> None:
    fields = {f"t{task}": {"topic": "law", "length": str(task)} for task in range(3)}
    assert suggested_systems(table_of([record("p", "t0", "better", "a")], fields)) is None


@pytest.mark.parametrize("is_repeated", [True, False])
def test_fields_without_common_values_are_suggested_if_values_repeat(is_repeated: bool) -> None:
    fields = {
        f"t{task}": {f"response_{side}": side if is_repeated else f"{side}{task}" for side in "ab"}
        for task in range(4)
    }
    records = [record("p", task, "better", "a") for task in fields]
    expected = SystemFields("response_a", "response_b") if is_repeated else None
    assert suggested_systems(table_of(records, fields)) == expected


@pytest.mark.parametrize(
    ("prompt", "left", "right"), [("prompt", "response_a", "response_b"), ("Frage", "left", "right")]
)
def test_fields_of_preference_pairs_are_suggested_by_name_and_length(
    prompt: str, left: str, right: str
) -> None:
    texts = {
        "topic": "law",
        "model_a": "one",
        "model_b": "two",
        prompt: "Is it legal?",
        right: "No.",
        left: "Yes.",
    }
    table = table_of([record("p", "t0", "better", "a")], {"t0": texts})
    assert suggested_pair_fields(table) == PairFields(prompt, left, right)


@pytest.mark.parametrize("names", [("prompt", "topic", "source"), ("answer_a", "answer_b")])
def test_no_fields_of_preference_pairs_are_suggested_without_a_prompt_and_two_sides(
    names: tuple[str, ...],
) -> None:
    fields = {"t0": dict.fromkeys(names, "text")}
    assert suggested_pair_fields(table_of([record("p", "t0", "better", "a")], fields)) is None


def test_texts_are_listed_by_frequency_and_searched_in_any_case() -> None:
    texts = ["Shorter", "Clearer words", "Shorter", " ", "短い"]
    table = table_of(record(f"p{place}", "t", "reason", text) for place, text in enumerate(texts))
    assert [(row.text, row.answers, row.words) for row in text_rows(table, "reason")] == [
        ("Shorter", 2, 1),
        ("Clearer words", 1, 2),
        ("短い", 1, None),
    ]
    assert [row.text for row in text_rows(table, "reason", "WORDS")] == ["Clearer words"]
    assert text_rows(table, "unknown") == []


@pytest.mark.parametrize(
    "compute", [questions_result, agreement_result, comparisons_result, participants_result]
)
def test_every_section_can_be_computed_without_answers(compute: object) -> None:
    assert callable(compute)
    assert compute(prepare(table_of([]), DEFAULT), no_step) is not None


def test_fields_with_right_answers_to_any_or_to_one_question() -> None:
    fields = {"t": {"best": "A is better", "both": "wrong; short", "hours": "2 h", "prompt": "Who?"}}
    table = table_of([record("p", "t", "better", "a"), record("p", "t", "reason", "Who?")], fields)
    assert gold_fields(table) == ["best", "both"]
    assert gold_fields(table, "better") == ["best"]
    assert gold_fields(table, "duration") == ["hours"]
    assert gold_fields(table, "reason") == ["best", "both", "hours", "prompt"]
    assert gold_fields(table, "picture") == []
    settings = replace(DEFAULT, gold_field="prompt", gold_question="reason")
    (row,) = participants_result(prepare(table, settings), no_step).participants
    assert (row.gold_answers, row.gold_accuracy) == (1, 1)


@pytest.mark.parametrize(
    ("right", "given"),
    [
        ("90 min", [("90", "min"), ("1.5", "h")]),
        ("1.5 h", [("90", "min"), ("1.5", "h")]),
        ("3.7 h", [("222", "min"), ("3.7", "h")]),
        ("0 °C", [("32", "°F"), ("0", "°C")]),
    ],
)
def test_right_answers_are_converted_like_the_answers_also_for_rules(
    right: str, given: list[tuple[str, str]]
) -> None:
    units = UnitConversion("min", "h", 1 / 60), UnitConversion("°F", "°C", 5 / 9, -32 * 5 / 9)
    answers = [
        record(f"p{n}", "t", "duration", {"value": value, "unit": unit})
        for n, (value, unit) in enumerate([*given, ("91", "min")])
    ]
    exclusions = Exclusions(rules=(ExclusionRule(Measure.GOLD, Operator.BELOW, 0.5),))
    settings = replace(DEFAULT, gold_field="right", gold_question="duration", units=units)
    table = table_of(answers, {"t": {"right": right}})
    result = participants_result(prepare(table, settings), no_step)
    assert [row.gold_accuracy for row in result.participants] == [1, 1, 0]
    prepared = prepare(table, replace(settings, exclusions=exclusions))
    assert prepared.settings.exclusions.participants.keys() == {"p2"}


def test_agreement_and_win_rates_have_their_precision_with_more_answers() -> None:
    records = ratings([["a", "a"], ["a", "b"], ["b", "b"], ["same", "same"]] * 6, "better")
    fields = {f"t{n}": {"left": "xyz"[n % 3], "right": "yzx"[n % 3]} for n in range(24)}
    settings = replace(DEFAULT, further_answers=144, systems=SystemFields("left", "right"))
    prepared = prepare(table_of(records, fields), settings)
    result = agreement_result(prepared, no_step)
    alpha = next(row for row in result.rows if row.coefficient == ALPHA)
    rows = {row.more: row for row in result.precision}
    assert (rows[0].answers, rows[144].answers) == (48, 192)
    assert rows[0].width == alpha.high - alpha.low
    assert rows[144].width == pytest.approx(rows[0].width / 2)
    compared = comparisons_result(prepared, no_step)
    now, later = (row for row in compared.precision if row.more in (0, 144))
    row = next(row for row in compared.results.systems if row.system == now.about)
    assert (now.answers, later.answers, row.comparisons) == (48, 192, 32)
    assert now.width == pytest.approx(row.win_high - row.win_low)
    ratio = share_width(row.win_rate, 128) / share_width(row.win_rate, 32)
    assert later.width == pytest.approx(now.width * ratio)
