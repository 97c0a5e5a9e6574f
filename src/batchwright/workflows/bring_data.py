"""Bringing data: a dataset is made, a file is sent to it, and its import is watched to the end."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from batchwright.api.errors import Expired, Nonsense, Unsure
from batchwright.api.files import Moved, OnProgress
from batchwright.jobs.sights import JobKind, Sight
from batchwright.local.register import Kind
from batchwright.records.schema import Schema
from batchwright.records.schema_reading import write_schema
from batchwright.wire.datasets import Dataset, DatasetCreate, UploadUrl, upload_type
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.words import _
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
    bench: Workbench, name: str, schema: Schema, path: Path, onlooker: Onlooker = NOBODY
) -> Brought:
    """A new V4 dataset with the records of a file (specification, Datasets rule 2).

    Raises:
        NotImported: the import failed, or ended in a way that nobody here knows.
        ApiError: a request failed for good.
        OSError: the file cannot be read.
    """
    dataset = await create_dataset(bench, name, schema)
    onlooker.made(dataset)
    import_id, sent = await send_file(bench, dataset.id, path, onlooker.moved)
    bench.tell(_("Sent {name}.").format(name=path.name))
    onlooker.sent(import_id)
    job = await _imported(bench, dataset.id, import_id, path.name, onlooker.seen)
    return Brought(dataset, job, sent)


async def create_dataset(bench: Workbench, name: str, schema: Schema) -> Dataset:
    """A new V4 dataset.

    When the answer to the request is lost, the dataset cannot be looked for, since no list of datasets
    exists: that is said, and another is made. An empty dataset left behind changes nothing and costs nothing.
    """
    wanted = DatasetCreate(name=name, workspace_id=bench.workspace_id, schema=dict(write_schema(schema)))
    try:
        dataset = await bench.service.datasets.create(wanted)
    except Unsure:
        bench.tell(
            _("The answer was lost; an empty dataset of this name may be left behind. Making another.")
        )
        dataset = await bench.service.datasets.create(wanted)
    await bench.memory.keep(Kind.DATASET, dataset.id, name)
    return dataset


async def send_file(
    bench: Workbench, dataset_id: str, path: Path, on_progress: OnProgress = _nobody
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
    left = _ADDRESSES
    while True:
        left -= 1
        address = await bench.service.datasets.upload_url(dataset_id, path.name)
        if not address.import_id:
            raise Nonsense(_("the address for {name}").format(name=path.name), _("it names no import"))
        await bench.memory.keep(Kind.IMPORT, address.import_id, path.name, parent_id=dataset_id)
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
