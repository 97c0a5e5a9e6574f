"""The token and the query of a signed URL are in no error, log line, repr or traceback."""

import asyncio
import logging
import traceback
from pathlib import Path

import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import ApiError, Unauthorized
from batchwright.wire.batches import BatchSetup
from tests.api.requests import TOKEN, client_at, download, retries
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import (
    BAD_GATEWAY,
    INVALID_JSON,
    REDIRECT,
    SERVER_ERROR,
    FailingServer,
    ServerFailure,
)
from tests.fakes.raw_http import FakeResponse
from tests.fakes.server_in_thread import ServerInThread

SIGNATURE = "signed-canary-3Kd8"
SECRETS = [TOKEN, TOKEN[:8], TOKEN[-8:], SIGNATURE]


async def all_errors(server: ServerInThread, folder: Path) -> list[ApiError]:
    """The errors when every kind of request is sent to a failing server."""
    upload = folder / "up.csv"
    upload.write_bytes(b"a,b\\n1,2\\n")
    signed = f"{server.url}/raw?X-Signature={SIGNATURE}"

    async with client_at(server.url, retries=retries(attempts=2)) as service:
        calls = (
            service.account.check(),
            service.batches.set_up("b", BatchSetup()),
            service.datasets.upload_url("d", "f.csv"),
            service.transfers.upload(upload, signed),
            download(service, signed, folder / "down.zip"),
        )
        result = await asyncio.gather(*calls, return_exceptions=True)
        return [error for error in result if isinstance(error, ApiError)]


def crash_report(error: BaseException) -> str:
    """Everything a crash report could contain of an error, with the local variables of library frames."""
    frames = traceback.TracebackException.from_exception(error, capture_locals=True).stack
    inside = [
        frame.locals or {} for frame in frames if "httpx" in frame.filename or "httpcore" in frame.filename
    ]
    own = [repr(error), str(error), repr(error.args), repr(vars(error))]
    return "".join([*own, *traceback.format_exception(error), repr(inside)])


@pytest.mark.parametrize(
    "stumble",
    [
        ServerFailure.RESET_BEFORE,
        ServerFailure.RESET_AFTER,
        ServerFailure.CUT,
        SERVER_ERROR,
        BAD_GATEWAY,
        INVALID_JSON,
        REDIRECT,
    ],
)
async def test_no_error_and_no_log_line_contains_a_secret(
    stumble: ServerFailure | FakeResponse, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("httpx", "httpcore", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    with FailingServer([stumble] * 20) as server:
        errors = await all_errors(server, tmp_path)
    assert errors
    text = caplog.text + "".join(map(crash_report, errors))
    assert [secret for secret in SECRETS if secret in text] == []


async def test_a_token_echoed_by_the_service_is_removed() -> None:
    echoed = FakeResponse.from_json(
        {"error": {"status": 401, "title": "No", "detail": f"Token {TOKEN} is wrong"}}, 401
    )
    with EchoServer(echoed) as server, pytest.raises(Unauthorized) as caught:
        async with client_at(server.url) as service:
            await service.account.check()
    assert "is wrong" in str(caught.value)
    assert [secret for secret in SECRETS if secret in crash_report(caught.value)] == []


async def test_no_error_is_chained_to_an_error_of_the_http_library(tmp_path: Path) -> None:
    with FailingServer([ServerFailure.RESET_AFTER] * 20) as server:
        errors: list[BaseException | None] = [*await all_errors(server, tmp_path)]
    for error in errors:
        while error is not None:
            assert isinstance(error, ApiError)
            error = error.__cause__ or error.__context__


async def test_no_repr_contains_the_token() -> None:
    async with connect("http://127.0.0.1:1", TOKEN) as service:
        objects = [service, *vars(service).values()]
        assert [
            secret for secret in SECRETS if secret in repr([*objects, *(vars(member) for member in objects)])
        ] == []


@pytest.mark.spec("T-01", "T-11")
async def test_the_token_is_sent_only_to_the_service(tmp_path: Path) -> None:
    with EchoServer(SERVER_ERROR) as server:
        await all_errors(server, tmp_path)
    for request in server.requests:
        is_api = request.target.startswith(b"/api/")
        assert (request.header(b"authorization") is not None) is is_api
