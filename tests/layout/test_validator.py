"""Checking again and again: quickly where nothing changed, and always as if for the first time."""

from random import Random

import pytest
from hypothesis import given

from batchwright.base.json_values import Json, is_array
from batchwright.layout.edits import InsertionPoint, MovePages, Remove, SetAttributes
from batchwright.layout.item_types.registry import PAGE_RULES
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import SchemaUnavailable
from batchwright.layout.rules.examples import (
    CHOICE,
    DATASET_FIELD,
    FREE_TEXT,
    RICH_TEXT,
    page,
    with_attributes,
)
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import Fix
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.validator import LayoutChecker, check_json
from tests.samples.layouts import LayoutSample
from tests.strategies import SLOW_STRATEGY, layouts


@pytest.fixture
def sheets(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the pages that were really looked at."""
    seen: list[str] = []

    class Watched(PageIndex):
        def __init__(self, page: object, *rest: object) -> None:
            super().__init__(page, *rest)  # type: ignore[arg-type]  # handed on as it came
            seen.append(self.page.key)

    monkeypatch.setattr("batchwright.layout.validator.PageIndex", Watched)
    return seen


def three_pages() -> Layout:
    return read(
        [page(FREE_TEXT), page(with_attributes(CHOICE, answer_limit=9)), page(DATASET_FIELD)],
        sequential_keys(),
    )


def test_only_a_page_that_changed_is_looked_at_again(sheets: list[str]) -> None:
    layout = three_pages()
    checker = LayoutChecker()
    checker.check(layout)
    checker.check(layout)
    (_place, item), *_rest = layout.walk()
    checker.check(SetAttributes(item.key, {"description": "Really?"})(layout))
    assert sheets == [*(page.key for page in layout.pages), layout.pages[0].key]


def test_a_page_that_moved_keeps_its_problems_at_its_new_place(sheets: list[str]) -> None:
    layout = three_pages()
    checker = LayoutChecker()
    assert [(one.code, one.path) for one in checker.check(layout)] == [
        ("LY07", NodePath(1, 0, 0, 0)),
        ("LY51", NodePath(2)),
    ]
    moved = MovePages((layout.pages[2].key,), InsertionPoint(None, 0))(layout)
    assert [(one.code, one.path) for one in checker.check(moved)] == [
        ("LY51", NodePath(0)),
        ("LY07", NodePath(2, 0, 0, 0)),
    ]
    assert len(sheets) == 3


def test_a_page_that_is_gone_is_forgotten() -> None:
    layout = three_pages()
    checker = LayoutChecker()
    checker.check(layout)
    fewer = Remove((layout.pages[1].key,))(layout)
    assert [one.code for one in checker.check(fewer)] == ["LY51"]


def test_problems_come_in_reading_order_those_of_the_whole_layout_first() -> None:
    problems = check_json(
        [{"rows": [], "id": "x"}, page(with_attributes(FREE_TEXT, id="x"), display_position="?"), 5]
    )
    assert [one.path for one in problems] == [NodePath(0), NodePath(1), NodePath(1, 0, 0, 0), NodePath(2)]


@pytest.mark.parametrize("value", [None, 0, "", {}, {"batch_items": [page(FREE_TEXT)]}])
def test_what_is_no_array_has_one_problem(value: Json) -> None:
    (problems,) = check_json(value)
    assert (problems.code, problems.path) == ("LY01", NodePath())


@SLOW_STRATEGY
@given(layouts())
def test_a_checker_that_saw_other_layouts_says_what_a_fresh_one_says(sample: LayoutSample) -> None:
    if not is_array(sample.batch_items):
        return
    layout = read(sample.batch_items, sequential_keys())
    random = Random(len(layout.pages))
    checker = LayoutChecker(ids=sample.known_ids)
    for _time in range(4):
        pages = [one for one in layout.pages if random.random() < 0.7]
        random.shuffle(pages)
        some = Layout(tuple(pages))
        assert checker.check(some) == LayoutChecker(ids=sample.known_ids).check(some)


@SLOW_STRATEGY
@given(layouts())
def test_no_layout_makes_a_rule_or_its_fix_stumble(sample: LayoutSample) -> None:
    problems = check_json(sample.batch_items, ids=sample.known_ids)
    fixes = [one.fix for one in problems if isinstance(one.fix, Fix)]
    assert all(one.message for one in problems)
    if fixes and is_array(sample.batch_items):
        layout = read(sample.batch_items, sequential_keys())
        checker = LayoutChecker()
        for fix in fixes:
            checker.check(fix.edit(layout))


def test_a_rule_on_pages_gives_places_without_the_page() -> None:
    sheet = PageIndex(three_pages().pages[1], SchemaUnavailable.UNKNOWN, None)
    problems = [one for rule in PAGE_RULES for one in rule.check(sheet)]
    assert [one.path for one in problems] == [NodePath(None, 0, 0, 0)]


def test_pages_that_only_show_something_are_not_refused() -> None:
    assert all(one.rejection is None for one in check_json([page(RICH_TEXT), page(DATASET_FIELD)]))


def test_of_a_page_with_thousands_of_problems_few_fixes_are_tried(sheets: list[str]) -> None:
    """Each one that is tried has the whole page checked again."""
    mistyped = with_attributes(CHOICE, type="multiple_chioce")
    few = check_json([page(*[mistyped] * 10)])
    assert all(problem.fix is not None for problem in few)
    sheets.clear()
    many = check_json([page(*[mistyped] * 1000)])
    assert len(sheets) <= 10
    assert [problem.fix is not None for problem in (many[0], many[-1])] == [True, False]
