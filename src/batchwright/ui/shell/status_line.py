"""The status line: saved time, problems, and what runs at the right (look.md 6)."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.shell.state import ShellState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.accessibility import announce
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, clear, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT = 28
_MIN_MESSAGE_MS, _MS_PER_CHARACTER = 4000, 60
"""Milliseconds that a sentence is given to be noticed, and to be read."""


class StatusBar(Surface):
    """Shows what runs, and remarks; in their place a hint, or for a while what was just told."""

    def __init__(self, model: ShellState, parent: QWidget | None = None) -> None:
        super().__init__("rail", Edge.TOP, parent)
        self.setAccessibleName(_("Status"))
        self._model = model
        self._messages: ScaledBoxLayout = row(gap=6)
        self._message = ElidedLabel("", TextRole.CAPTION, "text2")
        self._activity = ElidedLabel("", TextRole.CAPTION, "text2")
        self._percentage = Label("", TextRole.CAPTION, tabular=True)
        self._bar = ProgressBar(_("What runs"))
        line = row(self._messages, gap=8, margins=(14, 1, 14, 0), parent=self)
        line.addWidget(self._message, 1)  # also pushes the rest to the right when it is empty
        line.add(self._activity, self._bar, self._percentage)
        self._message_timer = QTimer(self)
        self._message_timer.setSingleShot(True)
        self._message_timer.timeout.connect(self._on_message_read)
        model.status_changed.connect(self.show_messages)
        model.message_shown.connect(self._on_message_shown)
        model.activity_changed.connect(self.show_activity)
        theme().on_changed(self._update_geometry)
        self._update_geometry()
        self.show_messages()
        self.show_activity()

    def show_messages(self) -> None:
        """Show the remarks with dots between them, or one sentence alone."""
        clear(self._messages)
        sentence = self._model.hint or self._model.message
        self._message.setText(sentence)
        for number, remark in enumerate(() if sentence else self._model.status_messages):
            if number:
                self._messages.add(Label("·", TextRole.CAPTION, "text3"))
            if remark.glyph:
                self._messages.add(Glyph(remark.glyph, remark.tone, 14))
            role = TextRole.LABEL if remark.glyph else TextRole.CAPTION
            self._messages.add(Label(remark.text, role, remark.tone, tabular=True))

    def show_activity(self) -> None:
        """Show what runs and how far it is."""
        running = self._model.activity
        self._activity.setText(running.text if running else "")
        for widget in (self._activity, self._percentage, self._bar):
            widget.setVisible(running is not None)
        if running is None:
            return
        self._bar.setAccessibleName(sanitize_line(running.text))
        self._percentage.setText("" if running.fraction is None else per_cent(running.fraction))
        if running.fraction is None:
            self._bar.show_indeterminate()
        else:
            self._bar.show_fraction(running.fraction)

    def _on_message_shown(self, sentence: str) -> None:
        """Have it read out once, and leave it standing for as long as it takes to notice and read."""
        announce(self, sentence)
        self._message_timer.start(_MIN_MESSAGE_MS + _MS_PER_CHARACTER * len(sentence))

    def _on_message_read(self) -> None:
        """Nobody has read it in a window that lies behind others; under the pointer it is being read."""
        if self.window().isActiveWindow() and not self.underMouse():
            self._model.clear_message()
        else:
            self._message_timer.start()

    def _update_geometry(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
        self._bar.setFixedWidth(theme().px(110))
