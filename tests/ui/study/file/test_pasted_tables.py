"""Tables that are pasted or dragged from other programs become studies."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, window_in

pytestmark = pytest.mark.gui

TABLE = 'prompt\tresponse_a\tresponse_b\nWhy?\tSo.\tThus, "not".\n'


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path / "home"))


def rows(at: OpenTestWindow) -> list[str]:
    data = at.controller.study.data
    assert data is not None
    return data.path.read_text(encoding="utf-8").splitlines()


EXPECTED = ["prompt,response_a,response_b", 'Why?,So.,"Thus, ""not""."']


async def test_a_copied_table_is_pasted_as_a_study_with_a_file(tmp_path: Path) -> None:
    async with window_in(tmp_path) as at:
        QGuiApplication.clipboard().setText(TABLE)
        QTest.keyClick(at.controller.context.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: at.controller.study.is_open)
        await at.settled()
        assert rows(at) == EXPECTED


async def test_a_table_dragged_from_another_program_is_opened(tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setText(TABLE)
    async with window_in(tmp_path) as at:
        window, action = at.controller.context.window, Qt.DropAction.CopyAction
        button, modifier = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        middle = window.rect().center()
        enter = QDragEnterEvent(middle, action, mime, button, modifier)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(window, QDropEvent(QPointF(middle), action, mime, button, modifier))
        await until(lambda: at.controller.study.is_open)
        await at.settled()
        assert rows(at) == EXPECTED


async def test_a_text_without_a_table_is_reported(tmp_path: Path) -> None:
    async with window_in(tmp_path) as at:
        at.controller.open_pasted("", "words")
        await at.settled()
        assert not at.controller.study.is_open
        assert ["no table" in failure for failure in at.failures] == [True]
