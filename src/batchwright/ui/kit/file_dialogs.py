"""The system's dialogs for files, awaited: `exec()` would stop every other task (facts.md 2)."""

import asyncio
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


class FileDialogs:
    """Asks for files over a window."""

    def __init__(self, host: QWidget) -> None:
        self._host = host

    async def file_to_open(self, title: str, kinds: tuple[str, ...]) -> Path | None:
        """A file that exists; `kinds` as Qt writes them: `Projects (*.batchwright)`. None when given up."""
        dialog = QFileDialog(self._host, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(kinds)
        return next(iter(await _answer(dialog)), None)

    async def files_to_open(self, title: str, kinds: tuple[str, ...]) -> tuple[Path, ...]:
        """Any number of files that exist; none when given up."""
        dialog = QFileDialog(self._host, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(kinds)
        return await _answer(dialog)

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


async def _answer(dialog: QFileDialog) -> tuple[Path, ...]:
    answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(_code: int) -> None:
        if not answer.done():
            answer.set_result(None)

    dialog.finished.connect(take)
    dialog.open()
    try:
        await answer
        accepted = dialog.result() == int(QFileDialog.DialogCode.Accepted)
        return tuple(map(Path, dialog.selectedFiles())) if accepted else ()
    finally:
        dialog.close()
        dialog.deleteLater()
