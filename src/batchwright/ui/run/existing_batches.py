"""Opening batches of the workspace as studies, and the instructions of legacy batches."""

from collections.abc import Sequence
from dataclasses import replace

from batchwright.base.i18n import _
from batchwright.client.content_review import review_instructions
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import is_service_error
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.projects import Project
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.review.questions import confirm_sending
from batchwright.ui.review.rows import change_rows
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.dialogs import (
    convert_dialog,
)
from batchwright.ui.run.publish import fetch_existing
from batchwright.ui.run.update_dialog import (
    instruction_place,
    instructions_review,
)
from batchwright.wire.batches import Batch
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.count_answers import count_batch_answers
from batchwright.workflows.legacy_instructions import read_instructions, replace_instructions
from batchwright.workflows.study_from_batch import (
    ConvertedBatch,
    study_from_batch,
    study_from_legacy_batch,
)


async def edit_instructions(context: RunContext) -> None:
    """Show the instructions of the legacy batch shown, and save the changes.

    Raises:
        ApiError: the instructions cannot be saved.
    """
    state, batch = context.state, context.state.chosen
    if batch is None:
        return
    notes: list[str] = []

    async def read(
        context_at: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> tuple[InstructionRecord, ...]:
        return await read_instructions(replace(context_at, notify=notes.append), batch.id)

    known: tuple[InstructionRecord, ...] | None
    known = await state.operations.run(Operation("instructions", _("Reading the instructions")), read)
    if known is None:
        return
    context_at = replace(await state.session.context(), notify=notes.append)

    async def save(wanted: InstructionsWrite) -> bool:
        nonlocal known
        if known is not None and not await _may_replace_instructions(context, batch.id, known, wanted):
            return False
        try:
            await replace_instructions(context_at, batch.id, wanted, known)
        except Exception as error:
            if is_service_error(error):
                known = None  # the request may have succeeded nevertheless
            raise
        return True

    is_saved = await context.edit_instructions(
        context.host, batch.name, known, save, deprecation="".join(notes), live=context.live
    )
    if is_saved:
        state.remote_batches.invalidate()


async def _may_replace_instructions(
    context: RunContext, batch_id: str, known: Sequence[InstructionRecord], wanted: InstructionsWrite
) -> bool:
    """Show what changes in the instructions of a legacy batch, and ask whether to send it."""
    existing = await fetch_existing(context.state, batch_id)
    if existing is None:
        return False
    review = review_instructions(known, wanted)
    rows = change_rows(review, {}, place=instruction_place)
    return await confirm_sending(
        context.host,
        instructions_review(existing, review, rows, context.live),
        context.state.operations,
        lambda reached: count_batch_answers(reached, batch_id),
    )


async def open_as_study(context: RunContext) -> None:
    """Open the batch shown as a study."""
    if context.state.chosen is not None:
        await open_batch_as_study(context, context.state.chosen)


async def convert_to_layout(context: RunContext) -> None:
    """Open the legacy batch shown as a new study with a layout, after showing what it will have."""
    if context.state.chosen is not None:
        await convert_legacy_batch(context, context.state.chosen)


async def open_batch_as_study(context: RunContext, batch: Batch) -> None:
    """Open a batch as a study in place of the open one."""

    async def work(reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun) -> Project:
        return await study_from_batch(reached, batch.id)

    project = await context.state.operations.run(Operation("open", _("Opening the batch")), work)
    if project is not None:
        await context.open_study(project)


async def convert_legacy_batch(context: RunContext, batch: Batch) -> None:
    """Open a legacy batch as a new study with a layout, after saying what that means."""

    async def work(
        reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> ConvertedBatch:
        return await study_from_legacy_batch(reached, batch.id)

    operation = Operation("convert", _("Reading the instructions"))
    converted = await context.state.operations.run(operation, work)
    if converted is not None and await convert_dialog(converted).ask(context.host):
        await context.open_study(converted.project)
