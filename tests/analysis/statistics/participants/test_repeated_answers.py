"""Repeated answers: the last one counts, everywhere, and the others are counted and named."""

from typing import Any

import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.file_columns import wide_columns
from batchwright.analysis.output.report import methods_paragraph
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.labels import record_labels
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.participants.participant_hints import participant_rows
from batchwright.analysis.statistics.participants.repeated_answers import RepeatedRow, repeated_sentence
from batchwright.analysis.store.answer_files import read_saved_answers
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import record, table_of
from tests.flows.program import SHARED_DATA

PATH = SHARED_DATA / "statistics" / "repeated-answers.csv"


def again(value: str, number: int, time: str = "", participant: str = "p1") -> dict[str, Any]:
    more = {"created_at": time} if time else {"created_at": None}
    return record(participant, "t1", "better", value, id=f"{participant}-{number}", **more)


def counted(records: list[dict[str, Any]], exclusions: Exclusions | None = None) -> list[str]:
    prepared = prepare(table_of(records), AnalysisSettings(exclusions or Exclusions()))
    return list(prepared.included.ids)


@pytest.mark.skipif(not PATH.is_file(), reason="the shared data is not beside the project")
def test_the_last_answer_counts_in_every_result() -> None:
    table = read_saved_answers(PATH).store.table()
    prepared = prepare(table, AnalysisSettings())
    included = prepared.included
    assert prepared.repeated == (RepeatedRow("p1", "t1", "q", 1),)
    assert {row.option: (row.count, row.answers) for row in option_shares(included, 0)} == {
        "a": (1, 4),
        "b": (3, 4),
    }
    (labels,) = record_labels(included, 0)
    assert {row.task: row.ratings for row in map(labels.row, range(labels.count))} == {"t1": 2, "t2": 2}
    assert {row.participant: row.answers for row in participant_rows(included)} == {"p1": 2, "p2": 2}
    reasons = prepared.settings.exclusions.reasons(prepared.all)
    rows = {column.name: column.values for column in wide_columns(prepared.all, reasons)}
    assert dict(zip(zip(rows["participant"], rows["task"], strict=True), rows["q1"], strict=True)) == {
        ("p2", "t1"): 1.0,
        ("p1", "t1"): 2.0,
        ("p2", "t2"): 2.0,
        ("p1", "t2"): 2.0,
    }


def test_the_last_answer_is_that_with_the_latest_time_or_otherwise_of_the_order() -> None:
    times = ["2026-03-05T12:00:00Z", "2026-03-05T14:00:00Z", "2026-03-05T13:00:00Z"]
    assert counted([again("a", number, time) for number, time in enumerate(times)]) == ["p1-1"]
    assert counted([again("a", number) for number in range(3)]) == ["p1-2"]
    assert counted([again("a", 0, times[0]), again("b", 1)]) == ["p1-0"]


def test_an_excluded_answer_is_not_the_last_one() -> None:
    records = [again("a", 0), again("b", 1)]
    exclusions = Exclusions(answers={"p1-1": "A mistake"})
    assert counted(records, exclusions) == ["p1-0"]
    analysis = analyse(table_of(records), AnalysisSettings(exclusions))
    (column,) = (of for of in wide_columns(analysis.table, ["", "A mistake"]) if of.name == "q1")
    assert column.values == [1.0]


def test_answers_of_unknown_participants_are_not_repeated() -> None:
    assert len(counted([again("a", number, participant="") for number in range(3)])) == 3


def test_repeated_answers_are_counted_and_named() -> None:
    records = [again("a", number, participant=f"p{number % 4}") for number in range(12)]
    analysis = analyse(table_of(records), AnalysisSettings())
    assert (analysis.included, analysis.excluded) == (4, 8)
    (table,) = (table for table in analysis.results if table.name == "repeated")
    assert table.rows[0] == ("p0", "t1", "better", 2)
    text = repeated_sentence(analysis.repeated)
    assert text.startswith("8 answers are left out")
    assert "p0 · t1 · better, p1 · t1 · better, p2 · t1 · better, …" in text
    assert text in methods_paragraph(analysis, {"batchwright": "1"})
    effect = [table for table in analysis.results if table.name == "exclusion_effect"]
    assert not effect, "the last answer counts with and without exclusions"


def test_nothing_is_said_without_repeated_answers() -> None:
    analysis = analyse(table_of([again("a", 0), again("a", 1, participant="p2")]), AnalysisSettings())
    assert repeated_sentence(analysis.repeated) == ""
    assert "No answer was excluded." in methods_paragraph(analysis, {"batchwright": "1"})
