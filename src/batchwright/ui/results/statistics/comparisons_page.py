"""The section Comparisons: how often each system wins in side-by-side questions."""

import asyncio
from collections.abc import Iterator, Sequence
from math import isfinite

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.analysis.result_charts import (
    outcome_chart,
    pair_chart,
    position_chart,
    precision_chart,
    precision_title,
    strength_chart,
    win_rate_chart,
)
from batchwright.analysis.sections import ComparisonsResult
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.comparisons.sides import SideDesign, SideRow, side_design, side_sentence
from batchwright.analysis.statistics.comparisons.strengths import DifferenceRow, multiplicity_sentence
from batchwright.analysis.statistics.comparisons.system_results import OrderRow, SystemFields, part_sentences
from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.statistics.planning.needed_records import needed_sentences
from batchwright.base.i18n import _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.results.statistics.number_fields import FurtherAnswersField, WantedWidthField
from batchwright.ui.results.statistics.number_texts import answers, decimal, interval, p_value, share
from batchwright.ui.results.statistics.result_columns import number_column, text_column
from batchwright.ui.results.statistics.result_panels import (
    ResultPanel,
    SideBySide,
    page_content,
    question_title,
)
from batchwright.ui.results.statistics.row_table import RowColumn, RowTable
from batchwright.ui.results.statistics.sampling_fields import ClustersField, WeightField
from batchwright.ui.results.statistics.section_pages import PageContext, ResultPage
from batchwright.ui.results.statistics.titled_chart import TitledChart
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch
from batchwright.ui.widgets.wrapping_row import WrappingRow, group


async def build(context: PageContext) -> QWidget:
    """Build the page, panel by panel."""
    choices = ChoicesPanel(context)
    await asyncio.sleep(0)
    systems = SystemsPanel(context)
    await asyncio.sleep(0)
    return ComparisonsPage(context, choices, systems, PositionPanel(context))


class ComparisonsPage(ResultPage[ComparisonsResult]):
    """What is compared, and below it the results of the systems and the check of positions."""

    def __init__(
        self,
        context: PageContext,
        choices: "ChoicesPanel",
        systems: "SystemsPanel",
        positions: "PositionPanel",
    ) -> None:
        super().__init__(context, ComparisonsResult)
        self.choices, self.systems, self.positions = choices, systems, positions
        for panel in (systems, positions):
            panel.hide()
        self.set_content(page_content(self.choices, self.systems, self.positions))
        self.choices.question.activated.connect(lambda: self.start_work(self._show_question()))

    @override
    def regions(self) -> Sequence[QWidget]:
        return self.choices, self.systems, self.positions

    @override
    def show_result(self, result: ComparisonsResult) -> Iterator[None]:
        self.choices.show_result(result)
        yield from self._show_question()

    def _show_question(self) -> Iterator[None]:
        result, id = self.result, self.choices.question.currentData()
        if result is not None:
            yield
            self.systems.show_question(id or "", result)
            yield
            self.positions.show_question(id or "", result)


class ChoicesPanel(ResultPanel):
    """The question, the fields that name the systems, and what the options say; says what is missing."""

    help_address = "results.md#comparisons"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("What is compared"))
        self._state = context.state
        self._result: ComparisonsResult | None = None
        self.question = FormComboBox()
        self.question.setAccessibleName(_("Question"))
        self.left = FilterCombo(_("Field with the left system"), _("Choose a field"))
        self.right = FilterCombo(_("Field with the right system"), _("The other system"))
        self.suggestion = Button("", glyph="check", height=ButtonSize.NOTICE)
        self.roles_button = Button(_("Roles…"), glyph="tag", height=ButtonSize.NOTICE)
        self._question_row = QWidget()
        questions = row(Label(_("Question"), TextRole.SMALL, "text2"), parent=self._question_row)
        questions.addWidget(self.question, 1)
        self._fields = WrappingRow(
            group(Label(_("Left system is in"), TextRole.SMALL, "text2"), self.left),
            group(Label(_("right system is in"), TextRole.SMALL, "text2"), self.right),
            self.suggestion,
        )
        self._missing = Label("", TextRole.SMALL, "text2", wraps=True)
        self.clusters, self.weights = ClustersField(context.state), WeightField(context.state)
        self.further_answers = FurtherAnswersField(context.state)
        fields = self.clusters, self.weights, self.further_answers, WantedWidthField(context.state)
        buttons = WrappingRow(*fields, None, self.roles_button)
        self.add(self._question_row, self._fields, self._missing, buttons)
        for combo in (self.left, self.right):
            combo.activated.connect(self._on_fields_chosen)
        self.suggestion.clicked.connect(self._use_suggestion)
        run = context.window.actions.run
        self.roles_button.clicked.connect(lambda: run(ActionId.RESULTS_ROLES))

    def show_result(self, result: ComparisonsResult) -> None:
        """Show what is chosen, and what can be."""
        self._result = result
        chosen = self.question.currentData()
        self.question.clear()
        for question in result.compared:
            self.question.add(question_title(question), question.id)
        self.question.setCurrentIndex(max(0, self.question.findData(chosen)))
        self._question_row.setVisible(len(result.compared) > 1)
        settings = self._state.settings_in_use
        systems = settings.systems if settings is not None else None
        fields = {name: name for name in result.fields}
        self.left.set_choices(fields, systems.left if systems else "")
        self.right.set_choices(fields, systems.right if systems else "")
        self._fields.setVisible(bool(result.fields and result.compared))
        suggested = result.suggested
        self.suggestion.setVisible(suggested is not None and systems is None)
        if suggested is not None:
            text = _("Use {left} and {right}")
            self.suggestion.setText(text.format(left=suggested.left, right=suggested.right))
        self.roles_button.set_disabled_reason("" if result.candidates else _("No question has options"))
        self.weights.show_fields(result.weight_fields)
        self._missing.setText(_missing(result, systems))
        self._missing.setVisible(bool(self._missing.text()))

    def _on_fields_chosen(self) -> None:
        left, right = self.left.chosen, self.right.chosen
        self._state.change(systems=SystemFields(left, right or "") if left else None)

    def _use_suggestion(self) -> None:
        if self._result is not None and self._result.suggested is not None:
            self._state.change(systems=self._result.suggested)
            self.left.setFocus()


class SystemsPanel(ResultPanel):
    """Rates, strengths and the pairwise matrix of the systems."""

    help_address = "results.md#comparisons"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Systems"))
        self._state = context.state
        self._sides = Label("", TextRole.SMALL, wraps=True)
        self.sides: RowTable[SideRow] = RowTable(_("Sides of systems"), _side_columns(), max_rows=6)
        self.order = _switch(
            _("Account for an effect of the left side"),
            _("The Bradley–Terry model also estimates by how much the left side is preferred."),
        )
        self.order.toggled.connect(lambda is_on: context.state.change(has_order_effect=is_on))
        self.regularised = _switch(
            _("Regularise strengths"),
            _(
                "Each system also has half a win and half a loss against one imagined system, so that "
                "systems that never lost or never won have finite strengths."
            ),
        )
        self.regularised.toggled.connect(lambda is_on: context.state.change(is_regularised=is_on))
        self._effect = Label("", TextRole.SMALL, wraps=True)
        self.rates = TitledChart(context, _("Win rate"))
        self.strengths = TitledChart(context, _("Bradley–Terry strength"))
        self.outcomes = TitledChart(context, _("Wins, ties and losses"))
        self.pairs = TitledChart(context, _("Pairs"))
        self.differences: RowTable[DifferenceRow] = RowTable(
            _("Differences of systems"), _difference_columns(), max_rows=10
        )
        self._several = Label("", TextRole.SMALL, "text2", wraps=True)
        self.precision = TitledChart(context, _("Width of the interval"))
        right = QWidget()
        self._needed = Label("", TextRole.SMALL, wraps=True)
        column(self.strengths, self.pairs, self.precision, self._needed, gap=14, parent=right)
        left = QWidget()
        column(self.rates, self.outcomes, gap=14, parent=left)
        self._parts = Label("", TextRole.SMALL, wraps=True)
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        switches = QWidget()
        column(self.order, self.regularised, gap=8, parent=switches)
        head = self._sides, self.sides, switches, self._effect, self._parts, self._note
        name = Label(_("Differences of Bradley–Terry strengths"), TextRole.SMALL_NAME, "text2", wraps=True)
        self._differences = QWidget()
        column(name, self._several, self.differences, gap=8, parent=self._differences)
        self.add(*head, SideBySide(left, right), self._differences)

    def show_question(self, id: str, result: ComparisonsResult) -> None:
        """Show the systems in a question."""
        self._show_sides([item for item in result.results.sides if item.question == id])
        order = next((item for item in result.results.orders if item.question == id), None)
        self._effect.setText(_effect_text(order) if order is not None else "")
        self._effect.setVisible(order is not None)
        rows = [item for item in result.results.systems if item.question == id]
        pairs = [item for item in result.results.pairs if item.question == id]
        is_regularised = any(item.is_regularised for item in rows)
        self._parts.setText(" ".join(part_sentences(rows, pairs)))
        self._parts.setVisible(bool(self._parts.text()))
        self._note.setText(result.sampling_note)
        self._note.setVisible(bool(result.sampling_note))
        self.setVisible(bool(rows))
        if not rows:
            return
        self.show_side(answers(sum(item.comparisons + item.none for item in rows) // 2))
        title = next((question_title(question) for question in result.compared if question.id == id), "")
        rates, outcomes = _("Win rate: wins and half the ties"), _("Share of wins, ties and losses")
        strengths, matrix = _("Strength by Bradley and Terry"), _("Win rate against each other system")
        if is_regularised:
            strengths = _("Strength by Bradley and Terry, regularised")
        self.rates.show_drawing(rates, win_rate_chart(f"{title} – {rates}", rows))
        self.outcomes.show_drawing(outcomes, outcome_chart(f"{title} – {outcomes}", rows))
        self.strengths.show_drawing(strengths, strength_chart(f"{title} – {strengths}", rows))
        self.pairs.show_drawing(matrix, pair_chart(f"{title} – {matrix}", pairs))
        precision = [item for item in result.precision if item.question == id]
        self.precision.setVisible(bool(precision))
        if precision:
            width = precision_title(precision[0])
            self.precision.show_drawing(width, precision_chart(f"{title} – {width}", precision))
        needed = [item for item in result.results.needed if item.question == id]
        self._needed.setText(" ".join(needed_sentences(needed)))
        self._needed.setVisible(bool(needed))
        differences = [item for item in result.results.differences if item.question == id]
        self._show_differences(differences)
        used = [
            *(methods.WIN_RATE, methods.WILSON),
            *methods.strength_methods(has_order=order is not None, is_regularised=is_regularised),
            *([methods.HOLM] if differences else []),
            *([methods.PRECISION] if precision else []),
            *([methods.NEEDED_RECORDS] if needed else []),
        ]
        self.show_methods(_about(used, result), result.excluded)

    def _show_differences(self, rows: Sequence[DifferenceRow]) -> None:
        self._differences.setVisible(bool(rows))
        self.differences.show_rows(rows)
        self._several.setText(multiplicity_sentence(rows))
        self._several.setVisible(bool(self._several.text()))

    def _show_sides(self, sides: Sequence[SideRow]) -> None:
        self._sides.setText(side_sentence(sides))
        self.sides.show_rows(sides)
        self.sides.setVisible(len(sides) > 1)
        settings = self._state.settings
        self.order.setChecked(settings is not None and settings.has_order_effect)
        self.order.setVisible(side_design(sides) is not SideDesign.FIXED)
        self.regularised.setChecked(settings is not None and settings.is_regularised)


class PositionPanel(ResultPanel):
    """Whether the left side wins more often than by chance."""

    help_address = "results.md#bias-of-position"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Bias of position"))
        self._text = Label("", TextRole.SMALL, wraps=True)
        self.chart = TitledChart(context, _("Share of wins of the left side"))
        self.add(self._text, self.chart)

    def show_question(self, id: str, result: ComparisonsResult) -> None:
        """Show the check of a question."""
        found = next((item for item in result.positions if item.question == id), None)
        self.setVisible(found is not None and found.left + found.right > 0)
        if found is None or not found.left + found.right:
            return
        sides = [item for item in result.results.sides if item.question == id]
        is_fixed = side_design(sides) is SideDesign.FIXED
        self.chart.setVisible(not is_fixed)
        if is_fixed:
            self._text.setText(side_sentence(sides))
            self.show_methods([methods.SIDES], result.excluded)
            return
        text = _("The left side won {share} ({interval}) of the answers that prefer a side.")
        text = f"{text} {side_sentence(sides)}"
        if side_design(sides) is SideDesign.BALANCED:
            text = f"{text} " + _("Without a bias, half is expected.")
        ends = interval(100 * found.low, 100 * found.high, 0)
        self._text.setText(
            text.format(share=share(found.left_share), interval=_("95 %: {ends} %").format(ends=ends))
        )
        title = _("Share of wins of the left side")
        self.chart.show_drawing(title, position_chart(title, found))
        self.show_methods(_about([methods.POSITION, methods.WILSON], result), result.excluded)


def _switch(text: str, meaning: str) -> Switch:
    switch = Switch(text)
    switch.setToolTip(meaning)
    switch.setAccessibleDescription(meaning)
    return switch


def _about(used: Sequence[Method], result: ComparisonsResult) -> list[Method]:
    """Methods as they are used with what intervals are about, and with the weights of records."""
    weights = [methods.WEIGHTS] if result.sampling.weights is not None else []
    return [*(method.about(result.sampling.clusters) for method in used), *weights]


def _difference_columns() -> tuple[RowColumn[DifferenceRow], ...]:
    def ends(of: DifferenceRow) -> str:
        return f"{decimal(of.difference)} ({interval(of.low, of.high)})"

    return (
        text_column(DifferenceRow, "system", 220),
        text_column(DifferenceRow, "opponent"),
        number_column(DifferenceRow, "difference", 210, ends),
        number_column(DifferenceRow, "adjusted_p", 110, lambda of: p_value(of.adjusted_p)),
        text_column(DifferenceRow, "differs", 90, lambda of: _("yes") if of.differs else ""),
    )


def _side_columns() -> tuple[RowColumn[SideRow], ...]:
    return (
        text_column(SideRow, "system", 240),
        text_column(SideRow, "opponent"),
        number_column(SideRow, "left", 120),
        number_column(SideRow, "right", 120),
    )


def _effect_text(order: OrderRow) -> str:
    if not isfinite(order.effect):
        return _("The effect of the left side cannot be estimated: a system has always won or always lost.")
    text = _("Effect of the left side on the logarithm of the odds: {value} ({interval}); 0 is no effect.")
    ends = _("95 %: {ends}").format(ends=interval(order.low, order.high))
    return text.format(value=decimal(order.effect), interval=ends)


def _missing(result: ComparisonsResult, systems: SystemFields | None) -> str:
    """What is missing for results; empty if nothing is."""
    if not result.candidates:
        return _("Comparisons need a question with a single choice between a left and a right side.")
    if not result.compared:
        return _(
            "No question was recognised as a comparison of two sides. Choose what the options of your "
            "question mean: left, right, tie or none."
        )
    if not result.fields:
        return _(
            "Results by system need to know which system was on which side: add fields with their names to "
            "the dataset."
        )
    if result.unusable_fields:
        return result.unusable_fields + " " + _("Choose another field.")
    if systems is None:
        return _("Choose the fields of the dataset that name the system on each side.")
    return ""
