"""Fetching answers into an answer store: all of them, or only those that it lacks."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType

from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.layout_versions import LayoutVersions
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import none_if_missing
from batchwright.client.remote_study import RemoteStudy
from batchwright.wire.batches import BatchStatus
from batchwright.workflows.answers.answered_layouts import AnsweredLayouts, answered_layouts
from batchwright.workflows.answers.joined_languages import JoinedLanguage, collect_languages

NEWEST = 200
"""Number of newest answers that are requested before all are."""
_PROGRESS_S = 0.4
_COLLECTING = frozenset({BatchStatus.PROCESSING, BatchStatus.READY})
"""Statuses in which answers may arrive, or will after a setup that was started elsewhere."""

OnProgress = Callable[[], object]
"""Called in a worker thread while answers are being added."""


@dataclass(frozen=True)
class FetchedAnswers:
    """What was fetched beside the answers themselves."""

    total_tasks: int = 0
    """Number of tasks of the batch, or of all batches that are joined."""
    layouts: Mapping[str, AnsweredLayouts] = field(default_factory=dict)
    """The layouts that participants of each language saw; that of a single batch has no language."""
    has_list: bool = True
    """Whether the service offers the answers as a list; it need not for a collection."""
    is_collecting: bool = True
    """Whether more answers may arrive."""
    is_outdated: bool = False
    """Whether the store has answers that the service has no longer, or that participants have changed."""
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
) -> FetchedAnswers | None:
    """Add the answers of a batch or collection that the store lacks, and set its questions.

    Answers that it has are not replaced; if they are outdated, another store must be filled. Returns None if
    the batch or collection does not exist, nor any batch that it is joined with.

    Args:
        context: the service and what belongs to it.
        of: the batch or collection; the first one if several are joined.
        store: gets the answers.
        only_newest: fetch all answers only if the newest ones are not all that is missing.
        joined: the batches of several languages whose answers are joined.
        languages: the language of each task as it was fetched before.
        on_progress: called regularly while all answers are added.

    Raises:
        ApiError: a request failed permanently.
    """
    parts = joined if len(joined) > 1 else (JoinedLanguage("", of),)
    found = [await none_if_missing(_fetch_part(context, part)) for part in parts]
    existing = [part for part in found if part is not None]
    if not existing:
        return None
    versions = LayoutVersions.joined([part.layouts.timeline for part in existing])
    await asyncio.to_thread(store.set_layouts, versions)
    languages_now = dict(languages) if len(parts) > 1 else {}
    fetched = FetchedAnswers(
        sum(part.total_tasks for part in existing),
        {part.of.language: part.layouts for part in existing},
        is_collecting=any(part.is_collecting for part in existing),
        languages=languages_now,
    )
    if only_newest:
        has_all = await _add_newest(context, parts, store, languages_now)
        if has_all or store.has_other_answers:
            return replace(fetched, is_outdated=store.has_other_answers)
    lines = [await _fetch_lines(context, part, languages_now) for part in parts]
    listed = [texts for texts, _total in filter(None, lines)]
    if not listed:
        return replace(fetched, has_list=False, is_collecting=False)
    received = await asyncio.to_thread(_add_all, store, chain.from_iterable(listed), on_progress)
    has_removed = await asyncio.to_thread(len, store) > received
    return replace(fetched, is_outdated=has_removed or store.has_other_answers)


@dataclass(frozen=True)
class _Part:
    """What the service has of a batch or collection beside its answers."""

    of: JoinedLanguage
    layouts: AnsweredLayouts
    total_tasks: int = 0
    is_collecting: bool = True


async def _fetch_part(context: WorkflowContext, part: JoinedLanguage) -> _Part:
    of = part.remote_study
    if of.is_collection:
        collection = await context.service.collections.get(of.id)
        return _Part(part, await answered_layouts(context, of, collection))
    batch = await context.service.batches.get(of.id)
    layouts = await answered_layouts(context, of, batch, part.instructions)
    return _Part(part, layouts, batch.total_task_count, batch.status in _COLLECTING)


async def _fetch_lines(
    context: WorkflowContext, part: JoinedLanguage, languages: dict[str, str], limit: int | None = None
) -> tuple[Iterable[str], int] | None:
    """The answers to a batch or collection as JSON, and how many there are, also of those beyond a limit.

    None if there is no list of them. The language of each task is added while the answers are read.
    """
    listed = await none_if_missing(part.remote_study.responses(context.service, limit))
    if listed is None:
        return None
    texts = listed.texts()
    total = 0 if limit is None else listed.total(limit)
    return (collect_languages(texts, part.language, languages) if part.language else texts), total


async def _add_newest(
    context: WorkflowContext, parts: Sequence[JoinedLanguage], store: AnswerStore, languages: dict[str, str]
) -> bool:
    """Add the newest answers of each part; return whether the store then has those of the service.

    It has if there are as many, and no further ones can be between those it had and those that were added.
    """
    found = [await _fetch_lines(context, part, languages, NEWEST) for part in parts]
    listed = [lines for lines in found if lines is not None]

    def add() -> bool:
        has_gap = False
        for texts, total in listed:
            lines = list(texts)
            has_gap |= store.append_lines(lines) == len(lines) < total
        return not has_gap and len(store) == sum(total for _texts, total in listed)

    return bool(listed) and await asyncio.to_thread(add)


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
