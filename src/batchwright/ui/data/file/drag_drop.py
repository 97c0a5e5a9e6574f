"""Files dropped on the Data stage: one file is opened, anything else is rejected with a reason."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.widgets.drops import dropped_paths


@dataclass(frozen=True)
class DropRefusal:
    """Why a file is not opened, and what to do about it."""

    what: str
    remedy: str


def refusal_while_uploading() -> DropRefusal:
    """The reason while an upload is running, which another file would cancel."""
    return DropRefusal(
        _("The upload is still running"), _("Stop it, or wait until it has finished; then open another file.")
    )


def refusal_while_busy() -> DropRefusal:
    """The reason while another dataset operation is running, which another file would cancel."""
    return DropRefusal(
        _("A dataset operation is running"),
        _("Stop it, or wait until it has finished; then open another file."),
    )


def dropped_file(mime: QMimeData, *, busy: DropRefusal | None) -> Path | DropRefusal | None:
    """The file being dropped, or why it is rejected; None if it is not a local file.

    `busy` is the reason why no file can be opened now, if there is one.
    """
    paths = dropped_paths(mime)
    if not paths:
        return None
    if busy is not None:
        return busy
    if len(paths) > 1:
        text = ngettext("{count} file was dropped", "{count} files were dropped", len(paths))
        remedy = _("A dataset is created from one file. Join the files first, or drop one.")
        return DropRefusal(text.format(count=number(len(paths))), remedy)
    return paths[0]
