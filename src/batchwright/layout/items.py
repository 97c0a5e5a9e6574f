"""The item types of a layout (wire.md 6), each reading from its attributes what Batchwright knows of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from batchwright.base.json_values import JsonObject, is_array
from batchwright.layout.nodes import Level, ObjectNode


@dataclass(frozen=True, eq=False)
class Item(ObjectNode):
    """An item of any type; types that Batchwright does not know are plain `Item`s."""

    level = Level.ITEM
    type: ClassVar[str] = ""
    is_instruction: ClassVar[bool] = False

    @property
    def kind(self) -> str | None:
        """The `type` as it came, or None when it is absent or no string."""
        kind = self.attributes.get("type")
        return kind if isinstance(kind, str) else None

    def text(self, name: str) -> str:
        """A text attribute, empty when absent or no string."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else ""

    def integer(self, name: str) -> int | None:
        """An integer attribute; None when absent or no integer (booleans and 2.0 are none)."""
        value = self.attributes.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def objects(self, name: str) -> tuple[JsonObject, ...]:
        """The objects of an array attribute; empty when absent or no array."""
        value = self.attributes.get(name)
        return tuple(one for one in value if isinstance(one, Mapping)) if is_array(value) else ()


class DatasetField(Item):
    """Shows the value of one dataset field."""

    type = "dataset_field"

    @property
    def field(self) -> str:
        """The key of the field shown."""
        return self.text("field")


class Image(Item):
    """Shows an image from an https address."""

    type = "image"


class RichText(Item):
    """Shows formatted text, written as HTML or Markdown."""

    type = "rich_text"

    @property
    def format(self) -> str:
        """`html` or `markdown`."""
        return self.text("content_format") or "html"


class Instruction(Item):
    """An item that asks the participant for an answer."""

    is_instruction = True

    @property
    def description(self) -> str:
        """The question."""
        return self.text("description")


class FreeText(Instruction):
    """Asks for text or a number."""

    type = "free_text"


class FreeTextWithUnit(Instruction):
    """Asks for text or a number, and a unit to go with it."""

    type = "free_text_with_unit"

    @property
    def units(self) -> tuple[JsonObject, ...]:
        """The units to choose from."""
        return self.objects("unit_options")


class Choice(Instruction):
    """Asks for one or more of the options given."""

    @property
    def options(self) -> tuple[JsonObject, ...]:
        """The options to choose from."""
        return self.objects("options")

    @property
    def answer_limit(self) -> int | None:
        """How many options may be chosen; -1 for any number."""
        return self.integer("answer_limit")


class MultipleChoice(Choice):
    """Asks for one or more options."""

    type = "multiple_choice"


class MultipleChoiceWithFreeText(Choice):
    """Asks for one or more options, each with an explanation."""

    type = "multiple_choice_with_free_text"


class FileUpload(Instruction):
    """Asks for files."""

    type = "file_upload"


ITEM_TYPES: Mapping[str, type[Item]] = {
    known.type: known
    for known in (
        DatasetField,
        Image,
        RichText,
        FreeText,
        FreeTextWithUnit,
        MultipleChoice,
        MultipleChoiceWithFreeText,
        FileUpload,
    )
}

NEWER_TYPES = frozenset({"video_narration"})
"""Types that services accept and Batchwright keeps untouched, without rules for them (wire.md 12)."""
