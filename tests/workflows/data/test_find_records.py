"""Finding the records of answers in a report, also if its times have a precision of one second."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.workflows.data.find_records import AnswerToLocate, match_answers

HEAD = (
    "DataPoint_ID,Task_Group_ID,Task_Type,Question,name,city,"
    "Annotator1_ID,Annotator1_Response,Annotator1_Timestamp"
)
TIME = datetime(2026, 3, 3, 8, 0, 0, 250_000, UTC)


def matched(folder: Path, *rows: str) -> dict[str, dict[str, str]]:
    """The records of one answer each to two tasks, given by the same person in the same second."""
    path = folder / "report.csv"
    path.write_text("\n".join((HEAD, *rows, "")), encoding="utf-8")
    answers = [
        AnswerToLocate("t1", "p", "Why?", TIME, "so"),
        AnswerToLocate("t2", "p", "Why?", TIME, "thus"),
    ]
    return match_answers(path, answers)


def test_the_text_of_an_answer_identifies_its_record_among_answers_of_the_same_second(tmp_path: Path) -> None:
    second = "2026-03-03T08:00:00Z"
    rows = (f"d1,g,free_text,Why?,Ann,Bern,p,thus,{second}", f"d2,g,free_text,Why?,Bob,,p,so,{second}")
    ann, bob = {"name": "Ann", "city": "Bern"}, {"name": "Bob", "city": ""}
    assert matched(tmp_path, *rows) == {"t1": bob, "t2": ann}
    other = f"d3,g,free_text,Why?,Cid,Basel,p,so,{second}"
    assert matched(tmp_path, *rows, other) == {"t2": ann}, "of two that fit alike, neither is taken"


@pytest.mark.parametrize(
    "row",
    [
        "d1,g,free_text,Why?,Ann,Bern,p,so,2026-03-03T08:00:00.251Z",
        "d1,g,free_text,Why?,Ann,Bern,q,so,2026-03-03T08:00:00.250Z",
        "d1,g,free_text,How?,Ann,Bern,p,so,2026-03-03T08:00:00.250Z",
        "d1,g,free_text",
    ],
)
def test_an_answer_missing_in_the_report_has_no_record(row: str, tmp_path: Path) -> None:
    assert matched(tmp_path, row) == {}


def test_long_values_are_complete(tmp_path: Path) -> None:
    text = "x" * 100_000
    row = f"d1,g,free_text,Why?,{text},Bern,p,so,2026-03-03T08:00:00.250Z"
    assert matched(tmp_path, row)["t1"] == {"name": text, "city": "Bern"}
