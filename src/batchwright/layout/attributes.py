"""What each item type may hold: one table that rules, defaults and the inspector read (wire.md 6).

An attribute that is absent or null counts as not given. Titles are words for people; names are
the keys of `batch_items`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from batchwright.base.i18n import N_
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.model import (
    DatasetField,
    FileUpload,
    FreeText,
    FreeTextWithUnit,
    Image,
    Item,
    MultipleChoice,
    MultipleChoiceWithFreeText,
    RichText,
)

DEFAULT_FILE_TYPES = (".jpg", ".jpeg", ".png", ".heic", ".heif")
"""What a file upload accepts when it does not say (wire.md 6)."""


class AttributeType(Enum):
    """What an attribute holds."""

    TEXT = N_("text"), str
    INTEGER = N_("a whole number"), int
    NUMBER = N_("a number"), int, float
    BOOLEAN = N_("true or false"), bool
    VALUE = N_("text, a number, or true or false"), str, bool, int, float
    TEXTS = N_("a list of texts"), list, tuple
    OBJECT = N_("a JSON object"), dict, Mapping
    OBJECTS = N_("a list of JSON objects"), list, tuple

    def __init__(self, title: str, *types: type) -> None:
        self.title = title
        self.types = types
        self.is_plain = not {list, dict} & set(types)

    @property
    def entry_title(self) -> str:
        """What an entry of a list of this kind has to be."""
        return (AttributeType.TEXT if self is AttributeType.TEXTS else AttributeType.OBJECT).title

    def holds(self, value: Json) -> bool:
        """Whether a value is of this kind; of a list, whether it is one, whatever its entries are."""
        if type(value) in self.types:
            return True
        return isinstance(value, self.types) and not isinstance(value, bool)


@dataclass(frozen=True)
class Attribute:
    """One attribute of an item, of an option or unit in it, or of a validation rule.

    Titles are English, to be translated when they are shown; `entry_title` is what one entry of a
    list is called. `default` is what the service takes when the attribute is not given, `start`
    what a new item made here begins with. A required attribute must be given and not be empty.
    """

    name: str
    kind: AttributeType
    title: str
    required: bool = False
    default: Json = None
    start: Json = None
    allowed: tuple[str, ...] = ()
    inside: tuple["Attribute", ...] = ()
    entry_title: str = ""


_QUESTION = Attribute("description", AttributeType.TEXT, N_("question"), required=True, start="")
_HELPER = Attribute("helper_text", AttributeType.TEXT, N_("helper text"))
_PLACEHOLDER = Attribute("placeholder_text_input", AttributeType.TEXT, N_("placeholder"))
_LABEL = Attribute("label", AttributeType.TEXT, N_("label"), required=True, start="")
_VALUE = Attribute("value", AttributeType.VALUE, N_("value"), required=True, start="")
_EXCLUSIVE = Attribute("exclusive", AttributeType.BOOLEAN, N_("exclusive"), default=False)
_HEADING = Attribute("heading", AttributeType.TEXT, N_("heading of the explanation"), required=True, start="")

DISPLAY_POSITION = Attribute(
    "display_position",
    AttributeType.TEXT,
    N_("when it is shown"),
    default="body",
    allowed=("intro", "body", "outro"),
)
"""When a page is shown: once before the records, once for each, or once after them (wire.md 12)."""

VALIDATION = Attribute(
    "validation",
    AttributeType.OBJECT,
    N_("validation"),
    inside=(
        Attribute("type", AttributeType.TEXT, N_("type"), required=True, allowed=("number", "string")),
        Attribute("min", AttributeType.NUMBER, N_("minimum")),
        Attribute("max", AttributeType.NUMBER, N_("maximum")),
    ),
)


def _choice(*option: Attribute) -> tuple[Attribute, ...]:
    return (
        _QUESTION,
        _HELPER,
        _PLACEHOLDER,
        Attribute("answer_limit", AttributeType.INTEGER, N_("answers allowed"), required=True, start=1),
        Attribute("disable_dropdown", AttributeType.BOOLEAN, N_("never as a dropdown"), default=False),
        Attribute(
            "options",
            AttributeType.OBJECTS,
            N_("options"),
            required=True,
            inside=option,
            entry_title=N_("option"),
        ),
    )


ATTRIBUTES: Mapping[type[Item], tuple[Attribute, ...]] = {
    DatasetField: (Attribute("field", AttributeType.TEXT, N_("dataset field"), required=True, start=""),),
    Image: (
        Attribute("url", AttributeType.TEXT, N_("address"), required=True, start=""),
        Attribute("alt_text", AttributeType.TEXT, N_("text in place of the image"), required=True, start=""),
        Attribute("caption", AttributeType.TEXT, N_("caption")),
    ),
    RichText: (
        Attribute("content", AttributeType.TEXT, N_("content"), required=True, start=""),
        Attribute(
            "content_format",
            AttributeType.TEXT,
            N_("format"),
            default="html",
            start="markdown",
            allowed=("html", "markdown"),
        ),
    ),
    FreeText: (_QUESTION, _HELPER, _PLACEHOLDER, VALIDATION),
    FreeTextWithUnit: (
        _QUESTION,
        _HELPER,
        _PLACEHOLDER,
        Attribute(
            "unit_options",
            AttributeType.OBJECTS,
            N_("units"),
            required=True,
            inside=(_LABEL, _VALUE, VALIDATION),
            entry_title=N_("unit"),
        ),
        Attribute("default_unit", AttributeType.TEXT, N_("unit chosen at first")),
        Attribute(
            "unit_position",
            AttributeType.TEXT,
            N_("place of the unit"),
            required=True,
            start="suffix",
            allowed=("prefix", "suffix"),
        ),
    ),
    MultipleChoice: _choice(_LABEL, _VALUE, _EXCLUSIVE),
    MultipleChoiceWithFreeText: _choice(_LABEL, _VALUE, _HEADING, _EXCLUSIVE),
    FileUpload: (
        _QUESTION,
        _HELPER,
        Attribute(
            "accepted_file_types",
            AttributeType.TEXTS,
            N_("accepted file types"),
            default=DEFAULT_FILE_TYPES,
            entry_title=N_("file type"),
        ),
        Attribute("max_file_size_mb", AttributeType.NUMBER, N_("largest file in MB"), default=25),
        Attribute("min_file_count", AttributeType.INTEGER, N_("fewest files"), default=1),
        Attribute("max_file_count", AttributeType.INTEGER, N_("most files"), default=10),
    ),
}


def attributes_of(item: Item) -> tuple[Attribute, ...]:
    """The attributes that an item of this type may hold; none for types Batchwright does not know."""
    return ATTRIBUTES.get(type(item), ())


def value_or_default(item: Item, name: str) -> Json:
    """The value of an attribute, or its default when it is not given or of the wrong kind."""
    attribute = next(one for one in attributes_of(item) if one.name == name)
    value = item.attributes.get(name)
    return value if value is not None and attribute.kind.holds(value) else attribute.default


def new_attributes(kind: type[Item]) -> JsonObject:
    """What a new item of a known type begins with: every required attribute, still to be filled in.

    Rich text begins as Markdown, in which paragraphs are kept as they were typed.
    """
    filled: dict[str, Json] = {"type": kind.type}
    for one in ATTRIBUTES[kind]:
        if one.kind is AttributeType.OBJECTS and one.required:
            filled[one.name] = [new_entry(one), new_entry(one)]
        elif one.required or one.start is not None:
            filled[one.name] = one.start
    return filled


def new_entry(attribute: Attribute) -> JsonObject:
    """What a new option or unit begins with; `attribute` is the list it stands in."""
    return {one.name: one.start for one in attribute.inside if one.required}
