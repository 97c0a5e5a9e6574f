"""The file dialogs: the filter for all files, the last folder, and no file content is read."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from batchwright.data_files.file_types import FileType, type_of
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.dialogs import file_dialogs
from batchwright.ui.widgets.dialogs.file_dialogs import (
    FileDialogs,
    IconsByName,
    choose_files,
    remember_folder_in,
)
from tests.ui.conftest import until

pytestmark = pytest.mark.gui

Loop = asyncio.AbstractEventLoop
KIND = "Tables (*.csv)"


@pytest.fixture(autouse=True)
def without_last_folder(settings: Settings) -> Iterator[None]:
    remember_folder_in(settings)
    yield
    remember_folder_in(file_dialogs._InMemory())


def shown(window: Window) -> QFileDialog:
    (dialog,) = (file_dialog for file_dialog in window.findChildren(QFileDialog) if file_dialog.isVisible())
    return dialog


async def answer_dialog(
    window: Window, loop: Loop, answer: Callable[[QFileDialog], object], file: Path | None
) -> None:
    """Open a dialog for a file to open, or to save as `file`, and answer it."""

    dialogs = FileDialogs(window)
    result = dialogs.file_to_save("Save", (KIND,), file) if file else dialogs.file_to_open("Open", (KIND,))
    question = asyncio.ensure_future(result)
    await until(lambda: any(file_dialog.isVisible() for file_dialog in window.findChildren(QFileDialog)))
    answer(shown(window))
    await question


def choose(file: Path) -> Callable[[QFileDialog], None]:
    def answer(dialog: QFileDialog) -> None:
        dialog.selectFile(str(file))
        dialog.done(QFileDialog.DialogCode.Accepted)

    return answer


def folder(dialog: QFileDialog) -> Path:
    return Path(dialog.directory().absolutePath())


async def test_every_dialog_offers_all_files(window: Window, loop: Loop, qtbot: QtBot) -> None:
    def check_dialog(dialog: QFileDialog) -> None:
        assert dialog.nameFilters() == [KIND, "All files (*)"]
        dialog.reject()

    await answer_dialog(window, loop, check_dialog, None)
    await answer_dialog(window, loop, check_dialog, Path("new.csv"))
    choose_files(window, "Choose", (KIND,), allow_multiple=True, on_chosen=lambda paths: None)
    qtbot.waitUntil(lambda: any(file_dialog.isVisible() for file_dialog in window.findChildren(QFileDialog)))
    check_dialog(shown(window))


async def test_a_dialog_opens_in_the_folder_of_the_last_file_even_after_a_restart(
    window: Window, loop: Loop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_folder = tmp_path / "last_folder"
    last_folder.mkdir()
    (last_folder / "a.csv").touch()
    await answer_dialog(window, loop, choose(last_folder / "a.csv"), None)
    folders: list[Path] = []

    def check_dialog(dialog: QFileDialog) -> None:
        folders.append(folder(dialog))
        dialog.reject()

    for file in (None, Path("new.csv")):
        monkeypatch.setattr(file_dialogs, "_last", file_dialogs._InMemory())
        remember_folder_in(Settings(tmp_path))  # as at the next start
        await answer_dialog(window, loop, check_dialog, file)
    (last_folder / "a.csv").unlink()
    last_folder.rmdir()
    await answer_dialog(window, loop, check_dialog, None)
    assert folders[:2] == [last_folder, last_folder]
    assert folders[2].is_dir()


async def test_a_dialog_opens_if_the_last_folder_cannot_be_read(
    window: Window, loop: Loop, settings: Settings
) -> None:
    settings.folder = f"/{'too long' * 100}"
    await answer_dialog(window, loop, QFileDialog.reject, None)


async def test_icons_depend_on_file_names_without_reading_files(
    window: Window, loop: Loop, tmp_path: Path
) -> None:
    picture = tmp_path / "picture.csv"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")

    def check_dialog(dialog: QFileDialog) -> None:
        icons = dialog.iconProvider()
        assert isinstance(icons, IconsByName)
        assert "CSV" in icons.type(QFileInfo(str(picture)))
        assert icons.type(QFileInfo(str(tmp_path))) == "Folder"
        assert not icons.icon(QFileInfo(str(picture))).isNull()
        dialog.reject()

    await answer_dialog(window, loop, check_dialog, None)
    await answer_dialog(window, loop, check_dialog, tmp_path / "new.csv")


@pytest.mark.skipif(not Path("/proc/kmsg").exists(), reason="only Linux has files that never end there")
async def test_the_proc_folder_can_be_listed(window: Window) -> None:
    question = asyncio.ensure_future(FileDialogs(window).file_to_open("Open", (KIND,), Path("/proc")))
    await until(lambda: any(file_dialog.isVisible() for file_dialog in window.findChildren(QFileDialog)))
    dialog = shown(window)
    files = dialog.findChild(QFileSystemModel)
    assert isinstance(files, QFileSystemModel)
    dialog.selectNameFilter("All files (*)")
    await until(lambda: files.rowCount(files.index("/proc")) > 0 and files.index("/proc/kmsg").isValid())
    endless = files.index("/proc/kmsg")
    assert not files.fileIcon(endless).isNull()
    assert files.type(endless)
    dialog.reject()
    assert await question is None
    assert type_of(Path("/proc/kmsg")) is FileType.EMPTY


def test_the_folder_is_read_from_the_settings(tmp_path: Path) -> None:
    settings = Settings(tmp_path)
    settings.folder = str(tmp_path)
    remember_folder_in(settings)
    assert file_dialogs.last_folder() == tmp_path


@pytest.mark.parametrize("is_rejected", [False, True])
async def test_a_file_is_not_asked_about_if_its_path_is_rejected_anyway(
    window: Window, tmp_path: Path, is_rejected: bool
) -> None:
    file = tmp_path / "open.csv"
    file.write_text("a\n")

    saving = asyncio.ensure_future(
        FileDialogs(window).file_to_save("Save", (KIND,), file, lambda path: is_rejected and path == file)
    )
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(QFileDialog)))
    dialog = shown(window)
    accept(dialog)
    if not is_rejected:
        (await shown_question()).reject()
        dialog.reject()
    assert await saving == (file if is_rejected else None)


def accept(dialog: QFileDialog) -> None:
    """Accept a dialog, which may ask a question in an event loop of its own."""
    asyncio.get_running_loop().call_soon(dialog.accept)


async def shown_question() -> QMessageBox:
    await until(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    question = QApplication.activeModalWidget()
    assert isinstance(question, QMessageBox)
    return question


def type_name(dialog: QFileDialog, name: str) -> QLineEdit:
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(line, QLineEdit)
    line.setFocus()
    line.setText(name)
    return line


@pytest.mark.parametrize("typed", ["pilot 1.2", "pilot 1.2.csv", "pilot 1.2.CSV"])
async def test_a_name_without_the_suffix_gets_it_before_a_file_is_replaced(
    window: Window, tmp_path: Path, typed: str
) -> None:
    file = tmp_path / ("pilot 1.2.CSV" if typed.endswith("CSV") else "pilot 1.2.csv")
    file.touch()
    saving = asyncio.ensure_future(
        FileDialogs(window).file_to_save("Save", (KIND,), tmp_path / "a.csv", needs_suffix=True)
    )
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(QFileDialog)))
    dialog = shown(window)
    line = type_name(dialog, typed)
    accept(dialog)
    question = await shown_question()
    assert file.name in question.text()
    question.button(QMessageBox.StandardButton.Yes).click()
    assert line.text() == file.name
    assert await saving == file
