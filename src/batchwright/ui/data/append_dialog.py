"""Asking before records are appended: which file, to which dataset, and what is to be known of both."""

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number, records, size
from batchwright.ui.data.appending import RecordsToAppend
from batchwright.ui.data.file_dialog import FileConfirmDialog
from batchwright.wire.datapoints import MOST_RECORDS
from batchwright.wire.datasets import Dataset


class AppendDialog(FileConfirmDialog):
    """The file in view, or another.

    Args:
        dataset: what is appended to.
        rows: what is appended; None where there is no file, or none with records.
        notes: what is to be known, each a sentence.
        live: the service reached, where it is a live one.
    """

    def __init__(
        self, dataset: Dataset, rows: RecordsToAppend | None, notes: tuple[str, ...], live: str
    ) -> None:
        held = _("The dataset “{name}” holds {records}. These are put behind them, {most} at a time.")
        super().__init__(
            _("Append records"),
            held.format(
                name=dataset.name, records=records(dataset.total_datapoint_count), most=number(MOST_RECORDS)
            ),
            _("Append {records}").format(records=records(rows.records)) if rows else _("Append"),
            file=(rows.path.name, f"{records(rows.records)}  ·  {size(rows.stamp[0])}") if rows else None,
            notes=notes,
            live=live,
        )
        self.act.allow("" if rows else _("Choose a file with records first"))
