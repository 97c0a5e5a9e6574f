"""The layouts that answers were given to: the one place that knows which version an answer belongs to.

A service returns the present layout of a batch, while its tasks keep the layout of their setup. The layouts
of setups, and of the versions of collections, are recorded on this computer (`client.task_layouts`); of
others, the present layout is all that is known.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

from batchwright.analysis.store.layout_versions import LayoutTimeline
from batchwright.analysis.store.questions import questions_in
from batchwright.base.json_values import Json, is_array
from batchwright.client.batch_questions import fetch_questions
from batchwright.client.context import WorkflowContext
from batchwright.client.remote_study import RemoteStudy
from batchwright.client.resource_content import pages_of
from batchwright.client.task_layouts import recorded_layouts
from batchwright.layout.collection_pages import layout_from_collection
from batchwright.layout.ids import with_other_ids
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.task_layouts import TaskLayout
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection


@dataclass(frozen=True)
class AnsweredLayouts:
    """The layouts of a batch or collection that answers were given to, with ids, and their questions."""

    layouts: tuple[Layout, ...] = ()
    """The oldest first; the last one is that of the newest tasks."""
    starts: tuple[datetime, ...] = ()
    """The times from which tasks had the layouts; one less than layouts, since the first one has no start."""
    timeline: LayoutTimeline = LayoutTimeline()  # noqa: RUF009 - frozen

    def at(self, time: datetime | None) -> Layout:
        """The layout of an answer that was given at a time; the newest one if it is not known."""
        return self.layouts[self._index(time)] if self.layouts else Layout()

    def title_at(self, question: str, time: datetime | None) -> str | None:
        """The text of a question, named by its id, in the layout of that time; None if it is not in it."""
        return self._titles[self._index(time)].get(question) if self.layouts else None

    @cached_property
    def _titles(self) -> Sequence[Mapping[str, str]]:
        return [{question.id: question.title for question in questions_in(layout)} for layout in self.layouts]

    def _index(self, time: datetime | None) -> int:
        return len(self.starts) if time is None else bisect_right(self.starts, time)


async def answered_layouts(
    context: WorkflowContext,
    of: RemoteStudy,
    present: Batch | Collection,
    instructions: Mapping[str, str] = MappingProxyType({}),
) -> AnsweredLayouts:
    """The layouts that the answers to a batch or collection were given to.

    Args:
        context: the connection.
        of: the batch or collection.
        present: what the service has now.
        instructions: the ids that its nodes get, by those that they have.

    Raises:
        ApiError: the instructions of a legacy batch could not be fetched.
    """
    recorded = await recorded_layouts(context, of)
    pages = () if recorded else await _present_pages(context, present)
    return await asyncio.to_thread(_answered_layouts, of, recorded, pages, instructions)


async def _present_pages(context: WorkflowContext, present: Batch | Collection) -> Sequence[Json]:
    pages = pages_of(present) if isinstance(present, Collection) else await fetch_questions(context, present)
    return pages if is_array(pages) else ()


def _answered_layouts(
    of: RemoteStudy, recorded: Sequence[TaskLayout], present: Sequence[Json], instructions: Mapping[str, str]
) -> AnsweredLayouts:
    """The recorded layouts, or the present one for all answers if there are none."""
    read_pages = layout_from_collection if of.is_collection else read
    layouts = tuple(
        with_other_ids(read_pages(pages, sequential_keys()), instructions)
        for pages in ([setup.pages for setup in recorded] if recorded else [present])
    )
    questions = [questions_in(layout) for layout in layouts]
    ids = {new: id for id, new in instructions.items()}
    if not recorded:
        timeline = LayoutTimeline.single(questions[0], is_known=False)
        return AnsweredLayouts(layouts, (), replace(timeline, instructions=ids))
    starts = [setup.accepted_at for setup in recorded]
    known = next((setup.accepted_at for setup in recorded if not setup.is_assumed), None)
    timeline = LayoutTimeline.of(zip(starts, questions, strict=True), known)
    return AnsweredLayouts(layouts, tuple(starts[1:]), replace(timeline, instructions=ids))
