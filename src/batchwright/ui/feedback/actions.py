"""The actions of the Feedback stage: one row for each command."""

from typing import TYPE_CHECKING

from batchwright.base.i18n import N_
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, MenuSection, Submenu, condition
from batchwright.ui.core.lazy_imports import LazyFunctions

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.feedback.commands as commands
    from batchwright.ui.feedback.commands import FeedbackContext
else:
    commands = LazyFunctions("batchwright.ui.feedback.commands")


_FEEDBACK = MenuSection(Menu.RUN, 70, Submenu.FEEDBACK)


@condition(N_("No finished feedback files"), in_stage_only=True)
def _has_finished_files(context: "FeedbackContext") -> bool:
    from batchwright.ui.feedback.state import FINISHED

    return bool(context.state.count(*FINISHED))


ACTIONS: tuple["Action[FeedbackContext]", ...] = (
    Action(
        ActionId.FEEDBACK_CHOOSE,
        N_("Send feedback files…"),
        commands.choose_files,
        _FEEDBACK,
        "upload-simple",
        shortcut="Ctrl+Shift+F",
    ),
    Action(
        ActionId.FEEDBACK_CLEAR,
        N_("Clear finished feedback files"),
        lambda context: context.state.clear_finished(),
        _FEEDBACK,
        condition=_has_finished_files,
    ),
)
