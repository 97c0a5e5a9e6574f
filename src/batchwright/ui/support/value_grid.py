"""Rows of names and values, such as versions, and the rows of the program's folders."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QGridLayout, QWidget

from batchwright.base.i18n import _
from batchwright.base.logging import log_folder
from batchwright.local.paths import Folders
from batchwright.ui.core.desktop import open_file
from batchwright.ui.theme import theme
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.notices import NoticeManager
from batchwright.ui.widgets.text import ElidedLabel, Label


class ValueGrid(QWidget):
    """Rows of name, value and an optional button, aligned in columns."""

    def __init__(self, rows: Sequence[tuple[str, QWidget, QWidget | None]]) -> None:
        super().__init__()
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setColumnStretch(1, 1)
        for number, (name, value, button) in enumerate(rows):
            self._layout.addWidget(Label(name, tone="text2"), number, 0)
            self._layout.addWidget(value, number, 1)
            if button is not None:
                self._layout.addWidget(button, number, 2)
        theme().on_changed(self._update_spacing)
        self._update_spacing()

    def _update_spacing(self) -> None:
        self._layout.setHorizontalSpacing(theme().px(16))
        self._layout.setVerticalSpacing(theme().px(8))
        self._layout.setColumnMinimumWidth(0, theme().px(72))


def folder_grid(folders: Folders, notices: NoticeManager) -> ValueGrid:
    """The folders of the program; each can be opened."""
    rows = ((_("Data"), folders.data), (_("Log"), log_folder()), (_("Cache"), folders.cache))
    return ValueGrid([_folder_row(name, path, notices) for name, path in rows])


def _folder_row(name: str, path: Path, notices: NoticeManager) -> tuple[str, QWidget, QWidget]:
    button = Button(_("Open"), height=ButtonSize.SMALL, glyph="folder-open")
    button.setAccessibleName(_("Open the folder “{name}”").format(name=name))
    button.clicked.connect(partial(_open_folder, path, notices))
    return name, ElidedLabel(str(path), in_middle=True), button


def _open_folder(path: Path, notices: NoticeManager) -> None:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)  # the log folder is created with the first line
    open_file(notices, path)
