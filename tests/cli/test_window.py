"""Why the window does not open is on standard error, and in a box of its own where there is a screen."""

import errno
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from batchwright.cli import window
from batchwright.ui.core.single_instance import NoResponse

pytestmark = pytest.mark.gui


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (NoResponse(), "Batchwright is already running, but does not respond."),
        (
            OSError(errno.ENOSPC, "No space left", "/data"),
            "Batchwright cannot store its data in /data: No space left",
        ),
    ],
)
@pytest.mark.usefixtures("qtbot")
def test_an_error_at_the_start_is_printed_and_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, expected: str
) -> None:
    shown: list[str] = []

    def run_program(_files: Sequence[Path]) -> int:
        raise error

    def close_box() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        shown.append(box.text())
        box.accept()

    monkeypatch.setattr(window, "run_program", run_program)
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    QTimer.singleShot(0, close_box)
    assert window.run(Namespace(files=[])) == 2
    printed = capsys.readouterr().err.strip()
    assert printed.startswith(expected)
    assert shown == [printed]
