"""The delegate of the option table: paints the cells and creates their editors."""

from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QLineEdit,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.rules.problems import Severity
from batchwright.ui.editor.inspector.options.model import OptionColumn, OptionModel
from batchwright.ui.editor.inspector.options.text_format import is_multi_cell
from batchwright.ui.editor.inspector.text_binding import ForwardUndoShortcuts
from batchwright.ui.editor.inspector.value_kinds import ValueKind
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.fields import ERROR
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.tables.models import CellDelegate, Index

ROW_HEIGHT_PX = 34

Key = Qt.Key
State = QStyle.StateFlag


class CellNavigation(Enum):
    """Where a key pressed in a cell editor leads."""

    NEXT_OR_NEW_ROW = auto()
    """To the next row; from the last one to a new row."""
    NEXT_ROW = auto()
    PREVIOUS_ROW = auto()
    NEXT_CELL = auto()
    PREVIOUS_CELL = auto()
    MOVE_UP = auto()
    MOVE_DOWN = auto()
    PASTE = auto()


_NAVIGATION_KEYS = {
    Key.Key_Return: CellNavigation.NEXT_OR_NEW_ROW,
    Key.Key_Enter: CellNavigation.NEXT_OR_NEW_ROW,
    Key.Key_Down: CellNavigation.NEXT_ROW,
    Key.Key_Up: CellNavigation.PREVIOUS_ROW,
    Key.Key_Tab: CellNavigation.NEXT_CELL,
    Key.Key_Backtab: CellNavigation.PREVIOUS_CELL,
}
_MOVE_KEYS = {Key.Key_Up: CellNavigation.MOVE_UP, Key.Key_Down: CellNavigation.MOVE_DOWN}


class OptionDelegate(CellDelegate):
    """Paints the cells and edits them in a text field that changes the study with every keystroke."""

    navigated = Signal(object)
    """A key closed the cell editor; the `CellNavigation` says what follows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.dragged_row: Callable[[], int] = lambda: -1

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, px, box = theme().tokens, theme().px, option.rect
        column = OptionColumn(index.column())
        if index.row() == self.dragged_row():
            painter.fillRect(box, tokens.accent_soft)
        if index.row() > 0:
            painter.fillRect(box.x(), box.y(), box.width(), 1, tokens.border)
        model = index.model()
        is_draft = isinstance(model, OptionModel) and index.row() == model.draft_row
        if column in {OptionColumn.HANDLE, OptionColumn.REMOVE} and is_draft:
            pass
        elif column is OptionColumn.HANDLE:
            draw_glyph(painter, "dots-six-vertical-bold", box, tokens.text2, px(16))
        elif column is OptionColumn.REMOVE:
            draw_glyph(painter, "x", box.adjusted(0, 0, -px(6), 0), tokens.text2, px(14))
        else:
            self._paint_text(painter, box, index, column)
        by_keys = option.state & State.State_HasFocus and option.state & State.State_KeyboardFocusChange
        if by_keys:
            draw_rounded(painter, box.adjusted(1, 2, -1, -1), px(5), None, tokens.accent_text, 2)

    def _paint_text(self, painter: QPainter, box: QRect, index: Index, column: OptionColumn) -> None:
        tokens, px = theme().tokens, theme().px
        model = index.model()
        problem = model.problem(index) if isinstance(model, OptionModel) else None
        inner = box.adjusted(px(8), 0, 0, 0)
        if problem is not None:
            tone = "err" if problem.severity is Severity.ERROR else "warn"
            frame_rect = box.adjusted(px(4), px(3), -px(2), -px(2))
            draw_rounded(painter, frame_rect, px(5), tokens.get(f"{tone}_soft"), tokens.get(tone), 1.2)
        kind = (
            model.kind(index.row())
            if isinstance(model, OptionModel) and column is OptionColumn.VALUE
            else None
        )
        if kind is not None:
            inner.setRight(inner.right() - _paint_kind(painter, inner, kind))
        text = str(index.data() or "")
        font = theme().font(
            TextRole.BODY if column is OptionColumn.LABEL else TextRole.SMALL,
            tabular=column is OptionColumn.VALUE,
        )
        colour = tokens.text if column is OptionColumn.LABEL else tokens.text2
        if not text:
            text, colour = _("Label") if column is OptionColumn.LABEL else _("Value"), tokens.text3
        draw_text(painter, inner, text, font, colour)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(40), theme().px(ROW_HEIGHT_PX))

    @override
    def create_editor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(sanitize_line(str(index.data(Qt.ItemDataRole.AccessibleTextRole))))
        editor.setFont(
            theme().font(TextRole.BODY if index.column() == OptionColumn.LABEL else TextRole.SMALL)
        )
        editor.setFrame(True)
        editor.setAutoFillBackground(False)
        editor.installEventFilter(ForwardUndoShortcuts(editor))
        model = index.model()
        if isinstance(model, OptionModel):
            model.start_typing(index.row())
            editor.setProperty(ERROR, model.problem(index) is not None and not editor.hasFocus())
            editor.destroyed.connect(model.end_typing)
        editor.textEdited.connect(lambda _text: self.commitData.emit(editor))
        return editor

    @override
    def load_editor(self, editor: QWidget, index: Index) -> None:
        text = str(index.data(Qt.ItemDataRole.EditRole) or "")
        model = index.model()
        is_shown = isinstance(model, OptionModel) and model.matches(index, str(editor.property("text")))
        if isinstance(editor, QLineEdit) and editor.text() != text and not is_shown:
            editor.setText(text)

    @override
    def commit_editor(self, editor: QWidget, index: Index) -> None:
        model = index.model()
        if isinstance(editor, QLineEdit) and isinstance(model, OptionModel):
            model.setData(index, editor.text())

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        px = theme().px
        left = px(3)
        editor.setGeometry(option.rect.adjusted(left, 2, -px(2), -1))

    @override
    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            navigation = _navigation_of(event)
            if navigation is not None and isinstance(editor, QWidget):
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
                self.navigated.emit(navigation)
                return True
        return super().eventFilter(editor, event)


def _navigation_of(event: QKeyEvent) -> CellNavigation | None:
    if event.matches(QKeySequence.StandardKey.Paste) and is_multi_cell(QGuiApplication.clipboard().text()):
        return CellNavigation.PASTE
    if event.modifiers() & Qt.KeyboardModifier.AltModifier:
        return _MOVE_KEYS.get(Key(event.key()))
    return _NAVIGATION_KEYS.get(Key(event.key()))


def _paint_kind(painter: QPainter, box: QRect, kind: ValueKind) -> int:
    """Paint the icon of a value type at the right end of a cell and return the width it occupies."""
    tokens, px = theme().tokens, theme().px
    text = {ValueKind.NUMBER: _("123"), ValueKind.BOOLEAN: _("T/F"), ValueKind.TEXT: _("abc")}[kind]
    font = theme().font(TextRole.CAPTION)
    width = QFontMetrics(font).horizontalAdvance(text) + px(10)
    pill = QRect(box.right() - width, box.center().y() - px(8), width, px(17))
    draw_rounded(painter, pill, px(5), tokens.neutral_soft)
    draw_text(painter, pill, text, font, tokens.neutral, Qt.AlignmentFlag.AlignHCenter)
    return width + px(4)
