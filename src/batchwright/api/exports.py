"""Exports of batches and collections: a ZIP archive of all answers and uploaded files (wire reference, 8)."""

from batchwright.api import batches, collections
from batchwright.api.response_parsing import RequestTarget
from batchwright.api.transport import Transport
from batchwright.api.urls import segment
from batchwright.base.i18n import _
from batchwright.wire.exports import ExportJob


class Exports:
    """Calls about the exports of batches, and, alike, of collections."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def start(self, batch_id: str) -> ExportJob:
        """Ask for an export: the job that makes it, or the finished archive's address.

        May be repeated, since a service answers with the export that it has (specification, Batches rule 9).

        Raises:
            Forbidden: the batch is in a workspace of others.
        """
        return await self._start(_path(batch_id), batches.batch_target(batch_id))

    async def get(self, batch_id: str, export_id: str) -> ExportJob:
        """How far an export has come; when complete, with a fresh address to download it from."""
        return await self._get(_path(batch_id), export_id)

    async def start_of_collection(self, collection_id: str) -> ExportJob:
        """As `start`, of a collection.

        Raises:
            Forbidden: the collection is in a workspace of others.
        """
        return await self._start(_path(collection_id, "collections"), collections.named(collection_id))

    async def get_of_collection(self, collection_id: str, export_id: str) -> ExportJob:
        """As `get`, of a collection."""
        return await self._get(_path(collection_id, "collections"), export_id)

    async def _start(self, path: str, sought: RequestTarget) -> ExportJob:
        return await self._transport.send("POST", path, into=ExportJob, repeatable=True, sought=sought)

    async def _get(self, path: str, export_id: str) -> ExportJob:
        sought = RequestTarget(_("export {id}").format(id=export_id))
        return await self._transport.send(
            "GET", f"{path}/{segment(export_id)}", into=ExportJob, sought=sought
        )


def _path(parent_id: str, parents: str = "batches") -> str:
    return f"/api/v1/data-collection/{parents}/{segment(parent_id)}/export"
