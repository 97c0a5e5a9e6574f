"""The dialog about the name and the task details of a study."""

from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.text import is_blank
from batchwright.local.projects import StudyKind
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.long_texts import fill
from batchwright.wire.batches import TaskDetails


class DetailsDialog(Dialog):
    """Asks for the name of the study and the task details, which participants read before they start."""

    help_address = "run.md#create-the-batch"

    def __init__(self, name: str, details: TaskDetails, kind: StudyKind) -> None:
        super().__init__(
            _("Task details"),
            _("Participants read this before they start. Introduction and steps may contain basic HTML."),
            _("Save"),
            width=WIDE,
        )
        self.entered: tuple[str, TaskDetails] | None = None
        """Name and details, once the dialog was accepted."""
        label = _("Name of the collection") if kind is StudyKind.COLLECTION else _("Name of the batch")
        self._name, self._task = QLineEdit(), QLineEdit()
        fields = (
            InputField(label, self._name, hint=_("Participants read it, too, if the task has no name.")),
            InputField(_("Name of the task"), self._task),
            InputField(_("Introduction"), TextArea(4)),
            InputField(_("Steps"), TextArea(4)),
        )
        texts = (name, details.task_name, details.task_introduction, details.task_steps)
        self._texts = tuple(map(fill, fields, texts))
        self._name.selectAll()
        self.add(*fields)

    @override
    def accept(self) -> None:
        name, task, introduction, steps = (entered() for entered in self._texts)
        details = TaskDetails(task_name=task.strip(), task_introduction=introduction, task_steps=steps)
        self.entered = name.strip(), details
        super().accept()


async def edit_details(host: QWidget, study: Study) -> None:
    """Ask for name and task details, and store them in the study."""
    dialog = DetailsDialog(study.project.name, study.details, study.project.kind)
    if await dialog.ask(host) and dialog.entered is not None:
        name, details = dialog.entered
        study.set_details(details, study.project.name if is_blank(name) else name)
