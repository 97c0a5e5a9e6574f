"""The theme: colour schemes, sizes, fonts and animations."""

from functools import partial
from importlib import import_module

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFontInfo, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference, Scheme, TextRole, Theme, Tokens
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.theme import system_palette
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label
from tests.ui.theme.test_tokens import palette_of

pytestmark = pytest.mark.gui

THEME = import_module("batchwright.ui.theme.theme")  # the package has a function of this name


def test_switching_the_colour_scheme_repaints_widgets(qtbot: QtBot, theme: Theme) -> None:
    surface = Surface("window")
    qtbot.addWidget(surface)
    surface.resize(20, 20)
    light = surface.grab().toImage().pixelColor(5, 5)
    theme.set_color_scheme(ColorSchemePreference.DARK)
    dark = surface.grab().toImage().pixelColor(5, 5)
    assert light != dark
    assert dark == theme.tokens.window


def test_switching_the_colour_scheme_updates_the_palette(theme: Theme) -> None:
    theme.set_color_scheme(ColorSchemePreference.DARK)
    assert QApplication.palette().text().color() == theme.tokens.text
    assert QApplication.palette().accent().color() == theme.tokens.accent


def test_high_contrast_of_the_system_is_followed_while_the_program_runs(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(THEME, "is_high_contrast", lambda: True)
    hints = QGuiApplication.styleHints()
    preference = hints.accessibility().contrastPreferenceChanged
    for name in ("Night sky", "Desert"):
        monkeypatch.setattr(THEME, "system_palette", partial(palette_of, name))
        preference.emit(Qt.ContrastPreference.HighContrast)
        assert theme.tokens.window == palette_of(name).window().color()
        assert theme.is_dark == (name == "Night sky")
    monkeypatch.setattr(THEME, "is_high_contrast", lambda: False)
    preference.emit(Qt.ContrastPreference.NoPreference)
    assert theme.tokens == Tokens.of(Scheme.LIGHT)


def test_the_colours_of_the_system_are_read_also_after_the_theme_has_set_its_own(theme: Theme) -> None:
    theme.set_color_scheme(ColorSchemePreference.DARK)
    assert QApplication.palette().window().color() == theme.tokens.window
    assert system_palette().window().color() == QApplication.style().standardPalette().window().color()
    assert QApplication.palette().window().color() != theme.tokens.window


@pytest.mark.parametrize("per_cent", TEXT_SIZES)
def test_every_size_follows_the_text_size(qtbot: QtBot, theme: Theme, per_cent: int) -> None:
    button = Button("Create", ButtonKind.PRIMARY)
    text = Label("Create", TextRole.TITLE)
    qtbot.addWidget(button)
    qtbot.addWidget(text)
    theme.set_text_size(per_cent)
    assert button.sizeHint().height() == round(32 * per_cent / 100)
    assert text.font().pixelSize() == round(18 * per_cent / 100)


def test_text_is_set_in_inter(theme: Theme) -> None:
    assert QFontInfo(theme.font(TextRole.BODY)).family() == "Inter"


def test_heavier_text_roles_use_wider_fonts(theme: Theme) -> None:
    text = "Which answer is better for this reader?"
    roles = (TextRole.BODY, TextRole.NAME, TextRole.STRONG)
    widths = [QFontMetrics(theme.font(role)).horizontalAdvance(text) for role in roles]
    assert widths == sorted(set(widths))


def test_tabular_figures_have_the_same_width(theme: Theme) -> None:
    metrics = QFontMetrics(theme.font(TextRole.SMALL, tabular=True))
    assert len({metrics.horizontalAdvance(figure * 10) for figure in "0123456789"}) == 1


def test_a_plain_push_button_is_painted_in_the_theme(qtbot: QtBot, theme: Theme) -> None:
    button = QPushButton("OK")
    qtbot.addWidget(button)
    button.setDefault(True)
    button.resize(button.sizeHint())
    image = button.grab().toImage()
    assert image.pixelColor(image.width() // 2, 3) == theme.tokens.accent


def test_with_reduced_motion_durations_are_zero(theme: Theme) -> None:
    assert theme.ms(160) == 0
    theme.set_animations_enabled(True)
    assert theme.ms(160) == 160
    theme.set_animations_enabled(False)


def test_animations_follow_the_system_until_the_user_chooses(theme: Theme) -> None:
    theme.set_animations_enabled(None)
    assert theme.ms(160) == 160
    theme.set_system_animations_enabled(enabled=False)
    assert theme.ms(160) == 0
    theme.set_animations_enabled(True)
    assert theme.ms(160) == 160
    theme.set_system_animations_enabled(enabled=True)
    theme.set_animations_enabled(False)


def test_a_label_on_a_button_keeps_its_own_colour(qtbot: QtBot, theme: Theme) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    text = Label("Write it", TextRole.BODY, "err", parent=button)
    assert text.palette().color(text.foregroundRole()) == theme.tokens.err


@pytest.mark.parametrize("size", [QSize(40, 30), QSize(301, 77), QSize(18, 18)])
@pytest.mark.parametrize(("radius", "width"), [(8, 1.0), (7, 2.0), (12, 1.0)])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_rectangle_drawn_from_cached_corners_equals_one_drawn_directly(
    theme: Theme, size: QSize, radius: int, width: float, ratio: float
) -> None:
    pictures = []
    for box in (QRect(QPoint(0, 0), size), QRectF(QPointF(0, 0), QSizeF(size))):  # whole pixels, or any
        picture = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        picture.setDevicePixelRatio(ratio)
        picture.fill(theme.tokens.window)
        painter = QPainter(picture)
        draw_rounded(painter, box, radius, theme.tokens.page, theme.tokens.accent_text, width)
        painter.end()
        pictures.append(picture)
    assert largest_difference(*pictures) <= 2


def largest_difference(first: QImage, second: QImage) -> int:
    """The largest difference of one channel of one pixel."""
    return max(
        abs(one - other)
        for one, other in zip(bytes(first.constBits()), bytes(second.constBits()), strict=True)
    )
