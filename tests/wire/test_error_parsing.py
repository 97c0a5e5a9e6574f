"""Error responses of every form are parsed to one value."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json
from batchwright.layout.nodes import NodePath
from batchwright.wire.deprecation import Deprecation
from batchwright.wire.error_parsing import ErrorKind, ServiceError, read_error
from batchwright.wire.errors import general_error
from tests.wire.test_base import json_values


def read(body: Json, status: int = 400) -> ServiceError:
    return read_error(status, json.dumps(body).encode(), {})


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        (general_error(400, "One."), ("One.",)),
        (general_error(400, ["One.", "Two."]), ("One.", "Two.")),
        (general_error(400, "One.", "More."), ("One.", "More.")),
        ({"message": "One.", "detail": "Two."}, ("One.", "Two.")),
        ({"message": "One.", "detail": "One."}, ("One.",)),
        ({"message": "One."}, ("One.",)),
        ({"detail": "Not found."}, ("Not found.",)),
        ({"detail": ["One.", "Two."]}, ("One.", "Two.")),
        ({"error": "One."}, ("One.",)),
        ({"error": {"title": "Bad Request"}}, ("Bad Request",)),
        ({"error": {"message": "One."}}, ("One.",)),
        ({"error": {"detail": {"n": 1}, "status": 400}}, ()),
        ({"error": {"detail": 17}}, ("17",)),
    ],
)
@pytest.mark.spec("E-08")
def test_the_message_of_a_json_rejection_is_parsed(body: Json, messages: tuple[str, ...]) -> None:
    error = read(body)
    assert error.kind is ErrorKind.GENERAL
    assert error.messages == messages
    assert error.message


def test_messages_about_fields_are_grouped_by_field() -> None:
    error = read(general_error(400, {"name": ["Too short.", "Too dull."], "schema": ["Missing."]}))
    assert error.field_messages == {"name": ("Too short.", "Too dull."), "schema": ("Missing.",)}
    assert error.message == "name: Too short. name: Too dull. schema: Missing."


@pytest.mark.parametrize("status", [200, 400, 422])
def test_a_layout_rejection_is_recognised_by_its_body_under_any_status(status: int) -> None:
    issue: Json = {
        "page": 1,
        "row": 2,
        "column": 0,
        "item": 3,
        "type": "image",
        "message": "No.",
        "hint": "new",
    }
    error = read({"type": "INVALID_BATCH_ITEMS", "issues": [issue]}, status)
    assert error.kind is ErrorKind.LAYOUT
    assert [(item.place, item.type, item.message) for item in error.issues] == [
        (NodePath(1, 2, 0, 3), "image", "No.")
    ]


def test_an_issue_of_another_form_is_still_shown() -> None:
    error = read({"type": "INVALID_BATCH_ITEMS", "message": "No.", "issues": ["odd", {"page": "first"}]})
    assert [item.message for item in error.issues] == ['"odd"', '{"page": "first"}']
    assert error.messages == ("No.",)


def test_a_layout_rejection_without_issues_is_recognised() -> None:
    error = read({"type": "INVALID_BATCH_ITEMS", "issues": None, "message": "No."})
    assert (error.kind, error.issues, error.message) == (ErrorKind.LAYOUT, (), "No.")


@pytest.mark.parametrize("text", ["{}", "[]", "null", '"no"', '["a"]', "<html>", "\x00", '{"error": null}'])
@pytest.mark.spec("E-08")
def test_any_other_body_is_shown_unchanged(text: str) -> None:
    error = read_error(500, text.encode(), {})
    assert error.kind is ErrorKind.TEXT
    assert error.message == text


def test_a_long_text_is_truncated() -> None:
    assert read_error(502, b"x" * 9_999, {}).message == "x" * 499 + "…"
    sentences = {"error": {"detail": ["y" * 9_999] * 99}}
    error = read_error(400, json.dumps(sentences).encode(), {})
    assert error.messages == ("y" * 499 + "…",)
    issues = [{"page": 0, "row": 0, "column": 0, "item": 0, "message": "z" * 9_999}]
    layout = read_error(422, json.dumps({"type": "INVALID_BATCH_ITEMS", "issues": issues}).encode(), {})
    assert len(layout.issues[0].message) == 500
    many = read_error(400, json.dumps({"detail": [f"Sentence {n}." for n in range(9_999)]}).encode(), {})
    assert len(many.messages) == 20


def test_an_excessively_long_rejection_is_recognised_by_its_start() -> None:
    error = read_error(500, b'{"detail": "' + b"x" * (9 << 20) + b'"}', {})
    assert (error.kind, len(error.raw)) == (ErrorKind.TEXT, 500)


@pytest.mark.parametrize("scheme", ["https", "HTTP"])
def test_signatures_of_urls_are_removed_from_error_bodies(scheme: str) -> None:
    address = f"{scheme}://storage.example/uploads/a.csv?X-Signature=canary&b=1"
    bodies: list[Any] = [
        address,
        {"message": f"Sent to {address}."},
        {"error": {"detail": {"url": [f"<{address}>"]}, "additional_information": address}},
        {"type": "INVALID_BATCH_ITEMS", "message": address, "issues": [{"message": address}, address]},
    ]
    for body in bodies:
        text = repr(read_error(422, json.dumps(body).encode(), {}))
        assert "canary" not in text
        assert "storage.example/uploads/a.csv?..." in text


@pytest.mark.spec("H-07")
def test_the_end_of_support_is_parsed_from_rejections() -> None:
    sunset = datetime(2026, 9, 1, 23, 59, 59, tzinfo=UTC)
    headers = {"deprecation": "true", "Sunset": "Tue, 01 Sep 2026 23:59:59 GMT"}
    assert read_error(422, b"", headers).deprecation == Deprecation(sunset)
    assert read_error(422, b"", {"Deprecation": "@1688169599", "Sunset": "soon"}).deprecation == Deprecation()
    for headers in ({}, {"Deprecation": " "}, {"Sunset": "Tue, 01 Sep 2026 23:59:59 GMT"}):
        assert read_error(422, b"", headers).deprecation is None


@pytest.mark.parametrize("body", [b"", b" \n", b"\xef\xbb\xbf"])
def test_an_empty_body_is_accepted(body: bytes) -> None:
    error = read_error(403, body, {})
    assert (error.kind, error.message) == (ErrorKind.EMPTY, "")


def test_xml_errors_of_storage_are_parsed() -> None:
    body = b"<?xml version='1.0'?>\n<Error>\n <Code>AccessDenied</Code><Message>Expired</Message></Error>"
    error = read_error(403, body, {"Content-Type": "application/xml"})
    assert (error.kind, error.message) == (ErrorKind.TEXT, "Expired")


@pytest.mark.parametrize(
    ("detail", "off"),
    [
        ("You do not have permission to use this Feature.", True),
        ("No permission.", False),
        ("No such feature.", False),
    ],
)
@pytest.mark.parametrize("status", [400, 403, 404])
def test_a_disabled_feature_is_recognised_by_its_message(detail: str, off: bool, status: int) -> None:
    assert read(general_error(status, detail), status).is_feature_off == off
    assert read({"detail": detail}, status).is_feature_off == off


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 0 "}, 0.0),
        ({"Retry-After": "1764417600"}, 3600.0),
        ({"Retry-After": "9" * 400}, 3600.0),
        ({"Retry-After": "Tue, 03 Mar 2076 08:00:00 GMT", "Date": "Tue, 03 Mar 2026 08:00:00 GMT"}, 3600.0),
        ({"RETRY-AFTER": "soon"}, None),
        ({"Retry-After": "-7"}, None),
        ({"Retry-After": "²"}, None),
        ({"Retry-After": "Tue, 03 Mar 2026 08:00:09 GMT"}, None),
        ({"Retry-After": "Tue, 03 Mar 2026 08:00:09 GMT", "Date": "Tue, 03 Mar 2026 08:00:00 GMT"}, 9.0),
        ({"Retry-After": "Tue, 03 Mar 2026 07:00:00 GMT", "Date": "Tue, 03 Mar 2026 08:00:00 GMT"}, 0.0),
        ({"Retry-After": "Tue, 03 Mar 2026 08:00:09 +99999999999999"}, None),
        ({"Retry-After": "Tue, 03 Mar 2026 08:00:09 -0000", "Date": "Tue, 03 Mar 2026 08:00:00 GMT"}, None),
    ],
)
def test_the_delay_is_parsed_from_the_retry_after_header(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert read_error(429, b"", headers).retry_after == seconds


@given(st.binary() | json_values().map(lambda value: json.dumps(value).encode()), st.integers(100, 599))
def test_any_body_is_parsed(body: bytes, status: int) -> None:
    error = read_error(status, body, {})
    assert error.status == status
    assert len(error.raw) <= 500


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "error": st.fixed_dictionaries({}, optional={"detail": json_values(), "title": json_values()})
            | json_values(),
            "type": st.sampled_from(["INVALID_BATCH_ITEMS", "OTHER"]),
            "message": json_values(),
            "detail": json_values(),
            "issues": json_values()
            | st.lists(st.dictionaries(st.sampled_from(["page", "message"]), json_values())),
        },
    )
)
def test_a_rejection_with_any_text_has_a_message(body: dict[str, Json]) -> None:
    assert read(body).message or read(body).kind is ErrorKind.LAYOUT
