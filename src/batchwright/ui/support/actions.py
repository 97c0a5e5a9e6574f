"""The actions about the program itself: settings and help. Their dialogs are imported when needed."""

from datetime import date

from PySide6.QtGui import QAction

from batchwright.base.i18n import N_
from batchwright.base.program_info import update_url
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.core.lazy_imports import import_incrementally
from batchwright.ui.support.context import SupportContext

_SETTINGS_GROUP, _REPORT_GROUP, _ABOUT_GROUP = 99, 50, 90


async def _show_about(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.about")
    from batchwright.ui.support.about import show_about

    await show_about(support.context, support.folders)


async def _open_settings(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.settings_dialog")
    from batchwright.ui.support.settings_dialog import open_settings

    await open_settings(support)


async def _check_for_update(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.update")
    from batchwright.ui.support.update import check_now

    await check_now(support)


async def check_daily(support: SupportContext) -> None:
    """Look for a newer version if the user has switched that on."""
    if support.settings.checks_for_updates:
        await import_incrementally("batchwright.ui.support.update")
        from batchwright.ui.support.update import check_daily

        await check_daily(support, date.today())


async def _save_report(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.report")
    from batchwright.ui.support.report import save_report

    await save_report(support.context, support.settings, support.dialogs)


SUPPORT: tuple[Action[SupportContext], ...] = (
    Action[SupportContext](
        ActionId.SETTINGS,
        N_("Settings…"),
        "Ctrl+,",
        _open_settings,
        Menu.EDIT,
        glyph="gear-six",
        group=_SETTINGS_GROUP,
        role=QAction.MenuRole.PreferencesRole,
    ),
    Action[SupportContext](
        ActionId.CHECK_FOR_UPDATE,
        N_("Check for updates…"),
        "",
        _check_for_update,
        Menu.HELP,
        enabled=lambda _support: bool(update_url()),
        disabled_reason=N_("This copy was built without an address for updates"),
        glyph="download-simple",
        group=_REPORT_GROUP,
    ),
    Action[SupportContext](
        ActionId.SUPPORT_REPORT,
        N_("Save a support report…"),
        "",
        _save_report,
        Menu.HELP,
        glyph="file-text",
        group=_REPORT_GROUP,
    ),
    Action[SupportContext](
        ActionId.ABOUT,
        N_("About Batchwright"),
        "",
        _show_about,
        Menu.HELP,
        glyph="info",
        group=_ABOUT_GROUP,
        role=QAction.MenuRole.AboutRole,
    ),
)
