"""Questions about the file of a study that prevent the loss of unsaved work."""

from enum import Enum, auto
from pathlib import Path

from PySide6.QtWidgets import QRadioButton, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.projects import StudyKind
from batchwright.local.study_files.study_file import StudyFile, StudyFormat
from batchwright.ui.widgets.dialogs.choice_dialog import ChoiceDialog
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.toggles import explained_choice


class UnsavedChoice(Enum):
    """What to do with unsaved changes."""

    SAVE = auto()
    DISCARD = auto()


class UnsavedChangesDialog(ChoiceDialog[UnsavedChoice]):
    """Asks whether to save a study with unsaved changes."""

    help_address = "home.md#open-a-study"

    def __init__(self, name: str) -> None:
        super().__init__(
            _("Save “{name}” first?").format(name=name),
            _("Unsaved changes will be lost."),
            (_("Save"), UnsavedChoice.SAVE),
            [(_("Do not save"), UnsavedChoice.DISCARD)],
        )


class NewStudyDialog(Dialog):
    """Asks whether a new study is a batch or a collection."""

    help_address = "home.md#start-a-study"

    def __init__(self) -> None:
        super().__init__(_("New study"), _("What do you want to create?"), _("Create"))
        self._kind = StudyKind.BATCH
        self._batch = QRadioButton(_("Batch"))
        self._collection = QRadioButton(_("Collection"))
        self._batch.setChecked(True)
        self.add(
            explained_choice(
                self._batch, _("Participants judge the records of a table, such as texts or images.")
            ),
            explained_choice(
                self._collection,
                _("A survey without data: participants answer the same pages once."),
            ),
        )

    async def choose(self, host: QWidget) -> StudyKind | None:
        """Show the dialog over a window and return the choice; None if cancelled."""
        return self._kind if await self.ask(host) else None

    @override
    def accept(self) -> None:
        self._kind = StudyKind.COLLECTION if self._collection.isChecked() else StudyKind.BATCH
        super().accept()


class PlainFileChoice(Enum):
    """What to save if a plain layout file cannot hold the whole study."""

    STUDY = auto()
    LAYOUT = auto()


class PlainFormatDialog(ChoiceDialog[PlainFileChoice]):
    """Asks what to save if a plain layout or collection file cannot contain the whole study."""

    help_address = "home.md#open-a-study"

    def __init__(self, file: StudyFile) -> None:
        is_layout = file.format is StudyFormat.LAYOUT
        title = (
            _("“{name}” contains only a layout") if is_layout else _("“{name}” contains only a collection")
        )
        text = (
            _(
                "The study now has more: page names, data, or ids at a service. A study file stores all of "
                "it; this file is not changed."
            )
            if is_layout
            else _(
                "The study now has more, such as names of pages. A study file stores all of it; this file is "
                "not changed."
            )
        )
        super().__init__(
            title.format(name=file.path.name),
            text,
            (_("Save as a study…"), PlainFileChoice.STUDY),
            [
                (
                    _("Save only the layout") if is_layout else _("Save only the collection"),
                    PlainFileChoice.LAYOUT,
                )
            ],
        )


class RewriteChoice(Enum):
    """What to do if the text of a collection file cannot be changed in place."""

    OVERWRITE = auto()
    EXPORT = auto()


class RewriteDialog(ChoiceDialog[RewriteChoice]):
    """Asks before the text of a collection file of another program is rewritten."""

    help_address = "home.md#open-a-study"

    def __init__(self, path: Path) -> None:
        super().__init__(
            _("“{name}” is rewritten").format(name=path.name),
            _(
                "Your changes do not fit into the text as it is. Its content and the order of its keys are "
                "kept, but its comments and quotation marks are lost."
            ),
            (_("Save as JSON or YAML…"), RewriteChoice.EXPORT),
            [(_("Save anyway"), RewriteChoice.OVERWRITE)],
        )


class ConflictChoice(Enum):
    """Which version to keep: the one on disk or the one in the window."""

    SAVE_COPY = auto()
    OVERWRITE = auto()
    RELOAD = auto()
    COMPARE = auto()
    """Show the difference first; nothing is saved."""


class FileConflictDialog(ChoiceDialog[ConflictChoice]):
    """Asks which version to keep if the file was changed on disk since it was read."""

    help_address = "home.md#open-a-study"

    def __init__(self, path: Path) -> None:
        super().__init__(
            _("“{name}” has changed on the disk").format(name=path.name),
            _(
                "The file was changed by another program or window since you opened it. You can keep "
                "both versions by saving yours next to it, or only one. If you keep yours, theirs stays in "
                "Versions."
            ),
            (_("Keep both"), ConflictChoice.SAVE_COPY),
            [
                (_("Compare"), ConflictChoice.COMPARE),
                (_("Keep mine"), ConflictChoice.OVERWRITE),
                (_("Load theirs"), ConflictChoice.RELOAD),
            ],
        )


class SaveFailureChoice(Enum):
    """What to try after a file could not be written."""

    ELSEWHERE = auto()
    RETRY = auto()


class SaveFailedDialog(ChoiceDialog[SaveFailureChoice]):
    """Shows why a file could not be written and asks what to do."""

    help_address = "home.md#open-a-study"

    def __init__(self, path: Path, error: OSError) -> None:
        from batchwright.workflows.messages import describe

        message = describe(error)
        super().__init__(
            _("“{name}” was not saved").format(name=path.name),
            _("{what} {remedy} The previous file is unchanged, and your study is still open.").format(
                what=message.what, remedy=message.remedy
            ),
            (_("Save elsewhere…"), SaveFailureChoice.ELSEWHERE),
            [(_("Try again"), SaveFailureChoice.RETRY)],
        )
