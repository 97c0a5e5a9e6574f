"""Finds invalid attributes of items by their attribute descriptions (wire reference, section 6)."""

from dataclasses import dataclass
from enum import Enum, auto

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, is_valid_unicode
from batchwright.base.local_formats import joined
from batchwright.base.text import is_blank
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.rules.problems import AttributePath


class AttributeProblemKind(Enum):
    """The reason why an attribute is invalid."""

    MISSING = auto()
    EMPTY = auto()
    WRONG_TYPE = auto()
    NOT_ALLOWED = auto()
    BLANK = auto()
    """A required text is only white space: accepted by the service, but probably not intended."""
    LONE_SURROGATE = auto()
    """The text contains a lone surrogate, which no page can show."""


@dataclass(frozen=True)
class AttributeProblem:
    """An invalid attribute of an item.

    `within` is the path from the item: the attributes around it, each with the index of the
    entry if it is a list. `entry` is the index of the invalid entry of the attribute itself, if
    only that is invalid. `holder` is the object that contains the attribute.
    """

    kind: AttributeProblemKind
    attribute: Attribute
    holder: JsonObject
    within: tuple[tuple[Attribute, int | None], ...] = ()
    entry: int | None = None

    @property
    def label(self) -> str:
        """The path for users: `option 3, label`."""
        return joined(_attribute_label(*step) for step in (*self.within, (self.attribute, self.entry)))

    @property
    def path(self) -> AttributePath:
        """The path of the form field in the inspector that shows the attribute."""
        if not self.within:
            return AttributePath(self.attribute.name, self.entry)
        (outer, number), *deeper = self.within
        return AttributePath(outer.name, number, deeper[0][0].name if deeper else self.attribute.name)


def attribute_problems(item: Item) -> list[AttributeProblem]:
    """The problems of the attributes of an item, at most one per attribute: the most severe."""
    problems: list[AttributeProblem] = []
    _collect(problems, item.known_attributes, item.attributes, ())
    return problems


_Path = tuple[tuple[Attribute, int | None], ...]


# Collects into a list: nested generators would take most of the time of all rules.
def _collect(
    problems: list[AttributeProblem], attributes: tuple[Attribute, ...], holder: JsonObject, path: _Path
) -> None:
    for attribute in attributes:
        value = holder.get(attribute.name)
        if value is None and not attribute.required:
            continue
        if _is_plain_text(value) and attribute.accepts_any_text:  # most values: faster than what follows
            continue
        kind = _problem_kind(attribute, value)
        if kind is not None:
            problems.append(AttributeProblem(kind, attribute, holder, path))
        elif not attribute.kind.is_plain:
            _collect_nested(problems, attribute, holder, path)


def _is_plain_text(value: Json) -> bool:
    return isinstance(value, str) and value.isascii() and bool(value) and not value.isspace()


def _problem_kind(attribute: Attribute, value: Json) -> AttributeProblemKind | None:
    if value is None:
        return AttributeProblemKind.MISSING
    if not attribute.kind.accepts(value):
        return AttributeProblemKind.WRONG_TYPE
    if isinstance(value, str):
        return _text_problem_kind(attribute, value)
    return AttributeProblemKind.EMPTY if attribute.required and is_array(value) and not value else None


def _text_problem_kind(attribute: Attribute, text: str) -> AttributeProblemKind | None:
    if attribute.required and not text:
        return AttributeProblemKind.EMPTY
    if attribute.allowed and text not in attribute.allowed:
        return AttributeProblemKind.NOT_ALLOWED
    if attribute.required and text and is_blank(text):
        return AttributeProblemKind.BLANK
    return None if text.isascii() or is_valid_unicode(text) else AttributeProblemKind.LONE_SURROGATE


def _collect_nested(
    problems: list[AttributeProblem], attribute: Attribute, holder: JsonObject, path: _Path
) -> None:
    value = holder[attribute.name]
    if is_object(value):
        _collect(problems, attribute.nested, value, (*path, (attribute, None)))
        return
    for number, entry in enumerate(value if is_array(value) else ()):
        if attribute.kind is AttributeType.OBJECTS and is_object(entry):
            _collect(problems, attribute.nested, entry, (*path, (attribute, number)))
        elif attribute.kind is AttributeType.OBJECTS or not isinstance(entry, str):
            problems.append(
                AttributeProblem(AttributeProblemKind.WRONG_TYPE, attribute, holder, path, number)
            )


def _attribute_label(attribute: Attribute, entry: int | None) -> str:
    if entry is None:
        return _(attribute.title)
    return f"{_(attribute.entry_title)} {entry + 1}"
