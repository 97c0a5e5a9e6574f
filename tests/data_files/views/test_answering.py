"""Queries about the records of a file, answered while it is read and afterwards."""

import json
import string
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import Pipe
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.data_files.formats import Format, FormatKind, RecordsFile
from batchwright.data_files.views.answering import answer_queries
from batchwright.data_files.views.record_query import (
    ColumnCounts,
    ConditionKind,
    CountsQuestion,
    RecordCondition,
    RecordQuery,
    RecordView,
    Search,
)
from batchwright.schema.model import FieldType

COLUMNS = ("prompt", "score", "picture")
RECORDS = [
    {"prompt": "Which cat?", "score": "10", "picture": "https://example.org/1.png"},
    {"prompt": "Which dog?", "score": "9", "picture": "nowhere"},
    {"prompt": "which CAT?", "score": "", "picture": "https://example.org/1.png"},
    {"score": "n/a", "picture": "https://example.org/3.png"},
    {"prompt": "Which cat?", "score": "10", "picture": "https://example.org/1.png"},
]
Ask = Callable[[object], Any]


@contextmanager
def asked(path: Path, columns: Sequence[str]) -> Iterator[Ask]:
    """A function that returns the complete answer to a question about a file."""
    ours, theirs = Pipe()
    answers: Queue[Any] = Queue()
    file = RecordsFile(path, Format(FormatKind(path.suffix[1:])))
    thread = threading.Thread(target=answer_queries, args=(file, tuple(columns), theirs, answers.put))
    thread.start()

    def ask(question: object) -> Any:
        ours.send(question)
        while not (answer := answers.get(timeout=30)).is_complete:
            pass
        return answer

    try:
        yield ask
    finally:
        ours.close()
        thread.join(30)
        assert not thread.is_alive()


def jsonl(path: Path, records: Sequence[object]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    with asked(jsonl(tmp_path / "records.jsonl", RECORDS), COLUMNS) as ask:
        yield ask


def shown(view: RecordView) -> list[int] | None:
    return None if view.order is None else list(view.order)


def test_all_records_are_shown_in_the_order_of_the_file(ask: Ask) -> None:
    view = ask(RecordQuery())
    assert shown(view) is None
    assert view.read == len(RECORDS)


def test_numbers_are_sorted_by_value_before_texts_and_empty_values_come_last(ask: Ask) -> None:
    assert shown(ask(RecordQuery(sorted_by=1))) == [1, 0, 4, 3, 2]
    assert shown(ask(RecordQuery(sorted_by=1, is_descending=True))) == [0, 4, 1, 3, 2]


def test_numbers_may_have_a_decimal_comma(tmp_path: Path) -> None:
    values = ["10,2", "9,9", "1.5", "-3,5", ",5", "1,2,3", "100"]
    path = jsonl(tmp_path / "records.jsonl", [{"share": value} for value in values])
    with asked(path, ("share",)) as ask:
        assert shown(ask(RecordQuery(sorted_by=0))) == [3, 4, 2, 1, 0, 6, 5]


def test_texts_are_sorted_without_regard_to_case(ask: Ask) -> None:
    assert shown(ask(RecordQuery(sorted_by=0))) == [0, 2, 4, 1, 3]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (RecordCondition(ConditionKind.EMPTY, 0), [3]),
        (RecordCondition(ConditionKind.EMPTY, 1), [2]),
        (RecordCondition(ConditionKind.FILLED, 0), [0, 1, 2, 4]),
        (RecordCondition(ConditionKind.EQUAL, 0, "Which cat?"), [0, 4]),
        (RecordCondition(ConditionKind.CONTAINS, 0, "Cat"), [0, 2, 4]),
        (RecordCondition(ConditionKind.REPEATED, 2), [0, 2, 4]),
        (RecordCondition(ConditionKind.REPEATED, None), [0, 4]),
        (RecordCondition(ConditionKind.SHORTER, 1, 2), [1]),
        (RecordCondition(ConditionKind.LONGER, 1, 2), [3]),
        (RecordCondition(ConditionKind.BAD_ADDRESS, 2, FieldType.IMAGE_URL), [1]),
    ],
    ids=str,
)
def test_a_condition_leaves_the_records_that_fulfil_it(
    ask: Ask, condition: RecordCondition, expected: list[int]
) -> None:
    assert shown(ask(RecordQuery().with_condition(condition))) == expected


def test_a_search_finds_rows_without_regard_to_case_in_all_columns(ask: Ask) -> None:
    assert list(ask(RecordQuery(search=Search("CAT"))).hits) == [0, 2, 4]
    assert list(ask(RecordQuery(search=Search("nowhere"))).hits) == [1]
    assert list(ask(RecordQuery(sorted_by=1, search=Search("nowhere"))).hits) == [0]


@pytest.mark.parametrize("text", ["ΛΟΓΟΣ", "λογοσ", "İstanbul", "ZÜRICH"])
def test_letters_with_other_rules_for_case_are_found_as_conditions_find_them(
    text: str, tmp_path: Path
) -> None:
    path = jsonl(tmp_path / "words.jsonl", [{"a": value} for value in ("ΛΟΓΟΣ", "İstanbul", "Zürich")])
    with asked(path, ["a"]) as ask:
        (hit,) = ask(RecordQuery(search=Search(text))).hits
        assert shown(ask(RecordQuery((RecordCondition(ConditionKind.CONTAINS, 0, text),)))) == [hit]


def test_a_search_may_be_a_regular_expression(ask: Ask) -> None:
    assert list(ask(RecordQuery(search=Search("which (dog|CAT)", is_pattern=True))).hits) == [0, 1, 2, 4]
    assert list(ask(RecordQuery(search=Search("which (dog|CAT)"))).hits) == []


def test_an_invalid_regular_expression_is_said_and_the_next_question_is_answered(ask: Ask) -> None:
    assert "missing )" in ask(RecordQuery(search=Search("(", is_pattern=True))).problem
    assert list(ask(RecordQuery(search=Search("("))).hits) == []


def test_the_values_of_a_column_are_counted(ask: Ask) -> None:
    counts: ColumnCounts = ask(CountsQuestion(2, FieldType.IMAGE_URL))
    assert (counts.empty, counts.distinct, counts.shortest, counts.longest) == (0, 3, 7, 25)
    assert counts.frequent == (("https://example.org/1.png", 3),)
    assert (counts.repeated, counts.repeated_records, counts.bad_addresses) == (3, 2, 1)


def test_a_length_far_from_the_others_is_counted(tmp_path: Path) -> None:
    records = [{"text": "x" * (20 + number % 3)} for number in range(50)] + [
        {"text": "x"},
        {"text": "x" * 90},
    ]
    with asked(jsonl(tmp_path / "records.jsonl", records), ["text"]) as ask:
        counts = ask(CountsQuestion(0))
        assert (counts.short, counts.long) == (1, 1)
        assert shown(ask(RecordQuery((RecordCondition(ConditionKind.LONGER, 0, counts.long_above),)))) == [51]
        assert shown(ask(RecordQuery((RecordCondition(ConditionKind.SHORTER, 0, counts.short_below),)))) == [
            50
        ]


def test_lines_that_are_no_record_keep_their_place(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"a": "x"}\nbroken\n[1]\n{"a": {"b": "\\ud800"}}\n{"a": "x"}\n')
    with asked(path, ["a"]) as ask:
        assert shown(ask(RecordQuery((RecordCondition(ConditionKind.EQUAL, 0, "x"),)))) == [0, 4]
        assert shown(ask(RecordQuery((RecordCondition(ConditionKind.CONTAINS, 0, '"b"'),)))) == [3]


def test_a_file_without_records_has_an_empty_view(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("a,b\n")
    with asked(path, ["a", "b"]) as ask:
        assert shown(ask(RecordQuery(sorted_by=0))) == []
        assert ask(CountsQuestion(0)).longest == 0


@settings(max_examples=20)
@given(st.lists(st.text(string.printable, min_size=1, max_size=6), min_size=1, max_size=30), st.data())
def test_a_search_finds_what_contains_the_text(texts: list[str], data: st.DataObject) -> None:
    part = data.draw(st.sampled_from(texts))[:2]
    with TemporaryDirectory() as folder:
        path = jsonl(Path(folder) / "records.jsonl", [{"a": value} for value in texts])
        with asked(path, ["a"]) as ask:
            found = list(ask(RecordQuery(search=Search(part))).hits)
    assert found == [row for row, value in enumerate(texts) if part.lower() in value.lower()]


def test_words_that_could_stand_for_infinity_are_sorted_as_texts(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "names.jsonl", [{"a": value} for value in ("Nan", "Infinity", " 2", "10", "-1", "Ann")]
    )
    with asked(path, ("a",)) as ask:
        assert shown(ask(RecordQuery(sorted_by=0))) == [4, 2, 3, 5, 1, 0]
