"""What is wrong with single attributes, read off the table of attributes (wire.md 6)."""

from dataclasses import dataclass
from enum import Enum, auto

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, is_valid_unicode
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.rules.problems import AttributePath


class FaultKind(Enum):
    """In which way an attribute is wrong."""

    MISSING = auto()
    EMPTY = auto()
    WRONG_TYPE = auto()
    NOT_ALLOWED = auto()
    BLANK = auto()
    """Nothing but white space where a text is required: taken by the service, and hardly meant."""
    LONE_SURROGATE = auto()
    """The text has a lone surrogate, which no page can show."""


@dataclass(frozen=True)
class AttributeProblem:
    """One attribute that is wrong.

    `within` leads there from the item: the attributes around it, each with the number of the
    entry when it is a list. `entry` is the number of an entry of the attribute itself, when it is
    that which is wrong. `holder` is the object that the attribute stands in.
    """

    kind: FaultKind
    attribute: Attribute
    holder: JsonObject
    within: tuple[tuple[Attribute, int | None], ...] = ()
    entry: int | None = None

    @property
    def label(self) -> str:
        """Where it is, for people: `option 3, label`."""
        return ", ".join(_words(*step) for step in (*self.within, (self.attribute, self.entry)))

    @property
    def path(self) -> AttributePath:
        """Where it is, for the form that shows it."""
        if not self.within:
            return AttributePath(self.attribute.name, self.entry)
        (outer, number), *deeper = self.within
        return AttributePath(outer.name, number, deeper[0][0].name if deeper else self.attribute.name)


def flaws(item: Item) -> list[AttributeProblem]:
    """Everything that is wrong with the attributes of an item; of one attribute, the gravest."""
    found: list[AttributeProblem] = []
    _gather(found, item.known_attributes, item.attributes, ())
    return found


_Path = tuple[tuple[Attribute, int | None], ...]


# Gathers into a list, since generators inside generators take most of the time that all rules take.
def _gather(
    found: list[AttributeProblem], attributes: tuple[Attribute, ...], holder: JsonObject, path: _Path
) -> None:
    for one in attributes:
        value = holder.get(one.name)
        if value is None and not one.required:
            continue
        wrong = _wrong(one, value)
        if wrong is not None:
            found.append(AttributeProblem(wrong, one, holder, path))
        elif not one.kind.is_plain:
            _gather_inside(found, one, holder, path)


def _wrong(one: Attribute, value: Json) -> FaultKind | None:
    if value is None:
        return FaultKind.MISSING
    if not one.kind.holds(value):
        return FaultKind.WRONG_TYPE
    if isinstance(value, str):
        return _wrong_text(one, value)
    return FaultKind.EMPTY if one.required and is_array(value) and not value else None


def _wrong_text(one: Attribute, text: str) -> FaultKind | None:
    if one.required and not text:
        return FaultKind.EMPTY
    if one.allowed and text not in one.allowed:
        return FaultKind.NOT_ALLOWED
    if one.required and text.isspace():
        return FaultKind.BLANK
    return None if text.isascii() or is_valid_unicode(text) else FaultKind.LONE_SURROGATE


def _gather_inside(found: list[AttributeProblem], one: Attribute, holder: JsonObject, path: _Path) -> None:
    value = holder[one.name]
    if is_object(value):
        _gather(found, one.inside, value, (*path, (one, None)))
        return
    for number, entry in enumerate(value if is_array(value) else ()):
        if one.kind is AttributeType.OBJECTS and is_object(entry):
            _gather(found, one.inside, entry, (*path, (one, number)))
        elif one.kind is AttributeType.OBJECTS or not isinstance(entry, str):
            found.append(AttributeProblem(FaultKind.WRONG_TYPE, one, holder, path, number))


def _words(attribute: Attribute, entry: int | None) -> str:
    if entry is None:
        return _(attribute.title)
    return f"{_(attribute.entry_title)} {entry + 1}"
