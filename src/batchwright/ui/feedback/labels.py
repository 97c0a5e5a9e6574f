"""The texts of feedback files: status, format, size and progress."""

from collections import Counter
from pathlib import Path

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import joined
from batchwright.ui.core.authentication import outage_text
from batchwright.ui.core.formatting import number, short_datetime, size, transfer_progress
from batchwright.ui.feedback.state import FeedbackFile, FeedbackFileState, FeedbackState
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.statuses import Status

STATUSES = {
    FeedbackFileState.UNCONFIRMED: statuses.QUEUED,
    FeedbackFileState.WAITING: statuses.QUEUED,
    FeedbackFileState.SENDING: statuses.UPLOADING,
    FeedbackFileState.SENT: statuses.SENT,
    FeedbackFileState.FAILED: statuses.FAILED,
    FeedbackFileState.INTERRUPTED: statuses.INTERRUPTED,
    FeedbackFileState.CANCELLED: statuses.CANCELLED,
    FeedbackFileState.REFUSED: statuses.NOT_SENT,
}
_FORMATS = {
    ".csv": ("table", "CSV"),
    ".xls": ("table", "Excel"),
    ".xlsx": ("table", "Excel"),
    ".json": ("brackets-curly", "JSON"),
    ".txt": ("file-text", N_("Text")),
    ".pdf": ("file-text", "PDF"),
}


def status(file: FeedbackFile) -> Status:
    """The status of a file."""
    if file.state is FeedbackFileState.SENDING and file.is_offline:
        return statuses.OFFLINE
    return STATUSES[file.state]


def glyph(path: Path) -> str:
    """The icon of a file's format."""
    return _FORMATS.get(path.suffix.lower(), ("file", ""))[0]


def detail_text(file: FeedbackFile) -> str:
    """The format and the size of a file."""
    file_format = _FORMATS.get(file.path.suffix.lower())
    name = _(file_format[1]) if file_format else file.path.suffix[1:].upper() or _("No extension")
    return f"{name}, {size(file.size)}"


def progress_text(file: FeedbackFile) -> str:
    """The progress of a file, or its result."""
    match file.state:
        case FeedbackFileState.UNCONFIRMED | FeedbackFileState.WAITING:
            return _("Waiting for a free slot")
        case FeedbackFileState.SENT:
            return _("Sent {time}").format(time=short_datetime(file.sent.sent_at if file.sent else None))
        case FeedbackFileState.CANCELLED if file.may_have_arrived:
            return _("It may have arrived: all of it had been sent")
        case FeedbackFileState.CANCELLED:
            return _("Nothing was kept")
        case FeedbackFileState.SENDING if file.is_offline:
            return outage_text(file.connection)
        case FeedbackFileState.SENDING:
            return transfer_progress(file.done, file.size, file.rate) if file.done else _("Starting")
    return file.reason


def subtitle(state: FeedbackState) -> str:
    """The subtitle of the stage: how many files there are, and in which states."""
    files = state.files
    if not files:
        return _("Files about completed studies, sent to the service.")
    text = ngettext("{count} file", "{count} files", len(files)).format(count=number(len(files)))
    counts = Counter(file.state for file in files)
    sending = counts[FeedbackFileState.SENDING]
    waiting = counts[FeedbackFileState.UNCONFIRMED] + counts[FeedbackFileState.WAITING]
    stopped = sum(
        counts[state]
        for state in (FeedbackFileState.FAILED, FeedbackFileState.INTERRUPTED, FeedbackFileState.REFUSED)
    )
    counted = (
        (sending, ngettext("{count} uploading", "{count} uploading", sending)),
        (waiting, ngettext("{count} waiting", "{count} waiting", waiting)),
        (stopped, ngettext("{count} needs attention", "{count} need attention", stopped)),
    )
    texts = [message.format(count=number(count)) for count, message in counted if count]
    if not texts:
        return _("{files}. No upload is running.").format(files=text)
    return _("{files}. {parts}.").format(files=text, parts=joined(texts))
