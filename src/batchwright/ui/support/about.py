"""The dialog about the program: versions, folders, licences."""

import asyncio
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication

from batchwright.base.i18n import _
from batchwright.base.program_info import Licence, commit, licences, program_version, versions
from batchwright.local.paths import Folders
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.support.texts_dialog import TextsDialog
from batchwright.ui.support.value_grid import ValueGrid, folder_grid
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.text import Label


class AboutDialog(Dialog):
    """Shows version, commit, Qt, Python and folders; each folder can be opened."""

    help_address = "privacy.md#what-is-stored-where"

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
        self.add(ValueGrid([(name, _value(name, text), None) for name, text in shown.items()]))
        self.add(column(6, Label(_("Folders"), TextRole.SECTION), gap=0))
        self.add(folder_grid(folders, context.notices))

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


def _value(name: str, text: str) -> Label:
    """A value that can be copied."""
    label = Label(text, tabular=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setAccessibleDescription(name)
    return label


async def show_about(context: StageContext, folders: Folders) -> None:
    """Show the dialog over a window."""
    program_versions = await asyncio.to_thread(versions)
    await AboutDialog(context, folders, program_versions).ask(context.window)
