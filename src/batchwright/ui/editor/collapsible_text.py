"""Long texts that show their first lines."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.text import truncate
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.text import Label

MAX_LINES = 12

_MAX_CHARACTERS = 3_000
"""Of the lines that are shown at first, and more."""
_MAX_CHARACTERS_OF_ALL = 20_000
"""Characters that "Show all" shows: about what Qt lays out in 50 ms."""


class CollapsibleText(QWidget):
    """A text of which twelve lines are shown, fading out, until "Show all" is pressed.

    The end of a very long text is never shown.
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clip = _Clip(text)
        self._more = Button(_("Show all"), ButtonKind.LINK, height=ButtonSize.SMALL)
        self._more.clicked.connect(self._show_all)
        column(self._clip, row(self._more, None), gap=2, parent=self)
        self._more.setVisible(False)
        self._clip.overflows.connect(self._more.setVisible)

    def _show_all(self) -> None:
        self._clip.show_all()
        self._more.hide()


class _Clip(QWidget):
    """The window on the first lines of a text."""

    overflows = Signal(bool)

    def __init__(self, text: str) -> None:
        super().__init__()
        self._is_expanded = False
        self._all = truncate(text, _MAX_CHARACTERS_OF_ALL)
        self._text = Label(truncate(text, _MAX_CHARACTERS), TextRole.BODY, wraps=True, parent=self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._fade = _Fade(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_all(self) -> None:
        """Show every line from now on."""
        self._is_expanded = True
        self._text.setText(self._all)
        self.updateGeometry()

    def _whole(self, width: int) -> int:
        return self._text.heightForWidth(max(1, width))

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        most = self._text.fontMetrics().lineSpacing() * MAX_LINES
        return self._whole(width) if self._is_expanded else min(self._whole(width), most)

    @override
    def sizeHint(self) -> QSize:
        width = theme().px(240)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(40), self._text.fontMetrics().lineSpacing())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        full_height = self._whole(self.width())
        self._text.setGeometry(0, 0, self.width(), full_height)
        is_cut = full_height > self.height() + 1 and not self._is_expanded
        self._fade.setVisible(is_cut)
        if is_cut:
            height = min(theme().px(40), self.height())
            self._fade.setGeometry(QRect(0, self.height() - height, self.width(), height))
            self._fade.raise_()
        self.overflows.emit(is_cut)


class _Fade(QWidget):
    """Lets the last lines fade into the card."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        background = theme().tokens.page
        clear = QColor(background)
        clear.setAlpha(0)
        fade = QLinearGradient(0, 0, 0, self.height())
        fade.setColorAt(0, clear)
        fade.setColorAt(1, background)
        QPainter(self).fillRect(self.rect(), fade)
