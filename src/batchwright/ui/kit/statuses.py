"""Every status with its tone, glyph and word (look.md 10), and the pill that shows one."""

from dataclasses import dataclass
from gettext import gettext as _

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import SOFT, Role, theme
from batchwright.ui.theme.drawing import rounded, write


@dataclass(frozen=True)
class Status:
    """How a state is told: by tone, by glyph and by word, never by colour alone."""

    tone: str
    glyph: str
    word: str


def _n(word: str) -> str:
    """Mark a word for translation; it is translated when shown."""
    return word


PROCESSING = Status("question", "hourglass-medium", _n("Processing"))
COMPLETE = Status("ok", "check-circle-fill", _n("Complete"))
FAILED = Status("err", "warning-circle-fill", _n("Failed"))
PARTIAL = Status("warn", "warning-fill", _n("Partial"))
QUEUED = Status("neutral", "clock", _n("Queued"))
DRAFT = Status("neutral", "pencil-simple", _n("Draft"))
COLLECTING = Status("question", "users", _n("Collecting"))
OFFLINE = Status("warn", "wifi-slash", _n("Waiting"))
SIGNED_OUT = Status("warn", "lock-simple", _n("Waiting"))
TOLD_TO_WAIT = Status("warn", "clock", _n("Waiting"))
DOES_NOT_ADD_UP = Status("err", "warning-octagon", _n("Does not add up"))
NOT_WATCHED = Status("neutral", "eye-slash", _n("Not watched"))
LINK_EXPIRED = Status("neutral", "link-break", _n("Link expired"))
UPLOADING = Status("question", "arrow-up", _n("Uploading"))
NOT_SENT = Status("warn", "prohibit", _n("Not sent"))
CANCELLED = Status("neutral", "x", _n("Cancelled"))
SENT = Status("ok", "check-circle-fill", _n("Sent"))

BATCH = {
    "UNINITIALISED": Status("neutral", "circle-dashed", _n("Uninitialised")),
    "PROCESSING": PROCESSING,
    "READY": Status("ok", "check-circle-fill", _n("Ready")),
    "ERROR": Status("err", "warning-circle-fill", _n("Error")),
}
"""Batches, and datasets of the older kind."""

IMPORT = {
    "uninitialised": Status("neutral", "circle-dashed", _n("Waiting for the file")),
    "queued": QUEUED,
    "processing": PROCESSING,
    "complete": COMPLETE,
    "partial": PARTIAL,
    "failed": FAILED,
    "pending_schema": Status("warn", "pause-circle", _n("Needs a schema")),
}
JOB = {"queued": QUEUED, "processing": PROCESSING, "complete": COMPLETE, "partial": PARTIAL, "failed": FAILED}
"""Syncs and migrations."""

EXPORT = {
    "generating": Status("question", "hourglass-medium", _n("Generating")),
    "complete": COMPLETE,
    "failed": FAILED,
}


def status_of(table: dict[str, Status], word: str) -> Status:
    """The status of the service's word; one that is not known here is shown as it came."""
    return table.get(word) or Status("neutral", "question", word)


class Pill(QLabel):
    """A status in its tone: glyph and word on the soft colour, 22 high."""

    def __init__(self, status: Status, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_status(status)
        theme().changed.connect(self.updateGeometry)

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
    words = QFontMetrics(theme().font(Role.LABEL, tabular=True)).horizontalAdvance(_(status.word))
    return QSize(words + px(35), px(22))


def paint_pill(painter: QPainter, box: QRect, status: Status) -> None:
    """Paint a status into a box; delegates of tables do it too."""
    tokens, px = theme().tokens, theme().px
    ink = tokens.get(status.tone)
    rounded(painter, box, px(11), tokens.get(SOFT[status.tone]))
    draw_glyph(painter, status.glyph, QRect(box.x() + px(7), box.y(), px(14), box.height()), ink, px(14))
    font = theme().font(Role.LABEL, tabular=True)
    write(painter, box.adjusted(px(25), 0, -px(4), 0), _(status.word), font, ink)
