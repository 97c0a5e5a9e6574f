"""Chunk sizes for file transfers that adapt to the rate of the connection.

A chunk has the size that takes about a tenth of a second, between 16 KiB and 2 MiB. Small chunks show
progress on slow connections; large ones cost little processor time on fast ones. Measured on two cores as the
share of the rate of `curl`: an upload reaches 0.42 with fixed chunks of 64 KiB, 0.63 with 256 KiB and 0.73
with adaptive ones; a download reaches 140 MB/s with the chunks of the HTTP library and 250 MB/s with these.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from time import monotonic

SMALLEST, LARGEST = 1 << 14, 1 << 21
"""Limits of a chunk in bytes. At 16 KB/s the smallest takes a second; above the largest, caches overflow."""

_TARGET_S = 0.1
"""Seconds that a chunk should take: long compared with its fixed cost, short enough for smooth progress."""


@dataclass(frozen=True)
class ChunkSize:
    """The size of the next chunk in bytes, derived from the duration of earlier ones."""

    size: int = SMALLEST

    def after(self, transferred: int, seconds: float) -> "ChunkSize":
        """The next chunk size: at most twice the current one; a low rate reduces it in one step.

        Args:
            transferred: bytes in the last chunk; the last chunk of a file may be smaller than requested.
            seconds: duration of the last chunk.
        """
        maximum = min(self.size * 2, LARGEST)
        if transferred * _TARGET_S >= maximum * seconds:
            return ChunkSize(maximum)
        return ChunkSize(max(SMALLEST, int(transferred * _TARGET_S / seconds)))


async def rechunk(parts: AsyncIterator[bytes]) -> AsyncGenerator[bytearray]:
    """Regroup parts of any size into chunks of adaptive size.

    If `parts` raises an error, what was received before it is yielded first; then the error is raised.
    """
    chunk, chunk_size, start = bytearray(), ChunkSize(), monotonic()
    failure: Exception | None = None
    try:
        async for part in parts:
            chunk += part
            if len(chunk) >= chunk_size.size:
                chunk_size = chunk_size.after(len(chunk), monotonic() - start)
                yield chunk
                chunk, start = bytearray(), monotonic()
    except Exception as error:
        failure = error
    yield chunk
    if failure:
        raise failure
