"""Answers queries about the records of a file in a child process, which first reads them."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from multiprocessing.connection import Connection
from types import NoneType
from typing import TYPE_CHECKING, cast

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.data_files.formats import RecordsFile
from batchwright.data_files.profiling import as_text
from batchwright.data_files.reader import rows
from batchwright.data_files.rows import ParsedRecord
from batchwright.data_files.views.record_query import (
    MAX_COLUMNS,
    CountsQuestion,
    MarksQuestion,
    RecordQuery,
)

if TYPE_CHECKING:  # imported in the child process only
    from batchwright.data_files.views.record_store import RecordStore

_PART_CELLS = 40_000
"""Cells that are read between two looks for questions."""
_REPEAT_S = 0.7
"""Seconds after which a question is answered again, while records are being read."""

Question = RecordQuery | CountsQuestion | MarksQuestion


def answer_queries(
    file: RecordsFile,
    columns: tuple[str, ...],
    questions: "Connection[None, Question]",
    notify: Callable[[object], object],
) -> None:
    """Read a file, and pass an answer to `notify` for each question that is received.

    An answer is a `RecordView`, `ColumnCounts` or `RecordMarks`.

    While the file is being read, the latest question of each kind is answered again from time to time, and
    finally for all records. Ends when the other end of the connection is closed.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened, or the temporary file cannot be written.
    """
    from batchwright.data_files.views.record_store import RecordStore  # noqa: PLC0415

    with temporary_folder("records") as folder:
        store = RecordStore(folder, len(columns))
        try:
            _answer(store, _parts(file, columns), questions, notify)
        except EOFError:
            return
        finally:
            store.close()


def _answer(
    store: "RecordStore",
    parts: Iterator[Sequence[Sequence[str | None]]],
    questions: "Connection[None, Question]",
    notify: Callable[[object], object],
) -> None:
    latest: dict[type, Question] = {}
    answered = time.monotonic()
    for part in parts:
        store.add(part)
        received = _received(questions)
        if received or time.monotonic() - answered > _REPEAT_S:
            latest.update({type(question): question for question in received})
            for question in latest.values():
                notify(_answer_to(store, question, is_complete=False))
            answered = time.monotonic()
    while True:
        latest.update({type(question): question for question in _received(questions)})
        for question in latest.values():
            notify(_answer_to(store, question, is_complete=True))
        latest.clear()
        question = questions.recv()
        latest[type(question)] = question


def _received(questions: "Connection[None, Question]") -> list[Question]:
    """The questions that have arrived."""
    received = []
    while questions.poll():
        received.append(questions.recv())
    return received


def _answer_to(store: "RecordStore", question: Question, *, is_complete: bool) -> object:
    if isinstance(question, RecordQuery):
        return store.view(question, is_complete=is_complete)
    if isinstance(question, MarksQuestion):
        return store.marks(question, is_complete=is_complete)
    return store.counts(question, is_complete=is_complete)


def _parts(file: RecordsFile, columns: tuple[str, ...]) -> Iterator[Sequence[Sequence[str | None]]]:
    """Yield the values of some consecutive records, as a sequence for each column that is stored."""
    names = columns[:MAX_COLUMNS]
    if len(set(names)) < len(names):  # only in a CSV file, whose records are rows
        names = tuple(map(str, range(len(names))))
    entries = rows(file.path, file.format)
    size = max(1, _PART_CELLS // max(1, len(columns)))
    while part := [_record(entry, names) for entry in islice(entries, size)]:
        yield [_texts([record.get(name) for record in part]) for name in names]


def _texts(values: list[Json]) -> Sequence[str | None]:
    """Values as texts; None for those that are missing."""
    if set(map(type, values)) <= _TEXT_TYPES:
        return cast("list[str | None]", values)
    return [None if value is None else as_text(value) for value in values]


_TEXT_TYPES = {str, NoneType}


def _record(entry: ParsedRecord[Json], names: tuple[str, ...]) -> Mapping[str, Json]:
    """A record by the names of its columns; empty if it cannot be read."""
    content = entry.content
    if is_array(content):
        return dict(zip(names, content, strict=False))
    return content if is_object(content) else {}
