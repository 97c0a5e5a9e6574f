"""Reads saved answers: JSON, JSONL, the archive of an export (wire reference, 7.1 and 8), or a table."""

import re
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from batchwright.analysis.store.answer_rows import COLUMNS, require_answers, stage_rows, table_columns
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.questions import QuestionKind, questions_in
from batchwright.analysis.store.store_schema import LISTS
from batchwright.analysis.store.table_questions import (
    ProposedQuestion,
    TableContent,
    UnreadableValues,
    read_content,
)
from batchwright.analysis.store.table_relations import Check
from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _
from batchwright.base.json_texts.json_incremental import iter_array_texts, iter_entry_texts, parse_file
from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, parse
from batchwright.base.local_formats import joined
from batchwright.data_files.archive_members import open_member
from batchwright.data_files.file_types import FileType, require_regular, type_of
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.text_rows.line_reader import MAX_BLANK_BYTES
from batchwright.layout.collection_pages import layout_from_collection
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys

_MAX_LINE_BYTES = 64 << 20
"""Maximum bytes of one line, which has the answers of one submission or to one task."""
_MEMBERS = ("responses-by-task.jsonl", "responses-by-submission.jsonl", "responses.jsonl")
"""Files with all answers in an archive. The first has the datapoints, too."""
_ARRAY, _OBJECT = re.compile(rb"(\xef\xbb\xbf)?\s*\["), re.compile(rb"(\xef\xbb\xbf)?\s*\{")
"""How a JSON document in UTF-8 starts."""
_DESCRIPTIONS: dict[str, tuple[str, Callable[[Sequence[Json], Iterator[str]], Layout]]] = {
    "batch.json": ("batch_items", read),
    "collection.json": ("collection_items", layout_from_collection),
}
"""Files with the layout in an archive, its key, and the function that reads it."""


@dataclass(frozen=True)
class SavedAnswers:
    """What a file with answers contains."""

    store: AnswerStore
    """The answers, and the values of the dataset's records, if the file has them."""
    layout: Layout = field(default_factory=Layout)
    """The layout with the ids of its questions, if the file has it; the store has its questions."""
    proposed: tuple[ProposedQuestion, ...] = ()
    """Questions whose values were taken for options."""
    unreadable: tuple[UnreadableValues, ...] = ()
    """Values of a table that statistics leave out."""
    is_layout_derived: bool = False
    """Whether the layout was derived from the answers, so that options that nobody chose are missing."""


OnPage = Callable[[SavedAnswers], object]
"""Called repeatedly with the answers that have been read so far; an error that it raises ends the reading."""


_NO_KINDS: Mapping[str, QuestionKind] = {}


def read_saved_answers(
    path: Path,
    on_page: OnPage = lambda _saved: None,
    kinds: Mapping[str, QuestionKind] = _NO_KINDS,
) -> SavedAnswers:
    """Read all answers in a file; `kinds` has kinds of questions by id, whatever a table says.

    Raises:
        UnreadableFile: it has no answers, or is damaged.
        OSError: it cannot be opened.
    """
    require_regular(path)
    remedy = _(
        "Choose the archive of an export, responses of the service as JSON or JSONL, or a table with the "
        "columns {columns}, as “Save results” writes it."
    ).format(columns=joined(COLUMNS))
    names = _columns_of_table(path)
    try:
        if names:
            require_answers(names)
            saved = _read_table(path, on_page, kinds)
        else:
            saved = _read_archive(path, on_page) if zipfile.is_zipfile(path) else _read_text(path, on_page)
    except (InvalidJson, EOFError, RuntimeError, LookupError, zlib.error, zipfile.BadZipFile) as error:
        raise UnreadableFile(str(error).rstrip(".") + ".", remedy) from None
    if not len(saved.store):
        raise UnreadableFile(_("The file contains no answers."), remedy)
    return saved


def _read_text(path: Path, on_page: OnPage) -> SavedAnswers:
    saved = SavedAnswers(AnswerStore())
    with path.open("rb") as file:
        if file.read(MAX_BLANK_BYTES + 1).isspace() and file.read(1):
            raise RuntimeError(_blank_text(path.name))
        file.seek(0)
        if _has_lines(file):
            lines = _bounded(file, path.name)
            saved.store.append_lines(_texts(lines), lambda: on_page(saved))
        else:
            _append_document(saved, file.read(), on_page)
    return saved


def _columns_of_table(path: Path) -> tuple[str, ...]:
    """The columns of a table; none of a file with JSON or an archive, or of responses as JSONL."""
    try:
        names = table_columns(path)
    except UnreadableFile:
        if type_of(path) in (FileType.EXCEL, FileType.PARQUET):
            raise
        return ()
    return names if len(names) > 1 and {*names}.isdisjoint(("response", *LISTS)) else ()


def _read_table(path: Path, on_page: OnPage, kinds: Mapping[str, QuestionKind]) -> SavedAnswers:
    """Read a table; `on_page` is also called before there are answers, so that it can end the reading."""
    with temporary_folder("answers") as folder:
        store, nothing = AnswerStore(are_values_texts=True, readable=folder), SavedAnswers(AnswerStore())

        def read(writer: Any, check: Check) -> TableContent:
            return read_content(writer, stage_rows(writer, path, folder, check), kinds)

        content = store.append_table(read, lambda: on_page(nothing))
    saved = SavedAnswers(store, content.layout, content.proposed, content.unreadable, is_layout_derived=True)
    on_page(saved)
    return saved


def _has_lines(file: BinaryIO) -> bool:
    """Whether the first line is a complete object, and another line follows."""
    first, second = file.readline(_MAX_LINE_BYTES), file.read(1)
    file.seek(0)
    try:
        return bool(second) and bool(_OBJECT.match(first)) and is_object(parse(first))
    except InvalidJson:
        return False


def _append_document(saved: SavedAnswers, content: bytes, on_page: OnPage) -> None:
    """Add the records in a JSON document: an array, an object that contains one, or a single record."""

    def append(texts: Iterable[str]) -> int:
        return saved.store.append_lines(texts, lambda: on_page(saved))

    if _ARRAY.match(content):
        append(iter_entry_texts(content))
    elif not _OBJECT.match(content) or not append(iter_array_texts(content, LISTS[0])):
        value = parse_file(content)
        saved.store.append(value if is_array(value) else [value])
        on_page(saved)


def _read_archive(path: Path, on_page: OnPage) -> SavedAnswers:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        member = next((name for name in _MEMBERS if name in names), None)
        if member is None:
            raise LookupError(_("The archive contains no answers."))
        layout = _layout(archive)
        saved = SavedAnswers(AnswerStore(questions_in(layout)), layout)
        with closing(_lines(archive, member)) as lines:
            saved.store.append_lines(_texts(lines), lambda: on_page(saved))
        return saved


def _layout(archive: zipfile.ZipFile) -> Layout:
    """The layout in an archive; it has no pages if there is none."""
    for name, (key, parse_pages) in _DESCRIPTIONS.items():
        if name in archive.namelist():
            description = parse(b"".join(_lines(archive, name)))
            pages = description.get(key) if is_object(description) else None
            return parse_pages(pages, sequential_keys()) if is_array(pages) else Layout()
    return Layout()


def _lines(archive: zipfile.ZipFile, name: str) -> Generator[bytes, None, None]:
    with open_member(archive, name) as file:
        yield from _bounded(file, name)


def _bounded(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of a file, which is rejected if one is too long, or if very much of it is blank."""
    blank = 0
    while line := file.readline(_MAX_LINE_BYTES + 1):
        if len(line) > _MAX_LINE_BYTES:
            raise RuntimeError(_("a line of {name} is too long").format(name=name))
        blank = blank + len(line) if line.isspace() else 0
        if blank > MAX_BLANK_BYTES:
            raise RuntimeError(_blank_text(name))
        yield line


def _blank_text(name: str) -> str:
    text = _("{name} has more than {most} MB of blank space in one place")
    return text.format(name=name, most=MAX_BLANK_BYTES // 1_000_000)


def _texts(lines: Iterable[bytes]) -> Iterator[str]:
    """Decode lines of JSON; a byte order mark at the start of one is omitted."""
    for line in lines:
        try:
            yield line.decode("utf-8-sig")
        except UnicodeDecodeError:
            parse(line)  # raises, with the position
