"""A program whose disk is full when a resource is created, and has free space again later.

Arguments: a folder on a disk of its own; URL, workspace and token of a service; the resource that is created
(`datasets`, `batches`); when the disk becomes full (`before` or `after` the response arrives); and which run
of the program resumes once space is free (`same`, `next`). It prints the first error.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from batchwright.base.database import StorageUnavailable
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.context import WorkflowContext
from batchwright.layout.serialization import random_keys, read
from batchwright.schema.parsing import read_schema
from batchwright.wire.batches import Batch
from batchwright.workflows.data.upload_dataset import upload_dataset
from batchwright.workflows.publishing.create_batch import create_batch
from tests.api.studies import DETAILS, LAYOUT, SCHEMA, prompts_file
from tests.workflows.contexts import context_at

MEGABYTE = 1024 * 1024


class Disk:
    """The disk that the program's database is on."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Fill the disk completely."""
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(MEGABYTE)):
                    pass
            except OSError:
                return

    def free_space(self) -> None:
        """Delete what fills the disk."""
        self._ballast.unlink()


async def create_study(context: WorkflowContext, data: Path) -> Batch:
    """Upload data, and create a batch with it."""
    upload = await upload_dataset(context, context.checkpoint("data"), "Prompts", read_schema(SCHEMA), data)
    expected = DesiredBatch("Study", DETAILS, read(LAYOUT, random_keys()), upload.dataset.id)
    return await create_batch(context, context.checkpoint("batch"), expected)


def fill_at_creation(context: WorkflowContext, disk: Disk, resource: str, when: str) -> None:
    """Fill the disk when the next resource of this kind is created."""
    calls: Any = getattr(context.service, resource)
    create: Callable[[Any], Awaitable[object]] = calls.create

    async def create_on_a_full_disk(request: object) -> object:
        calls.create = create
        if when == "before":
            disk.fill()
        created = await create(request)
        if when == "after":
            disk.fill()
        return created

    calls.create = create_on_a_full_disk


async def main(
    folder: Path, url: str, workspace: str, token: str, resource: str, when: str, run: str
) -> None:
    """Fail on the full disk, then resume."""
    disk, data = Disk(folder), prompts_file(folder)

    async with context_at(folder, url, token=token, workspace=workspace) as context:
        fill_at_creation(context, disk, resource, when)
        try:
            await create_study(context, data)
        except StorageUnavailable as error:
            print(error)
        disk.free_space()
        if run == "same":
            await create_study(context, data)
    if run == "next":
        async with context_at(folder, url, token=token, workspace=workspace) as context:
            await create_study(context, data)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
