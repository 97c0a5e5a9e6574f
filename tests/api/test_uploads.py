"""Uploads of unusual files, to unusual URLs, and to storage that responds too early."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.api.client import ApiClient, connect
from batchwright.api.files import transfers
from batchwright.api.http.errors import BadRequest, PresignedUrlExpired, Unreachable
from tests.api.files.test_transfers import (
    EXPIRED,
    MEGABYTE,
    UNUSED_SERVICE_URL,
    complete_transfer,
    upload_file,
)
from tests.api.requests import NO_PAUSES, TOKEN, client_at, download
from tests.fakes.early_response_server import AfterResponse, EarlyResponseServer
from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse

UNUSUAL_PARTS = (
    "%2f %2F %c3%bc %C3%BC %zz % + / // /./ /../ . .. ' \" { } [ ] | \\ ^ ` < > ~ %7E ; : @ ? & = , ! $ * ( )"
)
TARGETS = st.lists(
    st.one_of(
        st.sampled_from(UNUSUAL_PARTS.split()), st.text(st.characters(min_codepoint=0x24, max_codepoint=0x7E))
    )
).map(lambda parts: "/" + "".join(parts))
"""Paths and queries of every character that a request line may contain, except `#`, which ends them."""


@pytest.mark.spec("T-13")
def test_any_url_is_sent_byte_for_byte(tmp_path: Path) -> None:
    up, down = tmp_path / "up.csv", tmp_path / "down.csv"
    up.write_bytes(b"a\n1\n")

    async def transfer_both(service: ApiClient, url: str) -> None:
        await service.transfers.upload(up, url)
        await download(service, url, down)

    with EchoServer() as server, asyncio.Runner() as runner:

        @given(TARGETS)
        def check_target(target: str) -> None:
            server.requests.clear()
            runner.run(transfer_both(service, server.url + target))
            assert [request.line for request in server.requests] == [
                f"{method} {target} HTTP/1.1".encode() for method in ("PUT", "GET")
            ]

        connection = connect(UNUSED_SERVICE_URL, TOKEN, retry_policy=NO_PAUSES)
        service = runner.run(connection.__aenter__())
        check_target()
        runner.run(connection.__aexit__(None, None, None))


@pytest.mark.parametrize("afterwards", [AfterResponse.READ_BODY, AfterResponse.CLOSE, AfterResponse.RESET])
@pytest.mark.parametrize(
    ("reply", "error"), [(EXPIRED, PresignedUrlExpired), (FakeResponse(413), BadRequest)]
)
async def test_a_rejection_before_the_end_of_the_upload_is_reported(
    reply: FakeResponse, error: type[Exception], afterwards: AfterResponse, tmp_path: Path
) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(bytes(16 * MEGABYTE))
    with EarlyResponseServer(reply, afterwards) as server:
        with pytest.raises(error):
            await upload_file(f"{server.url}/raw", large)
        assert server.requests <= 2


async def test_an_upload_to_storage_that_stops_reading_fails_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "_TIMEOUTS", {"connect": 10.0, "read": 0.2, "write": 0.2, "pool": None})
    large = tmp_path / "large.csv"
    large.write_bytes(bytes(32 * MEGABYTE))
    with (
        EarlyResponseServer(EXPIRED, AfterResponse.KEEP_OPEN) as server,
        pytest.raises((PresignedUrlExpired, Unreachable)),
    ):
        await upload_file(f"{server.url}/raw", large)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
async def test_a_pipe_is_rejected_without_opening_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    with EchoServer() as server:
        with pytest.raises(OSError, match="not a regular file"):
            await upload_file(f"{server.url}/raw", pipe)
        assert server.requests == []


async def test_a_folder_is_rejected(tmp_path: Path) -> None:
    with EchoServer() as server, pytest.raises(OSError, match=re.escape(tmp_path.name)):
        await upload_file(f"{server.url}/raw", tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
async def test_a_file_without_read_permission_is_named(tmp_path: Path) -> None:
    secret = tmp_path / "mine.csv"
    secret.write_bytes(b"a")
    secret.chmod(0)
    with EchoServer() as server, pytest.raises(PermissionError, match=r"mine\.csv"):
        await upload_file(f"{server.url}/raw", secret)


@pytest.mark.parametrize(
    "name",
    [
        *("ünï ‘q’ 100% #1.csv", "-rf.csv"),
        *(
            pytest.param(name, marks=pytest.mark.skipif(os.name == "nt", reason="no such names there"))
            for name in ('quo"ted?.csv', "new\nline.csv", "\udcff.csv")
        ),
    ],
)
async def test_files_with_unusual_names_are_sent(name: str, tmp_path: Path) -> None:
    unusual = tmp_path / name
    unusual.write_bytes(b"a\n1\n")
    with EchoServer() as server:
        assert await upload_file(f"{server.url}/raw", unusual) == complete_transfer(unusual)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
async def test_a_file_deleted_during_its_upload_never_arrives_complete(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(bytes(3 * MEGABYTE))

    with EchoServer() as server:
        with pytest.raises(FileNotFoundError, match=r"data\.csv"):
            async with client_at(UNUSED_SERVICE_URL) as service:
                await service.transfers.upload(
                    path, f"{server.url}/raw", on_progress=lambda _done, _total: path.unlink(missing_ok=True)
                )
        assert server.requests == []


@pytest.mark.parametrize(
    "informational", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n"]
)
async def test_informational_responses_before_the_final_one_are_skipped(
    informational: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(b"a\n1\n")

    class ReplyAfterInformational(FakeResponse):
        def to_bytes(self, announced: int | None = None) -> bytes:
            return informational + super().to_bytes(announced)

    with EchoServer(ReplyAfterInformational(403)) as server, pytest.raises(PresignedUrlExpired):
        await upload_file(f"{server.url}/raw", path)


PROGRAM = """
import asyncio, resource, sys
from pathlib import Path
from batchwright.api.client import connect

async def work(url, path):
    async with connect(url, "token") as service:
        await service.transfers.upload(Path(path), f"{url}/raw")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with open(path, "r+b") as file:
            file.truncate(96 << 20)
        await service.transfers.upload(Path(path), f"{url}/raw")
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)

asyncio.run(work(*sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="memory is measured in the manner of Unix")
def test_an_upload_of_a_large_file_uses_no_more_memory_than_a_small_one(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(bytes(8 * MEGABYTE))
    with EchoServer(store_bodies=False) as server:
        command = [sys.executable, "-c", PROGRAM, server.url, str(path)]
        growth = int(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)
    kibibyte = 1 if sys.platform == "darwin" else 1024
    assert growth * kibibyte < 16 * MEGABYTE
