"""The windows of the program, as a part of one window needs them; `ui.application` implements it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtWidgets import QWidget

from batchwright.ui.core.action_ids import ActionId

OPENING = "open a study"
"""Topic of the notices about files that were not opened, and name of the task that opens one."""
OPENING_DROPPED = "open what was dropped"
OPENING_TASKS = frozenset({OPENING, OPENING_DROPPED, ActionId.OPEN, ActionId.OPEN_DATA})
"""Names of the tasks that open a file; the last two are actions."""


class Windows(Protocol):
    """All windows of the program, as one of them knows them."""

    def open_window(self, files: Sequence[Path] = ()) -> object:
        """Show another window, for some files."""

    def show_file(self, path: Path, except_window: QWidget | None = None) -> bool:
        """Raise the window with a file, other than `except_window`; returns False if there is none."""

    def has_file(self, path: Path, except_window: QWidget | None = None) -> bool:
        """Whether a window other than `except_window` has a file open."""

    def quit(self) -> None:
        """Close every window, each with its own questions; the first that stays open ends it."""
