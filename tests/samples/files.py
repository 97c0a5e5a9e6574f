"""Random dataset files as bytes: CSV and JSONL in the formats that common programs write."""

from random import Random
from typing import Final

from tests.samples.records import INVALID_LINES, as_line, invalid_line, random_record, random_row
from tests.samples.schemas import Schema, random_schema
from tests.samples.values import chance

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that some programs write before UTF-8."""


def random_jsonl(random: Random) -> tuple[Schema, bytes]:
    """A JSONL file of at least one record, with blank lines, unreadable lines and mixed line ends."""
    schema = random_schema(random)
    lines = [_line(random, schema) for _ in range(random.randint(1, 8))]
    for index in random.choices(range(len(lines)), k=random.choice((0, 0, 1, 3))):
        lines.insert(index, random.choice((b"", b"  ", b"\t")))
    return schema, _joined(random, lines)


def random_csv(random: Random) -> tuple[Schema, bytes]:
    """A CSV file of one header, with quoted cells, blank lines, ragged rows and misquoted ones."""
    schema = random_schema(random)
    header, first = random_row(random, schema)
    rows = [first, *_rows(random, first)]
    lines = [_csv_line(random, row).encode() for row in (header, *rows)]
    for index in random.choices(range(1, len(lines) + 1), k=random.choice((0, 0, 1, 3))):
        lines.insert(index, random.choice((b"", b'"closed"too early,b', b'a,"closed\nlater"than that')))
    if chance(random, 0.05):
        lines.append(b'"left open,b')
    return schema, _joined(random, lines)


def _rows(random: Random, like: list[str]) -> list[list[str]]:
    """Rows like this one: a few in which anything may differ, or many identical ones with few exceptions."""
    if chance(random, 0.9):
        return [_row(random, like) for _ in range(random.randint(0, 6))]
    return [_row(random, like) if chance(random, 0.005) else like for _ in range(random.randint(50, 200))]


def _line(random: Random, schema: Schema) -> bytes:
    sample = random_record(random)
    fields = list(schema["fields"])
    record = sample.record
    if isinstance(record, dict):
        record = {random.choice(fields): value for value in record.values()}
    if chance(random, 0.2):
        return invalid_line(random, record, random.choice(list(INVALID_LINES))).encode()
    text = as_line(random, record).encode()
    return text.replace(b"}", b"\xff}") if chance(random, 0.05) else text


def _row(random: Random, like: list[str]) -> list[str]:
    row = [
        random.choice((cell, cell, "", "two\nlines", "two\r\nlines", 'a "word"', "a,b", "\u2028", " x "))
        for cell in like
    ]
    return [*row, "more"] if chance(random, 0.1) else row


def _csv_line(random: Random, cells: list[str]) -> str:
    return ",".join(_cell(random, cell, alone=len(cells) == 1) for cell in cells)


def _cell(random: Random, cell: str, *, alone: bool) -> str:
    if chance(random, 0.3) or any(character in cell for character in ',"\r\n') or (alone and not cell):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _joined(random: Random, lines: list[bytes]) -> bytes:
    ends = random.choice(((b"\n",), (b"\r\n",), (b"\n", b"\r\n")))
    text = b"".join(line + random.choice(ends) for line in lines)
    text = text.rstrip(b"\r\n") if chance(random, 0.3) else text
    return (BYTE_ORDER_MARK if chance(random, 0.2) else b"") + text
