"""Uploads and downloads with pre-signed URLs: byte for byte, without a token, completely or not at all."""

import asyncio
import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from batchwright.api.adaptive_chunks import LARGEST, ChunkSize
from batchwright.api.client import ApiClient
from batchwright.api.errors import (
    BadAddress,
    FileChanged,
    PresignedUrlExpired,
    ServerError,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.file_streams import IncomingFile, OutgoingFile, TransferResult
from tests.api.requests import download, run_at_url
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import RawRequest, Reply
from tests.fakes.stumbling_server import BAD_GATEWAY, ELSEWHERE, FAULT, Stumble, StumblingServer

MEGABYTE = 1 << 20
AWKWARD = (
    '/raw/a%2fb/./../x/~y/%7Ez/it\'s"{quoted}"[1]|^`<>\\;,/file%20name.csv'
    "?X-Sig=q%2Br%3D+/%2F'\"{}[]|\\^`&X-lower=%c3%bc&&=&e=%E2%82%AC&%zz%2"
)
SOMEWHERE = "http://127.0.0.1:1"
"""The base of a service that is not asked."""

EXPIRED = Reply(403, b"<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of many pieces."""
    path = tmp_path / "pairs.csv"
    path.write_bytes(os.urandom(2 * MEGABYTE + MEGABYTE // 2))
    return path


def put(url: str, path: Path, content_type: str | None = None) -> TransferResult:
    """Upload a file."""
    return run_at_url(
        SOMEWHERE, lambda service: service.transfers.upload(path, url, content_type=content_type)
    )


def fetch(url: str, path: Path) -> TransferResult:
    """Download a file."""
    return run_at_url(SOMEWHERE, lambda service: download(service, url, path))


def complete(path: Path) -> TransferResult:
    """What is known of a file that moved whole."""
    return TransferResult(path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.mark.spec("I-08", "F-08")
def test_an_upload_carries_the_bytes_of_the_file_and_nothing_else(file: Path) -> None:
    with EchoServer() as server:
        assert put(f"{server.url}/raw", file, "text/csv") == complete(file)
    (request,) = server.requests
    assert request.body == file.read_bytes()
    assert {name.lower() for name, _value in request.headers} == {
        b"host", b"accept", b"accept-encoding", b"user-agent", b"content-length", b"content-type",
    }  # fmt: skip
    assert request.header(b"content-length") == str(file.stat().st_size).encode()
    assert request.header(b"content-type") == b"text/csv"


@pytest.mark.spec("I-08")
@pytest.mark.parametrize("given", ["text/csv", 'Text/CSV; Charset="utf-8" ;header=present', "x/y"])
def test_a_content_type_is_sent_exactly_as_it_was_given(given: str, file: Path) -> None:
    with EchoServer() as server:
        put(f"{server.url}/raw", file, given)
    (request,) = server.requests
    assert [value for name, value in request.headers if name.lower() == b"content-type"] == [given.encode()]


def test_without_a_content_type_none_is_sent(file: Path) -> None:
    with EchoServer() as server:
        put(f"{server.url}/raw", file)
    assert server.requests[0].header(b"content-type") is None


def test_an_empty_file_is_sent_as_one(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.touch()
    with EchoServer() as server:
        assert put(f"{server.url}/raw", empty) == complete(empty)
    assert server.requests[0].header(b"content-length") == b"0"


@pytest.mark.spec("T-13")
def test_a_url_travels_byte_for_byte(file: Path, tmp_path: Path) -> None:
    with EchoServer() as server:
        put(server.url + AWKWARD, file)
        fetch(server.url + AWKWARD, tmp_path / "out")
    assert [request.target for request in server.requests] == [AWKWARD.encode()] * 2


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1/ü", "http://127.0.0.1/a b", "http://storage.example.org/x", "x"]
)
def test_a_url_that_cannot_be_sent_unchanged_is_rejected(address: str, file: Path) -> None:
    with pytest.raises(BadAddress):
        run_at_url(SOMEWHERE, lambda service: service.transfers.upload(file, address))


@pytest.mark.spec("T-11")
def test_no_authorization_comes_from_anywhere(
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
        run_at_url(SOMEWHERE, lambda service: service.transfers.upload(file, f"{url}/raw"))
        run_at_url(SOMEWHERE, lambda service: download(service, f"{url}/raw", tmp_path / "out"))
    for request in server.requests:
        names = {name.lower() for name, _value in request.headers}
        assert not names & {b"authorization", b"proxy-authorization", b"cookie"}


def test_storage_on_this_computer_is_reached_without_the_proxy(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://user:secret@127.0.0.1:9")
    with EchoServer() as server:
        put(f"{server.url}/raw", file)
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", [ELSEWHERE, Reply(307, b"", {"Location": "/other"})])
def test_a_redirect_of_storage_is_rejected(reply: Reply, file: Path, tmp_path: Path) -> None:
    with EchoServer(reply) as server:
        with pytest.raises(UnexpectedResponse):
            put(f"{server.url}/raw", file)
        with pytest.raises(UnexpectedResponse):
            fetch(f"{server.url}/raw", tmp_path / "out")
        assert len(server.requests) == 2


def test_an_expired_url_is_named_so_that_a_new_one_can_be_requested(file: Path, tmp_path: Path) -> None:
    with EchoServer(EXPIRED) as server:
        with pytest.raises(PresignedUrlExpired):
            put(f"{server.url}/raw", file)
        with pytest.raises(PresignedUrlExpired):
            fetch(f"{server.url}/raw", tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("stumble", [Stumble.RESET_BEFORE, Stumble.RESET_AFTER, FAULT, BAD_GATEWAY])
def test_an_upload_is_sent_again_after_a_stumble(stumble: Stumble | Reply, file: Path) -> None:
    with StumblingServer([stumble]) as server:
        assert put(f"{server.url}/raw", file) == complete(file)
        assert server.arrived[-1].body == file.read_bytes()


def test_a_file_that_arrived_although_the_response_was_lost_is_not_sent_again(file: Path) -> None:
    async def has_arrived() -> bool:
        return bool(server.arrived)

    async def work(service: ApiClient) -> TransferResult:
        return await service.transfers.upload(file, f"{server.url}/raw", has_arrived=has_arrived)

    with StumblingServer([Stumble.RESET_AFTER]) as server:
        assert run_at_url(SOMEWHERE, work) == complete(file)
        assert len(server.arrived) == 1


def test_an_upload_that_storage_never_accepts_fails_with_what_storage_said(file: Path) -> None:
    text = b"<Error><Code>Slow</Code><Message>Come back</Message><StringToSign>secret</StringToSign></Error>"
    with EchoServer(Reply(503, text)) as server, pytest.raises(ServerError) as caught:
        put(f"{server.url}/raw", file)
    assert caught.value.response.storage_code == "Slow"
    assert "secret" not in str(caught.value) + caught.value.response.raw


def test_progress_is_reported_up_to_the_end(file: Path, tmp_path: Path) -> None:
    messages: list[tuple[int, int | None]] = []
    size = file.stat().st_size

    async def work(service: ApiClient) -> None:
        await service.transfers.upload(
            file, f"{server.url}/raw", on_progress=lambda done, total: messages.append((done, total))
        )
        assert messages[-1] == (size, size)
        messages.clear()
        await download(
            service,
            f"{server.url}/raw",
            tmp_path / "out",
            on_progress=lambda done, total: messages.append((done, total)),
        )
        assert messages[-1] == (size, size)

    with EchoServer(Reply(200, file.read_bytes())) as server:
        run_at_url(SOMEWHERE, work)
    assert [done for done, _total in messages] == sorted(done for done, _total in messages)


@pytest.mark.parametrize("change", ["grown", "shrunk", "rewritten", "replaced"])
@pytest.mark.parametrize("size", [2 * MEGABYTE, 5 * LARGEST])
def test_a_file_that_changes_while_being_sent_never_arrives_complete(
    size: int, change: str, file: Path
) -> None:
    """All of it may have been read before the change, or only its beginning."""
    file.write_bytes(os.urandom(size))

    def disturb(done: int, _total: int | None) -> None:
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
            run_at_url(
                SOMEWHERE,
                lambda service: service.transfers.upload(file, f"{server.url}/raw", on_progress=disturb),
            )
        assert server.requests == []


def test_a_cancelled_upload_leaves_nothing_behind(file: Path) -> None:
    async def work(service: ApiClient) -> None:
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

    with StumblingServer([Stumble.STALL]) as server:
        run_at_url(SOMEWHERE, work)


def test_what_was_to_be_read_ahead_is_left_alone_after_a_cancel(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started, may_end = list[int](), threading.Event()

    def slow(_file: OutgoingFile) -> bytes:
        started.append(1)
        may_end.wait(30)
        return b"x"

    async def work() -> None:
        async with OutgoingFile(file) as source:
            sending = asyncio.create_task(anext(source.chunks()))
            async with asyncio.timeout(30):
                while not started:  # noqa: ASYNC110 - what is waited for sets no event
                    await asyncio.sleep(0)
            sending.cancel()
            with pytest.raises(asyncio.CancelledError):
                await sending
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, may_end.set)  # a turn later, when the thread has heard
        assert started == [1]

    monkeypatch.setattr(OutgoingFile, "_read", slow)
    asyncio.run(work())


def test_a_download_is_put_in_place_whole(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "export.zip"
    target.write_bytes(b"older")
    with EchoServer(Reply(200, file.read_bytes())) as server:
        assert fetch(f"{server.url}/zip", target) == complete(file)
    assert target.read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.zip", "pairs.csv"]


def test_a_download_that_is_cut_is_restarted(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()

    def good(_request: RawRequest) -> Reply:
        return Reply(200, content)

    with StumblingServer([Stumble.CUT], good) as server:
        assert fetch(f"{server.url}/zip", tmp_path / "export.zip") == complete(file)


def test_a_download_that_is_always_cut_leaves_the_older_file(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "export.zip"
    target.write_bytes(b"older")
    with (
        StumblingServer([Stumble.CUT] * 5, lambda _request: Reply(200, file.read_bytes())) as server,
        pytest.raises(Unreachable),
    ):
        fetch(f"{server.url}/zip", target)
    assert target.read_bytes() == b"older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.zip", "pairs.csv"]


def test_a_file_that_does_not_exist_is_no_matter_of_the_network(tmp_path: Path) -> None:
    with EchoServer() as server, pytest.raises(FileNotFoundError):
        put(f"{server.url}/raw", tmp_path / "none.csv")


def test_a_folder_that_does_not_exist_is_no_matter_of_the_network(tmp_path: Path) -> None:
    with EchoServer() as server, pytest.raises(FileNotFoundError):
        fetch(f"{server.url}/raw", tmp_path / "none" / "x.zip")


def test_reading_and_writing_never_happen_on_the_event_loop(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(work: Callable[..., object]) -> Callable[..., object]:
        def checked(*given: object) -> object:
            assert threading.current_thread() is not threading.main_thread()
            return work(*given)

        return checked

    async def copy() -> TransferResult:
        async with OutgoingFile(file) as source, IncomingFile(tmp_path / "copy") as target:
            async for piece in source.chunks():
                await target.add(piece)
            return await target.commit()

    for kind, names in (
        (OutgoingFile, ("_open", "_read", "_check")),
        (IncomingFile, ("_open", "_write", "_move_into_place")),
    ):
        for name in names:
            monkeypatch.setattr(kind, name, elsewhere(getattr(kind, name)))
    assert asyncio.run(copy()) == complete(file)
