"""The rows of a list of changes: headings, the nodes and texts that change, and their old and new values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from batchwright.base.i18n import N_, NC_, _, ngettext
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.base.local_formats import joined
from batchwright.base.text import truncate
from batchwright.client.content_review import DATASET, HTML_TEXTS, ContentReview
from batchwright.layout.attributes import DISPLAY_POSITION, Attribute, AttributeType
from batchwright.layout.comparing.comparison import AttributeChange, Change, NodeComparison
from batchwright.layout.item_types.registry import (
    ITEM_TYPES,
    DatasetField,
    Image,
    Instruction,
    Item,
    RichText,
)
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, Level, Node, NodePath
from batchwright.layout.option_values import as_text, label_of
from batchwright.ui.core.formatting import abbreviated_id, number

_MAX_VALUE = 360
"""Maximum number of characters of an old or new value."""
_BLOCK_TAG = re.compile(r"</?(?:p|h[1-6]|ul|ol|li|blockquote|pre|div|table|tr|br|hr)\b[^>]*>", re.IGNORECASE)
_CELL_TAG = re.compile(r"</?t[dh]\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_CONTEXT = 60
"""Number of characters shown before the first difference of two long values."""
_TEXT_TITLES: Mapping[str, str] = {
    "name": N_("Name"),
    "task_name": N_("Name of the task"),
    "task_introduction": N_("Introduction"),
    "task_steps": N_("Steps"),
    DATASET: N_("Dataset"),
}
_LEVEL_TITLES: Mapping[Level, str] = {
    Level.PAGE: N_("Page"),
    Level.ROW: N_("Row"),
    Level.COLUMN: N_("Column"),
    Level.ITEM: NC_("part of a page", "Item"),
}


@dataclass(frozen=True)
class HeadingRow:
    """The heading of a section, with an icon in the colour of a token."""

    text: str
    glyph: str
    tone: str


@dataclass(frozen=True)
class NodeRow:
    """A node or text that changes."""

    title: str
    place: str = ""
    effect: str = ""
    key: str = ""
    """The id at the service, or the local key of a new node; empty for a text."""
    counts_answers: bool = False
    """Whether the number of answers is to be shown in place of `effect`."""


@dataclass(frozen=True)
class ValueRow:
    """The old and the new value of an attribute or text, side by side."""

    title: str
    before: str
    after: str


ChangeRow = HeadingRow | NodeRow | ValueRow


def change_rows(
    review: ContentReview,
    names: Mapping[str, str],
    *,
    is_done: bool = False,
    place: Callable[[NodePath], str] | None = None,
) -> tuple[ChangeRow, ...]:
    """The rows for the changes of a review, in sections.

    Args:
        review: the changes.
        names: the names of pages, which only designers see, by key.
        is_done: whether others have made the changes already.
        place: returns the text for a place; by default `place_text`.
    """
    return tuple(_Rows(review, names, place or place_text, is_done=is_done).rows())


def value_row(title: str, before: str, after: str) -> ValueRow:
    """The row for two values; of long ones, the part around the first difference is shown."""
    pairs = zip(before, after, strict=False)
    same = next((at for at, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))
    start = max(0, same - _CONTEXT) if max(len(before), len(after)) > _MAX_VALUE else 0
    ellipsis = "…" if start else ""
    shown = (ellipsis + truncate(text[start:], _MAX_VALUE) if text else "" for text in (before, after))
    old, new = (text or _("(empty)") for text in shown)
    return ValueRow(title, old, new)


def markup_row(title: str, before: str, after: str) -> ValueRow:
    """The row for two values in HTML: without the markup, unless only that differs."""
    old, new = _without_markup(before), _without_markup(after)
    return value_row(title, before, after) if old == new else value_row(title, old, new)


def text_title(attribute: str) -> str:
    """The title of a text besides the layout (`DetailTexts`), or of the dataset."""
    return _(_TEXT_TITLES[attribute])


def node_title(node: Node) -> str:
    """A node in a list: its type and its text."""
    if isinstance(node, InvalidNode):
        return _("Unreadable item")
    if not isinstance(node, Item):
        return _(_LEVEL_TITLES[_level_of(node)])
    title = _(type(node).title) if type(node).title else node.kind or _("Unknown item")
    text = " · ".join(filter(None, (" ".join(line.split()) for line in _text_of(node).splitlines())))
    return _("{type}, “{text}”").format(type=title, text=truncate(text)) if text else title


def place_text(path: NodePath) -> str:
    """The place of a node, such as `Page 2, row 3`, without numbers that are no choice."""
    column, item = path.column or None, path.item or None
    label = path._replace(column=column, item=item).label
    return label[:1].upper() + label[1:]


def item_place_text(path: NodePath) -> str:
    """The place of a node in a collection, where each item is in a row of its own: `Page 2, item 3`."""
    return place_text(NodePath(path.page, item=path.row) if path.row is not None else path)


def attribute_title(node: Node, name: str) -> str:
    """The title of an attribute; unknown ones have their name."""
    attribute = _attribute(node, name)
    title = _(attribute.title) if attribute else _("type") if name == "type" else name
    return title[:1].upper() + title[1:]


def value_text(node: Node, name: str, value: Json) -> str:
    """The value of an attribute as a text."""
    if name == "type" and isinstance(value, str) and value in ITEM_TYPES:
        return _(ITEM_TYPES[value].title)
    attribute = _attribute(node, name)
    if value is None and attribute is not None:
        value = attribute.default
    return "" if value is None else _plain_text(value, attribute)


class _Rows:
    """Creates the rows of one review."""

    def __init__(
        self,
        review: ContentReview,
        names: Mapping[str, str],
        place: Callable[[NodePath], str],
        *,
        is_done: bool,
    ) -> None:
        self._review, self._names, self._place_text, self._is_done = review, names, place, is_done
        created = review.layout.at_level(Level.PAGE, Change.ADDED)
        self._created_pages = {node.path_after.page for node in created if node.path_after is not None}

    def rows(self) -> Iterator[ChangeRow]:
        layout = self._review.layout
        created = [node for node in layout.nodes if node.before is None and self._is_shown(node)]
        removed = [node for node in layout.nodes if node.after is None and self._is_shown(node)]
        changed = [node for node in layout.nodes if node.before and node.after and _is_changed(node)]
        texts = [*self._text_rows()]
        if created:
            yield HeadingRow(self._created_text(len(created)), "plus-circle", "ok")
            yield from map(self._created_row, created)
        if removed:
            yield HeadingRow(self._removed_text(len(removed)), "minus-circle", "err")
            yield from map(self._removed_row, removed)
        if changed or texts:
            number_of_texts = sum(isinstance(row, NodeRow) for row in texts)
            count = len(changed) + number_of_texts
            yield HeadingRow(self._changed_text(count), "pencil-simple", "accent_text")
            yield from texts
            for node in changed:
                yield from self._changed_rows(node)
        unchanged = self._review.unchanged_items
        if unchanged:
            text = ngettext("{count} item stays as it is", "{count} items stay as they are", unchanged)
            yield HeadingRow(text.format(count=number(unchanged)), "check", "text2")

    def _created_text(self, count: int) -> str:
        text = ngettext("{count} will be created", "{count} will be created", count)
        if self._is_done:
            text = ngettext("{count} was created", "{count} were created", count)
        return text.format(count=number(count))

    def _removed_text(self, count: int) -> str:
        text = ngettext("{count} will be removed", "{count} will be removed", count)
        if self._is_done:
            text = ngettext("{count} was removed", "{count} were removed", count)
        return text.format(count=number(count))

    def _changed_text(self, count: int) -> str:
        text = ngettext("{count} will change", "{count} will change", count)
        if self._is_done:
            text = ngettext("{count} was changed", "{count} were changed", count)
        return text.format(count=number(count))

    def _is_shown(self, node: NodeComparison) -> bool:
        """Whether a created or removed node has a row.

        Rows and columns have one only if they contain no item, since items and pages show where they are. The
        items of a created page are counted in the row of the page.
        """
        element = node.after or node.before
        if node.level is Level.PAGE or element is None:
            return True
        if node.level is Level.ITEM:
            path = node.path_after
            return node.after is None or path is None or path.page not in self._created_pages
        return not any(isinstance(inner, Item) for inner in element.walk_all())

    def _created_row(self, node: NodeComparison) -> NodeRow:
        effect = _("new id")
        if isinstance(node.after, Page) and node.path_after is not None:
            return NodeRow(self._page_title(node.path_after, node.key), _items_in(node.after), effect)
        return NodeRow(_title(node.after), self._place(node.path_after), effect)

    def _removed_row(self, node: NodeComparison) -> NodeRow:
        is_page = isinstance(node.before, Page) and node.path_before is not None
        title = (
            self._page_title(node.path_before, node.key)
            if is_page and node.path_before
            else _title(node.before)
        )
        place = _items_in(node.before) if isinstance(node.before, Page) else self._place(node.path_before)
        counts = isinstance(node.before, Instruction)
        return NodeRow(title, _with_id(place, node.key), "", node.key, counts_answers=counts)

    def _changed_rows(self, node: NodeComparison) -> Iterator[ChangeRow]:
        element = node.after or node.before
        if element is None or node.path_after is None:
            return
        is_page = node.level is Level.PAGE
        title = self._page_title(node.path_after, node.key) if is_page else _title(element)
        effect = ""
        if node.is_moved and node.path_before is not None:
            effect = _("moved from {place}").format(place=self._place(node.path_before))
        place = "" if is_page else self._place(node.path_after)
        counts = isinstance(node.before, Instruction) and bool(node.attributes)
        yield NodeRow(title, _with_id(place, node.key), effect, node.key, counts_answers=counts)
        for change in node.attributes:
            yield attribute_row(node, element, change)

    def _text_rows(self) -> Iterator[ChangeRow]:
        for change in self._review.texts:
            yield NodeRow(text_title(change.attribute))
            is_html = change.attribute in HTML_TEXTS
            yield (markup_row if is_html else value_row)("", change.before, change.after)
        if self._review.datasets is not None:
            old, new = self._review.datasets
            yield NodeRow(text_title(DATASET))
            yield value_row("", old or _("none"), new or _("none"))

    def _place(self, path: NodePath | None) -> str:
        return "" if path is None else self._place_text(path)

    def _page_title(self, path: NodePath, key: str) -> str:
        name = self._names.get(key, "")
        return f"{place_text(path)}, {name}" if name else place_text(path)


def _is_changed(node: NodeComparison) -> bool:
    return node.is_moved or bool(node.attributes)


def attribute_row(node: NodeComparison, element: Node, change: AttributeChange) -> ValueRow:
    """The row for a changed attribute of a node; `element` is the node as it is later."""
    if not change.name:
        return value_row(_("Value"), as_text(change.before), as_text(change.after))
    before = value_text(node.before or element, change.name, change.before)
    after = value_text(element, change.name, change.after)
    if isinstance(element, RichText) and change.name == "content":
        return markup_row(attribute_title(element, change.name), before, after)
    return value_row(attribute_title(element, change.name), before, after)


def _title(node: Node | None) -> str:
    return "" if node is None else node_title(node)


def _with_id(place: str, key: str) -> str:
    return " · ".join(text for text in (place, abbreviated_id(key)) if text)


def _items_in(page: Node) -> str:
    count = sum(isinstance(node, Item) for node in page.walk_all())
    return ngettext("{count} item", "{count} items", count).format(count=number(count))


def _text_of(item: Item) -> str:
    if isinstance(item, Instruction):
        return item.description
    if isinstance(item, DatasetField):
        return item.field
    if isinstance(item, Image):
        return item.text("caption") or item.text("alt_text") or item.text("url")
    return _without_markup(item.text("content"))


def _without_markup(html: str) -> str:
    """The text of HTML, with a line for each paragraph, heading, and entry of a list."""
    without_blocks = _CELL_TAG.sub(" ", _BLOCK_TAG.sub("\n", " ".join(html.split())))
    lines = unescape(_TAG.sub("", without_blocks)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def _level_of(node: Node) -> Level:
    level = getattr(node, "level", Level.ITEM)
    return level if isinstance(level, Level) else Level.ITEM


def _attribute(node: Node, name: str) -> Attribute | None:
    attributes: Iterable[Attribute] = node.known_attributes if isinstance(node, Item) else (DISPLAY_POSITION,)
    return next((attribute for attribute in attributes if attribute.name == name), None)


def _plain_text(value: Json, attribute: Attribute | None) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if attribute is not None and attribute.kind is AttributeType.OBJECTS and is_array(value):
        return "\n".join(_entry_text(entry, attribute.nested) for entry in value)
    if attribute is not None and attribute.kind is AttributeType.OBJECT and is_object(value):
        return _members_text(value, attribute.nested)
    if is_array(value):
        return joined(map(as_text, value))
    return as_text(value)


def _entry_text(entry: Json, nested: Sequence[Attribute]) -> str:
    """An option or unit: its label, and its value in brackets."""
    if not is_object(entry):
        return as_text(entry)
    label = label_of(entry)
    rest = {
        name: value for name, value in entry.items() if name not in {"label", "value"} and value is not None
    }
    value = as_text(entry.get("value"))
    text = label if value == label else f"{label} ({value})"
    return f"{text}; {_members_text(rest, nested)}" if rest else text


def _members_text(members: Mapping[str, Json], nested: Sequence[Attribute]) -> str:
    titles = {attribute.name: attribute for attribute in nested}
    return joined(
        f"{_(titles[name].title) if name in titles else name}: {_plain_text(value, titles.get(name))}"
        for name, value in members.items()
        if value is not None
    )
