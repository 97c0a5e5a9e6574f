"""Widgets for what previews show from the web: images, and links to recordings and videos."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.item_types.content_blocks import ImageBlock
from batchwright.ui.core.web_images import WebImage, WebImages
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, rounded_path
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.accessibility.accessible_interfaces import Accessible, accessible_with
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, browser_button
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import Label

_MAX_HEIGHT_PX = 640
"""Maximum height of an image: about that on the participant page, 70 % of a browser window."""
_LOADING_WIDTH_PX, _LOADING_HEIGHT_PX = 150, 84
_RADIUS_PX = 6


@dataclass(frozen=True)
class PreviewMedia:
    """Where the preview gets its images from, and how it opens the URL of a medium."""

    images: WebImages
    open: Callable[[str], object]


class ImageView(QWidget):
    """An image from the web with its caption: being loaded, loaded, or why it cannot be shown."""

    def __init__(self, block: ImageBlock, media: PreviewMedia) -> None:
        super().__init__()
        self._block = block
        self.image = media.images.show(block.url, self)
        name = block.alt or block.caption or _("Image")
        self.canvas = _Canvas(self.image, media.images)
        self.canvas.setAccessibleName(sanitize_line(name))
        self._error = Label("", TextRole.SMALL, "text2", wraps=True)
        self._alt = Label(wraps=True)
        message = row(gap=8)
        message.addWidget(
            Glyph("warning-circle-fill", "err", 18, text_role=TextRole.SMALL), 0, Qt.AlignmentFlag.AlignTop
        )
        message.addWidget(self._error, 1)
        self._failure = QWidget()
        column(message, self._alt, gap=6, parent=self._failure)
        self._retry = Button(_("Retry"), ButtonKind.LINK, glyph="arrow-clockwise", height=ButtonSize.SMALL)
        self._retry.setAccessibleName(_("Load {image} again").format(image=sanitize_line(name)))
        self._retry.clicked.connect(lambda: media.images.retry(self.image))
        button = browser_button(name)
        button.clicked.connect(lambda: media.open(block.url))
        lines = column(self.canvas, self._failure, gap=6, parent=self)
        if block.caption:
            lines.add(Label(block.caption, TextRole.BODY, "text2", wraps=True))
        lines.add(row(self._retry, button, None, gap=14))
        self.image.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        error = self.image.error
        self.canvas.show_image()
        self.canvas.setVisible(error is None)
        self._failure.setVisible(error is not None)
        self._retry.setVisible(error is not None)
        if error is not None:
            self._error.setText(f"{error.what} {error.remedy}")
            self._alt.setText(self._block.alt)
            self._alt.setVisible(self._block.alt not in ("", self._block.label))


class _AccessibleImage(Accessible):
    """The accessibility interface of an image."""

    role_of_class = QAccessible.Role.Graphic


@accessible_with(_AccessibleImage)
class _Canvas(QWidget):
    """Paints an image in the available width, and not larger than it is at 100 % text size."""

    def __init__(self, image: WebImage, images: WebImages) -> None:
        super().__init__()
        self._image, self._images = image, images
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().on_changed(self.updateGeometry)

    def show_image(self) -> None:
        """Show the current state of the image."""
        self.setAccessibleDescription(_("Loading") if self._image.picture.isNull() else "")
        self.updateGeometry()
        self.update()
        self._scale()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._shown_size(width).height()

    @override
    def sizeHint(self) -> QSize:
        return self._shown_size(theme().px(240))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(40), self.heightForWidth(self.width()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._scale()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self._scale()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._scale()
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        box, picture = QRect(self.rect().topLeft(), self._shown_size(self.width())), self._image.picture
        draw_rounded(painter, box, px(_RADIUS_PX), tokens.sunken)
        if picture.isNull():
            side = px(22)
            draw_glyph(painter, "image", _centred(box, side), tokens.text3, side)
            return
        painter.setRenderHints(QPainter.RenderHint.SmoothPixmapTransform | QPainter.RenderHint.Antialiasing)
        painter.setClipPath(rounded_path(box, px(_RADIUS_PX)))
        painter.drawImage(box, picture)

    def _scale(self) -> None:
        if not self._image.size.isEmpty() and self.isVisible():
            width = self._shown_size(self.width()).width() * self.devicePixelRatioF()
            self._images.scale(self._image, round(width))

    def _shown_size(self, width: int) -> QSize:
        """The size of the image in an available width, or of the area in its place while it is loaded."""
        px, size = theme().px, self._image.size
        if size.isEmpty():
            return QSize(min(width, px(_LOADING_WIDTH_PX)), px(_LOADING_HEIGHT_PX))
        largest = QSize(min(width, px(size.width())), px(min(_MAX_HEIGHT_PX, size.height())))
        return size.scaled(largest, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))


def _centred(box: QRect, side: int) -> QRectF:
    area = QRectF(0, 0, side, side)
    area.moveCenter(QRectF(box).center())
    return area
