"""The `free_text_with_unit` item type: participants enter a text or a number and select its unit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from batchwright.base.i18n import N_, _
from batchwright.base.json_values import JsonObject, json_equal
from batchwright.base.text import is_blank
from batchwright.layout.answers import FileEntry, GeneratedAnswer
from batchwright.layout.attributes import (
    DESCRIPTION,
    HELPER_TEXT,
    LABEL,
    PLACEHOLDER,
    VALUE,
    Attribute,
    AttributeType,
)
from batchwright.layout.form_encoding import field_name, sent_index, text_from_form, unit_name
from batchwright.layout.item_types.base import Instruction, Item, TypeChange
from batchwright.layout.item_types.questions import Option, Question, QuestionContext
from batchwright.layout.item_types.typed_text import (
    ANY_TEXT,
    RANDOM_NUMBER_RANGE,
    VALIDATION,
    TextLimits,
    fits_number_pad,
    limits_text,
    random_text,
    text_errors,
    text_limits,
)
from batchwright.layout.option_values import as_text, label_of, option_of


@dataclass(frozen=True)
class UnitQuestion(Question):
    """A question with a field for a value, and its unit before or after it."""

    template = "free_text_with_unit"
    value: str
    has_number_pad: bool
    units: tuple[Option, ...]
    position: str
    unit_label: str = field(default_factory=lambda: _("Unit"))
    unit_prompt: str = field(default_factory=lambda: _("Choose a unit"))

    @property
    def unit_chosen(self) -> bool:
        """Whether a unit is already selected."""
        return any(unit.chosen for unit in self.units)


def _common_validation(item: Item) -> JsonObject:
    """The validation that all units share, if any."""
    validations = [unit.get(VALIDATION.name) for unit in item.objects("unit_options")]
    first = validations[0] if validations else None
    is_common = first is not None and all(json_equal(first, other) for other in validations)
    return {VALIDATION.name: first} if is_common else {}


class FreeTextWithUnit(Instruction):
    """An instruction to enter a text or a number and its unit."""

    type = "free_text_with_unit"
    title = N_("Free text with unit")
    known_attributes = (
        DESCRIPTION,
        HELPER_TEXT,
        PLACEHOLDER,
        Attribute(
            "unit_options",
            AttributeType.OBJECTS,
            N_("units"),
            required=True,
            nested=(LABEL, VALUE, VALIDATION),
            entry_title=N_("unit"),
        ),
        Attribute("default_unit", AttributeType.TEXT, N_("preselected unit"), is_reference=True),
        Attribute(
            "unit_position",
            AttributeType.TEXT,
            N_("position of the unit"),
            required=True,
            start="suffix",
            allowed=("prefix", "suffix"),
        ),
    )
    type_changes = (TypeChange("free_text", derive=_common_validation),)

    @property
    def units(self) -> tuple[JsonObject, ...]:
        """The units to choose from."""
        return self.objects("unit_options")

    @property
    def is_unit_first(self) -> bool:
        """Whether the unit is before the value."""
        return self.text("unit_position") == "prefix"

    def question(self, context: QuestionContext) -> Question:
        """The question with its text field and its units."""
        chosen = context.fields.get(unit_name(context.number))
        default = self.text("default_unit")
        units = tuple(
            Option(
                index,
                label_of(unit),
                str(index) in chosen
                if chosen is not None
                else bool(default) and as_text(unit.get("value")) == default,
            )
            for index, unit in enumerate(self.units)
        )
        limits = [text_limits(unit) for unit in self.units]
        return UnitQuestion(
            *context.texts(self.attributes, self._limits_text(limits)),
            value=context.typed(context.name),
            has_number_pad=bool(limits) and all(map(fits_number_pad, limits)),
            units=units,
            position="prefix" if self.is_unit_first else "suffix",
        )

    def random_answer(self, random: Random, texts: Random | None = None) -> GeneratedAnswer:
        """A number or a text within the limits of a random unit."""
        if not self.units:
            return []
        unit = random.choice(self.units)
        limits = text_limits(unit)
        text = (
            random_text(limits, random, texts)
            if limits != ANY_TEXT
            else str(random.randint(0, RANDOM_NUMBER_RANGE))
        )
        return [{"value": text, "unit": unit.get("value")}]

    def from_form(
        self, number: int, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
    ) -> list[JsonObject]:
        """The text with the unit. Without a unit, the text alone unless it is blank."""
        text = text_from_form(fields, field_name(number))
        unit = sent_index(self.units, "".join(fields.get(unit_name(number), ())[:1]))
        if unit is None:
            return [] if is_blank(text) else [{"value": text}]
        return [{"value": text, "unit": self.units[unit].get("value")}]

    def _limits_text(self, limits: Sequence[TextLimits]) -> str:
        """The limits as text: one sentence if all units share them, else one per unit with limits."""
        messages = [limits_text(limit) for limit in limits]
        if len(set(messages)) == 1:
            return messages[0]
        return " ".join(
            _("{unit}: {limits}").format(unit=label_of(unit), limits=message)
            for unit, message in zip(self.units, messages, strict=True)
            if message
        )

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        if len(entries) > 1:
            yield _("Please give one answer.")
            return
        entry = entries[0] if entries else {}
        chosen = option_of(self.units, entry.get("unit"))
        yield from text_errors(
            entry.get("value", ""), text_limits({} if chosen is None else self.units[chosen])
        )
        if chosen is None:
            yield _("Please choose a unit.")

    def _entry_text(self, entry: JsonObject) -> str:
        text, unit = super()._entry_text(entry), entry.get("unit")
        if unit is None:
            return text
        number = option_of(self.units, unit)
        label = as_text(unit if number is None else self.units[number].get("label", unit))
        return f"{label} {text}" if self.is_unit_first else f"{text} {label}"

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        text = (field_name(number), as_text(entry.get("value", "")))
        unit = option_of(self.units, entry.get("unit"))
        return [text] if unit is None else [text, (unit_name(number), str(unit))]
