"""A program whose disk is full just when something is made, and has room again later: a command of its own.

Arguments: a folder that is on a disk of its own, address, workspace and token of a service, what is made
(`datasets`, `batches`), when the disk is full (`before`, `after` the answer is heard), and who goes on when
there is room again (`same`, `next` run of the program). What the program had to say first is printed.
"""

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
from batchwright.workflows.create_batch import create_batch
from batchwright.workflows.upload_dataset import upload_dataset
from tests.api.studies import CSV, DETAILS, LAYOUT, SCHEMA
from tests.workflows.contexts import run_with_context

MEGABYTE = 1024 * 1024


class Disk:
    """The disk that the program's database is on."""

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no room at all."""
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(MEGABYTE)):
                    pass
            except OSError:
                return

    def make_room(self) -> None:
        """Take away what filled the disk."""
        self._ballast.unlink()


async def go_through(context: WorkflowContext, data: Path) -> Batch:
    """Bring data, and make a batch of it."""
    upload = await upload_dataset(context, context.checkpoint("data"), "Prompts", read_schema(SCHEMA), data)
    expected = DesiredBatch("Study", DETAILS, read(LAYOUT, random_keys()), upload.dataset.id)
    return await create_batch(context, context.checkpoint("batch"), expected)


def fill_when_made(context: WorkflowContext, disk: Disk, what: str, when: str) -> None:
    """Have the disk full from the moment on at which the next of something is made."""
    calls: Any = getattr(context.service, what)
    create: Callable[[Any], Awaitable[object]] = calls.create

    async def create_on_a_full_disk(wanted: object) -> object:
        calls.create = create
        if when == "before":
            disk.fill()
        created = await create(wanted)
        if when == "after":
            disk.fill()
        return created

    calls.create = create_on_a_full_disk


def main(folder: Path, url: str, workspace: str, token: str, what: str, when: str, run: str) -> None:
    """Fail on the full disk, then go on."""
    disk, data = Disk(folder), folder / "prompts.csv"
    data.write_text(CSV, encoding="utf-8")

    async def first(context: WorkflowContext) -> None:
        fill_when_made(context, disk, what, when)
        try:
            await go_through(context, data)
        except StorageUnavailable as error:
            print(error)
        disk.make_room()
        if run == "same":
            await go_through(context, data)

    async def then(context: WorkflowContext) -> None:
        await go_through(context, data)

    run_with_context(folder, url, first, token=token, workspace=workspace)
    if run == "next":
        run_with_context(folder, url, then, token=token, workspace=workspace)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
