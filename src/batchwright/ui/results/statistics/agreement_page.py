"""The section Agreement: how far participants agree, where they do not, and the labels of records."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import isnan
from typing import TypeVar

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.analysis.analyse import LABEL_METHODS, agreement_methods, pair_methods
from batchwright.analysis.charts import Columns, Drawing, Mark, forest_plot
from batchwright.analysis.result_charts import (
    agreement_chart,
    confusion_chart,
    confusion_title,
    precision_chart,
    precision_title,
)
from batchwright.analysis.sections import AgreementResult
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.agreement.agreement_results import (
    ALPHA,
    AgreementRow,
    DisagreementRow,
    first_alphas,
    interval_warning,
)
from batchwright.analysis.statistics.agreement.final_answers import GivenRow
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.agreement.labels import LabelRow
from batchwright.analysis.statistics.agreement.rater_pairs import RaterPairRow, RaterPairs
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.base.i18n import _, ngettext
from batchwright.base.policy import computer_policy
from batchwright.ui.core.formatting import abbreviated_id, name_order, number, records
from batchwright.ui.results.statistics.final_answers_panel import FinalAnswersPanel
from batchwright.ui.results.statistics.number_fields import FurtherAnswersField
from batchwright.ui.results.statistics.number_texts import answers, decimal, interval
from batchwright.ui.results.statistics.result_columns import heading, number_column, text_column
from batchwright.ui.results.statistics.result_panels import (
    ResultPanel,
    SideBySide,
    page_content,
    question_title,
)
from batchwright.ui.results.statistics.row_table import RowColumn, RowTable
from batchwright.ui.results.statistics.section_pages import AnswersRequest, PageContext, ResultPage
from batchwright.ui.results.statistics.titled_chart import TitledChart
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow

R = TypeVar("R", DisagreementRow, GivenRow, LabelRow)

_LINEAR_COLUMN = 5
"""The column of the weighted kappa with linear weights; that with quadratic ones follows."""
_MODEL_COLUMN = 4
"""The column of the label by the model; its probability follows."""


async def build(context: PageContext) -> QWidget:
    """Build the page, panel by panel."""
    coefficients = CoefficientsPanel(context)
    await asyncio.sleep(0)
    disagreements = DisagreementsPanel(context)
    await asyncio.sleep(0)
    pairs = PairsPanel(context)
    await asyncio.sleep(0)
    labels = LabelsPanel(context)
    await asyncio.sleep(0)
    finals = FinalAnswersPanel(context, _record_column(context, GivenRow), partial(_record_title, context))
    await asyncio.sleep(0)
    return AgreementPage(context, coefficients, disagreements, finals, pairs, labels)


class AgreementPage(ResultPage[AgreementResult]):
    """All questions, and the details of one of them."""

    def __init__(
        self,
        context: PageContext,
        coefficients: "CoefficientsPanel",
        disagreements: "DisagreementsPanel",
        finals: FinalAnswersPanel,
        pairs: "PairsPanel",
        labels: "LabelsPanel",
    ) -> None:
        super().__init__(context, AgreementResult)
        self.question = FormComboBox()
        self.question.setAccessibleName(_("Question"))
        self._controls = QWidget()
        label = Label(_("Question"), TextRole.SMALL, "text2")
        controls = row(label)
        controls.addWidget(self.question, 1)
        self.further_answers = FurtherAnswersField(context.state)
        column(controls, WrappingRow(self.further_answers), gap=8, parent=self._controls)
        self.overview = ResultPanel(_("Agreement by question"))
        self.overview_chart = TitledChart(context, _("Krippendorff's alpha"), is_clickable=True)
        self.overview.add(self.overview_chart)
        self.coefficients, self.disagreements = coefficients, disagreements
        self.finals, self.pairs, self.labels = finals, pairs, labels
        panels = (self.overview, self._controls, coefficients, disagreements, finals, pairs, labels)
        for panel in (self.overview, coefficients, disagreements, finals, pairs, labels):
            panel.hide()
        self._regions = panels
        self._empty = EmptyState(
            "users-three",
            _("Nothing to compare yet"),
            _(
                "Agreement needs records that at least two participants have answered, in questions with "
                "options or numbers."
            ),
        )
        self._filled = page_content(*panels)
        self.set_content(self._filled)
        self.addWidget(self._empty)
        self._rows: list[AgreementRow] = []
        """The rows of the overview."""
        self.question.activated.connect(lambda: self.start_work(self._show_question()))
        self.overview_chart.activated.connect(self._on_overview_activated)

    @override
    def regions(self) -> Sequence[QWidget]:
        return self._regions

    @override
    def show_state(self) -> None:
        super().show_state()
        if self.currentWidget() is self._filled and self.result is not None and not self._has_content():
            self.show_page(self._empty)

    @override
    def show_result(self, result: AgreementResult) -> Iterator[None]:
        chosen = self.question.currentData()
        with_results = {row.question for row in result.rows} | set(result.labels)
        shown = [question for question in result.questions if question.id in with_results]
        self.question.clear()
        for question in shown:
            self.question.add(question_title(question), question.id)
        ids = [question.id for question in shown]
        self.question.setCurrentIndex(ids.index(chosen) if chosen in ids else 0)
        titles = {question.id: question_title(question) for question in shown}
        self._rows = first_alphas(result.rows)
        labels = [_with_unit(titles[row.question], row.unit) for row in self._rows]
        title = _("Agreement by question")
        drawing = _alpha_chart(title, self._rows, labels, _("Question"))
        self.overview_chart.show_drawing(_("Krippendorff's alpha, with the metric of each question"), drawing)
        self.overview.show_methods([methods.KRIPPENDORFF, methods.JACKKNIFE], result.excluded)
        self.overview.setVisible(len(self._rows) > 1)
        yield from self._show_question()

    def _has_content(self) -> bool:
        return self.result is not None and bool(self.result.rows or self.result.labels)

    def _on_overview_activated(self, row: int) -> None:
        self.question.setCurrentIndex(self.question.findData(self._rows[row].question))
        self.start_work(self._show_question())
        self.question.setFocus()

    def _show_question(self) -> Iterator[None]:
        result, id = self.result, self.question.currentData()
        question = next((item for item in result.questions if item.id == id), None) if result else None
        if result is not None and question is not None:
            yield
            yield from self.coefficients.show_question(question, result)
            self.coefficients.show()
            yield
            self.disagreements.show_question(question, result)
            self.pairs.show_question(question, result)
            yield
            self.finals.show_question(question, result)
            yield
            self.labels.show_question(question, result)


class CoefficientsPanel(ResultPanel):
    """All coefficients of a question; alpha also by field and by option."""

    help_address = "results.md#agreement"

    def __init__(self, context: PageContext) -> None:
        super().__init__("")
        self._context = context
        self._fields_row = QWidget()
        self.fields = FilterCombo(_("Split by field"), _("All answers"))
        row(Label(_("Split by"), TextRole.SMALL, "text2"), self.fields, None, parent=self._fields_row)
        self.chart = TitledChart(context, _("Coefficients"))
        self.precision = TitledChart(context, _("Width of the interval"))
        self.by_field = TitledChart(context, _("By field"))
        self.by_option = TitledChart(context, _("By option"))
        self._question: AnalysedQuestion | None = None
        self._result: AgreementResult | None = None
        self._details_of: object = None
        """The question, field and result whose details are shown."""
        self._missing = Label("", TextRole.SMALL, "text2", wraps=True)
        self._warning = Label("", TextRole.SMALL, "warn", wraps=True)
        self._languages = Label("", TextRole.SMALL, "text2", wraps=True)
        self.add(self._missing, SideBySide(self.chart, self.precision), self._warning, self._languages)
        self.add(self.by_option, self._fields_row, self.by_field)
        self.fields.activated.connect(self._show_details_soon)

    def show_question(self, question: AnalysedQuestion, result: AgreementResult) -> Iterator[None]:
        """Show the coefficients of a question; yields between charts."""
        if question.id != (self._question.id if self._question else ""):
            self.by_option.hide()
            self.by_field.hide()
        self._question, self._result = question, result
        total = [row for row in result.rows if row.question == question.id]
        self.show_title(question_title(question))
        self._missing.setText(_why_undefined(total))
        self._missing.setVisible(bool(self._missing.text()))
        self._warning.setText(
            "" if self._missing.text() else interval_warning(min(row.differing for row in total))
        )
        self._warning.setVisible(bool(self._warning.text()))
        self._languages.setText(result.languages_note)
        self._languages.setVisible(bool(result.languages_note))
        self.chart.setVisible(bool(total))
        self._show_precision(question, result)
        yield
        if not total:
            self._fields_row.hide()
            self.show_side("")
            self.show_methods([], result.excluded)
            return
        text = _("{records}, {participants}, {answers}")
        people = ngettext("{count} participant", "{count} participants", total[0].raters)
        people = people.format(count=number(total[0].raters))
        given = answers(total[0].ratings)
        self.show_side(text.format(records=records(total[0].records), participants=people, answers=given))
        chart = agreement_chart(question_title(question), total)
        self.chart.show_drawing(_("Coefficients of agreement"), chart)
        yield
        self.fields.set_choices({name: name for name in result.fields}, self.fields.chosen)
        self._fields_row.setVisible(bool(result.fields))
        used = [*agreement_methods(total), *([methods.PRECISION] if self.precision.isVisibleTo(self) else [])]
        self.show_methods(used, result.excluded)
        self._show_details_soon()

    def _show_precision(self, question: AnalysedQuestion, result: AgreementResult) -> None:
        """Show the width of the interval of the first coefficient."""
        rows = [row for row in result.precision if row.question == question.id]
        rows = [row for row in rows if row.unit == rows[0].unit]
        self.precision.setVisible(bool(rows))
        if rows:
            title = precision_title(rows[0])
            self.precision.show_drawing(title, precision_chart(f"{question_title(question)} – {title}", rows))

    def _show_details_soon(self) -> None:
        self._context.window.tasks.start("results agreement details", self._show_details)

    async def _show_details(self) -> None:
        """Compute and show agreement by option and field, again if another question is chosen meanwhile."""
        while (requested := (self._question, self.fields.chosen or "", self._result)) != self._details_of:
            question, field, _result = requested
            rows = [] if question is None else await self._context.state.find_agreement(question.id, field)
            self._details_of = requested
            alphas = [row for row in rows if row.coefficient == ALPHA]
            options = [row for row in alphas if row.option]
            title = _("Agreement on whether each option was chosen")
            labels = [row.option for row in options]
            self.by_option.show_drawing(title, _alpha_chart(title, options, labels, _("Option")))
            self.by_option.setVisible(len(options) > 1)
            groups = [row for row in alphas if row.field]
            title = _("Agreement by {field}").format(field=field)
            labels = [_with_unit(row.field_value or _("No value"), row.unit) for row in groups]
            self.by_field.show_drawing(title, _alpha_chart(title, groups, labels, field))
            self.by_field.setVisible(bool(groups))


class DisagreementsPanel(ResultPanel):
    """The records whose answers to a question differ most; a row leads to the answers."""

    help_address = "results.md#agreement"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Records with most disagreement"))
        self._context, self._wordings = context, tuple[str, ...]()
        self.table: RowTable[DisagreementRow] = RowTable(
            _("Records with most disagreement"), _disagreement_columns(context), max_rows=10
        )
        self.table.activate_on_click(_("Show the answers about this record"))
        self.add(self.table)
        self.table.row_activated.connect(self._on_row_activated)

    def show_question(self, question: AnalysedQuestion, result: AgreementResult) -> None:
        """Show the records of a question."""
        self._wordings = question.wording_ids
        rows = [row for row in result.disagreements if row.question == question.id]
        self.setVisible(bool(rows))
        self.show_side(records(len(rows)))
        self.table.show_rows(rows, self._context.titles())
        self.table.setColumnHidden(1, not any(row.unit for row in rows))
        self.show_methods([methods.DISAGREEMENT], result.excluded)

    def _on_row_activated(self, row: DisagreementRow) -> None:
        self._context.show_answers(AnswersRequest(self._wordings, task=row.task))


class PairsPanel(ResultPanel):
    """How far two participants agree about a single choice, pair by pair, and the confusion matrix of one."""

    help_address = "results.md#agreement"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Pairs of participants"))
        self._context = context
        self._question: AnalysedQuestion | None = None
        self._result: AgreementResult | None = None
        self._pairs_of: object = None
        """The question and result whose pairs are shown."""
        self._pairs = RaterPairs()
        self.table: RowTable[RaterPairRow] = RowTable(
            _("Pairs of participants"), _pair_columns(), max_rows=10
        )
        self.table.activate_on_click(_("Show the confusion matrix of this pair"))
        self.confusions = TitledChart(context, _("Confusion matrix"))
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        self.add(self._note, self.table, self.confusions)
        self.table.row_activated.connect(self._on_row_activated)

    def show_question(self, question: AnalysedQuestion, result: AgreementResult) -> None:
        """Show the pairs of a question as soon as they are computed."""
        if question.id != (self._question.id if self._question else ""):
            self.hide()
        self._question, self._result = question, result
        self._context.window.tasks.start("results pairs of participants", self._show_pairs)

    async def _show_pairs(self) -> None:
        """Compute and show the pairs, again if another question is chosen meanwhile."""
        while (requested := (self._question, self._result)) != self._pairs_of:
            question, result = requested
            found = None if question is None else await self._context.state.find_pairs(question.id)
            self._pairs_of, self._pairs = requested, found or RaterPairs()
            pairs = self._pairs.pairs
            self.setVisible(bool(pairs))
            if question is None or result is None or not pairs:
                continue
            text = ngettext("{count} pair", "{count} pairs", len(pairs))
            self.show_side(text.format(count=number(len(pairs))))
            self._note.setText(self._pairs.note)
            self._note.setVisible(bool(self._pairs.note))
            self.table.show_rows(pairs)
            for index in (_LINEAR_COLUMN, _LINEAR_COLUMN + 1):
                self.table.setColumnHidden(index, not question.is_scale)
            shown = self.table.selected or pairs[0]
            self.table.select(shown)
            self._on_row_activated(shown)
            self.show_methods(pair_methods(pairs), result.excluded)

    def _on_row_activated(self, row: RaterPairRow) -> None:
        pair = (row.first, row.second)
        cells = [cell for cell in self._pairs.confusions if (cell.first, cell.second) == pair]
        if computer_policy().pseudonyms_reason:  # names are saved with the chart
            pair = (_("one participant"), _("another one"))
            cells = [replace(cell, first=pair[0], second=pair[1]) for cell in cells]
        title = confusion_title(*pair)
        self.confusions.show_drawing(title, confusion_chart(title, cells))
        self.confusions.setVisible(bool(cells))


class LabelsPanel(ResultPanel):
    """One label per record: of the majority, and of a model of participants' errors."""

    help_address = "results.md#labels"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Labels of records"))
        self._context, self._wordings = context, tuple[str, ...]()
        self.model = FormComboBox()
        self.model.setAccessibleName(_("Labels"))
        for model in LabelModel:
            self.model.add(_(model.text), model)
        meaning = _(
            "The models give more weight to participants who seem reliable. The one-coin model has one "
            "probability of a right answer per participant. Dawid and Skene's model has one for each option, "
            "and needs 20 answers or more per participant."
        )
        self.model.setToolTip(meaning)
        self.model.setAccessibleDescription(meaning)
        self._choice = QWidget()
        row(Label(_("Labels"), TextRole.SMALL, "text2"), self.model, None, parent=self._choice)
        self._warning = Label("", TextRole.SMALL, "warn", wraps=True)
        self._check = Label("", TextRole.SMALL, "text2", wraps=True)
        self.table: RowTable[LabelRow] = RowTable(
            _("Labels of records"), _label_columns(context), max_rows=10
        )
        self.table.activate_on_click(_("Show the answers about this record"))
        self.add(self._choice, self._warning, self._check, self.table)
        self.model.activated.connect(
            lambda: context.state.change(label_model=LabelModel(self.model.currentData()))
        )
        self.table.row_activated.connect(self._on_row_activated)

    def show_question(self, question: AnalysedQuestion, result: AgreementResult) -> None:
        """Show the labels of a question."""
        self._wordings = question.wording_ids
        labels = result.labels.get(question.id)
        self.setVisible(labels is not None)
        if labels is None:
            return
        tied = ngettext("{count} tie", "{count} ties", labels.ties).format(count=number(labels.ties))
        text = f"{records(labels.count)}, {tied}"
        if len(labels.rows) < labels.count:
            text = _("{text}; the first {count} are listed").format(text=text, count=number(len(labels.rows)))
        self.show_side(text)
        settings = self._context.state.settings
        model = LabelModel.MAJORITY if settings is None else settings.label_model
        self.model.setCurrentIndex(self.model.findData(model))
        self._choice.setVisible(question.kind is QuestionKind.CHOICE)
        for line, content in ((self._warning, labels.warning), (self._check, labels.check)):
            line.setText(content)
            line.setVisible(bool(content))
        self.table.show_rows(labels.rows, self._context.titles())
        for index in (_MODEL_COLUMN, _MODEL_COLUMN + 1):
            self.table.setColumnHidden(index, not labels.has_model)
        used = LABEL_METHODS[model if labels.has_model else LabelModel.MAJORITY]
        self.show_methods(list(used), result.excluded)

    def _on_row_activated(self, row: LabelRow) -> None:
        self._context.show_answers(AnswersRequest(self._wordings, task=row.task))


def _record_title(context: PageContext, of: DisagreementRow | GivenRow | LabelRow) -> str:
    """The title of a record; its abbreviated id while none is known."""
    return context.titles().titles.get(of.task) or abbreviated_id(of.datapoint or of.task)


def _record_tooltip(context: PageContext, of: DisagreementRow | GivenRow | LabelRow) -> str:
    """The title of a record and its id."""
    return "\n".join(filter(None, (context.titles().titles.get(of.task, ""), of.datapoint or of.task)))


def _record_column(context: PageContext, row_type: type[R], width: int = 0) -> RowColumn[R]:
    return RowColumn(
        heading(row_type, "task"),
        lambda row: _record_title(context, row),
        lambda row: name_order(_record_title(context, row)),
        width,
        is_name=True,
        tooltip=lambda row: _record_tooltip(context, row),
    )


def _disagreement_columns(context: PageContext) -> tuple[RowColumn[DisagreementRow], ...]:
    return (
        _record_column(context, DisagreementRow),
        text_column(DisagreementRow, "unit", 90),
        number_column(DisagreementRow, "ratings", 90),
        number_column(DisagreementRow, "disagreement", 120),
    )


def _pair_columns() -> tuple[RowColumn[RaterPairRow], ...]:
    return (
        text_column(RaterPairRow, "first"),
        text_column(RaterPairRow, "second"),
        number_column(RaterPairRow, "records", 90),
        number_column(RaterPairRow, "agreement", 120),
        number_column(RaterPairRow, "kappa", 190, _kappa),
        number_column(RaterPairRow, "linear", 90),
        number_column(RaterPairRow, "quadratic", 100),
    )


def _kappa(of: RaterPairRow) -> str:
    value = decimal(of.kappa)
    if isnan(of.low):
        return value
    return _("{value} ({interval})").format(value=value, interval=interval(of.low, of.high))


def _label_columns(context: PageContext) -> tuple[RowColumn[LabelRow], ...]:
    return (
        _record_column(context, LabelRow),
        RowColumn(heading(LabelRow, "label"), _label, _label, tooltip=_label),
        number_column(LabelRow, "ratings", 80),
        number_column(LabelRow, "confidence", 110),
        text_column(LabelRow, "model_label"),
        number_column(LabelRow, "model_probability", 110),
    )


def _label(of: LabelRow) -> str:
    if of.tied:
        return _("Tie: {options}").format(options=of.tied)
    return _with_unit(of.label, of.unit)


def _why_undefined(rows: Sequence[AgreementRow]) -> str:
    """The reason why agreement cannot be computed; empty if it can."""
    if not rows:
        return _("No record has answers of two participants to this question yet.")
    if isnan(rows[0].value):
        return _("All answers are the same, so that agreement beyond chance is not defined.")
    return ""


def _with_unit(text: str, unit: str) -> str:
    return _("{text} ({unit})").format(text=text, unit=unit) if unit else text


def _alpha_chart(title: str, rows: Sequence[AgreementRow], labels: Sequence[str], name: str) -> Drawing:
    """Krippendorff's alpha of several questions, field values or options."""
    marks = [
        Mark(label, item.value, item.low, item.high, detail=records(item.records))
        for item, label in zip(rows, labels, strict=True)
    ]
    alpha = _("Krippendorff's alpha")
    columns = Columns.with_interval(name, alpha, _("Based on"))
    return partial(forest_plot, title, marks, axis_title=alpha, columns=columns, limits=(0.0, 1.0))
