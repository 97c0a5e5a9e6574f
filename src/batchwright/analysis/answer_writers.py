"""Writes the answers of a table as files; the same columns give the same bytes."""

import csv
import io
import json
from collections.abc import Sequence

from batchwright.analysis.parquet import ParquetColumn


def csv_file(columns: Sequence[ParquetColumn]) -> bytes:
    """Return the answers as CSV: UTF-8, RFC 4180; a missing value is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*(column.values for column in columns), strict=True))
    return text.getvalue().encode("utf-8", "backslashreplace")


def jsonl_file(columns: Sequence[ParquetColumn]) -> bytes:
    """Return the answers as JSONL: an object per row, without missing values."""
    names = [column.name for column in columns]
    lines = (
        json.dumps(
            {name: value for name, value in zip(names, row, strict=True) if value is not None},
            ensure_ascii=False,
        )
        for row in zip(*(column.values for column in columns), strict=True)
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
