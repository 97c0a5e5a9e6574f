"""The answer table, its fields, its exclusions, and the files that it is read from."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batchwright.analysis.output.file_columns import long_columns
from batchwright.analysis.store.answer_files import read_saved_answers
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.exclusions import ANSWERED_AGAIN, Exclusions, exclusion_rows, read_exclusions
from batchwright.analysis.store.join_data_file import add_data_file
from batchwright.analysis.store.questions import QuestionKind, questions_in, with_ids_of
from batchwright.analysis.store.text_columns import number_of_different
from batchwright.data_files import archive_members
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.rows import UnreadableFile
from tests.analysis.answers import ITEMS, layout, questions, record, table_of

RECORDS = [
    record("p1", "t1", "better", "a"),
    record("p1", "t1", "faults", "short", "wrong"),
    record("p1", "t1", "duration", {"value": "2.5", "unit": "h"}),
    record("p1", "t1", "picture", {"file_key": "k", "file_name": "cat.png"}),
    record("p1", "t2", "reason", "Because.", created_at="2026-03-05T14:00:30.500Z"),
    record("p2", "t1", "faults"),
    record("p2", "t1", "old", "x"),
]


def columns(table: Any, reasons: list[str] | None = None) -> dict[str, list[Any]]:
    return {column.name: column.values for column in long_columns(table, reasons or [""] * len(table))}


def test_different_rows_of_columns_are_counted() -> None:
    first, second = np.array([0, 0, 1, 1, 0]), np.array([2, 2, 0, 2, 5])
    assert number_of_different(first) == 2
    assert number_of_different(first, second) == len(set(zip(first, second, strict=True)))
    assert number_of_different(first[:0], second[:0]) == 0


def test_each_selected_option_text_number_and_file_is_a_row_and_an_empty_answer_is_one_too() -> None:
    rows = columns(table_of(RECORDS))
    assert rows["participant"] == ["p1"] * 6 + ["p2"] * 2
    assert rows["option"] == ["A is better", "Short", "Wrong", None, None, None, None, None]
    assert rows["value"] == ["a", "short", "wrong", "2.5", None, "Because.", None, "x"]
    assert rows["number"] == [None, None, None, 2.5, None, None, None, None]
    assert rows["unit"][3] == "h"
    assert rows["file"][4] == "cat.png"
    assert rows["question"][-1] == rows["question_text"][-1] == "old"


def test_seconds_are_counted_from_the_previous_task_of_the_same_participant() -> None:
    table = table_of(RECORDS)
    assert table.seconds[4] == 30.5
    assert np.isnan(table.seconds[[0, 1, 2, 3, 5, 6]]).all()


def test_kinds_of_questions() -> None:
    kinds = [question.kind for question in questions()]
    assert kinds == [
        QuestionKind.CHOICE,
        QuestionKind.CHOICES,
        QuestionKind.CHOICE,
        QuestionKind.NUMBER,
        QuestionKind.TEXT,
        QuestionKind.FILE,
    ]
    assert [question.is_comparison for question in questions()[:3]] == [True, False, False]
    assert [question.is_scale for question in questions()[:3]] == [False, False, True]


def test_four_answers_are_no_comparison() -> None:
    options = [{"label": letter, "value": letter} for letter in "ABCD"]
    (four,) = questions({**ITEMS[0], "options": options})
    (two,) = questions({**ITEMS[0], "options": options[:2]})
    assert (four.is_comparison, two.is_comparison) == (False, True)


def test_an_option_is_the_value_with_its_json_type() -> None:
    table = table_of([record("p", "t", "scale", 1.0), record("p", "u", "scale", "1")])
    assert table.options.tolist() == [0, -1]


def test_an_answer_with_the_same_id_is_used_once_and_other_json_is_omitted() -> None:
    store = AnswerStore(questions())
    assert store.append([RECORDS[0], RECORDS[0], None, 5, {"id": "x"}]) == 1
    assert len(store.table()) == len(store) == 1


def test_a_subset_keeps_the_entries_of_its_answers() -> None:
    table = table_of(RECORDS).where(np.array([False, True, False, False, True, True, False]))
    assert columns(table)["value"] == ["short", "wrong", "Because.", None]
    assert table.is_empty.tolist() == [False, False, True]


@pytest.mark.usefixtures("german")
def test_only_reasons_of_the_program_are_translated() -> None:
    shown = Exclusions({"p": ANSWERED_AGAIN}, {"1": ANSWERED_AGAIN, "2": "Too fast"}).in_words
    assert shown.participants == {"p": ANSWERED_AGAIN}, "which somebody has typed"
    assert shown.answers == {"1": "Später erneut beantwortet", "2": "Too fast"}


def test_exclusions_have_reasons_and_leave_the_file_of_answers_complete(tmp_path: Path) -> None:
    file = tmp_path / "exclusions.csv"
    file.write_text(
        "kind,id,reason\nparticipant,p2,Too fast\nanswer,p1-t2-reason,Test\nparticipant,p9,Gone\n"
    )
    exclusions, table = read_exclusions(file), table_of(RECORDS)
    assert exclusions.reasons(table) == ["", "", "", "", "Test", "Too fast", "Too fast"]
    assert len(exclusions.included(table)) == 4
    assert columns(table, exclusions.reasons(table))["excluded"][-3:] == ["Test", "Too fast", "Too fast"]
    assert [(row.id, row.answers) for row in exclusion_rows(exclusions, table)] == [
        ("p2", 2),
        ("p9", 0),
        ("p1-t2-reason", 1),
    ]


def test_excluding_nobody_changes_nothing() -> None:
    table = table_of(RECORDS)
    assert Exclusions().included(table) is table
    assert Exclusions({"p9": "Gone"}).included(table) is table


@pytest.mark.parametrize("row", ["participant,p1,", "person,p1,Fast", "answer,,Fast"])
def test_an_exclusion_without_a_reason_is_rejected(tmp_path: Path, row: str) -> None:
    (tmp_path / "x.csv").write_text(f"kind,id,reason\n{row}\n")
    with pytest.raises(UnreadableFile):
        read_exclusions(tmp_path / "x.csv")


def test_answers_are_read_from_json_jsonl_and_an_export(tmp_path: Path) -> None:
    array, envelope, lines = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.jsonl"
    array.write_text(json.dumps(RECORDS))
    envelope.write_text(json.dumps({"results": RECORDS, "meta": {}}))
    lines.write_text("\n".join(json.dumps(one) for one in RECORDS))
    export = tmp_path / "d.zip"
    by_task = [
        {"task_id": task, "datapoint": {"prompt": task.upper()}, "responses": answers}
        for task in ("t1", "t2")
        if (answers := [one for one in RECORDS if one["task_id"] == task])
    ]
    with zipfile.ZipFile(export, "w") as archive:
        archive.writestr("responses-by-task.jsonl", "\n".join(map(json.dumps, by_task)))
        archive.writestr("batch.json", json.dumps({"batch_items": layout()}))
    responses, single = tmp_path / "e.json", tmp_path / "f.json"
    responses.write_bytes(b"\xef\xbb\xbf" + json.dumps({"responses": RECORDS}, indent=1).encode())
    single.write_text(json.dumps(RECORDS, indent=1), encoding="utf-16")
    for path in (array, envelope, lines, responses, single):
        store = read_saved_answers(path).store
        store.set_questions(questions())
        assert columns(store.table()) == columns(table_of(RECORDS))
    saved = read_saved_answers(export)
    assert len(saved.store) == len(RECORDS)
    assert questions_in(saved.layout) == saved.store.questions[:-1] == questions()
    assert saved.store.task_values() == {"t1": {"prompt": "T1"}, "t2": {"prompt": "T2"}}


def test_an_export_of_a_collection_has_its_questions(tmp_path: Path) -> None:
    answers = {"participant_id": "p", "responses": [record("p", "", "reason", "Yes.")]}
    pages = [{"id": "p1", "order": 0, "page_items": [{**item, "order": n} for n, item in enumerate(ITEMS)]}]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("responses.jsonl", json.dumps(answers))
        archive.writestr("collection.json", json.dumps({"collection_items": pages}))
    saved = read_saved_answers(tmp_path / "a.zip")
    assert len(saved.store) == 1
    assert questions_in(saved.layout) == questions()


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"[1, 2]", b"PK\x03\x04broken", b"\xff\xfe"])
def test_a_file_without_answers_is_reported(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(UnreadableFile):
        read_saved_answers(tmp_path / "a")


def test_records_of_a_data_file_are_found_by_the_values_that_are_known(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("prompt,source\nOne,s1\nTwo,s2\nThree,s3\nFour,s3\n")
    records = [
        record("p", task, "reason", "x", metadata={"source": source})
        for task, source in (("t1", "s2"), ("t2", "s3"), ("t3", "s9"))
    ]
    store = AnswerStore(questions())
    store.append(records)
    add_data_file(store, data, Format(FormatKind.CSV))
    table = store.table()
    assert table.fields["prompt"].take(table.tasks.codes).texts() == ["Two", "", ""]
    assert table.fields["source"].take(table.tasks.codes).texts() == ["s2", "s3", "s9"]
    assert table.datapoints == ("2", "t2", "t3")


def test_a_layout_without_ids_gets_those_of_the_same_questions_that_were_sent() -> None:
    without_ids = questions(*({key: value for key, value in item.items() if key != "id"} for item in ITEMS))
    assert not any(question.id for question in without_ids)
    assert [question.id for question in with_ids_of(without_ids, questions())] == [
        question.id for question in questions()
    ]
    assert with_ids_of(without_ids, questions()[1:]) == without_ids


def test_an_archive_of_blank_lines_is_rejected(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("responses.jsonl", b"\n" * 1_100_000)
    with pytest.raises(UnreadableFile, match=r"^responses.jsonl has more than 1 MB of blank space"):
        read_saved_answers(tmp_path / "a.zip")


@pytest.mark.parametrize("start", [b"", b'{"id": "r1"}\n'], ids=["at the start", "between lines"])
def test_a_file_of_blank_lines_is_rejected(tmp_path: Path, start: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(start + b"\n" * 1_100_000)
    with pytest.raises(UnreadableFile, match=r"^a.jsonl has more than 1 MB of blank space"):
        read_saved_answers(tmp_path / "a.jsonl")


def test_an_archive_that_decompresses_to_far_more_than_answers_do_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_members, "_LIKELY_BYTES", 1_000_000)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("responses.jsonl", b"{}\n" * 1_000_000)
    with pytest.raises(UnreadableFile, match="decompresses to far too much data"):
        read_saved_answers(tmp_path / "a.zip")
