"""What is dropped on the Data stage: one file is taken, anything else is refused in words."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.widgets.drops import dropped_paths


@dataclass(frozen=True)
class DropRefusal:
    """Why a file is not opened now, and what to do instead."""

    what: str
    remedy: str


def refusal_while_uploading() -> DropRefusal:
    """Another file would end the upload that goes on."""
    return DropRefusal(
        _("The upload still runs"), _("Stop it, or wait until it has ended; then open another file.")
    )


def refusal_while_busy() -> DropRefusal:
    """Another file would end what is being done with the dataset."""
    return DropRefusal(
        _("The dataset is being worked on"),
        _("Stop that, or wait until it has ended; then open another file."),
    )


def dropped_file(mime: QMimeData, *, busy: DropRefusal | None) -> Path | DropRefusal | None:
    """The file that is being dropped; None for what is no file of this computer at all.

    `busy` says why no file is taken now.
    """
    paths = dropped_paths(mime)
    if not paths:
        return None
    if busy is not None:
        return busy
    if len(paths) > 1:
        text = ngettext("{count} file was dropped", "{count} files were dropped", len(paths))
        remedy = _("A dataset is made of one file. Join them first, or drop one.")
        return DropRefusal(text.format(count=number(len(paths))), remedy)
    return paths[0]
