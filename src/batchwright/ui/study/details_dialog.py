"""The dialog about the name and the task details of a study."""

from collections.abc import Collection

from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, program_language
from batchwright.base.text import is_blank
from batchwright.local.projects import StudyKind, study_name
from batchwright.ui.study.language_names import catalogue_text, language_names, own_name
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.long_texts import fill
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.wire.batches import TaskDetails


class DetailsDialog(Dialog):
    """Asks for the name of the study and the task details, which participants read before they start."""

    help_address = "run.md#create-the-batch"

    def __init__(
        self,
        name: str,
        details: TaskDetails,
        kind: StudyKind,
        language: str = "",
        translated_to: Collection[str] = (),
    ) -> None:
        super().__init__(
            _("Task details"),
            _("Participants read this before they start. Introduction and steps may contain basic HTML."),
            _("Save"),
            width=WIDE,
        )
        self.entered: tuple[str, TaskDetails, str] | None = None
        """Name, details and the participants' language, once the dialog was accepted."""
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
        self.language = FormComboBox()
        for tag, title in _languages(language, translated_to):
            self.language.addItem(title, tag)
        self.language.setCurrentIndex(self.language.findData(language))
        self._language = InputField(_("Language of the participants"), self.language)
        self.language.currentIndexChanged.connect(self._update_hint)
        self._update_hint()
        self.add(*fields, self._language)

    def _update_hint(self) -> None:
        """Say what follows the language, and when it does not."""
        self._language.set_hint(catalogue_text(self.language.currentData()))

    @override
    def accept(self) -> None:
        name, task, introduction, steps = (entered() for entered in self._texts)
        details = TaskDetails(task_name=task.strip(), task_introduction=introduction, task_steps=steps)
        self.entered = name.strip(), details, self.language.currentData()
        super().accept()


async def edit_details(host: QWidget, study: Study) -> None:
    """Ask for name and task details, and store them in the study."""
    project = study.project
    shown = study_name(project)
    dialog = DetailsDialog(shown, study.details, project.kind, project.language, project.translations)
    if await dialog.ask(host) and dialog.entered is not None:
        name, details, language = dialog.entered
        study.set_details(details, None if is_blank(name) or name == shown else name, language)


def _languages(chosen: str, translated_to: Collection[str]) -> list[tuple[str, str]]:
    """Tags and names: that of the program, then all that Qt knows, and the chosen one.

    A study with translations has a language of its own, which is none of theirs.
    """
    names = language_names((chosen,))
    if translated_to:
        return [(tag, name) for tag, name in names.items() if tag not in translated_to]
    program = _("Like the program: {language}").format(language=own_name(program_language().tag))
    return [("", program), *names.items()]
