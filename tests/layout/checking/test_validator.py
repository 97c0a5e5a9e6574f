"""Repeated checks: fast where nothing changed, always with the same result as a first check."""

from random import Random

import pytest
from hypothesis import given

from batchwright.base.json_values import Json, is_array
from batchwright.base.limits import MAX_ITEMS
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.editing.edits import MovePages, Remove, SetAttributes
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import PAGE_RULES, SchemaUnavailable
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
from tests.samples.layouts import LayoutSample
from tests.strategies import SLOW_STRATEGY, layouts


@pytest.fixture
def checked_keys(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the pages that were actually checked."""
    checked_pages: list[str] = []

    class RecordingPageIndex(PageIndex):
        def __init__(self, page: object, *rest: object) -> None:
            super().__init__(page, *rest)  # type: ignore[arg-type]  # passed on unchanged
            checked_pages.append(self.page.key)

    monkeypatch.setattr("batchwright.layout.checking.validator.PageIndex", RecordingPageIndex)
    return checked_pages


def three_pages() -> Layout:
    return read(
        [page(FREE_TEXT), page(with_attributes(CHOICE, answer_limit=9)), page(DATASET_FIELD)],
        sequential_keys(),
    )


def test_only_changed_pages_are_checked_again(checked_keys: list[str]) -> None:
    layout = three_pages()
    checker = LayoutChecker()
    checker.check(layout)
    checker.check(layout)
    (_path, item), *_rest = layout.walk()
    checker.check(SetAttributes(item.key, {"description": "Really?"})(layout))
    assert checked_keys == [*(page.key for page in layout.pages), layout.pages[0].key]


def test_the_problems_of_a_moved_page_have_its_new_path(checked_keys: list[str]) -> None:
    layout = three_pages()
    checker = LayoutChecker()
    assert [(problem.code, problem.path) for problem in checker.check(layout)] == [
        ("LY07", NodePath(1, 0, 0, 0)),
        ("LY51", NodePath(2)),
    ]
    moved = MovePages((layout.pages[2].key,), InsertionPoint(None, 0))(layout)
    assert [(problem.code, problem.path) for problem in checker.check(moved)] == [
        ("LY51", NodePath(0)),
        ("LY07", NodePath(2, 0, 0, 0)),
    ]
    assert len(checked_keys) == 3


def test_pages_that_were_checked_in_advance_or_earlier_are_not_checked_again(checked_keys: list[str]) -> None:
    layout = three_pages()
    (_path, item), *_rest = layout.walk()
    changed = SetAttributes(item.key, {"description": "Really?"})(layout)
    checker = LayoutChecker()
    checker.check(layout)
    checker.prepare(changed)
    assert checked_keys == [*(page.key for page in layout.pages), layout.pages[0].key]
    assert checker.check(changed) == LayoutChecker().check(changed)
    assert checker.check(layout) == LayoutChecker().check(layout)
    assert len(checked_keys) == 4 + 2 * 3  # only the new checkers have checked pages again


def test_the_oldest_of_too_many_earlier_pages_are_checked_again(
    checked_keys: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchwright.layout.checking.validator._MAX_EARLIER", 1)
    checker, layout = LayoutChecker(), three_pages()
    for pages in (layout.pages, layout.pages[1:], layout.pages[2:], layout.pages[1:], layout.pages):
        checker.check(Layout(pages))
    assert checked_keys == [*(page.key for page in layout.pages), layout.pages[0].key]


def test_removed_pages_have_no_problems() -> None:
    layout = three_pages()
    checker = LayoutChecker()
    checker.check(layout)
    fewer = Remove((layout.pages[1].key,))(layout)
    assert [problem.code for problem in checker.check(fewer)] == ["LY51"]


def test_problems_are_in_reading_order_after_those_of_the_layout() -> None:
    problems = check_json(
        [{"rows": [], "id": "x"}, page(with_attributes(FREE_TEXT, id="x"), display_position="?"), 5]
    )
    assert [problem.path for problem in problems] == [
        NodePath(0),
        NodePath(1),
        NodePath(1, 0, 0, 0),
        NodePath(2),
    ]


@pytest.mark.parametrize("value", [None, 0, "", {}, {"batch_items": [page(FREE_TEXT)]}])
def test_a_layout_that_is_not_an_array_has_one_problem(value: Json) -> None:
    (problems,) = check_json(value)
    assert (problems.code, problems.path) == ("LY01", NodePath())


@SLOW_STRATEGY
@given(layouts())
def test_a_reused_checker_reports_the_same_as_a_new_one(sample: LayoutSample) -> None:
    if not is_array(sample.batch_items):
        return
    layout = read(sample.batch_items, sequential_keys())
    random = Random(len(layout.pages))
    checker = LayoutChecker(ids=sample.known_ids)
    for _time in range(4):
        pages = [page for page in layout.pages if random.random() < 0.7]
        random.shuffle(pages)
        some = Layout(tuple(pages))
        assert checker.check(some) == LayoutChecker(ids=sample.known_ids).check(some)


@SLOW_STRATEGY
@given(layouts())
def test_no_layout_raises_an_exception_in_a_rule_or_fix(sample: LayoutSample) -> None:
    problems = check_json(sample.batch_items, ids=sample.known_ids)
    fixes = [problem.fix for problem in problems if isinstance(problem.fix, Fix)]
    assert all(problem.message for problem in problems)
    if fixes and is_array(sample.batch_items):
        layout = read(sample.batch_items, sequential_keys())
        checker = LayoutChecker()
        for fix in fixes:
            checker.check(fix.edit(layout))


def test_a_rule_on_pages_reports_paths_without_the_page() -> None:
    sheet = PageIndex(three_pages().pages[1], SchemaUnavailable.UNKNOWN, None)
    problems = [problem for rule in PAGE_RULES for problem in rule.check(sheet)]
    assert [problem.path for problem in problems] == [NodePath(None, 0, 0, 0)]


def test_pages_with_only_content_are_accepted() -> None:
    assert all(problem.rejection is None for problem in check_json([page(RICH_TEXT), page(DATASET_FIELD)]))


def offered_fixes(*items: Json) -> list[bool]:
    """Whether each problem of a page has a fix."""
    layout = read([page(*items)], sequential_keys())
    return [problem.fix is not None for problem in LayoutChecker().check(layout)]


def test_the_fixes_of_thousands_of_items_are_tried_together(checked_keys: list[str]) -> None:
    mistyped = with_attributes(CHOICE, type="multiple_chioce")
    assert all(offered_fixes(*[mistyped] * 1000))
    assert len(checked_keys) == 2


def test_fixes_that_cause_no_error_are_offered_beside_one_that_does(checked_keys: list[str]) -> None:
    harmful = with_attributes(DATASET_FIELD, type="Dataset_Field")
    mistyped = [with_attributes(CHOICE, type="multiple_chioce", description=f"{n}?") for n in range(6)]
    assert offered_fixes(*mistyped, harmful, DATASET_FIELD).count(True) >= 3
    assert offered_fixes(*mistyped, DATASET_FIELD, harmful).count(True) == 6


def test_of_an_item_with_thousands_of_problems_the_first_fixes_are_tried(checked_keys: list[str]) -> None:
    options: list[Json] = [{"value": f"v{number}"} for number in range(5000)]
    offered = offered_fixes(with_attributes(CHOICE, options=options))
    assert len(checked_keys) <= 4
    assert (offered[0], offered[-1]) == (True, False)


def test_pages_that_no_layout_can_have_are_not_checked() -> None:
    problems = check_json([1] * (3 * MAX_ITEMS))
    assert {problem.code for problem in problems} == {"LY03"}
    assert len(problems) == MAX_ITEMS + 1
    page = {"rows": [{"columns": [{"items": [{"type": "free_text", "description": "Why?"}]}]}]}
    assert "LY41" in {problem.code for problem in check_json([page] * (MAX_ITEMS + 1))}


def test_a_hint_about_the_layout_does_not_hide_the_problems_of_its_pages() -> None:
    problems = check_json([{"display_position": "intro", "rows": []}])
    assert {problem.code for problem in problems} == {"LY61", "LY03"}
