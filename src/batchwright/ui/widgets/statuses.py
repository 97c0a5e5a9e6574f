"""Every status with its tone, glyph and word (look.md 10), and the pill that shows one."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_text, rounded
from batchwright.ui.words import later


@dataclass(frozen=True)
class Status:
    """How a state is told: by tone, by glyph and by word, never by colour alone."""

    tone: str
    glyph: str
    word: str


PROCESSING = Status("question", "hourglass-medium", later("Processing"))
COMPLETE = Status("ok", "check-circle-fill", later("Complete"))
FAILED = Status("err", "warning-circle-fill", later("Failed"))
PARTIAL = Status("warn", "warning-fill", later("Partial"))
QUEUED = Status("neutral", "clock", later("Queued"))
DRAFT = Status("neutral", "pencil-simple", later("Draft"))
COLLECTING = Status("question", "users", later("Collecting"))
OFFLINE = Status("warn", "wifi-slash", later("Waiting"))
SIGNED_OUT = Status("warn", "lock-simple", later("Waiting"))
TOLD_TO_WAIT = Status("warn", "clock", later("Waiting"))
REFUSED = Status("warn", "prohibit", later("Waiting"))
DISK_FULL = Status("warn", "warning-fill", later("Waiting"))
DOES_NOT_ADD_UP = Status("err", "warning-octagon", later("Does not add up"))
NOT_WATCHED = Status("neutral", "eye-slash", later("Not watched"))
LINK_EXPIRED = Status("neutral", "link-break", later("Link expired"))
UPLOADING = Status("question", "arrow-up", later("Uploading"))
NOT_SENT = Status("warn", "prohibit", later("Not sent"))
UNDER_WAY = Status("question", "hourglass-medium", later("Under way"))
STOPPED = Status("neutral", "stop-circle", later("Stopped"))
INTERRUPTED = Status("warn", "stop-circle", later("Interrupted"))
NOT_STARTED = Status("err", "warning-circle-fill", later("Not started"))
CANCELLED = Status("neutral", "x", later("Cancelled"))
SENT = Status("ok", "check-circle-fill", later("Sent"))

BATCH = {
    "UNINITIALISED": Status("neutral", "circle-dashed", later("Uninitialised")),
    "PROCESSING": PROCESSING,
    "READY": Status("ok", "check-circle-fill", later("Ready")),
    "ERROR": Status("err", "warning-circle-fill", later("Error")),
}
"""Batches, and datasets of the older kind."""

IMPORT = {
    "uninitialised": Status("neutral", "circle-dashed", later("Waiting for the file")),
    "queued": QUEUED,
    "processing": PROCESSING,
    "complete": COMPLETE,
    "partial": PARTIAL,
    "failed": FAILED,
    "pending_schema": Status("warn", "pause-circle", later("Needs a schema")),
}
JOB = {"queued": QUEUED, "processing": PROCESSING, "complete": COMPLETE, "partial": PARTIAL, "failed": FAILED}
"""Syncs and migrations."""

EXPORT = {
    "generating": Status("question", "hourglass-medium", later("Generating")),
    "complete": COMPLETE,
    "failed": FAILED,
}


def status_of(table: dict[str, Status], word: str) -> Status:
    """The status of the service's word; one that is not known here is shown as it came."""
    return table.get(word) or Status("neutral", "question", word)


class StatusBadge(QLabel):
    """A status in its tone: glyph and word on the soft colour, 22 high."""

    def __init__(self, status: Status, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_status(status)
        theme().follow(self.updateGeometry)

    def show_status(self, status: Status) -> None:
        """Show another status."""
        self._status = status
        self.setText(_(status.word))
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
    """How large the pill of a status is."""
    px = theme().px
    words = QFontMetrics(theme().font(TextRole.LABEL, tabular=True)).horizontalAdvance(_(status.word))
    return QSize(words + px(35), px(22))


def paint_pill(painter: QPainter, box: QRect, status: Status) -> None:
    """Paint a status into a box; delegates of tables do it too."""
    tokens, px = theme().tokens, theme().px
    ink = tokens.get(status.tone)
    rounded(painter, box, px(11), tokens.get(SOFT[status.tone]))
    draw_glyph(painter, status.glyph, QRect(box.x() + px(7), box.y(), px(14), box.height()), ink, px(14))
    font = theme().font(TextRole.LABEL, tabular=True)
    draw_text(painter, box.adjusted(px(25), 0, -px(4), 0), _(status.word), font, ink)
