"""Opening batches of the workspace as studies, and the instructions of legacy batches."""

from batchwright.base.i18n import _, ngettext
from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.projects import Project
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.run.context import RunContext
from batchwright.ui.widgets.dialogs import WIDE, Dialog, info_row
from batchwright.workflows.open_as_study import (
    ConvertedBatch,
    study_from_batch,
    study_from_legacy_batch,
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
