"""Schemathesis goes through the API by the service's own document (`GET /openapi.json`)."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from batchwright.service.process import ServiceAddress
from batchwright.wire.datapoints import JSONL_TYPES
from tests.service.api_helpers import Researcher
from tests.service.routes import CALLS
from tests.service.test_feature_access import owned_resources

CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
FEW, MANY = 20, 100
"""How many requests are drawn for each call, as a rule and in the long run."""


@schemathesis.serializer(*sorted(JSONL_TYPES))
def _lines(_context: Any, value: Any) -> bytes:
    """Text goes as it is, everything else as one line of JSON."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def owner(running: ServiceAddress) -> Iterator[Researcher]:
    """Somebody who has one thing of each kind."""
    with closing(Researcher(running)) as researcher:
        yield researcher


@pytest.fixture(scope="module")
def resource_ids(owner: Researcher) -> dict[str, str]:
    """What half of the requests name, in place of what was drawn."""
    return {**owned_resources(owner), "workspace_id": owner.workspace}


@pytest.fixture(scope="module")
def api(running: ServiceAddress) -> Any:
    """The API as its document describes it."""
    return schemathesis.openapi.from_url(f"{running.url}/openapi.json")


def naming(drawn: Any, known: Mapping[str, str]) -> Any:
    """A part of a drawn request, with the things that there are in it."""
    if not isinstance(drawn, dict):
        return drawn
    return {name: known.get(name, value) for name, value in drawn.items()}


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize(("method", "path"), CALLS, ids=[f"{method} {path}" for method, path in CALLS])
def test_every_answer_is_one_that_the_document_tells_of(
    api: Any, running: ServiceAddress, resource_ids: dict[str, str], method: str, path: str, examples: int
) -> None:
    export = resource_ids["collection_export" if "{collection_id}" in path else "batch_export"]
    known = {**resource_ids, "export_id": export}

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(case=api[re.sub(r":\w+}", "}", path)][method].as_strategy(), names_things=booleans())
    def ask(case: Any, names_things: bool) -> None:
        if names_things:
            case.path_parameters = naming(case.path_parameters, known)
            case.query = naming(case.query, known)
            case.body = naming(case.body, known)
        answer = case.call(headers={"Authorization": f"Token {running.token}"})
        case.validate_response(answer, checks=CHECKS)

    ask()
