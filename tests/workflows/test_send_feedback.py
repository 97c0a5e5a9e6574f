"""Feedback files are checked before anything is sent, sent completely, and recorded in the history."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from batchwright.api.files.file_streams import TransferResult
from batchwright.api.http.errors import PresignedUrlExpired, Unreachable
from batchwright.client.context import WorkflowContext
from batchwright.local.database import open_database
from batchwright.local.sent_files import SentFiles
from batchwright.service.process import ServiceAddress
from batchwright.wire.feedback import EXTENSIONS, MAX_BYTES
from batchwright.workflows.send_feedback import FileRejected, require_accepted_file, send_feedback
from tests.fakes.failing_server import FORBIDDEN, FailingServer
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import ScriptedReplies, context_at


def create_file(folder: Path, name: str, content: bytes = b"a,b\n1,2\n") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.spec("F-05")
@pytest.mark.parametrize("name", ["a.csv", "A.XLSX", "b.Xls", "c.json", "ünï ‘quoted’ 100%.txt", "d.v2.pdf"])
def test_files_of_every_accepted_format_pass_the_check(name: str, tmp_path: Path) -> None:
    assert require_accepted_file(create_file(tmp_path, name)) == 8


@pytest.mark.parametrize("name", ["clip.mp4", "csv", "a.csv.zip", ".csv", "a."])
def test_files_of_other_formats_are_rejected(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileRejected, match="accepts csv, xls, xlsx, json, txt and pdf"):
        require_accepted_file(create_file(tmp_path, name))


def test_a_folder_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(FileRejected, match="folder"):
        require_accepted_file(tmp_path)


def test_an_empty_file_is_accepted(tmp_path: Path) -> None:
    assert require_accepted_file(create_file(tmp_path, "a.csv", b"")) == 0


def test_a_file_of_5_gb_is_accepted_and_a_byte_more_is_not(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES)
        assert require_accepted_file(path) == MAX_BYTES
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(FileRejected, match="5 GB"):
        require_accepted_file(path)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        require_accepted_file(tmp_path / "gone.csv")


@asynccontextmanager
async def context_with_history(
    running: ServiceAddress, folder: Path
) -> AsyncIterator[tuple[WorkflowContext, SentFiles]]:
    """Yield a workflow context at the real service, and a history of sent files."""
    async with context_at(
        folder, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        with closing(open_database(folder)) as database:
            yield context, SentFiles(database)


def ignore(_done: int, _total: int | None) -> None:
    """Discard the progress."""


@pytest.mark.parametrize(
    "name",
    [
        *("signals.csv", "Ünïcødé & 100% #1.JSON"),
        pytest.param(
            'quo"ted?.txt', marks=pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
        ),
    ],
)
async def test_a_sent_file_is_recorded_in_the_history(
    name: str, running: ServiceAddress, tmp_path: Path
) -> None:
    path, progress = create_file(tmp_path, name, b"x" * 100_000), list[int]()

    async with context_with_history(running, tmp_path) as (context, files):
        sent = await send_feedback(context, files, path, lambda done, _all: progress.append(done))
        await send_feedback(context, files, path, ignore)
        assert (sent.name, sent.size, sent.workspace_id) == (name, 100_000, context.workspace_id)
        assert [item.name for item in files.latest()] == [name, name]
        assert abs((files.latest()[1].sent_at - sent.sent_at).total_seconds()) < 0.001
    assert progress[-1] == 100_000


@pytest.mark.spec("F-05", "F-07")
@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("content", [b"", b"\0", b"<html>", b'{"half": ', b"\xff\xfe\r\n,,;\n\x1a"], ids=repr)
async def test_a_file_of_each_format_is_sent_whatever_it_contains(
    content: bytes, extension: str, running: ServiceAddress, service_folder: Path, tmp_path: Path
) -> None:
    stored = service_folder / "blobs" / "feedback"
    before = set(stored.glob("*/*"))
    path = create_file(tmp_path, f"anything{extension}", content)

    async with context_with_history(running, tmp_path) as (context, files):
        await send_feedback(context, files, path, ignore)
        assert [(item.name, item.size) for item in files.latest()] == [(path.name, len(content))]
    (arrived,) = set(stored.glob("*/*")) - before
    assert arrived.read_bytes() == content


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        pytest.param("large.csv", MAX_BYTES + 1, "5 GB", marks=pytest.mark.spec("K-10")),
        pytest.param("clip.mp4", 8, "csv, xls", marks=pytest.mark.spec("F-06")),
        pytest.param("csv", 8, "csv, xls", marks=pytest.mark.spec("F-06")),
    ],
)
async def test_an_unacceptable_file_is_rejected_before_a_url_is_requested(
    name: str, size: int, message: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    history = tmp_path_factory.mktemp("history")
    path = create_file(tmp_path, name)
    os.truncate(path, size)

    with FailingServer([]) as server:
        async with context_at(tmp_path, server.url) as context:
            with closing(open_database(history)) as database, pytest.raises(FileRejected, match=message):
                await send_feedback(context, SentFiles(database), path, ignore)
        assert server.arrived == []


@pytest.mark.spec("T-15")
async def test_after_a_403_from_storage_the_file_is_sent_to_a_new_url(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    history = tmp_path_factory.mktemp("history")
    path = create_file(tmp_path, "signals.csv")

    def address(number: int) -> FakeResponse:
        # By the clock of this computer both have expired; only storage decides.
        return FakeResponse.from_json(
            {"upload_url": f"{server.url}/raw/{number}", "expires_at": "2001-01-01T00:00:00.000Z"}, 201
        )

    with FailingServer([], lambda request: replies(request)) as server:
        replies = ScriptedReplies(
            {
                "GET /api": [address(1), address(2)],
                "PUT /raw/1": [FORBIDDEN],
                "PUT /raw/2": [FakeResponse()],
            }
        )
        async with context_at(tmp_path, server.url) as context:
            with closing(open_database(history)) as database:
                await send_feedback(context, SentFiles(database), path, ignore)
    sent = [request for request in server.arrived if request.call.startswith("PUT")]
    assert [request.call for request in sent] == ["PUT /raw/1", "PUT /raw/2"]
    assert sent[1].body == path.read_bytes()


@pytest.mark.parametrize(("times", "arrives"), [(2, True), (3, False)])
async def test_an_expired_url_is_renewed_up_to_twice(
    times: int, arrives: bool, running: ServiceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested = list[str]()

    async with context_with_history(running, tmp_path) as (context, files):
        upload = context.service.transfers.upload

        async def expiring(path: Path, url: str, **further: object) -> TransferResult:
            requested.append(url)
            if len(requested) <= times:
                raise PresignedUrlExpired("PUT", "storage no longer accepts the URL")
            return await upload(path, url)

        monkeypatch.setattr(context.service.transfers, "upload", expiring)
        if arrives:
            await send_feedback(context, files, create_file(tmp_path, "a.csv"), ignore)
        else:
            with pytest.raises(PresignedUrlExpired):
                await send_feedback(context, files, create_file(tmp_path, "a.csv"), ignore)
    assert len(set(requested)) == 3


async def test_a_file_that_did_not_arrive_is_not_in_the_history(
    running: ServiceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with context_with_history(running, tmp_path) as (context, files):

        async def fail(path: Path, url: str, **further: object) -> TransferResult:
            raise Unreachable("PUT", "nobody answers", arrived=False)

        monkeypatch.setattr(context.service.transfers, "upload", fail)
        with pytest.raises(Unreachable):
            await send_feedback(context, files, create_file(tmp_path, "a.csv"), ignore)
        assert files.latest() == []
