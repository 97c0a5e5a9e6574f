"""The pictures that addresses in a column lead to, as small images in the table; loaded on request only."""

from collections import OrderedDict

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from batchwright.base.urls import is_https_url
from batchwright.ui.core.web_images import WebImage, WebImages
from batchwright.ui.data.file.records_model import RowsModel
from batchwright.ui.data.file.records_table import RowsTable
from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.tables.models import Index
from batchwright.ui.widgets.tables.table import ROW_HEIGHT, CellPainter, TextCell

_ROW_HEIGHT = 76
_MARGIN, _WIDTH = 5, 120
_GLYPH = 18
_MAX_LOADED = 64
"""Pictures that are kept while they are not visible; more than any window shows."""


class RecordPictures(QObject):
    """Shows the pictures of columns that the user has chosen, until another file is shown."""

    def __init__(self, table: RowsTable, model: RowsModel, images: WebImages) -> None:
        super().__init__(table)
        self._table, self._model, self._images = table, model, images
        self._viewers: OrderedDict[str, tuple[WebImage, QObject]] = OrderedDict()
        table.setItemDelegate(_PicturePainter(table, self))
        table.pictures_requested.connect(self._toggle)
        model.file_shown.connect(self._clear)

    def shows(self, index: Index) -> bool:
        """Whether a cell has an address whose picture is to be shown."""
        is_chosen = index.column() - 1 in self._table.picture_columns
        return is_chosen and is_https_url(self._model.value_text(index.row(), index.column()))

    def picture(self, index: Index) -> WebImage:
        """The picture of a cell, which is loaded now if it is not yet."""
        address = self._model.value_text(index.row(), index.column())
        if address not in self._viewers:
            viewer = QObject(self)
            image = self._images.show(address, viewer)
            image.changed.connect(self._table.viewport().update)
            self._viewers[address] = image, viewer
        self._viewers.move_to_end(address)
        while len(self._viewers) > _MAX_LOADED:
            self._viewers.popitem(last=False)[1][1].deleteLater()
        return self._viewers[address][0]

    def scale(self, image: WebImage, size: QSize) -> None:
        """Decode a picture for the size in which it is shown."""
        self._images.scale(image, round(size.width() * self._table.devicePixelRatioF()))

    def _toggle(self, column: int) -> None:
        self._show(self._table.picture_columns ^ {column})

    def _clear(self) -> None:
        if self._table.picture_columns:
            self._show(frozenset())

    def _show(self, columns: frozenset[int]) -> None:
        self._table.picture_columns = columns
        self._table.set_row_height(_ROW_HEIGHT if columns else ROW_HEIGHT)
        self._table.viewport().update()
        if not columns:
            for _image, viewer in self._viewers.values():
                viewer.deleteLater()
            self._viewers.clear()


class _PicturePainter(CellPainter):
    """Paints pictures in place of their addresses: being loaded, loaded, or why they cannot be shown."""

    def __init__(self, table: RowsTable, pictures: RecordPictures) -> None:
        super().__init__(table)
        self._pictures = pictures

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if not self._pictures.shows(index):
            super().paint_cell(painter, option, index)
            return
        self.paint_row(painter, option, index)
        px, image = theme().px, self._pictures.picture(index)
        box = option.rect.adjusted(px(12), px(_MARGIN), -px(12), -px(_MARGIN) - 1)
        if image.error is not None:
            self.paint_text(painter, box, TextCell(image.error.what, tone="err"))
        elif image.size.isEmpty() or image.picture.isNull():
            self._paint_loading(painter, QRect(box.x(), box.y(), min(box.width(), px(96)), box.height()))
        if not image.size.isEmpty():
            most = QSize(min(box.width(), px(_WIDTH)), box.height())
            shown = image.size.scaled(most, Qt.AspectRatioMode.KeepAspectRatio).boundedTo(image.size)
            shown = shown.expandedTo(QSize(1, 1))
            self._pictures.scale(image, shown)
            if not image.picture.isNull():
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(QRect(box.topLeft(), shown), image.picture)
        self.paint_focus(painter, option)

    def _paint_loading(self, painter: QPainter, box: QRect) -> None:
        draw_rounded(painter, box, theme().px(5), theme().tokens.sunken)
        side = theme().px(_GLYPH)
        draw_glyph(painter, "image", box, theme().tokens.text3, side)
