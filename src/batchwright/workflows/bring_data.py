"""Bringing data: a dataset is made, a file is sent to it, and its import is watched to the end."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from batchwright.api.errors import Expired, Nonsense, NotFound, Unsure
from batchwright.api.files import Moved, OnProgress
from batchwright.jobs.sights import JobKind, Sight
from batchwright.records.schema import Schema
from batchwright.records.schema_reading import write_schema
from batchwright.wire.datasets import Dataset, DatasetCreate, UploadUrl, upload_type
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.words import _
from batchwright.workflows.trail import Trail
from batchwright.workflows.workbench import Workbench

_ADDRESSES = 3
"""How many addresses are asked for before a file counts as not accepted."""


def _nobody(*_news: object) -> None:
    """Who is told when nobody looks on."""


@dataclass(frozen=True)
class Onlooker:
    """Is told, on the event loop, how the bringing of a file goes on."""

    made: Callable[[Dataset], object] = _nobody
    """The dataset stands; nothing is in it yet."""
    moved: OnProgress = _nobody
    """Bytes sent so far, and in all; begins again at 0 when the file is sent anew."""
    sent: Callable[[str], object] = _nobody
    """The file is there; this is the id of its import."""
    seen: Callable[[Sight], object] = _nobody
    """The import as it stands now."""


NOBODY = Onlooker()


class NotImported(Exception):
    """A file was sent and the service could not use it; `job` is the import as it was last seen."""

    def __init__(self, job: ImportJob) -> None:
        super().__init__(job.reason or job.status)
        self.job = job


class NotComplete(Exception):
    """A file was imported, and no batch can be set up from it: it holds no records, or some were rejected.

    `job` is the import as it ended; setup asks for a `complete` one (wire.md 5.4).
    """

    def __init__(self, job: ImportJob) -> None:
        super().__init__(job.status)
        self.job = job


@dataclass(frozen=True)
class Brought:
    """What came of bringing a file: the dataset, the import as it ended, and what was sent."""

    dataset: Dataset
    job: ImportJob
    sent: Moved

    @property
    def accepted(self) -> int:
        """How many records were taken."""
        return self.job.accepted_count or 0

    @property
    def rejected(self) -> int:
        """How many records were refused."""
        return self.job.rejected_count or 0

    def insist(self) -> None:
        """Make sure that there is something to set up.

        Raises:
            NotComplete: there is not.
        """
        if self.job.status != ImportStatus.COMPLETE or not self.accepted:
            raise NotComplete(self.job)


async def bring_data(
    bench: Workbench, trail: Trail, name: str, schema: Schema, path: Path, onlooker: Onlooker = NOBODY
) -> Brought:
    """A new V4 dataset with the records of a file (specification, Datasets rule 2).

    When it was begun before and stopped, it goes on where it was: `trail` knows the dataset, and the import
    once there is one. An import that failed is behind it: then everything is made anew.

    Raises:
        NotImported: the import failed, or ended in a way that nobody here knows.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    dataset = await begun_dataset(bench, trail)
    if dataset is None:
        dataset = await create_dataset(bench, name, schema)
        await trail.mark(dataset=dataset.id)
    onlooker.made(dataset)
    arrived = await _arrived_before(bench, trail, dataset.id, path)
    import_id, sent = arrived or await send_file(bench, trail, dataset.id, path, onlooker.moved)
    bench.tell(_("Sent {name}.").format(name=path.name))
    onlooker.sent(import_id)
    try:
        job = await _imported(bench, dataset.id, import_id, path.name, onlooker.seen)
    except NotImported:
        await trail.end()
        raise
    return Brought(dataset, job, sent)


async def begun_dataset(bench: Workbench, trail: Trail) -> Dataset | None:
    """The dataset that was made before, unless the service has it no more."""
    steps = await trail.steps()
    if "dataset" not in steps:
        return None
    try:
        return await bench.service.datasets.get(str(steps["dataset"]))
    except NotFound:
        await trail.end()
        return None


async def _arrived_before(
    bench: Workbench, trail: Trail, dataset_id: str, path: Path
) -> tuple[str, Moved] | None:
    """The import of the file and what it was, if it has reached the service before."""
    steps = await trail.steps()
    if "import" not in steps:
        return None
    import_id = str(steps["import"])
    try:
        job = await bench.service.datasets.import_job(dataset_id, import_id)
    except NotFound:
        return None
    if job.status in (ImportStatus.UNINITIALISED, ImportStatus.FAILED):
        return None
    return import_id, await asyncio.to_thread(_as_sent, path)


def _as_sent(path: Path) -> Moved:
    with path.open("rb") as file:
        return Moved(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest())


async def create_dataset(bench: Workbench, name: str, schema: Schema) -> Dataset:
    """A new V4 dataset.

    When the answer to the request is lost, the dataset cannot be looked for, since no list of datasets
    exists: that is said, and another is made. An empty dataset left behind changes nothing and costs nothing.
    """
    wanted = DatasetCreate(name=name, workspace_id=bench.workspace_id, schema=dict(write_schema(schema)))
    try:
        return await bench.service.datasets.create(wanted)
    except Unsure:
        bench.tell(
            _("The answer was lost; an empty dataset of this name may be left behind. Making another.")
        )
        return await bench.service.datasets.create(wanted)


async def send_file(
    bench: Workbench, trail: Trail, dataset_id: str, path: Path, on_progress: OnProgress = _nobody
) -> tuple[str, Moved]:
    """Send a file to a V4 dataset, with a new address whenever the old one is not accepted any more.

    Returns:
        the id of its import, and what was sent.

    Raises:
        Expired: no address was accepted.
        Nonsense: an address came without the import that it belongs to.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    async with bench.watching.doing(JobKind.UPLOAD, {"dataset_id": dataset_id}, path.name) as doing:
        import_id, sent = await _send(bench, trail, dataset_id, path, doing.telling(on_progress))
        return import_id, doing.came_to(sent)


async def _send(
    bench: Workbench, trail: Trail, dataset_id: str, path: Path, on_progress: OnProgress
) -> tuple[str, Moved]:
    left = _ADDRESSES
    while True:
        left -= 1
        address = await bench.service.datasets.upload_url(dataset_id, path.name)
        if not address.import_id:
            raise Nonsense(_("the address for {name}").format(name=path.name), _("it names no import"))
        await trail.mark(**{"import": address.import_id})
        try:
            sent = await _upload(bench, dataset_id, path, address, address.import_id, on_progress)
        except Expired:
            if not left:
                raise
            bench.tell(_("The address for the file has expired; asking for a new one."))
        else:
            return address.import_id, sent


async def _imported(
    bench: Workbench, dataset_id: str, import_id: str, title: str, seen: Callable[[Sight], object]
) -> ImportJob:
    """The import when it has ended; without a schema it would wait for one (wire.md 4.6)."""
    subject = {"dataset_id": dataset_id, "import_id": import_id}
    async for sight in bench.watching.sights(JobKind.IMPORT, subject, title):
        seen(sight)
        if sight.state == ImportStatus.PENDING_SCHEMA:
            break
    job = await bench.service.datasets.import_job(dataset_id, import_id)
    if job.status not in (ImportStatus.COMPLETE, ImportStatus.PARTIAL):
        raise NotImported(job)
    return job


async def _upload(
    bench: Workbench,
    dataset_id: str,
    path: Path,
    address: UploadUrl,
    import_id: str,
    on_progress: OnProgress,
) -> Moved:
    async def has_arrived() -> bool:
        job = await bench.service.datasets.import_job(dataset_id, import_id)
        return job.status != ImportStatus.UNINITIALISED

    return await bench.service.transfers.upload(
        path,
        address.upload_url,
        content_type=address.content_type or upload_type(path.name),
        on_progress=on_progress,
        has_arrived=has_arrived,
    )
