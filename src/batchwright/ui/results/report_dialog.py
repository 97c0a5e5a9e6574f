"""The dialog that asks how to save a report."""

from batchwright.base.i18n import _
from batchwright.ui.results.downloads import DownloadKind
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch


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
