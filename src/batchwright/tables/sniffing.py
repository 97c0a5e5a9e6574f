"""How a file is written down, found from its beginning: kind, encoding, delimiter, quote, header."""

import codecs
import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

from batchwright.records.json_values import NotJson, is_object, parse
from batchwright.records.schema_reading import LONGEST_KEY
from batchwright.tables.csv_rows import csv_reader
from batchwright.tables.entries import Empty
from batchwright.tables.foreign import (
    refuse_foreign_bytes,
    refuse_no_file,
    refuse_no_text,
    refuse_one_value,
)
from batchwright.tables.formats import Format, Kind

SAMPLE = 1 << 18
"""Bytes that are looked at."""

ROWS = 100
"""Rows that are tried with each delimiter and quote."""

DELIMITERS = (",", ";", "\t", "|")
QUOTES = ('"', "'")

_JSONL_SUFFIXES = (".jsonl", ".ndjson")
_CSV_SUFFIXES = (".csv", ".tsv", ".tab")


def sniff(path: Path) -> Format:
    """The format that reads a file best; where two do as well, the one that the service takes.

    Raises:
        Empty: when there is nothing to go by.
        Unreadable: when it is plainly no table.
        OSError: when the file cannot be opened.
    """
    refuse_no_file(path)
    with path.open("rb") as stream:
        sample = stream.read(SAMPLE)
    refuse_foreign_bytes(path, sample)
    encoding = find_encoding(sample)
    text = sample.decode(encoding, "replace").removeprefix("\ufeff")
    if not text.strip():
        raise Empty
    is_cut = len(sample) == SAMPLE
    is_jsonl = _is_jsonl(path, text)
    if not is_jsonl and path.suffix.lower() not in _CSV_SUFFIXES:
        refuse_one_value(path, text, is_cut=is_cut)
    refuse_no_text(text)
    if is_jsonl:
        return Format(Kind.JSONL, encoding)
    return _csv_format(_whole_lines(text, is_cut), encoding)


def find_encoding(sample: bytes) -> str:
    """The encoding of a sample: told by its byte order mark, by its zero bytes, or by what decodes.

    What is mostly UTF-8 counts as UTF-8, so that its few bad records are shown as such.
    """
    if sample.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if sample.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    if zeros := sample.count(0):
        odd = sample[1::2].count(0)
        if zeros > len(sample) // 4 and odd in (0, zeros):
            return "utf-16-le" if odd else "utf-16-be"
    if _is_mostly_utf8(sample):
        return "utf-8"
    try:
        sample.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _is_mostly_utf8(sample: bytes) -> bool:
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(sample)
    strange = [letter for letter in text if letter > "\x7f"]
    broken = sum("\udc80" <= letter <= "\udcff" for letter in strange)
    return 2 * broken <= len(strange)


def _is_jsonl(path: Path, text: str) -> bool:
    suffix = path.suffix.lower()
    if suffix in _JSONL_SUFFIXES or suffix in _CSV_SUFFIXES:
        return suffix in _JSONL_SUFFIXES
    try:
        return is_object(parse(text.strip().partition("\n")[0]))
    except NotJson:
        return False


def _whole_lines(text: str, is_cut: bool) -> str:
    """The sample without its last line, when that may go on beyond it."""
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if is_cut and end >= 0 else text


def _csv_format(text: str, encoding: str) -> Format:
    tried = [
        Format(Kind.CSV, encoding, delimiter, quote)
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
