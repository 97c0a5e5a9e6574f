"""Creating a batch without a layout: it shows every column of a V3 dataset, and asks instructions."""

from batchwright.base.i18n import _
from batchwright.ui.core.operations import Operation
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.instructions import edit_instructions
from batchwright.ui.widgets.dialogs.name_dialog import NameDialog
from batchwright.workflows.publishing.create_batch import create_legacy_batch


class LegacyBatchDialog(NameDialog):
    """Asks for the name of a batch with instructions.

    Args:
        name: the proposed name.
        live: name of the live service; empty for the service on this computer.
    """

    help_address = "run.md#older-batches"

    def __init__(self, name: str, *, live: str) -> None:
        super().__init__(
            _("New batch with instructions"),
            _(
                "Participants see every column of the dataset, except those that start with META_, and "
                "answer the instructions that you write next. This is how V3 data is shown: a layout cannot."
            ),
            _("Create batch"),
            field=_("Name of the batch"),
            name=name,
            missing=_("Enter a name for the batch first"),
            is_live=bool(live),
        )
        self.warn_if_live(live)


async def new_legacy_batch(context: RunContext) -> None:
    """Create a batch with the dataset of the study, without a layout, and open its instructions.

    Raises:
        ApiError: the instructions cannot be saved.
    """
    state = context.state
    dataset_id = state.remote.dataset_id
    dialog = LegacyBatchDialog(state.name, live=context.live)
    if dataset_id is None or not await dialog.ask(context.host):
        return
    name, details = dialog.name, state.task_details

    batch = await state.operations.run(
        Operation("legacy batch", _("Creating the batch")),
        lambda run: create_legacy_batch(run.context, name, details, dataset_id, run.hooks),
    )
    if batch is not None:
        state.store(batch)
        state.choose(batch.id)
        await edit_instructions(context)
