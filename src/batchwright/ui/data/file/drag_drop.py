"""Files dropped on the Data stage: one file or several media are opened, others rejected with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_media import is_medium
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


def dropped_files(mime: QMimeData, *, busy: DropRefusal | None) -> tuple[Path, ...] | DropRefusal | None:
    """The file or the media being dropped, or why they are rejected; None if they are no local files.

    `busy` is the reason why no file can be opened now, if there is one.
    """
    paths = tuple(dropped_paths(mime))
    if not paths:
        return None
    if busy is not None:
        return busy
    if len(paths) > 1 and not are_media(paths):
        text = ngettext("{count} file was dropped", "{count} files were dropped", len(paths))
        remedy = _("Drop one at a time, or several pictures, recordings or videos.")
        return DropRefusal(text.format(count=number(len(paths))), remedy)
    return paths


def are_media(paths: Sequence[Path]) -> bool:
    """Whether all files are named like media."""
    return all(is_medium(path.name) for path in paths)
