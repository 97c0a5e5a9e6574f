"""Answers to a collection belong to no record: the units of their statistics are participants."""

from typing import Any

from batchwright.analysis.analyse import Analysis, analyse
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.report import report
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.sections import agreement_result, questions_result
from tests.analysis.answers import record, table_of

VERSIONS = {"batchwright": "1"}
SIDES = ("a", "a", "b", "a", "same", "b")


def answers(task: str = "") -> list[dict[str, Any]]:
    return [
        answer
        for number, side in enumerate(SIDES)
        for answer in (
            record(f"p{number}", task, "better", side),
            record(f"p{number}", task, "duration", {"value": str(number), "unit": "min"}),
        )
    ]


def survey(settings: AnalysisSettings | None = None) -> Analysis:
    return analyse(table_of(answers()), settings or AnalysisSettings())


def test_results_about_records_are_absent() -> None:
    names = {table.name for table in survey().results}

    assert {"questions", "choices", "numbers", "participants", "precision"} <= names
    assert not names & {"agreement", "disagreement", "labels"}
    assert {table.name for table in analyse(table_of(answers("t1")), AnalysisSettings()).results} >= {
        "agreement",
        "labels",
    }


def test_the_report_speaks_of_participants() -> None:
    text = report(survey(), VERSIONS)

    assert "6 participants answered 2 questions; 12 answers were analysed, 6.0 per question" in text
    assert "Participants are a random sample" in text
    assert "record" not in text.lower().replace("recorded", "")


def test_methods_in_the_window_speak_of_participants() -> None:
    prepared = prepare(table_of(answers()), AnalysisSettings())
    agreement = agreement_result(prepared, lambda _fraction: None)

    assert questions_result(prepared, lambda _fraction: None).is_survey
    assert (agreement.rows, agreement.disagreements, agreement.labels) == ((), (), {})


def test_intervals_are_about_participants() -> None:
    """Answers of one participant each are independent: the interval is that of as many answers."""
    in_survey, in_tasks = (
        next(
            table
            for table in analyse(
                table_of(
                    record(f"p{number}", task.format(number), "better", side)
                    for number, side in enumerate(SIDES)
                ),
                AnalysisSettings(),
            ).results
            if table.name == "choices"
        )
        for task in ("", "t{}")
    )
    assert in_survey.rows == in_tasks.rows


def test_files_have_no_columns_of_tasks() -> None:
    kinds = {OutputKind.CODEBOOK, OutputKind.LABELS, OutputKind.TABLES}
    names = {file.name for file in output_files(survey(), OutputChoices(kinds))}
    participants = next(table for table in survey().results if table.name == "participants")

    assert "labels.jsonl" not in names
    assert not {"tasks", "gold_accuracy", "gold_low", "gold_high", "agreement"} & set(participants.columns)
