"""The cells of the table of options: how they look, and the field in which they are edited."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from batchwright.layout.rules.problems import Severity
from batchwright.ui.icons import draw_glyph
from batchwright.ui.layout.inspector.entry_model import EntryModel, Index, Part
from batchwright.ui.layout.inspector.typed import LeavesUndo
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import rounded, write
from batchwright.ui.theme.fields import ERROR
from batchwright.words import _

ROW = 34

Key = Qt.Key
State = QStyle.StateFlag


class EntryCells(QStyledItemDelegate):
    """Paints the cells, and edits them with a field that types into the study at once."""

    went_on = Signal(int)
    """Enter, Tab or Shift+Tab was pressed in a cell that was edited; it is no longer."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.dragged = -1

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, px, box = theme().tokens, theme().px, option.rect
        part = Part(index.column())
        if index.row() == self.dragged:
            painter.fillRect(box, tokens.accent_soft)
        if index.row() > 0:
            painter.fillRect(box.x(), box.y(), box.width(), 1, tokens.border)
        if part is Part.HANDLE:
            draw_glyph(painter, "dots-six-vertical-bold", box, tokens.text2, px(16))
        elif part is Part.REMOVE:
            draw_glyph(painter, "x", box.adjusted(0, 0, -px(6), 0), tokens.text2, px(14))
        else:
            self._paint_text(painter, box, index, part)
        by_keys = option.state & State.State_HasFocus and option.state & State.State_KeyboardFocusChange
        if by_keys:
            rounded(painter, box.adjusted(1, 2, -1, -1), px(5), None, tokens.accent_text, 2)

    def _paint_text(self, painter: QPainter, box: QRect, index: Index, part: Part) -> None:
        tokens, px = theme().tokens, theme().px
        model = index.model()
        problem = model.problem(index) if isinstance(model, EntryModel) else None
        inner = box.adjusted(px(12), 0, -px(4), 0)
        if problem is not None:
            tone = "err" if problem.severity is Severity.ERROR else "warn"
            around = box.adjusted(px(4), px(3), -px(2), -px(2))
            rounded(painter, around, px(5), tokens.get(f"{tone}_soft"), tokens.get(tone), 1.2)
        text = str(index.data() or "")
        font = theme().font(Role.BODY if part is Part.LABEL else Role.SMALL, tabular=part is Part.VALUE)
        colour = tokens.text if part is Part.LABEL else tokens.text2
        if not text:
            text, colour = _("Label") if part is Part.LABEL else _("Value"), tokens.text3
        write(painter, inner, text, font, colour)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(40), theme().px(ROW))

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(str(index.data(Qt.ItemDataRole.AccessibleTextRole)))
        editor.setFont(theme().font(Role.BODY if index.column() == Part.LABEL else Role.SMALL))
        editor.setFrame(True)
        editor.setAutoFillBackground(False)
        editor.installEventFilter(LeavesUndo(editor))
        model = index.model()
        if isinstance(model, EntryModel):
            model.begin_typing(index.row())
            editor.setProperty(ERROR, model.problem(index) is not None and not editor.hasFocus())
            editor.destroyed.connect(model.end_typing)
        editor.textEdited.connect(lambda _text: self.commitData.emit(editor))
        return editor

    @override
    def setEditorData(self, editor: QWidget, index: Index) -> None:
        text = str(index.data(Qt.ItemDataRole.EditRole) or "")
        if isinstance(editor, QLineEdit) and editor.text() != text:
            editor.setText(text)

    @override
    def setModelData(self, editor: QWidget, model: object, index: Index) -> None:
        if isinstance(editor, QLineEdit) and isinstance(model, EntryModel):
            model.setData(index, editor.text())

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        px = theme().px
        left = px(3)
        editor.setGeometry(option.rect.adjusted(left, 2, -px(2), -1))

    @override
    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and isinstance(editor, QWidget)
            and event.key() in {Key.Key_Return, Key.Key_Enter, Key.Key_Tab, Key.Key_Backtab}
        ):
            self.commitData.emit(editor)
            self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
            self.went_on.emit(event.key())
            return True
        return super().eventFilter(editor, event)
