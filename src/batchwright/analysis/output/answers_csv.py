"""The answers in two CSV files: a row per entry of an answer, and a row per participant and task."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from batchwright.analysis.output import codebook
from batchwright.analysis.output.file_columns import FileColumn, column_names
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.text_files import write_csv

LONG, WIDE = "answers-long.csv", "answers-wide.csv"


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the files, with the codebook that explains them."""
    is_safe = source.choices.is_spreadsheet_safe

    def write(columns: Sequence[FileColumn], path: Path) -> None:
        write_csv(path, column_names(columns), source.rows(columns), is_spreadsheet_safe=is_safe)

    yield OutputFile(LONG, lambda path: write(source.long, path))
    yield OutputFile(WIDE, lambda path: write(source.wide_with_headings, path))
    if OutputKind.CODEBOOK not in source.choices.kinds:
        yield from codebook.files(source)


def tables(source: OutputSource) -> dict[str, Sequence[FileColumn]]:
    """The columns of both tables by the name of their file."""
    return {LONG: source.long, WIDE: source.wide_with_headings}
