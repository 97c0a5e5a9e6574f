"""The commands of the window as rows of a table: id, text, shortcut, function and enabled condition.

Menus, shortcuts and the command palette are all generated from the rows, so that every command is in a menu,
shows its shortcut, and is found by name. A shortcut that is given twice is an error.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from batchwright.base.i18n import N_, _
from batchwright.ui.core.access_keys import set_access_keys
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.theme.glyphs import icon
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.text import literal

if TYPE_CHECKING:  # asyncio takes longer to import than the window takes to be painted
    from batchwright.ui.core.background_tasks import Tasks

S = TypeVar("S")


class Menu(Enum):
    """The menus, in the order of the menu bar; one without actions is hidden."""

    FILE = N_("File")
    EDIT = N_("Edit")
    INSERT = N_("Insert")
    PAGE = N_("Page")
    RUN = N_("Run")
    VIEW = N_("View")
    HELP = N_("Help")


class Submenu(Enum):
    """Submenus; without them, some menus would be too long for a small window."""

    ITEM_TYPE = N_("Change type")
    FIND = N_("Find")
    PROBLEMS = N_("Problems")
    COPY = N_("Save a copy")
    TEMPLATES = N_("Templates and blocks")
    DATA = N_("Data file and schema")
    DATASET = N_("Dataset")
    BATCH = N_("Batch")
    COLLECTION = N_("Collection")
    RESULTS = N_("Results")
    JOBS = N_("Jobs")
    FEEDBACK = N_("Feedback")


NOT_AVAILABLE = N_("Not available now")


@dataclass(frozen=True)
class MenuSection:
    """Adjacent actions of a menu or of one of its submenus; a separator divides it from the next section."""

    menu: Menu
    order: int = 0
    """Sections of a menu are sorted by this number; each submenu is where its first section is."""
    submenu: Submenu | None = None

    @property
    def title(self) -> str:
        """The titles of the menu and of the submenu."""
        menu = _(self.menu.value)
        return menu if self.submenu is None else f"{menu} › {_(self.submenu.value)}"


@dataclass(frozen=True)
class Condition(Generic[S]):
    """Whether an action is enabled for a subject, and what to do first if it is not."""

    test: Callable[[S], bool]
    reason: str | Callable[[S], str] = NOT_AVAILABLE
    """A text marked with `N_`, or a function that returns a translated text."""
    in_stage_only: bool = False
    """Whether it is about what is selected in a stage, so that its actions are disabled until the stage is
    opened. Any other action of a stage that was not opened opens it first."""

    def __call__(self, subject: S) -> bool:
        """Whether the action is enabled."""
        return self.test(subject)

    def disabled_reason(self, subject: S) -> str:
        """Why the action is disabled, translated; empty if it is enabled."""
        if self.test(subject):
            return ""
        return _(self.reason) if isinstance(self.reason, str) else self.reason(subject)


def condition(
    reason: str | Callable[[Any], str] = NOT_AVAILABLE, *, in_stage_only: bool = False
) -> Callable[[Callable[[S], bool]], Condition[S]]:
    """A decorator that makes a condition of a function."""
    return lambda test: Condition(test, reason, in_stage_only)


ALWAYS: Condition[Any] = Condition(lambda _subject: True)


@dataclass(frozen=True)
class Action(Generic[S]):
    """A command on a subject, which is usually the state of a stage or a context.

    Tables of stages are listed before the stage is imported (`shell.unopened`), so they import nothing of it.

    Texts are translated when they are shown, so a table marks them with `N_`. `text` and `condition` are
    evaluated again whenever the subject changes, so that Undo can name what it undoes.
    """

    id: str
    text: str | Callable[[S], str]
    """A function may be called with None for a stage that was not opened (see `Condition.in_stage_only`)."""
    run: Callable[[S], object]
    """Called with the subject. If it returns a coroutine, that runs as a task named after the action's
    id: it is not started again while it is running, and its error is shown."""
    section: MenuSection
    glyph: str = ""
    condition: Condition[S] = ALWAYS
    shortcut: str = ""
    checked: Callable[[S], bool] | None = None
    """For an action that switches something on and off: whether it is on."""
    role: QAction.MenuRole = QAction.MenuRole.NoRole
    """The role of the action in the application menu on macOS."""
    entries: "Callable[[S], Iterable[PaletteEntry]] | None" = None
    """For an action that opens a list, such as recent studies: its entries, determined when the submenu
    opens."""


@dataclass(frozen=True)
class _Bound:
    """An action with its subject and its `QAction`."""

    action: Action[Any]
    subject: Any
    qaction: QAction
    start: Callable[[str, Callable[[], Any]], object]
    """Calls a function; if it returns a coroutine, runs that as a task of the given name."""
    is_placeholder: bool
    """Whether it is replaced when the stage of the action is opened."""

    def refresh(self, *, is_suspended: bool) -> None:
        action, subject = self.action, self.subject
        if not isinstance(action.text, str):
            self.qaction.setText(literal(self.text))
        self.qaction.setEnabled(not is_suspended and action.condition(subject))
        if action.checked is not None:
            self.qaction.setChecked(action.checked(subject))

    @property
    def text(self) -> str:
        """The current text, translated."""
        text = self.action.text
        return _(text) if isinstance(text, str) else text(self.subject)

    @property
    def disabled_reason(self) -> str:
        """Why it is disabled, translated; empty if it is enabled."""
        return self.action.condition.disabled_reason(self.subject)

    def run(self) -> None:
        if not self.action.condition(self.subject):
            return
        self.start(self.action.id, partial(self.action.run, self.subject))


@dataclass(frozen=True)
class PaletteEntry:
    """An entry of the command palette, or of a submenu that lists things."""

    text: str
    menu: str
    glyph: str
    shortcut: str
    disabled_reason: str
    """Why it is disabled; empty if it is enabled."""
    run: Callable[[], None]


class Actions(QObject):
    """All actions of one window."""

    added = Signal()
    _refresh_posted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._bound: dict[str, _Bound] = {}
        self._menus: dict[Menu, QMenu] = {}
        self._submenus: dict[Submenu, QMenu] = {}
        self._is_suspended = False
        self._is_stale = False
        """Whether a subject has changed since the last refresh."""
        self._refresh_posted.connect(self.refresh_if_stale, Qt.ConnectionType.QueuedConnection)
        self._tasks: Tasks | None = None

    def run_tasks_in(self, tasks: "Tasks") -> None:
        """Set the object that runs the coroutines of actions; until then, none can be run."""
        self._tasks = tasks

    def add(self, subject: S, table: Iterable[Action[S]], on: SignalInstance | None = None) -> None:
        """Add the actions of a table for `subject`; `on` is emitted when the subject changes.

        Raises:
            ValueError: an action with the same id or the same shortcut exists already.
        """
        self._add(subject, table, on, are_placeholders=False)

    def add_placeholders(self, subject: S, table: Iterable[Action[S]], on: SignalInstance) -> None:
        """Add actions that stand for others of the same ids, until those are added; like `add`."""
        self._add(subject, table, on, are_placeholders=True)

    def _add(
        self, subject: S, table: Iterable[Action[S]], on: SignalInstance | None, *, are_placeholders: bool
    ) -> None:
        shortcuts = {bound.action.shortcut: id for id, bound in self._bound.items() if bound.action.shortcut}
        for action in table:
            before = self._bound.pop(action.id, None)  # so that the order is that of the tables
            if before is not None and not before.is_placeholder:
                raise ValueError(f"two actions are called {action.id}")
            if shortcuts.get(action.shortcut, action.id) != action.id:
                raise ValueError(f"two actions have the key {action.shortcut}, {action.id} for one")
            if action.shortcut:
                shortcuts[action.shortcut] = action.id
            qaction = QAction(self) if before is None else before.qaction
            bound = _Bound(action, subject, qaction, self._start, are_placeholders)
            self._bound[action.id] = bound
            if before is None:
                self._prepare_qaction(action, qaction)
            self._show(bound)
        if on is not None:
            on.connect(self.refresh_soon)
        self.added.emit()

    def refresh(self) -> None:
        """Update the text, the enabled state and the checked state of every action."""
        self._is_stale = False
        for bound in self._bound.values():
            bound.refresh(is_suspended=self._is_suspended)
        for menu in (*self._menus.values(), *self._submenus.values()):
            if menu.isVisible():
                set_access_keys(menu.actions())

    def refresh_soon(self) -> None:
        """Update every action before the next event of the user, once for any number of changes."""
        if not self._is_stale:
            self._is_stale = True
            self._refresh_posted.emit()

    def refresh_if_stale(self) -> None:
        """Update every action now if a subject has changed: before a shortcut, or when the state is read."""
        if self._is_stale:
            self.refresh()

    def set_suspended(self, *, is_suspended: bool) -> None:
        """Disable all actions, and so their shortcuts, while a dialog is open."""
        self._is_suspended = is_suspended
        self.refresh()

    def run(self, id: ActionId) -> None:
        """Run an action by its id, if it is enabled."""
        self._bound[id].run()

    def has(self, id: str) -> bool:
        """Whether there is an action with this id."""
        return id in self._bound

    def disabled_reason(self, id: str) -> str:
        """Why an action is disabled; empty if it is enabled."""
        return self._bound[id].disabled_reason

    def qaction(self, id: str) -> QAction:
        """The `QAction` of an action, for a button that does the same."""
        self.refresh_if_stale()
        return self._bound[id].qaction

    def palette_entries(self) -> Iterator[PaletteEntry]:
        """The entries of the command palette, in the order of the menus."""
        for menu in Menu:
            for bound in self._in_menu(menu):
                if bound.action.entries is not None:
                    continue  # the palette has a section of its own for its entries
                yield PaletteEntry(
                    text=bound.text,
                    menu=bound.action.section.title,
                    glyph=bound.action.glyph,
                    shortcut=bound.qaction.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
                    disabled_reason=bound.disabled_reason,
                    run=bound.run,
                )

    def fill_menus(self, bar: QMenuBar) -> None:
        """Fill the menus of the menu bar; menus that exist already are reused."""
        for menu in Menu:
            entries, qmenu = self._in_menu(menu), self._menu(menu, bar)
            qmenu.clear()
            qmenu.menuAction().setVisible(bool(entries))
            for entry in entries:
                if entry.action.section.submenu is not None:
                    self._submenu(entry.action.section.submenu, qmenu).clear()
            previous: dict[QMenu, MenuSection] = {}
            for bound in entries:
                section, target = bound.action.section, qmenu
                if section.submenu is not None:
                    target = self._submenu(section.submenu, qmenu)
                    if target.isEmpty():
                        _separate(qmenu, previous.get(qmenu), section)
                        qmenu.addMenu(target)
                        previous[qmenu] = section
                _separate(target, previous.get(target), section)
                target.addAction(bound.qaction)
                previous[target] = section
        set_access_keys(bar.actions())

    def _start(self, name: str, function: Callable[[], object]) -> None:
        if self._tasks is not None and name in self._tasks.running:
            return
        result = function()
        if iscoroutine(result):
            if self._tasks is None:
                result.close()
                raise RuntimeError(f"{name} runs as a task, and there is nothing that runs tasks yet")
            self._tasks.start(name, lambda: result)

    def _menu(self, menu: Menu, bar: QMenuBar) -> QMenu:
        if menu not in self._menus:
            qmenu = self._menus[menu] = bar.addMenu(_(menu.value))
            self._explain_disabled(qmenu)
            qmenu.aboutToShow.connect(self.refresh)
            qmenu.aboutToShow.connect(lambda: set_access_keys(qmenu.actions()))
        return self._menus[menu]

    def _submenu(self, submenu: Submenu, inside: QMenu) -> QMenu:
        if submenu not in self._submenus:
            qmenu = self._submenus[submenu] = QMenu(_(submenu.value), inside)
            self._explain_disabled(qmenu)
            qmenu.aboutToShow.connect(lambda: set_access_keys(qmenu.actions()))
        return self._submenus[submenu]

    def _explain_disabled(self, qmenu: QMenu) -> None:
        """Let the tooltips of a menu's entries say why they are disabled, as of when it is shown."""

        def explain() -> None:
            for bound in self._bound.values():
                bound.qaction.setToolTip(tooltip_text(bound.disabled_reason))

        qmenu.setToolTipsVisible(True)
        qmenu.aboutToShow.connect(explain)

    def _in_menu(self, menu: Menu) -> list[_Bound]:
        bound_actions = [bound for bound in self._bound.values() if bound.action.section.menu is menu]
        return sorted(bound_actions, key=lambda bound: bound.action.section.order)

    def _prepare_qaction(self, action: Action[Any], qt: QAction) -> None:
        """Set what never changes."""
        qt.setObjectName(action.id)
        qt.setShortcut(QKeySequence(action.shortcut))
        qt.setMenuRole(action.role)
        qt.triggered.connect(lambda: self._bound[action.id].run())
        self._window.addAction(qt)

    def _show(self, bound: _Bound) -> None:
        action, qt = bound.action, bound.qaction
        qt.setText(literal(bound.text))
        qt.setCheckable(action.checked is not None)
        if action.entries is not None:
            self._add_list_menu(bound, action.entries)
        if action.glyph:
            qt.setIcon(icon(action.glyph))
        bound.refresh(is_suspended=self._is_suspended)

    def _add_list_menu(self, bound: _Bound, offers: Callable[[Any], Iterable[PaletteEntry]]) -> None:
        menu = QMenu(self._window)
        bound.qaction.setMenu(menu)

        def show() -> None:
            menu.clear()
            for offer in offers(bound.subject):
                entry = menu.addAction(f"{literal(offer.text)}\t{literal(offer.menu)}")
                entry.triggered.connect(lambda _is_checked=False, choose=offer.run: choose())
            if menu.isEmpty():
                menu.addAction(_("Nothing yet")).setEnabled(False)

        menu.aboutToShow.connect(show)


def _separate(menu: QMenu, previous: MenuSection | None, after: MenuSection) -> None:
    """Add a separator between two sections, but not between two submenus."""
    if previous is None or previous.order == after.order:
        return
    are_submenus = previous.submenu is not None and after.submenu is not None
    if not are_submenus or previous.submenu is after.submenu:
        menu.addSeparator()
