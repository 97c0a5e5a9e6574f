"""Collecting: answers, report and export are fetched into a folder, whole or not at all."""

from gettext import gettext as _
from pathlib import Path

from batchwright.api.errors import Expired
from batchwright.jobs.sights import JobKind
from batchwright.local.register import Kind
from batchwright.local.whole_files import write_whole
from batchwright.records.json_values import render
from batchwright.wire.bodies import payload
from batchwright.wire.exports import ExportJob, ExportStatus
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.workbench import Workbench

_ADDRESSES = 3
"""How many addresses are asked for before a file counts as not to be had."""


class NotExported(Exception):
    """The service could not make the export; asking again starts another (specification, Export job)."""


async def collect_responses(bench: Workbench, batch_id: str, path: Path) -> tuple[ResponseRecord, ...]:
    """Every response record of a batch (wire.md 7.1), also written to `path` as a JSON array."""
    records = (await bench.service.batches.responses(batch_id)).results
    write_whole(path, f"{render([payload(record) for record in records], indent=1)}\n".encode())
    return records


async def collect_report(bench: Workbench, batch_id: str, path: Path) -> None:
    """The report of a batch (wire.md 7.2, 7.3), put at `path`."""
    for left in reversed(range(_ADDRESSES)):
        report = await bench.service.batches.report(batch_id)
        try:
            await bench.service.transfers.download(report.url, path)
        except Expired:
            if not left:
                raise
        else:
            return


async def collect_export(bench: Workbench, batch_id: str, path: Path) -> None:
    """The export of a batch (wire.md 8), waited for and put at `path`.

    Raises:
        NotExported: the service could not make it.
        ApiError: a request failed for good.
    """
    for left in reversed(range(_ADDRESSES)):
        url = await _export_address(bench, batch_id)
        try:
            await bench.service.transfers.download(url, path)
        except Expired:
            if not left:
                raise
            bench.tell(_("The address of the export has expired; asking for a new one."))
        else:
            return


async def _export_address(bench: Workbench, batch_id: str) -> str:
    job = await bench.service.exports.start(batch_id)
    if job.export_id:
        await bench.memory.keep(Kind.EXPORT, job.export_id, parent_id=batch_id)
    if not job.settled:
        job = await _exported(bench, batch_id, job.export_id or "")
    if job.status != ExportStatus.COMPLETE or job.url is None:
        raise NotExported(job.status)
    return job.url


async def _exported(bench: Workbench, batch_id: str, export_id: str) -> ExportJob:
    subject = {"batch_id": batch_id, "export_id": export_id}
    async for _sight in bench.watching.sights(JobKind.EXPORT, subject, _("Export")):
        pass
    return await bench.service.exports.get(batch_id, export_id)
