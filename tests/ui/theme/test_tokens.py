"""The colour tokens: contrast of text and marks, and no colour values in other modules."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette

import batchwright.ui
from batchwright.ui.theme import SOFT, Scheme, Tokens
from batchwright.ui.theme.tokens import TEXT_CONTRAST, contrast

pytestmark = pytest.mark.gui

MARK_CONTRAST = 3.0
PAIRS = [
    *(
        ("text", background, TEXT_CONTRAST)
        for background in ("surface", "page", "window", "rail", "accent_soft", "select")
    ),
    *(
        ("text", background, TEXT_CONTRAST)
        for background in ("err_soft", "live_soft", "input", "button", "choice", "hover")
    ),
    *(
        ("text2", background, TEXT_CONTRAST)
        for background in ("surface", "window", "rail", "hover", "pressed", "sunken")
    ),
    *(
        ("text3", background, TEXT_CONTRAST)
        for background in ("surface", "window", "rail", "sunken", "hover", "select")
    ),
    *(
        ("accent_text", background, TEXT_CONTRAST)
        for background in ("surface", "window", "rail", "accent_soft")
    ),
    *(("on_accent", background, TEXT_CONTRAST) for background in ("accent", "accent_hover", "accent_press")),
    *((tone, soft, TEXT_CONTRAST) for tone, soft in SOFT.items()),
    *(("on_live", background, TEXT_CONTRAST) for background in ("live", "live_hover", "live_press")),
    *(("on_danger", background, TEXT_CONTRAST) for background in ("danger_fill", "danger_hover")),
    ("err", "button", TEXT_CONTRAST),
    ("err", "surface", TEXT_CONTRAST),
    ("err", "window", TEXT_CONTRAST),
    ("border_field", "surface", MARK_CONTRAST),
    ("border_strong", "surface", MARK_CONTRAST),
    ("border_strong", "window", MARK_CONTRAST),
    *((series, "surface", MARK_CONTRAST) for series in ("c1", "c2", "c3", "c4")),
]


HIGH_CONTRAST = {
    "Aquatic": ("#202020", "#FFFFFF", "#8EE3F0", "#263B50"),
    "Desert": ("#FFFAEF", "#3D3D3D", "#903909", "#FFF5E3"),
    "Dusk": ("#2D3236", "#FFFFFF", "#A1BFDE", "#212D3B"),
    "Night sky": ("#000000", "#FFFFFF", "#D6B4FD", "#2B2B2B"),
    "Fusion": ("#EFEFEF", "#000000", "#308CC6", "#FFFFFF"),
    "macOS": ("#ECECEC", "#000000", "#B3D7FF", "#000000"),
    "macOS, dark": ("#323232", "#FFFFFF", "#3F638B", "#FFFFFF"),
}
"""Background, text, highlight and text on it, of themes of systems."""


def palette_of(name: str) -> QPalette:
    """The palette of a system with a high-contrast theme."""
    palette, role = QPalette(), QPalette.ColorRole
    roles = (role.Window, role.WindowText, role.Highlight, role.HighlightedText)
    for of, colour in zip(roles, HIGH_CONTRAST[name], strict=True):
        palette.setColor(of, QColor(colour))
    return palette


@pytest.mark.parametrize("scheme", list(Scheme))
@pytest.mark.parametrize(("foreground", "background", "min_contrast"), PAIRS)
def test_text_and_marks_have_sufficient_contrast(
    scheme: Scheme, foreground: str, background: str, min_contrast: float
) -> None:
    tokens = Tokens.of(scheme)
    assert contrast(tokens.get(foreground), tokens.get(background)) >= min_contrast


@pytest.mark.parametrize("name", HIGH_CONTRAST)
def test_in_high_contrast_texts_and_marks_have_sufficient_contrast_with_the_colours_of_each_system(
    name: str,
) -> None:
    tokens = Tokens.in_high_contrast(palette_of(name))
    illegible = [
        (foreground, background)
        for foreground, background, min_contrast in PAIRS
        if contrast(tokens.get(foreground), tokens.get(background)) < min_contrast
    ]
    assert illegible == []


def test_a_highlight_of_the_system_that_is_legible_stays_as_it_is() -> None:
    tokens = Tokens.in_high_contrast(palette_of("Night sky"))
    assert tokens.accent == tokens.accent_text == QColor("#D6B4FD")
    assert tokens.on_accent == QColor("#2B2B2B")


def test_the_known_contrasts_of_black_on_white_and_of_a_grey() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#767676"), QColor("white")) == pytest.approx(4.54, abs=0.01)


def test_progress_contrasts_with_its_track_in_the_light_scheme() -> None:
    tokens = Tokens.of(Scheme.LIGHT)
    assert contrast(tokens.accent, tokens.track) >= MARK_CONTRAST


def test_no_other_module_contains_colour_values() -> None:
    ui_folder = Path(batchwright.ui.__file__).parent
    named = re.compile(r"""["']#[0-9A-Fa-f]{3,8}["']|QColor\(\s*\d|QColor\(\s*["']|\brgb\(""")
    offending = [
        str(path.relative_to(ui_folder))
        for path in ui_folder.rglob("*.py")
        if path.name != "tokens.py" and named.search(path.read_text(encoding="utf-8"))
    ]
    assert offending == []


def test_both_colour_schemes_define_every_colour() -> None:
    for scheme in Scheme:
        tokens = Tokens.of(scheme)
        assert all(tokens.get(token.name).isValid() for token in fields(tokens))


def test_high_contrast_uses_the_text_and_background_of_the_system() -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, QColor("black"))
    palette.setColor(QPalette.ColorRole.WindowText, QColor("yellow"))
    tokens = Tokens.in_high_contrast(palette)
    assert tokens.surface == tokens.warn_soft == QColor("black")
    assert tokens.text3 == tokens.border == QColor("yellow")
