"""Studies as folders with a layout, a schema and records, the format of the bundled templates.

layout.json     batch_items
schema.json     the schema of the records; may be absent
records.csv     the records, or records.jsonl; may be absent
records.de.csv  the same records in another language

A folder with `collection.json` instead contains a collection.
"""

from dataclasses import replace
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import parse
from batchwright.data_files.formats import FormatKind
from batchwright.data_files.text_rows.sniffing import sniff
from batchwright.layout.file_format import read_file
from batchwright.layout.serialization import random_keys
from batchwright.local.projects import DataFile, Project
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.study_file import read_study
from batchwright.schema.parsing import read_schema

_LAYOUT, _SCHEMA, _RECORDS = "layout.json", "schema.json", "records"
_COLLECTION = "collection.json"


class NotAStudyFolder(InvalidProjectFile):
    """A folder contains no layout; the message says so."""


def read_study_folder(folder: Path, name: str, language: str = "") -> Project:
    """Create a study from the files in a folder; its records in a language, if they are there.

    Raises:
        NotAStudyFolder: there is no layout.
        InvalidProjectFile: the collection cannot be read.
        InvalidLayoutFile: the layout cannot be read.
        InvalidJson, InvalidSchema: the schema cannot be read.
        UnreadableFile: the records cannot be read.
        OSError: a file cannot be opened.
    """
    if (folder / _COLLECTION).is_file():
        return replace(read_study(folder / _COLLECTION)[0], name=name)
    if not (folder / _LAYOUT).is_file():
        text = _("The folder “{folder}” contains no {layout}, so it is not a study.")
        raise NotAStudyFolder(text.format(folder=folder.name, layout=_LAYOUT))
    schema = folder / _SCHEMA
    return Project(
        name=name,
        layout=read_file((folder / _LAYOUT).read_bytes(), random_keys()).layout,
        schema=read_schema(parse(schema.read_bytes())) if schema.is_file() else None,
        data=next((_data_file(path) for path in _records(folder, language) if path.is_file()), None),
    )


def _records(folder: Path, language: str) -> list[Path]:
    """The files that may contain the records, the best one first."""
    names = [f"{_RECORDS}.{language}", _RECORDS] if language else [_RECORDS]
    return [folder / f"{name}.{kind}" for name in names for kind in FormatKind]


def _data_file(path: Path) -> DataFile:
    return DataFile(path.resolve(), path.stat().st_size, sniff(path))
