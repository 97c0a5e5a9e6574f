"""Reads answers from tables: files of “Save results”, and tables of other programs.

A table is CSV or JSONL with a row per entry of an answer, and has the columns of `answers-long.csv`:
`participant`, `task`, `question` and `value`, and if known `answer`, `question_text`, `kind`, `option`,
`unit`, `explanation`, `file`, `answered_at`, `excluded` (the reason), and `field_…` for each field of the
dataset. Values are texts.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.data_files.formats import FormatKind
from batchwright.data_files.reader import columns, rows
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.sniffing import sniff
from batchwright.data_files.spreadsheet_cells import original_cell
from batchwright.layout.model import Layout
from batchwright.layout.option_values import as_text, read_number
from batchwright.layout.serialization import read, sequential_keys
from batchwright.schema.record_validator import RecordError

FIELD_PREFIX = "field_"
"""Starts the names of columns with fields of the dataset."""

COLUMNS = ("participant", "task", "question", "value")
"""The columns that a table must have."""
_KINDS = frozenset(QuestionKind)

Row = Mapping[str, str]


def has_answer_rows(path: Path) -> bool:
    """Whether a CSV or JSONL file has the columns of answers.

    Raises:
        UnreadableFile: it is neither.
        OSError: it cannot be opened.
    """
    names = set(columns(path, sniff(path)))
    return names >= {*COLUMNS} - {"value"} and "response" not in names


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a CSV or JSONL file; cells without a text are omitted.

    Raises:
        UnreadableFile: the file is damaged.
        OSError: it cannot be opened.
    """
    form = sniff(path)
    names = columns(path, form) if form.kind is FormatKind.CSV else ()
    for row in yielding_gil(rows(path, form)):
        if isinstance(row.content, RecordError):
            text = _("Line {line}: {reason}")
            raise UnreadableFile(text.format(line=row.line, reason=row.content.reason))
        cells: Iterable[tuple[str, Json]] = ()
        if is_array(row.content):
            cells = zip(names, map(original_cell, map(as_text, row.content)), strict=False)
        elif is_object(row.content):
            cells = row.content.items()
        yield {name: as_text(cell) for name, cell in cells if cell is not None and cell != ""}


def response_records(table: Iterable[Row]) -> Iterator[JsonObject]:
    """Yield a response record for each answer (wire reference, 7.1): consecutive rows with the same ids."""
    for ids, group in groupby(table, key=_ids):
        first, *more = group
        answer, participant, task, question = ids
        entries = [entry for row in (first, *more) if (entry := _entry(row))]
        fields = {name.removeprefix(FIELD_PREFIX): first[name] for name in first if _is_field(name)}
        yield {
            **({"id": answer} if answer else {}),
            "participant_id": participant,
            "task_id": task,
            "created_at": first.get("answered_at"),
            "metadata": fields or None,
            "response": {"instruction_id": question, "answer": entries},
        }


def _ids(row: Row) -> tuple[str, ...]:
    return tuple(row.get(name, "") for name in ("answer", "participant", "task", "question"))


def _entry(row: Row) -> JsonObject:
    entry: dict[str, Json] = {name: row[name] for name in ("value", "unit", "explanation") if name in row}
    if "file" in row:
        entry |= {"file_key": row["file"], "file_name": row["file"]}
    return entry


def _is_field(name: str) -> bool:
    return name.startswith(FIELD_PREFIX)


@dataclass
class _Question:
    """What the rows about a question have in common."""

    title: str
    kind: str
    labels: dict[str, str] = field(default_factory=dict)
    """Labels of options by value."""
    units: dict[str, None] = field(default_factory=dict)
    has_several: bool = False
    """Whether an answer has several values."""

    @property
    def is_choice(self) -> bool:
        """Whether the values are options."""
        return self.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES)

    def as_item(self, id: str) -> JsonObject:
        """The question as an item of a layout."""
        item: dict[str, Any] = {"id": id, "description": self.title}
        match self.kind:
            case QuestionKind.CHOICE | QuestionKind.CHOICES:
                limit = -1 if self.kind == QuestionKind.CHOICES or self.has_several else 1
                options = [{"label": label, "value": value} for value, label in self._sorted_options()]
                return {**item, "type": "multiple_choice", "answer_limit": limit, "options": options}
            case QuestionKind.NUMBER:
                units = [{"label": unit, "value": unit} for unit in self.units]
                return {**item, "type": "free_text_with_unit", "unit_options": units}
            case QuestionKind.FILE:
                return {**item, "type": "file_upload"}
        return {**item, "type": "free_text"}

    def _sorted_options(self) -> list[tuple[str, str]]:
        """The options in the order of appearance, or of their values if these are numbers."""
        numbers = {value: read_number(value) for value in self.labels}
        if None in numbers.values():
            return list(self.labels.items())
        return sorted(self.labels.items(), key=lambda option: numbers[option[0]] or 0)


def questions_and_exclusions(table: Iterable[Row]) -> tuple[Layout, Exclusions]:
    """A layout with the questions of a table, and its exclusions.

    A choice has only the options that were chosen; without the column `option`, their values are the labels.
    Without the column `kind`, a question with options is a choice, and any other one a text.
    """
    questions, reasons = dict[str, _Question](), dict[str, str]()
    previous: tuple[str, ...] = ()
    for row in table:
        id, value = row.get("question", ""), row.get("value")
        question = questions.get(id)
        if question is None:
            question = questions[id] = _Question(row.get("question_text", id), _kind(row))
        if value is not None and ("option" in row or question.is_choice):
            question.labels.setdefault(value, row.get("option", value))
        if "unit" in row:
            question.units.setdefault(row["unit"])
        if "excluded" in row and "answer" in row:
            reasons[row["answer"]] = row["excluded"]
        ids = _ids(row)
        question.has_several |= ids == previous
        previous = ids
    items = [question.as_item(id) for id, question in questions.items()]
    pages: list[Json] = [{"rows": [{"columns": [{"items": [item]}]} for item in items]}]
    return read(pages, sequential_keys()), Exclusions(answers=reasons)


def _kind(row: Row) -> str:
    kind = row.get("kind", "")
    if kind in _KINDS:
        return kind
    return QuestionKind.CHOICE if "option" in row else QuestionKind.TEXT
