"""PySide6 must keep reference counts balanced: 6.12 on Python 3.11 does not, and the process aborts."""

import sys

import pytest
from PySide6.QtCore import QObject, Signal

pytestmark = pytest.mark.gui


class Sender(QObject):
    sent = Signal()


def test_void_calls_and_signals_keep_reference_counts() -> None:
    sender = Sender()
    constants = (None, True, False)
    before = [sys.getrefcount(constant) for constant in constants]
    for _ in range(200):
        sender.setObjectName("x")
        sender.sent.emit()
    after = [sys.getrefcount(constant) for constant in constants]
    assert all(now > then - 50 for then, now in zip(before, after, strict=True))
