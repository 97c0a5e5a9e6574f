"""The icon of the program: bundled in every size, of the right size, and drawn on whole pixels."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from batchwright.base.resources import resource
from batchwright.ui.theme.program_icon import program_icon
from tests.packaging.scripts import load_script

pytestmark = pytest.mark.gui

SIZES = (16, 24, 32, 48, 64, 128, 256)


def test_the_icon_has_a_drawing_for_every_size_that_desktops_ask_for(qapp: QApplication) -> None:
    sizes = program_icon().availableSizes()
    assert sorted(size.width() for size in sizes) == list(SIZES)
    for size in SIZES:
        assert program_icon().pixmap(QSize(size, size), 1).size() == QSize(size, size)


@pytest.mark.parametrize("size", SIZES)
def test_the_bundled_drawings_are_those_of_the_script(size: int, qapp: QApplication) -> None:
    script = load_script("app_icon")
    drawn, bundled = QImage.fromData(script.png(script.program_icon(size))), QImage(str(path(size)))
    assert drawn.size() == bundled.size() == QSize(size, size)
    step = max(1, size // 16)
    pixels = [(x, y) for x in range(0, size, step) for y in range(0, size, step)]
    assert all(is_close(drawn.pixelColor(x, y), bundled.pixelColor(x, y)) for x, y in pixels)


def is_close(a: QColor, b: QColor) -> bool:
    channels = (QColor.red, QColor.green, QColor.blue, QColor.alpha)
    return all(abs(channel(a) - channel(b)) <= 8 for channel in channels)


def path(size: int) -> str:
    return str(resource("icons", "app", f"{size}.png"))


@pytest.mark.parametrize("size", SIZES)
def test_the_edges_of_the_sheet_are_not_blurred(size: int) -> None:
    """A row through the middle of the sheet has white and the colours of the answers next to each other."""
    image = QImage(path(size))
    row = size * 15 // 32 if size > 16 else 8
    whites = [x for x in range(size) if image.pixelColor(x, row).lightness() > 250]
    pixels_around = (image.pixelColor(min(whites) - 1, row), image.pixelColor(max(whites) + 1, row))
    assert all(pixel.saturation() > 150 for pixel in pixels_around)
