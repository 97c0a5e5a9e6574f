"""What can be done in the Feedback stage, for menus, keys and the command finder (style.md 8)."""

from typing import Protocol

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.feedback.state import OVER, FeedbackState


class Subject(Protocol):
    """The stage, as far as actions need it."""

    model: FeedbackState

    def choose_files(self) -> None:
        """Ask for files, and send them."""


def has_finished_files(stage: Subject) -> bool:
    """Whether there is anything to tidy up."""
    return bool(stage.model.count(*OVER))


ACTIONS: tuple[Action[Subject], ...] = (
    Action(
        "feedback.choose",
        N_("Send feedback files…"),
        "Ctrl+Shift+F",
        lambda stage: stage.choose_files(),
        Menu.RUN,
        submenu=Submenu.FEEDBACK,
        glyph="upload-simple",
        group=70,
    ),
    Action(
        "feedback.clear",
        N_("Clear feedback files that are done"),
        "",
        lambda stage: stage.model.clear_over(),
        Menu.RUN,
        submenu=Submenu.FEEDBACK,
        enabled=has_finished_files,
        disabled_reason=N_("No feedback file is done"),
        group=70,
    ),
)
"""The actions of the stage."""
