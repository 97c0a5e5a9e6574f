"""The answers as JSON lines: an object per entry of an answer."""

from collections.abc import Iterator

from batchwright.analysis.output.file_columns import column_names
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.text_files import write_jsonl


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file."""
    yield OutputFile(
        "answers.jsonl",
        lambda path: write_jsonl(path, column_names(source.long), source.rows(source.long)),
    )
