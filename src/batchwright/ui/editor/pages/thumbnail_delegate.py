"""The delegate of the page list: paints thumbnail, number, name and severity of the problems."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.layout.model import Page
from batchwright.ui.editor.pages.model import PageListModel, PageListRow
from batchwright.ui.editor.pages.placeholder import paint_placeholder
from batchwright.ui.editor.pages.thumbnail_renderer import PICTURE, RADIUS, ThumbnailRenderer
from batchwright.ui.editor.problem_signs import SEVERITY_ICONS
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.models import CellDelegate, Index

_STEP = 110
_TOP = 6


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
        return QSize(theme().px(PICTURE.width()), theme().px(_STEP))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        row_data = model.row_at(index.row()) if isinstance(model, PageListModel) else None
        if row_data is None:
            return
        box = picture_rect(option.rect)
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
        tokens, radius = theme().tokens, theme().px(RADIUS)
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
        if row_data.worst is not None:
            glyph, family = SEVERITY_ICONS[row_data.worst]
            sign_rect = QRect(text_rect.right() - px(15), text_rect.top() + px(2), px(15), px(15))
            draw_glyph(painter, glyph, sign_rect, tokens.get(family), px(15))
            rest.setRight(sign_rect.left() - px(3))
        if row_data.name and row_data.position_label:
            _paint_place(painter, box, row_data.position_label)
        name = theme().font(TextRole.LABEL if is_shown else TextRole.CAPTION)
        draw_text(painter, rest, row_data.display_name, name, tokens.text if is_shown else tokens.text2)

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        box = picture_rect(option.rect)
        editor.setGeometry(box.left() - 4, box.bottom() + 2, box.width() + 8, theme().px(28))


def picture_rect(cell: QRect) -> QRect:
    """The rectangle of the thumbnail in a cell."""
    px = theme().px
    left = cell.left() + (cell.width() - px(PICTURE.width())) // 2
    return QRect(left, cell.top() + px(_TOP), px(PICTURE.width()), px(PICTURE.height()))


def paint_ring(painter: QPainter, box: QRect, width: int) -> None:
    """Paint a ring around a thumbnail that is selected, has the focus, or is the target of a drop."""
    px = theme().px
    card_context = box.adjusted(-px(4), -px(4), px(4), px(4))
    draw_rounded(painter, card_context, px(8), None, theme().tokens.accent_text, width)


def _paint_place(painter: QPainter, box: QRect, text: str) -> None:
    """Paint "Intro" or "Outro" on the thumbnail of a page that has a name."""
    tokens, px, font = theme().tokens, theme().px, theme().font(TextRole.CAPTION)
    wide = QFontMetrics(font).horizontalAdvance(text) + px(12)
    pill = QRect(box.right() - wide - px(3), box.bottom() - px(21), wide, px(18))
    draw_rounded(painter, pill, px(9), tokens.neutral_soft, tokens.border)
    draw_text(painter, pill, text, font, tokens.neutral, Qt.AlignmentFlag.AlignHCenter)
