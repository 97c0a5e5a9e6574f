"""Ids: who stands twice, and who does not belong."""

from batchwright.layout.edits import Duplicate
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
from batchwright.layout.validator import LayoutChecker
from tests.layout.rules.checks import layout_of, problems


def places(example: Example) -> list[NodePath]:
    return [one.path for one in problems(example) if one.code == "LY10"]


def test_the_first_of_two_with_one_id_may_stay() -> None:
    twice = pages(
        page(with_attributes(FREE_TEXT, id="x"), id="p"), page(with_attributes(CHOICE, id="x"), id="p")
    )
    assert places(twice) == [NodePath(1), NodePath(1, 0, 0, 0)]


def test_an_id_is_one_name_whatever_level_it_stands_on() -> None:
    assert places(pages(page(with_attributes(FREE_TEXT, id="p"), id="p"))) == [NodePath(0, 0, 0, 0)]


def test_ids_that_differ_in_case_differ() -> None:
    assert places(pages(page(with_attributes(FREE_TEXT, id="A"), with_attributes(CHOICE, id="a")))) == []


def test_a_doubled_id_is_found_and_forgotten_as_pages_come_and_go() -> None:
    checker = LayoutChecker()
    layout = layout_of(pages(page(with_attributes(FREE_TEXT, id="x")), page(CHOICE)))
    other = layout_of(pages(page(with_attributes(RICH_TEXT, id="x"), FREE_TEXT)))
    both = Layout((*layout.pages, *other.pages))
    assert checker.check(layout) == []
    assert [one.path for one in checker.check(both)] == [NodePath(2, 0, 0, 0)]
    assert checker.check(layout) == []
    assert [one.path for one in checker.check(both)] == [NodePath(2, 0, 0, 0)]


def test_a_copy_made_by_an_edit_has_no_doubled_id() -> None:
    layout = layout_of(pages(page(with_attributes(FREE_TEXT, id="x"), id="p")))
    copied = Duplicate((layout.pages[0].key,))(layout)
    assert len(copied.pages) == 2
    assert [one.code for one in LayoutChecker().check(copied)] == []


def test_one_page_put_in_twice_doubles_its_ids() -> None:
    (one,) = layout_of(pages(page(with_attributes(FREE_TEXT, id="x"), id="p"))).pages
    found = LayoutChecker().check(Layout((one, one)))
    assert [problem.path for problem in found] == [NodePath(1), NodePath(1, 0, 0, 0)]
