"""Downloads that are interrupted, cancelled or killed: the file is complete, or the older one remains."""

import asyncio
import errno
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from batchwright.api import transfers
from batchwright.api.client import ApiClient
from batchwright.api.errors import UnexpectedResponse, Unreachable
from tests.api.requests import download, run_at_url
from tests.api.test_transfers import MEGABYTE, SOMEWHERE, complete, fetch
from tests.fakes.cutting_storage import CuttingStorage
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import RawRequest, Reply
from tests.fakes.stumbling_server import SIGN_IN_PAGE, Stumble, StumblingServer

CONTENT = os.urandom(2 * MEGABYTE + MEGABYTE // 2)
CUTS = [0, 1, 40, 300, MEGABYTE // 2, MEGABYTE + 1000, 2 * MEGABYTE + 1000, -1]
"""Before the head, in it, after it, and at many places of the body."""


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A place where a file lies already."""
    path = tmp_path / "export.zip"
    path.write_bytes(b"older")
    return path


def alone(path: Path) -> bool:
    """Whether nothing lies beside a file."""
    return list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("gives_parts", [True, False])
@pytest.mark.parametrize("cut", CUTS)
def test_a_download_that_is_cut_anywhere_arrives_complete(cut: int, gives_parts: bool, older: Path) -> None:
    with CuttingStorage(CONTENT, [cut], gives_parts=gives_parts) as storage:
        moved = fetch(f"{storage.url}/raw?sig=1", older)
        assert len(storage.requests) == 2
    assert older.read_bytes() == CONTENT
    assert moved == complete(older)
    assert alone(older)


def test_a_download_that_gets_on_is_never_given_up(older: Path) -> None:
    content = os.urandom(9 * MEGABYTE)
    with CuttingStorage(content, [MEGABYTE + 5000] * 8) as storage:
        assert fetch(f"{storage.url}/raw?sig=1", older).size == 9 * MEGABYTE
        assert len(storage.requests) == 9
    assert older.read_bytes() == content


def test_what_has_come_is_not_fetched_again_where_storage_gives_parts(older: Path) -> None:
    messages: list[int] = []

    async def work(service: ApiClient) -> None:
        await download(
            service,
            f"{storage.url}/raw",
            older,
            on_progress=lambda done, total: messages.extend((done, total or -1)),
        )

    with CuttingStorage(CONTENT, [MEGABYTE + 5000, MEGABYTE + 5000]) as storage:
        run_at_url(SOMEWHERE, work)
        assert len(storage.requests) == 3
        assert storage.given == len(CONTENT)
        assert storage.requests[1].header(b"if-range") == storage.mark.encode()
    assert older.read_bytes() == CONTENT
    assert messages[::2] == sorted(messages[::2])
    assert set(messages[1::2]) == {len(CONTENT)}


def test_a_file_that_was_replaced_after_the_cut_is_fetched_from_its_start(older: Path) -> None:
    other = CONTENT[::-1] + b"more"

    async def work(service: ApiClient) -> None:
        def replace(_done: int, _total: int | None) -> None:
            storage.content = other

        await download(service, f"{storage.url}/raw", older, on_progress=replace)

    with CuttingStorage(CONTENT, [MEGABYTE + 5000]) as storage:
        run_at_url(SOMEWHERE, work)
    assert older.read_bytes() == other


def test_a_cut_without_an_announced_length_is_noticed(older: Path) -> None:
    with CuttingStorage(CONTENT, [MEGABYTE + 5000], is_chunked=True) as storage:
        fetch(f"{storage.url}/raw", older)
        assert storage.requests[1].header(b"range") is None
    assert older.read_bytes() == CONTENT


def test_another_part_than_was_requested_is_never_put_to_the_first(older: Path) -> None:
    part = Reply(206, b"x" * 10, {"Content-Range": "bytes 7-16/17"})
    with EchoServer(part) as server, pytest.raises(UnexpectedResponse):
        fetch(f"{server.url}/raw", older)
    assert older.read_bytes() == b"older"
    assert alone(older)


def test_a_part_that_ends_too_early_is_never_mistaken_for_the_rest(older: Path) -> None:
    def answer(request: RawRequest) -> Reply:
        headers = {"ETag": '"same"', "Accept-Ranges": "bytes"}
        if request.header(b"range") is None:
            return Reply(200, CONTENT, headers)
        start = len(CONTENT) // 2
        part = {"Content-Range": f"bytes {start}-{start + 9}/{len(CONTENT)}"}
        return Reply(206, CONTENT[start : start + 10], headers | part)

    with (
        StumblingServer([Stumble.CUT], answer) as server,
        pytest.raises(UnexpectedResponse, match="different part"),
    ):
        fetch(f"{server.url}/raw", older)
    assert older.read_bytes() == b"older"


def test_a_page_for_people_is_never_mistaken_for_a_file(older: Path, tmp_path: Path) -> None:
    with EchoServer(SIGN_IN_PAGE) as server:
        with pytest.raises(UnexpectedResponse, match="web page"):
            fetch(f"{server.url}/raw", older)
        with pytest.raises(UnexpectedResponse, match="web page"):
            run_at_url(SOMEWHERE, lambda service: service.transfers.upload(older, f"{server.url}/raw"))
    assert older.read_bytes() == b"older"


def test_a_disk_without_room_is_reported_before_the_file_comes(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=len(CONTENT) - 1))
    with CuttingStorage(CONTENT) as storage, pytest.raises(OSError, match=r"export\.zip") as caught:
        fetch(f"{storage.url}/raw", older)
    assert caught.value.errno == errno.ENOSPC
    assert older.read_bytes() == b"older"
    assert alone(older)


def test_a_folder_of_the_name_is_reported_before_anything_is_requested(tmp_path: Path) -> None:
    with CuttingStorage(CONTENT) as storage:
        with pytest.raises(IsADirectoryError):
            fetch(f"{storage.url}/raw", tmp_path)
        assert storage.requests == []


@pytest.mark.parametrize("cut", [0, 300, MEGABYTE + 5000])
def test_storage_that_falls_silent_is_given_up_in_the_end(
    cut: int, older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "_TIMEOUTS", {"connect": 10.0, "read": 0.1, "write": 10.0, "pool": None})
    with (
        CuttingStorage(CONTENT, [cut] * 5, gives_parts=False, stalls=True) as storage,
        pytest.raises(Unreachable),
    ):
        fetch(f"{storage.url}/raw", older)
    assert older.read_bytes() == b"older"
    assert alone(older)


@pytest.mark.parametrize("cut", [0, 300, MEGABYTE + 5000])
def test_a_download_that_is_stopped_leaves_the_older_file(cut: int, older: Path) -> None:
    async def work(service: ApiClient) -> None:
        going = asyncio.create_task(download(service, f"{storage.url}/raw", older))
        async with asyncio.timeout(30):
            while not storage.requests:  # noqa: ASYNC110 - what is waited for sets no event
                await asyncio.sleep(0)
        going.cancel()
        with pytest.raises(asyncio.CancelledError):
            await going

    with CuttingStorage(CONTENT, [cut], stalls=True) as storage:
        run_at_url(SOMEWHERE, work)
    assert older.read_bytes() == b"older"
    assert alone(older)


KILLED = """
import asyncio, sys
from pathlib import Path
from batchwright.api.client import connect
from batchwright.api.file_streams import IncomingFile
from batchwright.api.transfers import ResumableDownload

async def work(url, path):
    async with connect(url, "token") as service, IncomingFile(Path(path)) as file:
        await service.transfers.download(
            f"{url}/raw", ResumableDownload(file), lambda done, total: print(done, flush=True)
        )

asyncio.run(work(*sys.argv[1:]))
"""


def age(folder: Path) -> None:
    """Let what is being received seem to lie there for long."""
    for path in folder.glob(".*.part"):
        os.utime(path, (1, 1))


def test_what_a_killed_program_has_left_goes_with_the_next_download_and_what_is_in_use_stays(
    older: Path,
) -> None:
    other, longest = older.with_name("other.zip"), older.with_name(f"{'ü' * 125}.zip")
    cut = 2 * MEGABYTE + 5000
    with CuttingStorage(CONTENT, [cut] * 3, stalls=True) as storage, ExitStack() as fetching:

        def started(path: Path) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-c", KILLED, storage.url, str(path)]
            item = fetching.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            fetching.callback(item.kill)
            assert item.stdout is not None
            assert int(item.stdout.readline())
            return item

        killed, _in_use, elsewhere = started(older), started(older), started(other)
        for item in (killed, elsewhere):
            item.kill()
            item.wait()
        assert older.read_bytes() == b"older"
        with CuttingStorage(CONTENT) as whole_storage:
            fetch(f"{whole_storage.url}/raw", older)
            assert len(list(older.parent.glob(".*.part"))) == 3, "they may be new"
            age(older.parent)
            fetch(f"{whole_storage.url}/raw", older)
            assert len(list(older.parent.glob(".*.part"))) == 2, "one is in use, one is of another file"
            fetch(f"{whole_storage.url}/raw", longest)
    fetch_again = [path for path in older.parent.iterdir() if path.suffix == ".zip"]
    assert all(path.read_bytes() == CONTENT for path in fetch_again)
