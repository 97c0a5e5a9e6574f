"""The types of sources by the type of their file. Their modules are imported when one is read."""

from collections.abc import Callable
from contextlib import AbstractContextManager
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


def open_table(path: Path, options: SourceOptions) -> AbstractContextManager[SourceTable]:
    """Open the table of a source.

    Raises:
        UnreadableFile: files of its type are no sources; or when the block is entered or rows are read, the
            source is damaged, protected, or has no table.
        OSError: it cannot be opened.
    """
    type = type_of(path)
    if type is not FileType.MEDIA_FOLDER:
        require_regular(path)
    if type not in _MODULES:
        raise rejection(type, path.name)
    module = import_module(f"batchwright.data_files.sources.{_MODULES[type]}")
    return cast("_OpenTable", module.open_table)(path, options)
