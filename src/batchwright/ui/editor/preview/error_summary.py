"""The error summary at the top of a page: one link per invalid answer, leading to its question."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.pages.page import errors_heading
from batchwright.layout.pages.questions import Question
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.text import Label, show_literal

_INDENT = 18
_TALL = 10_000
"""A height in pixels that no wrapped text reaches."""


class ErrorSummary(QFrame):
    """Shows how many answers are invalid, and which."""

    def __init__(self, go_to: Callable[[int], None]) -> None:
        """`go_to` is called with the index of the question whose link was activated."""
        super().__init__()
        self._go_to = go_to
        self._head = Label("", TextRole.STRONG, wraps=True)
        self._lines = column(gap=2)
        self.lines: list[ErrorLink] = []
        column(self._head, self._lines, gap=4, margins=(18, 14, 18, 14), parent=self)
        self.hide()

    def show_errors(self, errors: Sequence[tuple[Question, Sequence[str]]]) -> None:
        """Show the messages of the invalid questions."""
        clear(self._lines)
        self._head.setText(errors_heading(len(errors)))
        self.lines = [self._line(question, sentence) for question, some in errors for sentence in some]
        self._lines.add(*self.lines)
        self.setVisible(bool(errors))

    def take_focus(self) -> None:
        """Focus the first link; Enter then leads to its question."""
        for link in self.lines[:1]:
            link.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _line(self, question: Question, sentence: str) -> "ErrorLink":
        text = _("{question} {sentence}").format(question=question.description, sentence=sentence)
        link = ErrorLink(text.strip())
        link.clicked.connect(lambda: self._go_to(question.number))
        return link

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        draw_rounded(QPainter(self), self.rect(), theme().px(8), tokens.err_soft, tokens.err)


class ErrorLink(QAbstractButton):
    """A link with one error message; the text wraps."""

    def __init__(self, text: str) -> None:
        super().__init__()
        show_literal(self, text)
        self.setFont(theme().font(TextRole.BODY))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty(RING, 5)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @override
    def heightForWidth(self, width: int) -> int:
        rect = QRect(0, 0, max(1, width - theme().px(_INDENT)), _TALL)
        text = self.fontMetrics().boundingRect(rect, int(Qt.TextFlag.TextWordWrap), self.text())
        return max(theme().px(24), text.height() + theme().px(4))

    @override
    def sizeHint(self) -> QSize:
        width = theme().px(300)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(80), theme().px(24))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        font = self.font()
        font.setUnderline(True)
        painter.setPen(theme().tokens.text)
        painter.drawText(QRect(px(4), 0, px(_INDENT), px(24)), int(Qt.AlignmentFlag.AlignVCenter), "•")
        painter.setFont(font)
        flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(self.rect().adjusted(px(_INDENT), 0, 0, 0), flags, self.text())
