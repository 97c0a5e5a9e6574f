"""Every sample exchange, read with the models of its route and written back."""

import json
from collections.abc import Iterable
from typing import cast

import pytest
from pydantic import ValidationError

from batchwright.base.json_values import Json, JsonObject, json_equal
from batchwright.layout.nodes import NodePath
from batchwright.wire.base import to_payload
from batchwright.wire.error_parsing import ErrorKind, read_error
from batchwright.wire.errors import LayoutIssue, field_messages, general_error, layout_error
from batchwright.wire.instructions import InstructionList
from tests.wire.exchanges import OWN, ROUTES, SHARED, Exchange, exchanges

ALL = [*exchanges(OWN), *exchanges(SHARED)]


def test_the_examples_of_the_tests_cover_every_route() -> None:
    covered = [item.route for item in exchanges(OWN) if not item.is_storage]
    assert [route for route in ROUTES if route not in covered] == []


def cases(actual: Iterable[Exchange]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("exchange", [pytest.param(item, id=item.name) for item in actual])


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared example exchanges are not on this computer")
def test_the_shared_examples_are_replayed() -> None:
    assert sum(item.given in [shared.given for shared in exchanges(SHARED)] for item in ALL) >= 60


@cases(item for item in ALL if item.request is not None and item.status < 400)
def test_an_accepted_request_is_read_and_written_unchanged(exchange: Exchange) -> None:
    requests = exchange.route.requests
    assert requests is not None
    assert json_equal(to_payload(requests.model_validate(exchange.request)), exchange.request)


@cases(item for item in ALL if item.request is not None and item.status == 422)
def test_a_request_rejected_with_422_passes_its_model(exchange: Exchange) -> None:
    requests = exchange.route.requests
    assert requests is not None
    assert json_equal(to_payload(requests.model_validate(exchange.request)), exchange.request)


def request_error(exchange: Exchange) -> ValidationError | None:
    """The validation error of a request by the model of its route, or None."""
    requests = exchange.route.requests
    try:
        if requests is not None and exchange.request is not None:
            requests.model_validate(exchange.request)
    except ValidationError as error:
        return error
    return None


@cases(item for item in ALL if item.status == 400 and not item.is_storage and request_error(item))
def test_an_invalid_request_gets_the_error_body_of_the_example(exchange: Exchange) -> None:
    error = request_error(exchange)
    assert error is not None
    assert json_equal(general_error(400, field_messages(error)), exchange.response)


@cases(item for item in ALL if item.response is not None and item.status < 400)
def test_a_response_is_read_and_written_unchanged(exchange: Exchange) -> None:
    answers = exchange.route.answers
    assert answers is not None
    read = answers.model_validate(exchange.response)
    written: Json = to_payload(read)
    if isinstance(read, InstructionList) and isinstance(exchange.response, list):
        written = [to_payload(record) for record in read.results]
    assert json_equal(written, exchange.response)


@cases(item for item in ALL if item.status >= 400)
def test_an_error_response_with_any_body_is_parsed(exchange: Exchange) -> None:
    body = exchange.given.get("response_text")
    if not isinstance(body, str):
        body = json.dumps(exchange.response)
    error = read_error(exchange.status, body.encode(), {})
    assert error.status == exchange.status
    assert (error.kind is ErrorKind.EMPTY) == (body == "")
    assert bool(error.message) == (body != "")


@cases(item for item in ALL if "error" in (item.response if isinstance(item.response, dict) else {}))
def test_a_general_error_is_written_as_in_the_example(exchange: Exchange) -> None:
    error = cast("JsonObject", cast("JsonObject", exchange.response)["error"])
    additional = cast("str | None", error.get("additional_information"))
    written = general_error(exchange.status, cast("str", error["detail"]), additional)
    assert json_equal(written, exchange.response)


class IssueProblem:
    """A problem of an item with the message of an example."""

    def __init__(self, issue: LayoutIssue) -> None:
        self.path = NodePath(*issue.place)
        self.item_type = issue.type
        self.field = issue.field
        self.message = issue.message


@cases(item for item in ALL if "issues" in (item.response if isinstance(item.response, dict) else {}))
def test_a_layout_rejection_is_written_as_in_the_example(exchange: Exchange) -> None:
    read = read_error(exchange.status, json.dumps(exchange.response).encode(), {})
    assert read.kind is ErrorKind.LAYOUT
    assert json_equal(layout_error([*map(IssueProblem, read.issues)]), exchange.response)
