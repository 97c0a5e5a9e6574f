"""The system's dialogs for files, never by `exec()`, which would stop every other task (facts.md 2)."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QFileDialog, QWidget

Chosen = Callable[[tuple[Path, ...]], object]
"""What is done with the files; none when the dialog was given up."""


class AsksForFiles(Protocol):
    """What asks a person for files ; a test answers in its place."""

    async def file_to_open(self, title: str, kinds: tuple[str, ...]) -> Path | None:
        """A file that exists."""

    async def file_to_save(self, title: str, kinds: tuple[str, ...], proposed: Path) -> Path | None:
        """A place for a file."""


class FileDialogs:
    """Asks for files over a window, and waits for the answer."""

    def __init__(self, host: QWidget) -> None:
        self._host = host

    async def file_to_open(
        self, title: str, kinds: tuple[str, ...], folder: Path | None = None
    ) -> Path | None:
        """A file that exists; `kinds` as Qt writes them: `Projects (*.batchwright)`. None when given up."""
        dialog = _to_open(self._host, title, kinds, many=False)
        if folder is not None:
            dialog.setDirectory(str(folder))
        return next(iter(await _answer(dialog)), None)

    async def files_to_open(self, title: str, kinds: tuple[str, ...]) -> tuple[Path, ...]:
        """Any number of files that exist; none when given up."""
        return await _answer(_to_open(self._host, title, kinds, many=True))

    async def file_to_save(self, title: str, kinds: tuple[str, ...], proposed: Path) -> Path | None:
        """A place for a file; the dialog asks before one is replaced. None when given up."""
        dialog = QFileDialog(self._host, title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(kinds)
        dialog.setDefaultSuffix(proposed.suffix.removeprefix("."))
        if proposed.parent != Path():
            dialog.setDirectory(str(proposed.parent))
        dialog.selectFile(proposed.name)
        return next(iter(await _answer(dialog)), None)


def choose_files(host: QWidget, title: str, kinds: tuple[str, ...], *, many: bool, chosen: Chosen) -> None:
    """Ask for files that exist, and go on; for a widget that has no tasks of its own."""
    _show(_to_open(host, title, kinds, many=many), chosen)


def _to_open(host: QWidget, title: str, kinds: tuple[str, ...], *, many: bool) -> QFileDialog:
    dialog = QFileDialog(host, title)
    mode = QFileDialog.FileMode
    dialog.setFileMode(mode.ExistingFiles if many else mode.ExistingFile)
    dialog.setNameFilters(kinds)
    return dialog


def _show(dialog: QFileDialog, chosen: Chosen) -> None:
    def take(code: int) -> None:
        accepted = code == int(QFileDialog.DialogCode.Accepted)
        paths = tuple(map(Path, dialog.selectedFiles())) if accepted else ()
        dialog.deleteLater()
        chosen(paths)

    dialog.finished.connect(take)
    dialog.open()


async def _answer(dialog: QFileDialog) -> tuple[Path, ...]:
    answer: asyncio.Future[tuple[Path, ...]] = asyncio.get_running_loop().create_future()

    def take(paths: tuple[Path, ...]) -> None:
        if not answer.done():
            answer.set_result(paths)

    _show(dialog, take)
    try:
        return await answer
    finally:
        if not answer.done() or answer.cancelled():
            dialog.reject()
