"""The status line: saved time, problems, and what runs at the right (look.md 6)."""

from PySide6.QtWidgets import QWidget

from batchwright.ui.kit.boxes import Box, clear, row
from batchwright.ui.kit.panels import Edge, Ground
from batchwright.ui.kit.progress import Meter, per_cent
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.shell.view_model import Remark, ShellViewModel
from batchwright.ui.theme import Role, theme
from batchwright.words import _

_HEIGHT = 28


class StatusLine(Ground):
    """Shows the remarks of the shell, or a hint in their place, and what runs."""

    def __init__(self, model: ShellViewModel, parent: QWidget | None = None) -> None:
        super().__init__("rail", Edge.TOP, parent)
        self.setAccessibleName(_("Status"))
        self._model = model
        self._remarks: Box = row(gap=6)
        self._running = CutText("", Role.CAPTION, "text2")
        self._number = Text("", Role.CAPTION, tabular=True)
        self._meter = Meter(_("What runs"))
        line = row(gap=8, margins=(14, 1, 14, 0), parent=self)
        line.put(self._remarks, None, self._running, self._meter, self._number)
        model.remarks_changed.connect(self.show_remarks)
        model.running_changed.connect(self.show_running)
        theme().follow(self._fit)
        self._fit()
        self.show_remarks()
        self.show_running()

    def show_remarks(self) -> None:
        """Show the remarks with dots between them, or the hint alone."""
        clear(self._remarks)
        model = self._model
        remarks = (Remark(model.hint),) if model.hint else model.remarks
        for number, remark in enumerate(remarks):
            if number:
                self._remarks.put(Text("·", Role.CAPTION, "text3"))
            if remark.glyph:
                self._remarks.put(Glyph(remark.glyph, remark.tone, 14))
            role = Role.LABEL if remark.glyph else Role.CAPTION
            self._remarks.put(Text(remark.text, role, remark.tone, tabular=True))

    def show_running(self) -> None:
        """Show what runs and how far it is."""
        running = self._model.running
        self._running.setText(running.text if running else "")
        for widget in (self._running, self._number, self._meter):
            widget.setVisible(running is not None)
        if running is None:
            return
        self._meter.setAccessibleName(running.text)
        self._number.setText("" if running.done is None else per_cent(running.done))
        if running.done is None:
            self._meter.show_unknown()
        else:
            self._meter.show_done(running.done)

    def _fit(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
        self._meter.setFixedWidth(theme().px(110))
