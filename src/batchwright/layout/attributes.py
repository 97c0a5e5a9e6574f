"""Descriptions of attributes, which rules, defaults and the inspector share.

An attribute that is absent or null counts as not set. Titles are for people; names are the keys in
`batch_items`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from batchwright.base.i18n import N_
from batchwright.base.json_values import Json, JsonObject


class AttributeType(Enum):
    """The type of an attribute's value."""

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
        """The type of an entry of a list of this type."""
        return (AttributeType.TEXT if self is AttributeType.TEXTS else AttributeType.OBJECT).title

    def accepts(self, value: Json) -> bool:
        """Whether a value has this type; the entries of a list are not checked."""
        if type(value) in self.types:
            return True
        return isinstance(value, self.types) and not isinstance(value, bool)


@dataclass(frozen=True, eq=False)
class Attribute:
    """An attribute of an item, of an option or unit in it, or of a validation. Compared by identity.

    Titles are English, to be translated where they are shown. A required attribute must be set and not be
    empty.
    """

    name: str
    kind: AttributeType
    title: str
    required: bool = False
    default: Json = None
    """What the service assumes when the attribute is not set."""
    start: Json = None
    """The value in a new item."""
    allowed: tuple[str, ...] = ()
    """All valid texts; empty if any text is valid."""
    nested: tuple["Attribute", ...] = ()
    """The attributes of the object, or of each object of the list."""
    entry_title: str = ""
    """The title of one element of the list, such as an option."""
    is_reference: bool = False
    """The text refers to something else, such as a field or a URL, so that no fix may guess it."""
    is_rich_text: bool = False
    """The text is HTML or Markdown."""
    filled_from: str = ""
    """Another attribute of the same object, whose value can fill this one."""
    fill_title: str = ""
    """The label of the fix that fills it from there."""

    @cached_property
    def accepts_any_text(self) -> bool:
        """Whether every text that is not blank is a valid value."""
        return str in self.kind.types and not self.allowed

    def new_entry(self) -> JsonObject:
        """A new entry of this list: an option or a unit with its required attributes."""
        return {attribute.name: attribute.start for attribute in self.nested if attribute.required}


DESCRIPTION = Attribute("description", AttributeType.TEXT, N_("question"), required=True, start="")
HELPER_TEXT = Attribute("helper_text", AttributeType.TEXT, N_("helper text"))
PLACEHOLDER = Attribute("placeholder_text_input", AttributeType.TEXT, N_("placeholder"))
LABEL = Attribute(
    "label",
    AttributeType.TEXT,
    N_("label"),
    required=True,
    start="",
    filled_from="value",
    fill_title=N_("Use the value as the label"),
)
VALUE = Attribute(
    "value",
    AttributeType.VALUE,
    N_("value"),
    required=True,
    start="",
    filled_from="label",
    fill_title=N_("Use the label as the value"),
)

DISPLAY_POSITION = Attribute(
    "display_position",
    AttributeType.TEXT,
    N_("when it is shown"),
    default="body",
    allowed=("intro", "body", "outro"),
)
"""When a page is shown: once before the records, once for each record, or once after them."""
