"""How fast the rules are, compared with a bare walk over the same layout."""

import time
from collections.abc import Callable
from functools import partial

import pytest

from batchwright.base.json_values import Json
from batchwright.base.limits import MAX_ITEMS, MAX_VALUES
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.model import Layout
from batchwright.layout.rules import RULES
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
from tests.figures import CheckFigure
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
def test_the_time_per_problem_with_a_fix_does_not_grow_with_the_page(figure: CheckFigure) -> None:
    few, many = page_of_repeated_fields(50), page_of_repeated_fields(400)
    assert len(LayoutChecker().check(many)) >= 399

    def measure() -> tuple[float, float]:
        return quickest(lambda: LayoutChecker().check(many)), quickest(lambda: LayoutChecker().check(few))

    figure("400 problems with fixes, to 50", measure, 16)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("code", WORST)
def test_the_time_for_the_worst_page_of_a_rule_grows_with_the_page(code: str, figure: CheckFigure) -> None:
    """The larger page has about as many items or values as a layout may have."""
    ((_name, enlarge, fields), *_others) = cases(next(rule for rule in RULES if rule.code == code))
    most = MAX_ITEMS - 1 if code in ("LY17", "LY32") else MAX_VALUES // 5
    half, whole = (partial(check_json, enlarge(count), fields(count)) for count in (most // 2, most))
    figure(
        f"the worst page of {code}, to half of it", lambda: (quickest(whole, 1), quickest(half, 1)), 3, runs=3
    )


@pytest.mark.quick
def test_all_rules_take_a_small_multiple_of_a_walk_over_the_layout(figure: CheckFigure) -> None:
    layout = large_layout()
    assert LayoutChecker().check(layout) == []

    def measure() -> tuple[float, float]:
        return (
            quickest(lambda: LayoutChecker().check(layout), 3),
            quickest(lambda: sum(1 for _node in layout.walk()), 3),
        )

    figure("all rules over 10,000 items, to a walk", measure, 9)


@pytest.mark.quick
def test_after_an_edit_only_its_page_is_checked(figure: CheckFigure) -> None:
    layout = large_layout()
    checker = LayoutChecker()
    checker.check(layout)
    (_path, item), *_rest = layout.walk()

    def measure() -> tuple[float, float]:
        edited = iter([SetAttributes(item.key, {"field": f"other {n}"})(layout) for n in range(30)])
        again = quickest(lambda: checker.check(next(edited)), times=30)
        return again, quickest(lambda: sum(1 for _node in layout.walk()), 3)

    figure("all rules after an edit of 10,000 items, to a walk", measure, 0.25)
