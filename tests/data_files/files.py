"""Tables written and read by the tests of the room `tables`."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from batchwright.data_files.formats import Format, Kind
from batchwright.data_files.reader import read_records
from batchwright.data_files.rows import Entry
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.schema.record_validator import Fault, Record, RecordChecker

CSV = Format(Kind.CSV)
JSONL = Format(Kind.JSONL)


def schema(*, strict: bool = False, **types: str) -> Schema:
    """A schema of these fields: text, unless a type is given."""
    return Schema(strict, {key: Field(FieldType(type)) for key, type in types.items()})


TEXTS = schema(a="text", b="text")


def csv_text(
    rows: Iterable[Sequence[str]], delimiter: str = ",", quote: str = '"', ending: str = "\r\n"
) -> str:
    """Rows as the standard library writes them."""
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


def csv_records(content: str | bytes, schema: Schema = TEXTS) -> list[Entry[Record]]:
    """What the service reads from a CSV file."""
    return read(content, Kind.CSV, schema)


def jsonl_records(content: str | bytes, schema: Schema = TEXTS) -> list[Entry[Record]]:
    """What the service reads from a JSONL file."""
    return read(content, Kind.JSONL, schema)


def read(content: str | bytes, kind: Kind, schema: Schema) -> list[Entry[Record]]:
    """What the service reads from a file of this content."""
    return list(read_records(io.BytesIO(encoded(content)), kind, RecordChecker(schema)))


def encoded(content: str | bytes) -> bytes:
    """The bytes of a file."""
    return content.encode() if isinstance(content, str) else content


def written(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    """A file of this content."""
    path = folder / name
    path.write_bytes(encoded(content))
    return path


def contents(entries: Iterable[Entry[Record]]) -> list[Record]:
    """The records, none of which may be a fault."""
    records = []
    for entry in entries:
        assert not isinstance(entry.content, Fault), entry
        records.append(entry.content)
    return records


def places_of_faults(entries: Iterable[Entry[object]]) -> list[tuple[int, int, str]]:
    """Index, line and field of each fault, which must all give a reason that can be written down."""
    places = []
    for entry in entries:
        if isinstance(entry.content, Fault):
            assert entry.content.reason.encode()
            places.append((entry.record_index, entry.line, entry.content.field))
    return places
