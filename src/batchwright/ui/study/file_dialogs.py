"""What a person is asked about the file of a study, so that nothing is lost without being said."""

from collections.abc import Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs import NARROW, WIDE, Dialog

Choice = TypeVar("Choice", bound=Enum)


class ChoiceDialog(Dialog, Generic[Choice]):
    """A question with several ways on: the safe one is the act, the others stand at the left."""

    def __init__(
        self,
        title: str,
        sentence: str,
        act: tuple[str, Choice],
        others: Sequence[tuple[str, Choice]],
    ) -> None:
        super().__init__(title, sentence, act[0], width=NARROW if len(others) < 2 else WIDE)
        self._answer = act[1]
        for words, answer in others:
            button = Button(words, height=ButtonSize.DIALOG)
            button.clicked.connect(partial(self._on_clicked, answer))
            self.add_side_button(button)

    async def answer(self, host: QWidget) -> Choice | None:
        """Ask over a window; None when it is given up."""
        return self._answer if await self.ask(host) else None

    def _on_clicked(self, answer: Choice) -> None:
        self._answer = answer
        self.accept()


class UnsavedChoice(Enum):
    """What becomes of a study that is left without being saved."""

    SAVE = auto()
    DISCARD = auto()


class UnsavedChangesDialog(ChoiceDialog[UnsavedChoice]):
    """Asks what is to become of a study that is not saved."""

    def __init__(self, name: str) -> None:
        super().__init__(
            _("Save “{name}” first?").format(name=name),
            _("What has changed since it was last saved would be lost."),
            (_("Save"), UnsavedChoice.SAVE),
            [(_("Do not save"), UnsavedChoice.DISCARD)],
        )


class PlainFileChoice(Enum):
    """What becomes of a study whose plain file cannot hold all of it."""

    STUDY = auto()
    LAYOUT = auto()


class PlainFormatDialog(ChoiceDialog[PlainFileChoice]):
    """Asks what to save where a plain layout file cannot hold schema, data, names of pages and the like."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            _("“{name}” holds a layout alone").format(name=path.name),
            _(
                "The study has more by now: a schema, data, names, or what it has at a service. A study file "
                "keeps all of it; the layout file stays as it is."
            ),
            (_("Save as a study…"), PlainFileChoice.STUDY),
            [(_("Save the layout alone"), PlainFileChoice.LAYOUT)],
        )


class ConflictChoice(Enum):
    """What becomes of two versions of a file: that on the disk, and that in the window."""

    BESIDE = auto()
    MINE = auto()
    THEIRS = auto()


class FileConflictDialog(ChoiceDialog[ConflictChoice]):
    """Asks which version stays when a file was changed on the disk meanwhile."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            _("“{name}” has changed on the disk").format(name=path.name),
            _(
                "Another program, or another window, has written it since it was opened here. Saving yours "
                "beside it keeps both; the other ways keep one."
            ),
            (_("Save mine beside it"), ConflictChoice.BESIDE),
            [(_("Keep mine"), ConflictChoice.MINE), (_("Load theirs"), ConflictChoice.THEIRS)],
        )


class SaveFailureChoice(Enum):
    """What is tried after a file could not be written."""

    ELSEWHERE = auto()
    RETRY = auto()


class SaveFailedDialog(ChoiceDialog[SaveFailureChoice]):
    """Says why a file could not be written, and asks what to try."""

    def __init__(self, path: Path, fault: OSError) -> None:
        from batchwright.workflows.messages import describe

        said = describe(fault)
        super().__init__(
            _("“{name}” was not saved").format(name=path.name),
            _("{what} {remedy} What stood there is still there, and your study is still here.").format(
                what=said.what, remedy=said.remedy
            ),
            (_("Save elsewhere…"), SaveFailureChoice.ELSEWHERE),
            [(_("Try again"), SaveFailureChoice.RETRY)],
        )
