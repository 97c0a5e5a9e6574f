"""Detects the format of a data file from its beginning: kind, encoding, delimiter, quote, header."""

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

from batchwright.data_files.file_types import DELIMITER_LINE, FileType, read_sample, rejection, type_of
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.rows import EmptyFile
from batchwright.data_files.text_rows.csv_rows import csv_reader
from batchwright.schema.parsing import MAX_KEY_CHARS

SNIFFED_ROWS = 100
"""Rows that are parsed with each delimiter and quote."""

DELIMITERS = (",", ";", "\t", "|")
QUOTES = ('"', "'")


def sniff(path: Path) -> Format:
    """The format that fits a file best; of several that fit equally, the one that the service accepts.

    If the first line names the delimiter (`DELIMITER_LINE`), the format is that of the lines below.

    Raises:
        EmptyFile: the file is empty.
        UnreadableFile: it is a file of another type, which the text names.
        OSError: it cannot be opened.
    """
    file_sample = read_sample(path)
    if file_sample.type is FileType.EMPTY:
        raise EmptyFile
    if file_sample.type in (FileType.JSONL, FileType.NESTED_JSONL):
        return Format(FormatKind.JSONL, file_sample.encoding)
    if file_sample.type not in (FileType.CSV, FileType.EXCEL_CSV, FileType.TEXT):
        raise rejection(file_sample.type, path.name)
    text = _complete_lines(file_sample.text, file_sample.is_cut)
    delimiters: Sequence[str] = DELIMITERS
    if file_sample.type is FileType.EXCEL_CSV and (line := DELIMITER_LINE.match(text)):
        text, delimiters = text[line.end() :], line[1]
        if not text.strip():
            raise EmptyFile
    return csv_format(text, file_sample.encoding, delimiters)


def format_to_correct(path: Path) -> Format | None:
    """A format for a file that `sniff` rejects only because its encoding may be unknown; otherwise None."""
    try:
        is_unknown = type_of(path) is FileType.BINARY
    except OSError:
        return None
    return Format(FormatKind.of(path.name) or FormatKind.CSV) if is_unknown else None


def _complete_lines(text: str, is_cut: bool) -> str:
    """The sample without its last line, if that may be incomplete."""
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if is_cut and end >= 0 else text


def csv_format(text: str, encoding: str, delimiters: Sequence[str] = DELIMITERS) -> Format:
    """The CSV format that fits a text with at least one line best."""
    candidates = [
        Format(FormatKind.CSV, encoding, delimiter, quote)
        for quote in QUOTES
        for delimiter in delimiters
        if quote in text or quote == QUOTES[0]
    ]
    best = max(candidates, key=lambda file_format: _score(_rows(text, file_format)))
    return replace(best, header=is_header(_rows(text, best)[0]))


def _rows(text: str, file_format: Format) -> list[list[str]]:
    """The first rows that are not blank; a row that cannot be parsed is empty."""
    rows: list[list[str]] = []
    reader = csv_reader(StringIO(text, newline=""), file_format)
    while len(rows) < SNIFFED_ROWS:
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


def _score(rows: Sequence[Sequence[str]]) -> tuple[bool, float]:
    """Whether the rows are a table of several columns, and the share of rows as wide as the first."""
    width = len(rows[0])
    share = sum(len(row) == width for row in rows) / len(rows)
    return (True, share) if width > 1 and share > 0.7 else (False, 0.0)


def is_header(first: Sequence[str]) -> bool:
    """Whether a first row may be a header, which the service requires: unless it clearly has values."""
    names = [name.strip() for name in first]
    if any(len(name) > MAX_KEY_CHARS or "\n" in name or "://" in name for name in names):
        return False
    return not all(map(is_number, names))


def is_number(text: str) -> bool:
    """Whether a text is a number as commonly written in tables, with a decimal point or comma."""
    return _NUMBER(text) is not None


_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?").fullmatch
