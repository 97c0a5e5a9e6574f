"""Statuses with colour, icon and label, and the badge that shows one."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.glyphs import draw_glyph


@dataclass(frozen=True)
class Status:
    """A displayed status: colour token, icon and label."""

    tone: str
    glyph: str
    label: str


PROCESSING = Status("question", "hourglass-medium", N_("Processing"))
COMPLETE = Status("ok", "check-circle-fill", N_("Complete"))
FAILED = Status("err", "warning-circle-fill", N_("Failed"))
PARTIAL = Status("warn", "warning-fill", N_("Partial"))
QUEUED = Status("neutral", "clock", N_("Queued"))
DRAFT = Status("neutral", "pencil-simple", N_("Draft"))
OFFLINE = Status("warn", "wifi-slash", N_("Waiting"))
SIGNED_OUT = Status("warn", "lock-simple", N_("Waiting"))
RATE_LIMITED = Status("warn", "clock", N_("Waiting"))
REFUSED = Status("warn", "prohibit", N_("Waiting"))
DISK_FULL = Status("warn", "warning-fill", N_("Waiting"))
VERIFICATION_FAILED = Status("err", "warning-octagon", N_("Failed verification"))
NOT_MONITORED = Status("neutral", "eye-slash", N_("Not monitored"))
UPLOADING = Status("question", "arrow-up", N_("Uploading"))
NOT_SENT = Status("warn", "prohibit", N_("Not sent"))
IN_PROGRESS = Status("question", "hourglass-medium", N_("In progress"))
STOPPED = Status("neutral", "stop-circle", N_("Stopped"))
INTERRUPTED = Status("warn", "stop-circle", N_("Interrupted"))
NOT_STARTED = Status("err", "warning-circle-fill", N_("Not started"))
CANCELLED = Status("neutral", "x", N_("Cancelled"))
SENT = Status("ok", "check-circle-fill", N_("Sent"))

BATCH = {
    "UNINITIALISED": Status("neutral", "circle-dashed", N_("Uninitialised")),
    "PROCESSING": PROCESSING,
    "READY": Status("ok", "check-circle-fill", N_("Ready")),
    "ERROR": Status("err", "warning-circle-fill", N_("Error")),
}
"""Batches, and datasets of the older kind."""

IMPORT = {
    "uninitialised": Status("neutral", "circle-dashed", N_("Waiting for the file")),
    "queued": QUEUED,
    "processing": PROCESSING,
    "complete": COMPLETE,
    "partial": PARTIAL,
    "failed": FAILED,
    "pending_schema": Status("warn", "pause-circle", N_("Needs a schema")),
}
JOB = {"queued": QUEUED, "processing": PROCESSING, "complete": COMPLETE, "partial": PARTIAL, "failed": FAILED}
"""Syncs and migrations."""

EXPORT = {
    "generating": Status("question", "hourglass-medium", N_("Generating")),
    "complete": COMPLETE,
    "failed": FAILED,
}


def status_of(table: dict[str, Status], value: str) -> Status:
    """The status for a value from the service; an unknown value is shown unchanged."""
    return table.get(value) or Status("neutral", "question", value)


class StatusBadge(QLabel):
    """The badge of a status: icon and label on a tinted background."""

    def __init__(self, status: Status, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_status(status)
        theme().on_changed(self.updateGeometry)

    def show_status(self, status: Status) -> None:
        """Set the status."""
        self._status = status
        self.setText(_(status.label))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return pill_size(self._status)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_pill(QPainter(self), self.rect(), self._status)


def pill_size(status: Status) -> QSize:
    """The size of the badge of a status."""
    px = theme().px
    text_width = QFontMetrics(theme().font(TextRole.LABEL, tabular=True)).horizontalAdvance(_(status.label))
    return QSize(text_width + px(35), px(22))


def paint_pill(painter: QPainter, box: QRect, status: Status) -> None:
    """Paint the badge of a status, also for table delegates."""
    tokens, px = theme().tokens, theme().px
    colour = tokens.get(status.tone)
    draw_rounded(painter, box, px(11), tokens.get(SOFT[status.tone]))
    draw_glyph(painter, status.glyph, QRect(box.x() + px(7), box.y(), px(14), box.height()), colour, px(14))
    font = theme().font(TextRole.LABEL, tabular=True)
    draw_text(painter, box.adjusted(px(25), 0, -px(4), 0), _(status.label), font, colour)
