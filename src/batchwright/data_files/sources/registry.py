"""The types of sources by the type of their file. Their modules are imported when one is read."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TypeAlias, cast

from batchwright.data_files.file_types import FileType, rejection, require_regular, type_of
from batchwright.data_files.sources.source import SourceOptions, SourceTable

_MODULES = {
    FileType.EXCEL: "spreadsheets",
    FileType.SPREADSHEET: "spreadsheets",
    FileType.JSON_ARRAY: "json_arrays",
    FileType.NESTED_JSONL: "text_tables",
    FileType.JSONL: "text_tables",
    FileType.CSV: "text_tables",
    FileType.EXCEL_CSV: "text_tables",
    FileType.PARQUET: "parquet",
    FileType.ARROW: "arrow",
    FileType.SPSS: "spss",
    FileType.COMPRESSED: "compressed",
    FileType.MEDIA_FOLDER: "media_folder",
}


_OpenTable: TypeAlias = Callable[[Path, SourceOptions], AbstractContextManager[SourceTable]]


@contextmanager
def open_table(path: Path, options: SourceOptions) -> Iterator[SourceTable]:
    """Open the table of a source.

    Raises:
        UnreadableFile: when the block is entered, files of its type are no sources; or when it is entered or
            rows are read, the source is damaged, protected, or has no table.
        OSError: it cannot be opened.
    """
    type = type_of(path)
    if type is not FileType.MEDIA_FOLDER:
        require_regular(path)
    if type not in _MODULES:
        raise rejection(type, path.name)
    module = import_module(f"batchwright.data_files.sources.{_MODULES[type]}")
    with _panics_as_unreadable(), cast("_OpenTable", module.open_table)(path, options) as table:
        yield table


@contextmanager
def _panics_as_unreadable() -> Iterator[None]:
    """Raise `UnreadableFile` for a panic, in which libraries in Rust end with some damaged files."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # the class cannot be imported
            raise
        from batchwright.data_files.sources.relations import damaged  # loads DuckDB  # noqa: PLC0415

        raise damaged(error) from None
