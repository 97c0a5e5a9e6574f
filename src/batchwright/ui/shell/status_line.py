"""The status line: saved time, problems, and what runs at the right (look.md 6)."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.shell.state import ShellState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import harmless_line
from batchwright.ui.widgets.accessibility import announce
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, clear, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT = 28
_NOTICING, _PER_CHARACTER = 4000, 60
"""Milliseconds that a sentence is given to be noticed, and to be read."""


class StatusLine(Surface):
    """Shows what runs, and remarks; in their place a hint, or for a while what was just told."""

    def __init__(self, model: ShellState, parent: QWidget | None = None) -> None:
        super().__init__("rail", Edge.TOP, parent)
        self.setAccessibleName(_("Status"))
        self._model = model
        self._remarks: ScaledBoxLayout = row(gap=6)
        self._sentence = ElidedLabel("", TextRole.CAPTION, "text2")
        self._running = ElidedLabel("", TextRole.CAPTION, "text2")
        self._number = Label("", TextRole.CAPTION, tabular=True)
        self._meter = ProgressBar(_("What runs"))
        line = row(self._remarks, gap=8, margins=(14, 1, 14, 0), parent=self)
        line.addWidget(self._sentence, 1)
        line.put(None, self._running, self._meter, self._number)
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.timeout.connect(self._end_sentence)
        model.remarks_changed.connect(self.show_remarks)
        model.told.connect(self._begin_sentence)
        model.running_changed.connect(self.show_running)
        theme().follow(self._fit)
        self._fit()
        self.show_remarks()
        self.show_running()

    def show_remarks(self) -> None:
        """Show the remarks with dots between them, or one sentence alone."""
        clear(self._remarks)
        sentence = self._model.hint or self._model.sentence
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        for number, remark in enumerate(() if sentence else self._model.remarks):
            if number:
                self._remarks.put(Label("·", TextRole.CAPTION, "text3"))
            if remark.glyph:
                self._remarks.put(Glyph(remark.glyph, remark.tone, 14))
            role = TextRole.LABEL if remark.glyph else TextRole.CAPTION
            self._remarks.put(Label(remark.text, role, remark.tone, tabular=True))

    def show_running(self) -> None:
        """Show what runs and how far it is."""
        running = self._model.running
        self._running.setText(running.text if running else "")
        for widget in (self._running, self._number, self._meter):
            widget.setVisible(running is not None)
        if running is None:
            return
        self._meter.setAccessibleName(harmless_line(running.text))
        self._number.setText("" if running.done is None else per_cent(running.done))
        if running.done is None:
            self._meter.show_unknown()
        else:
            self._meter.show_done(running.done)

    def _begin_sentence(self, sentence: str) -> None:
        """Have it read out once, and leave it standing for as long as it takes to notice and read."""
        announce(self, sentence)
        self._reading.start(_NOTICING + _PER_CHARACTER * len(sentence))

    def _end_sentence(self) -> None:
        """Nobody has read it in a window that lies behind others; under the pointer it is being read."""
        if self.window().isActiveWindow() and not self.underMouse():
            self._model.end_sentence()
        else:
            self._reading.start()

    def _fit(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
        self._meter.setFixedWidth(theme().px(110))
