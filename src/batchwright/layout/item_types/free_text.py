"""The `free_text` item type: participants enter a text or a number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject
from batchwright.base.text import is_blank
from batchwright.layout.answers import FileEntry, GeneratedAnswer
from batchwright.layout.attributes import DESCRIPTION, HELPER_TEXT, PLACEHOLDER
from batchwright.layout.form_encoding import field_name, text_from_form
from batchwright.layout.item_types.base import Instruction, Item, TypeChange
from batchwright.layout.item_types.questions import Question, QuestionContext
from batchwright.layout.item_types.typed_text import (
    VALIDATION,
    LengthLimits,
    NumberLimits,
    fits_number_pad,
    limits_text,
    random_text,
    text_errors,
    text_limits,
)
from batchwright.layout.option_values import as_text


@dataclass(frozen=True)
class TextQuestion(Question):
    """A question with a single-line field for a number, or a multi-line field for text."""

    template = "free_text"
    value: str
    numeric: bool
    has_number_pad: bool


def _units_with_validation(item: Item) -> JsonObject:
    """Two units to be filled in, each with the validation of the text."""
    validation = item.attributes.get(VALIDATION.name)
    if validation is None:
        return {}
    return {"unit_options": [{"label": "", "value": "", VALIDATION.name: validation}] * 2}


class FreeText(Instruction):
    """An instruction to enter a text or a number."""

    type = "free_text"
    title = N_("Free text")
    known_attributes = (DESCRIPTION, HELPER_TEXT, PLACEHOLDER, VALIDATION)
    type_changes = (TypeChange("free_text_with_unit", (VALIDATION.name,), _units_with_validation),)

    def question(self, context: QuestionContext) -> Question:
        """The question with its text field."""
        limits = text_limits(self.attributes)
        return TextQuestion(
            *context.texts(self.attributes, limits_text(limits)),
            value=context.typed(context.name),
            numeric=isinstance(limits, NumberLimits),
            has_number_pad=fits_number_pad(limits),
        )

    def random_answer(self, random: Random, texts: Random | None = None) -> GeneratedAnswer:
        """A random text within the limits; an empty answer if no character is allowed."""
        text = random_text(text_limits(self.attributes), random, texts)
        return [{"value": text}] if text else []

    def from_form(
        self, number: int, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
    ) -> list[JsonObject]:
        """The text, unless it is blank."""
        text = text_from_form(fields, field_name(number))
        return [] if is_blank(text) else [{"value": text}]

    def usage_text(self, values: Sequence[str]) -> str:
        """How many of the allowed characters are used."""
        limits = text_limits(self.attributes)
        if not isinstance(limits, LengthLimits) or limits.maximum is None:
            return ""
        count = len(next(iter(values), ""))
        return _("{count} of {most} characters").format(count=count, most=limits.maximum)

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        if len(entries) > 1:
            yield _("Please give one answer.")
            return
        yield from text_errors(entries[0].get("value") if entries else "", text_limits(self.attributes))

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        return [(field_name(number), as_text(entry.get("value", "")))]
