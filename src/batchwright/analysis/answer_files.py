"""Reads answers that were saved: JSON, JSONL, or the ZIP archive of an export (wire reference, 7.1 and 8)."""

import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_incremental import parse_file
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_array, is_object, parse
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.collection_pages import layout_from_collection
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys

_MAX_LINE_BYTES = 64 << 20
"""Maximum bytes of one line, which has the answers of one submission or to one task."""
_MAX_FILE_BYTES = 8 << 30
"""Maximum bytes of a file in an archive, decompressed."""
_LISTS = ("results", "responses", "data")
"""Keys under which a list of answers may be in a JSON object."""
_MEMBERS = ("responses-by-task.jsonl", "responses-by-submission.jsonl", "responses.jsonl")
"""Files with all answers in an archive. The first has the datapoints, too."""
_DESCRIPTIONS: dict[str, tuple[str, Callable[[Sequence[Json], Iterator[str]], Layout]]] = {
    "batch.json": ("batch_items", read),
    "collection.json": ("collection_items", layout_from_collection),
}
"""Files with the layout in an archive, its key, and the function that reads it."""


@dataclass(frozen=True)
class SavedAnswers:
    """What a file with answers contains; all values are unparsed."""

    records: list[Json] = field(default_factory=list)
    """Response records."""
    datapoints: dict[str, JsonObject] = field(default_factory=dict)
    """The values of records by task id, if the file has them."""
    layout: Layout = field(default_factory=Layout)
    """The layout with the ids of its questions, if the file has it."""


def read_saved_answers(path: Path) -> SavedAnswers:
    """Read all answers in a file.

    Raises:
        UnreadableFile: it has no answers, or is damaged.
        OSError: it cannot be opened.
    """
    require_regular(path)
    remedy = _("Choose answers saved as JSON or JSONL, or the ZIP archive of an export.")
    try:
        saved = _read_archive(path) if zipfile.is_zipfile(path) else _read_text(path)
    except (InvalidJson, EOFError, RuntimeError, LookupError, zlib.error, zipfile.BadZipFile) as error:
        raise UnreadableFile(str(error), remedy) from None
    if not any(is_object(record) and is_object(record.get("response")) for record in saved.records):
        raise UnreadableFile(_("The file contains no answers."), remedy)
    return saved


def _read_text(path: Path) -> SavedAnswers:
    saved = SavedAnswers()
    content = path.read_bytes()
    try:
        value = parse_file(content)
    except InvalidJson:
        lines = content.splitlines()
        if len(lines) < 2 or not lines[0].lstrip().startswith(b"{"):
            raise
        _add_lines(saved, lines)
    else:
        _add(saved, value)
    return saved


def _read_archive(path: Path) -> SavedAnswers:
    saved = SavedAnswers()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        member = next((name for name in _MEMBERS if name in names), None)
        if member is None:
            raise LookupError(_("The archive contains no answers."))
        _add_lines(saved, _lines(archive, member))
        return replace(saved, layout=_layout(archive))


def _layout(archive: zipfile.ZipFile) -> Layout:
    """Return the layout in an archive; it has no pages if there is none."""
    for name, (key, parse_pages) in _DESCRIPTIONS.items():
        if name in archive.namelist():
            description = parse(b"".join(_lines(archive, name)))
            pages = description.get(key) if is_object(description) else None
            return parse_pages(pages, sequential_keys()) if is_array(pages) else Layout()
    return Layout()


def _lines(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    if archive.getinfo(name).file_size > _MAX_FILE_BYTES:
        raise RuntimeError(_("{name} decompresses to far too much data").format(name=name))
    with archive.open(name) as lines:
        while line := lines.readline(_MAX_LINE_BYTES + 1):
            if len(line) > _MAX_LINE_BYTES:
                raise RuntimeError(_("a line of {name} is too long").format(name=name))
            yield line


def _add_lines(saved: SavedAnswers, lines: Iterable[bytes]) -> None:
    for line in lines:
        if line.strip():
            _add(saved, parse(line))


def _add(saved: SavedAnswers, value: Json) -> None:
    """Add a record, a list of records, or an object that contains a list of records."""
    if is_array(value):
        saved.records.extend(value)
    elif is_object(value):
        inner = next((value[name] for name in _LISTS if is_array(value.get(name))), None)
        if inner is None:
            saved.records.append(value)
            return
        if is_array(inner):
            saved.records.extend(inner)
        datapoint, task = value.get("datapoint"), value.get("task_id")
        if is_object(datapoint) and isinstance(task, str):
            saved.datapoints[task] = datapoint
