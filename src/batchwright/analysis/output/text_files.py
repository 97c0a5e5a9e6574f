"""Writes rows as CSV and JSONL, and results as JSON; the same content gives the same bytes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import JsonObject
from batchwright.data_files.spreadsheet_cells import CsvWriter

_ERRORS = "backslashreplace"


def write_csv(
    path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]], *, is_spreadsheet_safe: bool
) -> None:
    """Write a CSV file: UTF-8, RFC 4180; a missing value is an empty cell, a lone surrogate an escape.

    With `is_spreadsheet_safe`, texts that a spreadsheet program may run as a formula get an apostrophe in
    front, also in the header.
    """
    with _opened(path) as file:
        writer = CsvWriter(file, is_spreadsheet_safe=is_spreadsheet_safe)
        writer.writerow(header)
        writer.writerows(yielding_gil(rows))


def write_jsonl(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a JSONL file: an object per row, without missing values."""
    objects = (
        {name: value for name, value in zip(header, row, strict=True) if value is not None} for row in rows
    )
    write_objects(path, objects)


def write_objects(path: Path, objects: Iterable[Mapping[str, Any]]) -> None:
    """Write a JSONL file with an object per line."""
    with _opened(path) as file:
        for value in yielding_gil(objects):
            file.write(f"{json.dumps(value, ensure_ascii=False)}\n")


def valid_text(text: str) -> str:
    """The text as CSV and JSONL files have it, with lone surrogates as escapes."""
    return text.encode(errors=_ERRORS).decode()


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, with its line breaks as they are."""
    path.write_text(text, encoding="utf-8", newline="")


def write_json(path: Path, value: JsonObject) -> None:
    """Write a JSON file with an entry per line."""
    with _opened(path) as file:
        encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=1)
        for part in yielding_gil(encoder.iterencode(value)):
            file.write(part)
        file.write("\n")


def _opened(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", errors=_ERRORS, newline="")
