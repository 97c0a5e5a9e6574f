"""The files of an analysis, by name. They contain neither the time nor the place of their creation."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from importlib.metadata import version

import numpy as np

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.answer_writers import csv_file, jsonl_file
from batchwright.analysis.comparisons import comparison_questions
from batchwright.analysis.long_format import LongColumn, long_columns
from batchwright.analysis.parquet import parquet_file
from batchwright.analysis.preference_pairs import PairFields, TieRule, preference_pairs
from batchwright.analysis.report import figures, report
from batchwright.analysis.result_tables import ResultTable, result_table
from batchwright.analysis.spss import sav_file
from batchwright.analysis.wide_format import CodebookRow, WideColumn, codebook_rows, wide_columns
from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject, to_json

FileContent = Callable[[], bytes]


class FileFormat(StrEnum):
    """The formats of files with answers."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    XLSX = "xlsx"
    SAV = "sav"


def output_files(
    analysis: Analysis, formats: Sequence[FileFormat] = tuple(FileFormat)
) -> Iterator[tuple[str, FileContent]]:
    """Yield the name of each file and the function that creates its content."""
    reasons = analysis.settings.exclusions.reasons(analysis.table)
    long, wide = long_columns(analysis.table, reasons), wide_columns(analysis.table, reasons)
    codebook = result_table("codebook", _("Codebook"), CodebookRow, list(codebook_rows(wide)))
    yield "results.json", lambda: f"{to_json(as_json(analysis), indent=1)}\n".encode()
    yield "report.html", lambda: report(analysis, versions()).encode()
    for table in (*analysis.results, codebook):
        yield f"{table.name}.csv", partial(table.as_csv, excluded_count(analysis))
    for figure in figures(analysis):
        yield f"{figure.name}.svg", figure.svg.encode
    for form in formats:
        yield from _answer_files(form, analysis, long, wide, codebook)


def pair_file(analysis: Analysis, fields: PairFields, rule: TieRule) -> bytes:
    """Return the preference pairs of all comparisons as JSONL, without excluded answers.

    Raises:
        UnusableField: a field is missing; the message is its name.
    """
    included = analysis.settings.exclusions.included(analysis.table)
    pairs = [
        pair
        for question in comparison_questions(included)
        for pair in preference_pairs(included, question, fields, rule, analysis.settings.seed)
    ]
    return "".join(f"{to_json(pair)}\n" for pair in pairs).encode()


def as_json(analysis: Analysis) -> JsonObject:
    """Return all results as JSON, with the exclusions, the seed and the versions that produced them."""
    return {
        "answers": len(analysis.table),
        "answers_excluded": excluded_count(analysis),
        "seed": analysis.settings.seed,
        "versions": versions(),
        "results": {table.name: table.as_json() for table in analysis.results},
    }


def excluded_count(analysis: Analysis) -> int:
    """Return how many answers the results leave out."""
    return len(analysis.table) - analysis.included


def versions() -> dict[str, str]:
    """Return the versions of the program and of the libraries that compute."""
    return {"batchwright": version("batchwright"), "numpy": str(np.__version__)}


def _answer_files(
    form: FileFormat,
    analysis: Analysis,
    long: Sequence[LongColumn],
    wide: Sequence[WideColumn],
    codebook: ResultTable,
) -> Iterator[tuple[str, FileContent]]:
    match form:
        case FileFormat.CSV:
            yield "answers-long.csv", lambda: csv_file(long)
            yield "answers-wide.csv", lambda: csv_file(wide)
        case FileFormat.JSONL:
            yield "answers.jsonl", lambda: jsonl_file(long)
        case FileFormat.PARQUET:
            yield "answers.parquet", lambda: parquet_file(long, f"batchwright {version('batchwright')}")
        case FileFormat.XLSX:
            yield "answers.xlsx", lambda: _excel(analysis, long, wide, codebook)
        case FileFormat.SAV:
            yield "answers.sav", lambda: sav_file(wide)


def _excel(
    analysis: Analysis, long: Sequence[LongColumn], wide: Sequence[WideColumn], codebook: ResultTable
) -> bytes:
    from batchwright.analysis.excel import excel_file

    answers = [
        ("answers", [column.name for column in long], zip(*(column.values for column in long), strict=True)),
        (
            "answers wide",
            [column.name for column in wide],
            zip(*(column.values for column in wide), strict=True),
        ),
    ]
    results = [(table.name, table.columns, iter(table.rows)) for table in (codebook, *analysis.results)]
    return excel_file([*answers, *results])
