"""Adaptive chunk sizes: small on slow connections, large on fast ones, within limits."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.api.files import file_streams
from batchwright.api.files.adaptive_chunks import LARGEST, SMALLEST, ChunkSize, rechunk
from batchwright.api.files.file_streams import OutgoingFile

SECONDS = st.floats(0, 600)
SIZES = st.integers(SMALLEST, LARGEST)
LOWEST_RATE = 16_384
"""Bytes per second: at this rate and above, progress is reported at least once per second."""


def steady_size(rate: float) -> ChunkSize:
    """The chunk size after some time at a rate in bytes per second."""
    chunk_size = ChunkSize()
    for _step in range(20):
        chunk_size = chunk_size.after(chunk_size.size, chunk_size.size / rate)
    return chunk_size


@given(SIZES, st.integers(0, LARGEST), SECONDS)
def test_a_chunk_size_stays_within_its_limits_and_at_most_doubles(
    size: int, transferred: int, seconds: float
) -> None:
    assert SMALLEST <= ChunkSize(size).after(transferred, seconds).size <= min(2 * size, LARGEST)


@given(st.floats(LOWEST_RATE, 1e10))
def test_progress_is_reported_every_second_at_a_steady_rate(rate: float) -> None:
    assert steady_size(rate).size / rate <= 1


@given(st.floats(LARGEST * 10, 1e10))
def test_a_fast_connection_gets_the_largest_chunks(rate: float) -> None:
    assert steady_size(rate).size == LARGEST


@given(SIZES, st.floats(LOWEST_RATE, 1e6))
def test_the_size_fits_one_chunk_after_a_connection_became_slow(size: int, rate: float) -> None:
    assert ChunkSize(size).after(size, size / rate).size / rate <= 1


async def test_an_upload_reports_progress_every_second_after_the_connection_became_slow(
    tmp_path: Path,
) -> None:
    """Only the chunk in transit when the connection became slow takes longer."""
    path, clock = tmp_path / "data.csv", 0.0
    path.write_bytes(os.urandom(6 * LARGEST))
    gaps: list[float] = []

    with patch.object(file_streams, "monotonic", lambda: clock):
        async with OutgoingFile(path) as file:
            done = 0
            async for chunk in file.chunks():
                done += len(chunk)
                seconds = len(chunk) / (1e9 if done < 3 * LARGEST else LOWEST_RATE)
                clock += seconds
                gaps.append(seconds)
    assert [gap > 1 for gap in gaps].count(True) == 1


async def chunks_of(sizes: list[int], error: Exception | None = None) -> AsyncGenerator[bytes]:
    """Chunks of these sizes with different bytes, then an error."""
    for number, size in enumerate(sizes):
        yield bytes([number % 256]) * size
    if error:
        raise error


@given(st.lists(st.integers(0, 3 * SMALLEST), max_size=30), st.booleans())
def test_everything_received_is_yielded_in_order_before_an_error(sizes: list[int], fails: bool) -> None:
    yielded = list[bytes]()

    async def consume(error: Exception | None) -> None:
        async for chunk in rechunk(chunks_of(sizes, error)):
            yielded.append(bytes(chunk))

    if fails:
        with pytest.raises(ConnectionResetError):
            asyncio.run(consume(ConnectionResetError()))
    else:
        asyncio.run(consume(None))
    assert b"".join(yielded) == b"".join(bytes([n % 256]) * size for n, size in enumerate(sizes))
    assert all(len(chunk) >= SMALLEST for chunk in yielded[:-1])
