"""A button with a menu in which the columns of a table are chosen; the settings remember the choice."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from batchwright.base.i18n import _
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.text import literal


class MenuColumn(Protocol):
    """A column that can be shown or hidden."""

    @property
    def id(self) -> str:
        """The text by which the settings know it."""

    @property
    def title(self) -> str:
        """Its heading."""

    @property
    def is_default(self) -> bool:
        """Whether it is shown until the user chooses otherwise."""


C = TypeVar("C", bound=MenuColumn)


@dataclass(frozen=True)
class ColumnChoice:
    """Columns that the user has shown or hidden, by id; all others are as by default."""

    shown: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def with_column(self, id: str, *, is_shown: bool) -> "ColumnChoice":
        """The choice after a column was shown or hidden."""
        if is_shown:
            return ColumnChoice(self.shown | {id}, self.hidden - {id})
        return ColumnChoice(self.shown - {id}, self.hidden | {id})

    def shows(self, column: MenuColumn) -> bool:
        """Whether a column is shown."""
        return column.id in self.shown or (column.is_default and column.id not in self.hidden)

    def to_text(self) -> str:
        """The choice as text for the settings."""
        return json.dumps([sorted(self.shown), sorted(self.hidden)])

    @classmethod
    def from_text(cls, text: str) -> "ColumnChoice":
        """Read a choice from the settings; the default if the text is invalid."""
        try:
            shown, hidden = json.loads(text)
            return cls(frozenset(map(str, shown)), frozenset(map(str, hidden)))
        except (ValueError, TypeError):
            return cls()


class ColumnMenuButton(Button):
    """Opens a menu with a checkbox for each column; at least one column stays."""

    choice_changed = Signal()

    def __init__(self, name: str) -> None:
        """Create the button; the settings know its choice by `name`."""
        super().__init__(_("Columns"), ButtonKind.QUIET, glyph="columns")
        self.setObjectName(name)
        self.choice = ColumnChoice()
        self._columns: Sequence[MenuColumn] = ()
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)

    def set_columns(self, columns: Sequence[MenuColumn]) -> None:
        """Set the columns that can be chosen."""
        self._columns = columns

    def chosen(self, columns: Sequence[C]) -> tuple[C, ...]:
        """The columns that are shown."""
        return tuple(column for column in columns if self.choice.shows(column))

    def set_shown(self, id: str, *, is_shown: bool) -> None:
        """Show or hide a column."""
        self._set_choice(self.choice.with_column(id, is_shown=is_shown))

    def restore_text(self, text: str) -> None:
        """Restore the choice from the settings."""
        self._set_choice(ColumnChoice.from_text(text))

    def _set_choice(self, choice: ColumnChoice) -> None:
        if choice != self.choice:
            self.choice = choice
            self.choice_changed.emit()

    def _fill(self) -> None:
        self._menu.clear()
        shown = self.chosen(self._columns)
        for column in self._columns:
            action = self._add_action(column)
            action.setEnabled(column not in shown or len(shown) > 1)
        self._menu.addSeparator()
        default = self._menu.addAction(_("Default columns"))
        default.setEnabled(self.choice != ColumnChoice())
        default.triggered.connect(lambda: self._set_choice(ColumnChoice()))

    def _add_action(self, column: MenuColumn) -> QAction:
        action = self._menu.addAction(literal(column.title))
        action.setCheckable(True)
        action.setChecked(self.choice.shows(column))
        action.toggled.connect(lambda is_on, id=column.id: self.set_shown(id, is_shown=is_on))
        return action
