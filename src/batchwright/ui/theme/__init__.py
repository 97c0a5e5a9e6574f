"""The theme: colours, sizes, fonts, and the style that paints Qt's controls."""

from batchwright.ui.theme.theme import TEXT_SIZES, ColorSchemePreference, Theme, theme
from batchwright.ui.theme.tokens import SOFT, Scheme, Tokens
from batchwright.ui.theme.typography import TextRole

__all__ = ["SOFT", "TEXT_SIZES", "ColorSchemePreference", "Scheme", "TextRole", "Theme", "Tokens", "theme"]
