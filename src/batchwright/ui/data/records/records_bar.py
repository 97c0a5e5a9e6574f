"""The line above the records: search and hits, the conditions that records fulfil, hidden columns."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.data_files.views.record_query import (
    MAX_COLUMNS,
    ConditionKind,
    RecordCondition,
    RecordQuery,
    RecordView,
    Search,
)
from batchwright.ui.core.formatting import number, records
from batchwright.ui.data.records.conspicuous import conspicuous
from batchwright.ui.data.records.record_views import RecordViews
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, literal

_HEIGHT, _SEARCH_WIDTH = 44, 250
_WIDE = 760
"""Width in pixels at 100 % from which conditions and offers have space beside each other."""
_MAX_VALUE_CHARS = 40
_MAX_LISTED = 40
"""Hidden columns, changes of columns and conspicuous values that a menu lists."""


class _Search(SearchField):
    """Enter goes to the next hit, Shift+Enter to the previous one."""

    step_requested = Signal(int)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.step_requested.emit(-1 if is_back else 1)
            return
        super().keyPressEvent(event)


class RecordsBar(Surface):
    """Search, hits, conditions, and the columns that are hidden."""

    step_requested = Signal(int)
    """The next hit (1) or the previous one (-1) is to be shown."""
    column_requested = Signal(int)
    """A hidden column, counted from zero, is to be shown again; all for -1."""

    replace_requested = Signal()
    """All hits are to be replaced."""
    undo_requested = Signal(int)
    """All changes of values after the first ones, as many as the argument says, are to be taken back."""

    def __init__(self, views: RecordViews, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        set_help_address(self, "data.md#filter-search-and-count")
        self.setAccessibleName(_("Search and filter"))
        self._views = views
        self._columns: Sequence[str] = ()
        self._records = 0
        self._row = -1
        self._hidden: Sequence[int] = ()
        self.search = _Search(_("Search records"))
        self.search.setToolTip(_("Search in all columns  Ctrl+F"))
        self.pattern = Button(".*", ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self.pattern.setCheckable(True)
        self.pattern.setAccessibleName(_("Regular expression"))
        self.pattern.setToolTip(_("Search by regular expression"))
        self._hits = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._previous = IconButton("caret-up", _("Previous hit"), keys="Shift+F3", glyph_size=16)
        self._next = IconButton("caret-down", _("Next hit"), keys="F3", glyph_size=16)
        self._filter = ElidedLabel("", TextRole.SMALL, "text", tabular=True)
        self.replace = Button(_("Replace…"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self.changes = Button("", ButtonKind.QUIET, glyph="pencil-simple", height=ButtonSize.NOTICE)
        self._changes_menu = QMenu(self)
        self.changes.setMenu(self._changes_menu)
        self.changes.hide()
        self.find_conspicuous = Button(
            _("Find conspicuous values"), ButtonKind.QUIET, height=ButtonSize.NOTICE
        )
        self.conspicuous = Button("", ButtonKind.QUIET, glyph="ruler", height=ButtonSize.NOTICE)
        self._conspicuous_menu = QMenu(self)
        self.conspicuous.setMenu(self._conspicuous_menu)
        self.clear = Button(_("Show all"), ButtonKind.QUIET, glyph="x", height=ButtonSize.NOTICE)
        self.hidden = Button("", ButtonKind.QUIET, glyph="eye-slash", height=ButtonSize.NOTICE)
        self._menu = QMenu(self)
        self.hidden.setMenu(self._menu)
        line = row(self.search, self.pattern, gap=8, margins=(24, 0, 12, 0), parent=self)
        line.addWidget(self._hits, 1)
        line.add(self._previous, self._next, self.replace)
        line.addWidget(self._filter, 2)
        line.add(self.clear, self.hidden, self.changes, self.find_conspicuous, self.conspicuous)
        self._connect()
        theme().on_changed(self._update_size)
        self._update_size()
        self.show_view()
        self.show_marks()

    def show_columns(self, columns: Sequence[str]) -> None:
        """Set the names of the columns of the file."""
        self._columns = columns
        self.show_hidden(())

    def show_count(self, records: int) -> None:
        """Set the number of records of the file."""
        self._records = records
        self.show_view()

    def show_row(self, row: int) -> None:
        """Set the row that is selected, which may be a hit."""
        self._row = row
        self._hits.setText(self._hits_text())

    def show_hidden(self, hidden: Sequence[int]) -> None:
        """Offer the hidden columns, counted from zero."""
        self._hidden = hidden
        text = ngettext("{count} column hidden", "{count} columns hidden", len(hidden))
        self.hidden.setText(text.format(count=number(len(hidden))))
        self.hidden.setVisible(bool(hidden))

    def show_changes(self, count: int, text: str, columns: Sequence[str], notes: Sequence[str]) -> None:
        """Show how many changes there are, offer to take them back, and list those of columns.

        `notes` say what could not be done.
        """
        self.changes.setText(text)
        self.changes.setVisible(count > 0)
        self._changes_menu.clear()
        for title, kept in ((_("Undo the last change"), count - 1), (_("Undo all changes"), 0)):
            action = self._changes_menu.addAction(title)
            action.triggered.connect(lambda _on=False, kept=kept: self.undo_requested.emit(kept))
        for listed in (columns[-_MAX_LISTED:], notes):
            if listed:
                self._changes_menu.addSeparator()
            for line in listed:
                self._changes_menu.addAction(literal(line)).setEnabled(False)
        self.changes.set_glyph("warning-fill" if notes else "pencil-simple")

    def show_view(self) -> None:
        """Show the query and what it has found."""
        query, view = self._views.query, self._views.view
        text, is_pattern = (query.search.text, query.search.is_pattern) if query.search else ("", None)
        with QSignalBlocker(self.search), QSignalBlocker(self.pattern):
            if self.search.text() != text:
                self.search.setText(text)
            if is_pattern is not None:
                self.pattern.setChecked(is_pattern)
        has_search = query.search is not None
        has_hits = has_search and view is not None and bool(view.hits)
        self._previous.setVisible(has_hits)
        self._next.setVisible(has_hits)
        self.replace.setVisible(has_hits and not is_pattern)
        problem = view.problem if view is not None and view.query == query else ""
        self._hits.set_tone("err" if problem else "text2")
        self._hits.setText(self._hits_text())
        self._filter.setText(self._filter_text(view))
        self._filter.setVisible(bool(query.conditions))
        self.clear.setVisible(not query.is_file_order)
        self._show_offers()
        self.clear.setText(_("Show all") if query.conditions else _("Order of the file"))

    def show_marks(self) -> None:
        """Offer what is conspicuous, or to look for it."""
        marks, is_marking = self._views.marks, self._views.is_marking
        found = tuple(conspicuous(marks)) if marks is not None else ()
        self._show_offers()
        self.find_conspicuous.set_disabled_reason(_("Reading every record") if is_marking else "")
        self.conspicuous.setText(_("Conspicuous values") if found else _("Nothing conspicuous"))
        self.conspicuous.set_disabled_reason(
            "" if found else _("No empty, repeated, unusually short or long values, no invalid addresses")
        )
        self._conspicuous_menu.clear()
        for condition, count in found[:_MAX_LISTED]:
            text = f"{condition_text(condition, self._columns)}: {records(count)}"
            action = self._conspicuous_menu.addAction(literal(text))
            query = RecordQuery((condition,))
            action.triggered.connect(lambda _on=False, query=query: self._show_only(query))

    def _show_offers(self) -> None:
        """Offer what is conspicuous, unless a search or conditions need the space."""
        query = self._views.query
        is_wide = self.width() >= theme().px(_WIDE) or not (query.conditions or query.search)
        self.find_conspicuous.setVisible(is_wide and self._views.marks is None)
        self.conspicuous.setVisible(is_wide and self._views.marks is not None)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_offers()

    def _show_only(self, query: RecordQuery) -> None:
        self._views.set_query(replace(query, search=self._views.query.search))

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_search_changed)
        self.pattern.toggled.connect(self._on_search_changed)
        self.search.step_requested.connect(self.step_requested)
        self._previous.clicked.connect(lambda: self.step_requested.emit(-1))
        self._next.clicked.connect(lambda: self.step_requested.emit(1))
        self.replace.clicked.connect(self.replace_requested)
        self.clear.clicked.connect(self._on_cleared)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._views.changed.connect(self.show_view)
        self._views.marks_changed.connect(self.show_marks)

    def _on_search_changed(self) -> None:
        text = self.search.text()
        search = Search(text, self.pattern.isChecked()) if text else None
        self._views.set_query(replace(self._views.query, search=search))

    def _on_cleared(self) -> None:
        self._views.set_query(RecordQuery(search=self._views.query.search))

    def _hits_text(self) -> str:
        views, view = self._views, self._views.view
        if views.error is not None:
            return views.error.what
        if views.query.search is None:
            return _("Sorting…") if views.is_searching and not views.query.conditions else ""
        if view is None or view.query.search != views.query.search:
            return _("Searching…")
        if view.problem:
            return view.problem
        count = ngettext("Found in {count} record", "Found in {count} records", len(view.hits))
        text = count.format(count=number(len(view.hits)))
        if not view.is_complete:
            return _("{found} so far").format(found=text)
        if len(self._columns) > MAX_COLUMNS:
            text = _("{found}, in the first {most} columns").format(found=text, most=number(MAX_COLUMNS))
        at = self._views.hit_number(self._row)
        if at is not None and len(view.hits) > 1:
            text = _("{number} of {count} records").format(number=number(at), count=number(len(view.hits)))
        return text

    def _filter_text(self, view: RecordView | None) -> str:
        conditions = "; ".join(condition_text(entry, self._columns) for entry in self._views.query.conditions)
        if view is None or view.order is None or view.query.conditions != self._views.query.conditions:
            return conditions
        shown = _("{shown} of {records}").format(
            shown=number(len(view.order)), records=records(max(self._records, view.read))
        )
        return f"{shown}  ·  {conditions}"

    def _fill_menu(self) -> None:
        self._menu.clear()
        for position in self._hidden[:_MAX_LISTED]:
            text = _("Show “{column}”").format(column=self._columns[position])
            action = self._menu.addAction(literal(text))
            action.triggered.connect(lambda _on=False, at=position: self.column_requested.emit(at))
        self._menu.addSeparator()
        self._menu.addAction(_("Show all columns")).triggered.connect(lambda: self.column_requested.emit(-1))

    def _update_size(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
        self.search.setMaximumWidth(theme().px(_SEARCH_WIDTH))
        self.search.setMinimumWidth(theme().px(_SEARCH_WIDTH // 2))


def condition_text(condition: RecordCondition, columns: Sequence[str]) -> str:
    """A condition as a phrase."""
    if condition.column is None:
        return _("equal to another record")
    column = columns[condition.column]
    value = str(condition.value)
    value = value if len(value) <= _MAX_VALUE_CHARS else f"{value[:_MAX_VALUE_CHARS]}…"
    return _(_CONDITION_TEXTS[condition.kind]).format(column=column, value=value)


_CONDITION_TEXTS = {
    ConditionKind.EMPTY: N_("“{column}” is empty"),
    ConditionKind.FILLED: N_("“{column}” is not empty"),
    ConditionKind.EQUAL: N_("“{column}” is “{value}”"),
    ConditionKind.CONTAINS: N_("“{column}” contains “{value}”"),
    ConditionKind.REPEATED: N_("“{column}” has a value that occurs more than once"),
    ConditionKind.SHORTER: N_("“{column}” is conspicuously short"),
    ConditionKind.LONGER: N_("“{column}” is conspicuously long"),
    ConditionKind.BAD_ADDRESS: N_("“{column}” is not a valid address"),
    ConditionKind.ONE_OF: N_("“{column}” is one of the addresses that were chosen"),
}
