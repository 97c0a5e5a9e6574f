"""Every result as a CSV file, all in one JSON file, and the roles as a file that `analyse` reads."""

from collections.abc import Iterator

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.output.output_files import OutputFile, OutputSource, versions
from batchwright.analysis.output.text_files import write_json, write_text
from batchwright.analysis.statistics.roles.role_files import roles_json
from batchwright.base.json_values import JsonObject

RESULTS = "results.json"
"""The file with all results, which every analysis on the command line writes."""


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the files."""
    results = as_json(source.analysis)
    yield OutputFile(RESULTS, lambda path: write_json(path, results))
    yield from map(source.csv_file, source.analysis.results)
    if roles := source.analysis.settings.roles:
        yield OutputFile("roles.json", lambda path: write_text(path, roles_json(roles)))


def as_json(analysis: Analysis) -> JsonObject:
    """All results as JSON, with the exclusions, the seed and the versions that produced them."""
    return {
        "answers": len(analysis.table),
        "answers_excluded": analysis.excluded,
        "seed": analysis.settings.seed,
        "versions": versions(),
        "results": {table.name: table.as_json() for table in analysis.results},
    }
