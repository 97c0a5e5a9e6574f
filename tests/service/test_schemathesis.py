"""Schemathesis tests the API from the service's own document (`GET /openapi.json`)."""

import json
import re
from collections.abc import Mapping
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
FEW, MANY = 10, 100
"""Number of requests per call, in the normal and in the long test run."""


@schemathesis.serializer(*sorted(JSONL_TYPES))
def _lines(_context: Any, value: Any) -> bytes:
    """Texts are sent unchanged, everything else as one JSON line."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def resource_ids(owner: Researcher) -> dict[str, str]:
    """The ids that half of the requests use instead of random ones."""
    return {**owned_resources(owner), "workspace_id": owner.workspace}


@pytest.fixture(scope="module")
def api(running: ServiceAddress) -> Any:
    """The API as its document describes it."""
    return schemathesis.openapi.from_url(f"{running.url}/openapi.json")


def naming(strategy: Any, ids: Mapping[str, str]) -> Any:
    """A strategy for a part of a request, with ids that exist."""
    if not isinstance(strategy, dict):
        return strategy
    return {name: ids.get(name, value) for name, value in strategy.items()}


@pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
@pytest.mark.parametrize(("method", "path"), CALLS, ids=[f"{method} {path}" for method, path in CALLS])
def test_every_response_is_documented(
    api: Any, running: ServiceAddress, resource_ids: dict[str, str], method: str, path: str, examples: int
) -> None:
    export = resource_ids["collection_export" if "{collection_id}" in path else "batch_export"]
    ids = {**resource_ids, "export_id": export}

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(case=api[re.sub(r":\w+}", "}", path)][method].as_strategy(), uses_existing_ids=booleans())
    def send_request(case: Any, uses_existing_ids: bool) -> None:
        if uses_existing_ids:
            case.path_parameters = naming(case.path_parameters, ids)
            case.query = naming(case.query, ids)
            case.body = naming(case.body, ids)
        response = case.call(headers={"Authorization": f"Token {running.token}"})
        case.validate_response(response, checks=CHECKS)

    send_request()
