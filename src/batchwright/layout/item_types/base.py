"""The base classes of all item types.

An item reads its attributes on access; whether they are valid is decided by the rules. Unfinished items can
be previewed and answered too, so nothing here raises for an invalid item.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.answers import FileEntry, GeneratedAnswer
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.content_blocks import ContentBlock, NoticeBlock
from batchwright.layout.item_types.questions import Question, QuestionContext
from batchwright.layout.nodes import Level, ObjectNode
from batchwright.layout.option_values import as_text
from batchwright.schema.model import Schema


@dataclass(frozen=True)
class TypeChange:
    """A type that items of another type can be changed into.

    Attributes that both types have are kept. `derive` returns attributes of the new type that follow from
    others of the old one, named in `sources`.
    """

    to: str
    sources: tuple[str, ...] = ()
    derive: "Callable[[Item], JsonObject]" = lambda _item: {}


@dataclass(frozen=True, eq=False)
class Item(ObjectNode):
    """An item of any type. Items of types that Batchwright does not know are plain `Item` instances."""

    level = Level.ITEM
    type: ClassVar[str] = ""
    title: ClassVar[str] = ""
    """The name of the type for people, in English; translated where it is shown."""
    known_attributes: ClassVar[tuple[Attribute, ...]] = ()
    type_changes: ClassVar[tuple[TypeChange, ...]] = ()
    is_instruction: ClassVar[bool] = False
    is_static: ClassVar[bool] = False
    """Whether the type needs neither record nor answer, so that intro and outro pages may contain it."""

    @classmethod
    def new_attributes(cls) -> JsonObject:
        """The attributes of a new item of this type: every required one, with its initial value."""
        filled: dict[str, Json] = {"type": cls.type}
        for attribute in cls.known_attributes:
            if attribute.kind is AttributeType.OBJECTS and attribute.required:
                filled[attribute.name] = [attribute.new_entry(), attribute.new_entry()]
            elif attribute.required or attribute.start is not None:
                filled[attribute.name] = attribute.start
        return filled

    @property
    def kind(self) -> str | None:
        """The `type` attribute; None if it is absent or not a string."""
        kind = self.attributes.get("type")
        return kind if isinstance(kind, str) else None

    def text(self, name: str) -> str:
        """A text attribute; empty when absent or not a string."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else ""

    def integer(self, name: str) -> int | None:
        """An integer attribute; None when absent or not an integer (neither booleans nor 2.0 are)."""
        value = self.attributes.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def objects(self, name: str) -> tuple[JsonObject, ...]:
        """The objects of an array attribute; empty when absent or not an array."""
        value = self.attributes.get(name)
        return tuple(entry for entry in value if is_object(entry)) if is_array(value) else ()

    def value_or_default(self, name: str) -> Json:
        """The value of a known attribute, or its default when it is not set or has the wrong type."""
        attribute = next(each for each in self.known_attributes if each.name == name)
        value = self.attributes.get(name)
        return value if value is not None and attribute.kind.accepts(value) else attribute.default

    def suggested_value(self, attribute: Attribute) -> Json:
        """The value that a fix sets for an unset attribute of the item or of an option; None for no fix."""
        return attribute.start

    def content_block(self, record: Mapping[str, Json], schema: Schema | None) -> ContentBlock:
        """The content that participants see for an item without a question, given a record of the dataset."""
        return NoticeBlock(
            self.kind or "",
            _("Batchwright does not know this item type; the item is kept unchanged."),
            locked=True,
        )


class Instruction(Item):
    """An item that asks the participant for an answer.

    The public methods accept any answer. Types implement the methods that begin with an underscore,
    which get those entries of the answer that are JSON objects.
    """

    is_instruction = True

    @property
    def description(self) -> str:
        """The question."""
        return self.text("description")

    def question(self, context: QuestionContext) -> Question:
        """The view model of the question on a participant page."""
        raise NotImplementedError

    def validate_answer(self, answer: Json) -> list[str]:
        """A message for each error of an answer, for the participant; empty when the answer is valid.

        Every instruction needs an answer: text that is not blank, at least one option, as many files as are
        required. `answer` is the array of a response; anything else is rejected, and nothing raises.
        """
        if not is_array(answer) or not all(isinstance(entry, Mapping) for entry in answer):
            return [_("This answer cannot be read. Please answer again.")]
        return list(self._answer_errors(_objects(answer)))

    def format_answer(self, answer: Json) -> str:
        """An answer in one cell of the report: labels rather than values.

        Several options or files are joined by a comma and a space. A value that the item no longer offers is
        written as it was stored.
        """
        return ", ".join(
            as_text(entry["file_name"]) if "file_name" in entry else self._entry_text(entry)
            for entry in _objects(answer)
        )

    def random_answer(self, random: Random, texts: Random | None = None) -> GeneratedAnswer:
        """A random answer that is valid when the item is; files are still to be uploaded.

        The list is empty where no answer is possible, such as without options. The same item and states of
        the generators give the same answer on every computer.

        Args:
            random: draws options, numbers and units.
            texts: draws texts and files; without it, `random` does.
        """
        raise NotImplementedError

    def first_option_answer(self, texts: Random) -> GeneratedAnswer:
        """The answer that chooses only the first option; empty for a question without options.

        Args:
            texts: draws texts that belong to the option.
        """
        return []

    def to_form(self, number: int, answer: "GeneratedAnswer | Json") -> list[tuple[str, str]]:
        """The form fields for an answer to the instruction with this number; files are not form fields."""
        return [field for entry in _objects(answer) for field in self._entry_fields(number, entry)]

    def from_form(
        self, number: int, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
    ) -> list[JsonObject]:
        """The answer contained in form fields, valid or not; `files` are those uploaded for this instruction.

        An index without an option becomes the value null, which no option has.
        """
        raise NotImplementedError

    def usage_text(self, values: Sequence[str]) -> str:
        """How much of its limit an answer uses, given the values of its form field; empty without a limit."""
        return ""

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        raise NotImplementedError

    def _entry_text(self, entry: JsonObject) -> str:
        return as_text(entry.get("value", ""))

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        raise NotImplementedError


def _objects(answer: object) -> list[JsonObject]:
    return (
        [entry for entry in answer if isinstance(entry, Mapping)] if isinstance(answer, list | tuple) else []
    )


UNSUPPORTED_TYPES = frozenset({"video_narration"})
"""Types that services accept and Batchwright does not know: such items are kept unchanged and unchecked."""
