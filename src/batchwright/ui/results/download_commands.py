"""Taking answers away: asking where a file is to go, and telling what came of it."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from batchwright.base.i18n import N_, _, ngettext
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.formatting import number
from batchwright.ui.results.downloads import DownloadKind, Downloads, DownloadState
from batchwright.ui.results.report_dialog import ReportDialog
from batchwright.ui.results.stale_export_banner import missing_answers_text
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.workflows.download_verified import VerifiedDownload


@dataclass(frozen=True)
class _File:
    """What a file of a kind is asked for with, and what is told when it is there."""

    title: str
    kind: str
    suffix: str
    saved: str


_FILES = {
    DownloadKind.REPORT: _File(N_("Save the report"), N_("Table (*.csv)"), ".csv", N_("Report saved")),
    DownloadKind.SAFE_REPORT: _File(
        N_("Save the report"),
        N_("Table, safe for spreadsheets (*.csv)"),
        ".csv",
        N_("Report saved, safe for spreadsheets"),
    ),
    DownloadKind.EXPORT: _File(N_("Save the export"), N_("Archive (*.zip)"), ".zip", N_("Export saved")),
    DownloadKind.ANSWERS: _File(N_("Save all answers"), N_("Answers (*.json)"), ".json", N_("Answers saved")),
}


class DownloadCommands(QObject):
    """Speaks with the person about the files of a study's answers."""

    def __init__(self, frame: StageContext, study: Study, downloads: Downloads, dialogs: FileChooser) -> None:
        super().__init__(downloads)
        self._host, self._tasks, self._notices = frame.window, frame.tasks, frame.toasts
        self._downloads, self._dialogs = downloads, dialogs
        self._files = SaveLocationMemory(study)
        downloads.delivered.connect(self._tell_delivered)
        downloads.missed.connect(self._tell_missed)

    def fetch(self, what: DownloadKind) -> None:
        """Ask where a file is to go, and fetch it."""
        self._tasks.start(f"ask for {what}", lambda: self._ask_and_fetch(what))

    def save_report(self) -> None:
        """Ask how the report is to be saved and where, and fetch it."""
        self._tasks.start("ask for report", self._ask_for_report)

    async def _ask_for_report(self) -> None:
        dialog = ReportDialog()
        if await dialog.ask(self._host):
            await self._ask_and_fetch(dialog.kind)

    async def _ask_and_fetch(self, what: DownloadKind) -> None:
        file = _FILES[what]
        proposed = await self._files.proposed(file.suffix, _("answers"))
        path = await self._dialogs.file_to_save(_(file.title), (_(file.kind),), proposed)
        if path is not None:
            self._files.record(path)
            self._downloads.fetch(what, path)

    def _tell_delivered(self, what: DownloadKind, delivered: VerifiedDownload) -> None:
        def open_it() -> None:
            open_file(self._notices, delivered.path)

        if delivered.holds:
            mood = ToastSeverity.ADVICE if delivered.newer else ToastSeverity.DONE
            notice = Toast(mood, _(_FILES[what].saved), _told_of(delivered), _("Open"), open_it)
            self._notices.show_toast(notice)
            return
        broken = "\n".join(f"{proof.statement} {proof.found}" for proof in delivered.broken)
        title = _("{name} does not add up").format(name=delivered.path.name)
        self._notices.show_toast(Toast(ToastSeverity.FAILED, title, broken, _("Open"), open_it))

    def _tell_missed(self, wanted: DownloadState, message: TaskMessage) -> None:
        def again() -> None:
            self._downloads.fetch_again(wanted)

        self._notices.show_toast(
            Toast(ToastSeverity.FAILED, message.what, message.remedy, _("Try again"), again)
        )


def _told_of(delivered: VerifiedDownload) -> str:
    held = delivered.answers - delivered.newer
    said = ngettext("{name}: {count} answer", "{name}: {count} answers", held)
    if delivered.proofs:
        said = ngettext("{name}: {count} answer, checked", "{name}: {count} answers, checked", held)
    words = said.format(name=delivered.path.name, count=number(held))
    return f"{words}. {missing_answers_text(delivered)}" if delivered.newer else words
