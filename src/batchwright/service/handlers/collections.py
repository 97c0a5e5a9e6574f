"""Collections (specification, Collections; wire.md 10)."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.json_values import DEEPEST_WRAPPED, Json, json_equal, parse
from batchwright.service import collection_intake
from batchwright.service.clock import timestamp
from batchwright.service.collection_intake import AuditInfo
from batchwright.service.handlers import responses as handlers_responses
from batchwright.service.http import lookups
from batchwright.service.http.body_preparation import Ahead
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import slice_of
from batchwright.service.http.responses import json_response
from batchwright.service.serializers.collection import collection_record
from batchwright.service.serializers.response import collection_response
from batchwright.service.store import batches, collections
from batchwright.service.store.collections import StoredCollection
from batchwright.service.store.ids import new_id
from batchwright.wire.base import to_payload
from batchwright.wire.collections import CollectionCreate, CollectionReplace
from batchwright.wire.pagination import list_envelope


def create(call: ApiRequest) -> Response:
    """`POST /collections`: participants can come at once (specification, What the service does 3)."""
    asked = call.read(CollectionCreate)
    workspace_id = lookups.workspace_for_collections(call, asked.workspace_id)
    id = new_id()
    items = _items(call, asked, id, ())
    with call.parts.database.write(durable=True) as connection:
        collection = collections.add(
            connection,
            id=id,
            workspace_id=workspace_id,
            name=asked.name,
            created_by=call.account.id,
            now=call.parts.clock(),
            task_details=to_payload(asked.task_details),
        )
        collection = _with_pages(connection, collection, items)
        return json_response(collection_record(collection), HTTPStatus.CREATED)


def list_all(call: ApiRequest) -> Response:
    """`GET /collections?workspace_id=`: the newest first, in full (wire.md 10.1)."""
    workspace_id = lookups.workspace_for_collections(call, call.required("workspace_id"))
    cut = slice_of(call)
    with call.parts.database.read() as connection:
        found = collections.of_workspace(connection, workspace_id, limit=cut.limit, offset=cut.offset)
        count = batches.count_in(connection, workspace_id, is_collection=True)
    return json_response(list_envelope([collection_record(collection) for collection in found], count))


def get(call: ApiRequest) -> Response:
    """`GET /collections/{collection_id}`."""
    with call.parts.database.read() as connection:
        return json_response(collection_record(lookups.collection_of(call, connection)))


def replace(call: ApiRequest) -> Response:
    """`PUT /collections/{collection_id}`: everything is given, what is left out is deleted."""
    asked = call.read(CollectionReplace)
    items_ahead = Ahead(partial(_items, call, asked))
    with call.parts.database.read() as connection:
        collection = lookups.collection_of(call, connection)
    items_ahead(collection.study.id, collection.items)
    with call.parts.database.write(durable=True) as connection:
        collection = collections.rename(
            connection,
            lookups.collection_of(call, connection),
            name=asked.name,
            task_details=to_payload(asked.task_details),
            modified_by=call.account.id,
            now=call.parts.clock(),
        )
        items = items_ahead(collection.study.id, collection.items)
        return json_response(collection_record(_with_pages(connection, collection, items)))


def responses(call: ApiRequest) -> Response:
    """`GET /collections/{collection_id}/responses`: the newest first (wire.md 10.3)."""
    with call.parts.database.read() as connection:
        study = lookups.collection_of(call, connection).study
    return handlers_responses.listing(call, study, lambda _connection: partial(collection_response, study.id))


def _items(call: ApiRequest, asked: CollectionReplace, id: str, before: Sequence[Json]) -> list[Json]:
    """The pages of a request as answers show them; those `before` keep their ids."""
    making = AuditInfo(id, call.account.id, timestamp(call.parts.clock()))
    return collection_intake.validate_and_assign_ids(asked.collection_items, before, making)


def _with_pages(connection: Connection, collection: StoredCollection, items: list[Json]) -> StoredCollection:
    """The collection with these pages.

    Participants are shown them from now on. Those who are in the middle begin anew, unless what
    they see is the same.
    """
    shown = collection_intake.participant_layout(items)
    before = collection.study.live_items
    is_new = before is None or not json_equal(parse(before, DEEPEST_WRAPPED), parse(shown, DEEPEST_WRAPPED))
    return collections.set_pages(connection, collection, items, shown if is_new else None)
