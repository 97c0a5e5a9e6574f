"""Icons from the bundled Phosphor font."""

from batchwright.ui.icons.engine import icon
from batchwright.ui.icons.glyphs import draw_glyph

__all__ = ["draw_glyph", "icon"]
