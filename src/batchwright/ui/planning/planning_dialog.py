"""The dialog “How many?”: what is wanted and assumed, and the plan, which follows every change."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QDoubleSpinBox, QGridLayout, QHeaderView, QWidget
from typing_extensions import override

from batchwright.analysis.result_charts import plan_chart
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.planning.assumptions import StudyMeasure
from batchwright.analysis.statistics.planning.plan_texts import (
    ABOUT,
    TITLES,
    PlanColumn,
    plan_columns,
    plan_note,
)
from batchwright.analysis.statistics.planning.plans import Aim, PlanRequest
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _
from batchwright.ui.content.charts.chart_canvas import ChartCanvas
from batchwright.ui.planning.number_rows import NUMBER_ROWS, NumberRow
from batchwright.ui.planning.planner_state import PlannerState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormComboBox, FormDoubleSpinBox
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.tables.table import CellModel, FittedTable, TextCell
from batchwright.ui.widgets.text import Label

_WIDTH = 1120
_COLUMNS = 2
_FORM_PART, _PLAN_PART = 3, 4
"""How the width is divided among the form and the plan beside it."""
_WIDE_ENOUGH = 880
"""The width from which the plan is beside the form, and not below it."""
_TABLE_WIDTH = 480
_MOST_SECONDS, _MOST_PAY, _MOST_FEE = 36_000, 10_000, 1000
_AIMS = {
    Aim.PRECISION: N_("How exact the result is"),
    Aim.POWER: N_("How surely a difference is found"),
    Aim.BUDGET: N_("How many answers you can afford"),
}
_METRICS = {
    Metric.NOMINAL: N_("Options in no order"),
    Metric.ORDINAL: N_("Options in order, as on a scale"),
    Metric.INTERVAL: N_("Numbers, by their differences"),
    Metric.RATIO: N_("Numbers, by their ratios"),
}
_CLUSTERS = {
    Clusters.RECORDS: N_("Further records"),
    Clusters.PARTICIPANTS: N_("Further participants"),
    Clusters.BOTH: N_("Both"),
}


class PlanTableModel(CellModel):
    """A plan, with a column for each number of answers about a record."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._columns: Sequence[PlanColumn] = ()

    def show_columns(self, columns: Sequence[PlanColumn]) -> None:
        """Show another plan."""
        self.beginResetModel()
        self._columns = columns
        self.endResetModel()

    @override
    def headings(self) -> Sequence[str]:
        if not self._columns:
            return []
        first = self._columns[0]
        return [first.title, *first.texts]

    @override
    def heading(self, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and column:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return super().heading(column, role)

    @override
    def row_count(self) -> int:
        return max(0, len(self._columns) - 1)

    @override
    def cell(self, row: int, column: int) -> TextCell:
        shown = self._columns[row + 1]
        if not column:
            return TextCell(shown.title, is_name=True)
        return TextCell(shown.texts[column - 1], is_number=True)


class PlanningDialog(Dialog):
    """Shows a `PlannerState`, and changes it."""

    help_address = "prepare.md#how-many"

    def __init__(self, state: PlannerState) -> None:
        text = _(
            "How many records and answers a study needs, or how exact its result is with those that you can "
            "afford. Nothing here is sent."
        )
        super().__init__(_("How many?"), text, _("Close"), width=_WIDTH)
        self.state = state
        self.cancel_button.hide()
        self.measure, self.aim, self.clusters = FormComboBox(), FormComboBox(), FormComboBox()
        for measure in StudyMeasure:
            self.measure.add(_(TITLES[measure]), measure)
        for clusters, label in _CLUSTERS.items():
            self.clusters.add(_(label), clusters)
        for aim, label in _AIMS.items():
            self.aim.add(_(label), aim)
        self._measure_field = InputField(_("What the study is about"), self.measure)
        self._aim_field = InputField(_("What you start from"), self.aim)
        about = _("What other answers the result is to be true of.")
        self._clusters_field = InputField(_("Valid for"), self.clusters, hint=about)
        self.kind_of_answers = FormComboBox()
        for metric, label in _METRICS.items():
            self.kind_of_answers.add(_(label), metric)
        kind_hint = _("On a scale, and among numbers, neighbours agree in part.")
        self._kind_field = InputField(_("Kind of answers"), self.kind_of_answers, hint=kind_hint)
        self.numbers = [PlannedNumber(state, row) for row in NUMBER_ROWS]
        self.seconds, self.pay, self.fee = FormDoubleSpinBox(), FormDoubleSpinBox(), FormDoubleSpinBox()
        self.seconds.setRange(1, _MOST_SECONDS)
        self.seconds.setDecimals(0)
        self.seconds.setSuffix(_(" s"))
        self.pay.setRange(0, _MOST_PAY)
        self.fee.setRange(0, _MOST_FEE)
        self.fee.setDecimals(1)
        self.fee.setSuffix(_(" %"))
        self._time_field = InputField(_("Seconds per task"), self.seconds)
        self._costs = [
            self._time_field,
            InputField(_("Pay per hour"), self.pay, hint=_("In your currency; 0 shows none.")),
            InputField(_("Fee of the platform"), self.fee, hint=_("As a part of the pay.")),
        ]
        self._fields = QWidget()
        self._grid = QGridLayout(self._fields)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._placed: list[QWidget] = []
        self._pilot_note = Label("", TextRole.SMALL, "text2", wraps=True)
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        self._problem = Label("", TextRole.SMALL, "err", wraps=True)
        self._model = PlanTableModel(self)
        self.table = FittedTable(_("Plan"), self._model, width=_TABLE_WIDTH, min_rows=4, max_rows=7)
        self.table.horizontalHeader().setStretchLastSection(False)
        self._chart_title = Label("", TextRole.SMALL_NAME, "text2")
        self.chart = ChartCanvas()
        self.chart.has_table = False
        self._progress = ProgressRow(_("Simulated studies"))
        self.stop_button = Button(_("Stop"))
        self.stop_button.clicked.connect(self._on_stop_clicked)
        self._running = QWidget()
        progress = row(gap=12, parent=self._running)
        progress.addWidget(self._progress, 1)
        progress.add(self.stop_button)
        form, plan = QWidget(), QWidget()
        column(self._fields, self._pilot_note, None, gap=12, parent=form)
        column(
            *(self._running, self._problem, self.table, self._note, self._chart_title, self.chart, None),
            gap=8,
            parent=plan,
        )
        self.add(row_of(self._measure_field, self._aim_field), _FormAndPlan(form, plan))
        self._connect()
        self._refresh()
        self._show_progress()

    def add_pilot_button(self, choose: Callable[[], object]) -> None:
        """Add a button that asks for a file with the answers of a pilot."""
        pilot = Button(_("Estimate from the answers of a pilot…"))
        pilot.clicked.connect(choose)
        self.add_side_button(pilot)

    def _connect(self) -> None:
        state = self.state
        self.measure.currentIndexChanged.connect(
            lambda _index: state.change_measure(StudyMeasure(self.measure.currentData()))
        )
        self.aim.currentIndexChanged.connect(lambda _index: self._on_aim_chosen())
        self.clusters.currentIndexChanged.connect(
            lambda _index: state.assume(clusters=Clusters(self.clusters.currentData()))
        )
        self.kind_of_answers.currentIndexChanged.connect(
            lambda _index: state.assume(metric=Metric(self.kind_of_answers.currentData()))
        )
        self.seconds.valueChanged.connect(state.set_seconds)
        self.pay.valueChanged.connect(lambda pay: state.set_pay(per_hour=pay))
        self.fee.valueChanged.connect(lambda fee: state.set_pay(fee=fee / 100))
        state.changed.connect(self._refresh)
        state.progress_changed.connect(self._show_progress)
        self.finished.connect(state.stop)
        theme().on_changed(self._update_spacing)
        self._update_spacing()

    def _on_aim_chosen(self) -> None:
        """A difference needs a value to differ from; where there is none, one is proposed."""
        aim, assumptions = Aim(self.aim.currentData()), self.state.request.assumptions
        if (
            aim is Aim.POWER
            and assumptions.reference is None
            and assumptions.measure is not StudyMeasure.ORDER
        ):
            self.state.assume(reference=assumptions.proposed_reference)
        self.state.change(aim=aim)

    def _on_stop_clicked(self) -> None:
        if self.state.is_stopped:
            self.state.start()
        else:
            self.state.stop()

    def _update_spacing(self) -> None:
        self._grid.setHorizontalSpacing(theme().px(16))
        self._grid.setVerticalSpacing(theme().px(12))

    def _refresh(self) -> None:
        state, request = self.state, self.state.request
        measure = request.assumptions.measure
        for combo, value in (
            (self.measure, measure),
            (self.aim, request.aim),
            (self.clusters, request.assumptions.clusters),
            (self.kind_of_answers, request.assumptions.metric),
        ):
            with QSignalBlocker(combo):
                combo.setCurrentIndex(combo.findData(value))
        costs = (
            (self.seconds, state.time.task_s),
            (self.pay, state.pay.per_hour),
            (self.fee, 100 * state.pay.fee),
        )
        for spin, number in costs:
            with QSignalBlocker(spin):
                spin.setValue(number)
        time_hint = _("As long as a participant takes to read and answer.")
        self._time_field.set_hint(state.time_note or time_hint)
        self._measure_field.set_hint(_(ABOUT[measure]))
        self._place_fields()
        self._pilot_note.setText(state.pilot_note)
        self._pilot_note.setVisible(bool(state.pilot_note))
        self._show_plan()

    def _place_fields(self) -> None:
        """Place the fields that the request needs, row by row."""
        shown, placed = self._needed_fields(), self._placed
        if placed == shown:
            return
        self._placed = shown
        for widget in placed:
            self._grid.removeWidget(widget)
            widget.setVisible(widget in shown)
        for index, widget in enumerate(shown):
            self._grid.addWidget(widget, *divmod(index, _COLUMNS), Qt.AlignmentFlag.AlignTop)
            widget.show()
        for place in range(_COLUMNS):
            self._grid.setColumnStretch(place, 1)
        for before, after in pairwise(shown):
            QWidget.setTabOrder(_control(before), _control(after))

    def _needed_fields(self) -> list[QWidget]:
        """The fields that the request needs, with its values."""
        request = self.state.request
        measure = request.assumptions.measure
        shown: list[QWidget] = []
        for number in self.numbers:
            if number.row.is_shown(request):
                number.show_value(request)
                shown.append(number.field)
        if not measure.is_simulated:
            shown.append(self._clusters_field)
        if measure is StudyMeasure.AGREEMENT:
            shown.append(self._kind_field)
        return [*shown, *self._costs]

    def _show_plan(self) -> None:
        state = self.state
        self._problem.setText(state.problem)
        self._problem.setVisible(bool(state.problem))
        planned, measure = state.planned, state.request.assumptions.measure
        has_plan = planned is not None and planned.assumptions.measure is measure and bool(state.rows)
        for widget in (self.table, self._chart_title, self.chart, self._note):
            widget.setVisible(has_plan)
            widget.setEnabled(state.is_current)
        if planned is None or not has_plan:
            return
        shown = plan_columns(planned.assumptions, state.rows, state.time, state.pay)
        self._model.show_columns(shown)
        header, mode = self.table.horizontalHeader(), QHeaderView.ResizeMode
        for place in range(header.count()):
            header.setSectionResizeMode(place, mode.ResizeToContents if place else mode.Stretch)
        self.table.updateGeometry()
        self.chart.show_drawing(plan_chart(planned, state.rows))
        if self.chart.chart is not None:
            self._chart_title.setText(self.chart.chart.title)
        is_reached = [plan.is_possible for plan in state.rows]
        for widget in (self._chart_title, self.chart):
            widget.setVisible(any(is_reached))
        texts = [] if all(is_reached) else [_("–: this cannot be reached, or is more than can be planned.")]
        self._note.setText(" ".join([plan_note(planned.assumptions), *texts]))

    def _show_progress(self) -> None:
        state = self.state
        is_running = state.fraction is not None and state.request.assumptions.measure.is_simulated
        self._running.setVisible(is_running or (state.is_stopped and not state.is_current))
        if state.fraction is not None:
            self._progress.show_progress(_("Studies are simulated and analysed"), state.fraction)
            self.stop_button.setText(_("Stop"))
        elif state.is_stopped:
            self._progress.show_progress(_("Stopped"), 0.0)
            self.stop_button.setText(_("Compute"))


class PlannedNumber:
    """A number field of the planner; it changes the state when editing is finished."""

    def __init__(self, state: PlannerState, row: NumberRow) -> None:
        self.row = row
        self.spin: QDoubleSpinBox = FormDoubleSpinBox()
        self.spin.setDecimals(row.decimals)
        self.spin.setRange(row.least, row.most)
        self.spin.setSuffix(_(row.suffix) if row.suffix else "")
        self.spin.setSingleStep(10**-row.decimals if row.decimals > 1 else 1)
        self.spin.setKeyboardTracking(False)
        self.field = InputField(_(row.label), self.spin, hint=_(row.hint))
        change = state.change if row.is_wanted else state.assume
        self.spin.valueChanged.connect(lambda shown: change(**{row.name: row.stored(shown)}))

    def show_value(self, request: PlanRequest) -> None:
        """Show the value of a request, also one from a pilot that is beyond what can be entered."""
        value = self.row.value(request)
        with QSignalBlocker(self.spin):
            self.spin.setRange(min(self.row.least, value), max(self.row.most, value))
            self.spin.setValue(value)


class _FormAndPlan(QWidget):
    """The form with the plan beside it, or below it where there is little space."""

    def __init__(self, form: QWidget, plan: QWidget) -> None:
        super().__init__()
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(form, _FORM_PART)
        self._layout.addWidget(plan, _PLAN_PART)
        theme().on_changed(self._arrange)
        self._arrange()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_wide = self.width() >= theme().px(_WIDE_ENOUGH)
        direction = QBoxLayout.Direction
        self._layout.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._layout.setSpacing(theme().px(28 if is_wide else 16))


def _control(widget: QWidget) -> QWidget:
    return widget.control if isinstance(widget, InputField) else widget


def row_of(*fields: QWidget) -> QWidget:
    """Fields of equal width beside each other."""
    widget = QWidget()
    layout = row(gap=16, parent=widget)
    for field in fields:
        layout.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
    return widget
