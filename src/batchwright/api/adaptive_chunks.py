"""How much of a file travels at a time: little where a line is slow, so that progress is seen to move."""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from time import monotonic

SHORTEST, LONGEST = 1 << 14, 1 << 21
"""Bytes. The shortest leave a line of 16 KB a second once a second; beyond the longest, caches overflow."""

_TARGET_S = 0.1
"""What a stride should take: long beside what each costs by itself, and short for whoever looks on."""


@dataclass(frozen=True)
class ChunkSize:
    """How many bytes to move next, judged by how long the last ones took. It knows no clock."""

    size: int = SHORTEST

    def after(self, moved: int, seconds: float) -> "ChunkSize":
        """The stride that follows: at most twice as long, and as short at once as a slow line needs.

        Args:
            moved: bytes that went last; the last of a file may be fewer than were wanted.
            seconds: what they took.
        """
        at_most = min(self.size * 2, LONGEST)
        if moved * _TARGET_S >= at_most * seconds:
            return ChunkSize(at_most)
        return ChunkSize(max(SHORTEST, int(moved * _TARGET_S / seconds)))


async def rechunk(parts: AsyncIterator[bytes]) -> AsyncGenerator[bytearray]:
    """What comes in parts of any size, a stride at a time; what came before a failure is given out first."""
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
