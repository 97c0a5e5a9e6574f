"""The dialog about the program: versions, folders, licences."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from batchwright.base.i18n import _
from batchwright.base.logging import log_folder
from batchwright.base.program_info import Licence, commit, licences, program_version, versions
from batchwright.local.paths import Folders
from batchwright.ui.core.desktop import open_file
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.support.texts_dialog import TextsDialog
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs import WIDE, Dialog
from batchwright.ui.widgets.text import ElidedLabel, Label


def folder_rows(folders: Folders) -> tuple[tuple[str, Path], ...]:
    """The folders of the program with their names."""
    return (
        (_("Data"), folders.data),
        (_("Log"), log_folder()),
        (_("Cache"), folders.cache),
    )


class AboutDialog(Dialog):
    """Shows version, commit, Qt, Python and folders; each folder can be opened."""

    def __init__(self, context: StageContext, folders: Folders, program_versions: Mapping[str, str]) -> None:
        super().__init__(
            _("Batchwright {version}").format(version=program_version()),
            _("Design, check and run annotation tasks, and collect their results."),
            _("Close"),
            width=WIDE,
        )
        self._context, self._versions = context, {"Qt": qVersion(), **program_versions}
        self.cancel_button.hide()
        self._licences_button = Button(_("Licences"), height=ButtonSize.DIALOG)
        self._licences_button.clicked.connect(self._show_licences)
        copy = Button(_("Copy versions"), height=ButtonSize.DIALOG)
        copy.clicked.connect(self._copy_versions)
        self.add_side_button(self._licences_button)
        self.add_side_button(copy)
        shown = {
            _("Commit"): commit() or _("unknown"),
            "Qt": self._versions["Qt"],
            "Python": self._versions["Python"],
            _("System"): self._versions["System"],
            _("Licence"): "MIT",
        }
        self.add(_Grid([(name, _value(name, text), None) for name, text in shown.items()]))
        self.add(column(6, Label(_("Folders"), TextRole.SECTION), gap=0))
        self.add(_Grid([self._folder_row(name, path) for name, path in folder_rows(folders)]))

    def _folder_row(self, name: str, path: Path) -> tuple[str, QWidget, QWidget]:
        button = Button(_("Open"), height=ButtonSize.SMALL, glyph="folder-open")
        button.setAccessibleName(_("Open the folder “{name}”").format(name=name))
        button.clicked.connect(partial(self._open_folder, path))
        return name, _value(name, str(path), in_middle=True), button

    def _open_folder(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)  # the log folder is created with the first line
        open_file(self._context.toasts, path)

    def _copy_versions(self) -> None:
        lines = (f"{name}: {text}" for name, text in self._versions.items() if text)
        QGuiApplication.clipboard().setText("\n".join(lines))
        self._context.shell.show_message(_("Versions copied"))

    def _show_licences(self) -> None:
        async def show() -> None:
            await LicencesDialog(await asyncio.to_thread(licences)).ask(self._context.window)

        self._context.tasks.start("show licences", show)


class LicencesDialog(TextsDialog):
    """Shows the licence of the program and of each component."""

    def __init__(self, shown: Sequence[Licence]) -> None:
        super().__init__(
            _("Licences"),
            _("Batchwright is free software. It includes the components listed here."),
            _("Close"),
            list_label=_("Component"),
            text_label=_("Licence text"),
            texts=[
                (f"{part.name} {part.version}  ·  {part.kind}", part.text or _missing_text(part))
                for part in shown
            ],
        )
        self.cancel_button.hide()


def _missing_text(part: Licence) -> str:
    text = _("{name} is used under this licence: {kind}. Its package includes no text of the licence.")
    return text.format(name=part.name, kind=part.kind)


class _Grid(QWidget):
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


def _value(name: str, text: str, *, in_middle: bool = False) -> Label:
    """A value that can be copied; an elided one shows its full text in the tooltip."""
    if in_middle:
        return ElidedLabel(text, in_middle=True)
    label = Label(text, tabular=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setAccessibleDescription(name)
    return label


async def show_about(context: StageContext, folders: Folders) -> None:
    """Show the dialog over a window."""
    program_versions = await asyncio.to_thread(versions)
    await AboutDialog(context, folders, program_versions).ask(context.window)
