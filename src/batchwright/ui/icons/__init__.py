"""The glyphs of Phosphor that the program uses, and icons made of them."""

from batchwright.ui.icons.engine import icon
from batchwright.ui.icons.glyphs import draw_glyph

__all__ = ["draw_glyph", "icon"]
