"""Strides: short where a line is slow, long where it is fast, and neither without end."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.api import file_streams
from batchwright.api.adaptive_chunks import LONGEST, SHORTEST, ChunkSize, rechunk
from batchwright.api.file_streams import OutgoingFile

SECONDS = st.floats(0, 600)
SIZES = st.integers(SHORTEST, LONGEST)
SLOWEST = 16_384
"""Bytes a second: on such a line and on every faster one progress is seen at least once a second."""


def settled(speed: float) -> ChunkSize:
    """The stride on a line that has been that fast for a while, in bytes a second."""
    stride = ChunkSize()
    for _step in range(20):
        stride = stride.after(stride.size, stride.size / speed)
    return stride


@given(SIZES, st.integers(0, LONGEST), SECONDS)
def test_a_stride_stays_within_its_bounds_and_at_most_doubles(size: int, moved: int, seconds: float) -> None:
    assert SHORTEST <= ChunkSize(size).after(moved, seconds).size <= min(2 * size, LONGEST)


@given(st.floats(SLOWEST, 1e10))
def test_progress_is_seen_every_second_on_a_steady_line(speed: float) -> None:
    assert settled(speed).size / speed <= 1


@given(st.floats(LONGEST * 10, 1e10))
def test_a_fast_line_is_given_the_longest_strides(speed: float) -> None:
    assert settled(speed).size == LONGEST


@given(SIZES, st.floats(SLOWEST, 1e6))
def test_a_line_that_grows_slow_has_the_stride_it_needs_after_one(size: int, speed: float) -> None:
    assert ChunkSize(size).after(size, size / speed).size / speed <= 1


def test_a_file_moves_every_second_on_a_slow_line_that_was_fast_before(tmp_path: Path) -> None:
    """Only what was on its way when the line grew slow takes longer."""
    path, clock = tmp_path / "data.csv", 0.0
    path.write_bytes(os.urandom(6 * LONGEST))
    gaps: list[float] = []

    async def send() -> None:
        nonlocal clock
        async with OutgoingFile(path) as file:
            done = 0
            async for piece in file.chunks():
                done += len(piece)
                seconds = len(piece) / (1e9 if done < 3 * LONGEST else SLOWEST)
                clock += seconds
                gaps.append(seconds)

    with patch.object(file_streams, "monotonic", lambda: clock):
        asyncio.run(send())
    assert [gap > 1 for gap in gaps].count(True) == 1


async def coming(sizes: list[int], fault: Exception | None = None) -> AsyncGenerator[bytes]:
    """Parts of such sizes, each of other bytes, and then a failure."""
    for number, size in enumerate(sizes):
        yield bytes([number % 256]) * size
    if fault:
        raise fault


@given(st.lists(st.integers(0, 3 * SHORTEST), max_size=30), st.booleans())
def test_all_that_came_is_given_out_in_order_before_a_failure(sizes: list[int], fails: bool) -> None:
    given_out = list[bytes]()

    async def take(fault: Exception | None) -> None:
        async for piece in rechunk(coming(sizes, fault)):
            given_out.append(bytes(piece))

    if fails:
        with pytest.raises(ConnectionResetError):
            asyncio.run(take(ConnectionResetError()))
    else:
        asyncio.run(take(None))
    assert b"".join(given_out) == b"".join(bytes([n % 256]) * size for n, size in enumerate(sizes))
    assert all(len(piece) >= SHORTEST for piece in given_out[:-1])
