"""The status bar: messages at the left, the running operation at the right."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.shell.state import ShellState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, clear, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT = 28
_MIN_MESSAGE_MS, _MS_PER_CHARACTER = 4000, 60
"""How long a message is shown: to be noticed, and to be read."""


class StatusBar(Surface):
    """Shows the messages, or a hint or recent message instead, and the running operation."""

    def __init__(self, state: ShellState, parent: QWidget | None = None) -> None:
        super().__init__("rail", Edge.TOP, parent)
        self.setAccessibleName(_("Status"))
        self._state = state
        self._messages: ScaledBoxLayout = row(gap=6)
        self._message = ElidedLabel("", TextRole.CAPTION, "text2")
        self._activity = ElidedLabel("", TextRole.CAPTION, "text2")
        self._percentage = Label("", TextRole.CAPTION, tabular=True)
        self._bar = ProgressBar(_("Running operation"))
        layout = row(self._messages, gap=8, margins=(14, 1, 14, 0), parent=self)
        layout.addWidget(self._message, 1)  # also pushes the rest to the right when it is empty
        layout.add(self._activity, self._bar, self._percentage)
        self._message_timer = QTimer(self)
        self._message_timer.setSingleShot(True)
        self._message_timer.timeout.connect(self._on_message_read)
        state.status_changed.connect(self.show_messages)
        state.message_shown.connect(self._on_message_shown)
        state.activity_changed.connect(self.show_activity)
        theme().on_changed(self._update_geometry)
        self._update_geometry()
        self.show_messages()
        self.show_activity()

    def show_messages(self) -> None:
        """Show the messages separated by dots, or the hint or recent message alone."""
        clear(self._messages)
        text = self._state.hint or self._state.message
        self._message.setText(text)
        for number, message in enumerate(() if text else self._state.status_messages):
            if number:
                self._messages.add(Label("·", TextRole.CAPTION, "text3"))
            if message.glyph:
                self._messages.add(Glyph(message.glyph, message.tone, 14))
            role = TextRole.LABEL if message.glyph else TextRole.CAPTION
            self._messages.add(Label(message.text, role, message.tone, tabular=True))

    def show_activity(self) -> None:
        """Show the running operation and its progress."""
        running = self._state.activity
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

    def _on_message_shown(self, text: str) -> None:
        """Announce a message to screen readers and show it long enough to be read."""
        announce(self, text)
        self._message_timer.start(_MIN_MESSAGE_MS + _MS_PER_CHARACTER * len(text))

    def _on_message_read(self) -> None:
        """Remove the message, unless the window is inactive or the pointer is on it."""
        if self.window().isActiveWindow() and not self.underMouse():
            self._state.clear_message()
        else:
            self._message_timer.start()

    def _update_geometry(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
        self._bar.setFixedWidth(theme().px(110))
