"""Sending a study: what the service has is compared with it, the user decides, and it is sent."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic

from batchwright.base.i18n import _
from batchwright.client.content_review import Versions, versions_of
from batchwright.client.dataset_lookup import look_up_dataset
from batchwright.client.errors import ChangedMeanwhile, is_not_found, none_if_missing
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import compare
from batchwright.layout.rules import Problem
from batchwright.local.projects import LastSent
from batchwright.local.versions import VersionCause
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.publishing.context import PublishingContext
from batchwright.ui.publishing.publishable import D, R, UpdateTexts
from batchwright.ui.publishing.state import PublishingState, ResourceChange
from batchwright.ui.review.conflict_dialog import Decision
from batchwright.ui.review.dialog import AffectedAnswers, ReviewDialog
from batchwright.ui.review.questions import (
    TheirDataset,
    choose_version,
    confirm_sending,
    overwrite_warning,
    page_names,
    sent_at_text,
)
from batchwright.ui.review.rows import ChangeRow, change_rows
from batchwright.workflows.publishing.publish_batch import layout_problems
from batchwright.workflows.publishing.published import Published, WithAnswerCount, record_adopted


@dataclass(frozen=True)
class Sent(Generic[R]):
    """What an operation has sent."""

    published: Published[R]
    workspace_id: str
    is_new: bool
    """Whether it was created now."""
    has_earlier_tasks: bool
    """Whether participants get tasks from before it was sent."""


OnSent = Callable[[Sent[R]], object]
"""Called when a study was sent and its ids are stored."""


async def fetch_existing(state: PublishingState[R, D, Any], resource_id: str) -> WithAnswerCount[R] | None:
    """Fetch the current state of a batch or collection, and count its answers; None if that failed."""
    if not resource_id:
        return None

    async def work(run: OperationRun) -> WithAnswerCount[R]:
        try:
            return await state.publishable.fetch(run.context, resource_id)
        except Exception as error:
            if is_not_found(error):
                state.remote_list.invalidate()
            raise

    existing = await state.operations.run(Operation("check", _(state.publishable.texts.checking)), work)
    if existing is not None:
        state.store(existing.resource, existing.answers)
    return existing


async def update_own(
    context: PublishingContext[R, D], review_again: ActionId, on_sent: OnSent[R] = lambda _sent: None
) -> bool:
    """Update the batch or collection of the study after the user has seen what changes.

    Args:
        context: the dependencies of the command.
        review_again: the action that is run if it changes once more before the update.
        on_sent: called when the study was sent.

    Returns:
        whether anything is sent.
    """
    state = context.state
    state.choose_own()
    language = state.language
    existing = await fetch_existing(state, state.own_id)
    if existing is None or state.language != language:
        return False
    decision = await _decide(context, existing)
    if decision is None:
        return False
    if decision is Decision.NEW:
        start_publish(state, None, on_sent, existing_id=existing.resource.id)
    else:
        start_publish(state, existing.resource, on_sent, partial(context.run_action, review_again))
    return True


def start_publish(
    state: PublishingState[R, D, Any],
    replaces: R | None,
    on_sent: OnSent[R] = lambda _sent: None,
    review_again: Callable[[], object] = lambda: None,
    *,
    existing_id: str = "",
) -> None:
    """Create the batch or collection of the study, or update it to the current content of the study.

    Args:
        state: the state of the stage.
        replaces: the resource at the time when the user confirmed the update; None creates one.
        on_sent: called when the study was sent.
        review_again: called if it has changed since the user confirmed; nothing was sent then.
        existing_id: the id of the study's existing one, if a further one is to be created.
    """
    publishable, desired, connection = state.publishable, state.desired, state.session.connection.name
    language = state.language
    if desired is None:
        return
    texts = publishable.texts
    version = state.study.new_version(VersionCause.UPDATED if replaces else VersionCause.CREATED)
    state.choose_own()
    state.study.show_server_problems(())

    async def work(run: OperationRun) -> Sent[R] | tuple[Problem, ...] | ChangedMeanwhile:
        try:
            published = await publishable.send(run.context, desired, replaces, existing_id)
        except ChangedMeanwhile as error:
            return error
        except Exception as error:
            problems = layout_problems(error)
            if not problems:
                raise
            return problems
        state.study.version_created.emit(version)
        resource = published.resource
        has_earlier_tasks = await publishable.has_earlier_tasks(run.context, resource, state.session.is_live)
        if published.is_earlier:
            state.existing_found.emit(resource.name)
        else:
            state.notified.emit(_(texts.updated if replaces else texts.created), resource.name)
        is_new = replaces is None and not published.is_earlier
        return Sent(published, run.context.workspace_id, is_new, has_earlier_tasks)

    def store(result: Sent[R] | tuple[Problem, ...] | ChangedMeanwhile) -> None:
        if isinstance(result, ChangedMeanwhile):
            review_again()
        elif isinstance(result, Sent):
            published = result.published
            remote = state.study.remote(connection).in_language(language)
            bound = remote.with_id(publishable.kind, published.resource.id)
            bound = replace(bound, workspace_id=result.workspace_id, ids=published.ids)
            state.bind(connection, language, replace(bound, last_sent=published.last_sent))
            state.store(published.resource, None if replaces else 0)
            on_sent(result)
        else:
            state.study.show_server_problems(result)

    title = _(texts.updating if replaces else texts.creating)
    operation = ResourceChange("publish", title, resource_id=replaces.id if replaces else "")
    state.operations.start(operation, work, store)


def review_dialog(
    existing: WithAnswerCount[R],
    affected: frozenset[str],
    rows: tuple[ChangeRow, ...],
    texts: UpdateTexts,
    live: str,
    overwrites: str = "",
) -> ReviewDialog:
    """The dialog for the changes of an update.

    Args:
        existing: what the service has, and the number of its answers.
        affected: the ids of the instructions that are changed or removed.
        rows: the rows for the changes.
        texts: the texts.
        live: name of the live service; empty for the service on this computer.
        overwrites: a warning about changes of others that are overwritten; empty if there are none.
    """
    return ReviewDialog(
        texts.text,
        texts.accept,
        rows,
        notes=texts.notes,
        answers=AffectedAnswers(existing.resource.name, existing.answers, affected, texts.consequence),
        overwrites=overwrites,
        live=live,
    )


@dataclass(frozen=True)
class _Comparison(Generic[R, D]):
    """What a service has, compared with the study once for all questions about an update."""

    existing: WithAnswerCount[R]
    desired: D
    last: LastSent | None
    result: ContentComparison
    versions: Versions


async def _compare(
    state: PublishingState[R, D, Any], existing: WithAnswerCount[R]
) -> _Comparison[R, D] | None:
    """Compare the study with its batch or collection in a thread; None without such a study."""
    desired, last = state.desired, state.remote.last_sent
    if desired is None:
        return None

    def compared(desired: D) -> _Comparison[R, D]:
        resource = existing.resource
        result = compare(resource, desired, last)
        versions = versions_of(resource, desired, last)
        return _Comparison(existing, desired, last, result, versions)

    return await asyncio.to_thread(compared, desired)


async def _decide(context: PublishingContext[R, D], existing: WithAnswerCount[R]) -> Decision | None:
    """Ask which version to keep if others have changed it, and whether to send what an update changes.

    Returns:
        `NEW`, `MINE` or `MERGE`; None if nothing is to be sent.
    """
    comparison = await _compare(context.state, existing)
    decision = await _decide_on_versions(context, comparison) if comparison is not None else None
    if decision is Decision.MERGE:  # the study has another content now
        comparison = await _compare(context.state, existing)
    if comparison is None or decision not in {Decision.MINE, Decision.MERGE}:
        return decision if decision is Decision.NEW else None
    return decision if await _may_update(context, comparison) else None


async def _decide_on_versions(
    context: PublishingContext[R, D], comparison: _Comparison[R, D]
) -> Decision | None:
    """Ask which version to keep if others have changed it; the study gets theirs, or both combined.

    A version in another language cannot become the study; a warning before the update says that it was
    changed.

    Returns:
        None if the user cancelled, and `MINE` if nobody else has changed it.
    """
    if comparison.result is not ContentComparison.REMOTE_CHANGED or context.state.language:
        return Decision.MINE
    state, publishable, versions = context.state, context.state.publishable, comparison.versions
    resource, before = comparison.existing.resource, state.remote.dataset_id
    their_id, dataset = next(iter(versions.theirs.dataset_ids), None), None
    if their_id is not None and their_id not in versions.mine.dataset_ids:
        dataset = await _look_up(state, their_id)
        if dataset is None:
            return None
    decision = await choose_version(
        context.host,
        state.study,
        state.session.connection.name,
        publishable.conflict_texts(resource.name, sent_at_text(comparison.last), context.live),
        versions,
        lambda theirs: record_adopted(comparison.desired, theirs, resource),
        state.notified.emit,
        dataset,
    )
    if state.remote.dataset_id != before:
        state.remote_list.refresh()
    return decision


async def _look_up(state: PublishingState[R, D, Any], dataset_id: str) -> TheirDataset | None:
    """Look up the dataset that others have attached; None if that failed."""

    async def work(run: OperationRun) -> TheirDataset:
        lookup = await none_if_missing(look_up_dataset(run.context, dataset_id))
        return TheirDataset(dataset_id, lookup)

    return await state.operations.run(Operation("dataset", _("Checking the dataset")), work)


async def _may_update(context: PublishingContext[R, D], comparison: _Comparison[R, D]) -> bool:
    """Show what an update changes, and ask whether to send it."""
    state, existing, last = context.state, comparison.existing, comparison.last
    review = await asyncio.to_thread(lambda: comparison.versions.review)
    if review.is_empty:
        return True
    publishable, resource = state.publishable, existing.resource
    names = page_names(state.study.project, comparison.desired.ids)
    rows = await asyncio.to_thread(change_rows, review, names, place=publishable.place)
    is_changed = comparison.result is ContentComparison.REMOTE_CHANGED
    texts = publishable.update_texts(resource, review, context.live)
    if is_changed:
        texts = replace(texts, accept=_("Overwrite the change"))
    overwrites = overwrite_warning(
        sent_at_text(last) if is_changed else None,
        is_recorded=last is not None or comparison.result is ContentComparison.UP_TO_DATE,
    )
    return await confirm_sending(
        context.host,
        review_dialog(existing, review.affected_instructions, rows, texts, context.live, overwrites),
        state.operations,
        lambda workflow_context: publishable.count_answers(workflow_context, resource.id),
    )
