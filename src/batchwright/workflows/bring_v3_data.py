"""Bringing data the older way: a V3 dataset is made, a file is sent to it, and its reading is watched."""

from pathlib import Path

from batchwright.api.errors import Expired, Unsure
from batchwright.jobs.sights import JobKind
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetState, DatasetStatus, upload_type
from batchwright.words import _
from batchwright.workflows.bring_data import NOBODY, Onlooker, begun_dataset
from batchwright.workflows.trail import Trail
from batchwright.workflows.workbench import Workbench

_ADDRESSES = 3
"""How many addresses are asked for before a file counts as not accepted."""


class NotRead(Exception):
    """A file was sent and the service could not use it; `state` is the dataset's as it was last seen."""

    def __init__(self, state: DatasetState) -> None:
        super().__init__(state.reason or state.status)
        self.state = state


async def bring_v3_data(
    bench: Workbench, trail: Trail, name: str, path: Path, onlooker: Onlooker = NOBODY
) -> Dataset:
    """A new V3 dataset with the rows of a CSV file, or of one in a ZIP archive (Datasets rule 2).

    For workspaces without V4 datasets. When it was begun before and stopped, it goes on where it was: `trail`
    knows the dataset, whose status tells whether the file has arrived.

    Raises:
        NotRead: the service could not use the file; doing it again makes another dataset.
        LostSight: the reading goes on, and cannot be seen at the moment.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    dataset = await begun_dataset(bench, trail)
    if dataset is None:
        dataset = await _create(bench, name)
        await trail.mark(dataset=dataset.id)
    onlooker.made(dataset)
    if not await _has_file(bench, dataset.id):
        await _send(bench, dataset.id, path, onlooker)
        bench.tell(_("Sent {name}.").format(name=path.name))
    async for sight in bench.watching.sights(JobKind.PROCESSING, {"dataset_id": dataset.id}, path.name):
        onlooker.seen(sight)
    state = await bench.service.datasets.status(dataset.id)
    if state.status != DatasetStatus.READY:
        await trail.end()
        raise NotRead(state)
    dataset = await bench.service.datasets.get(dataset.id)
    await trail.end()
    return dataset


async def _create(bench: Workbench, name: str) -> Dataset:
    wanted = DatasetCreate(name=name, workspace_id=bench.workspace_id)
    try:
        return await bench.service.datasets.create(wanted)
    except Unsure:
        bench.tell(
            _("The answer was lost; an empty dataset of this name may be left behind. Making another.")
        )
        return await bench.service.datasets.create(wanted)


async def _has_file(bench: Workbench, dataset_id: str) -> bool:
    return (await bench.service.datasets.status(dataset_id)).status != DatasetStatus.UNINITIALISED


async def _send(bench: Workbench, dataset_id: str, path: Path, onlooker: Onlooker) -> None:
    """Send the file, with a new address whenever the old one is not accepted any more."""
    async with bench.watching.doing(JobKind.UPLOAD, {"dataset_id": dataset_id}, path.name) as doing:
        for left in reversed(range(_ADDRESSES)):
            address = await bench.service.datasets.upload_url(dataset_id, path.name)
            try:
                sent = await bench.service.transfers.upload(
                    path,
                    address.upload_url,
                    content_type=address.content_type or upload_type(path.name),
                    on_progress=doing.telling(onlooker.moved),
                    has_arrived=lambda: _has_file(bench, dataset_id),
                )
            except Expired:
                if not left:
                    raise
                bench.tell(_("The address for the file has expired; asking for a new one."))
            else:
                doing.came_to(sent)
                return
