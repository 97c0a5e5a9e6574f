"""The files of an analysis, by name. They contain neither the time nor the place of their creation."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.answer_writers import csv_file, jsonl_file
from batchwright.analysis.long_format import long_columns
from batchwright.base.json_values import JsonObject, to_json

FileContent = Callable[[], bytes]


def output_files(analysis: Analysis) -> Iterator[tuple[str, FileContent]]:
    """Yield the name of each file and the function that creates its content."""
    yield "results.json", lambda: f"{to_json(as_json(analysis), indent=1)}\n".encode()
    for table in analysis.results:
        yield f"{table.name}.csv", partial(table.as_csv, excluded_count(analysis))
    columns = long_columns(analysis.table, analysis.settings.exclusions.reasons(analysis.table))
    yield "answers-long.csv", lambda: csv_file(columns)
    yield "answers.jsonl", lambda: jsonl_file(columns)


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
    return {name: version(name) for name in ("batchwright", "numpy")}
