"""All answers of a batch or a file, in a database in memory. Lists, files and statistics use this one table.

The database is DuckDB: it parses JSON, filters and sorts a million answers with all cores and without the
interpreter lock. It adds 66 MB to the program; Polars, which would serve as well, adds 175 MB.

Every method blocks and can be called from any thread; call none on the thread of the event loop.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from batchwright.analysis.store import store_schema
from batchwright.analysis.store.answer_query import AnswerEntry, AnswerQuery, AnswerRow, AnswerSummary, Column
from batchwright.analysis.store.answer_table import NO_TIME, AnswerTable, moment
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.layout_use import LayoutUse, layout_use
from batchwright.analysis.store.layout_versions import FIRST, LAST, LayoutVersions
from batchwright.analysis.store.query_sql import distinct_sql, query_sql
from batchwright.analysis.store.questions import (
    AnalysedQuestion,
    QuestionKind,
    questions_in,
    removed_question,
)
from batchwright.analysis.store.table_questions import TableContent
from batchwright.analysis.store.table_reader import PART_ROWS, ordered_texts, read_table
from batchwright.base.cooperative import yielding_gil
from batchwright.base.json_values import Json, parse
from batchwright.base.text import without_lone_surrogates
from batchwright.data_files.conversion.column_edits import FALSE_TEXTS

_PAGE_CHARS = 8 << 20
"""Characters of JSON that are added at once; with fewer, each page costs more than its records."""
_FIRST_PAGE_CHARS = 1 << 20
"""Those of the first page, which is visible sooner."""
_LEAST_CHARS = 100
"""Characters that a shorter line counts as, since it takes that much memory."""

_PAGE_ROWS, _MAX_PAGES = 200_000, 8
"""Rows of a table that are added at once; more if there were too many pages, of which each reads all ids."""
_CHECK_S = 0.05
"""Seconds between two calls of `check` while a table is read."""

_NO_REASONS = (*FALSE_TEXTS, "na", "nan", "none", "null")
"""What cells of a table, in lower case, say about answers that are not excluded."""

_CONFIG = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}

ReadTable = Callable[[Any, Callable[[], object]], TableContent]
"""Creates `table_rows` and `joined_rows` with a connection to the database; calls the function often."""


class AnswerStore:
    """The answers, the questions, what is known of the dataset's records, and the exclusions."""

    def __init__(
        self,
        questions: Sequence[AnalysedQuestion] = (),
        *,
        are_values_texts: bool = False,
        readable: Path | None = None,
    ) -> None:
        self.created_at = datetime.now(UTC)
        """When answers began to be added."""
        self.saved_exclusions = Exclusions()
        """The exclusions in the file that the answers are read from; used until others are chosen."""
        self.has_other_answers = False
        """Whether a stored record was added again with another answer, as after a participant changed it."""
        self._are_values_texts = are_values_texts
        """Whether the values of answers are texts, also if those of options are numbers or true or false."""
        self._readable = readable
        """The folder of which the database may read files; it may read no others."""
        self._lock = threading.RLock()
        """Held while the database is changed."""
        self._layouts = LayoutVersions()
        self._instruction_ids: tuple[str, ...] = ()
        """Ids of all instructions by their numbers in the database."""
        self._question_ids: tuple[str, ...] = ()
        """Ids of all questions by their numbers in the database."""
        self._answered: frozenset[str] = frozenset()
        """Ids of the questions with answers."""
        self._seen = 0
        self._connections: tuple[Any, Any] | None = None
        self._creation_lock = threading.Lock()
        if questions:
            self.set_questions(questions)

    def close(self) -> None:
        """Free the memory; the store cannot be used afterwards."""
        with self._lock:
            if self._connections is not None:
                for connection in self._connections:
                    connection.close()

    def __len__(self) -> int:
        return int(self._fetch("SELECT count(*) FROM answers")[0][0])

    @property
    def questions(self) -> tuple[AnalysedQuestion, ...]:
        """The questions of the newest layout, and other wordings and questions that have answers.

        Those that are in no known layout come last, as texts.
        """
        known, answered = self._layouts.questions, self._answered
        shown = self._layouts.newest_questions | answered
        unknown = answered - {question.id for question in known}
        return (
            *(question for question in known if question.id in shown),
            *(removed_question(id) for id in self._question_ids if id in unknown),
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the dataset's fields of which values are known."""
        return tuple(name for (name,) in self._fetch("SELECT name FROM fields ORDER BY number"))

    def summary(self) -> AnswerSummary:
        """How many answers, participants and tasks there are, and their first and last time."""
        ((answers, participants, tasks, oldest, newest),) = self._fetch(
            "SELECT count(*), count(DISTINCT participant), count(DISTINCT task), min(time), max(time) "
            "FROM answers"
        )
        times = (None if time is None else moment(time) for time in (oldest, newest))
        return AnswerSummary(answers, participants, tasks, *times)

    def task_values(self) -> dict[str, dict[str, str]]:
        """The known values of the dataset's fields by task id; those of a task may be empty."""
        with self._reader() as reader:
            ids = list(ordered_texts(reader, "tasks", "id"))
            names = list(ordered_texts(reader, "fields", "name"))
            values: dict[str, dict[str, str]] = {id: {} for id in ids}
            found = reader.execute("SELECT task, field, value FROM field_values ORDER BY task, field")
            while part := found.fetchmany(PART_ROWS):
                for task, field, value in yielding_gil(part):
                    values[ids[task]][names[field]] = value
        return values

    @property
    def new_answers(self) -> int:
        """Number of answers that have arrived since `mark_all_seen`."""
        return len(self) - self._seen

    def mark_all_seen(self) -> None:
        """No answer is new any more."""
        self._seen = len(self)

    def append(self, records: Iterable[Json]) -> int:
        """Add response records (wire reference, 7.1 and 10.3) and return how many are new.

        A record whose id is already stored is ignored, but `has_other_answers` is set if it has another
        answer. What is not a record is ignored, too. Metadata of a record are the values of its task, if no
        others are known.
        """
        return self.append_lines(_line(record) for record in records)

    def append_lines(self, lines: Iterable[str], on_page: Callable[[], object] = lambda: None) -> int:
        """Add records like `append`, each the JSON text of a record or of an object with a list of records.

        The lists of an export may have the `datapoint` of their task. Pages of lines are visible at once:
        `on_page` is called after each, on another thread, where the database works while this one reads the
        next page.

        Raises:
            InvalidJson: a line is not JSON; previous pages are stored.
        """

        def append(page: list[str]) -> int:
            added = self._append_page(page)
            on_page()
            return added

        with ThreadPoolExecutor(1) as thread:
            total, previous = 0, thread.submit(int)
            for page in _pages(yielding_gil(lines)):
                total += previous.result()
                previous = thread.submit(append, page)
            return total + previous.result()

    def append_table(self, read: ReadTable, check: Callable[[], object]) -> TableContent:
        """Add the answers in a table, with its questions and exclusions, which are returned.

        Args:
            read: reads the table into the database; called on another thread.
            check: called often until it ends; an error that it raises ends the reading.

        Raises:
            UnreadableFile: the table is damaged.
            OSError: it cannot be opened.
        """
        stopped = threading.Event()

        def check_stopped() -> None:
            if stopped.is_set():
                raise CancelledError

        with ThreadPoolExecutor(1) as thread:
            reading = thread.submit(self._append_table, read, check_stopped)
            try:
                while not wait({reading}, _CHECK_S).done:
                    check()
            except BaseException:
                stopped.set()
                while not wait({reading}, _CHECK_S).done:
                    self._writer.interrupt()
                raise
            return reading.result()

    def _append_table(self, read: ReadTable, check: Callable[[], object]) -> TableContent:
        with self._lock:
            content = read(self._writer, check)
            self.set_questions(questions_in(content.layout))
            self.saved_exclusions = Exclusions(answers=self._append_rows(check))
            with self._change() as writer:
                if content.fields:
                    _create(writer, "table_fields", ("place", "name"), list(enumerate(content.fields)))
                    writer.execute(store_schema.row_values(len(content.fields)))
                    writer.execute(store_schema.ADD_FIELDS)
                writer.execute(store_schema.DROP_ROWS)
                self._read_questions(writer)
            return content

    def _append_rows(self, check: Callable[[], object]) -> dict[str, str]:
        """Add the answers in `table_rows`; returns the reasons of those that are excluded, by id.

        They are added in a bounded number of parts, of which the memory is freed.
        """
        reasons = dict[str, str]()
        (count,) = self._writer.execute("SELECT count(*) FROM table_rows").fetchone()
        size = max(_PAGE_ROWS, -(-count // _MAX_PAGES))
        for start in range(0, count, size):
            check()
            with self._change() as writer:
                writer.execute(store_schema.append_rows(start, start + size))
                reasons |= writer.execute(store_schema.EXCLUDED_ROWS, [_NO_REASONS]).fetchall()
        return reasons

    def set_questions(self, questions: Sequence[AnalysedQuestion]) -> None:
        """Use the questions of a layout for all answers, which stay as they are."""
        self.set_layouts(LayoutVersions.single(questions))

    def set_layouts(self, layouts: LayoutVersions) -> None:
        """Use the questions of the layouts that answers were given to; answers stay as they are."""
        if self._layouts == layouts:
            return
        with self._change() as writer:
            is_same = self._layouts.wordings == layouts.wordings and bool(self._layouts.timelines)
            self._layouts = layouts
            if not is_same:
                self._store_questions(writer, layouts)

    def _store_questions(self, writer: Any, layouts: LayoutVersions) -> None:
        """Replace the questions; an instruction that is in no layout has a question with the same id."""
        questions, wordings = layouts.questions, layouts.wordings
        instructions = _numbers((*self._instruction_ids, *(of.instruction for of in wordings)))
        unknown = instructions.keys() - {of.instruction for of in wordings}
        numbers = _numbers((*self._question_ids, *(question.id for question in questions)))
        places = {question.id: place for place, question in enumerate(questions)}
        rows = [
            (number, id, places.get(id, 2**31 - 1), id in places and _is_number(questions[places[id]]))
            for id, number in numbers.items()
        ]
        spans = [
            *((instructions[of.instruction], numbers[of.question.id], of.since, of.until) for of in wordings),
            *((instructions[id], numbers[id], FIRST, LAST) for id in unknown),
        ]
        for table in ("instructions", "questions", "options", "wordings"):
            writer.execute(f"DELETE FROM {table}")
        _insert(writer, "instructions", [(number, id) for id, number in instructions.items()])
        _insert(writer, "questions", rows)
        _insert(writer, "options", list(self._options(questions, numbers)))
        writer.execute("UPDATE options SET value = canonical(kind, value)")
        _insert(writer, "wordings", spans)
        if len(self):
            writer.execute(store_schema.RESOLVE)
            writer.execute(store_schema.DROP_PAGE)
        self._read_questions(writer)

    def _read_questions(self, connection: Any) -> None:
        """Read the ids of instructions and questions, and which questions have answers."""
        self._instruction_ids, self._question_ids = (
            tuple(ordered_texts(connection, table, "id")) for table in ("instructions", "questions")
        )
        found = connection.execute(store_schema.ANSWERED_QUESTIONS).fetchall()
        self._answered = frozenset(id for (id,) in found)

    def set_fields(
        self, values: Mapping[str, Mapping[str, str]], datapoints: Mapping[str, str] | None = None
    ) -> None:
        """Replace the values of the dataset's fields, by task id and name; those of other tasks stay.

        Args:
            values: all known values of each task.
            datapoints: the number of the record in the data file, by task id.
        """
        rows = [
            (task, place, name, value)
            for task, record in yielding_gil(values.items())
            for place, (name, value) in enumerate(record.items())
        ]
        with self._change() as writer:
            _create(writer, "given_tasks", ("id",), [(task,) for task in values])
            _create(writer, "given_values", ("task", "place", "name", "value"), rows)
            _create(writer, "given_datapoints", ("id", "datapoint"), list((datapoints or {}).items()))
            writer.execute(store_schema.SET_FIELDS)
            writer.execute(store_schema.ADD_FIELDS)

    def set_exclusions(self, exclusions: Exclusions) -> None:
        """Replace the exclusions, which change no answer."""
        with self._change() as writer:
            writer.execute("DELETE FROM excluded_participants; DELETE FROM excluded_answers")
            _insert(writer, "excluded_participants", list(exclusions.participants.items()))
            _insert(writer, "excluded_answers", list(exclusions.answers.items()))

    @property
    def is_survey(self) -> bool:
        """Whether the answers belong to no task, as those to a collection."""
        return len(self) > 0 and not self._fetch("SELECT 1 FROM tasks WHERE id <> '' LIMIT 1")

    @property
    def has_repeated_answers(self) -> bool:
        """Whether a participant answered a question about the same record several times."""
        sql = "SELECT 1 FROM answers GROUP BY participant, task, question HAVING count(*) > 1 LIMIT 1"
        return bool(self._fetch(sql))

    def layout_use(self) -> LayoutUse:
        """Which versions of the layout the answers were given to."""
        with self._reader() as reader:
            columns = reader.execute("SELECT time, instruction FROM answers").fetchnumpy()
        times = np.ma.filled(columns["time"], NO_TIME)
        timelines = self._layouts.timeline_indexes(self._instruction_ids)[columns["instruction"]]
        return layout_use(self._layouts, times, timelines, self.questions)

    def query(self, query: AnswerQuery) -> "AnswerRows":
        """The answers that meet the conditions, in order; they stay the same while others arrive."""
        sql, values = query_sql(query, self._question_ids, self._seen)
        with self._reader() as reader:
            columns = reader.execute(sql, values).fetchnumpy()
            excluded = reader.execute("SELECT answer FROM exclusions").fetchnumpy()["answer"]
        numbers, participants = (np.asarray(columns[name]) for name in ("number", "participant"))
        people = int(np.count_nonzero(np.bincount(participants)))
        return AnswerRows(self, query, numbers, people, int(np.isin(numbers, excluded).sum()))

    def distinct(self, column: Column, limit: int = 10_000) -> tuple[str, ...]:
        """The different values of a column that can be filtered by, sorted; at most `limit`."""
        sql, values = distinct_sql(column)
        return tuple(text for (text,) in self._fetch(f"{sql} LIMIT {limit:d}", values))

    def table(self) -> AnswerTable:
        """All answers as columns for the statistics, in the order of arrival."""
        with self._lock, self._reader() as reader:
            return read_table(
                reader, self.questions, self._question_ids, self._instruction_ids, self._layouts
            )

    def ids_of(self, numbers: np.ndarray) -> list[str]:
        """The ids of answers by their numbers, in the same order; much sooner than the rows."""
        sql = "SELECT number, id FROM answers WHERE number IN (SELECT unnest($numbers::INTEGER[]))"
        ids = dict(self._fetch(sql, {"numbers": numbers.tolist()}))
        return [ids[number] for number in numbers.tolist()]

    def rows_of(self, numbers: Sequence[int]) -> tuple[AnswerRow, ...]:
        """Answers by their numbers, in the same order."""
        questions = {question.id: question for question in self.questions}
        with self._reader() as reader:
            answers = {row[0]: row for row in reader.execute(store_schema.ROWS, [numbers]).fetchall()}
            entries: dict[int, list[AnswerEntry]] = {number: [] for number in numbers}
            fields: dict[int, dict[str, str]] = {task: {} for *_row, task in answers.values()}
            for number, option, *texts in reader.execute(store_schema.ENTRIES, [numbers]).fetchall():
                entries[number].append(AnswerEntry(option, *texts))
            for task, name, value in reader.execute(store_schema.FIELDS, [list(fields)]).fetchall():
                fields[task][name] = value
        rows = []
        for number in numbers:
            _row, id, participant, task, datapoint, text, time, seconds, reason, question, code = answers[
                number
            ]
            rows.append(
                AnswerRow(
                    number=number,
                    id=id,
                    participant=participant,
                    task=task,
                    datapoint=datapoint,
                    question=questions.get(question) or removed_question(question),
                    text=text,
                    entries=tuple(entries[number]),
                    answered_at=None if time is None else moment(time),
                    page_seconds=seconds,
                    is_new=number >= self._seen,
                    exclusion=reason or "",
                    fields=fields[code],
                )
            )
        return tuple(rows)

    @property
    def _database(self) -> Any:
        return self._connect()[0]

    @property
    def _writer(self) -> Any:
        return self._connect()[1]

    def _connect(self) -> tuple[Any, Any]:
        """The database and the connection for changes; created on first use, which takes 0.05 s."""
        with self._creation_lock:
            if self._connections is None:
                database = duckdb.connect(":memory:", config=_CONFIG)
                if self._readable is not None:
                    database.execute("SET GLOBAL allowed_directories = ?", [[str(self._readable)]])
                database.execute("SET GLOBAL TimeZone = 'UTC'; SET GLOBAL enable_external_access = false")
                writer = database.cursor()
                writer.execute(store_schema.TABLES)
                self._connections = database, writer
            return self._connections

    def _append_page(self, page: list[str]) -> int:
        with self._lock:
            try:
                self._read_page(page)
            except duckdb.Error:  # invalid JSON, or a lone surrogate
                self._read_page([_line(parse(line)) for line in yielding_gil(page)])
            with self._change() as writer:
                (count,) = writer.execute(store_schema.APPEND).fetchone()
                (has_others,) = writer.execute(store_schema.HAS_OTHER_ANSWERS).fetchone()
                self.has_other_answers |= has_others
                writer.execute(store_schema.ADD_FIELDS)
                writer.execute(store_schema.DROP_PAGE)
                self._read_questions(writer)
            return int(count)

    def _read_page(self, page: list[str]) -> None:
        lines = np.empty(len(page), dtype=object)
        lines[:] = page
        self._writer.register("lines", {"number": np.arange(len(page)), "line": lines})
        try:
            self._writer.execute(store_schema.READ_PAGE)
        finally:
            self._writer.unregister("lines")

    def _options(
        self, questions: Sequence[AnalysedQuestion], numbers: Mapping[str, int]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the options; of those with values that answers do not tell apart, the first."""
        for question in questions:
            number, found = numbers[question.id], set[tuple[str, str]]()
            for key, index in question.option_codes.items():
                option = question.options[index]
                kind = "text" if self._are_values_texts else key[0] if isinstance(key, tuple) else ""
                value = without_lone_surrogates(option.value)
                if (kind, value) not in found:
                    found.add((kind, value))
                    yield number, index, kind, value, option.label, option.number

    @contextmanager
    def _change(self) -> Iterator[Any]:
        """Change the database; nothing is changed if that fails."""
        with self._lock:
            self._writer.execute("BEGIN")
            try:
                yield self._writer
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    @contextmanager
    def _reader(self) -> Iterator[Any]:
        """Read from one state of the database."""
        reader = self._database.cursor()
        try:
            reader.execute("BEGIN")
            yield reader
        finally:
            reader.close()

    def _fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        with self._reader() as reader:
            rows: list[tuple[Any, ...]] = reader.execute(sql, values or {}).fetchall()
            return rows


class AnswerRows:
    """The answers that a query found, in its order."""

    def __init__(
        self, store: AnswerStore, query: AnswerQuery, numbers: np.ndarray, participants: int, excluded: int
    ) -> None:
        self.store, self.query = store, query
        self.numbers = numbers
        """The numbers of the answers, as an array."""
        self.participants = participants
        """Number of participants."""
        self.excluded = excluded
        """Number of answers that are excluded."""

    @property
    def count(self) -> int:
        """Number of answers."""
        return len(self.numbers)

    def rows(self, start: int, count: int) -> tuple[AnswerRow, ...]:
        """At most `count` answers from index `start`."""
        return self.store.rows_of(self.numbers[start : start + count].tolist())

    def ids(self, part: range) -> list[str]:
        """The ids of the answers at a range of indexes."""
        return self.store.ids_of(self.numbers[part.start : part.stop])

    def indexes_in(self, other: "AnswerRows", indexes: Iterable[int]) -> dict[int, int]:
        """Where the answers at some indexes are among other rows, which may lack some of them."""
        if other.store is not self.store:
            return {}
        by_number = {int(self.numbers[index]): index for index in indexes}
        found = np.flatnonzero(np.isin(other.numbers, list(by_number)))
        return {by_number[int(other.numbers[place])]: int(place) for place in found}

    def ranges_in(self, other: "AnswerRows", ranges: Sequence[range]) -> list[range]:
        """Where the answers in some ranges are among other rows, which may lack some of them, as ranges."""
        if other.store is not self.store or not ranges:
            return []
        numbers = np.concatenate([self.numbers[part.start : part.stop] for part in ranges])
        found = np.flatnonzero(np.isin(other.numbers, numbers))
        parts = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1)
        return [range(int(part[0]), int(part[-1]) + 1) for part in parts if len(part)]


def _create(writer: Any, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Create a temporary table of texts and numbers."""
    types = ", ".join(f"{column} {'INTEGER' if column == 'place' else 'VARCHAR'}" for column in columns)
    writer.execute(f"CREATE OR REPLACE TEMP TABLE {name} ({types})")
    _insert(writer, name, rows)


def _insert(writer: Any, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows in parts, of which the interpreter lock is released after each."""
    for start in range(0, len(rows), PART_ROWS):
        part = rows[start : start + PART_ROWS]
        columns = {str(index): _objects(values) for index, values in enumerate(zip(*part, strict=True))}
        writer.register("inserted", columns)
        try:
            writer.execute(f"INSERT INTO {table} SELECT * FROM inserted")
        finally:
            writer.unregister("inserted")


def _objects(values: Sequence[Any]) -> np.ndarray:
    column = np.empty(len(values), dtype=object)
    column[:] = [without_lone_surrogates(value) if isinstance(value, str) else value for value in values]
    return column


def _numbers(ids: Iterable[str]) -> dict[str, int]:
    """Ids with their numbers, in the order of first appearance."""
    return {id: number for number, id in enumerate(dict.fromkeys(ids))}


def _pages(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield lists of lines that are not blank, the first one small."""
    page, chars, most = list[str](), 0, _FIRST_PAGE_CHARS
    for line in lines:
        if line and not line.isspace():
            page.append(line)
            chars += max(len(line), _LEAST_CHARS)
        if chars >= most:
            yield page
            page, chars, most = [], 0, _PAGE_CHARS
    if page:
        yield page


def _line(record: Json) -> str:
    """A record as JSON without lone surrogates, which the database does not store."""
    return without_lone_surrogates(json.dumps(record, ensure_ascii=False, default=dict))


def _is_number(question: AnalysedQuestion) -> bool:
    return question.kind is QuestionKind.NUMBER
