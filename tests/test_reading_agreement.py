"""Dataset files are read as a plain reading of the whole file has them."""

import io
import re
from collections.abc import Iterator

from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import collect_errors, read_records
from batchwright.data_files.rows import ParsedRecord, UnreadableFile
from batchwright.schema.parsing import read_schema
from batchwright.schema.record_validator import Record, RecordValidator
from tests.reference_rules import Cause, RecordVerdict, Rejected, csv_verdict, line_verdict
from tests.rule_comparison import draws, kept, stored
from tests.samples.files import MARK, random_csv, random_jsonl
from tests.samples.schemas import Schema

Reading = list[tuple[int, int, object]] | str
"""Index, line and content of each record, or that there is none."""

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


def quickly_by_program(content: bytes, kind: FormatKind, schema: Schema) -> tuple[int, Reading]:
    """How many records there are, and those at fault."""
    faults: list[ParsedRecord[Record]] = []
    checker = RecordValidator(read_schema(schema))
    try:
        count = collect_errors(io.BytesIO(content), Format(kind), checker, faults.append)
    except UnreadableFile:
        return 0, NOTHING
    return count, [listed(fault) for fault in faults]


def listed(entry: ParsedRecord[Record]) -> tuple[int, int, object]:
    return entry.record_index, entry.line, kept(entry.content)


def compare(content: bytes, kind: FormatKind, schema: Schema, expected: Reading, name: str) -> None:
    assert by_program(content, kind, schema) == expected, (name, schema, content)
    faults = NOTHING if expected == NOTHING else [one for one in expected if isinstance(one[2], str)]
    count = 0 if expected == NOTHING else len(expected)
    assert quickly_by_program(content, kind, schema) == (count, faults), (name, schema, content)


def plain_jsonl(content: bytes, schema: Schema) -> Reading:
    lines = [(number, line) for number, line in enumerate(_unmarked(content).split(b"\n"), 1) if line.strip()]
    return [
        (index, number, stored(_line(schema, line))) for index, (number, line) in enumerate(lines)
    ] or NOTHING


def plain_csv(content: bytes, schema: Schema) -> Reading:
    (_begin, header), *rows = csv_rows(_unmarked(content).decode())
    assert header is not None
    return [(index, line, stored(_row(schema, header, row))) for index, (line, row) in enumerate(rows)]


def csv_rows(text: str) -> Iterator[tuple[int, list[str] | None]]:
    """The rows of RFC 4180, each with the line on which it begins; blank lines are none.

    A row in which text follows a closing quotation mark, or none closes, is None up to its line's end.
    """
    row: list[str] = []
    line = begun = 1
    place = 0
    while place < len(text):
        found = CELL_AND_END.match(text, place) or MISQUOTED.match(text, place)
        assert found is not None
        place = found.end()
        line += len(LINE_END.findall(found[0]))
        if found.re is MISQUOTED:
            yield begun, None
            row, begun = [], line
            continue
        cell, end = found.groups()
        row.append(cell[1:-1].replace('""', '"') if cell.startswith('"') else cell)
        if end == "," and place == len(text):
            row.append("")
        if end != "," or place == len(text):
            if len(row) > 1 or cell:
                yield begun, row
            row, begun = [], line


def _row(schema: Schema, header: list[str], row: list[str] | None) -> RecordVerdict:
    return Rejected("_raw", Cause.UNREADABLE) if row is None else csv_verdict(schema, header, row)


def _line(schema: Schema, line: bytes) -> RecordVerdict:
    try:
        return line_verdict(schema, line.decode())
    except UnicodeDecodeError:
        return Rejected("_raw", Cause.UNREADABLE)


def _unmarked(content: bytes) -> bytes:
    return content.removeprefix(MARK)


def test_jsonl_files_are_read_as_a_plain_reading_has_them(seed: int) -> None:
    for name, random in draws(seed, 500):
        schema, content = random_jsonl(random)
        compare(content, FormatKind.JSONL, schema, plain_jsonl(content, schema), name)


def test_csv_files_are_read_as_a_plain_reading_has_them(seed: int) -> None:
    for name, random in draws(seed, 500):
        schema, content = random_csv(random)
        compare(content, FormatKind.CSV, schema, plain_csv(content, schema), name)
