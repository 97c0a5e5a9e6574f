"""The list of changes: sections with nodes, their places and effects, and old and new values side by side.

Rows have different heights.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyleOptionViewItem, QToolTip
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.icons import draw_glyph
from batchwright.ui.review.fitted_list import FittedList
from batchwright.ui.review.rows import ChangeRow, HeadingRow, NodeRow, ValueRow
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.models import CellDelegate, Index, TableModel, exists
from batchwright.ui.widgets.text import breakable

_HEADING_PX, _NODE_PX, _CAPTION_PX = 32, 28, 20
_INDENT_PX = 26
_RING_PX = 6
"""Space between the text of a row and the focus ring around it."""
_GAP_PX = 8
_PADDING_PX = 8
_MAX_LINES = 8
"""Maximum number of lines of a value; the rest is in the tooltip."""
_MAX_HEIGHT_PX = 380
_WRAP = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop)


class ChangesModel(TableModel):
    """The rows, and the numbers of answers to instructions by id."""

    def __init__(self, rows: Sequence[ChangeRow]) -> None:
        super().__init__()
        self.rows = rows
        self._answers: Mapping[str, int] | None = {}
        self._is_counting = False

    def show_counting(self) -> None:
        """Show that the answers are being counted."""
        self._is_counting = True
        self._emit_changed()

    def show_answers(self, answers: Mapping[str, int] | None) -> None:
        """Show the numbers of answers by instruction; None if they could not be counted."""
        self._answers, self._is_counting = answers, False
        self._emit_changed()

    def answers_text(self, row: NodeRow) -> str:
        """The number of answers to the instruction of a row; empty if there are none."""
        if not row.counts_answers:
            return ""
        if self._is_counting:
            return _("counting answers…")
        if self._answers is None:
            return _("answers not counted")
        count = self._answers.get(row.key, 0)
        text = ngettext("{count} answer", "{count} answers", count).format(count=number(count))
        return text if count else ""

    def has_answers(self, row: NodeRow) -> bool:
        """Whether there are answers to the instruction of a row, as far as they were counted."""
        return row.counts_answers and bool((self._answers or {}).get(row.key))

    def effect(self, row: NodeRow) -> str:
        """What happens to a node, and how many answers it has."""
        return " · ".join(text for text in (row.effect, self.answers_text(row)) if text)

    @override
    def row_count(self) -> int:
        return len(self.rows)

    @override
    def value(self, row: int, column: int, role: int) -> object:
        entry = self.rows[row]
        answers = self.answers_text(entry) if isinstance(entry, NodeRow) else ""
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(text for text in (entry.spoken, answers) if text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return entry.spoken
        return None

    def _emit_changed(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, 0))


class _RowDelegate(CellDelegate):
    """Paints headings, nodes and values."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model, view = index.model(), option.widget
        width = view.viewport().width() if isinstance(view, QListView) else theme().px(400)
        if not isinstance(model, ChangesModel) or not exists(index):
            return QSize(width, theme().px(_NODE_PX))
        return QSize(width, row_height(model.rows[index.row()], width))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, ChangesModel):
            return
        box = option.rect
        if option.state & QStyle.StateFlag.State_HasFocus:
            ring = box.adjusted(theme().px(_INDENT_PX - _RING_PX), 1, -1, -1)
            draw_rounded(painter, ring, theme().px(5), None, theme().tokens.accent_text, 2)
        match model.rows[index.row()]:
            case HeadingRow() as heading:
                _paint_heading(painter, box, heading)
            case NodeRow() as node:
                _paint_node(painter, box, node, model)
            case ValueRow() as value:
                _paint_values(painter, box, value)


class ChangesList(FittedList):
    """The list view."""

    def __init__(self, name: str, rows: Sequence[ChangeRow], *, max_height: int = _MAX_HEIGHT_PX) -> None:
        """Create a list with an accessible name; the maximum height is in pixels at 100 %."""
        self.changes = ChangesModel(rows)
        super().__init__(name, self.changes, max_height=max_height)
        self.setItemDelegate(_RowDelegate(self))
        self.update_height()

    @override
    def row_height(self, row: int, width: int) -> int:
        return row_height(self.changes.rows[row], width)

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = str(self.indexAt(event.pos()).data(Qt.ItemDataRole.ToolTipRole) or "")
            QToolTip.showText(event.globalPos(), tooltip_text(text), self)
            return True
        return super().viewportEvent(event)


def row_height(row: ChangeRow, width: int) -> int:
    """The height of a row in a list of a width."""
    px = theme().px
    if isinstance(row, HeadingRow):
        return px(_HEADING_PX)
    if isinstance(row, NodeRow):
        return px(_NODE_PX)
    each = _value_width(width)
    height = max(text_height(row.before, each), text_height(row.after, each))
    caption = px(_CAPTION_PX) if row.title else 0
    return caption + height + px(_PADDING_PX) + px(6)


def _value_width(width: int) -> int:
    """The width of the text of each of two values."""
    px = theme().px
    return max(px(60), (width - px(_INDENT_PX) - px(_GAP_PX)) // 2 - px(30))


def text_height(text: str, width: int) -> int:
    """The height of a value that is wrapped to a width, without the lines that do not fit."""
    metrics = QFontMetrics(theme().font(TextRole.SMALL))
    needed = metrics.boundingRect(QRect(0, 0, width, 10_000), _WRAP, breakable(sanitize(text))).height()
    return min(max(needed, metrics.height()), _MAX_LINES * metrics.lineSpacing())


def _paint_heading(painter: QPainter, box: QRect, heading: HeadingRow) -> None:
    tokens, px = theme().tokens, theme().px
    icon = QRect(box.x(), box.y(), px(18), box.height())
    draw_glyph(painter, heading.glyph, icon, tokens.get(heading.tone), px(18))
    text_box = box.adjusted(px(_INDENT_PX), 0, 0, 0)
    draw_text(painter, text_box, heading.text, theme().font(TextRole.STRONG), tokens.text)


def _paint_node(painter: QPainter, box: QRect, row: NodeRow, model: ChangesModel) -> None:
    tokens, px = theme().tokens, theme().px
    effect, has_answers = model.effect(row), model.has_answers(row)
    small, body = theme().font(TextRole.SMALL, tabular=True), theme().font(TextRole.BODY)
    box = box.adjusted(px(_INDENT_PX), 0, -px(4), 0)
    effect_width = min(QFontMetrics(small).horizontalAdvance(effect) + px(2), box.width() // 2)
    tone = tokens.err if has_answers else tokens.text2
    right = QRect(box.right() - effect_width, box.y(), effect_width, box.height())
    draw_text(painter, right, effect, small, tone, Qt.AlignmentFlag.AlignRight)
    available = box.width() - effect_width - (px(12) if effect else 0)
    place_width = QFontMetrics(small).horizontalAdvance(sanitize_line(row.place)) + px(2)
    title_width = QFontMetrics(body).horizontalAdvance(sanitize_line(row.title)) + px(2)
    title_width = min(title_width, max(available - place_width - px(10), available // 2))
    draw_text(painter, QRect(box.x(), box.y(), title_width, box.height()), row.title, body, tokens.text)
    left = box.x() + title_width + px(10)
    place = QRect(left, box.y(), max(0, box.x() + available - left), box.height())
    draw_text(painter, place, row.place, small, tokens.text3)


def _paint_values(painter: QPainter, box: QRect, row: ValueRow) -> None:
    tokens, px = theme().tokens, theme().px
    box = box.adjusted(px(_INDENT_PX), 0, -px(4), -px(6))
    if row.title:
        caption = QRect(box.x(), box.y(), box.width(), px(_CAPTION_PX))
        draw_text(painter, caption, row.title, theme().font(TextRole.CAPTION), tokens.text2)
        box.adjust(0, px(_CAPTION_PX), 0, 0)
    width = (box.width() - px(_GAP_PX)) // 2
    for value, sign, fill, tone, left in (
        (row.before, "minus-circle", "err_soft", "err", box.x()),
        (row.after, "plus-circle", "ok_soft", "ok", box.right() - width),
    ):
        side = QRect(left, box.y(), width, box.height())
        draw_rounded(painter, side, px(6), tokens.get(fill))
        mark = QRect(side.x() + px(6), side.y() + px(4), px(14), px(16))
        draw_glyph(painter, sign, mark, tokens.get(tone), px(14))
        painter.setFont(theme().font(TextRole.SMALL))
        painter.setPen(tokens.text)
        text = side.adjusted(px(24), px(_PADDING_PX) // 2, -px(6), -px(_PADDING_PX) // 2)
        painter.save()
        painter.setClipRect(text)
        painter.drawText(text, _WRAP, breakable(sanitize(value)))
        painter.restore()
