"""Downloading files with the answers of a batch or collection: which ones, where to, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import monotonic

from batchwright.base.i18n import N_, _, ngettext
from batchwright.client.job_monitoring.transfer_rate import UNKNOWN, TransferRate
from batchwright.client.remote_study import RemoteStudy
from batchwright.local.projects import StudyKind
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.core.operations import Operation, OperationRun, OperationRunner
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeManager, NoticeSeverity
from batchwright.workflows.answers.download_answer_file import download_answer_file
from batchwright.workflows.answers.download_verified import (
    VerifiedDownload,
    download_safe_report,
    download_verified_answers,
    download_verified_export,
    download_verified_report,
)


class DownloadKind(StrEnum):
    """A file that can be downloaded."""

    REPORT = "report"
    """The report of a batch; collections have none."""
    SAFE_REPORT = "safe report"
    """The report, with cells that a spreadsheet shows as text and never runs as formulas."""
    EXPORT = "export"
    ANSWERS = "answers"
    """All answers that the service has now, as JSON; an export may be older (wire reference, section 15)."""
    FILE = "file"
    """A file that a participant uploaded."""


@dataclass(frozen=True)
class DownloadOperation(Operation):
    """The download of a file about `of`; it continues if another study is opened meanwhile."""

    kind: DownloadKind = DownloadKind.REPORT
    path: Path = Path()
    file_key: str = ""
    """The key of a file that a participant uploaded."""
    of: RemoteStudy = RemoteStudy(StudyKind.BATCH, "")  # noqa: RUF009 - frozen
    done: int = 0
    """Bytes received."""
    total: int | None = None
    """Total number of bytes; None if unknown."""
    rate: TransferRate = UNKNOWN


@dataclass(frozen=True)
class DownloadContext:
    """The dependencies of downloads.

    `operations` belong to the window, regardless of the open study; `on_downloaded` is called with each
    finished download.
    """

    operations: OperationRunner
    notices: NoticeManager
    files: FileChooser
    save_locations: SaveLocationMemory
    on_downloaded: Callable[[DownloadOperation, VerifiedDownload], object] = lambda _operation, _result: None


def running_download(operations: OperationRunner) -> DownloadOperation | None:
    """The download that is running."""
    current = operations.current
    return current if isinstance(current, DownloadOperation) else None


@dataclass(frozen=True)
class _FileTexts:
    """The texts of the file dialog for one kind of download, and of the notice afterwards."""

    title: str
    file_type: str
    content: str
    suffix: str
    saved: str


_TEXTS = {
    DownloadKind.REPORT: _FileTexts(
        N_("Save the report"), N_("Table (*.csv)"), N_("report"), ".csv", N_("Report saved")
    ),
    DownloadKind.SAFE_REPORT: _FileTexts(
        N_("Save the report"),
        N_("Table, safe for spreadsheets (*.csv)"),
        N_("report"),
        ".csv",
        N_("Report saved, safe for spreadsheets"),
    ),
    DownloadKind.EXPORT: _FileTexts(
        N_("Save the export"), N_("Archive (*.zip)"), N_("export"), ".zip", N_("Export saved")
    ),
    DownloadKind.ANSWERS: _FileTexts(
        N_("Save all answers"), N_("Answers (*.json)"), N_("answers"), ".json", N_("Answers saved")
    ),
    DownloadKind.FILE: _FileTexts(
        N_("Save the uploaded file"), N_("All files (*)"), N_("file"), "", N_("File saved")
    ),
}


async def download(context: DownloadContext, kind: DownloadKind, of: RemoteStudy, name: str = "") -> None:
    """Ask where to save a file, and download it.

    Args:
        context: the dependencies.
        kind: the file to download.
        of: the batch or collection.
        name: what the file is named after; empty for the study.
    """
    texts = _TEXTS[kind]
    proposed = await context.save_locations.proposed(texts.suffix, _(texts.content), name)
    path = await context.files.file_to_save(_(texts.title), (_(texts.file_type),), proposed)
    if path is not None:
        context.save_locations.record(path)
        title = _("Downloading {name}").format(name=path.name)
        start_download(
            context, DownloadOperation("download", title, shows_error=True, kind=kind, path=path, of=of)
        )


async def file_to_save(context: DownloadContext, file_name: str) -> Path | None:
    """Ask where to save a file that a participant uploaded; None if the user cancels."""
    texts, name = _TEXTS[DownloadKind.FILE], Path(file_name)
    proposed = await context.save_locations.proposed(name.suffix, name=name.stem)
    path = await context.files.file_to_save(_(texts.title), (_(texts.file_type),), proposed)
    if path is not None:
        context.save_locations.record(path)
    return path


async def download_file(context: DownloadContext, of: RemoteStudy, file_key: str, file_name: str) -> None:
    """Ask where to save a file that a participant uploaded, and download it.

    Only one download runs at a time; if another one does, a notice says so.
    """
    if running_download(context.operations) is not None:
        context.notices.show_notice(Notice(NoticeSeverity.INFO, _("A download is running")))
        return
    path = await file_to_save(context, file_name)
    if path is not None:
        title = _("Downloading {name}").format(name=path.name)
        operation = DownloadOperation(
            "download",
            title,
            shows_error=True,
            kind=DownloadKind.FILE,
            path=path,
            file_key=file_key,
            of=of,
        )
        start_download(context, operation)


def start_download(context: DownloadContext, operation: DownloadOperation) -> None:
    """Download a file; an existing file of that name is replaced when the download is complete."""

    async def work(run: OperationRun) -> VerifiedDownload:
        rate = UNKNOWN

        def on_progress(done: int, total: int | None) -> None:
            nonlocal rate
            rate = rate.after(done, monotonic())
            run.update(done=done, total=total, rate=rate, fraction=done / total if total else None)

        of, path = operation.of, operation.path
        match operation.kind:
            case DownloadKind.REPORT:
                return await download_verified_report(run.context, of.id, path, on_progress, run.hooks)
            case DownloadKind.SAFE_REPORT:
                return await download_safe_report(run.context, of.id, path, on_progress, run.hooks)
            case DownloadKind.EXPORT:
                return await download_verified_export(run.context, of, path, on_progress, run.hooks)
            case DownloadKind.ANSWERS:
                return await download_verified_answers(run.context, of, path, on_progress, run.hooks)
            case DownloadKind.FILE:
                key = operation.file_key
                saved = await download_answer_file(run.context, of, key, path, on_progress, run.hooks)
                return VerifiedDownload(saved, None)

    def on_success(result: VerifiedDownload) -> None:
        context.on_downloaded(operation, result)
        notify_downloaded(context, operation.kind, result)

    operation = replace(operation, done=0, total=None, rate=UNKNOWN, fraction=None)
    context.operations.start(operation, work, on_success)


def notify_failed(context: DownloadContext, operation: Operation) -> None:
    """Show why a download failed, with a button to retry; unexpected errors are reported by `Tasks`."""
    error = operation.error
    if isinstance(operation, DownloadOperation) and error is not None and not error.is_bug:
        notice = Notice(
            NoticeSeverity.ERROR,
            error.what,
            error.remedy,
            _("Try again"),
            lambda: start_download(context, operation),
            help_address=error.help_address,
        )
        context.notices.show_notice(notice)


def notify_downloaded(context: DownloadContext, kind: DownloadKind, result: VerifiedDownload) -> None:
    """Show that a file was saved, and whether it passed its verification, with a button to open it."""
    notices = context.notices

    def open_result() -> None:
        open_file(notices, result.path)

    if result.passed:
        severity, title = (
            NoticeSeverity.WARNING if result.is_stale else NoticeSeverity.SUCCESS,
            _(_TEXTS[kind].saved),
        )
        text = _result_text(result)
    else:
        severity, title = NoticeSeverity.ERROR, _("{name} failed verification").format(name=result.path.name)
        text = "\n".join(f"{check.statement} {check.actual}" for check in result.failed_checks)
    notices.show_notice(Notice(severity, title, text, _("Open"), open_result))


def _result_text(result: VerifiedDownload) -> str:
    if result.answers is None:
        return result.path.name
    count = result.answers - result.newer
    template = ngettext("{name}: {count} answer", "{name}: {count} answers", count)
    if result.checks:
        template = ngettext("{name}: {count} answer, verified", "{name}: {count} answers, verified", count)
    text = template.format(name=result.path.name, count=number(count))
    return f"{text}. {missing_answers_text(result)}" if result.is_stale else text


def missing_answers_text(export: VerifiedDownload) -> str:
    """The time of the latest answer in an export, and the number of newer and of changed ones."""
    changed = ngettext(
        "{count} answer in the export is another at the service now: its participant may have changed it.",
        "{count} answers in the export are others at the service now: participants may have changed them.",
        export.changed,
    ).format(count=number(export.changed))
    if not export.newer:
        return changed
    if export.until is None:
        return _("The export was created before the first answer arrived.")
    text = ngettext(
        "This export ends at {time}; {count} newer answer is missing.",
        "This export ends at {time}; {count} newer answers are missing.",
        export.newer,
    )
    text = text.format(time=short_datetime(export.until), count=number(export.newer))
    return f"{text} {changed}" if export.changed else text
