"""The support report: shown completely before it is saved as a zip file."""

import asyncio
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _, program_language
from batchwright.base.logging import log_folder
from batchwright.base.program_info import versions
from batchwright.local.support_report import ReportFile, collect_report, zip_content
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.support.texts_dialog import TextsDialog
from batchwright.ui.widgets.dialogs.dialog import info_row
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeSeverity


class ReportDialog(TextsDialog):
    """Shows the files of a report and asks whether to save them."""

    help_address = "privacy.md#report-a-fault"

    def __init__(self, files: Sequence[ReportFile]) -> None:
        super().__init__(
            _("Save a support report"),
            _(
                "Send it to the developers of Batchwright when something does not work. It contains the "
                "files shown here and nothing else."
            ),
            _("Save…"),
            list_label=_("File"),
            text_label=_("Content"),
            texts=[(file.name, file.text) for file in files],
        )
        self.add(
            info_row(
                _(
                    "Tokens, answers, records, signed URLs and user names in paths are left out. Nothing is "
                    "sent: you save the file and decide who gets it."
                )
            )
        )


async def save_report(context: StageContext, settings: Settings, dialogs: FileChooser) -> None:
    """Show the report, and save it where the user chooses."""
    files = await asyncio.to_thread(_collect, _window_versions(context.window), settings.report())
    if not await ReportDialog(files).ask(context.window):
        return
    proposed = Path(f"batchwright-report-{date.today().isoformat()}.zip")
    path = await dialogs.file_to_save(_("Save the support report"), (_("Zip files (*.zip)"),), proposed)
    if path is None:
        return
    await asyncio.to_thread(lambda: write_atomically(path, zip_content(files)))
    context.notices.show_notice(
        Notice(
            NoticeSeverity.SUCCESS,
            _("The support report was saved"),
            _("Send “{name}” to the developers of Batchwright.").format(name=path.name),
            _("Open folder"),
            partial(open_file, context.notices, path.parent),
        )
    )


def _collect(window_versions: dict[str, str], settings: dict[str, str]) -> tuple[ReportFile, ...]:
    return collect_report({**window_versions, **versions()}, settings, log_folder())


def _window_versions(window: QWidget) -> dict[str, str]:
    """What the appearance of the window depends on."""
    screen = window.screen()
    size = screen.size()
    return {
        "Qt": f"{qVersion()}, {QGuiApplication.platformName()}",
        _("Screen"): f"{size.width()} × {size.height()} ({screen.devicePixelRatio()})",
        _("Language"): f"{program_language().tag}, {QLocale().name()}",
    }
