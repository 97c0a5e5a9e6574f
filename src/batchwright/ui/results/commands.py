"""The commands of the Results stage: each is one function here and one row in `ui.results.actions`."""

from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.ui.results.state import ResultsState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.downloads import DownloadContext, DownloadKind
from batchwright.ui.study.downloads import download as download_file
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch


class SaveReportDialog(Dialog):
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
    downloads: DownloadContext


def refresh(context: ResultsContext) -> None:
    """Fetch the answers, and ask for a token if one is missing."""
    context.state.refresh(may_prompt=True)


async def download_report(context: ResultsContext) -> None:
    """Ask how and where to save the report, and download it."""
    dialog = SaveReportDialog()
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
    of, other = context.state.of, context.state.other
    if of is not None:
        await download_file(context.downloads, kind, of, other.name if other is not None else "")
