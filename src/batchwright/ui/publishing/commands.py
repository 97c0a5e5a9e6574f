"""The commands that stages of batches and of collections share."""

from batchwright.base.i18n import _
from batchwright.client.remote_study import RemoteStudy
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.operations import Operation
from batchwright.ui.publishing.context import PublishingContext
from batchwright.ui.publishing.publishable import D, R
from batchwright.ui.study import details_dialog
from batchwright.ui.study.answers_source import OtherSource


def refresh(context: PublishingContext[R, D]) -> None:
    """Fetch the resources, with a prompt for a token if one is needed."""
    context.state.refresh(may_prompt=True)


async def edit_details(context: PublishingContext[R, D]) -> None:
    """Ask for name and task details, and store them; those of another language are translated instead."""
    if context.state.language:
        context.run_action(ActionId.LAYOUT_LANGUAGES)
        return
    await details_dialog.edit_details(context.host, context.state.study)


async def open_as_study(context: PublishingContext[R, D]) -> None:
    """Open the batch or collection shown as a study in place of the open one."""
    state, shown = context.state, context.state.chosen
    if shown is None:
        return
    operation = Operation("open", _(state.publishable.texts.opening))
    project = await state.operations.run(
        operation, lambda run: state.publishable.read_study(run.context, shown.id)
    )
    if project is not None:
        await context.open_study(project)


def participate(context: PublishingContext[R, D]) -> None:
    """Open the participant page of the batch or collection shown."""
    state, shown = context.state, context.state.chosen
    if shown is not None:
        state.operations.start(
            Operation("participate", _("Opening the participant page")),
            lambda run: state.publishable.fetch_link(run.context, shown.id),
            context.open_url,
        )


def show_answers(context: PublishingContext[R, D]) -> None:
    """Show the answers of the batch or collection shown in Results."""
    state, shown = context.state, context.state.chosen
    if shown is not None:
        remote = RemoteStudy(state.publishable.kind, shown.id)
        other = OtherSource(state.session.connection.name, remote, shown.name)
        context.show_answers(None if state.shows_own and not state.language else other)
