"""The command finder (Ctrl+K): every action and place by name (look.md 11)."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QLineEdit, QListView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.actions import PaletteEntry
from batchwright.ui.icons import draw_glyph
from batchwright.ui.shell.command_search import (
    CommandGroup,
    Heading,
    Result,
    matches,
    result_count_text,
    search_commands,
)
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel
from batchwright.ui.widgets.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label

_WIDTH = 640
_INPUT, _ROW, _HEAD, _FOOTER_HEIGHT = 58, 40, 34, 32
_MOST_SHOWN = 8
ENTRY_ROLE = Qt.ItemDataRole.UserRole


class _ResultModel(TableModel):
    """The lines found, for the list."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.lines: list[Result] = []

    def set_lines(self, lines: list[Result]) -> None:
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    @override
    def row_count(self) -> int:
        return len(self.lines)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        line = self.lines[row]
        if role == ENTRY_ROLE:
            return line
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return line.title if isinstance(line, Heading) else line.text
        if role in {Qt.ItemDataRole.AccessibleDescriptionRole, Qt.ItemDataRole.ToolTipRole}:
            return None if isinstance(line, Heading) else line.disabled_reason or line.shortcut
        return None

    @override
    def cell_flags(self, row: int, column: int) -> Qt.ItemFlag:
        is_heading = isinstance(self.lines[row], Heading)
        return Qt.ItemFlag.NoItemFlags if is_heading else super().cell_flags(row, column)


class _ResultDelegate(CellDelegate):
    """Paints headings, and offers with the found words in bold and their keys as caps."""

    search_words: Sequence[str] = ()

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        is_heading = isinstance(index.data(ENTRY_ROLE), Heading)
        return QSize(100, theme().px(_HEAD if is_heading else _ROW))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line, px, box = index.data(ENTRY_ROLE), theme().px, option.rect
        if isinstance(line, Heading):
            words = box.adjusted(px(16), px(6), 0, 0)
            draw_text(painter, words, line.title, theme().font(TextRole.HEAD), theme().tokens.text2)
        elif isinstance(line, PaletteEntry):
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_entry(painter, box, line, chosen=chosen)

    def _paint_entry(self, painter: QPainter, box: QRect, offer: PaletteEntry, *, chosen: bool) -> None:
        tokens, px = theme().tokens, theme().px
        if chosen:
            draw_rounded(painter, box.adjusted(px(2), px(2), -px(2), -px(2)), px(7), tokens.accent_soft)
        ink = tokens.text3 if offer.disabled_reason else tokens.text
        glyph = QRect(box.x() + px(14), box.y(), px(18), box.height())
        sign = tokens.text3 if offer.disabled_reason else (tokens.accent_text if chosen else tokens.text2)
        draw_glyph(painter, offer.glyph or "command", glyph, sign, px(18))
        left = self._paint_text(painter, box.adjusted(px(46), 0, 0, 0), offer.text, ink)
        note = QRect(left + px(9), box.y() + 1, box.right() - left - px(20), box.height())
        draw_text(
            painter, note, offer.disabled_reason or offer.menu, theme().font(TextRole.CAPTION), tokens.text3
        )
        if offer.shortcut and not offer.disabled_reason:
            paint_keys(painter, box.adjusted(0, 0, -px(12), 0), offer.shortcut)

    def _paint_text(self, painter: QPainter, box: QRect, text: str, ink: QColor) -> int:
        """Write the text with the found parts in bold; gives back where it ends."""
        spans = matches(text, self.search_words) or ()
        left, at = box.x(), 0
        pieces: list[tuple[str, QFont]] = []
        for start, end in spans:
            start = max(start, at)
            pieces += [
                (text[at:start], theme().font(TextRole.BODY)),
                (text[start:end], theme().font(TextRole.STRONG)),
            ]
            at = max(at, end)
        pieces.append((text[at:], theme().font(TextRole.BODY)))
        for piece, font in pieces:
            width = QFontMetrics(font).horizontalAdvance(piece)
            draw_text(painter, QRect(left, box.y(), width + 2, box.height()), piece, font, ink)
            left += width
        return left


def paint_keys(painter: QPainter, box: QRect, keys: str) -> None:
    """Paint a shortcut as key caps at the right end of a box."""
    tokens, px, font = theme().tokens, theme().px, theme().font(TextRole.LABEL)
    right = box.right()
    for key in reversed([part for part in keys.replace("++", "+\0").split("+") if part]):
        words = key.replace("\0", "+")
        width = max(px(22), QFontMetrics(font).horizontalAdvance(words) + px(14))
        cap = QRect(right - width, box.center().y() - px(11), width, px(22))
        draw_rounded(painter, cap, px(5), tokens.surface, tokens.border_button)
        draw_text(painter, cap, words, font, tokens.text2, Qt.AlignmentFlag.AlignHCenter)
        right -= width + px(5)


class CommandPalette(OverlayPanel):
    """Type, choose with the arrows, Enter runs. What cannot be done now stays, with the reason."""

    closes_on_outside_click = True

    def __init__(self, sections: Sequence[CommandGroup]) -> None:
        super().__init__(_("Find anything"), _WIDTH)
        self._sections = sections
        self._field = QLineEdit()
        self._field.setFrame(False)
        self._field.setFont(theme().font(TextRole.FINDER))
        self._field.setPlaceholderText(_("Find anything"))
        self._field.setAccessibleName(_("Find anything"))
        self._field.textChanged.connect(self.show_found)
        self._field.installEventFilter(self)
        self._count = Label("", TextRole.SMALL, "text2", tabular=True)
        self._lines, self._painter = _ResultModel(self), _ResultDelegate(self)
        self._list = QListView()
        self._list.setModel(self._lines)
        self._list.setItemDelegate(self._painter)
        self._list.setAccessibleName(_("Found"))
        self._list.setFrameShape(QListView.Shape.NoFrame)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.viewport().setAutoFillBackground(False)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.clicked.connect(self._run)
        px = theme().px
        self._field.setFixedHeight(px(_INPUT))
        keys = Label(_("Enter runs  ·  Arrows choose  ·  Esc closes"), TextRole.CAPTION, "text2")
        top = row(Glyph("magnifying-glass", "text2", 20), gap=12, margins=(20, 0, 20, 0))
        top.addWidget(self._field, 1)
        top.add(self._count)
        foot = row(keys, None, margins=(20, 8, 20, 8))
        self._no_results = Label("", TextRole.BODY, "text2", wraps=True)
        self._no_results.setContentsMargins(px(14), px(10), px(14), px(10))
        middle = column(self._list, self._no_results, gap=0, margins=(6, 4, 6, 4))
        column(top, Separator(), middle, Separator(), foot, gap=0, parent=self)
        self.show_found("")

    def show_found(self, typed: str) -> None:
        """Show what holds the words typed."""
        self._painter.search_words = typed.split()
        self._lines.set_lines(search_commands(self._sections, typed))
        self._count.setText(result_count_text(self._lines.lines) if typed else "")
        heights = [_HEAD if isinstance(line, Heading) else _ROW for line in self._lines.lines]
        shown = min(sum(heights), _ROW * _MOST_SHOWN + 2 * _HEAD)
        self._list.setFixedHeight(theme().px(max(_ROW, shown)) + 2)
        nothing = _("Nothing is called “{words}”. Try one word of it, or look in the menus.")
        self._no_results.setText("" if self._lines.lines else nothing.format(words=" ".join(typed.split())))
        self._no_results.setVisible(not self._lines.lines)
        self._list.setVisible(bool(self._lines.lines))
        self._select_next(0)

    @override
    def geometry_in(self, host: QRect) -> QRect:
        middle = super().geometry_in(host)
        return QRect(middle.x(), host.height() // 6, middle.width(), middle.height())

    @override
    def set_initial_focus(self) -> None:
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
            if event.key() in steps:
                self._select_next(steps[Qt.Key(event.key())])
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._run(self._list.currentIndex())
                return True
        return False

    def _select_next(self, step: int) -> None:
        """Go to the next offer in a direction; 0 goes to the first one."""
        lines = self._lines.lines
        offers = [number for number, line in enumerate(lines) if isinstance(line, PaletteEntry)]
        if not offers:
            return
        current = self._list.currentIndex().row()
        at = (offers.index(current) + step) % len(offers) if step and current in offers else 0
        self._list.setCurrentIndex(self._lines.index(offers[at], 0))

    def _run(self, index: QModelIndex) -> None:
        line = index.data(ENTRY_ROLE) if index.isValid() else None
        if isinstance(line, PaletteEntry) and not line.disabled_reason:
            self.accept()
            line.run()


def show_command_palette(host: QWidget, sections: Sequence[CommandGroup]) -> ModalOverlay:
    """Show the finder over a window."""
    return ModalOverlay(host, CommandPalette(sections))
