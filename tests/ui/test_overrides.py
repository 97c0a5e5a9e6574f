"""Errors in methods that Qt calls are reported, and the program continues."""

import subprocess
import sys

import pytest
from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QWidget
from typing_extensions import override

_PROGRAM = """
import sys
import batchwright.ui
from PySide6.QtCore import QAbstractListModel, QTimer
from PySide6.QtWidgets import QApplication, QListView, QProxyStyle, QVBoxLayout, QWidget

class Style(QProxyStyle):
    __module__ = "batchwright.ui.style"
    def styleHint(self, hint, option=None, widget=None, returnData=None):
        return super().styleHint(hint, option, widget, returnData)

class Faulty(QWidget):
    __module__ = "batchwright.ui.faulty"
    def showEvent(self, event):
        raise ValueError("while shown")

class Model(QAbstractListModel):
    def rowCount(self, parent=None):
        return 3
    def data(self, index, role=0):
        return None

sys.excepthook = lambda kind, error, trace: print("reported:", error)
app = QApplication([])
app.setStyle(Style("fusion"))
window = QWidget()
layout = QVBoxLayout(window)
view, model = QListView(), Model()
view.setModel(model)
layout.addWidget(Faulty())
layout.addWidget(view)
QTimer.singleShot(0, lambda: (window.show(), app.processEvents(), app.quit()))
app.exec()
print("continues")
"""


@pytest.mark.gui
def test_an_error_while_a_window_is_shown_does_not_end_the_program() -> None:
    run = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, encoding="utf-8", timeout=60)
    assert run.stdout.splitlines() == ["reported: while shown", "continues"]


class _Faulty(QWidget):
    __module__ = "batchwright.ui.faulty"

    def event(self, event: QEvent) -> bool:
        raise ValueError("event")

    @override
    def sizeHint(self) -> QSize:
        raise ValueError("sizeHint")

    def find_child(self) -> int:
        raise ValueError("find_child")


class _Special(_Faulty):
    def event(self, event: QEvent) -> bool:
        return super().event(event) or event.type() is QEvent.Type.User


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    errors: list[str] = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: errors.append(str(error)))
    return errors


@pytest.mark.gui
def test_qt_continues_with_the_result_of_its_own_method(qapp: QObject, reported: list[str]) -> None:
    assert _Faulty().sizeHint() == QWidget().sizeHint()
    assert reported == ["sizeHint"]


@pytest.mark.gui
def test_an_event_whose_handler_raised_an_error_is_not_handled_twice(
    qapp: QObject, reported: list[str]
) -> None:
    assert _Faulty().event(QEvent(QEvent.Type.User)) is False
    assert _Special().event(QEvent(QEvent.Type.User)) is True
    assert reported == ["event", "event"]


@pytest.mark.gui
def test_errors_of_other_methods_reach_their_caller(qapp: QObject, reported: list[str]) -> None:
    with pytest.raises(ValueError, match="find_child"):
        _Faulty().find_child()
    assert reported == []
