"""Fetching answers into an answer store: all of them, or only those that it lacks."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType

from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.remote_study import RemoteStudy
from batchwright.wire.batches import BatchStatus
from batchwright.workflows.answers.answered_layouts import AnsweredLayouts, answered_layouts
from batchwright.workflows.answers.joined_languages import JoinedLanguage, as_answers_of_study

_NEWEST = 200
"""Number of newest answers that are requested before all are."""
_PROGRESS_S = 0.4

OnProgress = Callable[[], object]
"""Called in a worker thread while answers are being added."""


@dataclass(frozen=True)
class FetchedAnswers:
    """What was fetched beside the answers themselves."""

    total_tasks: int = 0
    """Number of tasks of the batch."""
    layouts: AnsweredLayouts = AnsweredLayouts()  # noqa: RUF009 - frozen
    """The layouts that participants saw."""
    has_list: bool = True
    """Whether the service offers the answers as a list; it need not for a collection."""
    is_collecting: bool = True
    """Whether more answers may arrive."""
    has_removed: bool = False
    """Whether the store has answers that the service no longer has."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """The language in which each task was shown, if batches in several languages are joined."""


async def update_answers(
    context: WorkflowContext,
    of: RemoteStudy,
    store: AnswerStore,
    *,
    only_newest: bool,
    joined: Sequence[JoinedLanguage] = (),
    languages: Mapping[str, str] = MappingProxyType({}),
    on_progress: OnProgress = lambda: None,
) -> FetchedAnswers:
    """Add the answers of a batch or collection that the store lacks, and set its questions.

    Args:
        context: the service and what belongs to it.
        of: the batch or collection; the first one if several are joined.
        store: gets the answers.
        only_newest: fetch all answers only if the newest ones are not all that is missing.
        joined: the batches of several languages whose answers are joined.
        languages: the language of each task as it was fetched before.
        on_progress: called regularly while all answers are added.

    Raises:
        NotFound: the batch or collection does not exist.
        ApiError: a request failed permanently.
    """
    fetched = await _describe(context, of)
    await asyncio.to_thread(store.set_layouts, fetched.layouts.versions)
    if len(joined) > 1:
        fetched = replace(fetched, languages=dict(languages))
        return await _add_joined(context, joined, store, fetched, on_progress, only_newest=only_newest)
    if only_newest and await _add_newest(context, of, store):
        return fetched
    listed = await none_if_missing(of.responses(context.service))
    if listed is None:
        return replace(fetched, has_list=False, is_collecting=False)
    received = await asyncio.to_thread(_add_all, store, listed.texts(), on_progress)
    has_removed = await asyncio.to_thread(len, store) > received
    return replace(fetched, has_removed=has_removed)


async def _describe(context: WorkflowContext, of: RemoteStudy) -> FetchedAnswers:
    if of.is_collection:
        collection = await context.service.collections.get(of.id)
        return FetchedAnswers(layouts=await answered_layouts(context, of, collection))
    batch = await context.service.batches.get(of.id)
    layouts = await answered_layouts(context, of, batch)
    return FetchedAnswers(batch.total_task_count, layouts, is_collecting=batch.status == BatchStatus.READY)


async def _add_joined(
    context: WorkflowContext,
    joined: Sequence[JoinedLanguage],
    store: AnswerStore,
    fetched: FetchedAnswers,
    on_progress: OnProgress,
    *,
    only_newest: bool,
) -> FetchedAnswers:
    """Add the answers to the batches of several languages; those that do not exist any more have none.

    The first one is described by `fetched`.
    """
    languages = dict(fetched.languages)
    batches = [await none_if_missing(context.service.batches.get(one.remote_study.id)) for one in joined[1:]]
    others = [batch for batch in batches if batch is not None]
    has_removed = False
    if not only_newest or not await _add_newest_joined(context, joined, store, languages):
        lines: list[Iterator[str]] = []
        for one in joined:
            listed = await none_if_missing(one.remote_study.responses(context.service))
            if listed is not None:
                lines.append(as_answers_of_study(listed.texts(), one, languages))
        received = await asyncio.to_thread(_add_all, store, chain.from_iterable(lines), on_progress)
        has_removed = await asyncio.to_thread(len, store) > received
    return replace(
        fetched,
        total_tasks=fetched.total_tasks + sum(batch.total_task_count for batch in others),
        is_collecting=fetched.is_collecting or any(batch.status == BatchStatus.READY for batch in others),
        has_removed=has_removed,
        languages=languages,
    )


async def _add_newest(context: WorkflowContext, of: RemoteStudy, store: AnswerStore) -> bool:
    """Add the newest answers; return whether the store then has as many as the service."""
    newest = await none_if_missing(of.responses(context.service, _NEWEST))
    if newest is None:
        return False

    def add() -> bool:
        store.append_lines(newest.texts())
        return len(store) == newest.total(_NEWEST)

    return await asyncio.to_thread(add)


async def _add_newest_joined(
    context: WorkflowContext, joined: Sequence[JoinedLanguage], store: AnswerStore, languages: dict[str, str]
) -> bool:
    """Add the newest answers in each language; return whether the store then has as many as the service."""
    total = 0
    for one in joined:
        newest = await none_if_missing(one.remote_study.responses(context.service, _NEWEST))
        if newest is not None:
            lines = as_answers_of_study(newest.texts(), one, languages)
            await asyncio.to_thread(store.append_lines, lines)
            total += newest.total(_NEWEST)
    return await asyncio.to_thread(len, store) == total


def _add_all(store: AnswerStore, lines: Iterable[str], on_progress: OnProgress) -> int:
    """Add answers and return how many there were; `on_progress` is called regularly."""
    received = 0

    def counted() -> Iterator[str]:
        nonlocal received
        due = time.monotonic() + _PROGRESS_S
        for line in lines:
            received += 1
            yield line
            if time.monotonic() >= due:
                on_progress()
                due = time.monotonic() + _PROGRESS_S

    store.append_lines(counted())
    return received
