"""The commands of the Collections stage: each is one function here and one row in `ui.collections.actions`.

A command asks the user what is necessary, then starts an operation. The `start_…` functions start it without
asking.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.client.collection_content import compare
from batchwright.client.content_review import collection_versions, with_content
from batchwright.client.errors import ChangedMeanwhile, is_not_found
from batchwright.client.published_content import ContentComparison
from batchwright.client.remote_study import remote_collection
from batchwright.local.projects import Project
from batchwright.local.versions import VersionCause
from batchwright.ui.collections.dialogs import (
    CopyDialog,
    ExistingCollectionDialog,
    conflict_texts,
    create_dialog,
    place_in_collection,
    replace_dialog,
)
from batchwright.ui.collections.state import CollectionChange, CollectionsState
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.review.conflict_dialog import Decision
from batchwright.ui.review.questions import (
    choose_version,
    confirm_sending,
    overwrite_warning,
    page_names,
    sent_at_text,
)
from batchwright.ui.review.rows import change_rows, item_place_text
from batchwright.ui.study.answers_source import OtherSource
from batchwright.ui.study.details_dialog import edit_details as ask_details
from batchwright.ui.study.downloads import DownloadContext, DownloadKind, download
from batchwright.ui.study.simulation_dialog import SimulationDialog, SimulationOptions
from batchwright.wire.collections import Collection
from batchwright.workflows.count_answers import count_collection_answers
from batchwright.workflows.find_collections import bind_to_collection, find_similar_collections
from batchwright.workflows.open_as_study import study_from_collection
from batchwright.workflows.publish_collection import (
    CollectionWithAnswerCount,
    PublishedCollection,
    copy_collection,
    create_or_replace_collection,
    fetch_with_answer_count,
    sent_record,
)
from batchwright.workflows.simulate import Reached, SimulatedParticipants


@dataclass(frozen=True)
class CollectionsContext:
    """The dependencies of the commands of the Collections stage."""

    state: CollectionsState
    host: QWidget
    """The parent of dialogs."""
    downloads: DownloadContext
    open_study: Callable[[Project], Awaitable[object]]
    """Opens another study in place of the current one, after the user has agreed to close that."""
    open_url: Callable[[str], object]
    show_answers: Callable[[OtherSource | None], object]
    """Shows the answers of another collection in Results, or with None those of the study."""
    run_action: Callable[[ActionId], object]
    """Runs another action by its id, if it is enabled."""

    @property
    def live(self) -> str:
        """The title of the current connection if it is to a live service; empty in a rehearsal."""
        session = self.state.session
        return session.connection.title if session.is_live else ""


def refresh(context: CollectionsContext) -> None:
    """Fetch the collections, with a prompt for a token if one is needed."""
    context.state.remote_collections.refresh(may_prompt=True)
    context.state.shown.refresh()


async def publish(context: CollectionsContext) -> None:
    """Create or replace the collection; confirmed first at a live service, or if something may be lost."""
    if context.state.own_id:
        await _replace_own(context)
    elif not context.state.may_exist:
        await _create(context)
    elif (similar := await _find_similar(context.state)) is not None:
        await _create_or_adopt(context, similar)


async def edit_details(context: CollectionsContext) -> None:
    """Ask for name and task details, and store them in the study."""
    await ask_details(context.host, context.state.study)


async def open_as_study(context: CollectionsContext) -> None:
    """Open the collection shown as a study."""
    if context.state.chosen is not None:
        await _open_as_study(context, context.state.chosen.id)


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


def participate(context: CollectionsContext) -> None:
    """Open the participant page of the collection shown."""
    collection = context.state.chosen
    if collection is None:
        return

    async def fetch_url(run: OperationRun) -> str:
        return (await run.context.service.local.participation_in_collection(collection.id)).url

    operation = Operation("participate", _("Opening the participant page"))
    context.state.operations.start(operation, fetch_url, context.open_url)


async def simulate(context: CollectionsContext) -> None:
    """Ask for the number of simulated participants, and start them."""
    collection = context.state.chosen
    dialog = SimulationDialog(None)
    if collection is not None and await dialog.ask(context.host):
        start_simulation(context.state, collection, dialog.people)


def show_answers(context: CollectionsContext) -> None:
    """Show the answers of the collection shown in Results."""
    state, collection = context.state, context.state.chosen
    if collection is not None:
        other = OtherSource(state.session.connection.name, remote_collection(collection.id), collection.name)
        context.show_answers(None if state.shows_own else other)


def copy_id(context: CollectionsContext) -> None:
    """Copy the id of the collection shown to the clipboard."""
    QGuiApplication.clipboard().setText(context.state.shown_id)


def start_publish(
    state: CollectionsState,
    replaces: Collection | None,
    review_again: Callable[[], object] = lambda: None,
    *,
    existing_id: str = "",
) -> None:
    """Create the collection of the study, or replace its content.

    Args:
        state: the state of the stage.
        replaces: the collection at the time when the user confirmed; None creates one.
        review_again: called if the collection has changed since the user confirmed; nothing was sent then.
        existing_id: the id of the study's existing collection, if a further one is to be created.
    """
    desired, connection = state.desired_collection, state.session.connection.name
    version = state.study.new_version(VersionCause.UPDATED if replaces else VersionCause.CREATED)
    state.choose_own()

    async def work(run: OperationRun) -> tuple[PublishedCollection | ChangedMeanwhile, str]:
        try:
            published = await create_or_replace_collection(run.context, desired, replaces, existing_id)
        except ChangedMeanwhile as error:
            return error, run.context.workspace_id
        state.study.version_created.emit(version)
        name = published.collection.name
        if published.is_earlier:
            state.existing_collection_found.emit(name)
        else:
            state.notified.emit(_("Collection saved") if replaces else _("Collection created"), name)
        return published, run.context.workspace_id

    def store(result: tuple[PublishedCollection | ChangedMeanwhile, str]) -> None:
        published, workspace_id = result
        if isinstance(published, ChangedMeanwhile):
            review_again()
            return
        collection = published.collection
        bound = replace(
            state.remote, workspace_id=workspace_id, collection_id=collection.id, ids=published.ids
        )
        state.study.set_remote(connection, replace(bound, last_sent=published.last_sent))
        state.store_collection(collection, state.answers if replaces else 0)

    title = _("Saving the collection") if replaces else _("Creating the collection")
    state.operations.start(CollectionChange("publish", title), work, store)


def start_copy(state: CollectionsState, collection: Collection, name: str) -> None:
    """Create a collection with the content of another one, and show it."""

    async def work(run: OperationRun) -> Collection | None:
        created = await copy_collection(run.context, collection.id, name)
        state.notified.emit(_("Collection copied"), created.name)
        return created if created.workspace_id in ("", run.context.workspace_id) else None

    def show(created: Collection | None) -> None:
        if created is not None:
            state.store_collection(created, 0)
            state.choose(created.id)

    state.operations.start(CollectionChange("copy", _("Copying the collection")), work, show)


def start_simulation(state: CollectionsState, collection: Collection, people: SimulationOptions) -> None:
    """Run simulated participants; they stop when another study is opened."""
    reached = Reached()

    async def work(run: OperationRun) -> None:
        link = (await run.context.service.local.participation_in_collection(collection.id)).url
        simulation = SimulatedParticipants(link, people.seed, people.participants, people.behaviour, reached)
        progress = simulation.run(lambda fraction: run.update(fraction=fraction))
        async with aclosing(progress) as participants:
            async for _number in participants:
                pass
        answered = reached.finished
        text = ngettext("{count} participant answered", "{count} participants answered", answered)
        if not answered:
            text = _("All participants of this seed had answered before")
        state.notified.emit(text.format(count=number(answered)), collection.name)

    operation = CollectionChange("simulate", _("Simulated participants answer"), cancels_on_leave=True)
    state.operations.start(operation, work)


async def _create(context: CollectionsContext, *, existing_id: str = "") -> None:
    """Create a collection; confirmed first at a live service. For `existing_id` see `start_publish`."""
    live = context.live
    if not live or await create_dialog(context.state.name, live).ask(context.host):
        start_publish(context.state, None, existing_id=existing_id)


async def _replace_own(context: CollectionsContext) -> bool:
    """Replace the collection of the study; returns whether anything is sent."""
    state = context.state
    existing = await _fetch_existing(state)
    if existing is None:
        return False
    decision = await _decide_on_versions(context, existing.collection)
    if decision is Decision.NEW:
        start_publish(state, None, existing_id=existing.collection.id)
        return True
    if decision in {Decision.MINE, Decision.MERGE} and await _may_replace(context, existing):
        start_publish(state, existing.collection, lambda: context.run_action(ActionId.COLLECTIONS_PUBLISH))
        return True
    return False


async def _find_similar(state: CollectionsState) -> tuple[Collection, ...] | None:
    """Find the collections that the study may have been sent to; None if that failed."""
    desired, ids = state.desired_collection, state.ids_in_file

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
    desired, opening, before = state.desired_collection, state.study.opening, state.remote

    binding = await state.operations.run(
        Operation("check", _("Checking the collection")),
        lambda run: bind_to_collection(run.context, desired, collection_id),
    )
    if binding is None:
        return
    state.study.set_remote(connection, binding)
    if not await _replace_own(context) and opening == state.study.opening:
        state.study.set_remote(connection, before)


async def _fetch_existing(state: CollectionsState) -> CollectionWithAnswerCount | None:
    """Fetch the current state of the study's collection, and count its answers; None if that failed."""
    collection_id = state.own_id

    async def work(run: OperationRun) -> CollectionWithAnswerCount:
        try:
            return await fetch_with_answer_count(run.context, collection_id)
        except Exception as error:
            if is_not_found(error):
                state.remote_collections.invalidate()
            raise

    existing = await state.operations.run(Operation("check", _("Checking the collection")), work)
    if existing is not None:
        state.choose_own()
        state.store_collection(existing.collection, existing.answers)
    return existing


async def _decide_on_versions(context: CollectionsContext, collection: Collection) -> Decision | None:
    """Ask which version to keep if others have changed the collection; the study gets theirs, or both.

    Returns:
        None if the user cancelled, and `MINE` if nobody else has changed the collection.
    """
    state = context.state
    desired, last = state.desired_collection, state.remote.last_sent
    comparison = await asyncio.to_thread(compare, collection, desired, last)
    if comparison is not ContentComparison.REMOTE_CHANGED:
        return Decision.MINE
    return await choose_version(
        context.host,
        state.study,
        state.session.connection.name,
        conflict_texts(collection.name, sent_at_text(last), context.live),
        await asyncio.to_thread(collection_versions, collection, desired, last),
        lambda theirs: sent_record(with_content(desired, theirs), collection),
        state.notified.emit,
        place=place_in_collection,
    )


async def _may_replace(context: CollectionsContext, existing: CollectionWithAnswerCount) -> bool:
    """Show what saving changes in the collection, and ask whether to send it."""
    state, collection = context.state, existing.collection
    desired, last = state.desired_collection, state.remote.last_sent
    review = await asyncio.to_thread(lambda: collection_versions(collection, desired, last).review)
    if review.is_empty:
        return True
    comparison = await asyncio.to_thread(compare, collection, desired, last)
    is_changed = comparison is ContentComparison.REMOTE_CHANGED
    names = page_names(state.study.project, desired.ids)
    dialog = replace_dialog(
        existing,
        review,
        await asyncio.to_thread(change_rows, review, names, place=item_place_text),
        is_changed=is_changed,
        overwrites=overwrite_warning(
            sent_at_text(last) if is_changed else None,
            is_recorded=last is not None or comparison is ContentComparison.UP_TO_DATE,
        ),
        live=context.live,
    )
    return await confirm_sending(
        context.host,
        dialog,
        state.operations,
        lambda workflow_context: count_collection_answers(workflow_context, collection.id),
    )


async def _open_as_study(context: CollectionsContext, collection_id: str) -> None:
    operation = Operation("open", _("Opening the collection"))
    project = await context.state.operations.run(
        operation, lambda run: study_from_collection(run.context, collection_id)
    )
    if project is not None:
        await context.open_study(project)
