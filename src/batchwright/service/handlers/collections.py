"""Collections, and the validation of their pages (specification, Collections; wire reference, section 10).

A page of a collection is converted to a page of a layout with one column, so that the same item rules and
participant pages apply.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import (
    DEEPEST,
    DEEPEST_WRAPPED,
    Json,
    JsonObject,
    is_array,
    is_object,
    json_equal,
    parse,
    to_json,
    too_deep,
)
from batchwright.layout.checking.validator import check_json
from batchwright.layout.collection_pages import PAGE_ITEMS, SERVER_ATTRIBUTES
from batchwright.layout.item_types.registry import RichText
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import SchemaUnavailable
from batchwright.layout.serialization import read_item, sequential_keys
from batchwright.layout.stored_form import as_html
from batchwright.service.clock import timestamp
from batchwright.service.handlers import responses as handlers_responses
from batchwright.service.http import lookups
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import page_params
from batchwright.service.http.precomputed import Precomputed
from batchwright.service.http.responses import bad_request, json_response
from batchwright.service.serializers.collection import RECORD_FORMAT, collection_record
from batchwright.service.serializers.response import collection_response
from batchwright.service.store import batches, collections
from batchwright.service.store.collections import StoredCollection
from batchwright.service.store.ids import new_id
from batchwright.wire.base import to_payload
from batchwright.wire.collections import (
    CollectionCreate,
    CollectionReplace,
    PageItemWrite,
    PageWrite,
    with_order,
)
from batchwright.wire.pagination import list_envelope
from batchwright.wire.responses import INSTRUCTION_TYPES


def create(request: ApiRequest) -> Response:
    """`POST /collections`: creates a collection, which is open to participants at once."""
    body = request.parse_body(CollectionCreate)
    workspace_id = lookups.workspace_for_collections(request, body.workspace_id)
    id = new_id()
    items = _validated_pages(request, body, id, ())
    with request.state.database.write(durable=True) as connection:
        collection = collections.add(
            connection,
            id=id,
            workspace_id=workspace_id,
            name=body.name,
            created_by=request.account.id,
            now=request.state.clock(),
            task_details=to_payload(body.task_details),
        )
        collection = _with_pages(connection, collection, items)
        return json_response(collection_record(collection), HTTPStatus.CREATED)


def list_all(request: ApiRequest) -> Response:
    """`GET /collections?workspace_id=`: the collections of a workspace with their pages, newest first."""
    workspace_id = lookups.workspace_for_collections(request, request.require_query("workspace_id"))
    params = page_params(request)
    with request.state.database.read() as connection:
        stored = collections.of_workspace(connection, workspace_id, limit=params.limit, offset=params.offset)
        count = batches.count_in(connection, workspace_id, is_collection=True)
    return json_response(list_envelope([collection_record(collection) for collection in stored], count))


def get(request: ApiRequest) -> Response:
    """`GET /collections/{collection_id}`: one collection."""
    with request.state.database.read() as connection:
        return json_response(collection_record(lookups.collection_of(request, connection)))


def replace(request: ApiRequest) -> Response:
    """`PUT /collections/{collection_id}`: replaces a collection; absent pages and items are deleted."""
    body = request.parse_body(CollectionReplace)
    validate = Precomputed(partial(_validated_pages, request, body))
    with request.state.database.read() as connection:
        collection = lookups.collection_of(request, connection)
    validate(collection.study.id, collection.items)
    with request.state.database.write(durable=True) as connection:
        collection = collections.rename(
            connection,
            lookups.collection_to_change(request, connection),
            name=body.name,
            task_details=to_payload(body.task_details),
            modified_by=request.account.id,
            now=request.state.clock(),
        )
        items = validate(collection.study.id, collection.items)
        return json_response(collection_record(_with_pages(connection, collection, items)))


def responses(request: ApiRequest) -> Response:
    """`GET /collections/{collection_id}/responses`: the responses, newest first."""
    with request.state.database.read() as connection:
        study = lookups.collection_of(request, connection).study
    return handlers_responses.list_response(
        request, study, lambda _connection: partial(collection_response, study.id)
    )


def _validated_pages(
    request: ApiRequest, body: CollectionReplace, id: str, before: Sequence[Json]
) -> list[Json]:
    """The pages of a request as responses return them; pages and items from `before` keep their ids."""
    audit = AuditInfo(id, request.account.id, timestamp(request.state.clock()))
    return validate_and_assign_ids(body.collection_items, before, audit)


def _with_pages(connection: Connection, collection: StoredCollection, items: list[Json]) -> StoredCollection:
    """Store the pages of a collection.

    Participants see them from now on. Those who have started must start again, unless the pages look the
    same to them.
    """
    layout = participant_layout(items)
    before = collection.study.live_items
    is_new = before is None or not json_equal(parse(before, DEEPEST_WRAPPED), parse(layout, DEEPEST_WRAPPED))
    return collections.set_pages(connection, collection, items, layout if is_new else None)


_SERVER_ATTRIBUTES = SERVER_ATTRIBUTES | {"id", PAGE_ITEMS}
"""Attributes of a page or item that are not its own; a client may send them back, and they are ignored."""


@dataclass(frozen=True)
class AuditInfo:
    """Who writes the pages, when (as text for responses), and to which collection."""

    collection_id: str
    created_by: str
    created_at: str


def validate_and_assign_ids(
    pages: Sequence[PageWrite], before: Sequence[Json], audit: AuditInfo
) -> list[Json]:
    """The pages of a request in their order, as responses return them.

    An entry with an id keeps it; an entry without one is new and gets one (specification, Collections).

    Raises:
        HttpError: an item breaks a rule, or an id is unknown or used twice (400).
    """
    stored = {str(entry["id"]): entry for entry in _entries(before)}
    _reject([*_unknown_ids(pages, stored), *_too_deep(pages), *_problems(pages)])
    writer = _Writer(stored, audit)
    return [writer.page(order, page) for order, page in with_order(pages)]


def participant_layout(items: Sequence[Json]) -> str:
    """The layout that participants see: every page as one column (wire reference, section 6)."""
    return to_json(
        [
            {
                "id": page["id"],
                **_single_column_page(
                    [{"id": item["id"], **_own_attributes(item)} for item in _items_of(page)]
                ),
            }
            for page in items
            if is_object(page)
        ]
    )


class _Writer:
    """Writes pages and items with the attributes that the service sets (wire reference, section 10.1)."""

    def __init__(self, before: Mapping[str, JsonObject], audit: AuditInfo) -> None:
        self._before = before
        self._audit = audit

    def page(self, order: int, page: PageWrite) -> JsonObject:
        id, audit = self._audit_attributes(page.id)
        return {
            **audit,
            "schema_version": RECORD_FORMAT,
            "order": order,
            **_own_attributes(to_payload(page)),
            "page_items": [self._item(id, path, item) for path, item in with_order(page.page_items)],
        }

    def _item(self, page_id: str, order: int, item: PageItemWrite) -> JsonObject:
        _id, audit = self._audit_attributes(item.id)
        is_instruction = item.type in INSTRUCTION_TYPES
        return {
            **audit,
            "parent_id": self._audit.collection_id if is_instruction else page_id,
            "parent_type": "collection",
            **({} if is_instruction else {"schema_version": RECORD_FORMAT}),
            "order": order,
            **_with_html(_own_attributes(to_payload(item))),
        }

    def _audit_attributes(self, id: str | None) -> tuple[str, dict[str, Json]]:
        """The id of a page or item, and its id, creator and creation time as attributes."""
        before = self._before.get(id) if id is not None else None
        if before is None or id is None:
            id = new_id()
            return id, {
                "id": id,
                "created_at": self._audit.created_at,
                "created_by": self._audit.created_by,
            }
        return id, {name: before[name] for name in ("id", "created_at", "created_by")}


def _with_html(attributes: JsonObject) -> JsonObject:
    """The attributes of an item, with rich text converted to HTML."""
    item = read_item(attributes, sequential_keys())
    if not isinstance(item, RichText):
        return attributes
    html = as_html(item) if item.format == "markdown" else item
    return html.without_attributes("content_format").attributes


def _unknown_ids(pages: Sequence[PageWrite], before: Mapping[str, JsonObject]) -> Iterator[str]:
    message = _("The id does not belong to this collection. Remove it to get a new one.")
    for path, entry in _entries_with_path(pages):
        if entry.id is not None and entry.id not in before:
            yield _with_path(path, message)


def _too_deep(pages: Sequence[PageWrite]) -> Iterator[str]:
    """Messages for entries nested deeper than a stored layout can be parsed."""
    for path, entry in _entries_with_path(pages):
        if too_deep(_own_attributes(to_payload(entry)), DEEPEST):
            yield _with_path(path, _("This is nested too deeply."))


def _problems(pages: Sequence[PageWrite]) -> Iterator[str]:
    """Messages of the layout rules that reject a request, here all with 400 (wire reference, 10.2)."""
    layout: list[Json] = [
        {
            "id": page.id,
            **_single_column_page(
                [{"id": item.id, **_own_attributes(to_payload(item))} for item in page.page_items]
            ),
        }
        for page in pages
    ]
    for problem in check_json(layout, SchemaUnavailable.COLLECTION):
        if problem.rejection is not None:
            path = NodePath(problem.path.page, item=problem.path.item)
            yield _with_path(path, problem.message)


def _reject(messages: Iterable[str]) -> None:
    distinct = list(dict.fromkeys(messages))
    if distinct:
        raise bad_request({"collection_items": distinct})


def _with_path(path: NodePath, message: str) -> str:
    return f"{path.label}: {message}" if path.indices else message


def _entries_with_path(pages: Sequence[PageWrite]) -> Iterator[tuple[NodePath, PageWrite | PageItemWrite]]:
    for p, page in enumerate(pages):
        yield NodePath(p), page
        for i, item in enumerate(page.page_items):
            yield NodePath(p, item=i), item


def _entries(items: Sequence[Json]) -> Iterator[JsonObject]:
    """Every page and item of stored pages."""
    for page in items:
        if is_object(page):
            yield page
            yield from _items_of(page)


def _items_of(page: JsonObject) -> Iterator[JsonObject]:
    items = page.get("page_items")
    return (item for item in (items if is_array(items) else ()) if is_object(item))


def _own_attributes(entry: JsonObject) -> JsonObject:
    """The attributes of a page or item without those that the service sets."""
    return {name: value for name, value in entry.items() if name not in _SERVER_ATTRIBUTES}


def _single_column_page(items: list[JsonObject]) -> JsonObject:
    return {"rows": [{"columns": [{"items": items}]}]}
