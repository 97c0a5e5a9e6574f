"""The questions of a page: views of its instructions, with the answers so far and their errors.

Field names are those of `layout.form_encoding`. A question is filled in from form fields, whether they
were just posted or made from a stored answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from batchwright.base.json_values import JsonObject
from batchwright.layout.form_encoding import field_name
from batchwright.layout.option_values import text_of

Fields = Mapping[str, Sequence[str]]
"""Form fields by name, each with its values."""


@dataclass(frozen=True)
class UploadedFile:
    """A file uploaded before, which is kept unless its checkbox is cleared; `size` is formatted text."""

    key: str
    name: str
    size: str


@dataclass(frozen=True)
class Question:
    """One instruction; `number` is its index among the instructions of the page.

    A `grouped` question has several controls under one legend.
    """

    grouped: ClassVar[bool] = False
    is_question: ClassVar[bool] = True

    number: int
    description: str
    helper: str
    hint: str
    placeholder: str
    errors: tuple[str, ...]

    @property
    def template(self) -> str:
        """The name of the file in `resources/participant/item_types` that has the controls."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The field name, with which all ids of the question begin."""
        return field_name(self.number)

    @property
    def control_id(self) -> str:
        """The id of the control that an error links to."""
        return self.name


@dataclass(frozen=True)
class Option:
    """One option, or one unit."""

    index: int
    label: str
    chosen: bool
    exclusive: bool = False
    heading: str = ""
    explanation: str = ""


class QuestionTexts(NamedTuple):
    """The fields of `Question`, in their order."""

    number: int
    description: str
    helper: str
    hint: str
    placeholder: str
    errors: tuple[str, ...]


@dataclass(frozen=True)
class QuestionContext:
    """The input for a question in addition to its item: number, form fields, errors, and uploaded files."""

    number: int
    fields: Fields
    errors: tuple[str, ...] = ()
    uploaded: tuple[UploadedFile, ...] = ()

    @property
    def name(self) -> str:
        """The field name of the question."""
        return field_name(self.number)

    def texts(self, attributes: JsonObject, hint: str) -> QuestionTexts:
        """The fields that every question has, by the attributes of its item."""
        description, helper, placeholder = (
            text_of(attributes, name) for name in ("description", "helper_text", "placeholder_text_input")
        )
        return QuestionTexts(self.number, description, helper, hint, placeholder, self.errors)

    def typed(self, name: str) -> str:
        """The text in a field; empty when it was not sent."""
        return next(iter(self.fields.get(name, ())), "")
