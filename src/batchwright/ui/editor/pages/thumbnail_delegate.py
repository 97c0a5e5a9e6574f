"""The delegate of the page list: paints thumbnail, number, name and severity of the problems."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.layout.item_types.registry import Choice, Image, Instruction, RichText
from batchwright.layout.model import Page
from batchwright.layout.nodes import Node
from batchwright.ui.editor.item_labels import item_label
from batchwright.ui.editor.pages.model import PageListModel, PageListRow
from batchwright.ui.editor.pages.thumbnail_renderer import THUMBNAIL_RADIUS, THUMBNAIL_SIZE, ThumbnailRenderer
from batchwright.ui.editor.problem_signs import SEVERITY_ICONS
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.models import CellDelegate, Index

_MAX_ROWS = 16
"""No more rows than this fit into a thumbnail."""


def paint_placeholder(painter: QPainter, box: QRect, page: Page) -> None:
    """Paint the rows of a page at their typical heights; what exceeds the thumbnail is cut off."""
    px, rows = theme().px, page.rows[:_MAX_ROWS]
    inner = QRectF(box).adjusted(px(8), px(8), -px(8), -px(6))
    heights = [max((_column_height(column) for column in row.children), default=1.0) for row in rows]
    unit = max(2.5, min(float(px(9)), (inner.height() - 3 * len(heights)) / max(1.0, sum(heights))))
    top = inner.top()
    painter.save()
    painter.setClipRect(inner)
    for row, height in zip(rows, heights, strict=True):
        columns = row.children or (row,)
        column_width = (inner.width() - 4 * (len(columns) - 1)) / len(columns)
        for number, column in enumerate(columns):
            at = QRectF(inner.left() + number * (column_width + 4), top, column_width, height * unit)
            _paint_bars(painter, at, column.children or (column,), unit)
        top += height * unit + 3
    painter.restore()


def _column_height(column: Node) -> float:
    return sum(map(_item_height, column.children or (column,))) + 0.3 * max(0, len(column.children) - 1)


def _item_height(node: Node) -> float:
    """The typical height of an item, in lines: a question with options is taller than a text field."""
    if isinstance(node, Choice):
        return 1.2 + 0.4 * min(4, len(node.options))
    return 1.6 if isinstance(node, (Image, Instruction, RichText)) else 1.4


def _paint_bars(painter: QPainter, at: QRectF, nodes: Sequence[Node], unit: float) -> None:
    """Paint the items of a column; the last one extends to the bottom of its row."""
    tokens, top = theme().tokens, at.top()
    for node in nodes:
        family = item_label(node).family
        height = at.bottom() - top if node is nodes[-1] else _item_height(node) * unit
        bar = QRectF(at.left(), top, at.width(), height)
        draw_rounded(painter, bar, min(2.0, height / 2), tokens.get(SOFT[family]))
        text_bar = QRectF(bar.left() + 3, bar.top() + min(3.0, height / 3), min(18.0, bar.width() / 2), 1.6)
        painter.setOpacity(0.5)
        draw_rounded(painter, text_bar, 0.8, tokens.get(family))
        painter.setOpacity(1.0)
        top += height + 0.3 * unit


_CELL_HEIGHT_PX = 110
_TOP_MARGIN_PX = 6


class PageDelegate(CellDelegate):
    """Paints pages. `is_dragged` returns whether the page with a key is being dragged."""

    def __init__(self, view: QAbstractItemView, is_dragged: Callable[[str], bool]) -> None:
        super().__init__(view)
        self._is_dragged = is_dragged
        self.current_page: int | None = None
        """The index of the current page of the editor."""
        self.renderer = ThumbnailRenderer(view)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(THUMBNAIL_SIZE.width()), theme().px(_CELL_HEIGHT_PX))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        row_data = model.row_at(index.row()) if isinstance(model, PageListModel) else None
        if row_data is None:
            return
        box = thumbnail_rect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            paint_ring(painter, box, 2)
        elif option.state & QStyle.StateFlag.State_HasFocus:
            paint_ring(painter, box, 1)
        if self._is_dragged(row_data.page.key):
            painter.setOpacity(0.35)
        self._paint_thumbnail(painter, box, row_data)
        painter.setOpacity(1.0)
        self._paint_text(painter, box, row_data, index.row(), is_shown=index.row() == self.current_page)

    def _paint_thumbnail(self, painter: QPainter, box: QRect, row_data: PageListRow) -> None:
        tokens, radius = theme().tokens, theme().px(THUMBNAIL_RADIUS)
        draw_rounded(painter, box, radius, tokens.page)
        if isinstance(row_data.page, Page):
            picture = self.renderer.thumbnail(row_data.page, painter.device().devicePixelRatioF())
            if picture is None:
                paint_placeholder(painter, box, row_data.page)
            else:
                painter.drawPixmap(box.topLeft(), picture)
        draw_rounded(painter, box, radius, None, tokens.border)

    def _paint_text(
        self, painter: QPainter, box: QRect, row_data: PageListRow, number: int, *, is_shown: bool
    ) -> None:
        tokens, px = theme().tokens, theme().px
        text_rect = QRect(box.left() + px(2), box.bottom() + px(6), box.width() - px(2), px(20))
        tone = tokens.accent_text if is_shown else tokens.text
        draw_text(painter, text_rect, str(number + 1), theme().font(TextRole.HEAD), tone)
        left = QFontMetrics(theme().font(TextRole.HEAD)).horizontalAdvance(str(number + 1)) + px(7)
        rest = text_rect.adjusted(left, 0, 0, 0)
        if row_data.worst_severity is not None:
            glyph, family = SEVERITY_ICONS[row_data.worst_severity]
            sign_rect = QRect(text_rect.right() - px(15), text_rect.top() + px(2), px(15), px(15))
            draw_glyph(painter, glyph, sign_rect, tokens.get(family), px(15))
            rest.setRight(sign_rect.left() - px(3))
        if row_data.name and row_data.position_label:
            _paint_position(painter, box, row_data.position_label)
        name = theme().font(TextRole.LABEL if is_shown else TextRole.CAPTION)
        draw_text(painter, rest, row_data.display_name, name, tokens.text if is_shown else tokens.text2)

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        box = thumbnail_rect(option.rect)
        editor.setGeometry(box.left() - 4, box.bottom() + 2, box.width() + 8, theme().px(28))


def thumbnail_rect(cell: QRect) -> QRect:
    """The rectangle of the thumbnail in a cell."""
    px = theme().px
    left = cell.left() + (cell.width() - px(THUMBNAIL_SIZE.width())) // 2
    return QRect(
        left, cell.top() + px(_TOP_MARGIN_PX), px(THUMBNAIL_SIZE.width()), px(THUMBNAIL_SIZE.height())
    )


def paint_ring(painter: QPainter, box: QRect, width: int) -> None:
    """Paint a ring around a thumbnail that is selected, has the focus, or is the target of a drop."""
    px = theme().px
    ring_rect = box.adjusted(-px(4), -px(4), px(4), px(4))
    draw_rounded(painter, ring_rect, px(8), None, theme().tokens.accent_text, width)


def _paint_position(painter: QPainter, box: QRect, text: str) -> None:
    """Paint "Intro" or "Outro" on the thumbnail of a page that has a name."""
    tokens, px, font = theme().tokens, theme().px, theme().font(TextRole.CAPTION)
    width = QFontMetrics(font).horizontalAdvance(text) + px(12)
    pill = QRect(box.right() - width - px(3), box.bottom() - px(21), width, px(18))
    draw_rounded(painter, pill, px(9), tokens.neutral_soft, tokens.border)
    draw_text(painter, pill, text, font, tokens.neutral, Qt.AlignmentFlag.AlignHCenter)
