"""A response that is sent twice is not taken for the response to the next request."""

from pathlib import Path

import pytest

from batchwright.api.http.errors import PresignedUrlExpired
from batchwright.wire.batches import BatchCreate
from tests.api.requests import BATCH, client_at
from tests.api.studies import DETAILS
from tests.fakes.duplicating_server import DuplicatingServer
from tests.fakes.raw_http import FakeResponse

EARLY_AND_LATE = pytest.mark.parametrize("is_late", [False, True])


def batch(name: str) -> FakeResponse:
    return FakeResponse.from_json({**BATCH, "name": name})


@EARLY_AND_LATE
async def test_each_created_batch_gets_its_own_response(is_late: bool) -> None:
    replies = [batch("read"), batch("first"), batch("second")]
    with DuplicatingServer(replies, is_late=is_late) as server:
        async with client_at(server.url) as service:
            read = await service.batches.get("a")
            request = BatchCreate(name="x", workspace_id="w", task_details=DETAILS)
            created = [await service.batches.create(request) for _number in range(2)]
            assert [read.name, *(item.name for item in created)] == ["read", "first", "second"]


@EARLY_AND_LATE
async def test_each_fetched_batch_gets_its_own_response(is_late: bool) -> None:
    with DuplicatingServer([batch("first"), batch("second"), batch("third")], is_late=is_late) as server:
        async with client_at(server.url) as service:
            assert [(await service.batches.get(number)).name for number in ("a", "b", "c")] == [
                "first",
                "second",
                "third",
            ]


@EARLY_AND_LATE
async def test_each_upload_gets_its_own_response(is_late: bool, tmp_path: Path) -> None:
    file = tmp_path / "records.csv"
    file.write_text("a\n1\n")

    with DuplicatingServer([FakeResponse(200), FakeResponse(403)], is_late=is_late) as server:
        async with client_at(server.url) as service:
            await service.transfers.upload(file, f"{server.url}/one")
            with pytest.raises(PresignedUrlExpired):
                await service.transfers.upload(file, f"{server.url}/two")
