"""The `multiple_choice_with_free_text` item type: each chosen option has an explanation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.text import is_blank
from batchwright.layout.attributes import LABEL, VALUE, Attribute, AttributeType
from batchwright.layout.form_encoding import explanation_name, text_from_form
from batchwright.layout.item_types.base import TypeChange
from batchwright.layout.item_types.choice import EXCLUSIVE, Choice, choice_attributes
from batchwright.layout.item_types.questions import Option, QuestionContext
from batchwright.layout.item_types.typed_text import LengthLimits, invalid_character_message, random_text
from batchwright.layout.option_values import as_text, text_of

_HEADING = Attribute(
    "heading",
    AttributeType.TEXT,
    N_("heading of the explanation"),
    required=True,
    start="",
    filled_from="label",
    fill_title=N_("Use the label as the heading"),
)


class MultipleChoiceWithFreeText(Choice):
    """An instruction to choose one or more options and explain each of them."""

    type = "multiple_choice_with_free_text"
    title = N_("Choice with free text")
    known_attributes = choice_attributes(LABEL, VALUE, _HEADING, EXCLUSIVE)
    type_changes = (TypeChange("multiple_choice"),)

    def _option_view(
        self, context: QuestionContext, index: int, option: JsonObject, *, is_chosen: bool
    ) -> Option:
        view = super()._option_view(context, index, option, is_chosen=is_chosen)
        explanation = context.typed(explanation_name(context.number, index))
        return replace(view, heading=text_of(option, "heading"), explanation=explanation)

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        yield from super()._answer_errors(entries)
        for entry in entries:
            number = self.option_of(entry.get("value"))
            explanation = entry.get("explanation")
            if number is None:
                continue
            if not isinstance(explanation, str) or is_blank(explanation):
                label = self.options[number].get("label", "")
                yield _("Please explain your choice of “{label}”.").format(label=label)
            elif "\0" in explanation:
                yield invalid_character_message()

    def _entry_text(self, entry: JsonObject) -> str:
        label, explanation = super()._entry_text(entry), entry.get("explanation")
        return f"{label}: {as_text(explanation)}" if explanation else label

    def _random_entry(self, option: JsonObject, texts: Random) -> dict[str, Json]:
        explanation = random_text(LengthLimits(1, None), texts)
        return {**super()._random_entry(option, texts), "explanation": explanation}

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        fields, explanation = super()._entry_fields(number, entry), entry.get("explanation")
        if not fields or not isinstance(explanation, str):
            return fields
        ((_name, option),) = fields
        return [*fields, (explanation_name(number, int(option)), explanation)]

    def _entry_from_form(
        self, number: int, option: int | None, fields: Mapping[str, list[str]]
    ) -> dict[str, Json]:
        entry = super()._entry_from_form(number, option, fields)
        if option is not None and explanation_name(number, option) in fields:
            entry["explanation"] = text_from_form(fields, explanation_name(number, option))
        return entry
