"""The commands of the Collections stage: each is one function here and one row in `ui.collections.actions`.

A command asks the user what is necessary, then starts an operation. The `start_…` functions start it without
asking.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication

from batchwright.base.i18n import _, ngettext
from batchwright.client.collection_content import DesiredCollection
from batchwright.client.remote_study import remote_collection
from batchwright.ui.collections.dialogs import (
    CopyDialog,
    ExistingCollectionDialog,
    create_dialog,
)
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.publishing.context import PublishingContext
from batchwright.ui.publishing.publish import start_publish, update_own
from batchwright.ui.publishing.state import ResourceChange
from batchwright.ui.study.downloads import DownloadContext, DownloadKind, download
from batchwright.ui.study.simulation_dialog import SimulationDialog
from batchwright.wire.collections import Collection
from batchwright.workflows.find_collections import bind_to_collection, find_similar_collections
from batchwright.workflows.publishing.publish_collection import (
    copy_collection,
)
from batchwright.workflows.rehearsal.simulate import Reached, SimulationOptions, simulate_collection


@dataclass(frozen=True)
class CollectionsContext(PublishingContext[Collection, DesiredCollection]):
    """The dependencies of the commands of the Collections stage."""

    state: CollectionsState
    downloads: DownloadContext


async def publish(context: CollectionsContext) -> None:
    """Create or replace the collection; confirmed first at a live service, or if something may be lost."""
    if context.state.own_id:
        await update_own(context, ActionId.COLLECTIONS_PUBLISH)
    elif not context.state.may_exist:
        await _create(context)
    elif (similar := await _find_similar(context.state)) is not None:
        await _create_or_adopt(context, similar)


async def copy(context: CollectionsContext) -> None:
    """Ask for the name of a copy of the collection shown, and create it."""
    collection = context.state.chosen
    if collection is None:
        return
    dialog = CopyDialog(collection.name, context.live)
    if await dialog.ask(context.host):
        start_copy(context.state, collection, dialog.name)


async def export(context: CollectionsContext) -> None:
    """Ask where to save the export of the collection shown, and download it."""
    collection = context.state.chosen
    if collection is not None:
        study = remote_collection(collection.id)
        await download(context.downloads, DownloadKind.EXPORT, study, collection.name)


async def simulate(context: CollectionsContext) -> None:
    """Ask for the number of simulated participants, and start them."""
    collection = context.state.chosen
    dialog = SimulationDialog(None)
    if collection is not None and await dialog.ask(context.host):
        start_simulation(context.state, collection, dialog.options)


def copy_id(context: CollectionsContext) -> None:
    """Copy the id of the collection shown to the clipboard."""
    QGuiApplication.clipboard().setText(context.state.shown_id)


def start_copy(state: CollectionsState, collection: Collection, name: str) -> None:
    """Create a collection with the content of another one, and show it."""

    async def work(run: OperationRun) -> Collection | None:
        created = await copy_collection(run.context, collection.id, name, run.hooks)
        state.notified.emit(_("Collection copied"), created.name)
        return created if created.workspace_id in ("", run.context.workspace_id) else None

    def show(created: Collection | None) -> None:
        if created is not None:
            state.store(created, 0)
            state.choose(created.id)

    state.operations.start(ResourceChange("copy", _("Copying the collection")), work, show)


def start_simulation(state: CollectionsState, collection: Collection, options: SimulationOptions) -> None:
    """Run simulated participants; they stop when another study is opened."""
    reached = Reached()

    async def work(run: OperationRun) -> None:
        def show_progress(fraction: float) -> None:
            run.update(fraction=fraction)

        answered = await simulate_collection(run.context, collection.id, options, reached, show_progress)
        text = ngettext("{count} participant answered", "{count} participants answered", answered)
        if not answered:
            text = _("All participants of this seed had answered before")
        state.notified.emit(text.format(count=number(answered)), collection.name)

    operation = ResourceChange("simulate", _("Simulated participants answer"), cancels_on_leave=True)
    state.operations.start(operation, work)


async def _create(context: CollectionsContext, *, existing_id: str = "") -> None:
    """Create a collection; confirmed first at a live service. For `existing_id` see `start_publish`."""
    live = context.live
    if not live or await create_dialog(context.state.name, live).ask(context.host):
        start_publish(context.state, None, existing_id=existing_id)


async def _find_similar(state: CollectionsState) -> tuple[Collection, ...] | None:
    """Find the collections that the study may have been sent to; None if that failed."""
    desired, ids = state.desired, state.ids_in_file
    if desired is None:
        return None

    return await state.operations.run(
        Operation("check", _("Looking for the collection")),
        lambda run: find_similar_collections(run.context, desired, ids),
    )


async def _create_or_adopt(context: CollectionsContext, similar: Sequence[Collection]) -> None:
    """Create a collection; if there are similar ones, ask whether one of them is to be replaced instead."""
    if not similar:
        await _create(context)
        return
    dialog = ExistingCollectionDialog(similar)
    if not await dialog.ask(context.host):
        return
    if dialog.collection_id:
        await _adopt(context, dialog.collection_id)
    else:
        await _create(context, existing_id=similar[0].id)


async def _adopt(context: CollectionsContext, collection_id: str) -> None:
    """Bind the study to a collection and replace that; the study is not bound if nothing is sent."""
    state, connection = context.state, context.state.session.connection.name
    desired, opening, before = state.desired, state.study.opening, state.remote
    language = state.language
    if desired is None:
        return

    binding = await state.operations.run(
        Operation("check", _("Checking the collection")),
        lambda run: bind_to_collection(run.context, desired, collection_id),
    )
    if binding is None:
        return
    state.bind(connection, language, binding)
    if not await update_own(context, ActionId.COLLECTIONS_PUBLISH) and opening == state.study.opening:
        state.bind(connection, language, before)
