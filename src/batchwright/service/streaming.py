"""Long answers, sent in pieces so that memory stays flat."""

from collections.abc import Iterable, Iterator

PIECE = 64 * 1024


def in_pieces(texts: Iterable[str]) -> Iterator[bytes]:
    """The texts one after another, as pieces of about 64 kB; half a character becomes a question mark."""
    waiting: list[str] = []
    size = 0
    for text in texts:
        waiting.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(waiting).encode(errors="replace")
            waiting.clear()
            size = 0
    yield "".join(waiting).encode(errors="replace")
