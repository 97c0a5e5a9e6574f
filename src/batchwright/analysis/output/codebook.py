"""The codebook: what the columns and codes of the files with answers stand for."""

from collections.abc import Iterator

from batchwright.analysis.output.output_files import OutputFile, OutputSource


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file; its rows are computed when it is written."""
    yield OutputFile("codebook.csv", lambda path: source.csv_file(source.codebook).write(path))
