"""`check` and `serve` agree on layouts: the examples of every rule are given to both."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from batchwright.base.json_values import to_json
from batchwright.layout.checking.validator import check_json
from batchwright.layout.rules import RULES, Problem, RejectionStatus, SchemaUnavailable
from batchwright.layout.rules.examples import SCHEMA, Example
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import TASK_DETAILS, Researcher

pytestmark = pytest.mark.whole_program


def can_be_sent(example: Example) -> bool:
    """Whether an example can be sent in a batch: it has a layout and fields, and no ids.

    Collections are compared in `tests/service/test_collection_agreement.py`.
    """
    has_dataset = not isinstance(example.fields, Schema) or bool(example.fields.fields)
    is_batch = example.batch_items is not None and example.fields is not SchemaUnavailable.COLLECTION
    return example.ids is None and is_batch and has_dataset


EXAMPLES = [
    pytest.param(example, id=f"{rule.code}-{kind}-{number}")
    for rule in RULES
    for kind, examples in (("passes", rule.passes), ("fails", rule.fails))
    for number, example in enumerate(examples)
    if can_be_sent(example)
]


@pytest.fixture(scope="module")
def researcher(running: ServiceAddress) -> Iterator[Researcher]:
    with closing(Researcher(running)) as researcher:
        yield researcher


@pytest.mark.spec("L-11", "L-12", "L-13", "L-14", "L-16", "L-17", "L-20", "E-03", "E-04", "K-11")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_service_rejects_exactly_what_check_rejects(example: Example, researcher: Researcher) -> None:
    fields = SCHEMA if example.fields is SchemaUnavailable.UNKNOWN else example.fields
    refused = [
        problem
        for problem in check_json(example.batch_items, fields, frozenset())
        if problem.rejection is not None
    ]
    request: dict[str, Any] = {
        "name": "Example",
        "workspace_id": researcher.workspace,
        "task_details": TASK_DETAILS,
    }
    request["batch_items"] = example.batch_items
    if isinstance(fields, Schema):
        request["dataset_id"] = researcher.dataset(dict(write_schema(fields)))["id"]
    sent = researcher.http.post(
        "/api/v1/data-collection/batches",
        content=to_json(request).encode(),
        headers={"Content-Type": "application/json"},
    )
    answer = sent.json()
    if not refused:
        assert "id" in answer, answer
    elif any(problem.rejection is RejectionStatus.SHAPE for problem in refused):
        assert answer["error"]["status"] == 400
        assert "batch_items" in answer["error"]["detail"]
    else:
        assert [issue_of(problem) for problem in refused] == answer["issues"]


def issue_of(problem: Problem) -> dict[str, Any]:
    """The problem as an issue of a 422 (wire.md 2.3)."""
    issue = {**problem.path._asdict(), "type": problem.item_type, "message": problem.message}
    return (
        {**issue, "field": problem.field} if problem.item_type == "dataset_field" and problem.field else issue
    )
