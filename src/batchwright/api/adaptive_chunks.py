"""Chunk sizes for file transfers that adapt to the rate of the connection.

A chunk has the size that takes about a tenth of a second, between 16 KiB and 2 MiB. Small chunks show
progress on slow connections; large ones cost little processor time on fast ones.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from time import monotonic

SHORTEST, LONGEST = 1 << 14, 1 << 21
"""Limits of a chunk in bytes. At 16 KB/s the smallest takes a second; above the largest, caches overflow."""

_TARGET_S = 0.1
"""Seconds that a chunk should take: long compared with its fixed cost, short enough for smooth progress."""


@dataclass(frozen=True)
class ChunkSize:
    """The size of the next chunk in bytes, derived from the duration of earlier ones."""

    size: int = SHORTEST

    def after(self, moved: int, seconds: float) -> "ChunkSize":
        """Return the next chunk size: at most twice the current one; a low rate reduces it in one step.

        Args:
            moved: bytes in the last chunk; the last chunk of a file may be smaller than requested.
            seconds: duration of the last chunk.
        """
        at_most = min(self.size * 2, LONGEST)
        if moved * _TARGET_S >= at_most * seconds:
            return ChunkSize(at_most)
        return ChunkSize(max(SHORTEST, int(moved * _TARGET_S / seconds)))


async def rechunk(parts: AsyncIterator[bytes]) -> AsyncGenerator[bytearray]:
    """Regroup parts of any size into chunks of adaptive size.

    If `parts` raises an error, what was received before it is yielded first; then the error is raised.
    """
    piece, stride, begun = bytearray(), ChunkSize(), monotonic()
    fault: Exception | None = None
    try:
        async for part in parts:
            piece += part
            if len(piece) >= stride.size:
                stride = stride.after(len(piece), monotonic() - begun)
                yield piece
                piece, begun = bytearray(), monotonic()
    except Exception as error:
        fault = error
    yield piece
    if fault:
        raise fault
