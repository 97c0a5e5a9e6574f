"""Creating and updating the batch of the study: the questions before, and what follows."""

from collections.abc import Callable

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.publishing import publish
from batchwright.ui.publishing.publish import OnSent, Sent, update_own
from batchwright.ui.run.context import RunContext
from batchwright.ui.run.publish_dialogs import CreateWithoutDataDialog, create_dialog
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import Batch


async def publish_batch(context: RunContext) -> None:
    """Create or update the batch; confirmed first at a live service, or if something may be lost."""
    state = context.state

    def set_up_next() -> None:
        if state.remote_list.is_active:  # otherwise the user has left the stage
            context.run_action(ActionId.RUN_SET_UP)

    if state.own_id:
        await update_own(context, ActionId.RUN_PUBLISH, _on_sent(state, set_up_next))
    elif await _may_create(context):
        start_publish(state, None, set_up_next)


def start_publish(
    state: RunState, replaces: Batch | None, set_up_next: Callable[[], object] = lambda: None
) -> None:
    """Create the batch, or update it to the current content of the study.

    Args:
        state: the state of the stage.
        replaces: the batch at the time when the user confirmed the update; None creates one.
        set_up_next: called if tasks have to be created, for the first time or again.
    """
    publish.start_publish(state, replaces, _on_sent(state, set_up_next))


def _on_sent(state: RunState, set_up_next: Callable[[], object]) -> OnSent[Batch]:
    def on_sent(sent: Sent[Batch]) -> None:
        batch = sent.published.resource
        state.store_has_earlier_tasks(batch.id, has_earlier_tasks=sent.has_earlier_tasks)
        is_first = sent.is_new and bool(batch.datasets)
        if (is_first and not state.awaits_import) or sent.has_earlier_tasks:
            set_up_next()

    return on_sent


async def _may_create(context: RunContext) -> bool:
    """Ask before a batch is created at a live service, or without a dataset."""
    state, live = context.state, context.live
    desired = state.desired
    if desired is not None and desired.dataset_id is None:
        dialog = CreateWithoutDataDialog(state.name, live)
        is_confirmed = await dialog.ask(context.host)
        if dialog.alternative is not None:
            context.run_action(dialog.alternative.value)
        return is_confirmed
    return not live or await create_dialog(state.name, live).ask(context.host)
