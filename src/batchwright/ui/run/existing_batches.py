"""Opening batches of the workspace as studies, and the instructions of legacy batches."""

from collections.abc import Sequence
from dataclasses import replace

from batchwright.base.i18n import _, ngettext
from batchwright.client.content_review import review_instructions
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import is_service_error
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.projects import Project
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.review.questions import confirm_sending
from batchwright.ui.review.rows import change_rows
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.publish import fetch_existing
from batchwright.ui.run.publish_dialogs import instruction_place, instructions_review
from batchwright.ui.widgets.dialogs import WIDE, Dialog, info_row
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.count_answers import count_batch_answers
from batchwright.workflows.legacy_instructions import read_instructions, replace_instructions
from batchwright.workflows.open_as_study import (
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
    """Open the batch shown as a study in place of the open one."""
    batch = context.state.chosen
    if batch is None:
        return

    async def work(reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun) -> Project:
        return await study_from_batch(reached, batch.id)

    project = await context.state.operations.run(Operation("open", _("Opening the batch")), work)
    if project is not None:
        await context.open_study(project)


async def convert_to_layout(context: RunContext) -> None:
    """Open the legacy batch shown as a new study with a layout, after showing what it will have."""
    batch = context.state.chosen
    if batch is None:
        return

    async def work(
        reached: WorkflowContext, _hooks: RecoveryHooks | None, _run: OperationRun
    ) -> ConvertedBatch:
        return await study_from_legacy_batch(reached, batch.id)

    operation = Operation("convert", _("Reading the instructions"))
    converted = await context.state.operations.run(operation, work)
    if converted is not None and await convert_dialog(converted).ask(context.host):
        await context.open_study(converted.project)


def convert_dialog(converted: ConvertedBatch) -> Dialog:
    """The confirmation before a legacy batch is opened as a study with a layout: what it has, what stays."""
    questions = ngettext("{count} question", "{count} questions", converted.questions)
    fields = ngettext("{count} field", "{count} fields", converted.fields)
    text = _("Opens a new study with one page, as participants of the batch see it: {fields}, {questions}.")
    dialog = Dialog(
        _("Convert “{name}” to a layout").format(name=converted.project.name),
        text.format(
            fields=fields.format(count=number(converted.fields)),
            questions=questions.format(count=number(converted.questions)),
        ),
        _("Open as a new study"),
        width=WIDE,
    )
    notes = [
        _(
            "The batch stays as it is, with its instructions, tasks and answers. A layout in the batch "
            "itself would remove its instructions, and its answers would no longer belong to a question."
        ),
        _("The study uses the same dataset. Creating its batch makes a new one, which has no tasks yet."),
    ]
    if converted.is_v3:
        notes[1] = _(
            "The dataset is V3, and a layout cannot show its fields. Upload the data again in the Data stage "
            "as a V4 dataset, then add the fields to the page."
        )
    dialog.add(*map(info_row, notes))
    return dialog
