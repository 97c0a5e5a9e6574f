"""Uploads and downloads with pre-signed URLs: byte for byte, without a token, completely or not at all."""

import asyncio
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from batchwright.api.files.adaptive_chunks import LARGEST, ChunkSize
from batchwright.api.files.file_streams import IncomingFile, OutgoingFile, TransferResult
from batchwright.api.http.errors import (
    BadAddress,
    FileChanged,
    PresignedUrlExpired,
    ServerError,
    UnexpectedResponse,
    Unreachable,
)
from tests.api.requests import client_at, download
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import BAD_GATEWAY, REDIRECT, SERVER_ERROR, FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse, RawRequest

MEGABYTE = 1 << 20
UNUSUAL_TARGET = (
    '/raw/a%2fb/./../x/~y/%7Ez/it\'s"{quoted}"[1]|^`<>\\;,/file%20name.csv'
    "?X-Sig=q%2Br%3D+/%2F'\"{}[]|\\^`&X-lower=%c3%bc&&=&e=%E2%82%AC&%zz%2"
)
UNUSED_SERVICE_URL = "http://127.0.0.1:1"
"""The URL of a service that receives no request."""

EXPIRED = FakeResponse(403, b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of several chunks."""
    path = tmp_path / "pairs.csv"
    path.write_bytes(os.urandom(2 * MEGABYTE + MEGABYTE // 2))
    return path


async def upload_file(url: str, path: Path, content_type: str | None = None) -> TransferResult:
    """Upload a file."""
    async with client_at(UNUSED_SERVICE_URL) as service:
        return await service.transfers.upload(path, url, content_type=content_type)


async def download_file(url: str, path: Path) -> TransferResult:
    """Download a file."""
    async with client_at(UNUSED_SERVICE_URL) as service:
        return await download(service, url, path)


def complete_transfer(path: Path) -> TransferResult:
    """The result of a complete transfer of a file."""
    return TransferResult(path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.spec("I-08", "F-08")
async def test_an_upload_sends_exactly_the_bytes_of_the_file(file: Path) -> None:
    with EchoServer() as server:
        assert await upload_file(f"{server.url}/raw", file, "text/csv") == complete_transfer(file)
    (request,) = server.requests
    assert request.body == file.read_bytes()
    assert {name.lower() for name, _value in request.headers} == {
        b"host", b"accept", b"accept-encoding", b"user-agent", b"content-length", b"content-type",
    }  # fmt: skip
    assert request.header(b"content-length") == str(file.stat().st_size).encode()
    assert request.header(b"content-type") == b"text/csv"


@pytest.mark.spec("I-08")
@pytest.mark.parametrize("content_type", ["text/csv", 'Text/CSV; Charset="utf-8" ;header=present', "x/y"])
async def test_the_content_type_is_sent_unchanged(content_type: str, file: Path) -> None:
    with EchoServer() as server:
        await upload_file(f"{server.url}/raw", file, content_type)
    (request,) = server.requests
    assert [value for name, value in request.headers if name.lower() == b"content-type"] == [
        content_type.encode()
    ]


async def test_without_a_content_type_no_such_header_is_sent(file: Path) -> None:
    with EchoServer() as server:
        await upload_file(f"{server.url}/raw", file)
    assert server.requests[0].header(b"content-type") is None


async def test_an_empty_file_is_sent(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.touch()
    with EchoServer() as server:
        assert await upload_file(f"{server.url}/raw", empty) == complete_transfer(empty)
    assert server.requests[0].header(b"content-length") == b"0"


@pytest.mark.spec("T-13")
async def test_a_url_is_sent_byte_for_byte(file: Path, tmp_path: Path) -> None:
    with EchoServer() as server:
        await upload_file(server.url + UNUSUAL_TARGET, file)
        await download_file(server.url + UNUSUAL_TARGET, tmp_path / "out")
    assert [request.target for request in server.requests] == [UNUSUAL_TARGET.encode()] * 2


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1/ü", "http://127.0.0.1/a b", "http://storage.example.org/x", "x"]
)
async def test_a_url_that_cannot_be_sent_unchanged_is_rejected(address: str, file: Path) -> None:
    with pytest.raises(BadAddress):
        async with client_at(UNUSED_SERVICE_URL) as service:
            await service.transfers.upload(file, address)


@pytest.mark.spec("T-11")
async def test_no_credentials_of_the_environment_are_sent(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text(
        "machine 127.0.0.1 login me password secret\nmachine localhost login me password secret\n"
    )
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    with EchoServer() as server:
        url = server.url.replace("http://", "http://user:secret@")
        async with client_at(UNUSED_SERVICE_URL) as service:
            await service.transfers.upload(file, f"{url}/raw")
        async with client_at(UNUSED_SERVICE_URL) as service:
            await download(service, f"{url}/raw", tmp_path / "out")
    for request in server.requests:
        names = {name.lower() for name, _value in request.headers}
        assert not names & {b"authorization", b"proxy-authorization", b"cookie"}


async def test_storage_on_this_computer_is_accessed_without_the_proxy(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://user:secret@127.0.0.1:9")
    with EchoServer() as server:
        await upload_file(f"{server.url}/raw", file)
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", [REDIRECT, FakeResponse(307, b"", {"Location": "/other"})])
async def test_a_redirect_from_storage_is_rejected(reply: FakeResponse, file: Path, tmp_path: Path) -> None:
    with EchoServer(reply) as server:
        with pytest.raises(UnexpectedResponse):
            await upload_file(f"{server.url}/raw", file)
        with pytest.raises(UnexpectedResponse):
            await download_file(f"{server.url}/raw", tmp_path / "out")
        assert len(server.requests) == 2


async def test_an_expired_url_raises_its_own_error(file: Path, tmp_path: Path) -> None:
    with EchoServer(EXPIRED) as server:
        with pytest.raises(PresignedUrlExpired):
            await upload_file(f"{server.url}/raw", file)
        with pytest.raises(PresignedUrlExpired):
            await download_file(f"{server.url}/raw", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    "stumble", [ServerFailure.RESET_BEFORE, ServerFailure.RESET_AFTER, SERVER_ERROR, BAD_GATEWAY]
)
async def test_an_upload_is_sent_again_after_a_temporary_error(
    stumble: ServerFailure | FakeResponse, file: Path
) -> None:
    with FailingServer([stumble]) as server:
        assert await upload_file(f"{server.url}/raw", file) == complete_transfer(file)
        assert server.arrived[-1].body == file.read_bytes()


async def test_a_file_that_arrived_although_the_response_was_lost_is_not_sent_again(file: Path) -> None:
    async def has_arrived() -> bool:
        return bool(server.arrived)

    with FailingServer([ServerFailure.RESET_AFTER]) as server:
        async with client_at(UNUSED_SERVICE_URL) as service:
            assert (
                await service.transfers.upload(file, f"{server.url}/raw", has_arrived=has_arrived)
            ) == complete_transfer(file)
        assert len(server.arrived) == 1


async def test_an_upload_that_storage_never_accepts_fails_with_the_message_of_storage(file: Path) -> None:
    text = b"<Error><Code>Slow</Code><Message>Come back</Message><StringToSign>secret</StringToSign></Error>"
    with EchoServer(FakeResponse(503, text)) as server, pytest.raises(ServerError) as caught:
        await upload_file(f"{server.url}/raw", file)
    assert caught.value.response.messages == ("Come back",)
    assert "secret" not in str(caught.value) + caught.value.response.raw


async def test_progress_is_reported_up_to_the_size_of_the_file(file: Path, tmp_path: Path) -> None:
    progress: list[tuple[int, int | None]] = []
    size = file.stat().st_size

    with EchoServer(FakeResponse(200, file.read_bytes())) as server:
        async with client_at(UNUSED_SERVICE_URL) as service:
            await service.transfers.upload(
                file, f"{server.url}/raw", on_progress=lambda done, total: progress.append((done, total))
            )
            assert progress[-1] == (size, size)
            progress.clear()
            await download(
                service,
                f"{server.url}/raw",
                tmp_path / "out",
                on_progress=lambda done, total: progress.append((done, total)),
            )
            assert progress[-1] == (size, size)
    assert [done for done, _total in progress] == sorted(done for done, _total in progress)


@pytest.mark.parametrize(
    "change",
    [
        *("grown", "shrunk", "rewritten"),
        pytest.param(
            "replaced",
            marks=pytest.mark.skipif(os.name == "nt", reason="an open file cannot be replaced there"),
        ),
    ],
)
@pytest.mark.parametrize("size", [2 * MEGABYTE, 5 * LARGEST])
async def test_a_file_that_changes_during_its_upload_never_arrives_complete(
    size: int, change: str, file: Path
) -> None:
    """The whole file may have been read before the change, or only its start."""
    file.write_bytes(os.urandom(size))

    def change_file(done: int, _total: int | None) -> None:
        if done != ChunkSize().size:
            return
        content = file.read_bytes()
        if change == "grown":
            file.write_bytes(content + b"more")
        elif change == "shrunk":
            file.write_bytes(content[:MEGABYTE])
        elif change == "rewritten":
            file.write_bytes(content[::-1])
        else:
            other = file.with_name("other")
            other.write_bytes(content)
            other.replace(file)

    with EchoServer() as server:
        with pytest.raises(FileChanged):
            async with client_at(UNUSED_SERVICE_URL) as service:
                await service.transfers.upload(file, f"{server.url}/raw", on_progress=change_file)
        assert server.requests == []


async def test_a_cancelled_upload_leaves_no_task(file: Path) -> None:
    with FailingServer([ServerFailure.STALL]) as server:
        async with client_at(UNUSED_SERVICE_URL) as service:
            started = asyncio.Event()
            upload = asyncio.create_task(
                service.transfers.upload(
                    file, f"{server.url}/raw", on_progress=lambda _done, _total: started.set()
                )
            )
            await started.wait()
            upload.cancel()
            with pytest.raises(asyncio.CancelledError):
                await upload
            assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_nothing_is_read_ahead_after_a_cancelled_upload(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, may_end = list[int](), threading.Event()

    def slow(_file: OutgoingFile) -> bytes:
        started.append(1)
        may_end.wait(30)
        return b"x"

    monkeypatch.setattr(OutgoingFile, "_read", slow)
    async with OutgoingFile(file) as source:
        reading = asyncio.create_task(anext(source.chunks()))
        async with asyncio.timeout(30):
            while not started:  # noqa: ASYNC110 - what is waited for sets no event
                await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        loop = asyncio.get_running_loop()
        loop.call_soon(loop.call_soon, may_end.set)  # one iteration later, when the thread has been cancelled
    assert started == [1]


async def test_a_download_replaces_the_file_only_when_complete(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "export.zip"
    target.write_bytes(b"older")
    with EchoServer(FakeResponse(200, file.read_bytes())) as server:
        assert await download_file(f"{server.url}/zip", target) == complete_transfer(file)
    assert target.read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.zip", "pairs.csv"]


async def test_an_interrupted_download_is_restarted(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()

    def good(_request: RawRequest) -> FakeResponse:
        return FakeResponse(200, content)

    with FailingServer([ServerFailure.CUT], good) as server:
        assert await download_file(f"{server.url}/zip", tmp_path / "export.zip") == complete_transfer(file)


async def test_a_download_that_is_always_interrupted_leaves_the_existing_file(
    file: Path, tmp_path: Path
) -> None:
    target = tmp_path / "export.zip"
    target.write_bytes(b"older")
    with (
        FailingServer(
            [ServerFailure.CUT] * 5, lambda _request: FakeResponse(200, file.read_bytes())
        ) as server,
        pytest.raises(Unreachable),
    ):
        await download_file(f"{server.url}/zip", target)
    assert target.read_bytes() == b"older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.zip", "pairs.csv"]


async def test_uploading_a_missing_file_raises_file_not_found(tmp_path: Path) -> None:
    with EchoServer() as server, pytest.raises(FileNotFoundError):
        await upload_file(f"{server.url}/raw", tmp_path / "none.csv")


async def test_downloading_to_a_missing_folder_raises_file_not_found(tmp_path: Path) -> None:
    with EchoServer() as server, pytest.raises(FileNotFoundError):
        await download_file(f"{server.url}/raw", tmp_path / "none" / "x.zip")


async def test_a_download_to_a_link_replaces_the_file_that_it_leads_to(tmp_path: Path) -> None:
    file, link = tmp_path / "disk" / "backup.zip", tmp_path / "backup.zip"
    file.parent.mkdir()
    file.write_bytes(b"older")
    try:
        link.symlink_to(file)
    except OSError:
        pytest.skip("this account may not create links")
    with EchoServer(FakeResponse(200, b"newer")) as server:
        await download_file(f"{server.url}/raw", link)
    assert link.is_symlink()
    assert file.read_bytes() == b"newer"
    assert list(file.parent.iterdir()) == [file]


async def test_a_download_does_not_replace_a_read_only_file(tmp_path: Path) -> None:
    target = tmp_path / "export.zip"
    target.write_bytes(b"older")
    target.chmod(0o444)
    with EchoServer(FakeResponse(200, b"newer")) as server, pytest.raises(PermissionError, match="read-only"):
        await download_file(f"{server.url}/zip", target)
    assert target.read_bytes() == b"older"


async def test_files_are_never_read_or_written_on_the_event_loop(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def off_the_event_loop(work: Callable[..., object]) -> Callable[..., object]:
        def checked(*arguments: object) -> object:
            assert threading.current_thread() is not threading.main_thread()
            return work(*arguments)

        return checked

    for kind, names in (
        (OutgoingFile, ("_open", "_read", "_check")),
        (IncomingFile, ("_open", "_write", "_move_into_place")),
    ):
        for name in names:
            monkeypatch.setattr(kind, name, off_the_event_loop(getattr(kind, name)))
    async with OutgoingFile(file) as source, IncomingFile(tmp_path / "copy") as target:
        async for piece in source.chunks():
            await target.add(piece)
        assert (await target.commit()) == complete_transfer(file)
