"""Icons from the bundled Phosphor font."""

from batchwright.ui.icons.glyphs import draw_glyph, icon

__all__ = ["draw_glyph", "icon"]
