"""Calls about exports of batches and collections: ZIP archives of answers (wire reference, section 8)."""

from batchwright.api.http.response_parsing import RequestTarget
from batchwright.api.http.transport import Transport
from batchwright.api.http.urls import segment
from batchwright.api.resources import batches, collections
from batchwright.base.i18n import _
from batchwright.wire.exports import ExportJob


class Exports:
    """Calls about the exports of batches and collections, which work alike."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def start(self, batch_id: str) -> ExportJob:
        """Request an export: returns the job that creates it, or the URL of an archive that exists already.

        Safe to repeat: a service returns the export that it has (specification, Batches rule 9).

        Raises:
            Forbidden: the batch is in a workspace the token has no access to.
        """
        return await self._start(_path(batch_id), batches.batch_target(batch_id))

    async def get(self, batch_id: str, export_id: str) -> ExportJob:
        """Fetch the status of an export; when complete, with a new URL to download it from."""
        return await self._get(_path(batch_id), export_id)

    async def start_of_collection(self, collection_id: str) -> ExportJob:
        """Like `start`, for a collection.

        Raises:
            Forbidden: the collection is in a workspace the token has no access to.
        """
        return await self._start(
            _path(collection_id, "collections"), collections.collection_target(collection_id)
        )

    async def get_of_collection(self, collection_id: str, export_id: str) -> ExportJob:
        """Like `get`, for a collection."""
        return await self._get(_path(collection_id, "collections"), export_id)

    async def _start(self, path: str, target: RequestTarget) -> ExportJob:
        return await self._transport.send("POST", path, model=ExportJob, repeatable=True, target=target)

    async def _get(self, path: str, export_id: str) -> ExportJob:
        target = RequestTarget(_("export {id}").format(id=export_id))
        return await self._transport.send(
            "GET", f"{path}/{segment(export_id)}", model=ExportJob, target=target
        )


def _path(parent_id: str, parents: str = "batches") -> str:
    return f"/api/v1/data-collection/{parents}/{segment(parent_id)}/export"
