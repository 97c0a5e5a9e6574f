"""Pages of the help that have a list of entries and the chapter of the selected one."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.dialogs.overlays import OverlayPanel
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import ListRow, RowLook, RowStyle
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label

T = TypeVar("T")

_WIDTH, _VERTICAL_MARGIN, _TOP_MARGIN = 1040, 96, 48
_LIST_STRETCH, _CHAPTER_STRETCH = 3, 5
"""Stretch factors of the list and the chapter."""

_STYLE = RowStyle(RowLook.TILES, left=10, right=10, gutter=24)


class ChapterPage(OverlayPanel, Generic[T]):
    """A list of entries, and the chapter of the selected one.

    Args:
        title: the title of the page.
        entries: the entries in their order.
        row_of: the row of an entry in the list.
        searched: the text of an entry in which typed words are searched.
        chapter_of: the chapter of an entry as simple HTML.
        texts: label of the search field, name of the list, text without matches, and name of the chapter.
    """

    closes_on_outside_click = True

    def __init__(
        self,
        title: str,
        entries: Sequence[T],
        row_of: Callable[[T], ListRow],
        searched: Callable[[T], str],
        chapter_of: Callable[[T], str],
        texts: tuple[str, str, str, str],
    ) -> None:
        super().__init__(title, _WIDTH)
        self._entries, self._searched, self._chapter_of = entries, searched, chapter_of
        search, name, no_matches, chapter = texts
        self._search = SearchField(search)
        self._search.textChanged.connect(self.show_matches)
        self._list: RowList[T] = RowList(name, row_of, _STYLE, is_uniform=True)
        self._list.entry_chosen.connect(self._show_chapter)
        self._no_matches = Label(no_matches, tone="text2", wraps=True)
        self._chapter = RichTextView(chapter)
        self._scroll_area = VerticalScrollArea(self._chapter)
        self._build()
        self.show_matches("")

    def show_matches(self, typed: str) -> None:
        """List the entries whose text contains all typed words."""
        terms = typed.casefold().split()
        found = [
            entry
            for entry in self._entries
            if all(term in self._searched(entry).casefold() for term in terms)
        ]
        self._list.show_entries(found)
        self._no_matches.setVisible(not found)
        self._list.setVisible(bool(found))
        self.select(0)

    @property
    def listed(self) -> Sequence[T]:
        """The entries that match what was typed."""
        return self._list.entries

    def select(self, number: int) -> None:
        """Select the entry in a row of the list, or in the nearest one."""
        if self.listed:
            number = max(0, min(number, len(self.listed) - 1))
            self._list.show_current(number)
            self._show_chapter(self.listed[number])

    def _build(self) -> None:
        close = IconButton("x", _("Close"))
        close.clicked.connect(self.reject)
        head = row(Label(self.windowTitle(), TextRole.TITLE), None, close, margins=(28, 18, 18, 14))
        left = column(self._search, self._no_matches, self._list, gap=10, margins=(18, 14, 8, 12))
        left.setStretch(2, 1)
        body = row(gap=0)
        body.addLayout(left, _LIST_STRETCH)
        body.addLayout(column(self._scroll_area, margins=(20, 16, 12, 16)), _CHAPTER_STRETCH)
        layout = column(head, Separator(), gap=0, parent=self)
        layout.addLayout(body, 1)

    def _show_chapter(self, entry: T) -> None:
        self._chapter.show_content(self._chapter_of(entry), "html")
        self._scroll_area.verticalScrollBar().setValue(0)

    @override
    def geometry_in(self, host: QRect) -> QRect:
        width = min(theme().px(self.panel_width), host.width() - 32)
        return QRect((host.width() - width) // 2, _TOP_MARGIN, width, host.height() - _VERTICAL_MARGIN)

    @override
    def set_initial_focus(self) -> None:
        self._search.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page Up and Page Down scroll the chapter.

        The arrow keys select an entry, also from the search field.
        """
        bar, key = self._scroll_area.verticalScrollBar(), event.key()
        if key in {Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}:
            bar.setValue(bar.value() + (1 if key == Qt.Key.Key_PageDown else -1) * bar.pageStep())
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            step = 1 if key == Qt.Key.Key_Down else -1
            self.select(self._list.currentIndex().row() + step)
        elif key not in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            super().keyPressEvent(event)
