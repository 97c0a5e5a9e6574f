"""The values of a column, counted over all records; a count leads to its records."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.data_files.views.record_query import (
    ColumnCounts,
    ConditionKind,
    CountsQuestion,
    RecordCondition,
)
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.file.record_views import RecordViews
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import ElidedLabel, Label

_MAX_VALUE_CHARS = 120
_LINE_HEIGHT = 26
_BESIDE_LINK = 14
"""Space at the right of a number, so that it is below the number of a link."""


class ColumnCountsDialog(Dialog):
    """Shows the counts as far as they are known; `chosen` is the condition whose count was clicked."""

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
        line = QWidget()
        name = ElidedLabel(text, TextRole.SMALL)
        line.setFixedHeight(theme().px(_LINE_HEIGHT))
        box = row(gap=12, parent=line)
        box.addWidget(name, 1)
        if condition is None or not count:
            box.add(Label(number(count), TextRole.SMALL, "text2", tabular=True), _BESIDE_LINK)
        else:
            show = Button(number(count), ButtonKind.LINK, height=ButtonSize.SMALL)
            show.setAccessibleName(sanitize_line(f"{text}: {records(count)}"))
            show.clicked.connect(lambda: self._choose(condition))
            box.add(show)
        self._list.addWidget(line)

    def _choose(self, condition: RecordCondition) -> None:
        self.chosen = condition
        self.accept()
