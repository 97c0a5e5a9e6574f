"""All texts of a study, as one sequence: of its layout, of its pages' names, task details and field labels.

Which attributes of items are texts follows from their descriptions (`layout.attributes`), so a new item type
needs no change here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from batchwright.base.i18n import N_
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.attributes import Attribute, AttributeType
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import AttributePath
from batchwright.schema.model import Schema


class TextSource(Enum):
    """The part of a study that a text belongs to."""

    STUDY_NAME = "study name"
    TASK_DETAILS = "task details"
    FIELD_LABEL = "field label"
    PAGE_NAME = "page name"
    ITEM = "item"


class Markup(Enum):
    """How a text is formatted."""

    NONE = "none"
    MARKDOWN = "markdown"
    HTML = "html"


class TextLocation(NamedTuple):
    """Where a text is: `key` is that of the page or item, the field, or the attribute of the task details."""

    source: TextSource
    key: str = ""
    attribute: AttributePath = AttributePath()


class StudyText(NamedTuple):
    """A text of a study. `path` is the path of its page or item.

    `title` is the English name of its attribute, `entry_title` that of the option or unit it is in, if any.
    """

    location: TextLocation
    text: str
    title: str
    path: NodePath = NodePath()
    markup: Markup = Markup.NONE
    entry_title: str = ""


@dataclass(frozen=True)
class StudyTexts:
    """The parts of a study that contain texts."""

    name: str
    details: Mapping[str, str]
    """The task details by attribute. All but `task_name` are HTML."""
    schema: Schema | None
    page_names: Mapping[str, str]
    layout: Layout

    def texts(self, *, with_values: bool = False) -> Iterator[StudyText]:
        """Every text that is not empty; `with_values` also option values that are texts, and references."""
        return (text for text in self._all_texts(with_values=with_values) if text.text)

    def _all_texts(self, *, with_values: bool) -> Iterator[StudyText]:
        yield StudyText(TextLocation(TextSource.STUDY_NAME), self.name, N_("study name"))
        for name, text in self.details.items():
            markup = Markup.NONE if name == "task_name" else Markup.HTML
            title = _DETAIL_TITLES.get(name, name)
            yield StudyText(TextLocation(TextSource.TASK_DETAILS, name), text, title, markup=markup)
        for key, field in ({} if self.schema is None else self.schema.fields).items():
            yield StudyText(TextLocation(TextSource.FIELD_LABEL, key), field.label or "", N_("label"))
        for number, page in enumerate(self.layout.pages):
            name = self.page_names.get(page.key, "")
            location = TextLocation(TextSource.PAGE_NAME, page.key)
            yield StudyText(location, name, N_("page name"), NodePath(number))
        for path, item in self.layout.walk():
            yield from texts_of_item(path, item, with_values=with_values)

    def with_texts(self, changed: Mapping[TextLocation, str]) -> "StudyTexts":
        """The study with other texts. Texts that no longer exist are omitted."""
        names = {location.key: text for location, text in _of(TextSource.PAGE_NAME, changed)}
        details = {location.key: text for location, text in _of(TextSource.TASK_DETAILS, changed)}
        labels = {location.key: text for location, text in _of(TextSource.FIELD_LABEL, changed)}
        remaining = {key: text for key, text in {**self.page_names, **names}.items() if text.strip()}
        return StudyTexts(
            changed.get(TextLocation(TextSource.STUDY_NAME), self.name),
            {name: details.get(name, text) for name, text in self.details.items()},
            _with_labels(self.schema, labels),
            remaining if names else self.page_names,
            _with_item_texts(self.layout, dict(_of(TextSource.ITEM, changed))),
        )


_DETAIL_TITLES = {
    "task_name": N_("task name"),
    "task_introduction": N_("introduction"),
    "task_steps": N_("steps"),
}


def _of(source: TextSource, texts: Mapping[TextLocation, str]) -> Iterable[tuple[TextLocation, str]]:
    return [(location, text) for location, text in texts.items() if location.source is source]


def _with_labels(schema: Schema | None, labels: Mapping[str, str]) -> Schema | None:
    if schema is None or not labels:
        return schema
    fields = {
        name: replace(field, label=labels[name] or None) if name in labels else field
        for name, field in schema.fields.items()
    }
    return replace(schema, fields=fields)


def _with_item_texts(layout: Layout, texts: Mapping[TextLocation, str]) -> Layout:
    by_key: dict[str, list[tuple[AttributePath, str]]] = {}
    for location, text in texts.items():
        by_key.setdefault(location.key, []).append((location.attribute, text))
    items = (item for _path, item in layout.walk()) if by_key else ()
    return layout.with_items(
        {item.key: _with_texts(item, by_key[item.key]) for item in items if item.key in by_key}
    )


def _with_texts(item: Item, texts: Sequence[tuple[AttributePath, str]]) -> Item:
    values: dict[str, Json] = dict(item.attributes)
    of_entries: dict[str, dict[int, dict[str, Json]]] = {}
    for path, text in texts:
        if path.entry is None:
            values[path.name] = text
        else:
            of_entries.setdefault(path.name, {}).setdefault(path.entry, {})[path.inner] = text
    for name, changed in of_entries.items():
        values[name] = _with_entry_texts(values.get(name), changed)
    return replace(item, attributes=values)


def _with_entry_texts(entries: Json, changed: Mapping[int, JsonObject]) -> Json:
    if not is_array(entries):
        return entries
    return [
        {**entry, **changed[number]} if number in changed and is_object(entry) else entry
        for number, entry in enumerate(entries)
    ]


def texts_of_item(path: NodePath, item: Item, *, with_values: bool = False) -> Iterator[StudyText]:
    """The texts of an item, empty ones too; with values as in `StudyTexts.texts`."""
    for attribute in item.known_attributes:
        value = item.attributes.get(attribute.name)
        if attribute.kind is AttributeType.OBJECTS and is_array(value):
            for number, entry in enumerate(value):
                if is_object(entry):
                    yield from _texts_of_entry(path, item, attribute, number, entry, with_values=with_values)
        elif isinstance(value, str) and _is_text(attribute, with_values=with_values):
            location = TextLocation(TextSource.ITEM, item.key, AttributePath(attribute.name))
            yield StudyText(location, value, attribute.title, path, _markup(item, attribute))


def _texts_of_entry(
    path: NodePath, item: Item, outer: Attribute, number: int, entry: JsonObject, *, with_values: bool
) -> Iterator[StudyText]:
    for attribute in outer.nested:
        value = entry.get(attribute.name)
        if isinstance(value, str) and _is_text(attribute, with_values=with_values):
            place = AttributePath(outer.name, number, attribute.name)
            location = TextLocation(TextSource.ITEM, item.key, place)
            yield StudyText(location, value, attribute.title, path, entry_title=outer.entry_title)


def _is_text(attribute: Attribute, *, with_values: bool) -> bool:
    """Whether a text value of an attribute is for people, or else may be searched too."""
    if attribute.kind is AttributeType.VALUE:
        return with_values
    return (
        attribute.kind is AttributeType.TEXT
        and not attribute.allowed
        and (with_values or not attribute.is_reference)
    )


def _markup(item: Item, attribute: Attribute) -> Markup:
    if not attribute.is_rich_text:
        return Markup.NONE
    return Markup.MARKDOWN if item.text("content_format") == "markdown" else Markup.HTML
