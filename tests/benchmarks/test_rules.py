"""How fast the rules are, compared with a bare walk over the same layout."""

import time
from collections.abc import Callable
from functools import partial

import pytest

from batchwright.base.json_values import Json
from batchwright.base.limits import MAX_ITEMS, MAX_VALUES
from batchwright.layout.edits import SetAttributes
from batchwright.layout.item_types.registry import RULES
from batchwright.layout.model import Layout
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    DATASET_FIELD,
    FILE_UPLOAD,
    FREE_TEXT,
    IMAGE,
    RICH_TEXT,
    TEXT_WITH_UNIT,
    with_attributes,
)
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.validator import LayoutChecker, check_json
from tests.layout.rules.large_pages import WORST, cases

PAGES = 1000
ITEMS = (
    DATASET_FIELD,
    IMAGE,
    RICH_TEXT,
    FREE_TEXT,
    TEXT_WITH_UNIT,
    CHOICE,
    CHOICE_WITH_TEXT,
    FILE_UPLOAD,
    FREE_TEXT,
    CHOICE,
)
"""The items of one page, two per row."""


def large_layout() -> Layout:
    """10,000 items of every type on 1,000 pages, each node with an id."""
    return read([page(number) for number in range(PAGES)], sequential_keys())


def page(number: int) -> Json:
    items = [with_attributes(item, id=f"i{number}-{k}") for k, item in enumerate(ITEMS)]
    named = [
        with_attributes(item, description=f"Question {k}") if "description" in item else item
        for k, item in enumerate(items)
    ]
    columns: list[Json] = [{"id": f"c{number}-{k}", "items": [item]} for k, item in enumerate(named)]
    rows: list[Json] = [
        {"id": f"r{number}-{k}", "columns": columns[k : k + 2]} for k in range(0, len(columns), 2)
    ]
    return {"id": f"p{number}", "rows": rows}


def quickest(function: Callable[[], object], times: int = 9) -> float:
    """CPU seconds of the fastest of several runs, the one least disturbed."""
    durations = []
    for _time in range(times):
        before = time.process_time()
        function()
        durations.append(time.process_time() - before)
    return min(durations)


def page_of_repeated_fields(count: int) -> Layout:
    """A page that shows one field again and again, each below the other: all but the first are problems."""
    columns: list[Json] = [{"items": [DATASET_FIELD]} for _number in range(count)]
    return read([{"rows": [{"columns": [column]} for column in columns]}], sequential_keys())


@pytest.mark.long
def test_the_time_per_problem_with_a_fix_does_not_grow_with_the_page(
    record_property: Callable[[str, object], None],
) -> None:
    few, many = page_of_repeated_fields(50), page_of_repeated_fields(400)
    assert len(LayoutChecker().check(many)) >= 399
    short, long = quickest(lambda: LayoutChecker().check(few)), quickest(lambda: LayoutChecker().check(many))
    record_property("times_eight_fold", round(long / short, 2))
    assert long < 16 * short


@pytest.mark.long
@pytest.mark.parametrize("code", WORST)
def test_the_time_for_the_worst_page_of_a_rule_grows_with_the_page(
    code: str, record_property: Callable[[str, object], None]
) -> None:
    """The larger page has about as many items or values as a layout may have."""
    ((_name, enlarge, fields), *_others) = cases(next(rule for rule in RULES if rule.code == code))
    most = MAX_ITEMS - 1 if code in ("LY17", "LY32") else MAX_VALUES // 5

    def check(count: int) -> Callable[[], object]:
        return partial(check_json, enlarge(count), fields(count))

    half, whole = quickest(check(most // 2), 3), quickest(check(most), 3)
    record_property("twice the page", round(whole / half, 2))
    assert whole < 3 * half


@pytest.mark.long
def test_all_rules_take_a_small_multiple_of_a_walk_over_the_layout(
    record_property: Callable[[str, object], None],
) -> None:
    layout = large_layout()
    walk = quickest(lambda: sum(1 for _node in layout.walk()))
    rules = quickest(lambda: LayoutChecker().check(layout))
    record_property("all rules, ms", round(rules * 1000, 1))
    record_property("bare walk, ms", round(walk * 1000, 1))
    assert LayoutChecker().check(layout) == []
    assert rules < 9 * walk


@pytest.mark.long
def test_after_an_edit_only_its_page_is_checked(record_property: Callable[[str, object], None]) -> None:
    layout = large_layout()
    checker = LayoutChecker()
    checker.check(layout)
    (_path, item), *_rest = layout.walk()
    edited = iter([SetAttributes(item.key, {"field": f"other {n}"})(layout) for n in range(30)])
    walk = quickest(lambda: sum(1 for _node in layout.walk()))
    again = quickest(lambda: checker.check(next(edited)), times=30)
    record_property("after one edit, ms", round(again * 1000, 2))
    assert again < walk / 4
