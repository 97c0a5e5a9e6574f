"""Downloads that are interrupted, cancelled or killed: the file is complete, or the older one remains."""

import asyncio
import errno
import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from batchwright.api.files import transfers
from batchwright.api.http.errors import UnexpectedResponse, Unreachable
from tests.api.files.test_transfers import MEGABYTE, UNUSED_SERVICE_URL, complete_transfer, download_file
from tests.api.requests import client_at, download
from tests.fakes.echo_server import EchoServer
from tests.fakes.failing_server import SIGN_IN_PAGE, FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse, RawRequest
from tests.fakes.truncating_storage import TruncatingStorage

CONTENT = os.urandom(2 * MEGABYTE + MEGABYTE // 2)
CUTS = [0, 1, 40, 300, MEGABYTE // 2, MEGABYTE + 1000, 2 * MEGABYTE + 1000, -1]
"""Before the head, in it, after it, and at several positions in the body."""


@pytest.fixture
def existing_file(tmp_path: Path) -> Path:
    """A file that exists at the target of the download."""
    path = tmp_path / "export.zip"
    path.write_bytes(b"older")
    return path


def is_only_file(path: Path) -> bool:
    """Whether the folder contains nothing but this file."""
    return list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("supports_ranges", [True, False])
@pytest.mark.parametrize("cut", CUTS)
async def test_a_download_interrupted_at_any_position_arrives_complete(
    cut: int, supports_ranges: bool, existing_file: Path
) -> None:
    with TruncatingStorage(CONTENT, [cut], supports_ranges=supports_ranges) as storage:
        transfer = await download_file(f"{storage.url}/raw?sig=1", existing_file)
        assert len(storage.requests) == 2
    assert existing_file.read_bytes() == CONTENT
    assert transfer == complete_transfer(existing_file)
    assert is_only_file(existing_file)


async def test_a_download_is_resumed_as_long_as_it_makes_progress(existing_file: Path) -> None:
    content = os.urandom(9 * MEGABYTE)
    with TruncatingStorage(content, [MEGABYTE + 5000] * 8) as storage:
        assert (await download_file(f"{storage.url}/raw?sig=1", existing_file)).size == 9 * MEGABYTE
        assert len(storage.requests) == 9
    assert existing_file.read_bytes() == content


async def test_a_download_resumes_with_a_range_if_storage_supports_it(existing_file: Path) -> None:
    progress: list[int] = []

    with TruncatingStorage(CONTENT, [MEGABYTE + 5000, MEGABYTE + 5000]) as storage:
        async with client_at(UNUSED_SERVICE_URL) as service:
            await download(
                service,
                f"{storage.url}/raw",
                existing_file,
                on_progress=lambda done, total: progress.extend((done, total or -1)),
            )
        assert len(storage.requests) == 3
        assert storage.bytes_sent == len(CONTENT)
        assert storage.requests[1].header(b"if-range") == storage.etag.encode()
    assert existing_file.read_bytes() == CONTENT
    assert progress[::2] == sorted(progress[::2])
    assert set(progress[1::2]) == {len(CONTENT)}


async def test_a_file_that_changed_after_an_interruption_is_downloaded_from_its_start(
    existing_file: Path,
) -> None:
    other = CONTENT[::-1] + b"more"

    with TruncatingStorage(CONTENT, [MEGABYTE + 5000]) as storage:
        async with client_at(UNUSED_SERVICE_URL) as service:

            def replace(_done: int, _total: int | None) -> None:
                storage.content = other

            await download(service, f"{storage.url}/raw", existing_file, on_progress=replace)
    assert existing_file.read_bytes() == other


async def test_an_interruption_without_a_content_length_is_detected(existing_file: Path) -> None:
    with TruncatingStorage(CONTENT, [MEGABYTE + 5000], is_chunked=True) as storage:
        await download_file(f"{storage.url}/raw", existing_file)
        assert storage.requests[1].header(b"range") is None
    assert existing_file.read_bytes() == CONTENT


async def test_a_different_range_than_requested_is_rejected(existing_file: Path) -> None:
    partial_reply = FakeResponse(206, b"x" * 10, {"Content-Range": "bytes 7-16/17"})
    with EchoServer(partial_reply) as server, pytest.raises(UnexpectedResponse):
        await download_file(f"{server.url}/raw", existing_file)
    assert existing_file.read_bytes() == b"older"
    assert is_only_file(existing_file)


async def test_a_range_that_ends_too_early_is_rejected(existing_file: Path) -> None:
    def answer(request: RawRequest) -> FakeResponse:
        headers = {"ETag": '"same"', "Accept-Ranges": "bytes"}
        if request.header(b"range") is None:
            return FakeResponse(200, CONTENT, headers)
        start = len(CONTENT) // 2
        content_range = {"Content-Range": f"bytes {start}-{start + 9}/{len(CONTENT)}"}
        return FakeResponse(206, CONTENT[start : start + 10], headers | content_range)

    with (
        FailingServer([ServerFailure.CUT], answer) as server,
        pytest.raises(UnexpectedResponse, match="different part"),
    ):
        await download_file(f"{server.url}/raw", existing_file)
    assert existing_file.read_bytes() == b"older"


async def test_a_web_page_is_never_taken_for_a_file(existing_file: Path, tmp_path: Path) -> None:
    with EchoServer(SIGN_IN_PAGE) as server:
        with pytest.raises(UnexpectedResponse, match="web page"):
            await download_file(f"{server.url}/raw", existing_file)
        with pytest.raises(UnexpectedResponse, match="web page"):
            async with client_at(UNUSED_SERVICE_URL) as service:
                await service.transfers.upload(existing_file, f"{server.url}/raw")
    assert existing_file.read_bytes() == b"older"


async def test_insufficient_disk_space_is_reported_before_the_content_is_downloaded(
    existing_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=len(CONTENT) - 1))
    with TruncatingStorage(CONTENT) as storage, pytest.raises(OSError, match=r"export\.zip") as caught:
        await download_file(f"{storage.url}/raw", existing_file)
    assert caught.value.errno == errno.ENOSPC
    assert existing_file.read_bytes() == b"older"
    assert is_only_file(existing_file)


async def test_a_folder_at_the_target_is_reported_before_the_request(tmp_path: Path) -> None:
    with TruncatingStorage(CONTENT) as storage:
        with pytest.raises(IsADirectoryError):
            await download_file(f"{storage.url}/raw", tmp_path)
        assert storage.requests == []


@pytest.mark.parametrize("cut", [0, 300, MEGABYTE + 5000])
async def test_a_stalled_download_fails_in_the_end(
    cut: int, existing_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "_TIMEOUTS", {"connect": 10.0, "read": 0.1, "write": 10.0, "pool": None})
    with (
        TruncatingStorage(CONTENT, [cut] * 5, supports_ranges=False, stalls=True) as storage,
        pytest.raises(Unreachable),
    ):
        await download_file(f"{storage.url}/raw", existing_file)
    assert existing_file.read_bytes() == b"older"
    assert is_only_file(existing_file)


@pytest.mark.parametrize("cut", [0, 300, MEGABYTE + 5000])
async def test_a_cancelled_download_leaves_the_existing_file(cut: int, existing_file: Path) -> None:
    with TruncatingStorage(CONTENT, [cut], stalls=True) as storage:
        async with client_at(UNUSED_SERVICE_URL) as service:
            task = asyncio.create_task(download(service, f"{storage.url}/raw", existing_file))
            async with asyncio.timeout(30):
                while not storage.requests:  # noqa: ASYNC110 - what is waited for sets no event
                    await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
    assert existing_file.read_bytes() == b"older"
    assert is_only_file(existing_file)


KILLED_PROGRAM = """
import asyncio, sys
from pathlib import Path
from batchwright.api.client import connect
from batchwright.api.files.file_streams import IncomingFile
from batchwright.api.files.resumable_download import ResumableDownload

async def work(url, path):
    async with connect(url, "token") as service, IncomingFile(Path(path)) as file:
        await service.transfers.download(
            f"{url}/raw", ResumableDownload(file), lambda done, total: print(done, flush=True)
        )

asyncio.run(work(*sys.argv[1:]))
"""


def set_times(folder: Path, seconds: float) -> None:
    """Give partial files a modification time."""
    for path in folder.glob(".*.part"):
        os.utime(path, (seconds, seconds))


async def test_partial_files_of_a_killed_program_are_removed_by_the_next_download_unless_in_use(
    existing_file: Path,
) -> None:
    other, longest = existing_file.with_name("other.zip"), existing_file.with_name(f"{'ü' * 125}.zip")
    cut = 2 * MEGABYTE + 5000
    with TruncatingStorage(CONTENT, [cut] * 3, stalls=True) as storage, ExitStack() as processes:

        def start_download(path: Path) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-c", KILLED_PROGRAM, storage.url, str(path)]
            item = processes.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            processes.callback(item.kill)
            assert item.stdout is not None
            assert int(item.stdout.readline())
            return item

        killed, _in_use, other_file = (
            start_download(existing_file),
            start_download(existing_file),
            start_download(other),
        )
        for item in (killed, other_file):
            item.kill()
            item.wait()
        assert existing_file.read_bytes() == b"older"
        with TruncatingStorage(CONTENT) as complete_storage:
            set_times(existing_file.parent, time.time())
            await download_file(f"{complete_storage.url}/raw", existing_file)
            assert len(list(existing_file.parent.glob(".*.part"))) == 3, (
                "they may be in use by a new download"
            )
            set_times(existing_file.parent, 1)
            await download_file(f"{complete_storage.url}/raw", existing_file)
            assert len(list(existing_file.parent.glob(".*.part"))) == 2, (
                "one is in use, one is of another file"
            )
            await download_file(f"{complete_storage.url}/raw", longest)
    downloaded = [path for path in existing_file.parent.iterdir() if path.suffix == ".zip"]
    assert all(path.read_bytes() == CONTENT for path in downloaded)
