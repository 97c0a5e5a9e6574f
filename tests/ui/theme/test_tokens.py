"""The colour tokens: contrast of text and marks, and no colour values in other modules."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette

import batchwright.ui
from batchwright.ui.theme import SOFT, Scheme, Tokens

pytestmark = pytest.mark.gui

TEXT_CONTRAST, MARK_CONTRAST = 4.5, 3.0
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


def luminance(colour: QColor) -> float:
    """The relative luminance (WCAG 2)."""
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: QColor, second: QColor) -> float:
    """The contrast ratio (WCAG 2)."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", list(Scheme))
@pytest.mark.parametrize(("foreground", "background", "min_contrast"), PAIRS)
def test_text_and_marks_have_sufficient_contrast(
    scheme: Scheme, foreground: str, background: str, min_contrast: float
) -> None:
    tokens = Tokens.of(scheme)
    assert contrast(tokens.get(foreground), tokens.get(background)) >= min_contrast


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
    tokens = Tokens.of(Scheme.LIGHT).in_high_contrast(palette)
    assert tokens.surface == tokens.warn_soft == QColor("black")
    assert tokens.text3 == tokens.border == QColor("yellow")
