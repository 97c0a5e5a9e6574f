"""Validation of complete files."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files import checking
from batchwright.data_files.checking import Rejection, Report, check_file, check_file_chunked
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import checked_records
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows import csv_rows
from batchwright.schema.model import Schema
from batchwright.schema.record_validator import RAW, RecordError, RecordValidator
from tests.data_files.files import CSV, JSONL, TEXTS, schema, write_file

STRICT = schema(strict=True, a="text", b="image_url")

lines = st.lists(
    st.sampled_from(
        ["1,https://a.example/b", ",https://a.example/b", "1,2", "1", '"1\n\r2",https://a.example/b', '"',
         '"x"y', "", "\udcff,\udcff", '{"a":"1","b":"https://a.example/b"}', '{"a":1}', "[]"]
    )
).map("\n".join)  # fmt: skip


def report_by_record(path: Path, form: Format, schema: Schema) -> Report:
    """The report built from reading record by record."""
    entries = list(checked_records(path, form, RecordValidator(schema)))
    errors = tuple(
        Rejection(entry.line, entry.record_index, entry.content.field, entry.content.reason)
        for entry in entries
        if isinstance(entry.content, RecordError)
    )
    return Report(len(entries), len(entries) - len(errors), len(errors), errors)


@given(
    lines,
    st.sampled_from([CSV, JSONL, Format(FormatKind.CSV, header=False)]),
    st.sampled_from([STRICT, TEXTS]),
)
def test_checking_a_file_reports_the_same_errors_as_reading_its_records(
    text: str, form: Format, schema: Schema
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_rows, "BATCH_ROWS", 3)
        start = "{}\n" if form.kind is FormatKind.JSONL else "a,b\n"
        path = write_file(Path(folder), (start + text).encode(errors="surrogateescape"))
        assert check_file(path, form, schema) == report_by_record(path, form, schema)


def test_a_report_contains_line_index_field_and_reason(tmp_path: Path) -> None:
    path = write_file(tmp_path, 'a,b\n"1\n2",https://a.example\n\n3\n4,x\n')
    report = check_file(path, CSV, STRICT)
    assert (report.records, report.accepted, report.rejected) == (3, 1, 2)
    assert [error[:3] for error in report.errors] == [(5, 1, RAW), (6, 2, "b")]


def test_a_report_counts_more_errors_than_it_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_REPORTED_ERRORS", 2)
    report = check_file(write_file(tmp_path, "a,b\n" + "1\n" * 5), CSV, TEXTS)
    assert (report.records, report.rejected, len(report.errors)) == (5, 5, 2)


def test_rejections_can_be_reported_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "CHUNK_REJECTIONS", 2)
    path = write_file(tmp_path, "a,b\n" + "1\n" * 5)
    messages: list[tuple[object, ...]] = []
    report = check_file_chunked(path, CSV, TEXTS, lambda *values: messages.append(values))
    pieces = [values[0] for values in messages if len(values) == 1]
    assert [len(piece) for piece in pieces if isinstance(piece, tuple)] == [2, 2, 1]
    assert (report.rejected, report.errors) == (5, ())


@pytest.mark.parametrize("form", [CSV, JSONL])
def test_progress_is_reported_up_to_the_size_of_the_file_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: Format
) -> None:
    monkeypatch.setattr(checking, "PROGRESS_STEP", 1)
    path = write_file(tmp_path, "[1,2]\n" * 50_000)
    messages: list[tuple[int, int]] = []
    check_file(path, form, TEXTS, lambda read, total: messages.append((read, total)))
    assert [read for read, _total in messages] == sorted({read for read, _total in messages})
    assert messages[-1] == (path.stat().st_size, path.stat().st_size)


def test_an_unreadable_file_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        check_file(write_file(tmp_path, b"\xff\xfea\0"), CSV, TEXTS)
    with pytest.raises(FileNotFoundError):
        check_file(tmp_path / "none.csv", CSV, TEXTS)
