"""The columns of the answer grid."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from batchwright.analysis.store.answer_query import AnswerColumn, Column, FieldColumn
from batchwright.base.i18n import N_, NC_, _
from batchwright.ui.widgets.tables.table import DATE_WIDTH


@dataclass(frozen=True)
class GridColumn:
    """A column of the grid; `width` is in pixels at 100 %."""

    column: Column
    heading: str
    width: int
    is_number: bool = False
    is_default: bool = True
    """Whether it is shown until the user chooses otherwise."""
    sorted_by: Column | None = None
    """The column by which it is sorted, if that is another one."""

    @property
    def order(self) -> Column:
        """The column by which it is sorted."""
        return self.column if self.sorted_by is None else self.sorted_by

    @property
    def id(self) -> str:
        """The text by which the settings know it."""
        return f"field {self.column.name}" if isinstance(self.column, FieldColumn) else self.column.value

    @property
    def title(self) -> str:
        """The heading, translated; the name of a dataset field stays as it is."""
        return self.heading if isinstance(self.column, FieldColumn) else _(self.heading)


NEW = GridColumn(AnswerColumn.IS_NEW, N_("New"), 84)
PARTICIPANT = GridColumn(AnswerColumn.PARTICIPANT, N_("Participant"), 120)
TASK = GridColumn(AnswerColumn.TASK, N_("Task"), 220)
DATAPOINT = GridColumn(AnswerColumn.DATAPOINT, N_("Datapoint"), 110, is_default=False)
QUESTION = GridColumn(AnswerColumn.QUESTION, N_("Question"), 220)
ANSWER = GridColumn(AnswerColumn.ANSWER, N_("Answer"), 300)
EXPLANATION = GridColumn(AnswerColumn.EXPLANATION, N_("Explanation"), 180, is_default=False)
UNIT = GridColumn(AnswerColumn.UNIT, N_("Unit"), 90, is_default=False)
FILE = GridColumn(AnswerColumn.FILE, N_("File"), 160, is_default=False)
EXCLUSION = GridColumn(AnswerColumn.EXCLUSION, N_("Excluded because"), 160)
PAGE_TIME = GridColumn(AnswerColumn.PAGE_SECONDS, N_("Time on page"), 120, is_number=True, is_default=False)
TIME = GridColumn(AnswerColumn.ANSWERED_AT, NC_("when it was answered", "Time"), DATE_WIDTH, is_number=True)

_FIRST = (NEW, PARTICIPANT, TASK, DATAPOINT)
_LAST = (QUESTION, ANSWER, EXPLANATION, UNIT, FILE, EXCLUSION, PAGE_TIME, TIME)
_OF_TASKS = frozenset({TASK.column, DATAPOINT.column})
"""Columns that a collection does not have."""
_FIELD_WIDTH = 180


def columns_for(
    fields: Iterable[str], *, title_field: str | None, is_for_collection: bool
) -> tuple[GridColumn, ...]:
    """All columns for answers whose tasks have some dataset fields.

    `title_field` is the field whose values tasks are titled by; they are sorted by it.
    """
    of_fields = (GridColumn(FieldColumn(name), name, _FIELD_WIDTH, is_default=False) for name in fields)
    columns = (*_FIRST, *of_fields, *_LAST)
    if title_field is not None:
        titled = replace(TASK, sorted_by=FieldColumn(title_field))
        columns = tuple(titled if column is TASK else column for column in columns)
    return tuple(column for column in columns if not is_for_collection or column.column not in _OF_TASKS)
