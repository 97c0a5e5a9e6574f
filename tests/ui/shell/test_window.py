"""The window: painted before its stages are built, updated from its state, closed only when allowed."""

import gc
import weakref
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell import status_line
from batchwright.ui.shell.command_palette import CommandPalette
from batchwright.ui.shell.navigation_rail import RailButton
from batchwright.ui.shell.stages import Stage, StageContext, StageStack
from batchwright.ui.shell.state import DocumentTitle, ShellState, StatusMessage
from batchwright.ui.shell.window import Window
from batchwright.ui.theme import ColorSchemePreference, Theme
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from tests.ui.conftest import LIVE, REHEARSAL, activate_window, focused

pytestmark = pytest.mark.gui

CTRL = Qt.KeyboardModifier.ControlModifier


def entry(window: Window, id: str) -> RailButton:
    return next(entry for entry in window.findChildren(RailButton) if entry.stage.id == id)


def visible_text(window: QWidget) -> list[str]:
    """All visible texts, from top to bottom and left to right."""
    return [label.text() for label in window.findChildren(QLabel) if label.isVisible() and label.text()]


@pytest.fixture
def stage_context(window: Window) -> StageContext:
    return window.stage_context(Tasks(lambda error: pytest.fail(str(error))))


def test_the_window_is_painted_before_any_stage_is_built(
    qtbot: QtBot, shell: ShellState, tmp_path: Path
) -> None:
    built: list[str] = []

    def build(_stage_context: StageContext) -> QWidget:
        built.append("home")
        return QWidget()

    window = Window(shell, [Stage("home", "Home", "house", build)], Settings(tmp_path))
    with qtbot.waitSignal(window.painted, timeout=5000):
        window.show()
    assert built == []
    window.force_close()


def test_a_stage_is_built_when_it_is_first_shown(
    window: Window, stage_context: StageContext, shell: ShellState
) -> None:
    order: list[str] = []
    window.findChildren(StageStack)[0].built.connect(order.append)
    window.set_context(stage_context)
    assert order == ["home"]
    for stage in ("jobs", "home", "jobs"):
        shell.set_stage(stage)
    assert order == ["home", "jobs"]


def test_stages_that_need_a_study_are_disabled_without_one(window: Window, shell: ShellState) -> None:
    assert not entry(window, "data").isEnabled()
    assert entry(window, "data").toolTip() == "Open or create a study first"
    shell.set_document(DocumentTitle("Preference study"))
    assert entry(window, "data").isEnabled()


def test_a_click_in_the_navigation_rail_shows_the_stage(
    qtbot: QtBot, window: Window, stage_context: StageContext, shell: ShellState
) -> None:
    window.set_context(stage_context)
    QTest.mouseClick(entry(window, "jobs"), Qt.MouseButton.LeftButton)
    assert shell.stage == "jobs"
    assert "the jobs" in visible_text(window)


def test_arrow_keys_skip_disabled_stages_in_the_navigation_rail(
    qtbot: QtBot, window: Window, shell: ShellState
) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    entry(window, "home").setFocus()
    QTest.keyClick(entry(window, "home"), Qt.Key.Key_Down)
    assert shell.stage == "jobs"


def test_a_shortcut_right_after_a_change_sees_the_state_after_it(
    qtbot: QtBot, window: Window, stage_context: StageContext
) -> None:
    class Switch(QObject):
        changed = Signal()
        is_on = False
        times = 0

        def press(self) -> None:
            self.times += 1

    switch = Switch()
    press = Action[Switch](
        "press",
        "Press",
        Switch.press,
        MenuSection(Menu.EDIT),
        condition=Condition(lambda switch: switch.is_on),
        shortcut="Ctrl+Alt+P",
    )
    stage_context.actions.add(switch, (press,), switch.changed)
    with qtbot.waitActive(window):
        window.activateWindow()
    for is_on in (False, True, False, True):
        switch.is_on = is_on
        switch.changed.emit()
        QTest.keyClick(window, Qt.Key.Key_P, CTRL | Qt.KeyboardModifier.AltModifier)
    assert switch.times == 2


def test_the_header_shows_the_study_and_whether_it_is_saved(window: Window, shell: ShellState) -> None:
    assert "Batchwright" in visible_text(window)
    shell.set_document(DocumentTitle("Preference study", is_saved=False))
    assert {"Preference study", "●"} <= set(visible_text(window))
    assert window.isWindowModified()


def test_the_header_shows_the_file_and_folder_of_the_study(window: Window, shell: ShellState) -> None:
    window.resize(1440, 900)
    shell.set_document(DocumentTitle("Cats", path=Path.home() / "May" / "cats 2.batchwright"))
    assert {"cats 2", ".batchwright", "~/May"} <= set(visible_text(window))
    assert "Cats" not in visible_text(window)
    QApplication.processEvents()
    shown = {label.text(): label for label in window.findChildren(QLabel)}
    name, suffix = shown["cats 2"], shown[".batchwright"]
    assert suffix.x() == name.x() + name.width(), "the name of the file has a gap in it"
    assert window.windowTitle() == "cats 2.batchwright[*] (~/May) – Batchwright"
    shell.set_document(DocumentTitle("Cats", path=Path("/data/pages [*].json")))
    assert window.windowTitle() == f"pages [*][*].json[*] ({Path('/data')}) – Batchwright"


def dropped(window: Window, *paths: Path) -> bool:
    """Drop files on the middle of the stage; return whether they were accepted."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    at, copy, left = QPoint(500, 400), Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(at, copy, mime, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window.childAt(at) or window, enter)
    if enter.isAccepted():
        drop = QDropEvent(at.toPointF(), copy, mime, left, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(window.childAt(at) or window, drop)
    return enter.isAccepted()


def test_a_file_can_be_dropped_on_any_stage(
    window: Window, stage_context: StageContext, shell: ShellState
) -> None:
    dropped_files: list[tuple[Path, ...]] = []
    shell.files_dropped.connect(dropped_files.append)
    window.set_context(stage_context)
    for stage in ("home", "jobs"):
        shell.set_stage(stage)
        assert dropped(window, Path("/data/a.csv"))
    assert dropped_files == [(Path("/data/a.csv"),)] * 2
    assert shell.hint == ""
    window.suspend_shortcuts(is_suspended=True)
    assert not dropped(window, Path("/data/a.csv"))
    window.suspend_shortcuts(is_suspended=False)


def test_the_connection_badge_has_an_accessible_name(window: Window, shell: ShellState) -> None:
    names = {button.accessibleName() for button in window.findChildren(QWidget)}
    assert "Rehearsal, This computer" in names
    shell.set_connection(LIVE)
    names = {button.accessibleName() for button in window.findChildren(QWidget)}
    assert "Live, api.example.org" in names


def menu_of(window: Window, name: str) -> QMenu:
    """Open and return the menu of a button in the header."""
    (button,) = (button for button in window.findChildren(QPushButton) if button.accessibleName() == name)
    button.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_the_connection_badge_opens_the_menu_of_connections(
    qtbot: QtBot, window: Window, shell: ShellState
) -> None:
    shell.set_connections((REHEARSAL, LIVE))
    menu = menu_of(window, "Rehearsal, This computer")
    here, there, _line, add = menu.actions()
    assert here.text() == "This computer\tRehearsal, requests go here"
    assert there.text() == "api.example.org\tLive"
    with qtbot.waitSignal(shell.connection_requested) as requested:
        there.trigger()
    assert requested.args == ["api.example.org"]
    with qtbot.waitSignal(shell.new_connection_requested):
        add.trigger()
    menu.close()


def test_the_workspace_id_is_abbreviated_and_copied_in_full(window: Window, shell: ShellState) -> None:
    id = "65f0aa12cc34de56f7a8b901"
    shell.set_connection(replace(LIVE, workspace=id))
    menu = menu_of(window, f"Workspace: {id}")
    copy, change = menu.actions()
    copy.trigger()
    assert QApplication.clipboard().text() == id
    requests: list[bool] = []
    shell.connection_change_requested.connect(lambda: requests.append(True))
    change.trigger()
    assert requests == [True]
    menu.close()


def test_the_command_palette_shows_when_there_are_no_results(window: Window) -> None:
    window.open_command_palette()
    (finder,) = window.findChildren(CommandPalette)
    finder.show_results("zebra  crossing")
    texts = [label.text() for label in finder.findChildren(QLabel) if label.isVisible()]
    assert any("No results for “zebra crossing”" in text for text in texts)
    finder.show_results("home")
    texts = [label.text() for label in finder.findChildren(QLabel) if label.isVisible()]
    assert not any("No results for" in text for text in texts)
    finder.reject()


def test_the_window_looks_different_with_a_live_connection(window: Window, shell: ShellState) -> None:
    rehearsal = window.grab().toImage()
    shell.set_connection(LIVE)
    QApplication.processEvents()
    assert window.grab().toImage() != rehearsal


def test_a_hint_replaces_the_status_messages(qtbot: QtBot, window: Window, shell: ShellState) -> None:
    shell.set_status_messages(
        StatusMessage("Saved 12:04"), StatusMessage("No problems", "ok", "check-circle-fill")
    )
    qtbot.waitUntil(lambda: {"Saved 12:04", "No problems"} <= set(visible_text(window)))
    shell.set_hint("Release to add a row")
    qtbot.waitUntil(lambda: "Release to add a row" in visible_text(window))
    assert "No problems" not in visible_text(window)
    shell.set_hint("")
    qtbot.waitUntil(lambda: "No problems" in visible_text(window))


def test_a_message_is_announced_once_and_disappears(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, window: Window, shell: ShellState
) -> None:
    signals: list[str] = []
    monkeypatch.setattr(status_line, "announce", lambda _where, sentence: signals.append(sentence))
    monkeypatch.setattr(status_line, "_MIN_MESSAGE_MS", 0)
    shell.set_status_messages(StatusMessage("Saved"))
    qtbot.waitActive(window)
    shell.show_message("Sent reviews.csv")
    assert "Sent reviews.csv" in visible_text(window)
    assert "Saved" not in visible_text(window)
    qtbot.waitUntil(lambda: "Saved" in visible_text(window), timeout=30_000)
    assert "Sent reviews.csv" not in visible_text(window)
    assert signals == ["Sent reviews.csv"]


def test_a_message_uses_the_full_width_of_the_status_bar(window: Window, shell: ShellState) -> None:
    line, sentence = window._status, "A message that takes about half of the window's width. " * 2
    shell.show_message(sentence)
    QApplication.processEvents()
    assert line._message.width() > line.width() * 0.9
    shell.set_activity(ActivityStatus("Uploading", 0.5))
    QApplication.processEvents()
    assert line._percentage.geometry().right() > line.width() - 20


def test_the_navigation_rail_fits_a_low_window_with_large_text(window: Window, theme: Theme) -> None:
    theme.set_text_size(150)
    window.resize(1024, 700)
    QApplication.processEvents()
    entries = window.findChildren(RailButton)
    assert all(entry.height() >= entry.minimumSizeHint().height() for entry in entries)
    assert all(above.geometry().bottom() < below.y() for above, below in pairwise(entries))


def test_a_running_activity_is_shown_with_its_percentage(window: Window, shell: ShellState) -> None:
    shell.set_activity(ActivityStatus("Importing reviews.csv", 0.63))
    assert {"Importing reviews.csv", "63 %"} <= set(visible_text(window))
    shell.set_activity(None)
    assert "63 %" not in visible_text(window)


def test_the_navigation_rail_shows_the_number_of_running_jobs(window: Window, shell: ShellState) -> None:
    shell.set_job_count(2)
    assert entry(window, "jobs").accessibleDescription() == "2 running"


def test_a_narrow_window_hides_the_labels_of_the_navigation_rail(window: Window) -> None:
    window.resize(QSize(1050, 700))
    assert entry(window, "home").toolTip() == "Home"
    window.resize(QSize(1300, 700))
    assert entry(window, "home").toolTip() == ""


def test_closing_is_a_request_until_it_is_allowed(qtbot: QtBot, window: Window) -> None:
    with qtbot.waitSignal(window.close_requested):
        window.close()
    assert window.isVisible()
    window.force_close()
    assert not window.isVisible()


def test_geometry_and_stage_are_restored(
    window: Window, shell: ShellState, stages: list[Stage], settings: Settings
) -> None:
    window.resize(1200, 720)
    shell.set_stage("jobs")
    window.force_close()
    again = ShellState(shell.connection)
    second = Window(again, stages, settings)
    assert second.height() == 720  # the offscreen screen is too narrow for the width
    assert again.stage == "jobs"
    second.force_close()


def test_the_command_palette_opens_the_selected_stage(
    qtbot: QtBot, window: Window, stage_context: StageContext, shell: ShellState
) -> None:
    window.set_context(stage_context)
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_K, CTRL)
    field = focused()
    QTest.keyClicks(field, "go jobs")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert shell.stage == "jobs"
    qtbot.waitUntil(lambda: not window.findChildren(CommandPalette))


def test_shortcuts_are_disabled_while_the_command_palette_is_open(
    qtbot: QtBot, window: Window, shell: ShellState
) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    window.open_command_palette()
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    assert shell.stage == "home"
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    assert shell.stage == "jobs"


def test_closing_the_command_palette_restores_the_focus(qtbot: QtBot, window: Window) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    entry(window, "home").setFocus()
    window.open_command_palette()
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert entry(window, "home").hasFocus()


def test_f6_moves_through_the_regions_and_the_notices(qtbot: QtBot, window: Window) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    entry(window, "home").setFocus()
    window.notices.show_notice(Notice(NoticeSeverity.ERROR, "Upload stopped", "It broke at 61 %.", "Retry"))
    QTest.keyClick(window, Qt.Key.Key_F6)
    QTest.keyClick(window, Qt.Key.Key_F6)
    button = focused()
    assert isinstance(button, Button)
    assert button.text() == "Retry"
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert entry(window, "home").hasFocus()


def test_closing_a_notice_focuses_the_next_one_or_the_stage(
    qtbot: QtBot, shell: ShellState, settings: Settings
) -> None:
    fields: list[QLineEdit] = []

    def build(_stage_context: StageContext) -> QWidget:
        fields.append(QLineEdit())
        return fields[0]

    window = Window(shell, [Stage("home", "Home", "house", build)], settings)
    window.show()
    activate_window(window)
    window.set_context(window.stage_context(Tasks(lambda error: pytest.fail(str(error)))))
    assert focused() is fields[0], "the stage has the keyboard at first"
    for title in ("One", "Two"):
        window.notices.show_notice(Notice(NoticeSeverity.ERROR, title))
    first, second = window.notices.cards
    second.findChildren(Button)[-1].setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert first.isAncestorOf(focused())
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert focused() is fields[0]
    window.force_close()
    window.deleteLater()


def test_a_closed_window_is_garbage_collected(
    qtbot: QtBot, shell: ShellState, stages: list[Stage], settings: Settings, theme: Theme
) -> None:
    window = Window(shell, stages, settings)
    window.show()
    window.set_context(window.stage_context(Tasks(lambda error: pytest.fail(str(error)))))
    window.notices.show_notice(Notice(NoticeSeverity.ERROR, "Upload stopped"))
    window.open_command_palette()
    deleted = weakref.ref(window)
    window.force_close()
    window.deleteLater()
    del window
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    gc.collect()
    assert deleted() is None
    theme.set_color_scheme(ColorSchemePreference.DARK)
    shell.set_document(DocumentTitle("after"))


def test_every_action_is_in_a_menu(window: Window) -> None:
    in_menus = {
        action.objectName()
        for top in window.menuBar().actions()
        for action in top.menu().actions()  # type: ignore[attr-defined]
    }
    assert {"find", "color_scheme_dark", "text_larger", "go_home", "close_window", "next_region"} <= in_menus


def test_the_colour_scheme_is_chosen_in_the_menu_and_saved(window: Window, settings: Settings) -> None:
    offer = next(offer for offer in window.command_groups[0].entries() if offer.text == "Dark theme")
    offer.run()
    assert settings.color_scheme == "dark"


def test_reduced_motion_is_set_in_the_menu_and_saved(
    window: Window, settings: Settings, theme: Theme
) -> None:
    def press() -> None:
        next(offer for offer in window.command_groups[0].entries() if offer.text == "Reduce motion").run()

    action = window.stage_context(Tasks(lambda error: pytest.fail(str(error)))).actions.qaction(
        ActionId.REDUCE_MOTION
    )
    theme.set_animations_enabled(settings.animations_enabled)
    assert not action.isChecked()
    press()
    assert (settings.animations_enabled, theme.animations_enabled, action.isChecked()) == (False, False, True)
    press()
    assert (settings.animations_enabled, theme.animations_enabled) == (None, True)
    theme.set_system_animations_enabled(enabled=False)
    assert action.isChecked()
    press()
    assert (settings.animations_enabled, theme.animations_enabled) == (True, True)
    theme.set_system_animations_enabled(enabled=True)
    theme.set_animations_enabled(False)
