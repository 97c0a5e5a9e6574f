"""Text files as sources: CSV whose first line names its delimiter to Excel."""

from pathlib import Path

import pytest

from batchwright.data_files.file_types import FileType, type_of
from batchwright.data_files.rows import EmptyFile
from batchwright.data_files.sources.source import SourceOptions
from tests.data_files.files import write_file
from tests.data_files.sources.tables import choices, converted, records


@pytest.mark.parametrize("name", ["table.csv", "table.tsv", "table.txt"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(
    ("first", "delimiter"),
    [("sep=;\r\n", ";"), ("sep=,\n", ","), ("SEP=\t\r", "\t"), ('"sep=^"\n', "^")],
)
def test_the_line_that_names_the_delimiter_is_no_record(
    tmp_path: Path, name: str, encoding: str, first: str, delimiter: str
) -> None:
    rows = (("id", "text"), ("1", '"Où, when; a|b\tc^"'), ("2", "é"))
    text = first + "".join(f"{delimiter.join(row)}\r\n" for row in rows)
    path = write_file(tmp_path, text.encode(encoding), name)
    assert type_of(path) is FileType.EXCEL_CSV
    assert records(path) == [{"id": "1", "text": "Où, when; a|b\tc^"}, {"id": "2", "text": "é"}]
    assert choices(path)["delimiter"][0] == delimiter


def test_lines_are_counted_with_the_one_that_names_the_delimiter(tmp_path: Path) -> None:
    path = write_file(tmp_path, "sep=;\na;b\n1;2\n3\n4;5\n", "table.csv")
    found, result = converted(path)
    assert found == [{"a": "1", "b": "2"}, ["3"], {"a": "4", "b": "5"}]
    assert "damaged: 4." in result.notes[0]


def test_another_delimiter_and_header_can_be_chosen(tmp_path: Path) -> None:
    path = write_file(tmp_path, "sep=;\na,b;c\n1,2;3\n", "table.csv")
    assert records(path) == [{"a,b": "1,2", "c": "3"}]
    assert records(path, SourceOptions(delimiter=",")) == [{"a": "1", "b;c": "2;3"}]
    assert records(path, SourceOptions(header_rows=0))[0] == {"column_1": "a,b", "column_2": "c"}


def test_a_file_with_that_line_only_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyFile):
        records(write_file(tmp_path, "sep=;\n\n", "table.csv"))


@pytest.mark.parametrize("content", ["sep=;", "sep=;;\n1;2;3\n", "sep,b\n1,2\n", "a;b\nsep=;\n"])
def test_other_texts_about_a_delimiter_are_rows(tmp_path: Path, content: str) -> None:
    assert type_of(write_file(tmp_path, content, "table.csv")) is FileType.CSV
