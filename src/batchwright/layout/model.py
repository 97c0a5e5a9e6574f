"""The layout: pages of rows of columns of items, each kept just as it came.

A layout may hold anything a JSON array can hold. What Batchwright knows of an entry it reads
from the entry's attributes when asked; whether those are right is the business of the rules.
Writing a layout back is therefore exact, whatever it holds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self, TypeVar

from batchwright.records.json_values import Json, JsonObject, is_array, same


class Place(NamedTuple):
    """Where something stands, counted from zero; a level that does not apply is None."""

    page: int | None = None
    row: int | None = None
    column: int | None = None
    item: int | None = None


@dataclass(frozen=True, eq=False)
class Entry:
    """Anything in a layout; `key` is its local name, kept for life and never sent."""

    key: str

    @property
    def inside(self) -> "tuple[Entry, ...]":
        """The entries directly inside this one."""
        return ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and isinstance(other, Entry) and self._alike(other)

    def _alike(self, other: "Entry") -> bool:
        return self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, eq=False)
class Misshapen(Entry):
    """A value that stands where a page, row, column or item belongs and is none."""

    given: Json

    def _alike(self, other: Entry) -> bool:
        return isinstance(other, Misshapen) and self.key == other.key and same(self.given, other.given)


@dataclass(frozen=True, eq=False)
class Shaped(Entry):
    """An entry that is a JSON object; `attributes` holds all of it but the entries inside it."""

    attributes: JsonObject

    @property
    def id(self) -> Json:
        """The `id` a file or the service gave; None when there is none."""
        return self.attributes.get("id")

    def with_attributes(self, **changed: Json) -> Self:
        """The same entry with some attributes set."""
        return replace(self, attributes={**self.attributes, **changed})

    def without_attributes(self, *names: str) -> Self:
        """The same entry with some attributes gone."""
        kept = {name: value for name, value in self.attributes.items() if name not in names}
        return replace(self, attributes=kept)

    def _alike(self, other: Entry) -> bool:
        return (
            isinstance(other, Shaped)
            and self.key == other.key
            and same(self.attributes, other.attributes)
            and self.inside == other.inside
        )


@dataclass(frozen=True, eq=False)
class Item(Shaped):
    """An item of any type; types that Batchwright does not know are plain `Item`s."""

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

I = TypeVar("I", bound=Item)  # noqa: E741 - the name style.md uses


@dataclass(frozen=True, eq=False)
class Column(Shaped):
    """Items one below the other."""

    items: tuple[Item | Misshapen, ...] = ()

    @property
    def inside(self) -> tuple[Entry, ...]:
        """The entries directly inside this one."""
        return self.items


@dataclass(frozen=True, eq=False)
class Row(Shaped):
    """One column, or two side by side."""

    columns: tuple[Column | Misshapen, ...] = ()

    @property
    def inside(self) -> tuple[Entry, ...]:
        """The entries directly inside this one."""
        return self.columns


@dataclass(frozen=True, eq=False)
class Page(Shaped):
    """One screen: rows one below the other."""

    rows: tuple[Row | Misshapen, ...] = ()

    @property
    def position(self) -> str:
        """`intro`, `body` or `outro` (wire.md 12)."""
        position = self.attributes.get("display_position")
        return position if position in ("intro", "outro") and isinstance(position, str) else "body"

    def walk(self) -> Iterator[tuple[Place, Item]]:
        """Every item of the page, in reading order, with its place in the page."""
        for r, row in enumerate(self.rows):
            for c, column in enumerate(row.columns if isinstance(row, Row) else ()):
                for i, item in enumerate(column.items if isinstance(column, Column) else ()):
                    if isinstance(item, Item):
                        yield Place(None, r, c, i), item

    @property
    def inside(self) -> tuple[Entry, ...]:
        """The entries directly inside this one."""
        return self.rows


@dataclass(frozen=True)
class Layout:
    """What a participant is shown: pages in order, each a stack of rows."""

    pages: tuple[Page | Misshapen, ...] = ()

    def walk(self) -> Iterator[tuple[Place, Item]]:
        """Every item, in reading order, with its place: the one walk through the tree."""
        for p, page in enumerate(self.pages):
            if isinstance(page, Page):
                for place, item in page.walk():
                    yield place._replace(page=p), item

    def items(self, kind: type[I]) -> Iterator[tuple[Place, I]]:
        """Every item of one kind, with its place."""
        for place, item in self.walk():
            if isinstance(item, kind):
                yield place, item

    def instructions(self) -> Iterator[tuple[Place, Instruction]]:
        """Every item that asks for an answer, with its place."""
        return self.items(Instruction)
