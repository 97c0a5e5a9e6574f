"""What the rows of a table with answers are about: its questions, and which rows are one answer.

Rows of a participant, a task and a question with the same id in the column `answer` are one answer. An id
that also stands for others, such as a number that starts again with each participant, is that of the first.
Without that column, the rows of a participant, a task and a question are one answer if the question allows
several choices or files; otherwise each row is an answer, of which the last one counts (`repeated_answers`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from typing import Any

from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.local_formats import count_text, joined
from batchwright.base.text import truncate
from batchwright.layout.model import Layout
from batchwright.layout.option_values import read_number
from batchwright.layout.serialization import read, sequential_keys

MAX_PROPOSED = 20
"""Options of a question that is taken for a choice because its values repeat."""
_REPEATS = 2
"""How often each value occurs then, on average."""
_MAX_CHARS = 200
"""Characters of the longest value then."""


_NAMED, _NAME_CHARS = 5, 30
"""Questions and options that a text names, and the characters of an option there."""


@dataclass(frozen=True)
class ProposedQuestion:
    """A question whose values were taken for options because they repeat; the table has no kind for it."""

    id: str
    kind: QuestionKind
    options: tuple[str, ...]


def proposal_text(proposed: Sequence[ProposedQuestion]) -> str:
    """What was taken for options, for people."""
    texts = {
        QuestionKind.CHOICE: _("“{question}” (one of {options})"),
        QuestionKind.CHOICES: _("“{question}” (several of {options})"),
    }
    named = [
        texts[question.kind].format(
            question=truncate(question.id),
            options=joined((truncate(option, _NAME_CHARS) for option in question.options), _NAMED),
        )
        for question in proposed
    ]
    text = ngettext(
        "The table has no kind for {count} question; its values repeat, so they are taken for options: "
        "{questions}.",
        "The table has no kind for {count} questions; their values repeat, so they are taken for options: "
        "{questions}.",
        len(proposed),
    )
    return text.format(count=count_text(len(proposed)), questions=joined(named, _NAMED))


@dataclass(frozen=True)
class UnreadableValues:
    """Values of a table that are of another form than their column needs, and that statistics leave out."""

    column: str
    """`answered_at`, or `value`: values of questions with numbers."""
    count: int
    example: str


def unreadable_text(unreadable: Sequence[UnreadableValues]) -> str:
    """What statistics leave out, and how to write it, for people."""
    sentences = list[str]()
    for values in unreadable:
        if values.column == "answered_at":
            text = ngettext(
                "{count} value of answered_at is not a time (“{example}”), so its answer has none.",
                "{count} values of answered_at are not times (first “{example}”), so these answers "
                "have none.",
                values.count,
            )
            form = _("Times are read as in 2026-05-31T14:05:00Z.")
        else:
            text = ngettext(
                "{count} value of a question with numbers is not a number (“{example}”); statistics leave it "
                "out.",
                "{count} values of questions with numbers are not numbers (first “{example}”); statistics "
                "leave them out.",
                values.count,
            )
            form = _("Numbers are read as in 7.5.")
        example = truncate(values.example, _NAME_CHARS)
        sentences += text.format(count=count_text(values.count), example=example), form
    return " ".join(sentences)


@dataclass(frozen=True)
class TableContent:
    """What a table has besides answers."""

    layout: Layout
    """Its questions. A choice has only the options that were chosen."""
    fields: tuple[str, ...]
    """The names of the dataset's fields."""
    proposed: tuple[ProposedQuestion, ...] = ()
    unreadable: tuple[UnreadableValues, ...] = ()


@dataclass
class _Question:
    """What the rows about a question have in common."""

    id: str
    title: str
    kind: QuestionKind
    labels: dict[str, str] = field(default_factory=dict)
    """Labels of options by value."""
    units: list[str] = field(default_factory=list)

    def as_item(self) -> JsonObject:
        """The question as an item of a layout."""
        item: dict[str, Any] = {"id": self.id, "description": self.title}
        match self.kind:
            case QuestionKind.CHOICE | QuestionKind.CHOICES:
                limit = -1 if self.kind is QuestionKind.CHOICES else 1
                options = [{"label": label, "value": value} for value, label in self.sorted_options()]
                return {**item, "type": "multiple_choice", "answer_limit": limit, "options": options}
            case QuestionKind.NUMBER:
                units = [{"label": unit, "value": unit} for unit in self.units]
                return {**item, "type": "free_text_with_unit", "unit_options": units}
            case QuestionKind.FILE:
                return {**item, "type": "file_upload"}
        return {**item, "type": "free_text"}

    def sorted_options(self) -> list[tuple[str, str]]:
        """The options in the order of appearance, or of their values if these are numbers."""
        numbers = {value: read_number(value) for value in self.labels}
        if None in numbers.values():
            return list(self.labels.items())
        return sorted(self.labels.items(), key=lambda option: numbers[option[0]] or 0)


@dataclass(frozen=True)
class _Shape:
    """What the cells of a question say about its kind."""

    id: str
    title: str
    kind: str | None
    has_options: bool
    has_units: bool
    has_files: bool
    has_ids: bool
    """Whether answers have ids."""
    rows: int
    values: int
    """Rows with a value."""
    different: int
    longest: int

    @property
    def given_kind(self) -> QuestionKind | None:
        """The kind that the table states, or that its columns tell."""
        if self.kind in _KINDS:
            return QuestionKind(self.kind)
        if self.has_options:
            return QuestionKind.CHOICE
        if self.has_units:
            return QuestionKind.NUMBER
        return QuestionKind.FILE if self.has_files else None

    @property
    def repeats(self) -> bool:
        """Whether few short values occur again and again, as those of options do."""
        return 0 < _REPEATS * self.different <= self.values and (
            self.different <= MAX_PROPOSED and self.longest <= _MAX_CHARS
        )


def read_content(writer: Any, fields: Sequence[str], kinds: Mapping[str, QuestionKind]) -> TableContent:
    """Derive the questions of the rows in `table_rows`, and which of them are one answer.

    Without the column `option`, the values of a choice are the labels. Without the column `kind`, a question
    with options is a choice, one with units a number, one with files a file; one whose values repeat is taken
    for a choice, which is proposed; and any other one is a text.

    Args:
        writer: a connection to a database with `table_rows`.
        fields: the names of the fields.
        kinds: kinds of questions by id, whatever the table says.
    """
    questions, proposed = _questions(writer, kinds)
    choices = [question.id for question in questions.values() if question.kind in _CHOICES]
    for id, value, label in writer.execute(_OPTIONS, [choices]).fetchall():
        questions[id].labels[value] = label
    for id, unit in writer.execute(_UNITS).fetchall():
        questions[id].units.append(unit)
    joined = [question.id for question in questions.values() if question.kind in _SEVERAL]
    writer.execute(_JOIN_ROWS, [joined])
    writer.execute(_OTHER_ANSWERS)
    numbers = [question.id for question in questions.values() if question.kind is QuestionKind.NUMBER]
    unreadable = starmap(UnreadableValues, writer.execute(_UNREADABLE, [numbers]).fetchall())
    items = [question.as_item() for question in questions.values()]
    pages: list[Json] = [{"rows": [{"columns": [{"items": [item]}]} for item in items]}]
    return TableContent(
        read(pages, sequential_keys()),
        tuple(fields),
        tuple(
            ProposedQuestion(id, question.kind, tuple(label for _value, label in question.sorted_options()))
            for id, question in questions.items()
            if id in proposed
        ),
        tuple(unreadable),
    )


def _questions(writer: Any, kinds: Mapping[str, QuestionKind]) -> tuple[dict[str, _Question], set[str]]:
    """The questions by id, in the order of the rows, and the ids of those whose kind is proposed."""
    questions, proposed = dict[str, _Question](), set[str]()
    found = {shape.id: shape for shape in starmap(_Shape, writer.execute(_SHAPES).fetchall())}
    writer.execute(_CANDIDATES)
    several = _with_several_values(writer, found)
    for id, shape in found.items():
        kind = kinds.get(id) or shape.given_kind
        if kind is None and shape.repeats:
            kind = QuestionKind.CHOICE
            proposed.add(id)
        if kind is QuestionKind.CHOICE and id in several and id not in kinds:
            kind = QuestionKind.CHOICES
        questions[id] = _Question(id, shape.title, kind or QuestionKind.TEXT)
    return questions, proposed


def _with_several_values(writer: Any, found: Mapping[str, _Shape]) -> set[str]:
    """The ids of questions of which an answer has several values.

    With ids of answers, one such answer suffices. Otherwise these may be repeated answers, unless they are
    half of the answers, or their rows mostly follow each other.
    """
    several = set()
    unclear = [id for id, shape in found.items() if shape.has_ids or shape.kind not in _KINDS]
    for id, differing, adjacent, rows in writer.execute(_DIFFERING, [unclear]).fetchall():
        answers = found[id].rows - rows + differing
        if found[id].has_ids or 2 * differing >= answers or 2 * adjacent >= differing:
            several.add(id)
    return several


_CHOICES = frozenset({QuestionKind.CHOICE, QuestionKind.CHOICES})
_SEVERAL = frozenset({QuestionKind.CHOICES, QuestionKind.FILE})
_KINDS = frozenset(QuestionKind)

_SHAPES = """
SELECT coalesce(question, '') AS id, coalesce(arg_min(question_text, row), id), arg_min(kind, row),
    bool_or(option IS NOT NULL), bool_or(unit IS NOT NULL), bool_or(file IS NOT NULL),
    bool_or(answer IS NOT NULL), count(*), count(value), count(DISTINCT value),
    coalesce(max(length(value)), 0)
FROM table_rows GROUP BY 1 ORDER BY min(row)
"""
_OPTIONS = """
SELECT coalesce(question, '') AS id, value, arg_min(coalesce("option", value), row)
FROM table_rows WHERE value IS NOT NULL AND coalesce(question, '') IN (SELECT unnest($1::VARCHAR[]))
GROUP BY ALL ORDER BY min(row)
"""
_UNITS = """
SELECT coalesce(question, '') AS id, unit FROM table_rows WHERE unit IS NOT NULL
GROUP BY ALL ORDER BY min(row)
"""
_JOIN = "hash(answer, participant, task, question)"
_CANDIDATES = f"""
CREATE OR REPLACE TEMP TABLE row_groups AS
SELECT {_JOIN} AS hash, count(*) AS rows FROM table_rows GROUP BY 1 HAVING rows > 1
"""
"""Groups of rows that may be one answer, or repeated ones."""
_DIFFERING = f"""
SELECT id, count(*), count(*) FILTER (is_adjacent), sum(rows)
FROM (
    SELECT coalesce(question, '') AS id, max(row) - min(row) + 1 = count(*) AS is_adjacent, count(*) AS rows
    FROM table_rows SEMI JOIN row_groups ON row_groups.hash = {_JOIN}
    WHERE coalesce(question, '') IN (SELECT unnest($1::VARCHAR[]))
    GROUP BY question, {_JOIN}
    HAVING min(value) <> max(value) AND min(answered_at) IS NOT DISTINCT FROM max(answered_at)
)
GROUP BY 1
"""
"""By question: the groups with different values and one time, those of adjacent rows, and their rows."""
_JOIN_ROWS = f"""
CREATE OR REPLACE TEMP TABLE joined_rows AS
WITH candidates AS (
    FROM table_rows SEMI JOIN row_groups ON row_groups.hash = {_JOIN}
    WHERE answer IS NOT NULL OR coalesce(question, '') IN (SELECT unnest($1::VARCHAR[]))
),
parts AS (
    SELECT row, min(row) OVER (PARTITION BY answer, participant, task, question) AS first,
        coalesce(value, unit, explanation, file) IS NOT NULL AS is_entry
    FROM candidates
)
SELECT row, first, sum(is_entry::INTEGER) OVER (PARTITION BY first ORDER BY row) AS place FROM parts
"""
"""The rows of answers that may have several, the first row of each, and the place of the entry in it."""
_OTHER_ANSWERS = f"""
CREATE OR REPLACE TEMP TABLE other_answers AS
WITH shared AS (
    SELECT answer, arg_min({_JOIN}, row) AS first FROM table_rows WHERE answer IS NOT NULL
    GROUP BY 1 HAVING min({_JOIN}) <> max({_JOIN})
)
SELECT row FROM table_rows JOIN shared USING (answer) WHERE {_JOIN} <> first
"""
"""The rows whose id is that of another answer."""
_UNREADABLE = """
SELECT 'answered_at', count(*) AS count, arg_min(answered_at, row)
FROM table_rows WHERE answered_at IS NOT NULL AND milliseconds(answered_at) IS NULL HAVING count > 0
UNION ALL
SELECT 'value', count(*) AS count, arg_min(value, row)
FROM table_rows WHERE value IS NOT NULL AND typed_number(value) IS NULL
    AND coalesce(question, '') IN (SELECT unnest($1::VARCHAR[]))
HAVING count > 0
"""
