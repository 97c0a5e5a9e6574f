"""Every error that can reach a user has a message of its own that says what to do."""

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable
from errno import EACCES
from itertools import product
from typing import Any

import pytest

import batchwright
from batchwright.api.client import ApiClient
from batchwright.api.http import errors
from batchwright.api.http.errors import ErrorResponse, LayoutRejected, OutcomeUnknown, Unreachable
from batchwright.base.files.atomic_files import OpenElsewhere
from batchwright.client.errors import StepFailed
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.help.pages import help_pages
from batchwright.local.study_files.study_folders import NotAStudyFolder
from batchwright.service.process import ServiceAddress
from batchwright.wire.datapoints import JsonLinesBody
from batchwright.wire.datasets import SchemaUpdate
from batchwright.wire.error_parsing import read_error
from batchwright.workflows.messages import describe
from batchwright.workflows.messages.message import help_address
from tests.api.requests import client_at
from tests.api.studies import client_of
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse

Call = Callable[[ApiClient], Awaitable[Any]]


EXCLUDED_PACKAGES = ("service", "cli", "ui", "analysis")
"""Their errors become responses or console output; only `service.process` raises to other packages.

Nothing but the command `analyse` uses the analysis; it describes its errors itself.
"""


def public_errors() -> list[type[BaseException]]:
    """Every public exception of the packages that workflows use."""
    classes: set[type[BaseException]] = set()
    for module in pkgutil.walk_packages(batchwright.__path__, "batchwright."):
        package = module.name.split(".")[1]
        if (
            package in EXCLUDED_PACKAGES and module.name != "batchwright.service.process"
        ) or package == "__main__":
            continue
        for name, member in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(member, BaseException) and member.__module__ == module.name and name[0] != "_":
                classes.add(member)
    return sorted(classes, key=lambda error: error.__name__)


@pytest.mark.parametrize("error", public_errors())
def test_every_error_class_has_a_message_of_its_own(error: type[BaseException]) -> None:
    assert error is errors.ApiError or help_address(error) != help_address(BaseException)


@pytest.mark.parametrize("error", [BaseException, *public_errors()])
def test_every_message_can_be_looked_up_in_the_help(error: type[BaseException]) -> None:
    assert help_address(error) in {section.address for page in help_pages() for section in page.sections}


def test_a_message_names_its_entry_in_the_help_and_one_about_a_step_that_of_the_cause() -> None:
    cause = describe(OpenElsewhere(EACCES, "the file is open in another program", "answers.csv"))
    assert cause.help_address == "messages.md#open-elsewhere"
    failed = StepFailed("Step", OpenElsewhere(EACCES, "open", "answers.csv"))
    assert describe(failed).help_address == cause.help_address


def test_an_unexpected_error_is_reported_as_a_bug_of_the_program() -> None:
    message = describe(ZeroDivisionError("division by zero"))
    assert message.is_bug
    assert "ZeroDivisionError" in message.what
    assert message.remedy


@pytest.mark.spec("E-05")
def test_a_folder_without_a_study_asks_for_another_folder() -> None:
    message = describe(NotAStudyFolder("The folder “cats” contains no layout.json, so it is not a study."))
    assert message.remedy.startswith("Choose a folder that contains one")


def test_a_file_that_is_open_in_another_program_is_to_be_closed_there() -> None:
    message = describe(OpenElsewhere(EACCES, "the file is open in another program", "answers.csv"))
    assert message.what == "answers.csv is open in another program and cannot be replaced."
    assert message.remedy.startswith("Close it there")


def test_a_rejected_layout_names_every_item_counted_from_one() -> None:
    body = (
        b'{"type": "INVALID_BATCH_ITEMS", "message": "no", "issues": ['
        b'{"page": 0, "row": 1, "column": 0, "item": 2, "type": "image", "message": "No address."}]}'
    )
    message = describe(LayoutRejected("POST /batches", read_error(422, body, {})))
    assert "page 1, row 2, column 1, item 3: No address." in message.what


@pytest.mark.spec("E-08")
@pytest.mark.parametrize("body", [b"", b"<html>bad gateway</html>", b"\xff\xfe", b'{"odd": 1}', b'"no"'])
def test_a_response_of_unknown_form_has_a_message(body: bytes) -> None:
    message = describe(ErrorResponse("GET /batches", read_error(418, body, {})))
    assert message.what
    assert message.remedy


def test_a_lost_response_asks_to_check_the_result_first() -> None:
    lost = Unreachable("POST /batches", "the connection was interrupted", arrived=True)
    assert "Check" in describe(OutcomeUnknown("POST /batches", lost)).remedy


def test_a_long_unexpected_error_is_reported_by_its_first_line() -> None:
    message = describe(RuntimeError("First line\n" + "more\n" * 100))
    assert message.what.endswith("RuntimeError: First line")
    assert len(describe(RuntimeError("word " * 1000)).what) < 400
    assert describe(RuntimeError()).what.endswith("RuntimeError: ")


@pytest.mark.parametrize(
    ("seconds", "wait"), [("", "Wait a minute,"), ("5", "Wait a minute,"), ("3600", "Wait 60 minutes,")]
)
def test_too_many_requests_are_reported_with_the_wait_that_was_requested(seconds: str, wait: str) -> None:
    text = read_error(429, b"", {"Retry-After": seconds} if seconds else {})
    assert describe(errors.RateLimited("GET /batches", text)).remedy.startswith(wait)


UNKNOWN_ID = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"


@pytest.mark.spec("E-06")
async def test_a_403_of_the_api_is_reported_as_missing_access_to_the_workspace() -> None:
    calls: tuple[Call, ...] = (
        lambda service: service.exports.start("b"),
        lambda service: service.exports.start_of_collection("c"),
        lambda service: service.datasets.update_schema("d", SchemaUpdate(schema={})),
        lambda service: service.datasets.upload_url("d", "f.csv"),
        lambda service: service.datasets.append("d", JsonLinesBody(b"{}")),
    )
    bodies = (
        FakeResponse(403, b"", {}),
        FakeResponse.from_json({"detail": "No."}, 403),
        FakeResponse(403, b"<html>No</html>", {}),
    )
    for call, body in product(calls, bodies):
        with EchoServer(body) as server, pytest.raises(errors.Forbidden) as caught:
            async with client_at(server.url) as service:
                await call(service)
        message = describe(caught.value)
        assert "has no access to the workspace" in message.what
        assert "workspace" in message.remedy


@pytest.mark.spec("E-07")
async def test_a_missing_resource_is_reported_with_its_kind_and_id(running: ServiceAddress) -> None:
    calls: dict[str, Call] = {
        f"dataset {UNKNOWN_ID}": lambda service: service.datasets.get(UNKNOWN_ID),
        f"import {UNKNOWN_ID}": lambda service: service.datasets.import_job("d", UNKNOWN_ID),
        f"schema migration {UNKNOWN_ID}": lambda service: service.datasets.migration("d", UNKNOWN_ID),
        f"batch {UNKNOWN_ID}": lambda service: service.batches.get(UNKNOWN_ID),
        f"sync {UNKNOWN_ID}": lambda service: service.batches.sync_job("b", UNKNOWN_ID),
        f"export {UNKNOWN_ID}": lambda service: service.exports.get("b", UNKNOWN_ID),
        f"collection {UNKNOWN_ID}": lambda service: service.collections.get(UNKNOWN_ID),
    }
    for name, call in calls.items():
        with pytest.raises(errors.NotFound) as caught:
            async with client_of(running) as service:
                await call(service)
        assert describe(caught.value).what == f"There is no {name} for this token."
        assert caught.value.status in (400, 404)


@pytest.mark.parametrize("failure", [failure for failure in PollFailure if failure is not PollFailure.GONE])
def test_the_message_of_every_poll_failure_states_that_the_job_continues(failure: PollFailure) -> None:
    message = describe(JobUnreachable(failure))
    assert "job continues" in message.what
    assert "refresh" in message.remedy.lower()
