"""What the tasks of a batch mean for people: how many participants, how long each works, and the pay."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.layout.working_time import WorkingTime
from batchwright.ui.core.formatting import decimal, duration, number
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import MAX_SPIN_VALUE, labelled, spin_box
from batchwright.ui.widgets.no_wheel import FormDoubleSpinBox
from batchwright.ui.widgets.text import Label

_MOST_PAY = 10_000.0
_HOUR_S = 3600


class WorkloadForm(QWidget):
    """Answers for each record and pay per hour, and what follows from them. Nothing of it is sent.

    `plan_requested` is emitted to ask how many answers are needed.
    """

    plan_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers = spin_box(1, MAX_SPIN_VALUE)
        self._pay = FormDoubleSpinBox()
        self._pay.setRange(0, _MOST_PAY)
        self._pay.setFixedWidth(self._answers.maximumWidth())
        self._result = Label("", TextRole.BODY, wraps=True)
        self._source = Label(_source_text(0), TextRole.SMALL, "text2", wraps=True)
        self._groups, self._tasks, self._time = 0, 0, WorkingTime(0, 0)
        how_many = Button(_("How many are needed?"), glyph="ruler", height=ButtonSize.NOTICE)
        how_many.clicked.connect(self.plan_requested)
        layout = column(gap=10, parent=self)
        layout.add(
            labelled(_("Answers for each record"), self._answers),
            labelled(_("Pay per hour"), self._pay),
            column(self._result, self._source, gap=3),
            row(how_many, None),
        )
        self._answers.valueChanged.connect(self._refresh)
        self._pay.valueChanged.connect(self._refresh)
        self.hide()

    def show_work(self, groups: int, tasks: int, time: WorkingTime | None, measured: int = 0) -> None:
        """Show what a number of groups and tasks takes; hidden while the time is unknown.

        `measured` is the number of tasks in the rehearsal that the time of a task is the median of; 0 if it
        is an estimate.
        """
        self.setVisible(time is not None)
        self._source.setText(_source_text(measured))
        if time is not None:
            self._groups, self._tasks, self._time = groups, tasks, time
            self._refresh()

    def _refresh(self) -> None:
        participants, answers = self._groups * self._answers.value(), self._answers.value()
        total_s = self._time.together(participants, answers * self._tasks)
        people = ngettext("{count} participant", "{count} participants", participants)
        texts = [people.format(count=number(participants))]
        if participants:
            texts.append(_("about {time} each").format(time=duration(total_s / participants)))
            texts.append(_("{time} together").format(time=duration(total_s)))
        if self._pay.value():
            pay = total_s / _HOUR_S * self._pay.value()
            texts.append(_("about {pay} in pay").format(pay=decimal(pay, 2)))
        self._result.setText(" · ".join(texts))


def _source_text(measured: int) -> str:
    """Where the time comes from."""
    if not measured:
        return _("Estimated from the lengths of texts and the types of questions. Nothing here is sent.")
    text = ngettext(
        "Measured at {count} task that you or others worked on in the rehearsal. Nothing here is sent.",
        "The median of {count} tasks that you or others worked on in the rehearsal. Nothing here is sent.",
        measured,
    )
    return text.format(count=number(measured))
