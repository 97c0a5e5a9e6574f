"""Downloads are complete or not written at all, and continue with a new URL when the old one has expired."""

import hashlib
import os
from collections.abc import Callable, Coroutine, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from batchwright.api.http.errors import PresignedUrlExpired, UnexpectedResponse
from batchwright.client.context import WorkflowContext
from batchwright.client.remote_study import remote_batch
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.local.id_registry import RemoteKind
from batchwright.workflows.answers.download_results import (
    ExportFailed,
    download_export,
    download_report,
    download_responses,
)
from batchwright.workflows.messages import describe
from tests.fakes.failing_server import FORBIDDEN, FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse, RawRequest
from tests.workflows.contexts import RecordedMessages, ScriptedReplies, context_at

BATCH = "/api/v1/data-collection/batches/b"
START, STATUS, FILE = f"POST {BATCH}/export", f"GET {BATCH}/export/e", "GET /raw"
GENERATING = FakeResponse.from_json({"status": "generating", "export_id": "e"}, 202)


def archive(content: bytes = b"record\n" * 100) -> bytes:
    """A small ZIP archive."""
    written = BytesIO()
    with ZipFile(written, "w") as archive:
        archive.writestr("responses.jsonl", content)
    return written.getvalue()


ARCHIVE = archive()

Download = Callable[[WorkflowContext, str, Path], Coroutine[Any, Any, None]]


async def export_of_batch(context: WorkflowContext, batch_id: str, path: Path) -> None:
    await download_export(context, remote_batch(batch_id), path)


def completed_export(server: FailingServer) -> dict[str, str]:
    return {"status": "complete", "url": f"{server.url}/raw?sig=1"}


async def test_an_export_is_polled_until_complete_and_downloaded(tmp_path: Path) -> None:
    messages = RecordedMessages()
    with FailingServer([], lambda request: replies(request)) as server:
        complete = FakeResponse.from_json(completed_export(server))
        replies = ScriptedReplies(
            {
                START: [GENERATING],
                STATUS: [GENERATING, GENERATING, complete],
                FILE: [FakeResponse(200, ARCHIVE)],
            }
        )
        async with context_at(tmp_path, server.url, messages=messages) as context:
            await download_export(context, remote_batch("b"), tmp_path / "export.zip")
    assert (tmp_path / "export.zip").read_bytes() == ARCHIVE
    assert (messages.registered, messages.open_jobs) == (((RemoteKind.EXPORT, "e"),), ())


@pytest.mark.spec("K-08")
@pytest.mark.parametrize("download", [download_report, export_of_batch])
async def test_a_url_that_has_expired_is_requested_again(download: Download, tmp_path: Path) -> None:
    messages = RecordedMessages()
    with FailingServer([], lambda request: replies(request)) as server:
        complete = FakeResponse.from_json(completed_export(server))
        replies = ScriptedReplies(
            {
                START: [complete],
                f"GET {BATCH}/report/": [complete],
                FILE: [FORBIDDEN, FORBIDDEN, FakeResponse(200, ARCHIVE)],
            }
        )
        async with context_at(tmp_path, server.url, messages=messages) as context:
            await download(context, "b", tmp_path / "fetched")
    assert (tmp_path / "fetched").read_bytes() == ARCHIVE
    assert sum("expired" in sentence for sentence in messages) == 2


async def test_a_new_url_is_requested_for_the_same_export(tmp_path: Path) -> None:
    with FailingServer([], lambda request: replies(request)) as server:
        complete = FakeResponse.from_json({**completed_export(server), "export_id": "e"})
        replies = ScriptedReplies(
            {START: [GENERATING], STATUS: [complete], FILE: [FORBIDDEN, FakeResponse(200, ARCHIVE)]}
        )
        async with context_at(tmp_path, server.url) as context:
            await download_export(context, remote_batch("b"), tmp_path / "export.zip")
        assert [request.call for request in server.arrived].count(START) == 1
    assert (tmp_path / "export.zip").read_bytes() == ARCHIVE


@pytest.mark.parametrize("download", [download_report, export_of_batch])
async def test_after_three_expired_urls_the_download_fails_and_an_existing_file_is_kept(
    download: Download, tmp_path: Path
) -> None:
    (tmp_path / "fetched").write_bytes(b"older")
    with FailingServer([], lambda request: replies(request)) as server:
        complete = FakeResponse.from_json(completed_export(server))
        replies = ScriptedReplies({START: [complete], f"GET {BATCH}/report/": [complete], FILE: [FORBIDDEN]})
        with pytest.raises(PresignedUrlExpired):
            async with context_at(tmp_path, server.url) as context:
                await download(context, "b", tmp_path / "fetched")
        assert [request.call for request in server.arrived].count(FILE) == 3
    assert (tmp_path / "fetched").read_bytes() == b"older"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        ARCHIVE[:-1],
        ARCHIVE[: len(ARCHIVE) // 2],
        ARCHIVE.replace(b"record", b"recorb", 1),
        b'{"not": "an archive"}',
    ],
)
async def test_an_incomplete_archive_never_replaces_an_existing_file(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "export.zip").write_bytes(b"older")
    with FailingServer([], lambda request: replies(request)) as server:
        replies = ScriptedReplies(
            {START: [FakeResponse.from_json(completed_export(server))], FILE: [FakeResponse(200, content)]}
        )
        with pytest.raises(UnexpectedResponse, match="ZIP"):
            async with context_at(tmp_path, server.url) as context:
                await download_export(context, remote_batch("b"), tmp_path / "export.zip")
    assert (tmp_path / "export.zip").read_bytes() == b"older"
    assert list(tmp_path.glob("*.part")) == list(tmp_path.glob(".*.part")) == []


@pytest.mark.parametrize("status", ["failed", "unknown to this version"])
async def test_an_export_that_fails_is_reported_and_leaves_no_file(status: str, tmp_path: Path) -> None:
    replies = ScriptedReplies({START: [GENERATING], STATUS: [FakeResponse.from_json({"status": status})]})
    with FailingServer([], replies) as server, pytest.raises(ExportFailed) as caught:
        async with context_at(tmp_path, server.url) as context:
            await download_export(context, remote_batch("b"), tmp_path / "export.zip")
    assert status in describe(caught.value).what
    assert not (tmp_path / "export.zip").exists()


async def test_a_running_export_without_an_id_is_an_unexpected_response(tmp_path: Path) -> None:
    replies = ScriptedReplies({START: [FakeResponse.from_json({"status": "generating"}, 202)]})
    with FailingServer([], replies) as server, pytest.raises(UnexpectedResponse):
        async with context_at(tmp_path, server.url) as context:
            await download_export(context, remote_batch("b"), tmp_path / "export.zip")


async def test_a_file_that_cannot_be_written_is_not_reported_as_a_network_error(tmp_path: Path) -> None:
    replies = ScriptedReplies({f"GET {BATCH}/responses": [FakeResponse.from_json({"results": []})]})
    with FailingServer([], replies) as server, pytest.raises(OSError, match="nowhere") as caught:
        async with context_at(tmp_path, server.url) as context:
            await download_responses(context, remote_batch("b"), tmp_path / "nowhere" / "responses.json")
    assert "nowhere" in describe(caught.value).what


async def test_a_download_whose_url_expires_midway_continues_with_the_next_url(tmp_path: Path) -> None:
    content = archive(os.urandom(1 << 20))
    messages = RecordedMessages()
    with FailingServer([None, ServerFailure.CUT], lambda request: storage(request)) as server:
        storage = ExpiringStorage(server, [content])
        async with context_at(tmp_path, server.url, messages=messages) as context:
            await download_export(context, remote_batch("b"), tmp_path / "export.zip")
        requested = [request.header(b"range") for request in server.arrived if request.call == FILE]
    half = b"bytes=%d-" % (len(content) // 2)
    assert requested == [None, half, half]
    assert (tmp_path / "export.zip").read_bytes() == content
    assert sum("expired" in sentence for sentence in messages) == 1


async def test_an_export_that_changed_between_two_urls_arrives_complete(tmp_path: Path) -> None:
    older, newer = archive(os.urandom(1 << 20)), archive(os.urandom(1 << 20))
    with FailingServer([None, ServerFailure.CUT], lambda request: storage(request)) as server:
        storage = ExpiringStorage(server, [older, newer])
        async with context_at(tmp_path, server.url) as context:
            await download_export(context, remote_batch("b"), tmp_path / "export.zip")
    assert (tmp_path / "export.zip").read_bytes() == newer


class ExpiringStorage:
    """A service whose first URL is valid for one request; the n-th URL returns the n-th content."""

    def __init__(self, server: FailingServer, contents: Sequence[bytes]) -> None:
        self._server, self._contents = server, contents
        self._addresses = self._uses = 0

    def __call__(self, request: RawRequest) -> FakeResponse:
        if request.call == START:
            self._addresses += 1
            return FakeResponse.from_json(
                {"status": "complete", "url": f"{self._server.url}/raw?sig={self._addresses}"}
            )
        self._uses += 1
        nth = int(request.target.rpartition(b"=")[2])
        if nth == 1 and self._uses > 1:
            return FORBIDDEN
        return range_response(self._contents[min(nth, len(self._contents)) - 1], request)


def range_response(content: bytes, request: RawRequest) -> FakeResponse:
    """The response of storage: the requested range if the ETag still matches, otherwise everything."""
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    headers = {"ETag": etag, "Accept-Ranges": "bytes"}
    if request.header(b"if-range") != etag.encode():
        return FakeResponse(200, content, headers)
    start = int((request.header(b"range") or b"").removeprefix(b"bytes=").removesuffix(b"-"))
    rest = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"}
    return FakeResponse(206, content[start:], headers | rest)


async def test_an_export_that_completes_during_an_outage_is_downloaded_once_the_network_returns(
    tmp_path: Path,
) -> None:
    steps = list[str]()

    def export_status() -> FakeResponse:
        if "moved" in steps:
            return FakeResponse.from_json(completed_export(server))
        return GENERATING if "away" in steps else FakeResponse(503)

    def answer(request: RawRequest) -> FakeResponse:
        if request.call == START:
            return GENERATING
        return export_status() if request.call == STATUS else FakeResponse(200, ARCHIVE)

    async def no_token(_refused: WorkflowContext) -> WorkflowContext | None:
        return None

    hooks = RecoveryHooks(lambda: steps.append("away"), no_token)
    with FailingServer([], answer) as server:
        async with context_at(tmp_path, server.url) as context:
            await download_export(
                context,
                remote_batch("b"),
                tmp_path / "export.zip",
                lambda _done, _all: steps.append("moved"),
                hooks,
            )
    assert steps[:2] == ["away", "moved"]
    assert (tmp_path / "export.zip").read_bytes() == ARCHIVE
