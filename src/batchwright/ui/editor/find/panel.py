"""The panel of find and replace: the search on the left, the matches on the right."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.layout.searching.text_search import MAX_MATCHES, Match, Query
from batchwright.ui.core.formatting import number
from batchwright.ui.editor.find.match_rows import STYLE, match_row
from batchwright.ui.editor.find.state import FindState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.ui.widgets.wrapping_row import WrappingRow

_FORM_WIDTH_PX, _HEIGHT_PX, _MIN_HEIGHT_PX = 376, 280, 180


class FindPanel(Surface):
    """Searches all texts of the study and replaces the selected matches."""

    closed = Signal()
    message = Signal(str)
    """A message about a finished replacement."""

    def __init__(self, state: FindState) -> None:
        super().__init__("surface", Edge.TOP)
        set_help_address(self, "layout.md#find-and-replace")
        self.setAccessibleName(_("Find and replace"))
        self.state = state
        state.setParent(self)
        self._announced = ""
        self.search, self.template = QLineEdit(), QLineEdit()
        self._search_field = InputField(
            _("Find"), self.search, hint=_("In all pages, names and task details.")
        )
        self._template_field = InputField(_("Replace with"), self.template)
        self.case, self.word = QCheckBox(_("Match case")), QCheckBox(_("Whole words"))
        self.regex = QCheckBox(_("Regular expression"))
        self.values = QCheckBox(_("Option values too"))
        self.values.setToolTip(_("Also searches option values, field names and addresses of images."))
        self.keep_case = QCheckBox(_("Keep case"))
        self.keep_case.setToolTip(_("Writes the replacement with capitals where the match has them."))
        self.replace_button = Button(_("Replace"), height=ButtonSize.NOTICE)
        self.replace_button.clicked.connect(state.replace_all)
        self.all_matches = QCheckBox(_("All"))
        self.all_matches.setAccessibleName(_("Replace all matches"))
        self.all_matches.clicked.connect(self._on_all_clicked)
        self._summary = ElidedLabel("", TextRole.SMALL, "text2")
        self.list: RowList[Match] = RowList(
            _("Matches"), lambda match: match_row(match, state), STYLE, is_uniform=True
        )
        self.list.check_clicked.connect(self._on_check_clicked)
        self.close_button = IconButton("x", _("Close find and replace"), glyph_size=16)
        self.close_button.clicked.connect(self.closed)
        self._build()
        self._connect()
        theme().on_changed(self._update_size)
        self._update_size()
        self._refresh()

    def open(self, text: str = "") -> None:
        """Start searching, and focus the search field; `text` replaces its content if it is not empty."""
        if text:
            self.search.setText(text)
        self.state.activate()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _build(self) -> None:
        self._form = Surface("surface")
        self._form_layout = column(
            self._search_field,
            self._template_field,
            WrappingRow(self.case, self.word, self.keep_case, self.regex, self.values),
            None,
            gap=9,
            margins=(18, 12, 14, 10),
            parent=self._form,
        )
        self._form_area = VerticalScrollArea(self._form)
        head = row(self.all_matches, gap=12, margins=(15, 6, 10, 4))
        head.addWidget(self._summary, 1)
        head.add(self.replace_button, HelpButton(_("Find and replace")), self.close_button)
        results = column(head, gap=0)
        results.addWidget(self.list, 1)
        layout = row(gap=0, margins=(0, 1, 0, 0), parent=self)
        layout.addWidget(self._form_area)
        layout.addLayout(results, 1)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_query_changed)
        for option in (self.case, self.word, self.regex, self.values):
            option.toggled.connect(self._on_query_changed)
        self.template.textChanged.connect(self.state.set_template)
        self.keep_case.toggled.connect(lambda is_on: self.state.set_keeps_case(keeps_case=is_on))
        self.search.returnPressed.connect(self._focus_list)
        self.state.changed.connect(self._refresh)
        self.state.replaced.connect(self.message)
        self.state.matches_changed.connect(self._show_matches)

    def _on_query_changed(self) -> None:
        query = Query(
            self.search.text(), self.case.isChecked(), self.word.isChecked(), self.regex.isChecked()
        )
        self.state.set_query(query, with_values=self.values.isChecked())

    def _show_matches(self) -> None:
        self.list.show_entries(self.state.matches)

    def _focus_list(self) -> None:
        """Focus the list, with a current row."""
        if self.list.current_entry is None and self.list.entries:
            self.list.show_current(0)
            self.list.entry_chosen.emit(self.list.current_entry)
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_check_clicked(self, match: Match) -> None:
        self.state.include(match, is_included=not self.state.is_included(match))

    def _on_all_clicked(self) -> None:
        self.state.include_all(is_included=self.state.included_count < len(self.state.matches))

    def _refresh(self) -> None:
        state, count = self.state, self.state.included_count
        self._search_field.show_error(state.query_error)
        self._template_field.show_error(state.template_error)
        self.replace_button.setText(self._button_text(count))
        self.replace_button.set_disabled_reason(self._reason())
        self.all_matches.setEnabled(bool(state.matches))
        self.all_matches.setTristate(0 < count < len(state.matches))
        self.all_matches.setCheckState(
            Qt.CheckState.Unchecked
            if not count
            else Qt.CheckState.Checked
            if count == len(state.matches)
            else Qt.CheckState.PartiallyChecked
        )
        self._summary.setText(self._summary_text())
        self._summary.set_tone("err" if state.query_error else "text2")
        self.list.refresh()
        if not state.is_searching and self._summary.text() != self._announced:
            self._announced = self._summary.text()
            announce(self, self._announced)

    def _button_text(self, count: int) -> str:
        """The text of the button, which says so if the matches would be removed."""
        if not count:
            return _("Replace")
        if self.state.template:
            text = ngettext("Replace {count} match", "Replace {count} matches", count)
        else:
            text = ngettext("Remove {count} match", "Remove {count} matches", count)
        return text.format(count=number(count))

    def _reason(self) -> str:
        """Why nothing can be replaced; empty if something can."""
        state = self.state
        if state.query_error or state.template_error:
            return state.query_error or state.template_error
        if state.is_searching or state.is_replacing:
            return _("Wait until this is finished")
        if not state.matches:
            return _("There are no matches")
        return "" if state.included_count else _("Select a match first")

    def _summary_text(self) -> str:
        state = self.state
        if state.query_error or not state.query.text:
            return state.query_error
        if state.is_searching:
            return _("Searching…")
        if not state.matches:
            return _("No matches")
        if len(state.matches) == MAX_MATCHES:
            return _("The first {count} matches. Make the search more specific to see all.").format(
                count=number(MAX_MATCHES)
            )
        matches = ngettext("{count} match", "{count} matches", len(state.matches)).format(
            count=number(len(state.matches))
        )
        texts = ngettext("in {count} text", "in {count} texts", state.text_count).format(
            count=number(state.text_count)
        )
        return f"{matches} {texts}"

    def _update_size(self) -> None:
        width = theme().px(_FORM_WIDTH_PX)
        self._form_area.setFixedWidth(width)
        self._form_height = self._form_layout.totalHeightForWidth(width)
        self.setMinimumHeight(theme().px(_MIN_HEIGHT_PX))
        self.setMaximumHeight(self.sizeHint().height())
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), max(theme().px(_HEIGHT_PX), self._form_height))

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._update_size()
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
