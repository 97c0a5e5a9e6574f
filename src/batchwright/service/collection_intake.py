"""Pages of collections as they are taken in: checked, put in order, given ids (wire.md 10).

A page of a collection is shown as a page of a layout with one column, so the rules for items, and
everything that shows them to participants, are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST, Json, JsonObject, is_array, is_object, to_json, too_deep
from batchwright.layout.item_types.registry import DatasetField, RichText
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem, SchemaUnavailable
from batchwright.layout.serialization import read_item, sequential_keys
from batchwright.layout.stored_form import as_html
from batchwright.layout.validator import check_json
from batchwright.service.http.responses import bad_request
from batchwright.service.serializers.collection import RECORD_FORMAT
from batchwright.service.store.ids import new_id
from batchwright.wire.base import to_payload
from batchwright.wire.collections import PageItemWrite, PageWrite, with_order
from batchwright.wire.responses import INSTRUCTION_TYPES

_OURS = frozenset(
    {"id", "order", "created_at", "created_by", "parent_id", "parent_type", "schema_version", "page_items"}
)
"""What an answer says of a page or item beside what it is; a client may echo it, and it is not heard."""


@dataclass(frozen=True)
class AuditInfo:
    """Who writes pages, when (as answers tell it), and of which collection."""

    collection_id: str
    created_by: str
    created_at: str


def validate_and_assign_ids(
    asked: Sequence[PageWrite], before: Sequence[Json], making: AuditInfo
) -> list[Json]:
    """The pages of a request as answers show them, in their order.

    What names its id is kept with it, what has none is new (specification, Collections).

    Raises:
        HttpError: an item breaks a rule, or an id is foreign or stands twice (400).
    """
    kept = {str(entry["id"]): entry for entry in _entries(before)}
    _refuse([*_foreign(asked, kept), *_too_deep(asked), *_broken(asked)])
    writer = _Writer(kept, making)
    return [writer.page(order, page) for order, page in with_order(asked)]


def participant_layout(items: Sequence[Json]) -> str:
    """The layout that participants see: every page as one column (wire.md 6)."""
    return to_json(
        [
            {"id": page["id"], **_one_column([{"id": item["id"], **_said(item)} for item in _items(page)])}
            for page in items
            if is_object(page)
        ]
    )


class _Writer:
    """Writes pages and items with what answers say of each (wire.md 10.1)."""

    def __init__(self, kept: Mapping[str, JsonObject], making: AuditInfo) -> None:
        self._kept = kept
        self._making = making

    def page(self, order: int, page: PageWrite) -> JsonObject:
        id, made = self._made(page.id)
        return {
            **made,
            "schema_version": RECORD_FORMAT,
            "order": order,
            **_said(to_payload(page)),
            "page_items": [self._item(id, place, item) for place, item in with_order(page.page_items)],
        }

    def _item(self, page_id: str, order: int, item: PageItemWrite) -> JsonObject:
        _id, made = self._made(item.id)
        is_instruction = item.type in INSTRUCTION_TYPES
        return {
            **made,
            "parent_id": self._making.collection_id if is_instruction else page_id,
            "parent_type": "collection",
            **({} if is_instruction else {"schema_version": RECORD_FORMAT}),
            "order": order,
            **_with_html(_said(to_payload(item))),
        }

    def _made(self, id: str | None) -> tuple[str, dict[str, Json]]:
        """The id of a page or item, with who made it and when."""
        before = self._kept.get(id) if id is not None else None
        if before is None or id is None:
            id = new_id()
            return id, {
                "id": id,
                "created_at": self._making.created_at,
                "created_by": self._making.created_by,
            }
        return id, {name: before[name] for name in ("id", "created_at", "created_by")}


def _with_html(said: JsonObject) -> JsonObject:
    """What an item says, formatted text always as HTML."""
    item = read_item(said, sequential_keys())
    if not isinstance(item, RichText):
        return said
    html = as_html(item) if item.format == "markdown" else item
    return html.without_attributes("content_format").attributes


def _foreign(asked: Sequence[PageWrite], kept: Mapping[str, JsonObject]) -> Iterator[str]:
    sentence = _("The id does not belong to this collection. Take it away to have a new one given.")
    for place, entry in _placed_entries(asked):
        if entry.id is not None and entry.id not in kept:
            yield _at(place, sentence)


def _too_deep(asked: Sequence[PageWrite]) -> Iterator[str]:
    """Deeper than a layout could be read again that holds it."""
    for place, entry in _placed_entries(asked):
        if too_deep(_said(to_payload(entry)), DEEPEST):
            yield _at(place, _("This is nested too deep."))


def _broken(asked: Sequence[PageWrite]) -> Iterator[str]:
    """What the rules for layouts refuse, here all of it with 400 (wire.md 10.2)."""
    pages: list[Json] = [
        {
            "id": page.id,
            **_one_column([{"id": item.id, **_said(to_payload(item))} for item in page.page_items]),
        }
        for page in asked
    ]
    for problem in check_json(pages, SchemaUnavailable.NONE):
        if problem.rejection is not None:
            place = NodePath(problem.path.page, item=problem.path.item)
            yield _at(place, _sentence(problem))


def _sentence(problem: Problem) -> str:
    if problem.item_type == DatasetField.type:
        return _("A collection has no dataset, so it cannot show a dataset field. Remove this item.")
    return problem.message


def _refuse(sentences: Iterable[str]) -> None:
    told = list(dict.fromkeys(sentences))
    if told:
        raise bad_request({"collection_items": told})


def _at(place: NodePath, sentence: str) -> str:
    return f"{place.label}: {sentence}" if place.indices else sentence


def _placed_entries(asked: Sequence[PageWrite]) -> Iterator[tuple[NodePath, PageWrite | PageItemWrite]]:
    for p, page in enumerate(asked):
        yield NodePath(p), page
        for i, item in enumerate(page.page_items):
            yield NodePath(p, item=i), item


def _entries(items: Sequence[Json]) -> Iterator[JsonObject]:
    """Every page and item of stored pages."""
    for page in items:
        if is_object(page):
            yield page
            yield from _items(page)


def _items(page: JsonObject) -> Iterator[JsonObject]:
    listed = page.get("page_items")
    return (item for item in (listed if is_array(listed) else ()) if is_object(item))


def _said(entry: JsonObject) -> JsonObject:
    """What a page or item says itself."""
    return {name: value for name, value in entry.items() if name not in _OURS}


def _one_column(items: list[JsonObject]) -> JsonObject:
    return {"rows": [{"columns": [{"items": items}]}]}
