"""The pages panel: thumbnails for navigation and reordering, which are also drop targets."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.nodes import Level
from batchwright.ui.editor.canvas.cards import CardContext
from batchwright.ui.editor.canvas.drop_indicator import paint_hint
from batchwright.ui.editor.core.item_labels import selection_phrase as selected_words
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.dnd.autoscroll import AutoScroll
from batchwright.ui.editor.dnd.drag_source import exceeds_drag_distance
from batchwright.ui.editor.dnd.drop_target import DropTarget
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.editor.pages.model import PageListModel, PageListRow
from batchwright.ui.editor.pages.thumbnails import PageDelegate, paint_ring, thumbnail_rect
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_circle, draw_rounded
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, IconButton
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import ElidedLabel

_MAX_VISIBLE = 50
"""No more pages than this are visible at once, roughly."""
_SCROLL_EDGE_PX = 32


class PageList(QListView):
    """A vertical list of pages. Several can be selected; one of them is the current page of the editor."""

    pages_selected = Signal(list)
    """The keys of the selected pages; the last one becomes the current page."""
    drag_requested = Signal(str)

    def __init__(self, state: EditorState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages_model = PageListModel()
        self.drop_target = DropTarget(state, self.viewport(), self._insertion_point_at)
        self._press: QPoint | None = None
        self._target_page: int | None = None
        self._target_gap: int | None = None
        self._dragged: frozenset[str] = frozenset()
        self._is_refreshing = False
        self.setModel(self.pages_model)
        self.page_delegate = PageDelegate(self, lambda key: key in self._dragged)
        self.page_delegate.renderer.thumbnail_created.connect(self._on_thumbnail_created)
        self.setItemDelegate(self.page_delegate)
        self.setAccessibleName(_("Pages"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.viewport().setAutoFillBackground(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self._autoscroll = AutoScroll(self, _SCROLL_EDGE_PX, self._on_scrolled)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.clicked.connect(self._on_selection_changed)
        self.pages_model.pages_changed.connect(self._redraw)

    def show_pages(
        self,
        rows_data: Sequence[PageListRow],
        shown: int | None,
        selected: Collection[str],
        context: CardContext,
    ) -> None:
        """Show the rows, the index of the current page, the selection, and what fills the thumbnails."""
        self._is_refreshing = True
        if self.page_delegate.renderer.set_context(context):
            self.viewport().update()
        self.pages_model.show_rows(rows_data)
        if shown is not None:
            self._show_selected(
                [shown] if len(selected) < 2 else self.pages_model.rows_of(frozenset(selected))
            )
            self._show_current(shown)
        has_several = len(selected) > 1
        self.setAccessibleDescription(selected_words(Level.PAGE, len(selected)) if has_several else "")
        self._is_refreshing = False

    def show_dragged(self, keys: Sequence[str]) -> None:
        """Paint these pages as being dragged."""
        self._dragged = frozenset(keys)
        self.viewport().update()

    def start_rename(self) -> None:
        """Edit the name of the current page."""
        if self.currentIndex().isValid():
            self.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.edit(self.currentIndex())

    def _on_thumbnail_created(self, key: str) -> None:
        number = self.pages_model.row_of(key)
        if number is not None:
            self._redraw([number])

    def _redraw(self, numbers: Sequence[int]) -> None:
        """Repaint pages; the whole view if there are more than it can show."""
        if len(numbers) > _MAX_VISIBLE:
            self.viewport().update()
            return
        for number in numbers:
            self.update(self.pages_model.index(number, 0))

    def _show_selected(self, numbers: Sequence[int]) -> None:
        """Apply a selection that was made elsewhere."""
        if self._selected() == numbers:
            return
        selection = QItemSelection()
        for number in numbers:
            selection.select(self.pages_model.index(number, 0), self.pages_model.index(number, 0))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _show_current(self, shown: int) -> None:
        """Make a page the current index, unless the user has moved it by keyboard since."""
        if shown == self.page_delegate.current_page and self.currentIndex().isValid():
            return
        self.page_delegate.current_page = shown
        self.viewport().update()
        if self.currentIndex().row() != shown:
            index, flags = self.pages_model.index(shown, 0), QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
        self.scrollTo(self.currentIndex())

    def _selected(self) -> list[int]:
        """The indexes of the selected pages, in ascending order."""
        return sorted(index.row() for index in self.selectionModel().selectedIndexes())

    def _on_selection_changed(self) -> None:
        """Emit the selection.

        The current page is the one with the focus, or the selected one nearest to it.
        """
        current = self.currentIndex().row()
        numbers = self._selected() or [current]
        if self._is_refreshing or numbers == [-1]:
            return
        nearest = min(numbers, key=lambda number: abs(number - current))
        rows_data = [self.pages_model.row_at(number) for number in (*numbers, nearest)]
        keys = [row_data.page.key for row_data in rows_data if row_data is not None]
        self.pages_selected.emit([key for key in keys[:-1] if key != keys[-1]] + keys[-1:])

    def _insertion_point_at(self, point: QPoint, payload: DragPayload) -> InsertionPoint | None:
        """On a thumbnail, insert at the end of that page; between thumbnails, insert between the pages."""
        self._target_page = self._target_gap = None
        index = self.indexAt(QPoint(self.viewport().width() // 2, point.y()))
        number = index.row() if index.isValid() else self.pages_model.rowCount()
        row_data = self.pages_model.row_at(number)
        if row_data is not None:
            cell = self.visualRect(index)
            box = thumbnail_rect(cell)
            middle = box.top() + box.height() // 5
            if payload.level is not Level.PAGE and middle <= point.y() <= cell.bottom() - theme().px(8):
                self._target_page = number
                return InsertionPoint(row_data.page.key, len(row_data.page.children))
            number += int(point.y() >= box.center().y())
        self._target_gap = number
        return InsertionPoint(None, number)

    @override
    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+A for selecting pages while the list has the focus."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.ShortcutOverride
            and event.matches(QKeySequence.StandardKey.SelectAll)
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    # Mouse and drag events

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = event.position().toPoint()
        super().mousePressEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row_data = None if self._press is None else self.pages_model.row_at(self.indexAt(self._press).row())
        if row_data is not None and exceeds_drag_distance(event, self._press):
            self._press = None
            self.drag_requested.emit(row_data.page.key)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drop_target.enter(event)

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.drop_target.move(event)
        self._autoscroll.refresh()
        self.viewport().update()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end_drag()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_target.drop(event, follows=False)
        self._end_drag()

    def _on_scrolled(self, point: QPoint, copies: bool) -> None:
        self.drop_target.preview_at(point, copies=copies)
        self.viewport().update()

    def _end_drag(self) -> None:
        self._autoscroll.stop()
        self.drop_target.leave()
        self._target_page = self._target_gap = None
        self.viewport().update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        preview = self.drop_target.preview
        if preview is None or preview.edit is None:
            return
        painter = QPainter(self.viewport())
        if self._target_page is not None:
            box = thumbnail_rect(self.visualRect(self.pages_model.index(self._target_page, 0)))
            paint_ring(painter, box, 3)
            paint_hint(painter, QPointF(box.center()), _("At the end"), self.viewport().rect())
        elif self._target_gap is not None:
            self._paint_between(painter, self._target_gap)

    def _paint_between(self, painter: QPainter, before: int) -> None:
        tokens, px = theme().tokens, theme().px
        cell, y = self._between(before)
        box = thumbnail_rect(cell)
        line = QRectF(box.left() + px(4), y - px(1), box.width() - px(8), px(3))
        draw_rounded(painter, line, px(1.5), tokens.accent_text)
        for x in (box.left() + px(3), box.right() - px(3)):
            draw_circle(painter, QPointF(x, y), px(5), tokens.surface, tokens.accent_text, 2)
        payload = self.drop_target.payload
        if payload is not None and payload.level is not Level.PAGE:
            paint_hint(painter, QPointF(box.center().x(), y), _("New page"), self.viewport().rect())

    def _between(self, before: int) -> tuple[QRect, float]:
        """A cell beside the gap before an index, and the y coordinate of the gap."""
        px, count = theme().px, self.pages_model.rowCount()
        cell = self.visualRect(self.pages_model.index(min(before, count - 1), 0))
        y = float(cell.top() if before < count else cell.bottom()) + px(1)
        return cell, max(y, float(px(6)))


_WIDTH = 130
_MIN_HEIGHT_FOR_BUTTON_PX = 330
"""Minimum height in pixels for the button below the list. It is also hidden where its text is too wide for
the panel, as in some languages: the header has a button for new pages, too."""


class PagesPanel(Surface):
    """The panel at the left of the editor, as wide as a thumbnail and its margins."""

    add_page_requested = Signal()
    """The user requests a new page."""

    def __init__(self, pages: PageList, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        set_help_address(self, "layout.md#when-a-page-is-shown")
        add = IconButton("plus", _("Add page"), keys="Ctrl+Shift+A", glyph_size=16)
        self._add = Button(_("Add page"), ButtonKind.QUIET, glyph="plus")
        for button in (add, self._add):
            button.clicked.connect(self.add_page_requested)
        title, explained = ElidedLabel(_("Pages"), TextRole.HEAD, "text2"), HelpButton(_("Pages"))
        head = row(title, None, explained, add, gap=2, margins=(16, 6, 8, 0))
        layout = column(head, gap=2, margins=(0, 0, 0, 8), parent=self)
        layout.addWidget(pages, 1)
        layout.addLayout(row(None, self._add, None))
        theme().on_changed(self._update_layout)
        self._update_layout()

    def _update_layout(self) -> None:
        self.setFixedWidth(theme().px(_WIDTH))
        is_high = self.height() >= theme().px(_MIN_HEIGHT_FOR_BUTTON_PX)
        self._add.setVisible(is_high and self._add.full_width <= self.width())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_layout()
