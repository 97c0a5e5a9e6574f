"""Requests to a service: what is sent, what is repeated, and what is never repeated."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest

from batchwright.api.client import ApiClient, connect
from batchwright.api.http import http_client
from batchwright.api.http.errors import (
    BadAddress,
    BadRequest,
    BadToken,
    FeatureOff,
    Forbidden,
    LayoutRejected,
    NotFound,
    OutcomeUnknown,
    RateLimited,
    ServerError,
    Unauthorized,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.wire.batches import Batch, BatchCreate, BatchSetup, TaskDetails
from tests.api.requests import BATCH, TOKEN, USER, Sleeps, client_at, download, retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import (
    BAD_GATEWAY,
    BUSY,
    FORBIDDEN,
    INVALID_JSON,
    NO_SUCH_PAGE,
    REDIRECT,
    SERVER_ERROR,
    SIGN_IN_PAGE,
    FailingServer,
    ServerFailure,
    busy_for,
)
from tests.fakes.raw_http import FakeResponse, RawRequest

DETAILS = TaskDetails(task_name="Compare", task_introduction="", task_steps="")
CREATE = BatchCreate(name="Preferences", workspace_id="65f0a1b2c3d4e5f607182930", task_details=DETAILS)
RETRIED = [
    ServerFailure.RESET_BEFORE,
    ServerFailure.RESET_AFTER,
    ServerFailure.CUT,
    BUSY,
    SERVER_ERROR,
    BAD_GATEWAY,
]


def respond(request: RawRequest) -> FakeResponse:
    """The responses of a working service."""
    if request.line.startswith(b"POST"):
        return FakeResponse.from_json(BATCH, 201)
    return FakeResponse.from_json(USER)


async def _get_batch(name: str, service: ApiClient) -> Batch:
    return await service.batches.get(name)


@pytest.mark.spec("A-01", "A-02", "A-03")
async def test_the_account_check_reports_whose_token_it_is() -> None:
    with EchoServer(FakeResponse.from_json(USER)) as server:
        async with client_at(server.url) as service:
            user = await service.account.check()
    assert (user.id, user.email) == (USER["id"], USER["email"])
    assert [request.line for request in server.requests] == [b"GET /api/v1/users/me/ HTTP/1.1"]


@pytest.mark.spec("T-02")
async def test_the_token_is_sent_in_the_authorization_header() -> None:
    with EchoServer(FakeResponse.from_json(USER)) as server:
        async with client_at(server.url) as service:
            await service.account.check()
    assert server.requests[0].header(b"authorization") == f"Token {TOKEN}".encode()


@pytest.mark.parametrize("stumble", RETRIED)
async def test_a_read_is_repeated_after_a_temporary_error(stumble: ServerFailure | FakeResponse) -> None:
    with FailingServer([stumble], respond) as server:
        async with client_at(server.url) as service:
            assert (await service.account.check()).id == USER["id"]


@pytest.mark.parametrize("stumble", RETRIED)
async def test_a_read_fails_when_the_errors_do_not_end(stumble: ServerFailure | FakeResponse) -> None:
    with (
        FailingServer([stumble] * 5, respond) as server,
        pytest.raises((Unreachable, RateLimited, ServerError)),
    ):
        async with client_at(server.url, retries=retries(attempts=5)) as service:
            await service.account.check()


async def test_a_stalled_request_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "_TIMEOUTS", httpx.Timeout(5, read=0.05))
    with (
        FailingServer([ServerFailure.STALL, ServerFailure.STALL], respond) as server,
        pytest.raises(Unreachable),
    ):
        async with client_at(server.url, retries=retries(attempts=2)) as service:
            await service.account.check()


@pytest.mark.parametrize(
    "lost",
    [ServerFailure.RESET_AFTER, ServerFailure.CUT, SERVER_ERROR, BAD_GATEWAY, INVALID_JSON, SIGN_IN_PAGE],
)
async def test_a_creation_whose_response_was_lost_is_never_repeated(
    lost: ServerFailure | FakeResponse,
) -> None:
    with FailingServer([lost], respond) as server:
        with pytest.raises(OutcomeUnknown):
            async with client_at(server.url) as service:
                await service.batches.create(CREATE)
        assert len(server.arrived) <= 1


async def test_a_setup_whose_response_was_lost_is_never_repeated() -> None:
    with FailingServer([ServerFailure.RESET_AFTER], respond) as server:
        with pytest.raises(OutcomeUnknown):
            async with client_at(server.url) as service:
                await service.batches.set_up("b", BatchSetup())
        assert len(server.arrived) == 1


async def test_a_creation_is_repeated_after_a_429() -> None:
    with FailingServer([BUSY], respond) as server:
        async with client_at(server.url) as service:
            assert (await service.batches.create(CREATE)).id == BATCH["id"]
        assert len(server.arrived) == 1


async def test_a_creation_that_could_not_connect_did_not_arrive() -> None:
    with EchoServer() as server:
        url = server.url
    with pytest.raises(Unreachable) as caught:
        async with client_at(url) as service:
            await service.batches.create(CREATE)
    assert not caught.value.arrived


async def test_the_start_of_an_export_is_repeated() -> None:
    generating = FakeResponse.from_json({"status": "generating", "export_id": "e"}, 202)
    with FailingServer([ServerFailure.RESET_AFTER], lambda _request: generating) as server:
        async with client_at(server.url) as service:
            assert (await service.exports.start("b")).export_id == "e"


async def test_retry_after_in_seconds_is_respected() -> None:
    sleeps = Sleeps()
    with FailingServer([busy_for("7")], respond) as server:
        async with client_at(server.url, retries=retries(sleep=sleeps)) as service:
            await service.account.check()
    assert sleeps.delays == [7]


async def test_retry_after_as_a_date_is_relative_to_the_clock_of_the_service() -> None:
    sleeps = Sleeps()
    headers = {"Date": "Sat, 01 Jan 2000 00:00:00 GMT", "Retry-After": "Sat, 01 Jan 2000 00:00:30 GMT"}
    with FailingServer([FakeResponse(429, b"", headers)], respond) as server:
        async with client_at(server.url, retries=retries(sleep=sleeps)) as service:
            await service.account.check()
    assert sleeps.delays == [30]


async def test_a_long_retry_after_is_reported_instead_of_waited_for() -> None:
    with FailingServer([busy_for("3600")], respond) as server, pytest.raises(RateLimited) as caught:
        async with client_at(server.url) as service:
            await service.account.check()
    assert caught.value.response.retry_after == 3600


PAGES = [replace(NO_SUCH_PAGE, status=status) for status in (400, 401, 403, 404, 407, 409, 410, 422)]


@pytest.mark.parametrize(
    "reply", [INVALID_JSON, SIGN_IN_PAGE, REDIRECT, FakeResponse.from_json({"name": "no id"}), *PAGES]
)
async def test_web_pages_redirects_and_malformed_bodies_are_unexpected_responses(reply: FakeResponse) -> None:
    with EchoServer(reply) as server, pytest.raises(UnexpectedResponse):
        async with client_at(server.url) as service:
            await service.account.check()


async def test_the_retry_after_header_of_a_web_page_is_respected() -> None:
    page = replace(NO_SUCH_PAGE, status=429, headers={**NO_SUCH_PAGE.headers, "Retry-After": "3600"})
    with EchoServer(page) as server, pytest.raises(RateLimited) as caught:
        async with client_at(server.url) as service:
            await service.account.check()
    assert caught.value.response.retry_after == 3600


INVALID_TARGETS = ("data:text/plain,x", "mailto:me@a.example", "http://xn--/", "http://[::1", "http://a:b:c/")


@pytest.mark.parametrize("location", INVALID_TARGETS)
async def test_a_redirect_to_an_invalid_address_is_an_unexpected_response(
    location: str, tmp_path: Path
) -> None:
    with EchoServer(FakeResponse(302, b"", {"Location": location})) as server:
        for call in (
            lambda service: service.account.check(),
            lambda service: download(service, f"{server.url}/raw", tmp_path / "out"),
        ):
            with pytest.raises(UnexpectedResponse, match="redirects to an invalid address") as caught:
                async with client_at(server.url) as service:
                    await call(service)
            assert caught.value.__context__ is None
        assert len(server.requests) == 2


async def test_a_redirect_is_never_followed() -> None:
    with (
        EchoServer() as other,
        EchoServer(FakeResponse(307, b"", {"Location": f"{other.url}/stolen"})) as server,
    ):
        with pytest.raises(UnexpectedResponse):
            async with client_at(server.url) as service:
                await service.account.check()
        assert other.requests == []


@pytest.mark.spec("H-01", "H-02")
async def test_paths_are_appended_to_the_base_url() -> None:
    with EchoServer(FakeResponse.from_json(USER)) as server:
        for base in ("", "/", "/gateway", "/gateway/"):
            async with client_at(f"{server.url}{base}") as service:
                await service.account.check()
    path = b"/api/v1/users/me/"
    assert [request.target for request in server.requests] == [
        path,
        path,
        b"/gateway" + path,
        b"/gateway" + path,
    ]


async def test_cookies_are_not_stored() -> None:
    biscuit = {"Set-Cookie": "who=me; Path=/", "Content-Type": "application/json"}
    with EchoServer(FakeResponse(200, FakeResponse.from_json(USER).body, biscuit)) as server:
        async with client_at(server.url) as service:
            await service.account.check()
            await service.account.check()
        assert [request.header(b"cookie") for request in server.requests] == [None, None]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            FakeResponse.from_json({"error": {"status": 401, "title": "Unauthorized", "detail": "No."}}, 401),
            Unauthorized,
        ),
        (FORBIDDEN, Forbidden),
        (FakeResponse.from_json({"detail": "Not found."}, 404), NotFound),
        (FakeResponse.from_json({"message": "dataset_id is foreign"}, 400), BadRequest),
        (FakeResponse.from_json({"detail": "You have no permission for this feature."}, 404), FeatureOff),
        (FakeResponse.from_json({"type": "INVALID_BATCH_ITEMS", "issues": []}, 422), LayoutRejected),
        (FakeResponse.from_json({"type": "INVALID_BATCH_ITEMS", "issues": []}, 400), LayoutRejected),
        (FakeResponse.from_json({"type": "INVALID_BATCH_ITEMS", "issues": []}, 200), LayoutRejected),
    ],
)
async def test_each_rejection_has_its_own_error_class(reply: FakeResponse, expected: type[Exception]) -> None:
    with EchoServer(reply) as server, pytest.raises(expected):
        async with client_at(server.url) as service:
            await service.batches.create(CREATE)


@pytest.mark.spec("A-04")
async def test_a_failed_account_check_contains_the_message_of_the_service() -> None:
    rejection = FakeResponse.from_json(
        {"error": {"status": 400, "title": "Bad Request", "detail": "Ask support."}}, 400
    )
    with EchoServer(rejection) as server, pytest.raises(BadRequest) as caught:
        async with client_at(server.url) as service:
            await service.account.check()
    assert caught.value.response.message == "Ask support."


async def test_an_unknown_batch_is_not_found_with_status_400_or_404() -> None:
    for status in (400, 404):
        with EchoServer(FakeResponse.from_json({"detail": "batch_id is not valid."}, status)) as server:
            with pytest.raises(NotFound):
                async with client_at(server.url) as service:
                    await service.batches.get("b")
            with pytest.raises(NotFound):
                async with client_at(server.url) as service:
                    await service.batches.status("b")


@pytest.mark.spec("E-03", "E-04")
async def test_a_layout_rejection_contains_the_path_of_each_item() -> None:
    issue = {"page": 0, "row": 1, "column": 0, "item": 2, "type": "dataset_field", "message": "No."}
    body = {"type": "INVALID_BATCH_ITEMS", "message": "Two.", "issues": [issue, {**issue, "item": 3}]}
    with EchoServer(FakeResponse.from_json(body, 422)) as server, pytest.raises(LayoutRejected) as caught:
        async with client_at(server.url) as service:
            await service.batches.create(CREATE)
    assert [(place.row, place.item) for place in (i.place for i in caught.value.issues)] == [(1, 2), (1, 3)]


async def test_ids_are_percent_encoded_and_cannot_change_the_path() -> None:
    with EchoServer(FakeResponse.from_json(BATCH)) as server:
        for name in ("a/b", "..", "a b?c#d", "ü"):
            async with client_at(server.url) as service:
                await partial(_get_batch, name)(service)
    start = b"/api/v1/data-collection/batches/"
    assert [request.target for request in server.requests] == [
        start + b"a%2Fb",
        start + b"%2E%2E",
        start + b"a%20b%3Fc%23d",
        start + b"%C3%BC",
    ]


async def test_only_fields_that_were_set_are_sent() -> None:
    with EchoServer(FakeResponse.from_json(BATCH, 201)) as server:
        async with client_at(server.url) as service:
            await service.batches.create(CREATE)
    sent = server.requests[0]
    assert b"batch_items" not in sent.body
    assert sent.header(b"content-type") == b"application/json"


@pytest.mark.parametrize(
    "address",
    ["http://api.example.org", "ftp://127.0.0.1", "api.example.org", "https://", "https://me:pw@api.example.org",
     "https://api.example.org?x=1", "http://127.0.0.1:99999", "http://localhost.example.org", "http://[::1",
     "https://xn--/", "https://1.2.3.999"],
)  # fmt: skip
def test_a_service_url_of_the_wrong_form_is_rejected(address: str) -> None:
    with pytest.raises(BadAddress):
        connect(address, TOKEN)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:80", "http://localhost:1/", "http://[::1]:80", "https://x.org/p/"]
)
def test_http_is_accepted_for_this_computer_and_https_for_any(address: str) -> None:
    assert connect(address, TOKEN)


@pytest.mark.parametrize("token", ["", " ", "two words", "line\nbreak", "ü"])
def test_a_token_that_no_header_can_contain_is_rejected(token: str) -> None:
    with pytest.raises(BadToken):
        connect("http://127.0.0.1:1", token)
