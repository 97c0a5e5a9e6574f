"""Width and height of pictures, read from their headers."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from batchwright.data_files.picture_sizes import read_picture_size

SVG = '<?xml version="1.0"?>\n<!-- a drawing -->\n<svg xmlns="http://www.w3.org/2000/svg" {}></svg>'


@pytest.mark.parametrize("extension", ["png", "jpg", "webp"])
@pytest.mark.parametrize("quality", [40, 100])
def test_the_size_of_a_picture_of_another_program_is_read(
    tmp_path: Path, extension: str, quality: int
) -> None:
    path = tmp_path / f"picture.{extension}"
    picture = QImage(301, 17, QImage.Format.Format_RGB32)
    picture.fill(0x335577)
    assert picture.save(str(path), None, quality)
    assert read_picture_size(path) == (301, 17)


def test_the_size_of_a_gif_is_read(tmp_path: Path) -> None:
    path = tmp_path / "picture.gif"
    path.write_bytes(b"GIF89a" + (301).to_bytes(2, "little") + (17).to_bytes(2, "little") + b"\x80\0\0")
    assert read_picture_size(path) == (301, 17)


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="300" height="16.6px"', (300, 17)),
        ('viewBox="0 0 64 48"', (64, 48)),
        ('width="100%" height="100%" viewBox="0,0,64,48"', (64, 48)),
        ('width="100%"', None),
        ('viewBox="0 0 ...... 5"', None),
    ],
)
def test_the_size_of_a_drawing_is_that_of_its_first_tag(
    tmp_path: Path, attributes: str, size: tuple[int, int] | None
) -> None:
    path = tmp_path / "drawing.svg"
    path.write_text(SVG.format(attributes))
    assert read_picture_size(path) == size


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"words",
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(8),
        b"GIF89a",
        b"RIFF\0\0\0\0WEBPVP8X",
        b"RIFF\0\0\0\0WEBPnone",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xe0\xff\xff",
        b"\xff\xd8" + b"\xff" * 100_000,
        b"\xff\xd8" + b"\xff\xe0\0\x02" * 10_000,
    ],
)
def test_a_damaged_picture_has_no_size(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "picture"
    path.write_bytes(content)
    assert read_picture_size(path) is None
