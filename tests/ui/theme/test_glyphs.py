"""The icon font: it has every glyph the program uses, and each glyph fits its square."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon

import batchwright.ui
from batchwright.ui.theme import Theme
from batchwright.ui.theme.glyphs import UnknownGlyph, code_points, glyph_pixmap, icon, outline
from batchwright.ui.widgets import statuses

pytestmark = pytest.mark.gui

UI_FOLDER = Path(batchwright.ui.__file__).parent
CALLS = ("Glyph", "Tile", "IconButton", "EmptyState", "icon", "show_glyph", r"draw_glyph\(painter,", "glyph=")
NAMED = re.compile(rf"""(?:{"|".join(CALLS)})\(?\s*"([a-z-]+)\"""")


def named_glyphs() -> set[str]:
    matches = {
        name for path in UI_FOLDER.rglob("*.py") for name in NAMED.findall(path.read_text(encoding="utf-8"))
    }
    tables = (statuses.BATCH, statuses.IMPORT, statuses.JOB, statuses.EXPORT)
    return matches | {status.glyph for table in tables for status in table.values()}


def test_every_glyph_used_by_the_program_is_in_the_font() -> None:
    assert named_glyphs() >= {"magnifying-glass", "x", "check-circle-fill"}
    assert named_glyphs() <= set(code_points())


@pytest.mark.parametrize("name", sorted(code_points()))
def test_every_glyph_lies_inside_its_square(name: str) -> None:
    box = outline(name).boundingRect()
    assert not box.isEmpty()
    assert box.left() >= -0.02
    assert box.top() >= -0.02
    assert box.right() <= 1.02
    assert box.bottom() <= 1.02


def test_an_unknown_glyph_is_named_in_the_error() -> None:
    with pytest.raises(UnknownGlyph, match="no-such-glyph"):
        outline("no-such-glyph")


def test_a_glyph_has_the_device_pixel_ratio_of_its_screen() -> None:
    pixmap = glyph_pixmap("eye", 18, QColor("red"), 2.0)
    assert pixmap.size() == QSize(36, 36)
    assert pixmap.devicePixelRatio() == 2.0


def test_a_disabled_icon_is_drawn_in_the_disabled_colour(theme: Theme) -> None:
    pixmap = icon("circle", "text").pixmap(QSize(64, 64), QIcon.Mode.Disabled)
    image = pixmap.toImage()
    observed = {image.pixelColor(x, 32).name() for x in range(64) if image.pixelColor(x, 32).alpha() == 255}
    assert observed == {theme.tokens.disabled.name()}
