"""Taking answers away: asking where a file is to go, and telling what came of it."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.background_tasks import Message
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.formatting import number
from batchwright.ui.results.downloads import Downloads, Fetching, What
from batchwright.ui.results.report_dialog import ReportDialog
from batchwright.ui.results.stale_export_banner import lacks
from batchwright.ui.shell.stages import Frame
from batchwright.ui.study.save_locations import ProposedFiles
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.file_dialogs import AsksForFiles
from batchwright.ui.widgets.notices import Mood, Notice
from batchwright.ui.words import later
from batchwright.workflows.download_verified import Delivered


@dataclass(frozen=True)
class _File:
    """What a file of a kind is asked for with, and what is told when it is there."""

    title: str
    kind: str
    suffix: str
    saved: str


_FILES = {
    What.REPORT: _File(later("Save the report"), later("Table (*.csv)"), ".csv", later("Report saved")),
    What.SAFE_REPORT: _File(
        later("Save the report"),
        later("Table, safe for spreadsheets (*.csv)"),
        ".csv",
        later("Report saved, safe for spreadsheets"),
    ),
    What.EXPORT: _File(later("Save the export"), later("Archive (*.zip)"), ".zip", later("Export saved")),
    What.ANSWERS: _File(
        later("Save all answers"), later("Answers (*.json)"), ".json", later("Answers saved")
    ),
}


class TakingAway(QObject):
    """Speaks with the person about the files of a study's answers."""

    def __init__(self, frame: Frame, study: Study, downloads: Downloads, dialogs: AsksForFiles) -> None:
        super().__init__(downloads)
        self._host, self._tasks, self._notices = frame.host, frame.tasks, frame.notices
        self._downloads, self._dialogs = downloads, dialogs
        self._files = ProposedFiles(study)
        downloads.delivered.connect(self._tell_delivered)
        downloads.missed.connect(self._tell_missed)

    def fetch(self, what: What) -> None:
        """Ask where a file is to go, and fetch it."""
        self._tasks.start(f"ask for {what}", lambda: self._ask_and_fetch(what))

    def save_report(self) -> None:
        """Ask how the report is to be saved and where, and fetch it."""
        self._tasks.start("ask for report", self._ask_for_report)

    async def _ask_for_report(self) -> None:
        dialog = ReportDialog()
        if await dialog.ask(self._host):
            await self._ask_and_fetch(dialog.what)

    async def _ask_and_fetch(self, what: What) -> None:
        file = _FILES[what]
        proposed = await self._files.proposed(file.suffix, _("answers"))
        path = await self._dialogs.file_to_save(_(file.title), (_(file.kind),), proposed)
        if path is not None:
            self._files.put(path)
            self._downloads.fetch(what, path)

    def _tell_delivered(self, what: What, delivered: Delivered) -> None:
        def open_it() -> None:
            open_file(self._notices, delivered.path)

        if delivered.holds:
            mood = Mood.ADVICE if delivered.newer else Mood.DONE
            notice = Notice(mood, _(_FILES[what].saved), _told_of(delivered), _("Open"), open_it)
            self._notices.tell(notice)
            return
        broken = "\n".join(f"{proof.statement} {proof.found}" for proof in delivered.broken)
        title = _("{name} does not add up").format(name=delivered.path.name)
        self._notices.tell(Notice(Mood.FAILED, title, broken, _("Open"), open_it))

    def _tell_missed(self, wanted: Fetching, message: Message) -> None:
        def again() -> None:
            self._downloads.fetch_again(wanted)

        self._notices.tell(Notice(Mood.FAILED, message.what, message.remedy, _("Try again"), again))


def _told_of(delivered: Delivered) -> str:
    held = delivered.answers - delivered.newer
    said = ngettext("{name}: {count} answer", "{name}: {count} answers", held)
    if delivered.proofs:
        said = ngettext("{name}: {count} answer, checked", "{name}: {count} answers, checked", held)
    words = said.format(name=delivered.path.name, count=number(held))
    return f"{words}. {lacks(delivered)}" if delivered.newer else words
