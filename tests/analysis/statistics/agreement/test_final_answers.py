"""Final answers about records, beside the answers of participants."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pyreadstat
import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.report import report
from batchwright.analysis.output.write_files import write_files
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings, from_stored, to_stored
from batchwright.analysis.sections import agreement_result
from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer, read_final_answers
from batchwright.data_files.rows import UnreadableFile
from tests.analysis.answers import record, table_of

TABLE = table_of(
    [
        *(record(f"p{n}", "t1", "better", value) for n, value in enumerate("aab")),
        *(record(f"p{n}", "t2", "better", "b") for n in range(3)),
        record("p0", "t1", "faults", "wrong", "short"),
        record("p1", "t1", "faults", "short"),
        record("p0", "t1", "duration", {"value": "2", "unit": "h"}),
        record("p1", "t1", "duration", {"value": "5", "unit": "h"}),
    ]
)
FINALS = (
    FinalAnswer("better", "t1", "b", "B cites the source"),
    FinalAnswer("faults", "t1", "wrong; short"),
    FinalAnswer("better", "t2", "same"),
    FinalAnswer("duration", "t1", "3"),
)
SETTINGS = AnalysisSettings(final_answers=FINALS)


def csv_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_final_answers_are_a_column_of_their_own_and_answers_stay(tmp_path: Path) -> None:
    kinds = {OutputKind.CSV, OutputKind.SAV, OutputKind.LABELS, OutputKind.TABLES, OutputKind.CODEBOOK}
    write_files(output_files(analyse(TABLE, SETTINGS), OutputChoices(kinds)), tmp_path)
    long = csv_rows(tmp_path / "answers-long.csv")
    assert {(row["question"], row["task"], row["final_answer"]) for row in long} == {
        ("better", "t1", "b"),
        ("better", "t2", "same"),
        ("faults", "t1", "wrong; short"),
        ("duration", "t1", "3"),
    }
    assert [row["value"] for row in long[:3]] == ["a", "a", "b"]
    values, metadata = pyreadstat.read_sav(tmp_path / "answers.sav", output_format="dict")
    by_row = dict(
        zip(zip(values["participant"], values["task"], strict=True), values["q1_final"], strict=True)
    )
    assert (by_row["p0", "t1"], by_row["p2", "t2"]) == (2, 3)
    assert metadata.variable_value_labels["q1_final"][3.0] == "About the same"
    assert set(values["q2_final"]) == {"wrong; short", ""}
    lines = (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    labels = {(row["question"], row["task"]): row for row in map(json.loads, lines)}
    assert (labels["better", "t1"]["label"], labels["better", "t1"]["final"]) == (
        "A is better",
        "B is better",
    )
    assert labels["better", "t1"]["final_note"] == "B cites the source"
    assert "q1_final" in {row["column"] for row in csv_rows(tmp_path / "codebook.csv")}
    assert read_final_answers(tmp_path / "final_answers.csv") == (FINALS[0], FINALS[2], FINALS[1], FINALS[3])


def test_final_answers_change_no_result_and_are_counted_in_the_report() -> None:
    before, after = analyse(TABLE, AnalysisSettings()), analyse(TABLE, SETTINGS)
    results = {
        table.name: table.rows for table in after.results if table.name not in ("final_answers", "labels")
    }
    assert results == {table.name: table.rows for table in before.results if table.name != "labels"}
    text = report(after, {"batchwright": "1"})
    assert "4 records got a final answer" in text
    assert "“A is better” (2), “B is better” (1)" in text
    assert "final answer" not in report(before, {"batchwright": "1"})


def test_records_with_different_answers_or_a_final_one_are_listed_with_what_was_given() -> None:
    prepared = prepare(TABLE, replace(SETTINGS, final_answers=FINALS[2:3]))
    given = agreement_result(prepared, lambda _fraction: None).given
    assert [(row.question, row.task, row.given) for row in given] == [
        ("better", "t1", "“A is better” (2), “B is better” (1)"),
        ("better", "t2", "“B is better” (3)"),
        ("faults", "t1", "“Wrong; Short” (1), “Short” (1)"),
        ("duration", "t1", "“2 h” (1), “5 h” (1)"),
    ]


def test_final_answers_are_the_same_after_they_were_stored() -> None:
    assert from_stored(to_stored(SETTINGS)) == SETTINGS


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("question,task\nq,t\n", "lacks"),
        ("question,task,final\nq,t,\n", "lacks"),
        ("question,task,final\nq,t,a\nq,t,b\n", "two final answers"),
    ],
)
def test_a_table_of_final_answers_that_is_not_complete(tmp_path: Path, content: str, text: str) -> None:
    (tmp_path / "final.csv").write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=text):
        read_final_answers(tmp_path / "final.csv")
