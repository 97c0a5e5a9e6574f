"""The base class of the two choice types: participants choose one or more options.

The subclasses are `MultipleChoice` and `MultipleChoiceWithFreeText`.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import ClassVar

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.answers import FileEntry, GeneratedAnswer
from batchwright.layout.attributes import (
    DESCRIPTION,
    HELPER_TEXT,
    PLACEHOLDER,
    Attribute,
    AttributeType,
)
from batchwright.layout.form_encoding import field_name, sent_index
from batchwright.layout.item_types.base import Instruction
from batchwright.layout.item_types.questions import Option, Question, QuestionContext
from batchwright.layout.option_values import as_text, comparison_key, index_by_value, label_of

EXCLUSIVE = Attribute("exclusive", AttributeType.BOOLEAN, N_("exclusive"), default=False)

DROPDOWN_FROM = 5
"""Minimum number of options at which a single choice is a drop-down menu (specification, batch_items)."""

_SIDE_BY_SIDE = 3
_SHORT_LABEL_CHARACTERS = 26


def choice_attributes(*option: Attribute) -> tuple[Attribute, ...]:
    """The attributes of a choice type, given the additional attributes of its options."""
    return (
        DESCRIPTION,
        HELPER_TEXT,
        PLACEHOLDER,
        Attribute("answer_limit", AttributeType.INTEGER, N_("answers allowed"), required=True, start=1),
        Attribute("disable_dropdown", AttributeType.BOOLEAN, N_("never as a dropdown"), default=False),
        Attribute(
            "options",
            AttributeType.OBJECTS,
            N_("options"),
            required=True,
            nested=option,
            entry_title=N_("option"),
        ),
    )


def is_exclusive(option: JsonObject) -> bool:
    """Whether an option excludes all others."""
    return option.get("exclusive") is True


@dataclass(frozen=True)
class ChoiceQuestion(Question):
    """A question with options, of either choice type."""

    is_dropdown: ClassVar[bool] = False
    item_type: str
    options: tuple[Option, ...]

    @property
    def template(self) -> str:
        """The template of the item type."""
        return self.item_type


@dataclass(frozen=True)
class ListQuestion(ChoiceQuestion):
    """Options as a list of radio buttons or checkboxes."""

    grouped = True
    is_multiple: bool

    @property
    def control_id(self) -> str:
        """The id of the first option's input."""
        return f"{self.name}-0"

    @property
    def side_by_side(self) -> bool:
        """Whether the options may be in one line: they are few, short, and have nothing below them."""
        return len(self.options) <= _SIDE_BY_SIDE and all(
            len(option.label) <= _SHORT_LABEL_CHARACTERS and not option.heading for option in self.options
        )


@dataclass(frozen=True)
class DropdownQuestion(ChoiceQuestion):
    """Options as a drop-down menu for a single choice."""

    is_dropdown = True
    prompt: str = field(default_factory=lambda: _("Choose one"))


class Choice(Instruction):
    """An instruction to choose one or more options."""

    @cached_property
    def options(self) -> tuple[JsonObject, ...]:
        """The options to choose from."""
        return self.objects("options")

    @cached_property
    def _index_by_value(self) -> Mapping[Hashable, int]:
        return index_by_value(self.options)

    def option_of(self, value: Json) -> int | None:
        """The index of the option with a value; None when there is none."""
        return self._index_by_value.get(comparison_key(value))

    @property
    def answer_limit(self) -> int | None:
        """How many options may be chosen (`answer_limit`); -1 for any number, None if invalid."""
        return self.integer("answer_limit")

    @property
    def max_choices(self) -> int:
        """How many options may be chosen; all of them when `answer_limit` is -1."""
        limit = self.answer_limit
        return len(self.options) if limit is None or limit < 1 else limit

    @property
    def is_dropdown(self) -> bool:
        """Whether the choice is shown as a drop-down menu.

        This applies to single choices only: a menu for several is hard to use by keyboard and on a phone, so
        multiple choices are always a list of checkboxes.
        """
        return (
            self.answer_limit == 1
            and len(self.options) >= DROPDOWN_FROM
            and self.value_or_default("disable_dropdown") is not True
        )

    def suggested_value(self, attribute: Attribute) -> Json:
        """For `answer_limit`, -1 (any number) if an option is exclusive, which 1 does not permit."""
        if attribute.name == "answer_limit" and any(map(is_exclusive, self.options)):
            return -1
        return super().suggested_value(attribute)

    def question(self, context: QuestionContext) -> Question:
        """The question as a list or a drop-down menu."""
        chosen = set(context.fields.get(context.name, ()))
        options = tuple(
            self._option_view(context, index, option, is_chosen=str(index) in chosen)
            for index, option in enumerate(self.options)
        )
        if self.is_dropdown:
            return DropdownQuestion(*context.texts(self.attributes, ""), item_type=self.type, options=options)
        texts = context.texts(self.attributes, self._limit_text())
        return ListQuestion(*texts, item_type=self.type, options=options, is_multiple=self.max_choices != 1)

    def random_answer(self, random: Random, texts: Random | None = None) -> GeneratedAnswer:
        """Random options that may be chosen together."""
        if not self.options:
            return []
        first = random.randrange(len(self.options))
        others = [k for k, entry in enumerate(self.options) if k != first and not is_exclusive(entry)]
        alone = is_exclusive(self.options[first])
        more = 0 if alone else random.randint(0, min(self.max_choices - 1, len(others)))
        chosen = sorted([first, *random.sample(others, more)])
        return [self._random_entry(self.options[k], texts or random) for k in chosen]

    def first_option_answer(self, texts: Random) -> GeneratedAnswer:
        """The first option alone, even if it rules out others."""
        return [self._random_entry(option, texts) for option in self.options[:1]]

    def from_form(
        self, number: int, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
    ) -> list[JsonObject]:
        """An entry of the answer for each index that was sent, in the order of the options.

        Of more indices than there are options, one too many is enough: it is unknown or sent twice.
        """
        # A drop-down menu without a selection sends an empty text.
        sent = [index for index in fields.get(field_name(number), ()) if index][: len(self.options) + 1]
        return [
            self._entry_from_form(number, sent_index(self.options, index), fields)
            for index in sorted(sent, key=lambda index: (len(index), index))
        ]

    def usage_text(self, values: Sequence[str]) -> str:
        """How many of the allowed options are chosen; empty if one or all may be chosen."""
        if not 1 < self.max_choices < len(self.options):
            return ""
        return _("{count} of {limit} chosen").format(count=len(values), limit=self.max_choices)

    def _option_view(
        self, context: QuestionContext, index: int, option: JsonObject, *, is_chosen: bool
    ) -> Option:
        return Option(index, label_of(option), is_chosen, is_exclusive(option))

    def _limit_text(self) -> str:
        """A hint for participants on how many options they may choose; empty for one."""
        if self.max_choices == 1:
            return ""
        if self.max_choices >= len(self.options):
            return _("Choose all that apply.")
        return _("Choose up to {count}.").format(count=self.max_choices)

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        if not entries:
            yield _("Please choose an option.")
            return
        numbers = [self.option_of(entry.get("value")) for entry in entries]
        chosen = [number for number in numbers if number is not None]
        if len(chosen) < len(numbers):
            yield _("One of the chosen options is not offered here. Please choose again.")
        if len(set(chosen)) < len(chosen):
            yield _("An option was chosen twice. Please choose again.")
        limit = self.max_choices
        if len(entries) > limit:
            yield ngettext(
                "Please choose only {limit} option.", "Please choose at most {limit} options.", limit
            ).format(limit=limit)
        for index in sorted(set(chosen)):
            if is_exclusive(self.options[index]) and len(entries) > 1:
                label = self.options[index].get("label", "")
                yield _("“{label}” cannot be combined with other options.").format(label=label)

    def _entry_text(self, entry: JsonObject) -> str:
        value = entry.get("value", "")
        number = self.option_of(value)
        return as_text(value if number is None else self.options[number].get("label", value))

    def _random_entry(self, option: JsonObject, texts: Random) -> dict[str, Json]:
        return {"value": option.get("value")}

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        option = self.option_of(entry.get("value"))
        return [] if option is None else [(field_name(number), str(option))]

    def _entry_from_form(
        self, number: int, option: int | None, fields: Mapping[str, list[str]]
    ) -> dict[str, Json]:
        return {"value": None if option is None else self.options[option].get("value")}
