"""Answers in tables: those of “Save results”, and of other programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from batchwright.analysis.analyse import AnalysisSettings, analyse
from batchwright.analysis.output.file_columns import long_columns
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.write_files import write_files
from batchwright.analysis.store.answer_files import SavedAnswers, read_saved_answers
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import Outcome, QuestionKind, questions_in
from batchwright.data_files.rows import UnreadableFile
from tests.analysis.answers import questions, record, table_of

RECORDS = [
    record("p1", "t1", "better", "b"),
    record("p1", "t1", "faults", "wrong", "short"),
    record("p1", "t1", "scale", 4),
    record("p1", "t1", "duration", {"value": "2.5", "unit": "h"}, created_at="2026-03-05T14:00:30.500Z"),
    record("p2", "t2", "scale", 2),
    record("p2", "t2", "better", "a"),
    record("p2", "t2", "reason", '=Because,\n"quoted"; 😀'),
    record("p3", "t2", "reason", "'-a is not a formula"),
    record("p2", "t2", "faults"),
    record("p2", "t2", "picture", {"file_key": "cat.png", "file_name": "cat.png"}),
]
FIELDS = {"t1": {"topic": "law", "no value": ""}, "t2": {"topic": "art"}}
TABLES = [(OutputKind.CSV, "answers-long.csv"), (OutputKind.JSONL, "answers.jsonl")]


def saved(folder: Path, kind: OutputKind, name: str) -> SavedAnswers:
    analysis = analyse(table_of(RECORDS, FIELDS), AnalysisSettings())
    write_files(output_files(analysis, OutputChoices({kind})), folder)
    return read_saved_answers(folder / name)


def columns(table: Any) -> Mapping[str, list[Any]]:
    return {column.name: column.values for column in long_columns(table, [""] * len(table))}


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_saved_answers_are_the_same_when_they_are_read_with_their_layout(
    tmp_path: Path, kind: OutputKind, name: str
) -> None:
    store = saved(tmp_path, kind, name).store
    store.set_questions(questions())
    before, after = columns(table_of(RECORDS, FIELDS)), columns(store.table())
    for column in before.keys() - {"datapoint", "field_no value"}:
        assert after[column] == before[column], column


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_exclusions_are_read_with_the_answers(tmp_path: Path, kind: OutputKind, name: str) -> None:
    table = table_of(RECORDS)
    settings = AnalysisSettings(Exclusions({"p2": "Too fast"}, {table.ids[0]: "Test"}))
    write_files(output_files(analyse(table, settings), OutputChoices({kind})), tmp_path)
    store = read_saved_answers(tmp_path / name).store
    assert store.saved_exclusions.reasons(store.table()) == settings.exclusions.reasons(table)


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_questions_are_derived_from_their_columns(tmp_path: Path, kind: OutputKind, name: str) -> None:
    found = saved(tmp_path, kind, name)
    by_id = {question.id: question for question in questions_in(found.layout)}
    assert {id: (question.title, question.kind) for id, question in by_id.items()} == {
        question.id: (question.title, question.kind) for question in questions()
    }
    assert [(option.label, option.value) for option in by_id["scale"].options] == [
        ("2 of 5", "2"),
        ("4 of 5", "4"),
    ]
    assert [option.outcome for option in by_id["better"].options] == [Outcome.RIGHT, Outcome.LEFT]
    table = found.store.table()
    assert (table.options[table.entries_of(table.questions.index(by_id["better"]))] >= 0).all()


def test_a_table_of_another_program_has_participants_tasks_questions_and_values(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(
        "participant;task;question;option;value;field_system\n"
        "ann;1;q1;Good;good;x\nann;2;q1;Bad;bad;y\nben;1;q1;Good;good;x\nben;1;q2;;Nice;x\n",
        encoding="cp1252",
    )
    store = read_saved_answers(path).store
    table = store.table()
    assert [(question.id, question.kind) for question in table.questions] == [
        ("q1", QuestionKind.CHOICE),
        ("q2", QuestionKind.TEXT),
    ]
    assert columns(table)["value"] == ["good", "bad", "good", "Nice"]
    assert columns(table)["field_system"] == ["x", "y", "x", "x"]


@pytest.mark.parametrize(
    "text", ["participant,task\na,b\n", "name,age\nAnn,7\n", 'participant,task,question,value\na,b,"c,d\n']
)
def test_a_table_without_the_columns_or_with_an_open_quote_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(UnreadableFile) as caught:
        read_saved_answers(tmp_path / "a.csv")
    assert caught.value.remedy
