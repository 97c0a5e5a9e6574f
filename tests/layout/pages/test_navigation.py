"""The sequence of pages for a participant: intro pages, the pages of each task, outro pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.layout.model import Layout, Page
from batchwright.layout.pages.navigation import PageSteps

POSITIONS = st.lists(st.sampled_from(["intro", "body", "outro"]), max_size=6)


def layout(*positions: str) -> Layout:
    """A page for each position, its key the number of the page."""
    return Layout(tuple(Page(str(n), {"display_position": one}) for n, one in enumerate(positions)))


def test_intro_pages_come_first_and_outro_pages_last() -> None:
    steps = PageSteps(layout("outro", "body", "intro", "body"), 2)
    assert [step.page.key for step in steps] == ["2", "1", "3", "1", "3", "0"]
    assert [step.task for step in steps] == [None, 0, 0, 1, 1, None]
    assert [steps.progress(step) for step in steps] == [
        "Introduction",
        "Task 1 of 2, page 1 of 2",
        "Task 1 of 2, page 2 of 2",
        "Task 2 of 2, page 1 of 2",
        "Task 2 of 2, page 2 of 2",
        "Closing",
    ]


@pytest.mark.parametrize("key", ["3", "", None])
def test_an_unknown_page_has_no_step(key: str | None) -> None:
    assert PageSteps(layout("intro", "body"), 1).first_step_of(key) is None


def test_without_tasks_there_are_no_body_pages() -> None:
    steps = PageSteps(layout("intro", "body", "outro"), 0)
    assert [step.page.key for step in steps] == ["0", "2"]
    assert steps.first_step_of("1") is None
    with pytest.raises(IndexError):
        steps[2]


@given(POSITIONS, st.integers(1, 3))
def test_each_page_is_found_at_its_first_step(positions: list[str], tasks: int) -> None:
    steps = PageSteps(layout(*positions), tasks)
    visited_steps = list(steps)
    for number in range(len(positions)):
        first = next(step for step in visited_steps if step.page_number == number)
        assert steps.first_step_of(str(number)) == first
