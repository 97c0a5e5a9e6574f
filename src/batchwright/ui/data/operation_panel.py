"""How a deed with the dataset goes on: there while it does, and after it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number
from batchwright.ui.data.operation_text import status_text
from batchwright.ui.data.operations import DatasetOperation, OperationRunner
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import harmless_line
from batchwright.ui.theme.tips import tip
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.progress import ProgressBar, per_cent
from batchwright.ui.widgets.statuses import Status, StatusBadge
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT, _TALL = 58, 76
"""With one line, and with what to do below what happened."""


class OperationPanel(Surface):
    """Title, status, counts, a sentence, and what can be done about it."""

    way_pressed = Signal()

    def __init__(self, deeds: OperationRunner, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._deeds = deeds
        self._title = Label("", TextRole.SECTION)
        self._pill = StatusBadge(statuses.QUEUED)
        self._accepted = StatusBadge(Status("ok", "check-circle-fill", ""))
        self._rejected = StatusBadge(Status("err", "x-circle-fill", ""))
        self._says = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._remedy = ElidedLabel("", TextRole.SMALL, "text2")
        self._meter = ProgressBar(_("Progress"))
        self._part = Label("", TextRole.SMALL_NAME, tabular=True)
        self._way = Button("", height=ButtonSize.NOTICE)
        self._way.clicked.connect(self.way_pressed)
        self._stop = Button(_("Stop"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._stop.clicked.connect(deeds.stop)
        self._close = Button(_("Hide"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._close.clicked.connect(deeds.forget)
        line = row(self._title, self._pill, self._accepted, self._rejected, None, gap=8)
        line.put(self._meter, self._part, self._way, self._stop, self._close)
        column(line, self._says, self._remedy, None, gap=0, margins=(24, 6, 12, 7), parent=self)
        theme().follow(self._fit)
        deeds.changed.connect(self.show_latest)
        self.show_latest()

    def show_latest(self) -> None:
        """Show the latest deed as it stands."""
        deed = self._deeds.latest
        self.setVisible(deed is not None)
        if deed is None:
            return
        line = status_text(deed)
        self.setAccessibleName(harmless_line(line.title))
        self._title.setText(line.title)
        self._pill.show_status(line.status)
        self._says.setText(line.says)
        self._says.set_tone("text" if deed.fault else "text2")
        self._remedy.setText(line.remedy)
        self._remedy.setVisible(bool(line.remedy))
        self.setToolTip(tip(f"{line.says}\n{line.remedy}".strip()))
        _show_count(self._accepted, "ok", "check-circle-fill", _("{count} accepted"), line.accepted)
        _show_count(self._rejected, "err", "x-circle-fill", _("{count} rejected"), line.rejected)
        self._way.setText(line.way)
        self._way.setVisible(bool(line.way))
        self._stop.setText(line.stop or _("Stop"))
        self._stop.setVisible(deed.is_running)
        self._close.setVisible(not deed.is_running)
        self._show_bar(deed)
        self._fit()

    def _show_bar(self, deed: DatasetOperation) -> None:
        part = deed.part
        self._meter.setVisible(deed.is_running)
        self._part.setVisible(part is not None)
        if part is None:
            self._meter.show_unknown()
        else:
            self._meter.show_done(part)
            self._part.setText(per_cent(part))

    def _fit(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT if self._remedy.isHidden() else _TALL))
        self._meter.setFixedWidth(theme().px(120))


def _show_count(pill: StatusBadge, tone: str, glyph: str, words: str, count: int) -> None:
    pill.show_status(Status(tone, glyph, words.format(count=number(count))))
    pill.setVisible(bool(count))
