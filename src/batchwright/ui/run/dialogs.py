"""The dialogs about tasks and copies of a batch: setup, what prevents it, sync, and duplicate."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QRadioButton, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.data_files.record_amounts import RecordAmounts
from batchwright.layout.working_time import WorkingTime
from batchwright.ui.content.charts.chart_canvas import ChartCanvas
from batchwright.ui.core.formatting import number, tasks
from batchwright.ui.run.alternatives import Alternative, AlternativesDialog
from batchwright.ui.run.group_sizes import group_sizes_chart, sizes_with
from batchwright.ui.run.workload_form import WorkloadForm
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, info_row
from batchwright.ui.widgets.dialogs.name_dialog import NameDialog
from batchwright.ui.widgets.fields import MAX_SPIN_VALUE, InputField, labelled, spin_box
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import explained_choice
from batchwright.wire.ids import is_uuid
from batchwright.workflows.answers.measure_time import MeasuredTime
from batchwright.workflows.publishing.set_up import SetupObstacle


class SetUpDialog(Dialog):
    """Asks how many tasks a group has, and shows what the setup creates from the records.

    Args:
        name: name of the batch.
        records: number of accepted records.
        tasks_per_group: the initial value.
        group_field: the task group field of the dataset, if it has one.
        live: name of the live service; empty for the service on this computer.
        is_again: whether there are tasks already, which this replaces.
        is_processing: whether the service is still creating the tasks of an earlier setup, which this
            replaces.
        answers: number of answers of the batch; None if they could not be counted.
        time: the estimated working time of participants; None if it is not known.
    """

    help_address = "run.md#set-up-tasks"

    def __init__(
        self,
        name: str,
        records: int,
        tasks_per_group: int,
        *,
        group_field: str | None,
        live: str,
        is_again: bool,
        answers: int | None,
        is_processing: bool = False,
        time: WorkingTime | None = None,
    ) -> None:
        super().__init__(
            _("Set up tasks of “{name}”").format(name=name),
            _("One task for each accepted record, bundled into groups. A person works through one group."),
            _("Create {tasks}").format(tasks=tasks(records)),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
            cancels_by_default=answers != 0 or is_processing,
        )
        self._records, self._group_field = records, group_field
        self.tasks_per_group = tasks_per_group
        """Tasks per group: the initial value until another is entered, also if the field cannot show it."""
        self._each = spin_box(tasks_per_group, MAX_SPIN_VALUE)
        self._groups, self._share = _figure(""), _figure("")
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        self._workload, self._time = WorkloadForm(), time
        self.plan_requested = self._workload.plan_requested
        """The signal that it is asked how many answers are needed."""
        self._measured: MeasuredTime | None = None
        self._group_sizes: Mapping[int, int] = {}
        self._chart = ChartCanvas()
        self._chart.has_table = False
        self._groups_noun, self._share_noun = (Label("", TextRole.SMALL, "text2") for _number in range(2))
        self.add(labelled(_("Tasks in a group"), self._each), self._sum(), info_row(self._note))
        self.add(self._chart, self._workload)
        if is_processing:
            self.add_warning(_("The earlier setup is still running. The new one replaces it."), is_live=False)
        if is_again:
            self.add_warning(_set_up_again(name, answers, live), is_live=False)
        self.warn_if_live(live)
        self._each.setEnabled(group_field is None)
        self._each.valueChanged.connect(self._on_changed)
        if answers == 0:
            self._each.selectAll()
        self._show()

    def show_amounts(self, amounts: RecordAmounts, time: WorkingTime) -> None:
        """Show what was counted in the records: the sizes of groups, and the time to work on them."""
        self._time, self._group_sizes = time, amounts.group_sizes
        self._show()

    def show_measured(self, measured: MeasuredTime) -> None:
        """Use the time for a task that was measured in the rehearsal, in place of the estimate."""
        self._measured = measured
        self._show()

    def _show_work(self, groups: int) -> None:
        time, measured = self._time, self._measured
        if time is not None and measured is not None:
            time = replace(time, task_s=measured.task_s)
        self._workload.show_work(groups, self._records, time, measured.tasks if measured else 0)

    def _on_changed(self, each: int) -> None:
        self.tasks_per_group = each
        self._show()

    def _show(self) -> None:
        if self._group_field is not None:
            self._show_groups_of_field(self._group_field)
            return
        groups, share = ceil(self._records / self.tasks_per_group), min(self.tasks_per_group, self._records)
        self._groups.setText(number(groups))
        self._groups_noun.setText(ngettext("group", "groups", groups))
        self._share.setText(number(share))
        self._share_noun.setText(ngettext("record per person", "records per person", share))
        self._note.setText(self._note_on(groups))
        self._show_chart(sizes_with(self._records, self.tasks_per_group))
        self._show_work(groups)

    def _show_chart(self, sizes: Mapping[int, int]) -> None:
        self._chart.setVisible(len(sizes) > 1)
        self._chart.show_drawing(partial(group_sizes_chart, sizes))

    def _show_groups_of_field(self, field: str) -> None:
        groups, sizes = sum(self._group_sizes.values()), sorted(self._group_sizes)
        self._groups.setText(number(groups) if groups else "–")
        self._groups_noun.setText(ngettext("group", "groups", groups))
        self._share.setText(_range(sizes) if sizes else "–")
        self._share_noun.setText(ngettext("record per person", "records per person", max(sizes, default=0)))
        text = _("The field “{name}” of each record says which group its task belongs to.")
        self._note.setText(text.format(name=field))
        self._show_chart(self._group_sizes)
        if groups:
            self._show_work(groups)

    def _note_on(self, groups: int) -> str:
        if groups == 1:
            return ngettext(
                "There is one group, with the only task.",
                "There is one group, with all {count} tasks.",
                self._records,
            ).format(count=number(self._records))
        rest = self._records % self.tasks_per_group
        if not rest:
            return _("All groups have the same size. Tasks are assigned to groups at random.")
        text = ngettext("The last group holds {count} task.", "The last group holds {count} tasks.", rest)
        return text.format(count=number(rest))

    def _sum(self) -> QWidget:
        surface = SunkenSurface()
        line = row(gap=12, margins=(18, 14, 18, 14), parent=surface)
        noun = ngettext("task", "tasks", self._records)
        figures = (
            (_figure(number(self._records)), Label(noun, TextRole.SMALL, "text2")),
            (self._groups, self._groups_noun),
            (self._share, self._share_noun),
        )
        for place, (figure, text) in enumerate(figures):
            if place:
                line.add(None, Glyph("arrow-right", "text2", 18), None)
            line.add(_above(figure, text))
        return surface


def _range(sizes: Sequence[int]) -> str:
    """Sizes in ascending order as “5”, or as “1 – 12”."""
    return number(sizes[0]) if sizes[0] == sizes[-1] else f"{number(sizes[0])} – {number(sizes[-1])}"


def _answers_in(name: str, answers: int | None) -> str:
    if answers is None:
        return _("The answers in “{name}” could not be counted.").format(name=name)
    text = ngettext("“{name}” has {count} answer.", "“{name}” has {count} answers.", answers)
    return text.format(name=name, count=number(answers))


def _set_up_again(name: str, answers: int | None, live: str) -> str:
    """What a repeated setup does; hosted services do not say what happens to answers to replaced tasks."""
    replaced = _("The existing tasks are replaced.")
    if answers == 0:
        return replaced
    text = _("Their answers stay in the report and in the export.")
    if live:
        text = _("{service} may leave their answers out of the report. Save the report and the export first.")
    return " ".join((_answers_in(name, answers), replaced, text.format(service=live)))


class SetUpDatasetDialog(Dialog):
    """Asks for the id of the dataset from which a setup creates the tasks of a batch."""

    help_address = "run.md#set-up-tasks"

    def __init__(self, name: str) -> None:
        super().__init__(
            _("Set up “{name}” with another dataset").format(name=name),
            _("The setup attaches the dataset to the batch, in place of its present one."),
            _("Continue"),
        )
        self.dataset_id = ""
        """The id entered, once the dialog was accepted."""
        self._dataset = QLineEdit()
        self._dataset.setObjectName("dataset")
        self._dataset.textChanged.connect(self._refresh)
        self.add(InputField(_("Dataset id"), self._dataset, hint=_("Nothing is sent yet.")))
        self._refresh()

    @override
    def accept(self) -> None:
        self.dataset_id = self._dataset.text().strip()
        super().accept()

    def _refresh(self) -> None:
        is_complete = is_uuid(self._dataset.text().strip())
        self.accept_button.set_disabled_reason("" if is_complete else _("Enter the complete id of a dataset"))


class SetupObstacleDialog(AlternativesDialog):
    """Says before anything is sent why a batch cannot be set up, and offers what to do about it.

    Args:
        name: name of the batch.
        obstacle: why the service would reject the setup.
        alternatives: what the user can do; the first is the accept button.
    """

    help_address = "run.md#set-up-tasks"

    def __init__(self, name: str, obstacle: SetupObstacle, alternatives: Sequence[Alternative]) -> None:
        reason, rule = _OBSTACLES[obstacle]
        accept = alternatives[0].label if alternatives else _("Close")
        super().__init__(_("“{name}” cannot be set up yet").format(name=name), _(reason), accept, width=WIDE)
        self._first = alternatives[0] if alternatives else None
        self.add(info_row(_(rule)))
        self.cancel_button.setVisible(bool(alternatives))
        self.add_alternatives(alternatives[1:])

    @override
    def accept(self) -> None:
        self.alternative = self._first
        super().accept()


_OBSTACLES = {
    SetupObstacle.NO_DATASET: (
        N_("The batch has no dataset."),
        N_("Tasks are created from the records of a dataset, one for each record."),
    ),
    SetupObstacle.V3_NOT_READY: (
        N_("The service has not read the data file of its dataset, or could not."),
        N_("A V3 dataset can be set up once its status is READY."),
    ),
    SetupObstacle.NO_COMPLETE_IMPORT: (
        N_("No import of its dataset is complete."),
        N_(
            "A setup needs at least one import that accepted every record of its file. Imports that rejected "
            "some, and appended records, are not enough."
        ),
    ),
}
"""What is missing, and the rule of the service."""


def sync_dialog(name: str, count: int, service: str) -> Dialog:
    """The confirmation before a sync at a live service; `count` is the number of records without a task."""
    dialog = Dialog(
        _("Sync the batch “{name}”?").format(name=name),
        _("Creates tasks for the records added to its dataset since setup or the last sync."),
        _("Create {tasks}").format(tasks=tasks(count)) if count else _("Sync"),
        ButtonKind.LIVE,
        help_address="run.md#new-records",
    )
    dialog.warn_if_live(service)
    return dialog


def _figure(text: str) -> Label:
    figure = Label(text, TextRole.WELCOME, tabular=True)
    figure.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return figure


def _above(figure: Label, text: Label) -> ScaledBoxLayout:
    text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return column(figure, text, gap=1)


class DuplicateDialog(NameDialog):
    """A name, and the choice about the dataset if the batch has one.

    Args:
        name: name of the batch.
        has_dataset: whether there is a choice.
        live: name of the live service; empty for the service on this computer.
    """

    help_address = "run.md#another-batch"

    def __init__(self, name: str, *, has_dataset: bool, live: str) -> None:
        super().__init__(
            _("Duplicate the batch"),
            _("The copy has the task details and the layout. It has no tasks yet, and no auto-sync."),
            _("Duplicate"),
            field=_("Name of the copy"),
            name=f"{name} (Copy)",
            missing=_("Enter a name for the copy first"),
            is_live=bool(live),
        )
        self.with_dataset = has_dataset
        """What the user chose, once the dialog was accepted."""
        self._shared, self._without = (
            QRadioButton(_("With the dataset")),
            QRadioButton(_("Without a dataset")),
        )
        if has_dataset:
            self._shared.setChecked(True)
            shared = _("Both batches share it, including records that are appended later.")
            without = _(
                "The copy asks the same questions about other records, which you upload in the Data stage."
            )
            self.add(explained_choice(self._shared, shared), explained_choice(self._without, without))
        else:
            self.add(
                Label(
                    _("The batch has no dataset, so the copy has none either."),
                    TextRole.SMALL,
                    "text2",
                    wraps=True,
                )
            )
        self.warn_if_live(live)

    @override
    def accept(self) -> None:
        self.with_dataset = self._shared.isChecked()
        super().accept()
