"""Every layout that passes the rules fits into a request."""

import json
from typing import Any

import pytest

from batchwright.base.limits import LARGEST_BODY, MAX_CHARACTERS, MAX_ITEMS, MAX_JSON_TOKENS, MAX_VALUES
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.editing.edits import Remove
from batchwright.layout.rules.examples import CHOICE, FREE_TEXT, page, with_attributes
from batchwright.layout.serialization import read, sequential_keys

LARGE: dict[str, Any] = {
    "items": [page(*[{"type": "rich_text", "content": "x"}] * (MAX_ITEMS - 1)), page(FREE_TEXT, FREE_TEXT)],
    "values": [page(with_attributes(FREE_TEXT, note=[0] * MAX_VALUES))],
    "values of what is no page": [page(FREE_TEXT), [0] * MAX_VALUES],
    "characters": [page(with_attributes(FREE_TEXT, description="x" * MAX_CHARACTERS)), page(FREE_TEXT)],
    "characters of keys": [page(with_attributes(FREE_TEXT, **{"x" * MAX_CHARACTERS: 1}))],
    "digits": [page(with_attributes(FREE_TEXT, note=[10**4000] * (MAX_CHARACTERS // 4000 + 1)))],
}


def codes(batch_items: Any) -> set[str]:
    return {problem.code for problem in check_json(batch_items) if problem.rejection}


@pytest.mark.parametrize("batch_items", LARGE.values(), ids=LARGE)
def test_a_layout_that_is_too_large_violates_a_rule(batch_items: Any) -> None:
    assert "LY41" in codes(batch_items)


def test_the_pages_of_a_layout_that_is_too_large_are_not_checked() -> None:
    options = [{"label": ""}] * (MAX_VALUES // 2)
    problems = check_json([page(with_attributes(CHOICE, options=options))])
    assert [problem.code for problem in problems] == ["LY41"]


@pytest.mark.parametrize(
    "item",
    [
        with_attributes(FREE_TEXT, description="\N{PILE OF POO}" * (MAX_CHARACTERS - 100)),
        with_attributes(FREE_TEXT, note=[{"": []}] * (MAX_VALUES // 2 - 10)),
        with_attributes(FREE_TEXT, note=[0.1234567890123456] * (MAX_VALUES - 20)),
    ],
    ids=["characters", "values", "fractions"],
)
def test_the_largest_layout_fits_into_a_body(item: Any) -> None:
    assert codes([page(item)]) == set()
    body = json.dumps({"batch_items": [page(item)]}, indent=1)
    assert len(body) < LARGEST_BODY
    assert sum(map(body.count, ",[{")) < MAX_JSON_TOKENS


def test_a_layout_is_valid_again_once_a_page_is_removed() -> None:
    layout = read(LARGE["characters"], sequential_keys())
    checker = LayoutChecker()
    assert [problem.code for problem in checker.check(layout)][:1] == ["LY41"]
    smaller = Remove((layout.pages[0].key,))(layout)
    assert not [problem for problem in checker.check(smaller) if problem.code == "LY41"]
