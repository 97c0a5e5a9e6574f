"""A record with the answers of one participant, as Results asks the preview to show it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from PySide6.QtWidgets import QWidget

from batchwright.analysis.store.answer_query import AnswerEntry
from batchwright.base.json_values import JsonObject
from batchwright.layout.model import Layout
from batchwright.schema.model import Schema


@dataclass(frozen=True)
class AnsweredRecord:
    """A record, the layout of its batch, and the answers."""

    name: str
    """The title that participants see."""
    layout: Layout
    schema: Schema | None
    record: JsonObject | None
    question: str
    """The id of the question whose page is shown first."""
    description: str
    """Whose answers they are."""
    answers: Mapping[str, Sequence[AnswerEntry]] = field(default_factory=dict)
    """The entries of each answer, by id of the question."""


CreatePreview: TypeAlias = Callable[[AnsweredRecord, Callable[[], object]], Awaitable[QWidget]]
"""Creates the preview of a record; the function is called when the user closes it."""
