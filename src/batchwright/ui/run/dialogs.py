"""What the Run stage asks: task details, what a setup makes, and who answers in a rehearsal."""

from math import ceil

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import Box, column, row
from batchwright.ui.kit.buttons import Kind
from batchwright.ui.kit.dialogs import WIDE, Dialog
from batchwright.ui.kit.fields import Field, TextArea
from batchwright.ui.kit.panels import Well
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.measures import number, tasks
from batchwright.ui.places import at
from batchwright.ui.run.deeds import People
from batchwright.ui.theme import Role, theme
from batchwright.wire.batches import TaskDetails
from batchwright.words import _, ngettext

_MOST = 1_000_000
_SPIN_WIDTH = 110


class DetailsDialog(Dialog):
    """The name of the study, and what participants read before they start."""

    def __init__(self, name: str, details: TaskDetails) -> None:
        super().__init__(
            _("Task details"),
            _("Participants read this before they start. Introduction and steps may hold basic HTML."),
            _("Keep"),
            width=WIDE,
        )
        self._name = QLineEdit(name)
        self._task = QLineEdit(details.task_name)
        self.taken: tuple[str, TaskDetails] | None = None
        """What was written, once it is to be kept: name and details."""
        self._introduction, self._steps = TextArea(4), TextArea(4)
        self._introduction.setPlainText(details.task_introduction)
        self._steps.setPlainText(details.task_steps)
        self.put(
            Field(_("Name of the batch"), self._name, hint=_("Only your workspace sees it.")),
            Field(_("Name of the task"), self._task),
            Field(_("Introduction"), self._introduction),
            Field(_("Steps"), self._steps),
        )

    @override
    def accept(self) -> None:
        details = TaskDetails(
            task_name=self._task.text().strip(),
            task_introduction=self._introduction.toPlainText(),
            task_steps=self._steps.toPlainText(),
        )
        self.taken = self._name.text().strip(), details
        super().accept()


class SetUpDialog(Dialog):
    """What a setup makes of the records: tasks, groups, and how much one person gets.

    Args:
        name: what the batch is called.
        records: how many records were accepted.
        tasks_per_group: proposed.
        group_field: the field of the dataset that groups tasks, where one does.
        live: the service reached, where it is a live one.
        is_again: whether there are tasks already, which this replaces.
        has_answers: whether some of those are answered, as far as it is known here.
    """

    def __init__(
        self,
        name: str,
        records: int,
        tasks_per_group: int,
        *,
        group_field: str | None,
        live: str,
        is_again: bool,
        has_answers: bool,
    ) -> None:
        super().__init__(
            _("Set up tasks of “{name}”").format(name=name),
            _("One task for each accepted record, bundled into groups. A person works through one group."),
            _("Create {tasks}").format(tasks=tasks(records)),
            Kind.LIVE if live else Kind.PRIMARY,
        )
        self._records, self._group_field = records, group_field
        self.tasks_per_group = tasks_per_group
        """How many tasks a group is to have, as it was accepted."""
        self._each = _spin(tasks_per_group, max(1, records))
        self._groups, self._share = _figure(""), _figure("")
        self._note = Text("", Role.SMALL, "text2", wraps=True)
        self._noun = Text("", Role.SMALL, "text2")
        self.put(_labelled(_("Tasks in a group"), self._each), self._sum(), self._remark())
        if is_again:
            replaced = _("The tasks that are there now are replaced.")
            if has_answers:
                replaced = _(
                    "The tasks that are there now are replaced. The report leaves their answers out."
                )
            self.warn(replaced, is_live=False)
        if live:
            self.warn(_("This reaches {service}. It cannot be undone.").format(service=live), is_live=True)
        self._each.setEnabled(group_field is None)
        self._each.valueChanged.connect(self._show)
        self._each.selectAll()
        self._show()

    @override
    def accept(self) -> None:
        self.tasks_per_group = self._each.value()
        super().accept()

    def _show(self) -> None:
        each = self._each.value()
        groups, rest = ceil(self._records / each), self._records % each
        by_field = self._group_field is not None
        self._groups.setText("–" if by_field else number(groups))
        self._share.setText("–" if by_field else number(min(each, self._records)))
        self._noun.setText(ngettext("record a person", "records a person", each))
        self._note.setText(self._note_on(rest))

    def _note_on(self, rest: int) -> str:
        if self._group_field is not None:
            return _("The field “{name}” of each record says which group its task belongs to.").format(
                name=self._group_field
            )
        if not rest:
            return _("All groups are equally large. Which tasks a group has is drawn at random.")
        said = ngettext("The last group holds {count} task.", "The last group holds {count} tasks.", rest)
        return said.format(count=rest)

    def _sum(self) -> QWidget:
        well = Well()
        line = row(gap=12, margins=(18, 14, 18, 14), parent=well)
        noun = ngettext("task", "tasks", self._records)
        figures = (
            (_figure(number(self._records)), Text(noun, Role.SMALL, "text2")),
            (self._groups, Text(_("groups"), Role.SMALL, "text2")),
            (self._share, self._noun),
        )
        for place, (figure, words) in enumerate(figures):
            if place:
                line.put(None, Glyph("arrow-right", "text2", 18), None)
            line.put(_above(figure, words))
        return well

    def _remark(self) -> Box:
        line = row(gap=8)
        line.addWidget(Glyph("info", "text2", 16), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._note, 1)
        return line


class PeopleDialog(Dialog):
    """Who answers in a rehearsal."""

    def __init__(self, groups: int, people: People) -> None:
        super().__init__(
            _("Let simulated participants answer"),
            _("Each takes one group, goes through its pages, and answers at random within the rules."),
            "",
        )
        self._groups = groups
        self.people = people
        """Who is to answer, as it was accepted."""
        self._per_task = _spin(people.per_task, 1000)
        self._participants = _spin(people.participants, _MOST)
        self._seed = _spin(people.seed, _MOST)
        self._note = Text("", Role.SMALL, "text2", wraps=True)
        self.put(
            _labelled(_("Participants"), self._participants),
            _labelled(_("Answers for each task"), self._per_task),
            _labelled(_("Seed, for the same answers again"), self._seed),
            self._note,
        )
        self._per_task.valueChanged.connect(self._propose)
        self._participants.valueChanged.connect(self._show)
        self._participants.selectAll()
        self._show()

    @override
    def accept(self) -> None:
        self.people = People(self._participants.value(), self._per_task.value(), self._seed.value())
        super().accept()

    def _propose(self) -> None:
        self._participants.setValue(self._groups * self._per_task.value())
        self._show()

    def _show(self) -> None:
        count, places = self._participants.value(), self._groups * self._per_task.value()
        act = ngettext("Let {count} participant answer", "Let {count} participants answer", count)
        self.act.setText(act.format(count=number(count)))
        said = _("There is room for {places}. Their ids begin with 51b0, so that they are told from people.")
        self._note.setText(said.format(places=number(places)))


def publish_dialog(name: str, service: str, *, is_new: bool) -> Dialog:
    """Asks once before a batch of a live service is made or changed."""
    if is_new:
        dialog = Dialog(
            _("Create the batch “{name}”?").format(name=name),
            _("The layout and the dataset go into a new batch; no tasks are made yet."),
            _("Create batch"),
            Kind.LIVE,
        )
        warning = _("This reaches {service}. It cannot be undone.")
        dialog.warn(warning.format(service=service), is_live=True)
        return dialog
    said = _("The batch {there} becomes what the study is now; tasks that are there stay.")
    title = _("Update the batch “{name}”?").format(name=name)
    return Dialog(title, said.format(there=at(service)), _("Update batch"), Kind.LIVE)


def sync_dialog(name: str, count: int, service: str) -> Dialog:
    """Asks once before tasks are made at a live service; `count` is of records known to have none."""
    dialog = Dialog(
        _("Sync the batch “{name}”?").format(name=name),
        _("Tasks are made of the records that came to its dataset after setup and the last sync."),
        _("Create {tasks}").format(tasks=tasks(count)) if count else _("Sync"),
        Kind.LIVE,
    )
    dialog.warn(_("This reaches {service}. It cannot be undone.").format(service=service), is_live=True)
    return dialog


def _spin(value: int, most: int) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(1, most)
    spin.setValue(min(value, most))
    spin.setFixedWidth(theme().px(_SPIN_WIDTH))
    return spin


def _labelled(words: str, control: QWidget) -> Box:
    name = Text(words, Role.NAME)
    name.setBuddy(control)
    control.setAccessibleName(words)
    return row(name, None, control)


def _figure(text: str) -> Text:
    figure = Text(text, Role.WELCOME, tabular=True)
    figure.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return figure


def _above(figure: Text, words: Text) -> Box:
    words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return column(figure, words, gap=1)
