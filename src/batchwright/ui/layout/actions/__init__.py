"""The actions of the Layout stage (style.md 8): a table for each menu, and the menus under the pointer."""

from batchwright.ui.layout.actions.editing import EDITING
from batchwright.ui.layout.actions.paging import PAGING
from batchwright.ui.layout.actions.pointing import FOR_ENTRY, FOR_PAGE
from batchwright.ui.layout.actions.showing import SHOWING

__all__ = ["EDITING", "FOR_ENTRY", "FOR_PAGE", "PAGING", "SHOWING"]
