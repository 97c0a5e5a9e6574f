"""What a list or a panel shows when it has nothing to show (look.md 10)."""

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Kind
from batchwright.ui.kit.panels import Ground
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import rounded
from batchwright.words import _

_WIDEST = 420
_LOADING_AFTER = 200


class EmptyState(QWidget):
    """What will be here, how to get it, and one or two buttons that do."""

    def __init__(
        self,
        glyph: str,
        line: str,
        sentence: str,
        *buttons: Button,
        tone: str = "text3",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(line)
        sign = row(None, Glyph(glyph, tone, 32), None)
        title = Text(line, Role.SECTION, wraps=True)
        words = Text(sentence, Role.SMALL, "text2", wraps=True)
        for text in (title, words):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            whole = text.fontMetrics().horizontalAdvance(text.text()) + theme().px(4)
            text.setFixedWidth(min(theme().px(_WIDEST), whole))
        doing = row(None, *buttons, None) if buttons else None
        lines = column(gap=6)
        lines.put(sign, 4, row(None, title, None), row(None, words, None))
        if doing is not None:
            lines.put(8, doing)
        column(None, lines, None, margins=16, parent=self)


class ErrorState(EmptyState):
    """The cause, what to do, Retry, and the details for those who want them."""

    retry_pressed = Signal()
    details_pressed = Signal()

    def __init__(self, cause: str, remedy: str, parent: QWidget | None = None) -> None:
        retry = Button(_("Retry"), glyph="arrow-clockwise")
        details = Button(_("Details"), Kind.QUIET)
        super().__init__("warning-circle-fill", cause, remedy, retry, details, tone="err", parent=parent)
        retry.clicked.connect(self.retry_pressed)
        details.clicked.connect(self.details_pressed)


class LoadingState(QWidget):
    """Three bars in the shape of rows to come, shown when it takes longer than 200 ms."""

    def __init__(self, row_height: int = 54, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Loading"))
        self._row_height = row_height
        self._is_due = False
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_LOADING_AFTER)
        self._wait.timeout.connect(self.show_now)
        self._wait.start()

    def show_now(self) -> None:
        """Do not wait."""
        self._is_due = True
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_due:
            return
        painter, px, fill = QPainter(self), theme().px, theme().tokens.sunken
        for number, part in enumerate((0.62, 0.48, 0.55)):
            top = px(16) + number * px(self._row_height)
            rounded(painter, QRectF(px(16), top, px(32), px(32)), px(6), fill)
            width = max(0.0, (self.width() - px(80)) * part)
            rounded(painter, QRectF(px(60), top + px(3), width, px(10)), px(5), fill)
            rounded(painter, QRectF(px(60), top + px(20), width * 0.6, px(8)), px(4), fill)


class OfflineLine(Ground):
    """The line above content that stays while the service cannot be reached."""

    def __init__(self, sentence: str = "", parent: QWidget | None = None) -> None:
        super().__init__("warn_soft", parent=parent)
        self._words = Text(sentence, Role.SMALL, "warn")
        row(Glyph("wifi-slash", "warn", 16), self._words, None, margins=(16, 7, 16, 7), parent=self)

    def show_sentence(self, sentence: str) -> None:
        """Say since when, and that nothing is lost."""
        self._words.setText(sentence)
