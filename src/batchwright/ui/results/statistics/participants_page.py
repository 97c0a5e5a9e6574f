"""The section Participants: hints about each participant, and the list of exclusions."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.analysis.analyse import participant_methods
from batchwright.analysis.sections import ParticipantsResult
from batchwright.analysis.statistics.participants.participant_hints import ParticipantRow
from batchwright.analysis.statistics.planning.exclusion_effect import ExclusionEffectRow, FigureKind
from batchwright.analysis.store.exclusions import ExclusionRow
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.i18n import _, ngettext, pgettext
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import abbreviated_id, duration, number
from batchwright.ui.results.statistics.number_texts import MISSING, answers, decimal, share
from batchwright.ui.results.statistics.result_columns import number_column, text_column
from batchwright.ui.results.statistics.result_panels import ResultPanel, page_content, question_title
from batchwright.ui.results.statistics.row_table import RowColumn, RowTable
from batchwright.ui.results.statistics.section_pages import AnswersRequest, PageContext, ResultPage
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow, group


async def build(context: PageContext) -> QWidget:
    """Build the page, panel by panel."""
    people = ParticipantsPanel(context)
    await asyncio.sleep(0)
    exclusions = ExclusionsPanel(context, people.table)
    await asyncio.sleep(0)
    return ParticipantsPage(context, people, exclusions, EffectPanel())


class ParticipantsPage(ResultPage[ParticipantsResult]):
    """The table of participants, and below it the exclusions and what they change."""

    def __init__(
        self,
        context: PageContext,
        people: "ParticipantsPanel",
        exclusions: "ExclusionsPanel",
        effect: "EffectPanel",
    ) -> None:
        super().__init__(context, ParticipantsResult)
        self.people, self.exclusions, self.effect = people, exclusions, effect
        for panel in (exclusions, effect):
            panel.hide()
        self.set_content(page_content(self.people, self.exclusions, self.effect))

    @override
    def regions(self) -> Sequence[QWidget]:
        return self.people, self.exclusions, self.effect

    @override
    def show_result(self, result: ParticipantsResult) -> Iterator[None]:
        self.people.show_result(result)
        yield
        self.exclusions.show_result(result)
        self.exclusions.show()
        yield
        self.effect.show_result(result)
        self.effect.setVisible(bool(result.effect))


class ParticipantsPanel(ResultPanel):
    """The participants, with the field of the right answers and the button to exclude one."""

    help_address = "results.md#participants"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Participants"))
        self._context = context
        self.table: RowTable[ParticipantRow] = RowTable(_("Participants"), _columns(), max_rows=14)
        self.gold = FilterCombo(_("Field with the right answers"), pgettext("field", "None"))
        self.gold_question = FilterCombo(_("Question with right answers"), _("All with options"))
        self.exclude_button = Button(_("Exclude…"), glyph="prohibit", height=ButtonSize.NOTICE)
        self.answers_button = Button(_("Show answers"), glyph="table", height=ButtonSize.NOTICE)
        field = group(Label(_("Right answers in the field"), TextRole.SMALL, "text2"), self.gold)
        question = group(Label(_("to the question"), TextRole.SMALL, "text2"), self.gold_question)
        buttons = group(self.answers_button, self.exclude_button)
        self._right_answers = field, question
        self.add(WrappingRow(field, question, None, buttons), self.table)
        self.gold.activated.connect(self._on_gold_chosen)
        self.gold_question.activated.connect(self._on_gold_chosen)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.model().modelReset.connect(self._on_selected)
        self.table.row_activated.connect(self._show_answers)
        self.answers_button.clicked.connect(lambda: self._show_answers(self.table.selected))
        run = context.window.actions.run
        self.exclude_button.clicked.connect(lambda: run(ActionId.RESULTS_EXCLUDE_PARTICIPANT))
        self._on_selected()

    def show_result(self, result: ParticipantsResult) -> None:
        """Show the participants."""
        count = len(result.participants)
        text = ngettext("{count} participant", "{count} participants", count)
        self.show_side(text.format(count=number(count)))
        self._show_gold(result)
        self.table.show_rows(result.participants)
        for index in _ABOUT_RECORDS:
            self.table.setColumnHidden(index, result.is_survey)
        for widget in self._right_answers:
            widget.setVisible(not result.is_survey)
        self.show_methods(participant_methods(result.participants), result.excluded)

    def _show_gold(self, result: ParticipantsResult) -> None:
        """Show which field and question are chosen, and which ones can be."""
        settings = self._context.state.settings_in_use
        field, question = (settings.gold_field, settings.gold_question) if settings else ("", "")
        names = [*result.gold_fields, *([field] if field not in result.gold_fields else [])]
        fields = {name: name for name in names if name}
        self.gold.set_choices(fields, field)
        self.gold.setEnabled(bool(fields))
        no_field = _("No field of the dataset has values that are answers to the chosen questions.")
        self.gold.setToolTip("" if fields else no_field)
        asked = {item.id: question_title(item) for item in result.questions if item.kind != QuestionKind.FILE}
        self.gold_question.set_choices(asked, question)

    def _on_gold_chosen(self) -> None:
        self._context.state.change(
            gold_field=self.gold.chosen or "", gold_question=self.gold_question.chosen or ""
        )

    def _on_selected(self) -> None:
        selected = self.table.selected
        self._context.state.select_participant(selected.participant if selected else "")
        for button in (self.exclude_button, self.answers_button):
            button.set_disabled_reason("" if selected else _("Select a participant first"))

    def _show_answers(self, selected: ParticipantRow | None) -> None:
        if selected is not None:
            self._context.show_answers(AnswersRequest(participant=selected.participant))


class ExclusionsPanel(ResultPanel):
    """What is excluded and why, to be included again; when nothing is left, `next_focus` gets the focus."""

    help_address = "results.md#exclusions"

    def __init__(self, context: PageContext, next_focus: QWidget) -> None:
        super().__init__(_("Exclusions"))
        self._context, self._next_focus = context, next_focus
        self.table: RowTable[ExclusionRow] = RowTable(_("Exclusions"), _exclusion_columns(), max_rows=8)
        self.include_button = Button(_("Include again"), glyph="arrow-u-up-left", height=ButtonSize.NOTICE)
        self.rule_button = Button(_("Exclude by rule…"), glyph="prohibit", height=ButtonSize.NOTICE)
        buttons = row(None, self.rule_button, self.include_button)
        self._nothing = Label(
            _(
                "Nothing is excluded. Results leave out excluded participants and answers; files with "
                "answers contain them, with the reason."
            ),
            TextRole.SMALL,
            "text2",
            wraps=True,
        )
        self.add(self._nothing, buttons, self.table)
        run = context.window.actions.run
        self.rule_button.clicked.connect(lambda: run(ActionId.RESULTS_EXCLUDE_BY_RULE))
        self.include_button.clicked.connect(self._include)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.table.model().modelReset.connect(self._on_selected)
        self._on_selected()

    def show_result(self, result: ParticipantsResult) -> None:
        """Show the exclusions."""
        excluded, focused = result.exclusions, self.window().focusWidget()
        if not excluded and focused is not None and self.isAncestorOf(focused):
            self._next_focus.setFocus()
        self.table.show_rows(excluded)
        for widget in (self.table, self.include_button):
            widget.setVisible(bool(excluded))
        self._nothing.setVisible(not excluded)
        self.show_side(answers(result.excluded.answers) if excluded else "")

    def _on_selected(self) -> None:
        selected = self.table.selected
        reason = "" if selected else _("Select an exclusion first")
        if selected is not None and self._is_by_rule(selected):
            reason = (
                _("Of repeated answers, the last one counts: exclude that one if this one should count")
                if selected.kind == "answer"
                else _("A rule excludes this participant: remove the rule")
            )
        self.include_button.set_disabled_reason(reason)

    def _is_by_rule(self, of: ExclusionRow) -> bool:
        exclusions = self._context.state.exclusions
        if exclusions is None or of.kind == "rule":
            return False
        return of.id not in (exclusions.participants if of.kind == "participant" else exclusions.answers)

    def _include(self) -> None:
        selected = self.table.selected
        if selected is not None:
            self.table.setFocus()  # the button is disabled until another exclusion is selected
            self._context.state.include(selected.id)


class EffectPanel(ResultPanel):
    """The main figures with all answers and without the excluded ones, side by side."""

    help_address = "results.md#exclusions"

    def __init__(self) -> None:
        title = _("With and without exclusions")
        super().__init__(title)
        self._titles: Mapping[str, str] = {}
        self.table: RowTable[ExclusionEffectRow] = RowTable(title, self._columns(), max_rows=14)
        self.add(self.table)

    def show_result(self, result: ParticipantsResult) -> None:
        """Show the figures."""
        self._titles = result.titles
        self.table.show_rows(result.effect)
        self.show_side(answers(result.excluded.answers))

    def _columns(self) -> tuple[RowColumn[ExclusionEffectRow], ...]:
        of = ExclusionEffectRow

        def title(row: ExclusionEffectRow) -> str:
            return self._titles.get(row.question) or _("Untitled question")

        return (
            RowColumn(_("Question"), title, title, tooltip=title),
            text_column(of, "kind", 110),
            text_column(of, "about", 170),
            number_column(of, "all_answers", 190, lambda row: _figure(row.kind, *_all(row))),
            number_column(of, "without", 190, lambda row: _figure(row.kind, *_without(row))),
            number_column(of, "change", 90, lambda row: _change(row)),
        )


_SHARES = (FigureKind.SHARE, FigureKind.WIN_RATE)


def _all(row: ExclusionEffectRow) -> tuple[float, float, float]:
    return row.all_answers, row.all_low, row.all_high


def _without(row: ExclusionEffectRow) -> tuple[float, float, float]:
    return row.without, row.low, row.high


def _figure(kind: FigureKind, value: float, low: float, high: float) -> str:
    """A figure with its interval, as “62 % [59 %, 65 %]”."""
    write = share if kind in _SHARES else decimal
    if not isfinite(low) or not isfinite(high):
        return write(value)
    text = _("{value} [{low}, {high}]")
    return text.format(value=write(value), low=write(low), high=write(high))


def _change(row: ExclusionEffectRow) -> str:
    sign = "+" if row.change > 0 else ""
    return sign + (share(row.change) if row.kind in _SHARES else decimal(row.change))


_ABOUT_RECORDS = (2, 3, 5, 6)
"""Indexes of the columns that say nothing about the answers to a collection."""


def _columns() -> tuple[RowColumn[ParticipantRow], ...]:
    of = ParticipantRow
    return (
        text_column(of, "participant", 126, lambda row: abbreviated_id(row.participant)),
        number_column(of, "answers", 80),
        number_column(of, "tasks", 80),
        number_column(of, "median_seconds", 110, _seconds),
        number_column(of, "straight_lining", 110),
        number_column(of, "agreement", 100),
        number_column(of, "gold_accuracy", 230, _accuracy),
        number_column(of, "self_agreement", 110, _self_agreement),
        text_column(of, "hints"),
    )


def _seconds(of: ParticipantRow) -> str:
    if of.median_seconds != of.median_seconds:
        return MISSING
    return duration(of.median_seconds) if of.median_seconds >= 1 else _("<1 s")


def _accuracy(of: ParticipantRow) -> str:
    if not of.gold_answers:
        return MISSING
    return _("{share} of {count} ({low} to {high})").format(
        share=share(of.gold_accuracy),
        count=number(of.gold_answers),
        low=share(of.gold_low),
        high=share(of.gold_high),
    )


def _self_agreement(of: ParticipantRow) -> str:
    if not of.repeated_answers:
        return MISSING
    return _("{share} of {count}").format(share=share(of.self_agreement), count=number(of.repeated_answers))


def _exclusion_columns() -> tuple[RowColumn[ExclusionRow], ...]:
    return (
        replace(text_column(ExclusionRow, "kind", 120), tooltip=None),
        text_column(
            ExclusionRow, "id", 190, lambda row: row.id if row.kind == "rule" else abbreviated_id(row.id)
        ),
        text_column(ExclusionRow, "reason"),
        number_column(ExclusionRow, "answers", 90),
    )
