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

    def segment(self, place: int) -> str | None:
        """A path segment after `/api/v1/data-collection/`, counted from 0; None if the path is shorter."""
        return self._segments[place] if place < len(self._segments) else None

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
def ids_in_response(answer: Body, call: ParsedCall) -> Iterator[RegisteredId]:
    """Yield a registry entry for every resource that a response mentions."""
    yield from ()


@ids_in_response.register
def _by_dataset(answer: Dataset, call: ParsedCall) -> Iterator[RegisteredId]:
    where = answer.workspace_id
    yield call.registered(
        RemoteKind.DATASET, answer.id, answer.name, was_made=call.is_create, workspace_id=where
    )
    for job in answer.imports or ():
        name = job.filename or ""
        yield call.registered(RemoteKind.IMPORT, job.import_id, name, workspace_id=where, parent_id=answer.id)


@ids_in_response.register
def _by_batch(answer: Batch, call: ParsedCall) -> Iterator[RegisteredId]:
    where = answer.workspace_id
    yield call.registered(
        RemoteKind.BATCH, answer.id, answer.name, was_made=call.is_create, workspace_id=where
    )
    for dataset in answer.datasets:
        yield call.registered(RemoteKind.DATASET, dataset.id, workspace_id=where)


@ids_in_response.register
def _by_collection(answer: Collection, call: ParsedCall) -> Iterator[RegisteredId]:
    where = answer.workspace_id
    yield call.registered(
        RemoteKind.COLLECTION, answer.id, answer.name, was_made=call.is_create, workspace_id=where
    )


@ids_in_response.register
def _by_upload_url(answer: UploadUrl, call: ParsedCall) -> Iterator[RegisteredId]:
    """Each upload URL creates an import; its path ends with the name of the file (wire reference, 4.5)."""
    if answer.import_id:
        dataset_id, name = call.segment(1), call.segment(3) or ""
        yield call.registered(RemoteKind.IMPORT, answer.import_id, name, was_made=True, parent_id=dataset_id)


@ids_in_response.register
def _by_import(answer: ImportJob, call: ParsedCall) -> Iterator[RegisteredId]:
    name = answer.filename or ""
    yield call.registered(RemoteKind.IMPORT, answer.import_id, name, parent_id=call.segment(1))


@ids_in_response.register
def _by_export(answer: ExportJob, call: ParsedCall) -> Iterator[RegisteredId]:
    """A completed export may come without its id, which is then in the path, if anywhere.

    Wire reference, section 8.
    """
    export_id = answer.export_id or call.segment(3)
    if export_id:
        yield call.registered(
            RemoteKind.EXPORT, export_id, was_made=call.is_create, parent_id=call.segment(1)
        )


@ids_in_response.register
def _by_participant(answer: Participant, call: ParsedCall) -> Iterator[RegisteredId]:
    yield call.registered(RemoteKind.PARTICIPANT, answer.participant_id, was_made=call.is_create)


@ids_in_response.register
def _by_listing(answer: Listing, call: ParsedCall) -> Iterator[RegisteredId]:  # type: ignore[type-arg]  # dispatched at run time
    for entry in answer.results:
        yield from ids_in_response(entry, call)
