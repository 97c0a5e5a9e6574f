"""The values of a column, counted over all records; a count leads to its records."""

from functools import partial

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.data_files.views.record_query import (
    ColumnCounts,
    ConditionKind,
    CountsQuestion,
    RecordCondition,
)
from batchwright.ui.core.formatting import records
from batchwright.ui.data.file.count_line import count_line
from batchwright.ui.data.records.record_views import RecordViews
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label

_MAX_VALUE_CHARS = 120


class ColumnCountsDialog(Dialog):
    """Shows the counts as far as they are known; `chosen` is the condition whose count was clicked."""

    help_address = "data.md#filter-search-and-count"

    def __init__(self, views: RecordViews, question: CountsQuestion, name: str) -> None:
        super().__init__(
            _("Values of “{column}”").format(column=name), _("Click a number to see its records."), _("Close")
        )
        self.cancel_button.hide()
        self.chosen: RecordCondition | None = None
        self._views, self._question = views, question
        self._read = Label("", TextRole.SMALL, "text2", wraps=True, tabular=True)
        self._lines = QWidget()
        self._list = column(gap=0, parent=self._lines)
        self.add(self._read, self._lines)
        self.tries_addresses = False
        """Whether the user wants to try the addresses."""
        self._try = Button(_("Try the addresses…"), height=ButtonSize.DIALOG)
        self._try.clicked.connect(self._on_try_clicked)
        self._try.hide()
        self.add_side_button(self._try)
        views.counts_changed.connect(self._show_counts)
        views.changed.connect(self._show_counts)
        views.ask_counts(question)
        self._show_counts()

    def _show_counts(self) -> None:
        counts, error = self._views.counts, self._views.error
        if error is not None:
            self._read.setText(f"{error.what} {error.remedy}".strip())
        elif counts is None or counts.question != self._question:
            self._read.setText(_("Reading every record"))
        else:
            text = _("All {records}") if counts.is_complete else _("{records} so far")
            self._read.setText(text.format(records=records(counts.read)))
            self._show_lines(counts)

    def _show_lines(self, counts: ColumnCounts) -> None:
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        at = counts.question.column
        kinds = ConditionKind
        self._add(_("Empty"), counts.empty, RecordCondition(kinds.EMPTY, at))
        self._add(_("Different values"), counts.distinct)
        self._add(_("Values that occur more than once"), counts.repeated, RecordCondition(kinds.REPEATED, at))
        self._add(
            _("Records equal to another one"), counts.repeated_records, RecordCondition(kinds.REPEATED, None)
        )
        if counts.bad_addresses is not None:
            self._try.show()
            bad = RecordCondition(kinds.BAD_ADDRESS, at, counts.question.type or "")
            self._add(_("Not a valid address"), counts.bad_addresses, bad)
        self._add(_("Characters of the shortest value"), counts.shortest)
        self._add(_("Characters of the longest value"), counts.longest)
        short = RecordCondition(kinds.SHORTER, at, counts.short_below)
        self._add(_("Conspicuously short"), counts.short, short)
        self._add(_("Conspicuously long"), counts.long, RecordCondition(kinds.LONGER, at, counts.long_above))
        if counts.frequent:
            self._list.addWidget(Separator())
            heading = QWidget()
            row(Label(_("Most frequent values"), TextRole.SMALL_NAME), margins=(0, 8, 0, 4), parent=heading)
            self._list.addWidget(heading)
            for value, count in counts.frequent:
                text = value if len(value) <= _MAX_VALUE_CHARS else f"{value[:_MAX_VALUE_CHARS]}…"
                self._add(text, count, RecordCondition(kinds.EQUAL, at, value))

    def _add(self, text: str, count: int, condition: RecordCondition | None = None) -> None:
        """Add a line; the count is a button if there are records to show."""
        choose = None if condition is None else partial(self._choose, condition)
        self._list.addWidget(count_line(text, count, choose))

    def _choose(self, condition: RecordCondition) -> None:
        self.chosen = condition
        self.accept()

    def _on_try_clicked(self) -> None:
        self.tries_addresses = True
        self.accept()
