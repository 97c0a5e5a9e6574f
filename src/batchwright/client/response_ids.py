"""Extracting ids from responses: which resources a response mentions, as entries of the id registry."""

from collections.abc import Iterator
from functools import singledispatch
from urllib.parse import unquote

from batchwright.local.id_registry import RegisteredId, RemoteKind
from batchwright.wire.base import Body
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection
from batchwright.wire.datasets import Dataset, UploadUrl
from batchwright.wire.exports import ExportJob
from batchwright.wire.imports import ImportJob
from batchwright.wire.pagination import Listing
from batchwright.wire.participants import Participant

_RESOURCE_SEGMENT = 4
"""Index of the first path segment that identifies a resource, after `/api/v1/data-collection/`."""


class ParsedCall:
    """A request as `Transport` describes it, method and path, parsed into the segments of the path."""

    def __init__(self, call: str, connection: str, workspace_id: str) -> None:
        method, _space, path = call.partition(" ")
        self.is_create = method == "POST"
        self._connection, self._workspace_id = connection, workspace_id
        self._segments = [unquote(segment) for segment in path.split("/")[_RESOURCE_SEGMENT:]]

    def segment(self, index: int) -> str | None:
        """A path segment after `/api/v1/data-collection/`, counted from 0; None if the path is shorter."""
        return self._segments[index] if index < len(self._segments) else None

    def registered(
        self,
        kind: RemoteKind,
        id: str,
        name: str = "",
        *,
        was_made: bool = False,
        workspace_id: str = "",
        parent_id: str | None = None,
    ) -> RegisteredId:
        """Return a registry entry for a resource, by default in the workspace of the request."""
        where = workspace_id or self._workspace_id
        return RegisteredId(self._connection, kind, id, name, where, parent_id, was_made)


ID_BEARING_RESPONSES = (Dataset, Batch, Collection, UploadUrl, ImportJob, ExportJob, Participant, Listing)
"""The response models that contain ids."""


@singledispatch
def ids_in_response(response: Body, call: ParsedCall) -> Iterator[RegisteredId]:
    """Yield a registry entry for every resource that a response mentions."""
    yield from ()


@ids_in_response.register
def _by_dataset(response: Dataset, call: ParsedCall) -> Iterator[RegisteredId]:
    workspace_id = response.workspace_id
    yield call.registered(
        RemoteKind.DATASET, response.id, response.name, was_made=call.is_create, workspace_id=workspace_id
    )
    for job in response.imports or ():
        name = job.filename or ""
        yield call.registered(
            RemoteKind.IMPORT, job.import_id, name, workspace_id=workspace_id, parent_id=response.id
        )


@ids_in_response.register
def _by_batch(response: Batch, call: ParsedCall) -> Iterator[RegisteredId]:
    workspace_id = response.workspace_id
    yield call.registered(
        RemoteKind.BATCH, response.id, response.name, was_made=call.is_create, workspace_id=workspace_id
    )
    for dataset in response.datasets:
        yield call.registered(RemoteKind.DATASET, dataset.id, workspace_id=workspace_id)


@ids_in_response.register
def _by_collection(response: Collection, call: ParsedCall) -> Iterator[RegisteredId]:
    workspace_id = response.workspace_id
    yield call.registered(
        RemoteKind.COLLECTION, response.id, response.name, was_made=call.is_create, workspace_id=workspace_id
    )


@ids_in_response.register
def _by_upload_url(response: UploadUrl, call: ParsedCall) -> Iterator[RegisteredId]:
    """Each upload URL creates an import; its path ends with the name of the file (wire reference, 4.5)."""
    if response.import_id:
        dataset_id, name = call.segment(1), call.segment(3) or ""
        yield call.registered(
            RemoteKind.IMPORT, response.import_id, name, was_made=True, parent_id=dataset_id
        )


@ids_in_response.register
def _by_import(response: ImportJob, call: ParsedCall) -> Iterator[RegisteredId]:
    name = response.filename or ""
    yield call.registered(RemoteKind.IMPORT, response.import_id, name, parent_id=call.segment(1))


@ids_in_response.register
def _by_export(response: ExportJob, call: ParsedCall) -> Iterator[RegisteredId]:
    """A completed export may come without its id, which is then in the path, if anywhere.

    Wire reference, section 8.
    """
    export_id = response.export_id or call.segment(3)
    if export_id:
        yield call.registered(
            RemoteKind.EXPORT, export_id, was_made=call.is_create, parent_id=call.segment(1)
        )


@ids_in_response.register
def _by_participant(response: Participant, call: ParsedCall) -> Iterator[RegisteredId]:
    yield call.registered(RemoteKind.PARTICIPANT, response.participant_id, was_made=call.is_create)


@ids_in_response.register
def _by_listing(response: Listing, call: ParsedCall) -> Iterator[RegisteredId]:  # type: ignore[type-arg]  # dispatched at run time
    for entry in response.results:
        yield from ids_in_response(entry, call)
