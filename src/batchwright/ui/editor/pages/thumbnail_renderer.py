"""Renders thumbnails of pages with the widgets of the canvas, for visible pages, one at a time.

Each thumbnail is rendered separately so that the event loop is never blocked for long. The page is laid out
at full size on a hidden canvas, as far down as the thumbnail reaches. Each card is tinted in the colour of
its family, so that its type can be recognized at an eighth of its size.
"""

from collections import OrderedDict
from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QImage, QPainter, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from batchwright.layout.model import Page, Row
from batchwright.layout.nodes import Node
from batchwright.ui.editor.canvas.cards import CardContext
from batchwright.ui.editor.canvas.page_canvas import CanvasPage, PageCanvas
from batchwright.ui.theme import SOFT, theme
from batchwright.ui.theme.shadows import Elevation

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

    def card_count(self) -> int:
        """The number of cards on the thumbnail rendered last."""
        return 0 if self._canvas is None else len(self._canvas.cards())

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
