"""The actions of the Layout stage (style.md 8): a table for each menu, and the menus under the pointer."""

from batchwright.ui.editor.actions.editing import EDITING
from batchwright.ui.editor.actions.paging import PAGING
from batchwright.ui.editor.actions.showing import SHOWING
from batchwright.ui.editor.context_menu_items import FOR_ENTRY, FOR_PAGE

__all__ = ["EDITING", "FOR_ENTRY", "FOR_PAGE", "PAGING", "SHOWING"]
