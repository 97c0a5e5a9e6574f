"""The delegate of the page list, and the thumbnails that it paints.

Each thumbnail is rendered separately, and only for visible pages, so that the event loop is never blocked for
long. The page is laid out at full size on a hidden canvas, as far down as the thumbnail reaches. Each card is
tinted in the colour of its family, so that its type can be recognized at an eighth of its size.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QFontMetrics, QImage, QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget
from typing_extensions import override

from batchwright.layout.item_types.registry import Choice, Image, Instruction, RichText
from batchwright.layout.model import Page, Row
from batchwright.layout.nodes import Node
from batchwright.ui.editor.canvas.cards import CardContext
from batchwright.ui.editor.canvas.page_canvas import CanvasPage, PageCanvas
from batchwright.ui.editor.core.item_labels import item_label
from batchwright.ui.editor.core.problem_signs import SEVERITY_ICONS
from batchwright.ui.editor.pages.model import PageListModel, PageListRow
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.shadows import Elevation
from batchwright.ui.widgets.tables.models import CellDelegate, Index

THUMBNAIL_SIZE, THUMBNAIL_RADIUS = QSize(96, 74), 5
"""Size of a thumbnail and radius of its corners, in pixels."""

_PAGE_WIDTH_PX = 720
_VISIBLE_HEIGHT_PX = _PAGE_WIDTH_PX * THUMBNAIL_SIZE.height() // THUMBNAIL_SIZE.width()
_MIN_CARD_HEIGHT_PX = 80
"""Minimum height of a card in pixels; it bounds how many cards are visible in a thumbnail."""
_CACHE_SIZE = 120
_INTERVAL_MS, _REDRAW_DELAY_MS = 30, 250
"""Delays in milliseconds: between two thumbnails, and until a page that is being edited is rendered again."""


class _Thumbnail(NamedTuple):
    page: Node
    context: CardContext
    ratio: float
    pixmap: QPixmap


class ThumbnailRenderer(QObject):
    """Renders and caches thumbnails; the least recently used ones are evicted."""

    thumbnail_created = Signal(str)
    """The thumbnail of the page with this key, requested before, is ready."""

    def __init__(self, owner: QWidget) -> None:
        """The hidden canvas is deleted with `owner`."""
        super().__init__(owner)
        self._owner = owner
        self._canvas: PageCanvas | None = None
        self._context = CardContext(None, None)
        self._cache: OrderedDict[str, _Thumbnail] = OrderedDict()
        self._requested: dict[str, tuple[Page, float]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._render_next)
        theme().on_changed(self._evict)

    @property
    def is_busy(self) -> bool:
        """Whether thumbnails are still to be rendered."""
        return self._timer.isActive()

    @property
    def count(self) -> int:
        """The number of cached thumbnails."""
        return len(self._cache)

    def set_context(self, context: CardContext) -> bool:
        """Set the record and the schema that fill the pages. Returns False if nothing changed."""
        now, self._context = self._context, context
        return now.schema is not context.schema or now.record is not context.record

    def thumbnail(self, page: Page, ratio: float) -> QPixmap | None:
        """The thumbnail of a page for a device pixel ratio, or None if there is none yet.

        If the cached one is out of date, it is returned until the new one is rendered.
        """
        thumbnail = self._cache.get(page.key)
        if thumbnail is None or not self._is_current(thumbnail, page, ratio):
            self._requested[page.key] = (page, ratio)
            self._schedule(_INTERVAL_MS if thumbnail is None else _REDRAW_DELAY_MS)
        if thumbnail is None:
            return None
        self._cache.move_to_end(page.key)
        return thumbnail.pixmap

    def _schedule(self, milliseconds: int) -> None:
        """Schedule the next rendering. An earlier scheduled one is not postponed."""
        if not self._timer.isActive() or milliseconds <= self._timer.interval():
            self._timer.start(milliseconds)

    def _is_current(self, thumbnail: _Thumbnail, page: Page, ratio: float) -> bool:
        now, then = self._context, thumbnail.context
        is_filled_so = now.schema is then.schema and now.record is then.record
        return thumbnail.page is page and thumbnail.ratio == ratio and is_filled_so

    def _render_next(self) -> None:
        if not self._requested:
            return
        key = next(iter(self._requested))
        page, ratio = self._requested.pop(key)
        self._cache[key] = _Thumbnail(page, self._context, ratio, self._render(page, ratio))
        self._cache.move_to_end(key)
        while len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)
        if self._requested:
            self._timer.start(_INTERVAL_MS)
        self.thumbnail_created.emit(key)

    def _render(self, page: Page, ratio: float) -> QPixmap:
        px, margin = theme().px, Elevation.SHEET.extent
        page_canvas = self._canvas_for(page)
        size = QSize(px(_PAGE_WIDTH_PX), px(_VISIBLE_HEIGHT_PX))
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(theme().tokens.page)
        page_canvas.render(image, QPoint(), QRegion(QRect(QPoint(margin, margin), size)))
        _tint(image, page_canvas, QPoint(margin, margin))
        target = QSize(px(THUMBNAIL_SIZE.width()), px(THUMBNAIL_SIZE.height())) * ratio
        smooth = Qt.TransformationMode.SmoothTransformation
        small = image.scaled(target, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
        picture = QPixmap.fromImage(_rounded(small, px(THUMBNAIL_RADIUS) * ratio))
        picture.setDevicePixelRatio(ratio)
        return picture

    def _canvas_for(self, page: Page) -> PageCanvas:
        """The hidden canvas with a page on it, all cards at their final height."""
        if self._canvas is None:
            self._canvas = PageCanvas(self._owner)
            self._canvas.setWindowFlags(Qt.WindowType.Window)
        page_canvas, margin = self._canvas, Elevation.SHEET.extent
        width, min_height = (
            theme().px(_PAGE_WIDTH_PX) + 2 * margin,
            theme().px(_VISIBLE_HEIGHT_PX) + 2 * margin,
        )
        page_canvas.show_page(CanvasPage(_visible_part(page), 0, self._context, {}, frozenset()))
        page_canvas.empty_page.hide()
        for _pass in range(2):  # rich text has a known height only once its width is known
            page_canvas.resize(width, max(min_height, page_canvas.height_for(width)))
            page_canvas.render(QImage(1, 1, QImage.Format.Format_RGB32), QPoint(), QRegion(0, 0, 1, 1))
        return page_canvas

    def _evict(self) -> None:
        self._cache.clear()


def _visible_part(page: Page) -> Page:
    """The page with only those rows and items that are visible in its thumbnail."""
    rows: list[Node] = []
    height = 0
    for row in page.rows:
        if height >= _VISIBLE_HEIGHT_PX:
            break
        columns = [_first_items(column) for column in row.children]
        rows.append(row.with_children(columns) if isinstance(row, Row) else row)
        height += _MIN_CARD_HEIGHT_PX * max((len(column.children) or 1 for column in columns), default=1)
    return page.with_children(rows)


def _first_items(column: Node) -> Node:
    max_items = _VISIBLE_HEIGHT_PX // _MIN_CARD_HEIGHT_PX + 1
    return column.with_children(column.children[:max_items]) if len(column.children) > max_items else column


def _rounded(image: QImage, radius: float) -> QImage:
    """Clip the corners of a thumbnail once, because clipping at each painting costs thirty times as much."""
    rounded = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
    rounded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(rounded)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(image))
    painter.drawRoundedRect(rounded.rect(), radius, radius)
    painter.end()
    return rounded


def _tint(image: QImage, page_canvas: PageCanvas, origin: QPoint) -> None:
    """Tint the cards in the colours of their families: darken light pixels and lighten dark ones."""
    modes = QPainter.CompositionMode
    dark = theme().is_dark
    painter = QPainter(image)
    painter.setCompositionMode(modes.CompositionMode_Lighten if dark else modes.CompositionMode_Multiply)
    for card in page_canvas.cards():
        card_rect = QRect(card.mapTo(page_canvas, QPoint()) - origin, card.size())
        painter.fillRect(card_rect, theme().tokens.get(SOFT[card.family]))
    painter.end()


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
