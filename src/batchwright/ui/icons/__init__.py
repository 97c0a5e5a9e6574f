"""Icons: glyphs of the bundled Phosphor font, and the icon of the program."""

from batchwright.ui.icons.glyphs import draw_glyph, icon
from batchwright.ui.icons.program import program_icon

__all__ = ["draw_glyph", "icon", "program_icon"]
