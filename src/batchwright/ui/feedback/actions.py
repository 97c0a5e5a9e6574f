"""The actions of the Feedback stage: one row for each command."""

from typing import TYPE_CHECKING

from batchwright.base.i18n import N_
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.core.lazy_imports import LazyFunctions

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.feedback.commands as commands
    from batchwright.ui.feedback.commands import FeedbackContext
else:
    commands = LazyFunctions("batchwright.ui.feedback.commands")


def _has_finished_files(context: "FeedbackContext") -> bool:
    from batchwright.ui.feedback.state import FINISHED

    return bool(context.state.count(*FINISHED))


ACTIONS: tuple["Action[FeedbackContext]", ...] = (
    Action(
        ActionId.FEEDBACK_CHOOSE,
        N_("Send feedback files…"),
        "Ctrl+Shift+F",
        commands.choose_files,
        Menu.RUN,
        submenu=Submenu.FEEDBACK,
        glyph="upload-simple",
        group=70,
    ),
    Action(
        ActionId.FEEDBACK_CLEAR,
        N_("Clear finished feedback files"),
        "",
        lambda context: context.state.clear_finished(),
        Menu.RUN,
        submenu=Submenu.FEEDBACK,
        in_stage_only=True,
        enabled=_has_finished_files,
        disabled_reason=N_("No finished feedback files"),
        group=70,
    ),
)
