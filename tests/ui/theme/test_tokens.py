"""The colours: every pair that look.md promises is readable, and no other module names a colour."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPalette

import batchwright.ui
from batchwright.ui.theme import SOFT, Scheme, Tokens

pytestmark = pytest.mark.gui

TEXT, MARK = 4.5, 3.0
PAIRS = [
    *(("text", ground, TEXT) for ground in ("surface", "page", "window", "rail", "accent_soft", "select")),
    *(("text", ground, TEXT) for ground in ("err_soft", "live_soft", "input", "button", "choice", "hover")),
    *(("text2", ground, TEXT) for ground in ("surface", "window", "rail", "hover", "pressed", "sunken")),
    *(("text3", ground, TEXT) for ground in ("surface", "window", "rail", "sunken", "hover", "select")),
    *(("accent_text", ground, TEXT) for ground in ("surface", "window", "rail", "accent_soft")),
    *(("on_accent", ground, TEXT) for ground in ("accent", "accent_hover", "accent_press")),
    *((tone, soft, TEXT) for tone, soft in SOFT.items()),
    *(("on_live", ground, TEXT) for ground in ("live", "live_hover", "live_press")),
    *(("on_danger", ground, TEXT) for ground in ("danger_fill", "danger_hover")),
    ("err", "button", TEXT),
    ("err", "surface", TEXT),
    ("err", "window", TEXT),
    ("border_field", "surface", MARK),
    ("border_strong", "surface", MARK),
    ("border_strong", "window", MARK),
    *((series, "surface", MARK) for series in ("c1", "c2", "c3", "c4")),
]


def luminance(colour: QColor) -> float:
    """WCAG 2: the relative luminance."""
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: QColor, second: QColor) -> float:
    """WCAG 2: the contrast ratio."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", list(Scheme))
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_what_must_be_read_can_be_read(scheme: Scheme, ink: str, ground: str, least: float) -> None:
    tokens = Tokens.of(scheme)
    assert contrast(tokens.get(ink), tokens.get(ground)) >= least


def test_progress_on_its_track_can_be_seen_in_the_light() -> None:
    tokens = Tokens.of(Scheme.LIGHT)
    assert contrast(tokens.accent, tokens.track) >= MARK


def test_no_other_module_names_a_colour_by_its_value() -> None:
    room = Path(batchwright.ui.__file__).parent
    named = re.compile(r"""["']#[0-9A-Fa-f]{3,8}["']|QColor\(\s*\d|QColor\(\s*["']|\brgb\(""")
    guilty = [
        str(path.relative_to(room))
        for path in room.rglob("*.py")
        if path.name != "tokens.py" and named.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []


def test_light_and_dark_have_every_colour() -> None:
    for scheme in Scheme:
        tokens = Tokens.of(scheme)
        assert all(tokens.get(token.name).isValid() for token in fields(tokens))


def test_in_high_contrast_text_and_ground_are_those_of_the_system() -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, QColor("black"))
    palette.setColor(QPalette.ColorRole.WindowText, QColor("yellow"))
    tokens = Tokens.of(Scheme.LIGHT).in_high_contrast(palette)
    assert tokens.surface == tokens.warn_soft == QColor("black")
    assert tokens.text3 == tokens.border == QColor("yellow")
