"""Bringing data the older way: a V3 dataset is made, a file is sent to it, and its reading is watched."""

from pathlib import Path

from batchwright.base.i18n import _
from batchwright.client.checkpoint import Trail
from batchwright.client.context import Workbench
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.resilient_run import Waits
from batchwright.wire.datasets import (
    V3_EXTENSIONS,
    Dataset,
    DatasetCreate,
    DatasetState,
    DatasetStatus,
    UploadUrl,
)
from batchwright.workflows.create_dataset import dataset_of
from batchwright.workflows.send_to_dataset import see_that_taken, send_to_dataset
from batchwright.workflows.upload_dataset import NOBODY, Onlooker


class NotRead(Exception):
    """A file was sent and the service could not use it; `state` is the dataset's as it was last seen."""

    def __init__(self, state: DatasetState) -> None:
        super().__init__(state.reason or state.status)
        self.state = state


async def bring_v3_data(
    bench: Workbench,
    trail: Trail,
    name: str,
    path: Path,
    onlooker: Onlooker = NOBODY,
    waits: Waits | None = None,
) -> Dataset:
    """A new V3 dataset with the rows of a CSV file, or of one in a ZIP archive (Datasets rule 2).

    For workspaces without V4 datasets. When it was begun before and stopped, it goes on where it was: `trail`
    knows the dataset, whose status tells whether the file has arrived. While the file is on its way the
    network is waited for, as `outlasting` does.

    Raises:
        Unreadable: no V3 dataset takes a file of its name; nothing was made.
        NotRead: the service could not use the file; doing it again makes another dataset.
        NotStarted: the service did not start to read the file; begun again, it is sent to the same dataset.
        LostSight: the reading goes on, and cannot be seen at the moment.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    see_that_taken(path, V3_EXTENSIONS)
    wanted = DatasetCreate(name=name, workspace_id=bench.workspace_id)
    dataset = await dataset_of(bench, trail, wanted)
    onlooker.made(dataset)
    if not await _has_file(bench, dataset.id):
        await _send(bench, dataset.id, path, onlooker, waits)
        bench.tell(_("Sent {name}.").format(name=path.name))
    subject = {"dataset_id": dataset.id}
    if not await bench.watching.has_seen_end(JobKind.PROCESSING, subject):
        async for sight in bench.watching.started(JobKind.PROCESSING, subject, path.name):
            onlooker.seen(sight)
            if sight.is_late:
                said = _("{name} was sent; the service has not started to read it.")
                bench.tell(said.format(name=path.name))
    state = await bench.service.datasets.status(dataset.id)
    if state.status != DatasetStatus.READY:
        await trail.end()
        raise NotRead(state)
    dataset = await bench.service.datasets.get(dataset.id)
    await trail.end()
    return dataset


async def _has_file(bench: Workbench, dataset_id: str) -> bool:
    return (await bench.service.datasets.status(dataset_id)).status != DatasetStatus.UNINITIALISED


async def _send(
    bench: Workbench, dataset_id: str, path: Path, onlooker: Onlooker, waits: Waits | None
) -> None:
    async def ask(bench: Workbench) -> UploadUrl:
        return await bench.service.datasets.upload_url(dataset_id, path.name)

    async def has_arrived(bench: Workbench, _address: UploadUrl) -> bool:
        return await _has_file(bench, dataset_id)

    await send_to_dataset(bench, dataset_id, path, ask, has_arrived, onlooker.moved, waits)
