"""Actions: one table for menus, shortcuts and the command palette."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar
from pytestqt.qtbot import QtBot

from batchwright.ui.core.access_keys import plain_text
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Actions, Condition, Menu, MenuSection, PaletteEntry, Submenu

pytestmark = pytest.mark.gui


class Counter(QObject):
    """A subject that can be decremented until it is zero."""

    changed = Signal()

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def take(self) -> None:
        self.count -= 1
        self.changed.emit()


TAKE = ActionId.DATA_TAKE
TAKE_ONE = Action[Counter](
    TAKE,
    lambda counter: f"Take 1 of {counter.count}",
    Counter.take,
    MenuSection(Menu.EDIT, 1),
    condition=Condition(lambda counter: counter.count > 0, "Nothing is left"),
    shortcut="Ctrl+T",
)
DO_NOTHING = Action[Counter]("nothing", "Do nothing", lambda _counter: None, MenuSection(Menu.EDIT))


@pytest.fixture
def host(qtbot: QtBot) -> QMainWindow:
    host = QMainWindow()
    qtbot.addWidget(host)
    return host


@pytest.fixture
def counter() -> Counter:
    return Counter(1)


@pytest.fixture
def actions(host: QMainWindow, counter: Counter) -> Actions:
    actions = Actions(host)
    actions.add(counter, (TAKE_ONE, DO_NOTHING), counter.changed)
    return actions


def entries(bar: QMenuBar) -> list[list[str]]:
    """The texts of the entries of every menu, without access keys."""
    menus = [action.menu() for action in bar.actions() if action.isVisible()]
    return [[plain_text(entry.text()) for entry in menu.actions()] for menu in menus if menu is not None]  # type: ignore[attr-defined]


def test_a_shortcut_triggers_the_action(
    qtbot: QtBot, host: QMainWindow, actions: Actions, counter: Counter
) -> None:
    with qtbot.waitActive(host):
        host.show()
        host.activateWindow()
    QTest.keyClick(host, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    assert counter.count == 0


def test_text_and_enabled_state_follow_the_subject(actions: Actions, counter: Counter) -> None:
    assert actions.qaction(TAKE).text() == "Take 1 of 1"
    counter.take()
    assert actions.qaction(TAKE).text() == "Take 1 of 0"
    assert not actions.qaction(TAKE).isEnabled()


def test_any_number_of_changes_is_one_update(qtbot: QtBot, host: QMainWindow) -> None:
    calls: list[int] = []

    def is_enabled(counter: Counter) -> bool:
        calls.append(counter.count)
        return True

    counter, actions = Counter(9), Actions(host)
    action = Action[Counter](
        "count", "Count", Counter.take, MenuSection(Menu.EDIT), condition=Condition(is_enabled)
    )
    actions.add(counter, (action,), counter.changed)
    calls.clear()
    for _time in range(5):
        counter.take()
    assert calls == []
    qtbot.waitUntil(lambda: bool(calls))
    assert calls == [4]
    actions.refresh_if_stale()
    assert calls == [4]


def test_the_palette_sees_the_state_after_a_change(actions: Actions, counter: Counter) -> None:
    counter.take()
    counter.count = 3
    counter.changed.emit()
    assert {entry.text for entry in actions.palette_entries()} == {"Do nothing", "Take 1 of 3"}
    next(entry for entry in actions.palette_entries() if entry.text == "Take 1 of 3").run()
    assert counter.count == 2


def test_a_disabled_action_does_not_run(actions: Actions, counter: Counter) -> None:
    actions.run(TAKE)
    actions.run(TAKE)
    assert counter.count == 0


def test_a_separator_divides_the_groups_of_a_menu(host: QMainWindow, actions: Actions) -> None:
    actions.fill_menus(host.menuBar())
    assert entries(host.menuBar()) == [["Do nothing", "", "Take 1 of 1"]]


def test_empty_menus_are_hidden(host: QMainWindow, actions: Actions) -> None:
    actions.fill_menus(host.menuBar())
    assert [entry.text() for entry in host.menuBar().actions() if entry.isVisible()] == ["&Edit"]


def test_filling_the_menus_twice_changes_nothing(host: QMainWindow, actions: Actions) -> None:
    actions.fill_menus(host.menuBar())
    menus, shown = host.findChildren(QMenu), entries(host.menuBar())
    actions.fill_menus(host.menuBar())
    assert host.findChildren(QMenu) == menus
    assert entries(host.menuBar()) == shown


def test_an_open_menu_has_access_keys_that_follow_the_texts_and_the_palette_has_none(
    host: QMainWindow, actions: Actions, counter: Counter
) -> None:
    actions.fill_menus(host.menuBar())
    menu = next(found for found in host.findChildren(QMenu) if found.title() == "&Edit")
    menu.popup(host.pos())
    assert [entry.text() for entry in menu.actions()] == ["&Do nothing", "", "&Take 1 of 1"]
    counter.take()
    actions.refresh_if_stale()
    assert [entry.text() for entry in menu.actions()] == ["&Do nothing", "", "&Take 1 of 0"]
    assert {entry.text for entry in actions.palette_entries()} == {"Do nothing", "Take 1 of 0"}
    menu.close()


def test_palette_entries_have_the_disabled_reason(actions: Actions, counter: Counter) -> None:
    counter.take()
    reasons = {offer.text: offer.disabled_reason for offer in actions.palette_entries()}
    assert reasons == {"Do nothing": "", "Take 1 of 0": "Nothing is left"}


def test_a_disabled_menu_entry_says_why_in_its_tooltip(
    host: QMainWindow, actions: Actions, counter: Counter
) -> None:
    actions.fill_menus(host.menuBar())
    menu = next(found for found in host.findChildren(QMenu) if found.title() == "&Edit")
    assert menu.toolTipsVisible()
    for left, tooltip in ((1, "Take 1 of 1"), (0, "Nothing is left")):
        assert counter.count == left
        menu.popup(host.pos())
        assert actions.qaction(TAKE).toolTip() == tooltip
        menu.close()
        counter.take()


def test_a_disabled_reason_may_depend_on_the_subject(host: QMainWindow, counter: Counter) -> None:
    actions = Actions(host)
    condition = Condition[Counter](
        lambda subject: subject.count > 0, lambda subject: f"{subject.count} are left"
    )
    row = replace(TAKE_ONE, id="other", condition=condition)
    actions.add(counter, (row,), counter.changed)
    counter.take()
    assert [offer.disabled_reason for offer in actions.palette_entries()] == ["0 are left"]


def test_shortcuts_are_disabled_while_actions_are_suspended(actions: Actions) -> None:
    actions.set_suspended(is_suspended=True)
    assert not actions.qaction("nothing").isEnabled()
    actions.set_suspended(is_suspended=False)
    assert actions.qaction("nothing").isEnabled()


def test_two_actions_with_the_same_id_are_rejected(actions: Actions, counter: Counter) -> None:
    with pytest.raises(ValueError, match=TAKE):
        actions.add(counter, (TAKE_ONE,))


def test_actions_of_a_submenu_have_its_path_in_the_palette(
    host: QMainWindow, actions: Actions, counter: Counter
) -> None:
    later = Action[Counter]("later", "Do later", Counter.take, MenuSection(Menu.EDIT, 2, Submenu.JOBS))
    files = Action[Counter]("files", "Send", Counter.take, MenuSection(Menu.EDIT, 3, Submenu.FEEDBACK))
    actions.add(counter, (later, files))
    for _time in range(2):
        actions.fill_menus(host.menuBar())
        assert entries(host.menuBar()) == [["Do nothing", "", "Take 1 of 1", "", "Jobs", "Feedback"]]
    assert [menu.title() for menu in host.findChildren(QMenu) if later_in(menu)] == ["Jobs"]
    assert {offer.menu for offer in actions.palette_entries()} == {"Edit", "Edit › Jobs", "Edit › Feedback"}


def later_in(menu: QMenu) -> bool:
    return "Do later" in [entry.text() for entry in menu.actions()]


def test_a_dynamic_list_is_created_when_its_menu_opens(host: QMainWindow, counter: Counter) -> None:
    chosen: list[int] = []

    def offers(counter: Counter) -> list[PaletteEntry]:
        def entry(number: int) -> PaletteEntry:
            return PaletteEntry(f"{number} &\tmore", "there", "", "", "", lambda: chosen.append(number))

        return [entry(number) for number in range(counter.count)]

    actions = Actions(host)
    actions.add(
        counter, (Action[Counter]("all", "All", Counter.take, MenuSection(Menu.EDIT), entries=offers),)
    )
    menu = actions.qaction("all").menu()
    assert isinstance(menu, QMenu)
    counter.count = 2
    menu.aboutToShow.emit()
    assert [entry.text() for entry in menu.actions()] == ["0 && more\tthere", "1 && more\tthere"]
    menu.actions()[1].trigger()
    assert chosen == [1]
    counter.count = 0
    menu.aboutToShow.emit()
    assert [(entry.text(), entry.isEnabled()) for entry in menu.actions()] == [("Nothing yet", False)]
    assert list(actions.palette_entries()) == []


def test_an_ampersand_in_a_name_is_shown_and_is_no_mnemonic(host: QMainWindow) -> None:
    opens = Action[Counter]("open", lambda _counter: "Open R&D\tnow", Counter.take, MenuSection(Menu.FILE))
    actions = Actions(host)
    actions.add(Counter(1), (opens,))
    assert actions.qaction(ActionId.OPEN).text() == "Open R&&D now"
    assert [offer.text for offer in actions.palette_entries()] == ["Open R&D\tnow"]
