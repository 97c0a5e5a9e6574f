"""Rules on ids: duplicates, and ids of other batches."""

from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.editing.edits import Duplicate
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.examples import (
    CHOICE,
    FREE_TEXT,
    RICH_TEXT,
    Example,
    page,
    pages,
    with_attributes,
)
from tests.layout.rules.checks import layout_of, problems


def duplicate_paths(example: Example) -> list[NodePath]:
    return [problem.path for problem in problems(example) if problem.code == "LY10"]


def test_the_first_of_two_nodes_with_the_same_id_is_kept() -> None:
    layout = pages(
        page(with_attributes(FREE_TEXT, id="x"), id="p"), page(with_attributes(CHOICE, id="x"), id="p")
    )
    assert duplicate_paths(layout) == [NodePath(1), NodePath(1, 0, 0, 0)]


def test_ids_are_unique_across_all_levels() -> None:
    assert duplicate_paths(pages(page(with_attributes(FREE_TEXT, id="p"), id="p"))) == [NodePath(0, 0, 0, 0)]


def test_ids_that_differ_in_case_differ() -> None:
    assert (
        duplicate_paths(pages(page(with_attributes(FREE_TEXT, id="A"), with_attributes(CHOICE, id="a"))))
        == []
    )


def test_duplicate_ids_are_tracked_as_pages_are_added_and_removed() -> None:
    checker = LayoutChecker()
    layout = layout_of(pages(page(with_attributes(FREE_TEXT, id="x")), page(CHOICE)))
    added = layout_of(pages(page(with_attributes(RICH_TEXT, id="x"), FREE_TEXT)))
    both = Layout((*layout.pages, *added.pages))
    assert checker.check(layout) == []
    assert [problem.path for problem in checker.check(both)] == [NodePath(2, 0, 0, 0)]
    assert checker.check(layout) == []
    assert [problem.path for problem in checker.check(both)] == [NodePath(2, 0, 0, 0)]


def test_a_copy_created_by_an_edit_has_no_duplicate_id() -> None:
    layout = layout_of(pages(page(with_attributes(FREE_TEXT, id="x"), id="p")))
    copied = Duplicate((layout.pages[0].key,))(layout)
    assert len(copied.pages) == 2
    assert [problem.code for problem in LayoutChecker().check(copied)] == []


def test_inserting_a_page_twice_duplicates_its_ids() -> None:
    (page_,) = layout_of(pages(page(with_attributes(FREE_TEXT, id="x"), id="p"))).pages
    problems_found = LayoutChecker().check(Layout((page_, page_)))
    assert [problem.path for problem in problems_found] == [NodePath(1), NodePath(1, 0, 0, 0)]
