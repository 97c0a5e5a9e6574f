"""Reads width and height of a picture from its header: PNG, JPEG, GIF, WebP and SVG.

A library is not needed for five headers, and those that read more formats decode the picture.
"""

import re
from pathlib import Path
from typing import BinaryIO, NamedTuple

_HEAD = 64
_WEBP_HEAD = 30
_MAX_SEGMENTS = 500
"""Segments of a JPEG file that are skipped in the search for its size."""
_SVG_BYTES = 8192
_SIZE_SEGMENTS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_LENGTH = rb"""\b%b\s*=\s*["']\s*(\d{1,6}(?:\.\d+)?)(?:px)?\s*["']"""
_WIDTH, _HEIGHT = re.compile(_LENGTH % b"width"), re.compile(_LENGTH % b"height")
_VIEW_BOX = re.compile(rb"""\bviewBox\s*=\s*["'][-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]{1,9})[\s,]+([\d.]{1,9})""")
_SVG_TAG = re.compile(rb"<svg\b[^>]*>", re.DOTALL)


class PictureSize(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


def read_picture_size(path: Path) -> PictureSize | None:
    """The size of a picture; None if its header is not one of a known format, or is damaged.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
        size = _size(head, file)
    return size if size and size.width > 0 and size.height > 0 else None


def _size(head: bytes, file: BinaryIO) -> PictureSize | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return _pair(head[16:24], "big")
    if head.startswith((b"GIF87a", b"GIF89a")):
        return _pair(head[6:10], "little")
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return _webp_size(head)
    if head.startswith(b"\xff\xd8\xff"):
        return _jpeg_size(file)
    return _svg_size(head + file.read(_SVG_BYTES))


def _pair(data: bytes, order: str) -> PictureSize | None:
    """Two numbers of the same length."""
    half = len(data) // 2
    first, second = data[:half], data[half:]
    if order == "big":
        return PictureSize(int.from_bytes(first, "big"), int.from_bytes(second, "big"))
    return PictureSize(int.from_bytes(first, "little"), int.from_bytes(second, "little"))


def _webp_size(head: bytes) -> PictureSize | None:
    match head[12:16]:
        case b"VP8X" if len(head) >= _WEBP_HEAD:
            size = _pair(head[24:30], "little")
            return size and PictureSize(size.width + 1, size.height + 1)
        case b"VP8L" if head[20:21] == b"\x2f":
            bits = int.from_bytes(head[21:25], "little")
            return PictureSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8 " if head[23:26] == b"\x9d\x01\x2a":
            size = _pair(head[26:30], "little")
            return size and PictureSize(size.width & 0x3FFF, size.height & 0x3FFF)
    return None


def _jpeg_size(file: BinaryIO) -> PictureSize | None:
    file.seek(2)
    for _segment in range(_MAX_SEGMENTS):
        start = file.read(4)
        if len(start) < 4 or start[0] != 0xFF:
            return None
        if start[1] == 0xFF:  # a byte that fills up
            file.seek(-3, 1)
        elif start[1] in _SIZE_SEGMENTS:
            size = _pair(file.read(5)[1:], "big")
            return size and PictureSize(size.height, size.width)
        else:
            file.seek(max(int.from_bytes(start[2:], "big") - 2, 0), 1)
    return None


def _svg_size(text: bytes) -> PictureSize | None:
    tag = _SVG_TAG.search(text)
    if tag is None:
        return None
    width, height = _WIDTH.search(tag[0]), _HEIGHT.search(tag[0])
    if width and height:
        return PictureSize(round(float(width[1])), round(float(height[1])))
    box = _VIEW_BOX.search(tag[0])
    try:
        return PictureSize(round(float(box[1])), round(float(box[2]))) if box else None
    except ValueError:
        return None
