"""Editing the instructions of legacy batches, without overwriting changes of others."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from batchwright.base.i18n import _
from batchwright.client.content_review import (
    entry_items,
    have_same_content,
    instruction_versions,
    merged_instructions,
    review_instructions,
)
from batchwright.client.context import WorkflowContext
from batchwright.ui.core.operations import Operation
from batchwright.ui.publishing.publish import fetch_existing, review_dialog
from batchwright.ui.review.conflict_dialog import Decision
from batchwright.ui.review.questions import ask_for_version, confirm_sending
from batchwright.ui.review.rows import change_rows
from batchwright.ui.run.context import RunContext, ShowInstructions
from batchwright.ui.run.publish_dialogs import (
    instruction_place,
    instructions_conflict_texts,
    instructions_texts,
)
from batchwright.wire.batches import Batch
from batchwright.wire.instructions import InstructionRecord, InstructionsWrite
from batchwright.workflows.answers.count_answers import count_batch_answers
from batchwright.workflows.publishing.create_batch import duplicate
from batchwright.workflows.publishing.legacy_instructions import read_instructions, replace_instructions


async def edit_instructions(context: RunContext) -> None:
    """Show the instructions of the legacy batch shown, and save the changes.

    Raises:
        ApiError: the instructions cannot be saved.
    """
    state, batch = context.state, context.state.chosen
    if batch is None:
        return
    notes: list[str] = []

    base = await state.operations.run(
        Operation("instructions", _("Reading the instructions")),
        lambda run: read_instructions(replace(run.context, notify=notes.append), batch.id),
    )
    if base is None:
        return
    workflow_context = replace(await state.session.context(), notify=notes.append)
    editing = _Editing(context, workflow_context, batch, base)
    is_saved = await context.edit_instructions(
        context.host, batch.name, base, editing.save, deprecation="".join(notes), live=context.live
    )
    if is_saved:
        state.remote_list.invalidate()


class _Editing:
    """The instructions of a batch while they are edited: where they are saved, and what the changes are to.

    Args:
        context: the dependencies of the command.
        workflow_context: the context of the connection.
        batch: the batch that they are saved to; another one once the user wants a new batch.
        base: the instructions at the service that the user has changed.
    """

    def __init__(
        self,
        context: RunContext,
        workflow_context: WorkflowContext,
        batch: Batch,
        base: tuple[InstructionRecord, ...],
    ) -> None:
        self._context, self._workflow_context = context, workflow_context
        self._batch, self._base = batch, base

    async def save(self, edited: InstructionsWrite, show: ShowInstructions) -> bool:
        """Save the instructions after the user has confirmed what changes; False if nothing was saved.

        Args:
            edited: the instructions in the dialog.
            show: shows other instructions in the dialog.
        """
        current = await read_instructions(self._workflow_context, self._batch.id)
        if current == self._base:
            return await self._replace(edited)
        if have_same_content(current, edited):
            return True  # an earlier request, whose response was lost, has saved them
        versions = await asyncio.to_thread(instruction_versions, current, edited, self._base)
        texts = instructions_conflict_texts(self._batch.name, self._context.live)
        choice = await ask_for_version(self._context.host, texts, versions, {}, place=instruction_place)
        if choice is None:
            return False
        decision, content = choice
        if decision is Decision.NEW:
            await self._save_as_new_batch(edited)
            return True
        self._base = current
        if decision is Decision.THEIRS:
            show([record.item for record in current], current)
            return False
        combined = edited if content is None else show(merged_instructions(content, current), current)
        return combined is not None and await self._replace(combined)

    async def _replace(self, edited: InstructionsWrite) -> bool:
        """Replace the instructions after the user has confirmed what changes."""
        edited = _with_existing_ids(edited, self._base)
        if not await self._may_replace(edited):
            return False
        await replace_instructions(self._workflow_context, self._batch.id, edited, self._base)
        return True

    async def _save_as_new_batch(self, edited: InstructionsWrite) -> None:
        """Create a copy of the batch, which the instructions are saved to from now on."""
        state = self._context.state
        name = f"{self._batch.name} (Copy)"
        self._batch = await duplicate(self._workflow_context, self._batch, name, with_dataset=True)
        self._base = await read_instructions(self._workflow_context, self._batch.id)
        await replace_instructions(
            self._workflow_context, self._batch.id, _with_existing_ids(edited, self._base)
        )
        state.store(self._batch)
        state.choose(self._batch.id)
        state.notified.emit(_("Batch created"), self._batch.name)

    async def _may_replace(self, edited: InstructionsWrite) -> bool:
        """Show what changes, and ask whether to send it."""
        context, batch_id = self._context, self._batch.id
        review = await asyncio.to_thread(review_instructions, self._base, edited)
        if review.is_empty:
            return True
        existing = await fetch_existing(context.state, batch_id)
        if existing is None:
            return False
        rows = await asyncio.to_thread(change_rows, review, {}, place=instruction_place)
        texts = instructions_texts(existing.resource, review, context.live)
        return await confirm_sending(
            context.host,
            review_dialog(existing, review.affected_instructions, rows, texts, context.live),
            context.state.operations,
            lambda workflow_context: count_batch_answers(workflow_context, batch_id),
        )


def _with_existing_ids(edited: InstructionsWrite, base: Sequence[InstructionRecord]) -> InstructionsWrite:
    """The instructions without the ids that the service has no more, and would reject."""
    existing = {record.id for record in base}
    entries = [
        {name: value for name, value in item.items() if name != "id" or value in existing}
        for item in entry_items(edited)
    ]
    return InstructionsWrite.model_validate({"instructions": entries})
