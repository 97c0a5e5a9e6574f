"""Messages in the system's tray: only for what finished or failed, and only while nobody looks."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.kit.notices import Mood, Notice
from batchwright.ui.shell.tray import Tray, TrayIcon


class FakeIcon(TrayIcon):
    """Keeps what it is to tell."""

    has_tray = True

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.told: list[Notice] = []

    @property
    def can_tell(self) -> bool:
        return self.has_tray

    def tell(self, notice: Notice) -> None:
        self.told.append(notice)


class Desktop:
    """A desktop with a tray, and a person who may look elsewhere."""

    def __init__(self, *, has_tray: bool = True) -> None:
        self.icons: list[FakeIcon] = []
        self.is_in_front = False
        self._has_tray = has_tray
        self.tray = Tray(make_icon=self._make, is_in_front=lambda: self.is_in_front)
        self.wanted: list[QWidget] = []
        self.tray.wanted.connect(self.wanted.append)

    @property
    def told(self) -> list[Notice]:
        return [notice for icon in self.icons for notice in icon.told]

    def _make(self, parent: QObject) -> FakeIcon:
        icon = FakeIcon(parent)
        icon.has_tray = self._has_tray
        self.icons.append(icon)
        return icon


DONE = Notice(Mood.DONE, "Import reviews.csv", "398 accepted")
FAILED = Notice(Mood.FAILED, "The service did not answer.")


def test_what_ends_while_nobody_looks_is_told_by_the_tray(qtbot: QtBot) -> None:
    desktop, window = Desktop(), QWidget()
    qtbot.addWidget(window)
    desktop.tray.tell(window, DONE)
    desktop.tray.tell(window, FAILED)
    assert desktop.told == [DONE, FAILED]
    assert len(desktop.icons) == 1


def test_who_looks_at_the_window_needs_no_tray(qtbot: QtBot) -> None:
    desktop, window = Desktop(), QWidget()
    qtbot.addWidget(window)
    desktop.is_in_front = True
    desktop.tray.tell(window, DONE)
    assert desktop.icons == []


def test_hints_stay_in_the_window(qtbot: QtBot) -> None:
    desktop, window = Desktop(), QWidget()
    qtbot.addWidget(window)
    desktop.tray.tell(window, Notice(Mood.INFO, "Press F8 for the next problem"))
    assert desktop.icons == []


def test_a_chosen_message_leads_to_its_window(qtbot: QtBot) -> None:
    desktop, first, second = Desktop(), QWidget(), QWidget()
    for window in (first, second):
        qtbot.addWidget(window)
    desktop.tray.tell(first, DONE)
    desktop.tray.tell(second, FAILED)
    desktop.icons[0].messageClicked.emit()
    assert desktop.wanted == [second]
    desktop.icons[0].activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert desktop.wanted == [second, second]


def test_without_a_tray_nothing_happens(qtbot: QtBot) -> None:
    desktop, window = Desktop(has_tray=False), QWidget()
    qtbot.addWidget(window)
    desktop.tray.tell(window, DONE)
    assert desktop.told == []


def test_a_screen_without_a_tray_is_known(qtbot: QtBot) -> None:
    parent = QObject()
    assert not TrayIcon(parent).can_tell, "the offscreen platform has none"
