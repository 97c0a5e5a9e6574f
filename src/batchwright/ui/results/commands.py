"""The commands of the Results stage: each is one function here and one row in `ui.results.actions`."""

from dataclasses import dataclass, replace
from time import monotonic

from batchwright.base.i18n import N_, _, ngettext
from batchwright.client.context import WorkflowContext
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.client.transfer_rate import UNKNOWN
from batchwright.ui.core.desktop import open_file
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation, OperationRun
from batchwright.ui.results.download_banners import missing_answers_text
from batchwright.ui.results.downloads import DownloadKind, DownloadOperation
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Toast, ToastSeverity
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch
from batchwright.workflows.download_verified import (
    VerifiedDownload,
    download_safe_report,
    download_verified_answers,
    download_verified_export,
    download_verified_report,
)


class ReportDialog(Dialog):
    """Offers a report that is safe to open in a spreadsheet program; off by default: it changes values."""

    def __init__(self) -> None:
        super().__init__(
            _("Save the report"),
            _("One row for each record and question, exactly as the service provides it."),
            _("Choose where to save…"),
        )
        self.kind = DownloadKind.REPORT
        """The kind of report selected."""
        switch = Switch(_("Safe for spreadsheets"))
        switch.toggled.connect(self._on_toggled)
        explanation = _(
            "Participants may have typed formulas. Cells that start with = + - @, a tab or a line break get "
            "an apostrophe (') in front, so that no spreadsheet runs them. Negative numbers get one too."
        )
        switch.setAccessibleDescription(explanation)
        self.add(column(switch, Label(explanation, TextRole.SMALL, "text2", wraps=True), gap=6))

    def _on_toggled(self, is_safe: bool) -> None:
        self.kind = DownloadKind.SAFE_REPORT if is_safe else DownloadKind.REPORT

    def set_initial_focus(self) -> None:
        """Focus the Save button, so that Enter saves the unchanged report; Shift+Tab leads to the switch."""
        self.accept_button.setFocus()


@dataclass(frozen=True)
class ResultsContext:
    """The dependencies of the commands of the Results stage."""

    window: StageContext
    state: ResultsState
    files: FileChooser
    save_locations: SaveLocationMemory


@dataclass(frozen=True)
class _FileTexts:
    """The texts of the file dialog for one kind of download, and of the notification afterwards."""

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
}


def refresh(context: ResultsContext) -> None:
    """Fetch the answers, and ask for a token if one is missing."""
    context.state.refresh(may_prompt=True)


async def download_report(context: ResultsContext) -> None:
    """Ask how and where to save the report, and download it."""
    dialog = ReportDialog()
    if await dialog.ask(context.window.window):
        await download(context, dialog.kind)


async def download_export(context: ResultsContext) -> None:
    """Ask where to save the export, and download it."""
    await download(context, DownloadKind.EXPORT)


async def download_answers(context: ResultsContext) -> None:
    """Ask where to save all answers, and download them."""
    await download(context, DownloadKind.ANSWERS)


async def download(context: ResultsContext, kind: DownloadKind) -> None:
    """Ask where to save a file, and download it."""
    texts = _TEXTS[kind]
    proposed = await context.save_locations.proposed(texts.suffix, _(texts.content))
    path = await context.files.file_to_save(_(texts.title), (_(texts.file_type),), proposed)
    batch_id = context.state.batch_id
    if path is not None and batch_id is not None:
        context.save_locations.record(path)
        title = _("Downloading {name}").format(name=path.name)
        start_download(
            context,
            DownloadOperation("download", title, shows_error=True, kind=kind, path=path, batch_id=batch_id),
        )


def start_download(context: ResultsContext, operation: DownloadOperation) -> None:
    """Download a file; an existing file of that name is replaced when the download is complete."""

    async def work(
        context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun
    ) -> VerifiedDownload:
        rate = UNKNOWN

        def on_progress(done: int, total: int | None) -> None:
            nonlocal rate
            rate = rate.after(done, monotonic())
            run.update(done=done, total=total, rate=rate, fraction=done / total if total else None)

        workflow = {
            DownloadKind.REPORT: download_verified_report,
            DownloadKind.SAFE_REPORT: download_safe_report,
            DownloadKind.EXPORT: download_verified_export,
            DownloadKind.ANSWERS: download_verified_answers,
        }[operation.kind]
        return await workflow(context, operation.batch_id, operation.path, on_progress, hooks)

    def on_success(result: VerifiedDownload) -> None:
        context.state.show_download(operation, result)
        _notify_downloaded(context, operation.kind, result)

    operation = replace(operation, done=0, total=None, rate=UNKNOWN, fraction=None)
    context.state.operations.start(operation, work, on_success)


def notify_failed(context: ResultsContext, operation: Operation) -> None:
    """Show why a download failed, with a button to retry; unexpected errors are reported by `Tasks`."""
    error = operation.error
    if isinstance(operation, DownloadOperation) and error is not None and not error.is_bug:
        toast = Toast(
            ToastSeverity.ERROR,
            error.what,
            error.remedy,
            _("Try again"),
            lambda: start_download(context, operation),
        )
        context.window.toasts.show_toast(toast)


def _notify_downloaded(context: ResultsContext, kind: DownloadKind, result: VerifiedDownload) -> None:
    toasts = context.window.toasts

    def open_result() -> None:
        open_file(toasts, result.path)

    if result.passed:
        severity, title = (
            ToastSeverity.WARNING if result.newer else ToastSeverity.SUCCESS,
            _(_TEXTS[kind].saved),
        )
        text = _result_text(result)
    else:
        severity, title = ToastSeverity.ERROR, _("{name} failed verification").format(name=result.path.name)
        text = "\n".join(f"{check.statement} {check.actual}" for check in result.failed_checks)
    toasts.show_toast(Toast(severity, title, text, _("Open"), open_result))


def _result_text(result: VerifiedDownload) -> str:
    count = result.answers - result.newer
    template = ngettext("{name}: {count} answer", "{name}: {count} answers", count)
    if result.checks:
        template = ngettext("{name}: {count} answer, verified", "{name}: {count} answers, verified", count)
    text = template.format(name=result.path.name, count=number(count))
    return f"{text}. {missing_answers_text(result)}" if result.newer else text
