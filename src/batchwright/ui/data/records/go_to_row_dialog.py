"""Asks for the row of the table to go to."""

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField, spin_box


class GoToRowDialog(Dialog):
    """Asks for a row, counted from 1 as the table shows them."""

    help_address = "data.md#filter-search-and-count"

    def __init__(self, current: int, count: int) -> None:
        super().__init__(
            _("Go to row"), _("Rows are counted as they are shown, from 1 at the top."), _("Go to row")
        )
        self.row = max(1, current)
        """The row that the user has entered."""
        field = spin_box(self.row, max(1, count))
        field.selectAll()
        field.valueChanged.connect(self._on_changed)
        self.add(InputField(_("Row"), field, hint=_("1 to {last}").format(last=number(count))))

    def _on_changed(self, row: int) -> None:
        self.row = row
