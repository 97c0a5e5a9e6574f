"""Models of answers of participants (wire reference, section 7.1)."""

from enum import StrEnum
from typing import TypeAlias

from pydantic import ValidationError

from batchwright.base.json_values import Json
from batchwright.wire.base import Open, RawJson, RawObject, ResponseBody, Scalar
from batchwright.wire.ids import Timestamp


class InstructionType(StrEnum):
    """The item types that ask for an answer."""

    FREE_TEXT = "free_text"
    FREE_TEXT_WITH_UNIT = "free_text_with_unit"
    MULTIPLE_CHOICE = "multiple_choice"
    MULTIPLE_CHOICE_WITH_FREE_TEXT = "multiple_choice_with_free_text"
    FILE_UPLOAD = "file_upload"


INSTRUCTION_TYPES: frozenset[str] = frozenset(InstructionType)


class TextAnswer(ResponseBody):
    """The text that was entered; the only entry of a `free_text` answer."""

    value: Scalar


class UnitAnswer(ResponseBody):
    """The value that was entered and that of the selected unit; the only entry of its answer."""

    value: Scalar
    unit: Scalar


class ChoiceAnswer(ResponseBody):
    """The value of one selected option, with the JSON type it has in the layout."""

    value: Scalar


class ExplainedChoiceAnswer(ResponseBody):
    """The value of one selected option, and the text entered for it, if any."""

    value: Scalar
    explanation: str | None = None


class FileAnswer(ResponseBody):
    """An uploaded file."""

    file_key: str
    file_name: str = ""
    file_size_mb: int | float | None = None
    content_type: str | None = None


class UnknownAnswer(ResponseBody):
    """An entry of an unknown type, or one that does not match its type."""

    content: RawJson
    """The entry as it was received."""


AnswerEntry: TypeAlias = (
    TextAnswer | UnitAnswer | ChoiceAnswer | ExplainedChoiceAnswer | FileAnswer | UnknownAnswer
)

ANSWER_ENTRIES: dict[str, type[AnswerEntry]] = {
    InstructionType.FREE_TEXT: TextAnswer,
    InstructionType.FREE_TEXT_WITH_UNIT: UnitAnswer,
    InstructionType.MULTIPLE_CHOICE: ChoiceAnswer,
    InstructionType.MULTIPLE_CHOICE_WITH_FREE_TEXT: ExplainedChoiceAnswer,
    InstructionType.FILE_UPLOAD: FileAnswer,
}
"""Models of answer entries, by item type."""


class Response(ResponseBody):
    """The answer to one instruction: an array for every type; it may be empty."""

    instruction_id: str
    type: Open[InstructionType]
    answer: tuple[RawJson, ...] = ()
    """The entries, unparsed."""

    @property
    def entries(self) -> tuple[AnswerEntry, ...]:
        """The entries, each parsed according to the item type."""
        return tuple(read_entry(self.type, value) for value in self.answer)


class ResponseRecord(ResponseBody):
    """The answer of one participant to one instruction of one task."""

    id: str
    response: Response
    created_at: Timestamp | None = None
    batch_id: str | None = None
    participant_id: str = ""
    task_id: str | None = None
    submission_id: str | None = None
    correlation_id: str | None = None
    metadata: RawObject | None = None
    """Values of the datapoint's metadata fields, by field key."""
    schema_version: int | None = None
    no_submission: bool | None = None


def read_entry(kind: str, value: Json) -> AnswerEntry:
    """Parse one entry of an answer to an instruction of type `kind`; never raises."""
    try:
        return ANSWER_ENTRIES[kind].model_validate(value)
    except (KeyError, ValidationError):
        return UnknownAnswer(content=value)
