"""The filters of the answer grid: search, question, participant, and more below them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from batchwright.analysis.statistics.joined_wordings import versions_text
from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_time import local_time, start_of_day
from batchwright.ui.core.formatting import abbreviated_id, day, number
from batchwright.ui.results.answers.answers_overview import AnswersOverview
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.fields import FilterCombo, SearchField
from batchwright.ui.widgets.tables.column_menu import ColumnMenuButton
from batchwright.ui.widgets.toggles import Chip
from batchwright.ui.widgets.wrapping_row import WrappingRow

MAX_CHOICES = 1_000
"""Maximum number of participants, or of values of a field, in their filter; the search finds all."""

_SEARCH_WIDTH, _MIN_SEARCH_WIDTH = 260, 90
_MAX_CHOICE_CHARS = 80
_SEVERAL = "*"
"""The id of the choice that stands for several values."""


class AnswerFilters(QWidget):
    """A line of filters, and more that are shown on request, and while one of them is set.

    The search becomes narrower before a filter is cut; the others wrap.
    """

    query_requested = Signal(object)
    """The user has changed a filter; the argument is the `AnswerQuery`."""
    values_requested = Signal(str)
    """The values of a dataset field are needed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._query, self._choices = AnswerQuery(), AnswersOverview()
        self._field_values: Mapping[str, tuple[str, ...]] = {}
        self._field = ""
        """The dataset field of the filter by value."""
        self.search = SearchField(_("Search answers"))
        self.question = FilterCombo(_("Question"), _("All questions"))
        self.participant = FilterCombo(_("Participant"), _("All participants"))
        self.columns = ColumnMenuButton("answers")
        self.more = Button(_("Filters"), ButtonKind.QUIET, glyph="funnel-simple")
        self.more.setCheckable(True)
        self.option = FilterCombo(_("Option"), _("All options"))
        self.field = FilterCombo(_("Field"), _("Any field"))
        self.value = FilterCombo(_("Value of the field"), _("All values"))
        self.since = FilterCombo(_("From day"), _("From any day"))
        self.until = FilterCombo(_("To day"), _("To any day"))
        self.only_new = Chip(_("Only new"))
        self.clear = Button(_("Clear filters"), ButtonKind.LINK)
        first_line = row(gap=8)
        self.search.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        first_line.addWidget(self.search, 1)
        first_line.add(self.question, self.participant)
        first_line.addStretch(0)
        first_line.add(self.more, self.columns)
        self._second_line = WrappingRow(
            *(self.option, self.field, self.value, self.since, self.until, self.only_new, self.clear)
        )
        column(first_line, self._second_line, gap=8, parent=self)
        self._connect()
        theme().on_changed(self._update_geometry)
        self._update_geometry()
        self.show_query(AnswerQuery())

    def show_query(self, query: AnswerQuery) -> None:
        """Show which filters are set."""
        self._query = query
        with QSignalBlocker(self.search):
            if self.search.text() != query.search:
                self.search.setText(query.search)
        if query.fields:
            self._field = query.fields[0][0]
        with QSignalBlocker(self.only_new):
            self.only_new.setChecked(query.only_new)
        self._show_choices()
        self.clear.setVisible(is_filtered(query))
        if self._uses_second_line:
            self.more.setChecked(True)
        self._second_line.setVisible(self.more.isChecked())

    def show_choices(self, choices: AnswersOverview, field_values: Mapping[str, tuple[str, ...]]) -> None:
        """Show the values that can be chosen; those of the dataset's fields as far as they are known."""
        if (choices, field_values) != (self._choices, self._field_values):
            self._choices, self._field_values = choices, field_values
            self._show_choices()

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Show the buttons without text in a narrow panel."""
        for button in (self.more, self.columns):
            button.set_collapsed(is_collapsed=is_narrow)

    @property
    def _uses_second_line(self) -> bool:
        query = self._query
        conditions = (query.options, query.fields, query.tasks, query.answers, query.since, query.until)
        return any(conditions) or query.only_new or query.only_excluded

    def _show_choices(self) -> None:
        query, choices = self._query, self._choices
        questions = {question.id: _wording(question) for question in choices.questions}
        _set_choices(self.question, questions, query.questions, _count_questions)
        self.question.setToolTip("")
        participants = {id: abbreviated_id(id) for id in choices.participants[:MAX_CHOICES]}
        participants |= {id: abbreviated_id(id) for id in query.participants[:1]}
        has_more = len(choices.participants) > MAX_CHOICES
        _set_choices(
            self.participant, participants, query.participants, _count_participants, has_more=has_more
        )
        options = self._options()
        _set_choices(
            self.option, options, tuple(f"{id} {index}" for id, index in query.options), _count_options
        )
        self.option.setVisible(bool(options))
        fields = {name: _shortened(name) for name in choices.fields}
        _set_choices(self.field, fields, (self._field,) if self._field in fields else ())
        chosen = tuple(value for name, value in query.fields if name == self._field)
        all_values = self._field_values.get(self._field, ())
        values = {value: _shortened(value) for value in (*all_values[:MAX_CHOICES], *chosen)}
        _set_choices(self.value, values, chosen, has_more=len(all_values) > MAX_CHOICES)
        self.field.setVisible(bool(fields))
        self.value.setVisible(self._field in fields)
        days = {each.isoformat(): day(start_of_day(each)) for each in choices.days}
        _set_choices(self.since, days, () if query.since is None else (_day_of(query.since),))
        last = () if query.until is None else (_day_of(query.until - timedelta(microseconds=1)),)
        _set_choices(self.until, days, last)

    def _options(self) -> dict[str, str]:
        """The options of the chosen question, or of all questions if there is only one with options."""
        with_options = [question for question in self._choices.questions if question.options]
        chosen = self._query.questions
        shown = [question for question in with_options if question.id in chosen] or with_options
        return {
            f"{question.id} {index}": _shortened(option.label)
            for question in shown
            for index, option in enumerate(question.options)
            if len(shown) == 1 or question.id in chosen
        }

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda text: self._request(search=text))
        self.question.currentIndexChanged.connect(self._on_question_chosen)
        self.participant.currentIndexChanged.connect(
            lambda: self._request(
                participants=_chosen_values(self.participant.chosen, self._query.participants)
            )
        )
        self.option.currentIndexChanged.connect(self._on_option_chosen)
        self.field.currentIndexChanged.connect(self._on_field_chosen)
        self.value.currentIndexChanged.connect(self._on_value_chosen)
        self.since.currentIndexChanged.connect(lambda: self._request(since=_parse_day(self.since.chosen)))
        self.until.currentIndexChanged.connect(
            lambda: self._request(until=_parse_day(self.until.chosen, days_later=1))
        )
        self.only_new.toggled.connect(lambda is_on: self._request(only_new=is_on))
        self.more.toggled.connect(self._second_line.setVisible)
        self.clear.clicked.connect(self._on_cleared)

    def _request(self, **changes: object) -> None:
        query = replace(self._query, **changes)  # type: ignore[arg-type]  # checked by its callers
        if query != self._query:
            self._query = query
            self.query_requested.emit(query)

    def _on_question_chosen(self) -> None:
        questions = _chosen_values(self.question.chosen, self._query.questions)
        options = tuple(chosen for chosen in self._query.options if not questions or chosen[0] in questions)
        self._request(questions=questions, options=options)

    def _on_option_chosen(self) -> None:
        chosen = self.option.chosen
        if chosen is None:
            self._request(options=())
        elif chosen != _SEVERAL:
            id, _space, index = chosen.rpartition(" ")
            self._request(options=((id, int(index)),))

    def _on_field_chosen(self) -> None:
        self._field = self.field.chosen or ""
        if self._field and self._field not in self._field_values:
            self.values_requested.emit(self._field)
        self._request(fields=())
        self._show_choices()

    def _on_value_chosen(self) -> None:
        value = self.value.chosen
        self._request(fields=() if value is None else ((self._field, value),))

    def _on_cleared(self) -> None:
        self._field = ""
        self.more.setChecked(False)
        self.query_requested.emit(AnswerQuery(sort=self._query.sort, is_descending=self._query.is_descending))
        self.search.setFocus()

    def _update_geometry(self) -> None:
        self.search.setMinimumWidth(theme().px(_MIN_SEARCH_WIDTH))
        self.search.setMaximumWidth(theme().px(_SEARCH_WIDTH))


def is_filtered(query: AnswerQuery) -> bool:
    """Whether a query has conditions."""
    return query != AnswerQuery(sort=query.sort, is_descending=query.is_descending)


def _set_choices(
    combo: FilterCombo,
    choices: Mapping[str, str],
    chosen: tuple[str, ...],
    several: Callable[[int], str] | None = None,
    *,
    has_more: bool = False,
) -> None:
    """Set the choices of a combo box, and the chosen one; several chosen ones are one more choice.

    If there are more values than are listed, the list says so at its end.
    """
    note = ""
    if has_more:
        note = _("Only the first {count} are listed; the search finds all").format(count=number(MAX_CHOICES))
    if len(chosen) > 1 and several is not None:
        combo.set_choices({_SEVERAL: several(len(chosen)), **choices}, _SEVERAL, note)
    else:
        combo.set_choices(choices, chosen[0] if chosen else None, note)


def _chosen_values(chosen: str | None, before: tuple[str, ...]) -> tuple[str, ...]:
    """The values that a choice stands for."""
    if chosen == _SEVERAL:
        return before
    return () if chosen is None else (chosen,)


def _count_questions(count: int) -> str:
    return ngettext("{count} question", "{count} questions", count).format(count=number(count))


def _count_participants(count: int) -> str:
    return ngettext("{count} participant", "{count} participants", count).format(count=number(count))


def _count_options(count: int) -> str:
    return ngettext("{count} option", "{count} options", count).format(count=number(count))


def _wording(question: AnalysedQuestion) -> str:
    """The text of a question, with the versions of the layout if others ask it differently."""
    text = _shortened(question.title)
    if not question.versions:
        return text
    return _("{text} ({version})").format(text=text, version=versions_text(question.versions))


def _shortened(text: str) -> str:
    """The start of a text in one line."""
    line = " ".join(text[: 4 * _MAX_CHOICE_CHARS].split())
    return line if len(line) <= _MAX_CHOICE_CHARS else f"{line[: _MAX_CHOICE_CHARS - 1]}…"


def _day_of(moment: datetime) -> str:
    return local_time(moment).date().isoformat()


def _parse_day(chosen: str | None, *, days_later: int = 0) -> datetime | None:
    """The start of a day in local time."""
    return start_of_day(date.fromisoformat(chosen) + timedelta(days=days_later)) if chosen else None
