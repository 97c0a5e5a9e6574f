"""Dialogs that ask: a title, one sentence, content, and buttons named by what they do (look.md 11)."""

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import Part, column, row
from batchwright.ui.kit.buttons import Button, Height, Kind
from batchwright.ui.kit.overlays import Overlay, OverlayPanel
from batchwright.ui.kit.panels import Well
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.theme import Role
from batchwright.words import _

NARROW = 520
WIDE = 640


class Dialog(OverlayPanel):
    """A question. Enter acts, unless the act destroys or is live: then only its own button does."""

    def __init__(
        self, title: str, sentence: str, act: str, kind: Kind = Kind.PRIMARY, *, width: int = NARROW
    ) -> None:
        super().__init__(title, width)
        self.setAccessibleDescription(sentence)
        glyph = "broadcast" if kind is Kind.LIVE else ""
        self.act = Button(act, kind, glyph=glyph, height=Height.DIALOG)
        self.cancel = Button(_("Cancel"), height=Height.DIALOG)
        self._enter_acts = kind not in {Kind.LIVE, Kind.DESTROY}
        self.act.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        self._content = column(gap=14)
        self._aside = row()
        words = column(Text(title, Role.TITLE, wraps=True), Text(sentence, tone="text2", wraps=True), gap=6)
        foot = row(self._aside, None, self.cancel, self.act)
        column(words, self._content, foot, gap=20, margins=(28, 24, 28, 24), parent=self)

    def put(self, *parts: Part) -> None:
        """Add content between the sentence and the buttons."""
        self._content.put(*parts)

    def put_aside(self, button: Button) -> None:
        """Add the third, quiet way out at the left."""
        button.set_kind(Kind.QUIET)
        self._aside.put(button)

    def warn(self, sentence: str, *, is_live: bool) -> None:
        """Add the one line that says what is reached, or what is lost."""
        self.put(WarningLine(sentence, is_live=is_live))

    async def ask(self, host: QWidget) -> bool:
        """Show it over a window and wait for the answer: True when the act was chosen.

        `exec()` would stop every other task (facts.md 2), so the answer comes by a future.
        """
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def take(code: int) -> None:
            if not answer.done():
                answer.set_result(code == int(Dialog.DialogCode.Accepted))

        self.finished.connect(take)
        Overlay(host, self)
        try:
            return await answer
        except asyncio.CancelledError:
            self.reject()
            raise

    @override
    def _stops(self) -> list[QWidget]:
        """What is asked comes before the buttons, so that the first field has the keyboard."""
        return sorted(super()._stops(), key=lambda stop: (stop is self.cancel) + 2 * (stop is self.act))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self._enter_acts and self.act.isEnabled():
                self.accept()
            return
        super().keyPressEvent(event)


class WarningLine(Well):
    """One line on the soft colour of live or of error."""

    def __init__(self, sentence: str, *, is_live: bool, parent: QWidget | None = None) -> None:
        super().__init__("live_soft" if is_live else "err_soft", 8, parent)
        glyph = Glyph("broadcast-fill", "live") if is_live else Glyph("warning-circle-fill", "err")
        line = row(glyph, gap=10, margins=(14, 10, 14, 10), parent=self)
        line.addWidget(Text(sentence, Role.SMALL_NAME, wraps=True), 1)
