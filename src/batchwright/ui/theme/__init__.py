"""How everything looks: colours, sizes, fonts, and the style that paints Qt's own controls."""

from batchwright.ui.theme.theme import TEXT_SIZES, Look, Theme, theme
from batchwright.ui.theme.tokens import SOFT, Scheme, Tokens
from batchwright.ui.theme.typography import Role

__all__ = ["SOFT", "TEXT_SIZES", "Look", "Role", "Scheme", "Theme", "Tokens", "theme"]
