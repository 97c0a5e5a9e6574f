"""How a file is written down, found from its beginning: kind, encoding, delimiter, quote, header."""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

from batchwright.data_files.csv_rows import csv_reader
from batchwright.data_files.file_types import FileType, beginning_of, rejection, type_of
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.rows import EmptyFile
from batchwright.schema.parsing import LONGEST_KEY

ROWS = 100
"""Rows that are tried with each delimiter and quote."""

DELIMITERS = (",", ";", "\t", "|")
QUOTES = ('"', "'")


def sniff(path: Path) -> Format:
    """The format that reads a file best; where two do as well, the one that the service takes.

    Raises:
        EmptyFile: when there is nothing to go by.
        UnreadableFile: when it is of another type, which the text names.
        OSError: when the file cannot be opened.
    """
    beginning = beginning_of(path)
    if beginning.type is FileType.EMPTY:
        raise EmptyFile
    if beginning.type is FileType.JSONL:
        return Format(FormatKind.JSONL, beginning.encoding)
    if beginning.type not in (FileType.CSV, FileType.TEXT):
        raise rejection(beginning.type, path.name)
    return _csv_format(_whole_lines(beginning.text, beginning.is_cut), beginning.encoding)


def format_to_correct(path: Path) -> Format | None:
    """A format for a file that `sniff` rejects only because its encoding may be unknown; otherwise None."""
    try:
        is_unknown = type_of(path) is FileType.BINARY
    except OSError:
        return None
    return Format(FormatKind.of(path.name) or FormatKind.CSV) if is_unknown else None


def _whole_lines(text: str, is_cut: bool) -> str:
    """The sample without its last line, when that may go on beyond it."""
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if is_cut and end >= 0 else text


def _csv_format(text: str, encoding: str) -> Format:
    tried = [
        Format(FormatKind.CSV, encoding, delimiter, quote)
        for quote in QUOTES
        for delimiter in DELIMITERS
        if quote in text or quote == QUOTES[0]
    ]
    best = max(tried, key=lambda form: _merit(_rows(text, form)))
    return replace(best, header=_is_header(_rows(text, best)[0]))


def _rows(text: str, form: Format) -> list[list[str]]:
    """The first rows that are not blank; an empty one stands for each that cannot be read."""
    rows: list[list[str]] = []
    reader = csv_reader(StringIO(text, newline=""), form)
    while len(rows) < ROWS:
        try:
            row = next(reader, None)
        except csv.Error:
            rows.append([])
            continue
        if row is None:
            break
        if row:
            rows.append(row)
    return rows


def _merit(rows: Sequence[Sequence[str]]) -> tuple[bool, float]:
    """Whether the rows make a table of several columns, and how many are as wide as the first."""
    width = len(rows[0])
    alike = sum(len(row) == width for row in rows) / len(rows)
    return (True, alike) if width > 1 and alike > 0.7 else (False, 0.0)


def _is_header(first: Sequence[str]) -> bool:
    """Whether a first row may be names, as it must be for the service: unless it plainly holds values."""
    names = [name.strip() for name in first]
    if any(len(name) > LONGEST_KEY or "\n" in name or "://" in name for name in names):
        return False
    return not all(map(is_number, names))


def is_number(text: str) -> bool:
    """Whether a text is a number as people and programs write it into tables."""
    return _NUMBER(text) is not None


_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch
