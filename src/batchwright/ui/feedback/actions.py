"""The actions of the Feedback stage: one row for each command."""

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.feedback import commands
from batchwright.ui.feedback.commands import FeedbackContext
from batchwright.ui.feedback.state import FINISHED


def _has_finished_files(context: FeedbackContext) -> bool:
    return bool(context.state.count(*FINISHED))


ACTIONS: tuple[Action[FeedbackContext], ...] = (
    Action(
        "feedback.choose",
        N_("Send feedback files…"),
        "Ctrl+Shift+F",
        commands.choose_files,
        Menu.RUN,
        submenu=Submenu.FEEDBACK,
        glyph="upload-simple",
        group=70,
    ),
    Action(
        "feedback.clear",
        N_("Clear finished feedback files"),
        "",
        lambda context: context.state.clear_finished(),
        Menu.RUN,
        submenu=Submenu.FEEDBACK,
        enabled=_has_finished_files,
        disabled_reason=N_("No finished feedback files"),
        group=70,
    ),
)
