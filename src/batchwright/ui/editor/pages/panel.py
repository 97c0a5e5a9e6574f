"""The pages panel: the list of pages with a header and buttons that add a page."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.editor.pages.page_list import PageList
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, IconButton
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label

_WIDTH = 130
_TALL_FROM = 330
"""Minimum height in pixels for the button below the list; the header has a button for new pages, too."""


class PagesPanel(Surface):
    """The panel at the left of the editor, as wide as a thumbnail and its margins."""

    add_page_requested = Signal()
    """The user requests a new page."""

    def __init__(self, pages: PageList, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        add = IconButton("plus", _("Add page"), keys="Ctrl+Shift+A", glyph_size=16)
        self._add = Button(_("Add page"), ButtonKind.QUIET, glyph="plus")
        for button in (add, self._add):
            button.clicked.connect(self.add_page_requested)
        head = row(Label(_("Pages"), TextRole.HEAD, "text2"), None, add, margins=(16, 6, 8, 0))
        layout = column(head, gap=2, margins=(0, 0, 0, 8), parent=self)
        layout.addWidget(pages, 1)
        layout.addLayout(row(None, self._add, None))
        theme().on_changed(self._update_layout)
        self._update_layout()

    def _update_layout(self) -> None:
        self.setFixedWidth(theme().px(_WIDTH))
        self._add.setVisible(self.height() >= theme().px(_TALL_FROM))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_layout()
