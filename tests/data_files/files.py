"""Data files written and read by the tests of `data_files`."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import read_records
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import Record, RecordError, RecordValidator

CSV = Format(FormatKind.CSV)
JSONL = Format(FormatKind.JSONL)


def schema(*, strict: bool = False, **types: str) -> Schema:
    """A schema with these fields and types."""
    return Schema(strict, {key: Field(FieldType(type)) for key, type in types.items()})


TEXTS = schema(a="text", b="text")


def csv_text(
    rows: Iterable[Sequence[str]], delimiter: str = ",", quote: str = '"', ending: str = "\r\n"
) -> str:
    """Rows as the CSV writer of the standard library writes them."""
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=delimiter,
        quotechar=quote,
        lineterminator=ending,
        quoting=csv.QUOTE_MINIMAL if ending == "\r\n" else csv.QUOTE_ALL,  # else a lone CR would stay bare
    )
    writer.writerows(rows)
    return text.getvalue()


def csv_records(content: str | bytes, schema: Schema = TEXTS) -> list[ParsedRecord[Record]]:
    """The records that the service reads from a CSV file."""
    return read(content, FormatKind.CSV, schema)


def jsonl_records(content: str | bytes, schema: Schema = TEXTS) -> list[ParsedRecord[Record]]:
    """The records that the service reads from a JSONL file."""
    return read(content, FormatKind.JSONL, schema)


def read(content: str | bytes, kind: FormatKind, schema: Schema) -> list[ParsedRecord[Record]]:
    """The records that the service reads from a file with this content."""
    return list(read_records(io.BytesIO(encoded(content)), kind, RecordValidator(schema)))


def encoded(content: str | bytes) -> bytes:
    """The bytes of a file."""
    return content.encode() if isinstance(content, str) else content


def write_file(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    """Write a file with this content."""
    path = folder / name
    path.write_bytes(encoded(content))
    return path


def contents(entries: Iterable[ParsedRecord[Record]]) -> list[Record]:
    """The records; none of them may be an error."""
    records = []
    for entry in entries:
        assert not isinstance(entry.content, RecordError), entry
        records.append(entry.content)
    return records


def error_positions(entries: Iterable[ParsedRecord[object]]) -> list[tuple[int, int, str]]:
    """Index, line and field of each error; every reason must be valid Unicode."""
    places = []
    for entry in entries:
        if isinstance(entry.content, RecordError):
            assert entry.content.reason.encode()
            places.append((entry.record_index, entry.line, entry.content.field))
    return places
