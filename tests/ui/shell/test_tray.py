"""Tray notifications: only for successes and errors, and only while the window is in the background."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.shell.tray import NotificationMarkup, Tray, TrayIcon
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from tests.local.login_sessions import Session, needs_programs


class FakeIcon(TrayIcon):
    """Records the notifications."""

    has_tray = True

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.messages: list[Notice] = []

    @property
    def can_show_messages(self) -> bool:
        return self.has_tray

    def show_notice(self, notice: Notice) -> None:
        self.messages.append(notice)


class Desktop:
    """A desktop with a tray, whose window is in the foreground or not."""

    def __init__(self, *, has_tray: bool = True) -> None:
        self.icons: list[FakeIcon] = []
        self.is_in_front = False
        self._has_tray = has_tray
        self.tray = Tray(create_icon=self._create_icon, is_in_front=lambda: self.is_in_front)
        self.requested_windows: list[QWidget] = []
        self.tray.window_requested.connect(self.requested_windows.append)

    @property
    def messages(self) -> list[Notice]:
        return [notice for icon in self.icons for notice in icon.messages]

    def _create_icon(self, parent: QObject) -> FakeIcon:
        icon = FakeIcon(parent)
        icon.has_tray = self._has_tray
        self.icons.append(icon)
        return icon


FINISHED = Notice(NoticeSeverity.SUCCESS, "Import reviews.csv", "398 accepted")
FAILED = Notice(NoticeSeverity.ERROR, "The service did not answer.")


def test_background_results_are_shown_as_tray_notifications(qtbot: QtBot) -> None:
    desktop, window = Desktop(), QWidget()
    qtbot.addWidget(window)
    desktop.tray.show_notice(window, FINISHED)
    desktop.tray.show_notice(window, FAILED)
    assert desktop.messages == [FINISHED, FAILED]
    assert len(desktop.icons) == 1


def test_a_foreground_window_shows_no_tray_notification(qtbot: QtBot) -> None:
    desktop, window = Desktop(), QWidget()
    qtbot.addWidget(window)
    desktop.is_in_front = True
    desktop.tray.show_notice(window, FINISHED)
    assert desktop.icons == []


def test_hints_are_not_shown_as_tray_notifications(qtbot: QtBot) -> None:
    desktop, window = Desktop(), QWidget()
    qtbot.addWidget(window)
    desktop.tray.show_notice(window, Notice(NoticeSeverity.INFO, "Press F8 for the next problem"))
    assert desktop.icons == []


def test_clicking_a_notification_shows_its_window(qtbot: QtBot) -> None:
    desktop, first, second = Desktop(), QWidget(), QWidget()
    for window in (first, second):
        qtbot.addWidget(window)
    desktop.tray.show_notice(first, FINISHED)
    desktop.tray.show_notice(second, FAILED)
    desktop.icons[0].messageClicked.emit()
    assert desktop.requested_windows == [second]
    desktop.icons[0].activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert desktop.requested_windows == [second, second]


def test_without_a_tray_nothing_is_shown(qtbot: QtBot) -> None:
    desktop, window = Desktop(has_tray=False), QWidget()
    qtbot.addWidget(window)
    desktop.tray.show_notice(window, FINISHED)
    assert desktop.messages == []


def test_a_screen_without_a_tray_is_detected(qtbot: QtBot) -> None:
    parent = QObject()
    assert not TrayIcon(parent).can_show_messages, "the offscreen platform has none"


@pytest.mark.parametrize(
    ("reads_markup", "shown"),
    [
        (True, "R&amp;D &lt;b&gt;x&lt;/b&gt; \N{REPLACEMENT CHARACTER}"),
        (False, "R&D <b>x</b> \N{REPLACEMENT CHARACTER}"),
    ],
)
def test_a_message_is_shown_verbatim_with_and_without_markup_support(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, reads_markup: bool, shown: str
) -> None:
    def ask(_markup: NotificationMarkup, answer: Callable[[bool], object]) -> None:
        answer(reads_markup)

    messages: list[tuple[str, str]] = []
    monkeypatch.setattr(NotificationMarkup, "query", ask)
    monkeypatch.setattr(TrayIcon, "show", lambda _icon: None)  # this screen has no tray
    monkeypatch.setattr(
        TrayIcon, "showMessage", lambda _icon, title, line, _sign: messages.append((title, line))
    )
    parent = QObject()
    TrayIcon(parent).show_notice(Notice(NoticeSeverity.ERROR, "R&D\nImport", "R&D <b>x</b> \u202e"))
    assert messages == [("R&D Import", shown)]


DESKTOP = """
import sys
from jeepney import HeaderFields, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

bus = open_dbus_connection("SESSION")
for name in ("org.kde.StatusNotifierWatcher", "org.freedesktop.Notifications"):
    bus.send_and_get_reply(message_bus.RequestName(name))
print("ready", flush=True)
while True:
    asked = bus.receive()
    if asked.header.fields.get(HeaderFields.member) == "GetCapabilities":
        bus.send(new_method_return(asked, "as", (sys.argv[1].split(),)))
"""

QUERY = """
from PySide6.QtCore import QCoreApplication, QTimer
from batchwright.ui.shell.tray import NotificationMarkup

app = QCoreApplication([])
markup = NotificationMarkup(app)

def answer(reads_markup):
    print(reads_markup)
    QTimer.singleShot(0, app.quit)

QTimer.singleShot(0, lambda: markup.query(answer))
app.exec()
"""


@needs_programs
@pytest.mark.parametrize(
    ("capabilities", "reads_markup"),
    [("body actions body-markup", "True"), ("body actions", "False"), ("", "False")],
)
def test_markup_support_of_the_desktop_is_detected(
    tmp_path: Path, capabilities: str, reads_markup: str
) -> None:
    session = Session(tmp_path)
    with session.running:
        session.start_bus()
        if capabilities:
            desktop = session.start(sys.executable, "-c", DESKTOP, capabilities)
            assert desktop.stdout is not None
            assert desktop.stdout.readline() == b"ready\n"
        assert session.run(QUERY).strip() == reads_markup
