"""Comparing the study with its batch: short layouts at once, long ones in a thread."""

import threading

import pytest

from batchwright.client.batch_content import DesiredBatch, desired_batch
from batchwright.client.published_content import ContentComparison
from batchwright.client.resource_content import compare, item_count
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.ids import to_request
from batchwright.layout.model import Layout
from batchwright.local.projects import LastSent, Project
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.study.content_comparer import ContentComparer
from batchwright.wire.batches import Batch
from batchwright.workflows.messages import describe
from tests.layout.builders import item, sketch
from tests.ui.conftest import until

pytestmark = pytest.mark.gui

SHORT, LONG = 3, 600


def layout_of(items: int) -> Layout:
    """One column of items `i0`, `i1` …"""
    page = sketch("a").pages[0]
    row = page.children[0]
    column = row.children[0].with_children([item(f"i{number}") for number in range(items)])
    return Layout().with_children([page.with_children([row.with_children([column])])])


def batch_of(layout: Layout, id: str = "b") -> Batch:
    """A batch with a layout."""
    values = {"id": id, "name": "Cats", "status": "UNINITIALISED", "batch_items": to_request(layout, {})}
    return Batch.model_validate({**values, "task_details": {"task_name": "Cats"}})


def desired_of(layout: Layout) -> DesiredBatch:
    """What a study with a layout defines."""
    return desired_batch(Project("Cats", layout), None)


class Comparer(ContentComparer[Batch, DesiredBatch]):
    """Records in which threads it compares."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

        def recorded(batch: Batch, desired: DesiredBatch, last: LastSent | None) -> ContentComparison:
            self.threads.append(threading.current_thread())
            return compare(batch, desired, last)

        self._comparing = Tasks(describe)
        super().__init__("compare", recorded, item_count, self._comparing)

    async def ended(self) -> None:
        """Wait until the thread has ended."""
        await until(lambda: not self._comparing.running)

    @property
    def is_on_main_thread(self) -> list[bool]:
        return [thread is threading.main_thread() for thread in self.threads]


@pytest.fixture
def comparer() -> Comparer:
    return Comparer()


async def test_short_layouts_are_compared_at_once_and_only_once(comparer: Comparer) -> None:
    batch, layout = batch_of(layout_of(SHORT)), layout_of(SHORT)
    for _time in range(2):
        assert comparer.comparison(batch, desired_of(layout), None) is ContentComparison.UP_TO_DATE
    assert comparer.is_on_main_thread == [True]


async def test_a_long_layout_is_compared_in_a_thread_and_has_its_previous_result_meanwhile(
    comparer: Comparer,
) -> None:
    batch, layout = batch_of(layout_of(LONG)), layout_of(LONG)
    assert comparer.comparison(batch, desired_of(layout), None) is None
    await comparer.ended()
    assert comparer.comparison(batch, desired_of(layout), None) is ContentComparison.UP_TO_DATE
    layout = SetAttributes("i1", {"description": "Why?"})(layout)
    assert comparer.comparison(batch, desired_of(layout), None) is ContentComparison.UP_TO_DATE
    await comparer.ended()
    assert comparer.comparison(batch, desired_of(layout), None) is ContentComparison.STUDY_CHANGED
    assert comparer.comparison(batch_of(layout, "other"), desired_of(layout), None) is None
    await comparer.ended()
    assert comparer.is_on_main_thread == [False] * 3


async def test_a_short_study_is_compared_with_a_long_batch_in_a_thread(
    comparer: Comparer,
) -> None:
    batch, desired = batch_of(layout_of(LONG)), desired_of(layout_of(SHORT))
    assert comparer.comparison(batch, desired, None) is None
    await comparer.ended()
    assert comparer.comparison(batch, desired, None) is ContentComparison.STUDY_CHANGED
    assert comparer.is_on_main_thread == [False]


async def test_a_change_during_the_comparison_is_compared_as_well(comparer: Comparer) -> None:
    batch, layout = batch_of(layout_of(LONG)), layout_of(LONG)
    edited = SetAttributes("i1", {"description": "Why?"})(layout)
    comparer.comparison(batch, desired_of(layout), None)
    comparer.comparison(batch, desired_of(edited), None)
    await comparer.ended()
    assert comparer.comparison(batch, desired_of(edited), None) is ContentComparison.STUDY_CHANGED
