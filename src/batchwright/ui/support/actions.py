"""The actions of the Help menu about the program itself. Their dialogs are imported when they are needed."""

from dataclasses import dataclass

from PySide6.QtGui import QAction

from batchwright.base.i18n import N_
from batchwright.local.paths import Folders
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.core.lazy_imports import import_incrementally
from batchwright.ui.shell.stages import StageContext

_ABOUT_GROUP = 90


@dataclass(frozen=True)
class SupportContext:
    """What the actions need."""

    context: StageContext
    folders: Folders


async def _show_about(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.about")
    from batchwright.ui.support.about import show_about

    await show_about(support.context, support.folders)


SUPPORT: tuple[Action[SupportContext], ...] = (
    Action[SupportContext](
        "about",
        N_("About Batchwright"),
        "",
        _show_about,
        Menu.HELP,
        glyph="info",
        group=_ABOUT_GROUP,
        role=QAction.MenuRole.AboutRole,
    ),
)
