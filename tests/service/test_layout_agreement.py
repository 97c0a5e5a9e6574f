"""The service judges random layouts as the oracle does, and keeps the good ones as they are."""

import json
from typing import Any

from batchwright.records.json_values import same
from tests import oracle
from tests.agreement import draws
from tests.samples.layout_faults import random_layout
from tests.service.researcher import TASK_DETAILS, Researcher

DRAWS = 120


def test_random_layouts_are_judged_as_the_oracle_judges_them(researcher: Researcher, seed: int) -> None:
    for name, random in draws(seed, DRAWS):
        sample = random_layout(random, broken=0.5)
        schema = None if isinstance(sample.schema, oracle.Unknown) else sample.schema
        asked = {
            "name": name,
            "workspace_id": researcher.workspace,
            "task_details": TASK_DETAILS,
            "dataset_id": None if schema is None else researcher.dataset(schema)["id"],
            "batch_items": sample.batch_items,
        }
        if sample.batch_items is None:
            continue
        answer = researcher.http.post("/api/v1/data-collection/batches", content=json.dumps(asked))
        verdict = oracle.layout_verdict(sample.batch_items, schema, frozenset())
        if isinstance(verdict, oracle.Faults):
            assert answer.status_code == 400, (name, answer.text)
        elif isinstance(verdict, oracle.ItemIssues):
            assert answer.status_code == 422, (name, answer.text)
            assert _places(answer.json()["issues"]) == verdict.places, name
        else:
            assert answer.status_code == 201, (name, answer.text)
            if "markdown" not in answer.request.content.decode():
                assert same(_without_ids(answer.json()["batch_items"]), _without_ids(sample.batch_items)), (
                    name
                )


def _places(issues: list[dict[str, Any]]) -> frozenset[tuple[int, int, int, int]]:
    return frozenset((one["page"], one["row"], one["column"], one["item"]) for one in issues)


def _without_ids(entries: Any, inside: tuple[str, ...] = ("rows", "columns", "items")) -> list[Any]:
    """The pages of a sound layout, and all in them, without their ids."""
    bare = [{key: value for key, value in entry.items() if key != "id"} for entry in entries]
    for entry in bare if inside else ():
        entry[inside[0]] = _without_ids(entry[inside[0]], inside[1:])
    return bare
