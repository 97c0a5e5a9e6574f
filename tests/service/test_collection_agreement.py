"""The rules on collections and the service accept the same collections.

Each random collection has a name, the seed of the run and its number, which a failure prints; `--seed`
repeats it.
"""

import json
from collections.abc import Sequence

import pytest

from batchwright.base.json_values import Json, is_array, json_equal
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.collection_pages import layout_from_collection, to_collection_items
from batchwright.layout.model import Layout
from batchwright.layout.rules import RULES, Problem, SchemaUnavailable
from batchwright.layout.rules.examples import Example
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.stored_form import as_stored
from tests.rule_comparison import draws
from tests.samples.invalid_layouts import random_layout
from tests.service.api_helpers import TASK_DETAILS, Researcher

COLLECTIONS = "/api/v1/data-collection/collections"

EXAMPLES = [
    pytest.param(example, id=f"{rule.code}-{kind}-{number}")
    for rule in RULES
    for kind, examples in (("passes", rule.passes), ("fails", rule.fails))
    for number, example in enumerate(examples)
    if is_array(example.batch_items)
]


def rejections(layout: Layout) -> list[Problem]:
    """The problems for which a request with this layout would be rejected."""
    problems = LayoutChecker(SchemaUnavailable.COLLECTION, frozenset()).check(layout)
    return [problem for problem in problems if problem.rejection is not None]


def compare(researcher: Researcher, collection_items: Sequence[Json], name: str) -> bool:
    """Whether the service accepts a collection; it must agree with the rules."""
    body = {
        "name": "Agreement",
        "workspace_id": researcher.workspace,
        "task_details": TASK_DETAILS,
        "collection_items": collection_items,
    }
    response = researcher.http.post(COLLECTIONS, content=json.dumps(body))
    layout = layout_from_collection(collection_items, sequential_keys())
    problems = rejections(layout)
    assert response.status_code == (400 if problems else 201), (name, response.text, problems)
    if not problems:
        stored = layout_from_collection(response.json()["collection_items"], sequential_keys())
        expected = to_collection_items(as_stored(layout), {})
        assert json_equal(_without_format(to_collection_items(stored, {})), _without_format(expected)), name
    return not problems


def compare_random_collections(researcher: Researcher, seed: int, count: int) -> None:
    accepted = 0
    for name, random in draws(seed, count):
        pages = random_layout(random, invalid_probability=0.3).batch_items
        layout = read(pages if is_array(pages) else (), sequential_keys())
        accepted += compare(researcher, to_collection_items(layout, {}), name)
    assert 0 < accepted < count


def test_random_collections_are_judged_alike(researcher: Researcher, seed: int) -> None:
    compare_random_collections(researcher, seed, 200)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_random_collections_are_judged_alike(researcher: Researcher, seed: int) -> None:
    compare_random_collections(researcher, seed + 3, 2_000)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_rules_are_judged_alike(example: Example, researcher: Researcher) -> None:
    pages = example.batch_items
    layout = read(pages if is_array(pages) else (), sequential_keys())
    compare(researcher, to_collection_items(layout, {}), "example")


def _without_format(entries: Json) -> Json:
    """Pages without `content_format`: the service returns HTML without it (wire reference, 10.1)."""
    if is_array(entries):
        return [_without_format(entry) for entry in entries]
    if not isinstance(entries, dict):
        return entries
    return {name: _without_format(value) for name, value in entries.items() if name != "content_format"}
