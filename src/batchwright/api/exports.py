"""Exports of batches: a ZIP archive of every answer and every uploaded file (wire.md 8)."""

from batchwright.api.addresses import segment
from batchwright.api.transport import Transport
from batchwright.wire.exports import ExportJob


class Exports:
    """Calls about the exports of batches."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def start(self, batch_id: str) -> ExportJob:
        """Ask for an export: the job that makes it, or the finished archive's address.

        May be repeated, since a service answers with the export that it has (specification, Batches rule 9).

        Raises:
            NoAccess: the batch is in a workspace of others.
        """
        return await self._transport.send("POST", _path(batch_id), into=ExportJob, repeatable=True)

    async def get(self, batch_id: str, export_id: str) -> ExportJob:
        """How far an export has come; when complete, with a fresh address to download it from."""
        return await self._transport.send("GET", f"{_path(batch_id)}/{segment(export_id)}", into=ExportJob)


def _path(batch_id: str) -> str:
    return f"/api/v1/data-collection/batches/{segment(batch_id)}/export"
