"""Answers in tables: those of “Save results”, and of other programs."""

import csv
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.file_columns import long_columns
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.write_files import write_files
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.store.answer_files import SavedAnswers, read_saved_answers
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import Outcome, QuestionKind, questions_in
from batchwright.analysis.store.table_questions import ProposedQuestion, UnreadableValues, unreadable_text
from batchwright.base.json_values import Json, is_array
from batchwright.data_files.reader import rows
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.spreadsheet_cells import original_cell
from batchwright.data_files.text_rows.sniffing import SNIFFED_ROWS, sniff
from batchwright.layout.option_values import as_text
from batchwright.layout.serialization import read, sequential_keys
from batchwright.schema.parsing import MAX_KEY_CHARS
from batchwright.schema.record_validator import RecordError
from tests.analysis.answers import questions, record, table_of
from tests.flows.program import SHARED_DATA

STATISTICS = SHARED_DATA / "statistics"

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
TABLES = [
    (OutputKind.CSV, "answers-long.csv"),
    (OutputKind.JSONL, "answers.jsonl"),
    (OutputKind.PARQUET, "answers.parquet"),
    (OutputKind.XLSX, "answers.xlsx"),
]


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
    chosen = AnalysisSettings(Exclusions({"p2": "Too fast"}, {table.ids[0]: "Test"}))
    write_files(output_files(analyse(table, chosen), OutputChoices({kind})), tmp_path)
    store = read_saved_answers(tmp_path / name).store
    assert store.saved_exclusions.reasons(store.table()) == chosen.exclusions.reasons(table)


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


@pytest.mark.parametrize("header", ["participant,task,datapoint,q1,q2,q3", "ResponseId,Date,Q1,Q2,Q3,Q4,Q5"])
def test_a_table_with_a_column_for_each_question_is_explained(tmp_path: Path, header: str) -> None:
    cells = ",".join("1" for _name in header.split(","))
    with pytest.raises(UnreadableFile, match=r"is wide.*(q1, q2|Q1, Q2)") as caught:
        read_saved_answers(csv_of(tmp_path, cells, cells, header=header))
    assert "answers-long.csv" in caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "participant,task\na,b\n",
        "participant,task,question,answer\na,b,c,d\n",
        "name,age\nAnn,7\n",
        'participant,task,question,value\na,b,"c,d\n',
    ],
)
def test_a_table_without_the_columns_or_with_an_open_quote_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(UnreadableFile) as caught:
        read_saved_answers(tmp_path / "a.csv")
    assert caught.value.remedy


LINES = st.lists(
    st.lists(st.text("ab,\" \t\r\n'\\#;é-=+1", max_size=4), min_size=4, max_size=5),
    min_size=1,
    max_size=6,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.booleans(), st.sampled_from(",;\t"))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_cells_of_csv_are_read_as_the_data_files_are(
    tmp_path: Path, cells: list[list[str]], end: str, is_quoted: bool, is_damaged: bool, delimiter: str
) -> None:
    """Also where databases and Python read quotation marks, spaces or line ends differently."""
    text = io.StringIO(newline="")
    form: dict[str, Any] = {"quoting": csv.QUOTE_ALL if is_quoted else csv.QUOTE_MINIMAL}
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end, **form)
    writer.writerow(["participant", "task", "question", "value", "explanation"])
    writer.writerows([["p", number, "q", "a", "b"] for number in range(SNIFFED_ROWS)])
    for number, row in enumerate(cells):
        if is_damaged:
            text.write(delimiter.join([str(number), "t", "q", *row[3:]]) + end)
        else:
            writer.writerow([number, "t", "q", *row[3:]])
    path = tmp_path / "a.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    expected = [entry.content for entry in rows(path, sniff(path))]
    if any(isinstance(row, RecordError) for row in expected):
        with pytest.raises(UnreadableFile, match="Line"):
            read_saved_answers(path)
        return
    found = columns(read_saved_answers(path).store.table())
    texts = [[original_cell(str(cell)) or None for cell in row] for row in expected if is_array(row)]
    texts = [row for row in texts if any(row[:5])]  # empty lines are no answers
    assert found["participant"] == [row[0] or "" for row in texts]
    assert found["value"] == [row[3] if len(row) > 3 else None for row in texts]
    assert found["explanation"] == [row[4] if len(row) > 4 else None for row in texts]


VALUES = st.one_of(
    st.text(max_size=3),
    st.integers(),
    st.booleans(),
    st.none(),
    st.floats(allow_nan=False, allow_infinity=False),
)


@given(st.lists(st.dictionaries(st.sampled_from(["value", "explanation", "field_x"]), VALUES), min_size=2))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_values_of_jsonl_are_read_as_texts(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    path = tmp_path / "a.jsonl"
    rest = {"question": "q", "kind": "text"}
    ids = [{"participant": f"p{number}", "task": str(number), **rest} for number in range(len(records))]
    lines = [json.dumps({**id, **record}) for id, record in zip(ids, records, strict=True)]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = columns(read_saved_answers(path).store.table())
    for name in ("value", "explanation"):
        texts = [record.get(name) for record in records]
        assert found[name] == [None if text in (None, "") else as_text(text) for text in texts]


@pytest.mark.parametrize("first", ["p,t,q,fine", 'p,t,q,"two\nlines"'])
def test_a_damaged_row_is_named(tmp_path: Path, first: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f'participant,task,question,value\n{first}\np,t,q,"a"b\np,t,q,c\n')
    with pytest.raises(UnreadableFile, match=f"Line {3 + first.count(chr(10))}"):
        read_saved_answers(path)


def test_a_table_in_another_encoding_or_with_spaces_around_quotation_marks_is_read(tmp_path: Path) -> None:
    path = tmp_path / ("a [1].csv" if os.name == "nt" else "a [1]*.csv")
    for content in ('p,t,q,"é, à"\n'.encode("utf-16"), b'p,t,q, "\xc3\xa9"\n'):
        path.write_bytes(content)
        header = "participant,task,question,value\n".encode("utf-16" if content[0] == 255 else "utf-8")
        path.write_bytes(header + content.removeprefix(b"\xff\xfe"))
        assert columns(read_saved_answers(path).store.table())["value"] == [
            "é, à" if content[0] == 255 else ' "é"'
        ]


def csv_of(folder: Path, *lines: str, header: str = "participant,task,question,value") -> Path:
    path = folder / "answers.csv"
    path.write_text("\n".join([header, *lines]), encoding="utf-8")
    return path


def test_rows_of_an_answer_with_several_choices_need_not_follow_each_other(tmp_path: Path) -> None:
    table_rows = [
        f"p{person},t{task},m,{value}" for value in "xy" for person in range(3) for task in range(4)
    ]
    table = read_saved_answers(csv_of(tmp_path, *table_rows)).store.table()
    (question,) = table.questions
    assert question.kind is QuestionKind.CHOICES
    assert len(table) == 12
    assert [(row.option, row.share) for row in option_shares(table, 0)] == [("x", 1.0), ("y", 1.0)]


@pytest.mark.skipif(not STATISTICS.is_dir(), reason="the shared data is not beside the project")
def test_shares_of_scattered_rows_are_those_that_the_data_has() -> None:
    table = read_saved_answers(STATISTICS / "several-choices-scattered.csv").store.table()
    assert len(table) == 60
    assert [row.share for row in option_shares(table, 0)] == [1.0, 1.0]


def test_rows_with_ids_are_one_answer_each_id(tmp_path: Path) -> None:
    header = "answer,participant,task,question,kind,option,value"
    table_rows = ["1,p,t,q,choices,X,x", "2,p,u,q,choices,X,x", "1,p,t,q,choices,Y,y", "3,p,t,q,choices,Y,y"]
    table = read_saved_answers(csv_of(tmp_path, *table_rows, header=header)).store.table()
    assert table.ids == ("1", "2", "3")
    assert columns(table)["value"] == ["x", "y", "x", "y"]


def test_a_question_whose_values_repeat_is_proposed_as_a_choice(tmp_path: Path) -> None:
    table_rows = [f"p{n},t{n},better,{'ab'[n % 2]}" for n in range(8)] + [
        f"p{n},t{n},why,Text {n}" for n in range(8)
    ]
    saved = read_saved_answers(csv_of(tmp_path, *table_rows))
    assert saved.proposed == (ProposedQuestion("better", QuestionKind.CHOICE, ("a", "b")),)
    kinds = {question.id: question.kind for question in saved.store.questions}
    assert kinds == {"better": QuestionKind.CHOICE, "why": QuestionKind.TEXT}
    as_texts = read_saved_answers(csv_of(tmp_path, *table_rows), kinds={"better": QuestionKind.TEXT})
    assert not as_texts.proposed
    assert {question.kind for question in as_texts.store.questions} == {QuestionKind.TEXT}


def test_times_and_numbers_in_another_form_are_counted(tmp_path: Path) -> None:
    header = "participant,task,question,kind,value,answered_at"
    table_rows = [
        'p1,t1,q,number,"7,5",31.05.2026 14:05',
        "p2,t1,q,number,7.5,2026-05-31T14:05:00Z",
        "p3,t1,q,number,about 8,",
        "p3,t1,why,text,about 8,01.06.2026 09:00",
    ]
    saved = read_saved_answers(csv_of(tmp_path, *table_rows, header=header))
    times, numbers = saved.unreadable
    assert times == UnreadableValues("answered_at", 2, "31.05.2026 14:05")
    assert numbers == UnreadableValues("value", 2, "7,5")
    assert unreadable_text(saved.unreadable) == (
        "2 values of answered_at are not times (first “31.05.2026 14:05”), so these answers have none. "
        "Times are read as in 2026-05-31T14:05:00Z. "
        "2 values of questions with numbers are not numbers (first “7,5”); statistics leave them out. "
        "Numbers are read as in 7.5."
    )
    as_texts = read_saved_answers(
        csv_of(tmp_path, *table_rows, header=header), kinds={"q": QuestionKind.TEXT}
    )
    assert as_texts.unreadable == (times,)


@pytest.mark.parametrize(("kind", "name"), TABLES)
def test_all_times_and_numbers_of_saved_results_can_be_read(
    tmp_path: Path, kind: OutputKind, name: str
) -> None:
    assert saved(tmp_path, kind, name).unreadable == ()


def test_repeated_answers_to_a_choice_stay_separate_answers(tmp_path: Path) -> None:
    table_rows = ["p1,t1,q,a", "p2,t1,q,a", "p1,t1,q,b", "p2,t2,q,b", "p1,t2,q,b"]
    table = read_saved_answers(csv_of(tmp_path, *table_rows)).store.table()
    assert [question.kind for question in table.questions] == [QuestionKind.CHOICE]
    assert len(table) == 5


def test_reading_a_table_can_be_ended(tmp_path: Path) -> None:
    path = csv_of(tmp_path, *(f"p{n},t{n},q,a" for n in range(200_000)))

    def stop(_saved: SavedAnswers) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        read_saved_answers(path, stop)


def test_an_id_that_stands_for_several_answers_is_that_of_the_first(tmp_path: Path) -> None:
    header = "answer,participant,task,question,kind,value"
    table_rows = [f"{task},{person},t{task},q,choice,yes" for person in ("ann", "ben") for task in (1, 2)]
    several = ["1,cat,t1,m,choices,x", "1,cat,t1,m,choices,y"]
    table = read_saved_answers(csv_of(tmp_path, *table_rows, *several, header=header)).store.table()
    assert table.ids == ("1", "2", "row 3", "row 4", "row 5")
    assert columns(table)["participant"] == ["ann", "ann", "ben", "ben", "cat", "cat"]
    assert columns(table)["value"] == ["yes", "yes", "yes", "yes", "x", "y"]


@pytest.mark.parametrize("ids", [["1", "2", "3", "4"], [""] * 4])
@pytest.mark.parametrize("texts", [["FALSE", "no", "0", "NA"], ["false", " off ", "0.0", ""]])
def test_answers_that_a_table_says_are_not_excluded_are_included(
    tmp_path: Path, ids: list[str], texts: list[str]
) -> None:
    table_rows = [f"{id},p{n},t,q,a,{text}" for n, (id, text) in enumerate(zip(ids, texts, strict=True))]
    path = csv_of(tmp_path, *table_rows, header="answer,participant,task,question,value,excluded")
    assert not read_saved_answers(path).store.saved_exclusions.answers


@pytest.mark.parametrize("values", [(False, True), (0, 1)])
def test_answers_are_excluded_by_values_of_json(tmp_path: Path, values: tuple[Any, Any]) -> None:
    rest = {"task": "t", "question": "q", "value": "a"}
    lines = [
        json.dumps({"participant": f"p{n}", **rest, "excluded": value}) for n, value in enumerate(values)
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert read_saved_answers(path).store.saved_exclusions.answers.keys() == {"row 2"}


def test_answers_without_ids_are_excluded(tmp_path: Path) -> None:
    header = "participant,task,question,kind,value,excluded"
    table_rows = [
        "p1,t,q,choices,x,",
        "p2,t,q,choices,x,Too fast",
        "p1,t,q,choices,y,",
        "p3,t,q,choices,y,Test",
    ]
    store = read_saved_answers(csv_of(tmp_path, *table_rows, header=header)).store
    assert store.saved_exclusions.reasons(store.table()) == ["", "Too fast", "Test"]


def test_options_that_a_table_does_not_tell_apart_are_the_first_of_them(tmp_path: Path) -> None:
    values: list[Json] = [1, "1", True, "true"]
    options: list[Json] = [{"label": f"Option {n}", "value": value} for n, value in enumerate(values)]
    choice: Json = {"type": "multiple_choice", "id": "q", "description": "Q", "options": options}
    layout = read([{"rows": [{"columns": [{"items": [choice]}]}]}], sequential_keys())
    store = read_saved_answers(csv_of(tmp_path, "p1,t,q,1", "p2,t,q,true", "p3,t,q,true")).store
    store.set_questions(questions_in(layout))
    assert len(store) == 3
    assert columns(store.table())["option"] == ["Option 0", "Option 2", "Option 2"]


@pytest.mark.parametrize("name", ["k" * MAX_KEY_CHARS, "https://schema.org/text", "line\nbreak"])
def test_saved_answers_are_read_again_whatever_their_fields_are_called(tmp_path: Path, name: str) -> None:
    analysis = analyse(table_of(RECORDS, {"t1": {name: "x"}}), AnalysisSettings())
    write_files(output_files(analysis, OutputChoices({OutputKind.CSV})), tmp_path)
    assert read_saved_answers(tmp_path / "answers-long.csv").store.task_values()["t1"] == {name: "x"}


def test_a_table_without_rows_contains_no_answers(tmp_path: Path) -> None:
    header = "participant,task,question,value,field_x"
    for text in (header, f"{header}\n"):
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(UnreadableFile, match="contains no answers"):
            read_saved_answers(tmp_path / "a.csv")
    empty: dict[str, list[str]] = {name: [] for name in header.split(",")}
    pl.DataFrame(empty, schema=dict.fromkeys(empty, pl.String)).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(UnreadableFile, match="contains no answers"):
        read_saved_answers(tmp_path / "a.parquet")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_headings_are_in_any_case_of_letters(tmp_path: Path, suffix: str) -> None:
    names = ["Participant", "TASK", "question", "Value", "Field_Topic", "Other"]
    path, table = tmp_path / f"a{suffix}", pl.DataFrame([dict(zip(names, "ptqalx", strict=True))] * 2)
    match suffix:
        case ".csv":
            table.write_csv(path)
        case ".jsonl":
            table.write_ndjson(path)
        case ".parquet":
            table.write_parquet(path)
    read_again = columns(read_saved_answers(path).store.table())
    assert read_again["value"] == ["a", "a"]
    assert read_again["field_Topic"] == ["l", "l"]


@pytest.mark.parametrize("value", [[], ["value"]])
def test_an_option_without_a_value_is_its_own_value(tmp_path: Path, value: list[str]) -> None:
    header = ",".join(["participant", "task", "question", "option", *value])
    table = read_saved_answers(csv_of(tmp_path, "p1,t,q,Good", "p2,t,q,Bad", header=header)).store.table()
    assert columns(table)["value"] == ["Good", "Bad"]
    assert columns(table)["option"] == ["Good", "Bad"]


@pytest.mark.parametrize(
    ("header", "missing"),
    [("participant,task,item,value", "question"), ("Participant,Task,Question,Rating,Time", "value")],
)
def test_a_long_table_with_a_column_of_another_name_is_not_called_wide(
    tmp_path: Path, header: str, missing: str
) -> None:
    with pytest.raises(UnreadableFile, match=f"lacks the columns: {missing}."):
        read_saved_answers(csv_of(tmp_path, "p,t,q,x", header=header))


@pytest.mark.parametrize("value", ["a", ' "a"'], ids=["read by the database", "read row by row"])
def test_empty_lines_of_a_table_are_no_answers(tmp_path: Path, value: str) -> None:
    lines = [f"p1,t,q,{value},1", ",,,,", "p2,t,q,b,", ",,,,9", ",,,,"]
    table = read_saved_answers(
        csv_of(tmp_path, *lines, header="participant,task,question,value,number")
    ).store.table()
    assert columns(table)["participant"] == ["p1", "p2"]
    assert len(table.questions) == 1
