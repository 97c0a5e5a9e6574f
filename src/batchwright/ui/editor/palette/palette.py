"""The palette: the items that can be added to a page, by drag, click or keyboard."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.editor.core.item_labels import ItemLabel
from batchwright.ui.editor.dnd.drag_source import exceeds_drag_distance
from batchwright.ui.editor.palette.palette_model import PaletteItem, PaletteSection
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_dashed, draw_rounded, draw_text
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.callout import Callout
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import ElidedLabel, Label, show_literal

_ROW_HEIGHT_PX = 36


class PaletteRow(QAbstractButton):
    """An item with icon and title: dragging the row starts a drag, clicking it adds the item."""

    drag_requested = Signal(object)
    menu_requested = Signal(object, QPoint)
    """The context menu of the row is to be opened at a global position."""

    def __init__(self, item: PaletteItem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item = item
        self._press: QPoint | None = None
        self._is_dragged = self._is_narrow = False
        self.setProperty(RING, 7)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)
        self.show_item(item)

    def show_item(self, item: PaletteItem) -> None:
        """Show the same item with another note on where it is used."""
        self.item = item
        show_literal(self, item.label.title)
        self.setAccessibleDescription(sanitize(item.usage))
        self._refresh()
        self.update()

    def show_narrow(self, *, is_narrow: bool) -> None:
        """Show only the icon; the tooltip has the title."""
        self._is_narrow = is_narrow
        self._refresh()
        self.updateGeometry()

    def _refresh(self) -> None:
        hint = _("Drag it onto the page, or click to add it")
        block = self.item.block
        if block is not None and (block.error or block.description):
            hint = block.error or f"{block.description}\n{hint}"
        self.setToolTip(tooltip_text(f"{self.item.label.title}\n{hint}" if self._is_narrow else hint))

    def show_dragged(self, *, is_dragged: bool) -> None:
        """Show whether the row is being dragged."""
        self._is_dragged = is_dragged
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(40 if self._is_narrow else 180), theme().px(_ROW_HEIGHT_PX))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(26 if self._is_narrow else 40), theme().px(_ROW_HEIGHT_PX))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(self, event.globalPos())

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._press = event.position().toPoint()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, self._press = self._press, None
        if press is not None and self.rect().contains(event.position().toPoint()):
            self.click()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ignored: the first click has added the item, and a double click is meant to add it once."""

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if exceeds_drag_distance(event, self._press):
            self._press = None
            self.drag_requested.emit(self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        label, box = self.item.label, self.rect().adjusted(theme().px(8), 0, -theme().px(8), 0)
        if self._is_dragged:
            draw_dashed(painter, self.rect().adjusted(1, 1, -1, -1), px(7), tokens.border_strong, 1.0, [4, 3])
            painter.setOpacity(0.4)
        elif self.underMouse() or self.isDown():
            draw_rounded(painter, self.rect(), px(7), tokens.hover)
        if (self.underMouse() or self.isDown()) and not self._is_narrow:
            handle = QRect(box.right() - px(12), 0, px(16), self.height())
            draw_glyph(painter, "dots-six-vertical-bold", handle, tokens.text2, px(16))
            box.adjust(0, 0, -px(18), 0)
        left = (self.width() - px(24)) // 2 if self._is_narrow else box.left()
        tile = QRect(left, (self.height() - px(24)) // 2, px(24), px(24))
        draw_rounded(painter, tile, px(6), tokens.get(SOFT[label.family]))
        draw_glyph(painter, label.glyph, tile, tokens.get(label.family), px(16))
        if not self._is_narrow:
            self._paint_text(painter, box, tile)

    def _paint_text(self, painter: QPainter, box: QRect, tile: QRect) -> None:
        tokens, px = theme().tokens, theme().px
        note = theme().font(TextRole.CAPTION)
        painter.setFont(note)
        usage_width = painter.fontMetrics().horizontalAdvance(self.item.usage)
        draw_text(painter, box, self.item.usage, note, tokens.text3, Qt.AlignmentFlag.AlignRight)
        text_rect = QRect(
            tile.right() + px(9), 0, box.right() - tile.right() - px(9) - usage_width - px(6), self.height()
        )
        tone = tokens.text3 if self.item.is_on_page else tokens.text
        draw_text(painter, text_rect, self.item.label.title, theme().font(TextRole.BODY), tone)


_WIDE_MARGINS, _NARROW_MARGINS = (4, 12, 4, 12), (0, 12, 0, 12)
"""The margins of the complete list, and of the narrow one."""

_FOCUS_RING_PX = 4
"""Margin in pixels around the rows, so that the scroll area does not clip their focus rings."""


class PalettePanel(Surface):
    """All palette items in their sections, filtered by a search field."""

    item_chosen = Signal(object)
    drag_requested = Signal(object)
    block_menu_requested = Signal(object, QPoint)
    """The menu of a block (`LibraryEntry`) is to be opened at a global position."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        set_help_address(self, "layout.md#add-and-arrange")
        self.setAccessibleName(_("Items"))
        self.search = SearchField(_("Search items"))
        self.search.textChanged.connect(self._filter)
        self._sections: list[PaletteSection] = []
        self._rows: list[PaletteRow] = []
        self._list = QWidget()
        self._rows_layout = column(gap=0, margins=(_FOCUS_RING_PX,) * 4, parent=self._list)
        self._scroll = scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        scroll.setWidget(self._list)
        self._list.setAutoFillBackground(False)
        self._is_narrow = False
        self._hint = QWidget()
        hint = ElidedLabel(_("Drag onto the page, or click"), TextRole.CAPTION, "text2")
        row(Glyph("info", "text3", 14), hint, None, margins=(12, 0, 0, 0), parent=self._hint)
        layout = column(gap=6, margins=_WIDE_MARGINS, parent=self)
        layout.addLayout(row(self.search, margins=(4, 0, 4, 0)))
        layout.addWidget(scroll, 1)
        layout.addWidget(self._hint)
        self._layout = layout
        self._callout: Callout | None = None

    def add_callout(self, callout: Callout) -> None:
        """Show a callout below the items, until one is used."""
        self._callout = callout
        self.item_chosen.connect(callout.dismiss)
        self.drag_requested.connect(callout.dismiss)
        self._layout.insertWidget(self._layout.indexOf(self._hint), callout)
        callout.setVisible(not self._is_narrow)

    def show_sections(self, sections: list[PaletteSection]) -> None:
        """Show sections; the rows of items that remain are kept."""
        before, self._sections = self._sections, sections
        if [_section_key(section) for section in before] == [_section_key(section) for section in sections]:
            self._refresh()
        else:
            self._filter()

    @property
    def is_narrow(self) -> bool:
        """Whether only the icons are shown."""
        return self._is_narrow

    def show_narrow(self, *, is_narrow: bool) -> None:
        """Show only the icons, or the complete list."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.search.setVisible(not is_narrow)
            self._hint.setVisible(not is_narrow)
            if self._callout is not None:
                self._callout.setVisible(not is_narrow)
            self._layout.set_margins(_NARROW_MARGINS if is_narrow else _WIDE_MARGINS)
            self._filter()

    def focus_search(self) -> None:
        """Focus the search field, or the first item if the palette is narrow; Down moves on to the items."""
        if self._is_narrow:
            self._focus_row(0)
            return
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def rows(self) -> list[PaletteRow]:
        """The rows shown."""
        return list(self._rows)

    def _refresh(self) -> None:
        now = {item.key: item for section in self._sections for item in section.items}
        for row_widget in self._rows:
            item = now[row_widget.item.key]
            if item != row_widget.item:
                row_widget.show_item(item)

    def _filter(self) -> None:
        query = "" if self._is_narrow else self.search.text().strip().casefold()
        clear(self._rows_layout)
        self._rows = []
        for section in self._sections:
            items = [item for item in section.items if query in item.label.title.casefold()]
            if items or (section.empty_text and not query):
                self._add_section(section, items)
        if not self._rows and query:
            self._rows_layout.addWidget(
                Label(_("No item has this name."), TextRole.SMALL, "text2", wraps=True)
            )
        self._rows_layout.addStretch(1)
        for before, after in pairwise((self.search, *self._rows)):
            QWidget.setTabOrder(before, after)

    def _add_section(self, section: PaletteSection, items: Sequence[PaletteItem]) -> None:
        lines = column(gap=0, margins=(0, 8 if self._rows_layout.count() else 0, 0, 0))
        if not self._is_narrow:
            lines.addLayout(row(Label(section.title, TextRole.HEAD, "text2"), margins=(8, 2, 0, 6)))
        for item in items:
            row_widget = PaletteRow(item)
            row_widget.show_narrow(is_narrow=self._is_narrow)
            row_widget.clicked.connect(self._choose(row_widget))
            row_widget.drag_requested.connect(self.drag_requested)
            row_widget.menu_requested.connect(self._open_block_menu)
            row_widget.installEventFilter(self)
            self._rows.append(row_widget)
            lines.add(row_widget)
        if not items and not self._is_narrow:
            label = Label(section.empty_text, TextRole.CAPTION, "text2", wraps=True)
            lines.addLayout(row(label, margins=(8, 0, 8, 8)))
        self._rows_layout.addLayout(lines)

    def _open_block_menu(self, row_widget: PaletteRow, at: QPoint) -> None:
        if row_widget.item.block is not None:
            self.block_menu_requested.emit(row_widget.item.block, at)

    def _choose(self, row_widget: PaletteRow) -> Callable[[], None]:
        return lambda: self.item_chosen.emit(row_widget.item)

    @override
    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Move between rows with the arrow keys."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and watched in self._rows:
            by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if by:
                self._focus_row(self._rows.index(watched) + by)
                return True
        return False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys in the search field: Down focuses the first item, Enter adds the best match and clears
        it.
        """
        if event.key() == Qt.Key.Key_Down and self._rows:
            self._focus_row(0)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._rows:
            item = self._best_match().item
            self.search.clear()
            self.item_chosen.emit(item)
        else:
            super().keyPressEvent(event)

    def _best_match(self) -> PaletteRow:
        """The row that matches the search best: the same title, else the same beginning, else the first."""
        query = self.search.text().strip().casefold()
        return min(self._rows, key=lambda row: _match_rank(row.item.label.title.casefold(), query))

    def _focus_row(self, number: int) -> None:
        if number < 0:
            self.focus_search()
        elif number < len(self._rows):
            self._rows[number].setFocus(Qt.FocusReason.TabFocusReason)
            self._scroll.ensureWidgetVisible(self._rows[number], 0, _FOCUS_RING_PX)


def _match_rank(title: str, query: str) -> int:
    return 0 if title == query else 1 if title.startswith(query) else 2


def _section_key(section: PaletteSection) -> tuple[str, tuple[tuple[ItemLabel, object], ...]]:
    return section.title, tuple((item.label, item.key) for item in section.items)
