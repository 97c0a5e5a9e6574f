"""Conversion of sources to JSONL."""

from collections.abc import Sequence
from pathlib import Path

import xlsxwriter

from batchwright.base.json_values import Json
from batchwright.data_files.conversion.conversion import (
    CONVERTED,
    Conversion,
    read_conversion,
    write_conversion,
)
from batchwright.data_files.conversion.convert import ConversionStart, convert
from batchwright.data_files.index import IndexChunk, RowIndex
from batchwright.data_files.profiling import FileProfile
from batchwright.data_files.reader import rows
from batchwright.data_files.sources.source import SourceOptions


def workbook(path: Path, *sheets: Sequence[Sequence[Json]]) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for cells in sheets:
            sheet = book.add_worksheet()
            for number, row in enumerate(cells):
                sheet.write_row(number, 0, row)
    return path


def test_rows_become_records_and_the_index_has_their_rows(tmp_path: Path) -> None:
    table: list[list[Json]] = [["Our study"], [], ["prompt", "id"], ["Which?", "007"], [], ["Why?", ""]]
    source, target = workbook(tmp_path / "study.xlsx", table), tmp_path / "study.jsonl"
    messages: list[object] = []
    converted = convert(source, Conversion(), target, messages.append)
    assert converted.records == 2
    records = [entry.content for entry in rows(target, CONVERTED)]
    assert records == [{"prompt": "Which?", "id": "007"}, {"prompt": "Why?"}]
    start, chunk, profile = messages
    assert isinstance(start, ConversionStart)
    assert start.columns == ("prompt", "id")
    assert start.conversion.options == SourceOptions("Sheet1", 3, 1)
    assert isinstance(chunk, IndexChunk)
    assert isinstance(profile, FileProfile)
    assert [*profile.proposal.schema.fields] == ["prompt", "id"]
    index = RowIndex(target, CONVERTED)
    index.extend(chunk)
    assert [(entry.line, entry.content) for entry in index.rows(0, 9)] == [(4, records[0]), (6, records[1])]
    assert [(entry.line, entry.content) for entry in start.records] == [(4, records[0]), (6, records[1])]


def test_a_conversion_is_stored_in_a_study() -> None:
    conversion = Conversion(SourceOptions("Data", 0, merged="first"))
    assert read_conversion(write_conversion(conversion)) == conversion
