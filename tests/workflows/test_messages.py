"""Every error that can reach a person has words of its own, and says what to do."""

import importlib
import inspect
import pkgutil

import pytest

import batchwright
from batchwright.api import errors
from batchwright.api.errors import Declined, LayoutRefused, Unreachable, Unsure
from batchwright.wire.error_reading import read_error
from batchwright.workflows.messages import describe

INNER_ROOMS = ("service", "commands", "ui")
"""Their errors end in answers or on the console; of the service, others see its host alone."""


def errors_of_ours() -> list[type[BaseException]]:
    """Every public exception of the rooms below the workflows."""
    found: set[type[BaseException]] = set()
    for module in pkgutil.walk_packages(batchwright.__path__, "batchwright."):
        room = module.name.split(".")[1]
        if (room in INNER_ROOMS and module.name != "batchwright.service.host") or room == "__main__":
            continue
        for name, thing in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(thing, BaseException) and thing.__module__ == module.name and name[0] != "_":
                found.add(thing)
    return sorted(found, key=lambda error: error.__name__)


@pytest.mark.parametrize("error", errors_of_ours())
def test_no_error_is_left_to_the_words_for_unforeseen_ones(error: type[BaseException]) -> None:
    unforeseen = describe.dispatch(BaseException)
    assert error is errors.ApiError or describe.dispatch(error) is not unforeseen


def test_an_unforeseen_error_is_told_as_a_fault_of_ours() -> None:
    message = describe(ZeroDivisionError("division by zero"))
    assert message.is_bug
    assert "ZeroDivisionError" in message.what
    assert message.remedy


@pytest.mark.spec("E-05")
def test_a_refused_layout_names_every_item_counted_from_one() -> None:
    body = (
        b'{"type": "INVALID_BATCH_ITEMS", "message": "no", "issues": ['
        b'{"page": 0, "row": 1, "column": 0, "item": 2, "type": "image", "message": "No address."}]}'
    )
    message = describe(LayoutRefused("POST /batches", read_error(422, body, {})))
    assert "page 1, row 2, column 1, item 3: No address." in message.what


@pytest.mark.spec("E-08")
@pytest.mark.parametrize("body", [b"", b"<html>bad gateway</html>", b"\xff\xfe", b'{"odd": 1}', b'"no"'])
def test_an_answer_in_no_known_form_still_ends_in_a_sentence(body: bytes) -> None:
    message = describe(Declined("GET /batches", read_error(418, body, {})))
    assert message.what
    assert message.remedy


def test_a_lost_answer_asks_to_look_first() -> None:
    lost = Unreachable("POST /batches", "the connection was cut", arrived=True)
    assert "Look" in describe(Unsure("POST /batches", lost)).remedy


def test_a_long_unforeseen_error_is_told_by_its_first_line() -> None:
    message = describe(RuntimeError("First line\n" + "more\n" * 100))
    assert message.what.endswith("RuntimeError: First line")
    assert len(describe(RuntimeError("word " * 1000)).what) < 400
    assert describe(RuntimeError()).what.endswith("RuntimeError: ")
