"""The system's file dialogs, without `exec()`, which would block all asyncio tasks.

They all offer "All files", start in the folder of the last file or in a fixed one, and do not read the files
they list.
"""

import asyncio
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol, TypeAlias

from PySide6.QtCore import QFileInfo, QMimeDatabase
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _

DATA_FILE_FILTER = N_(
    "Data files (*.csv *.tsv *.tab *.txt *.jsonl *.ndjson *.json *.xlsx *.xlsm *.xls *.xlsb *.ods *.parquet)"
)
"""The Qt name filter of the files that `data_files` reads."""
_ALL_FILES_FILTER = N_("All files (*)")

Chosen = Callable[[tuple[Path, ...]], object]
"""Called with the chosen files; none if the user cancelled."""


IsRejected: TypeAlias = Callable[[Path], bool]


def never(_path: Path) -> bool:
    """Reject no path."""
    return False


class FileChooser(Protocol):
    """Asks the user for files; replaced in tests."""

    async def file_to_open(
        self, title: str, filters: tuple[str, ...], folder: Path | None = None
    ) -> Path | None:
        """Ask for an existing file; starts in `folder`, or in that of the last file."""

    async def file_to_save(
        self,
        title: str,
        filters: tuple[str, ...],
        proposed: Path,
        is_rejected: IsRejected = never,
        *,
        needs_suffix: bool = False,
    ) -> Path | None:
        """Ask for a path to save to; one that the caller will reject is not asked about, if it exists.

        With `needs_suffix`, the path has the suffix of `proposed`, whatever is typed.
        """


class FolderChooser(FileChooser, Protocol):
    """Asks the user for files and folders; replaced in tests."""

    async def folder_to_use(self, title: str, folder: Path | None = None) -> Path | None:
        """Ask for an existing folder; starts in `folder`, or in that of the last file."""


class HasLastFolder(Protocol):
    """Stores the folder of the last file (`ui.core.settings`)."""

    folder: str

    @property
    def fixed_folder(self) -> str:
        """The folder in which dialogs start instead; empty for that of the last file."""


class _InMemory:
    """Keeps the folder for this run only."""

    folder = fixed_folder = ""


_last: HasLastFolder = _InMemory()


def remember_folder_in(settings: HasLastFolder) -> None:
    """Store the folder of the last file in these settings."""
    global _last
    _last = settings


def fixed_folder() -> Path | None:
    """The folder in which dialogs start, if the user has chosen one; it may not exist any more."""
    return Path(_last.fixed_folder) if _last.fixed_folder else None


def last_folder() -> Path | None:
    """The fixed folder, or else that of the last chosen file; None if there is none that can be found."""
    last = Path(_last.folder) if _last.folder else None
    folders = (folder for folder in (fixed_folder(), last) if folder is not None)
    return next(filter(os.path.isdir, folders), None)


class IconsByName(QFileIconProvider):
    """Icons and types of files by file name.

    Qt's own provider reads each file. Some files block, for example `/proc/kmsg`, and would freeze the
    window.
    """

    @override
    def icon(self, of: QFileInfo | QAbstractFileIconProvider.IconType) -> QIcon:
        if isinstance(of, QFileInfo):
            filters = QAbstractFileIconProvider.IconType
            return super().icon(filters.Folder if of.isDir() else filters.File)
        return super().icon(of)

    @override
    def type(self, info: QFileInfo) -> str:
        if info.isDir():
            return _("Folder")
        by_name = QMimeDatabase.MatchMode.MatchExtension
        return QMimeDatabase().mimeTypeForFile(info.fileName(), by_name).comment()


class FileDialogs:
    """Shows file dialogs over a window."""

    def __init__(self, host: QWidget) -> None:
        self._host = host

    async def file_to_open(
        self, title: str, filters: tuple[str, ...], folder: Path | None = None
    ) -> Path | None:
        """Ask for an existing file; `filters` are Qt name filters like `Studies (*.batchwright)`.

        The dialog starts in `folder`, or in that of the last file.
        """
        dialog = _to_open(self._host, title, filters, allow_multiple=False, folder=folder)
        return next(iter(await _answer(dialog)), None)

    async def files_to_open(self, title: str, filters: tuple[str, ...]) -> tuple[Path, ...]:
        """Ask for existing files; none if cancelled."""
        return await _answer(_to_open(self._host, title, filters, allow_multiple=True))

    async def folder_to_use(self, title: str, folder: Path | None = None) -> Path | None:
        """Ask for an existing folder; None if cancelled."""
        dialog = _dialog(self._host, title, (), folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return next(iter(await _answer(dialog)), None)

    async def file_to_save(
        self,
        title: str,
        filters: tuple[str, ...],
        proposed: Path,
        is_rejected: IsRejected = never,
        *,
        needs_suffix: bool = False,
    ) -> Path | None:
        """Ask for a path to save to, with confirmation before replacing a file; None if cancelled."""
        folder = proposed.parent if proposed.parent != Path() else None
        suffix = proposed.suffix if needs_suffix else ""
        dialog = _configured(_SaveDialog(self._host, title, is_rejected, suffix), filters, folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(proposed.suffix.removeprefix("."))
        dialog.selectFile(proposed.name)
        return next(iter(await _answer(dialog)), None)


class _SaveDialog(QFileDialog):
    """Asks before a file is replaced, unless the caller will reject its path anyway.

    Qt adds the default suffix only to names without a dot; a required `suffix` is added to all others, too.
    """

    def __init__(self, host: QWidget, title: str, is_rejected: IsRejected, suffix: str) -> None:
        super().__init__(host, title)
        self._is_rejected, self._suffix = is_rejected, suffix

    def _add_suffix(self) -> None:
        line = self.findChild(QLineEdit, "fileNameEdit")
        path = Path(*self.selectedFiles()[:1])
        is_folder = QFileInfo(str(path)).isDir()
        if line is not None and path.suffix.lower() != self._suffix.lower() and not is_folder:
            line.setText(line.text() + self._suffix)

    @override
    def accept(self) -> None:
        if self._suffix:
            self._add_suffix()
        asks_nothing = any(self._is_rejected(Path(path)) for path in self.selectedFiles())
        self.setOption(QFileDialog.Option.DontConfirmOverwrite, asks_nothing)
        super().accept()


def choose_files(
    host: QWidget, title: str, filters: tuple[str, ...], *, allow_multiple: bool, on_chosen: Chosen
) -> None:
    """Ask for existing files with a callback, for widgets without asyncio tasks."""
    _show(_to_open(host, title, filters, allow_multiple=allow_multiple), on_chosen)


def _to_open(
    host: QWidget, title: str, filters: tuple[str, ...], *, allow_multiple: bool, folder: Path | None = None
) -> QFileDialog:
    dialog = _dialog(host, title, filters, folder)
    mode = QFileDialog.FileMode
    dialog.setFileMode(mode.ExistingFiles if allow_multiple else mode.ExistingFile)
    return dialog


def _dialog(host: QWidget, title: str, filters: tuple[str, ...], folder: Path | None) -> QFileDialog:
    return _configured(QFileDialog(host, title), filters, folder)


def _configured(dialog: QFileDialog, filters: tuple[str, ...], folder: Path | None) -> QFileDialog:
    dialog.setIconProvider(_icons())
    dialog.setNameFilters((*filters, _(_ALL_FILES_FILTER)))
    if (start_folder := folder or last_folder()) is not None:
        dialog.setDirectory(str(start_folder))
    return dialog


@cache
def _icons() -> IconsByName:
    """Shared by all dialogs, which do not take ownership."""
    return IconsByName()


def _show(dialog: QFileDialog, on_chosen: Chosen) -> None:
    def on_finished(code: int) -> None:
        accepted = code == int(QFileDialog.DialogCode.Accepted)
        paths = tuple(map(Path, dialog.selectedFiles())) if accepted else ()
        if paths:
            _last.folder = str(paths[0].parent)
        dialog.deleteLater()
        on_chosen(paths)

    dialog.finished.connect(on_finished)
    dialog.open()


async def _answer(dialog: QFileDialog) -> tuple[Path, ...]:
    answer: asyncio.Future[tuple[Path, ...]] = asyncio.get_running_loop().create_future()

    def on_finished(paths: tuple[Path, ...]) -> None:
        if not answer.done():
            answer.set_result(paths)

    _show(dialog, on_finished)
    try:
        return await answer
    finally:
        if not answer.done() or answer.cancelled():
            dialog.reject()
