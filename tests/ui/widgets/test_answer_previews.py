"""Previews of answer controls on the canvas."""

import pytest
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from batchwright.ui.content.answer_previews import FieldPreview, OptionPreview, OptionsPreview
from batchwright.ui.theme import TextRole, Theme
from batchwright.ui.widgets.surfaces import Surface

pytestmark = pytest.mark.gui


@pytest.mark.parametrize(("width", "rows"), [(600, 1), (200, 3)])
def test_options_are_side_by_side_if_they_fit(surface: Surface, width: int, rows: int) -> None:
    options = [OptionPreview(label) for label in ("Answer A", "Answer B", "Both alike")]
    previews = OptionsPreview(options, surface)
    previews.setGeometry(0, 0, width, previews.heightForWidth(width))
    previews.show()
    assert len({option.y() for option in options}) == rows
    assert all(option.width() >= option.sizeHint().width() for option in options)
    assert all(previews.rect().contains(option.geometry()) for option in options)


def test_a_long_unit_does_not_cover_the_arrow_of_its_menu(qtbot: QtBot) -> None:
    def painted_pixels_at_arrow(text: str) -> int:
        shown = FieldPreview(text, width=90, is_menu=True, is_value=True)
        qtbot.addWidget(shown)
        shown.resize(90, 32)
        image = shown.grab().toImage()
        background = image.pixelColor(5, 16)
        return sum(image.pixelColor(x, y) != background for x in range(62, 88) for y in range(3, 29))

    assert painted_pixels_at_arrow("kilometres an hour") == painted_pixels_at_arrow("h")


def test_a_menu_preview_is_as_wide_as_its_text(surface: Surface, theme: Theme) -> None:
    text = "(no label)"
    plain = FieldPreview(text, width=90, parent=surface)
    menu = FieldPreview(text, width=90, is_menu=True, parent=surface)
    text_width = QFontMetrics(theme.font(TextRole.BODY)).horizontalAdvance(text)
    arrow_and_margins = 41
    assert menu.sizeHint().width() >= text_width + arrow_and_margins
    assert plain.sizeHint().width() == 90
