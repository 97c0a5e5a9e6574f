"""Collections (specification, Collections; wire reference, section 10)."""

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
from batchwright.service.http.body_preparation import Precomputed
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.pagination import page_params
from batchwright.service.http.responses import json_response
from batchwright.service.serializers.collection import collection_record
from batchwright.service.serializers.response import collection_response
from batchwright.service.store import batches, collections
from batchwright.service.store.collections import StoredCollection
from batchwright.service.store.ids import new_id
from batchwright.wire.base import to_payload
from batchwright.wire.collections import CollectionCreate, CollectionReplace
from batchwright.wire.pagination import list_envelope


def create(request: ApiRequest) -> Response:
    """`POST /collections`: creates a collection, which is open to participants at once."""
    body = request.parse_body(CollectionCreate)
    workspace_id = lookups.workspace_for_collections(request, body.workspace_id)
    id = new_id()
    items = _items(request, body, id, ())
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
    validate = Precomputed(partial(_items, request, body))
    with request.state.database.read() as connection:
        collection = lookups.collection_of(request, connection)
    validate(collection.study.id, collection.items)
    with request.state.database.write(durable=True) as connection:
        collection = collections.rename(
            connection,
            lookups.collection_of(request, connection),
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


def _items(request: ApiRequest, body: CollectionReplace, id: str, before: Sequence[Json]) -> list[Json]:
    """The pages of a request as responses return them; pages and items from `before` keep their ids."""
    audit = AuditInfo(id, request.account.id, timestamp(request.state.clock()))
    return collection_intake.validate_and_assign_ids(body.collection_items, before, audit)


def _with_pages(connection: Connection, collection: StoredCollection, items: list[Json]) -> StoredCollection:
    """Store the pages of a collection.

    Participants see them from now on. Those who have started must start again, unless the pages look the
    same to them.
    """
    shown = collection_intake.participant_layout(items)
    before = collection.study.live_items
    is_new = before is None or not json_equal(parse(before, DEEPEST_WRAPPED), parse(shown, DEEPEST_WRAPPED))
    return collections.set_pages(connection, collection, items, shown if is_new else None)
