"""The reader of dataset files and a simple reference reader agree on random files."""

import io
import re
from collections.abc import Iterator

from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import collect_errors, read_records
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.schema.parsing import read_schema
from batchwright.schema.record_validator import Record, RecordValidator
from tests.reference_rules import Cause, RecordResult, Rejected, check_csv_row, check_line
from tests.rule_comparison import draws, program_record, reference_record
from tests.samples.files import BYTE_ORDER_MARK, random_csv, random_jsonl
from tests.samples.schemas import Schema

Reading = list[tuple[int, int, object]] | str
"""Index, line and content of each record, or `NOTHING`."""

NOTHING = "nothing to read"

CELL_AND_END = re.compile(r'("(?:[^"]|"")*"|(?!")[^,\r\n]*)(,|\r\n|\r|\n|\Z)')
MISQUOTED = re.compile(r'"(?:[^"]|"")*"?[^\r\n]*(?:\r\n|\r|\n|\Z)')
LINE_END = re.compile(r"\r\n|\r|\n")


def by_program(content: bytes, kind: FormatKind, schema: Schema) -> Reading:
    checker = RecordValidator(read_schema(schema))
    try:
        return [listed(entry) for entry in read_records(io.BytesIO(content), kind, checker)]
    except UnreadableFile:
        return NOTHING


def errors_by_program(content: bytes, kind: FormatKind, schema: Schema) -> tuple[int, Reading]:
    """The number of records, and the rejected ones."""
    rejected: list[ParsedRecord[Record]] = []
    checker = RecordValidator(read_schema(schema))
    try:
        count = collect_errors(io.BytesIO(content), Format(kind), checker, rejected.append)
    except UnreadableFile:
        return 0, NOTHING
    return count, [listed(record) for record in rejected]


def listed(entry: ParsedRecord[Record]) -> tuple[int, int, object]:
    return entry.record_index, entry.line, program_record(entry.content)


def compare(content: bytes, kind: FormatKind, schema: Schema, expected: Reading, name: str) -> None:
    assert by_program(content, kind, schema) == expected, (name, schema, content)
    rejected = (
        NOTHING if expected == NOTHING else [record for record in expected if isinstance(record[2], str)]
    )
    count = 0 if expected == NOTHING else len(expected)
    assert errors_by_program(content, kind, schema) == (count, rejected), (name, schema, content)


def plain_jsonl(content: bytes, schema: Schema) -> Reading:
    lines = [
        (number, line) for number, line in enumerate(_without_bom(content).split(b"\n"), 1) if line.strip()
    ]
    return [
        (index, number, reference_record(_line(schema, line))) for index, (number, line) in enumerate(lines)
    ] or NOTHING


def plain_csv(content: bytes, schema: Schema) -> Reading:
    (_start, header), *rows = csv_rows(_without_bom(content).decode())
    assert header is not None
    return [
        (index, line, reference_record(_row(schema, header, row))) for index, (line, row) in enumerate(rows)
    ]


def csv_rows(text: str) -> Iterator[tuple[int, list[str] | None]]:
    """Yield the rows (RFC 4180), each with the line on which it starts; blank lines are skipped.

    An incorrectly quoted row is None and ends with its line.
    """
    row: list[str] = []
    line = start = 1
    position = 0
    while position < len(text):
        found = CELL_AND_END.match(text, position) or MISQUOTED.match(text, position)
        assert found is not None
        position = found.end()
        line += len(LINE_END.findall(found[0]))
        if found.re is MISQUOTED:
            yield start, None
            row, start = [], line
            continue
        cell, end = found.groups()
        row.append(cell[1:-1].replace('""', '"') if cell.startswith('"') else cell)
        if end == "," and position == len(text):
            row.append("")
        if end != "," or position == len(text):
            if len(row) > 1 or cell:
                yield start, row
            row, start = [], line


def _row(schema: Schema, header: list[str], row: list[str] | None) -> RecordResult:
    return Rejected("_raw", Cause.UNREADABLE) if row is None else check_csv_row(schema, header, row)


def _line(schema: Schema, line: bytes) -> RecordResult:
    try:
        return check_line(schema, line.decode())
    except UnicodeDecodeError:
        return Rejected("_raw", Cause.UNREADABLE)


def _without_bom(content: bytes) -> bytes:
    return content.removeprefix(BYTE_ORDER_MARK)


def test_both_read_the_same_records_from_jsonl_files(seed: int) -> None:
    for name, random in draws(seed, 500):
        schema, content = random_jsonl(random)
        compare(content, FormatKind.JSONL, schema, plain_jsonl(content, schema), name)


def test_both_read_the_same_records_from_csv_files(seed: int) -> None:
    for name, random in draws(seed, 500):
        schema, content = random_csv(random)
        compare(content, FormatKind.CSV, schema, plain_csv(content, schema), name)
