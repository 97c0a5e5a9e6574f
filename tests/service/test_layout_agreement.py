"""Our rules, the service and the reference rules agree on layouts item by item; the service stores valid
ones.

Each random layout has a name, the seed of the run and its number, which a failure prints; `--seed` repeats
it.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from batchwright.base.json_values import DEEPEST, json_equal, parse
from batchwright.cli.check import check
from batchwright.layout.checking.validator import check_json
from batchwright.layout.rules import Fields, RejectionStatus, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys, write
from batchwright.local.projects import Project, project_content
from batchwright.local.study_files.project_parser import read_project
from batchwright.schema.parsing import read_schema
from tests import reference_rules
from tests.rule_comparison import draws
from tests.samples.invalid_layouts import invalid_layout, random_layout
from tests.samples.invalid_structures import INVALID_STRUCTURES
from tests.samples.layouts import LayoutSample
from tests.service.api_helpers import TASK_DETAILS, Researcher, page

BATCHES = "/api/v1/data-collection/batches"
REJECTED = "rejected completely"
"""Stands for a layout rejected with 400; otherwise the result is the set of paths of invalid items."""


def result_of_reference(sample: LayoutSample, schema: Any) -> object:
    result = reference_rules.check_layout(sample.batch_items, schema, frozenset())
    if isinstance(result, reference_rules.InvalidDocument):
        return REJECTED
    return result.places if isinstance(result, reference_rules.ItemIssues) else frozenset()


def result_of_rules(sample: LayoutSample, schema: Any) -> object:
    fields: Fields = SchemaUnavailable.NONE if schema is None else read_schema(schema)
    problems = check_json(sample.batch_items, fields, frozenset())
    if any(problem.rejection is RejectionStatus.SHAPE for problem in problems):
        return REJECTED
    return frozenset(tuple(problem.path) for problem in problems if problem.rejection is RejectionStatus.ITEM)


def result_of_service(response: httpx.Response) -> object:
    if response.status_code == 400:
        return REJECTED
    issues = response.json()["issues"] if response.status_code == 422 else []
    return frozenset((issue["page"], issue["row"], issue["column"], issue["item"]) for issue in issues)


def create(researcher: Researcher, batch_items: Any, dataset: str | None = None) -> httpx.Response:
    body = {
        "name": "Agreement",
        "workspace_id": researcher.workspace,
        "task_details": TASK_DETAILS,
        "dataset_id": dataset,
        "batch_items": batch_items,
    }
    return researcher.http.post(BATCHES, content=json.dumps(body))


def compare(researcher: Researcher, sample: LayoutSample, name: str) -> None:
    if sample.batch_items is None:
        return  # a batch without a layout, which is another kind of batch
    schema = None if isinstance(sample.schema, reference_rules.Unknown) else sample.schema
    dataset = None if schema is None else researcher.dataset(schema)["id"]
    response = create(researcher, sample.batch_items, dataset)
    result = result_of_service(response)
    assert result == result_of_rules(sample, schema) == result_of_reference(sample, schema), (
        name,
        response.text,
        sample,
    )
    if not result:
        assert response.status_code == 201, (name, response.text)
        if "markdown" not in response.request.content.decode():
            stored = response.json()["batch_items"]
            assert json_equal(_without_ids(stored), _without_ids(sample.batch_items)), name


def compare_random_layouts(researcher: Researcher, seed: int, count: int) -> None:
    for name, random in draws(seed, count):
        compare(researcher, random_layout(random, invalid_probability=0.5), name)


@pytest.mark.spec("L-20")
def test_random_layouts_are_validated_identically_by_all_three(researcher: Researcher, seed: int) -> None:
    compare_random_layouts(researcher, seed, 200)


@pytest.mark.parametrize("error_kind", INVALID_STRUCTURES)
def test_every_structural_error_is_reported_by_all_three(
    researcher: Researcher, seed: int, error_kind: str
) -> None:
    compare(researcher, invalid_layout(Random(f"{seed}-{error_kind}"), error_kind), error_kind)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_random_layouts_are_validated_identically_by_all_three(
    researcher: Researcher, seed: int
) -> None:
    compare_random_layouts(researcher, seed + 2, 2_000)


def nested(levels: int) -> list[Any]:
    """A valid layout whose arrays and objects are nested to this depth."""
    innermost: Any = "here"
    for level in range(levels - 8):
        innermost = [innermost] if level % 2 else {"in": innermost}
    return [page({"type": "free_text", "description": "Why?", "unknown": innermost})]


def test_a_layout_of_maximum_depth_can_be_sent_stored_and_saved(
    researcher: Researcher, tmp_path: Path
) -> None:
    deep_layout = nested(DEEPEST)
    file = tmp_path / "layout.json"
    file.write_text(json.dumps(deep_layout), encoding="utf-8")
    assert check(file, None) == []
    response = create(researcher, deep_layout)
    assert response.status_code == 201, response.text
    batch = response.json()
    again = researcher.http.get(f"{BATCHES}/{batch['id']}").json()
    assert json_equal(_without_ids(again["batch_items"]), _without_ids(deep_layout))
    changed = {"batch_items": again["batch_items"]}
    assert researcher.http.patch(f"{BATCHES}/{batch['id']}", json=changed).status_code == 200
    project = Project("Deep", read(deep_layout, sequential_keys()))
    assert json_equal(write(read_project(project_content(project)).layout), deep_layout)


def test_deeper_nesting_is_rejected_before_it_is_sent() -> None:
    with pytest.raises(ValueError, match="nested more than 100 levels deep"):
        parse(json.dumps(nested(DEEPEST + 1)))


def _without_ids(entries: Any, inside: tuple[str, ...] = ("rows", "columns", "items")) -> list[Any]:
    """The pages of a valid layout without ids."""
    bare = [{key: value for key, value in entry.items() if key != "id"} for entry in entries]
    for entry in bare if inside else ():
        entry[inside[0]] = _without_ids(entry[inside[0]], inside[1:])
    return bare
