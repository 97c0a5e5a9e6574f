"""Duplicating: a batch is copied, with its layout and its dataset or without that (Batches rule 8)."""

from batchwright.client.context import WorkflowContext
from batchwright.client.create_once import create_once
from batchwright.local.id_registry import RemoteKind
from batchwright.wire.batches import Batch, BatchDuplicate


async def duplicate(bench: WorkflowContext, batch: Batch, name: str, *, with_dataset: bool) -> Batch:
    """The copy of a batch, which is to be set up like any new one.

    Raises:
        Unsure: it may have been made, but cannot be told from others.
        ApiError: a request failed for good.
    """
    batches = bench.service.batches
    wanted = BatchDuplicate(name=name, upload_new_dataset=not with_dataset)

    async def listed() -> tuple[Batch, ...]:
        return (await batches.list(batch.workspace_id or bench.workspace_id)).results

    copy = await create_once(
        lambda: batches.duplicate(batch.id, wanted), listed, lambda one: one.name == name, bench.tell
    )
    await bench.memory.made(RemoteKind.BATCH, copy.id)
    return copy
