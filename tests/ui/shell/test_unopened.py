"""Stages that were not opened: their actions are listed, and open them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage, StageContext
from batchwright.ui.shell.state import ShellState
from batchwright.ui.shell.window import Window
from tests.ui.conftest import activate_window, focused, until

pytestmark = pytest.mark.gui


class Counter(QObject):
    """The subject of the stage under test."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.count, self.is_ready = 0, True

    def add(self) -> None:
        self.count += 1
        self.changed.emit()


ADD, RUN = ActionId.LAYOUT_ADD_PAGE, MenuSection(Menu.RUN)
SELECTED: Condition[Counter] = Condition(lambda _counter: True, in_stage_only=True)
ACTIONS: tuple[Action[Counter], ...] = (
    Action(ADD, "Add one", Counter.add, RUN, "", Condition(lambda counter: counter.is_ready), "Ctrl+Shift+1"),
    Action(
        "show",
        lambda counter: "Show count" if counter is None else f"Show {counter.count}",
        lambda _counter: None,
        RUN,
        checked=lambda _counter: True,
    ),
    Action(
        "delete", "Delete selected", Counter.add, MenuSection(Menu.EDIT), condition=SELECTED, shortcut="Del"
    ),
)


class LazyStage:
    """A stage that is imported when `imported` is set."""

    def __init__(self) -> None:
        self.counter = Counter()
        self.imported = asyncio.Event()
        self.built = 0
        self.stage = Stage("run", "Run", "play-circle", self._build, load=self._load, actions=self._actions)

    async def _load(self) -> None:
        await self.imported.wait()

    async def _actions(self) -> Sequence[Action[Any]]:
        return ACTIONS

    def _build(self, context: StageContext) -> QWidget:
        self.built += 1
        context.actions.add(self.counter, ACTIONS, self.counter.changed)
        return QPushButton("the run")


class Opened:
    """A window with Home and a stage that was not opened."""

    def __init__(self, window: Window, shell: ShellState, context: StageContext) -> None:
        self.window, self.shell, self.context = window, shell, context

    def entry(self, id: str) -> tuple[str, bool, str]:
        """Text, whether it is enabled, and why not, of an action."""
        action = self.context.actions.qaction(id)
        return action.text(), action.isEnabled(), self.context.actions.disabled_reason(id)

    def notices(self) -> list[tuple[str, str]]:
        return [(card.notice.title, card.notice.text) for card in self.window.notices.cards]


@pytest.fixture
def lazy() -> LazyStage:
    return LazyStage()


@pytest.fixture
async def opened(shell: ShellState, settings: Settings, lazy: LazyStage) -> AsyncIterator[Opened]:
    home = Stage("home", "Home", "house", lambda _context: QLabel("at home"))
    window = Window(shell, [home, lazy.stage], settings)
    window.show()
    activate_window(window)
    tasks = Tasks(lambda error: pytest.fail(str(error)))
    context = window.stage_context(tasks)
    window.set_context(context)
    await window.list_actions(context)
    yield Opened(window, shell, context)
    await tasks.aclose()
    window.force_close()
    window.deleteLater()


def test_the_actions_of_a_stage_are_listed_before_it_is_opened(opened: Opened, lazy: LazyStage) -> None:
    assert opened.entry(ADD) == ("Add one", True, "")
    assert opened.entry("show") == ("Show count", True, "")
    assert opened.entry("delete") == ("Delete selected", False, "Open Run first")
    listed = {entry.text: entry.shortcut for entry in opened.context.actions.palette_entries()}
    assert listed["Add one"] == "Ctrl+Shift+1"
    assert lazy.built == 0


async def test_an_action_opens_its_stage_and_runs_there(opened: Opened, lazy: LazyStage) -> None:
    opened.context.actions.run(ADD)
    assert opened.shell.stage == "home"
    lazy.imported.set()
    await until(lambda: lazy.counter.count == 1)
    assert opened.window.is_showing_stage
    assert opened.shell.stage == "run"
    assert opened.entry("show")[0] == "Show 1"
    opened.context.actions.run(ADD)
    assert (lazy.counter.count, lazy.built) == (2, 1)


async def test_an_action_waits_for_what_its_stage_reads(opened: Opened, lazy: LazyStage) -> None:
    lazy.counter.is_ready = False
    lazy.imported.set()
    opened.context.actions.run(ADD)
    await until(lambda: lazy.built == 1)
    assert lazy.counter.count == 0
    lazy.counter.is_ready = True
    await until(lambda: lazy.counter.count == 1)


async def test_an_action_that_stays_impossible_says_why(
    opened: Opened, lazy: LazyStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchwright.ui.shell.unopened._LONGEST_WAIT_S", 0.0)
    lazy.counter.is_ready = False
    lazy.imported.set()
    opened.context.actions.run(ADD)
    await until(lambda: bool(opened.notices()))
    assert opened.notices() == [("“Add one” is not available now", "Not available now")]
    assert lazy.counter.count == 0


async def test_whoever_goes_on_to_another_stage_gets_no_action_any_more(
    opened: Opened, lazy: LazyStage
) -> None:
    opened.context.actions.run(ADD)
    await until(lambda: opened.shell.stage == "run")
    opened.shell.set_stage("home")
    lazy.imported.set()
    await until(lambda: not opened.context.tasks.running)
    assert (lazy.counter.count, lazy.built) == (0, 1)
    assert opened.window.is_showing_stage


async def test_a_stage_that_is_imported_gets_the_focus_when_it_is_there(
    opened: Opened, lazy: LazyStage
) -> None:
    opened.shell.enter_stage("run")
    assert not opened.window.is_showing_stage
    await until(lambda: opened.shell.hint == "Opening Run…")
    lazy.imported.set()
    await until(lambda: opened.window.is_showing_stage)
    button = focused()
    assert isinstance(button, QPushButton)
    assert button.text() == "the run"
    assert opened.shell.hint == ""


async def test_a_stage_that_is_needed_is_built_and_not_shown(opened: Opened, lazy: LazyStage) -> None:
    lazy.imported.set()
    opened.shell.stage_needed.emit("run")
    await until(lambda: lazy.built == 1)
    assert opened.shell.stage == "home"
    assert opened.window.is_showing_stage
    assert opened.entry(ADD) == ("Add one", True, "")
