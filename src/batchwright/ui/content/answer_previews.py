"""Static previews of answer controls on the cards of the canvas."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import ring
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph

_COLUMN_GAP, _ROW_GAP = 8, 4
"""Gaps between options in a row and in a column."""


class OptionPreview(QLabel):
    """An option of a question: radio button or check box with label."""

    def __init__(
        self, text: str, *, is_on: bool = False, is_box: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(sanitize_line(text), parent)
        self._is_on, self._is_box = is_on, is_box
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + px(46), px(32))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(60), self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px, box = QPainter(self), theme().tokens, theme().px, self.rect()
        draw_rounded(painter, box, px(6), tokens.choice)
        indicator = QRectF(px(10), (box.height() - px(16)) / 2, px(16), px(16))
        if not self._is_box:
            ring(theme(), painter, indicator, is_on=self._is_on, colour=tokens.accent)
        elif self._is_on:
            draw_rounded(painter, indicator, 4, tokens.accent)
            draw_glyph(painter, "check-bold", indicator, tokens.on_accent, px(12))
        else:
            draw_rounded(painter, indicator, 4, tokens.input, tokens.border_strong, 1.5)
        draw_text(
            painter, box.adjusted(px(34), 0, -px(8), 0), self.text(), theme().font(TextRole.BODY), tokens.text
        )


class OptionsPreview(QWidget):
    """Options in a row if all labels fit, otherwise in a column."""

    def __init__(self, options: Sequence[OptionPreview], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = options
        self._heights: dict[int, int] = {}
        """The height by width; cached, since every layout of a page queries it several times."""
        for option in options:
            option.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().on_changed(self._update_metrics)

    def _update_metrics(self) -> None:
        self._heights.clear()
        self.updateGeometry()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            places = self._places(width)
            height = self._heights[width] = max((place.bottom() + 1 for place in places), default=0)
        return height

    @override
    def sizeHint(self) -> QSize:
        wide = self._widest() * len(self._rows) + theme().px(_COLUMN_GAP) * (len(self._rows) - 1)
        return QSize(wide, self.heightForWidth(wide))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(60), self.heightForWidth(self.width()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        for option, geometry in zip(self._rows, self._places(self.width()), strict=True):
            option.setGeometry(geometry)

    def _widest(self) -> int:
        return max((option.sizeHint().width() for option in self._rows), default=0)

    def _places(self, width: int) -> list[QRect]:
        """The geometries of the options for a width."""
        count, gap, below = len(self._rows), theme().px(_COLUMN_GAP), theme().px(_ROW_GAP)
        each = (width - gap * (count - 1)) // max(1, count)
        height = max((option.sizeHint().height() for option in self._rows), default=0)
        if each >= self._widest():
            return [QRect(number * (each + gap), 0, each, height) for number in range(count)]
        return [QRect(0, number * (height + below), width, height) for number in range(count)]


_MAX_MENU_WIDTH = 180
"""Largest width of a menu."""


class FieldPreview(QLabel):
    """A text field with placeholder, or a menu with a caret."""

    def __init__(
        self,
        text: str,
        *,
        width: int = 0,
        height: int = 32,
        is_menu: bool = False,
        is_value: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """Create a preview of a `width`; 0 takes the available width.

        A menu is wider if its text needs it.
        """
        super().__init__(sanitize_line(text), parent)
        self._width, self._height = width, height
        self._is_menu, self._is_value = is_menu, is_value
        across = QSizePolicy.Policy.Maximum if width else QSizePolicy.Policy.Expanding
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        text = QFontMetrics(theme().font(TextRole.BODY)).horizontalAdvance(self.text())
        needed = min(text + self._horizontal_padding(), px(_MAX_MENU_WIDTH)) if self._is_menu else 0
        return QSize(max(px(self._width or 90), needed), px(self._height))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(60), theme().px(self._height))

    def _horizontal_padding(self) -> int:
        """The width of margins and caret."""
        return theme().px(21 + (20 if self._is_menu else 0))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px, box = QPainter(self), theme().tokens, theme().px, self.rect()
        draw_rounded(painter, box, px(7), tokens.sunken, tokens.border)
        colour = tokens.text if self._is_value else tokens.text3
        text_box = QRect(px(10), 0, box.width() - self._horizontal_padding(), min(box.height(), px(32)))
        draw_text(painter, text_box, self.text(), theme().font(TextRole.BODY), colour)
        if self._is_menu:
            at = QRectF(box.right() - px(24), 0, px(12), box.height())
            draw_glyph(painter, "caret-down-bold", at, tokens.text2, px(12))


class ImagePlaceholder(QWidget):
    """The placeholder of an image; decorative, next to its caption and address."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(150), theme().px(84))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        draw_rounded(painter, self.rect(), px(5), tokens.content_soft)
        centre = QPointF(self.rect().center())
        box = QRectF(centre.x() - px(12), centre.y() - px(12), px(24), px(24))
        draw_glyph(painter, "image", box, tokens.content, px(22))
