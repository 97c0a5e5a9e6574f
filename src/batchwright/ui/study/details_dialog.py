"""The dialog about the name and the task details of a study."""

from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.projects import StudyKind
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.wire.batches import TaskDetails


class DetailsDialog(Dialog):
    """Asks for the name of the study and the task details, which participants read before they start."""

    def __init__(self, name: str, details: TaskDetails, kind: StudyKind) -> None:
        super().__init__(
            _("Task details"),
            _("Participants read this before they start. Introduction and steps may contain basic HTML."),
            _("Save"),
            width=WIDE,
        )
        self._name = QLineEdit(name)
        self._name.selectAll()
        self._task = QLineEdit(details.task_name)
        self.entered: tuple[str, TaskDetails] | None = None
        """Name and details, once the dialog was accepted."""
        self._introduction, self._steps = TextArea(4), TextArea(4)
        self._introduction.setPlainText(details.task_introduction)
        self._steps.setPlainText(details.task_steps)
        label = _("Name of the collection") if kind is StudyKind.COLLECTION else _("Name of the batch")
        self.add(
            InputField(label, self._name, hint=_("Participants read it, too, if the task has no name.")),
            InputField(_("Name of the task"), self._task),
            InputField(_("Introduction"), self._introduction),
            InputField(_("Steps"), self._steps),
        )

    @override
    def accept(self) -> None:
        details = TaskDetails(
            task_name=self._task.text().strip(),
            task_introduction=self._introduction.toPlainText(),
            task_steps=self._steps.toPlainText(),
        )
        self.entered = self._name.text().strip(), details
        super().accept()


async def edit_details(host: QWidget, study: Study) -> None:
    """Ask for name and task details, and store them in the study."""
    dialog = DetailsDialog(study.project.name, study.details, study.project.kind)
    if await dialog.ask(host) and dialog.entered is not None:
        name, details = dialog.entered
        study.set_details(details, name or study.project.name)
