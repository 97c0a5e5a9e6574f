"""The actions about the program itself: settings and help. Their dialogs are imported when needed."""

from datetime import date

from PySide6.QtGui import QAction

from batchwright.base.i18n import N_, _
from batchwright.base.policy import UPDATE_CHECK
from batchwright.base.program_info import update_source
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, MenuSection, condition
from batchwright.ui.core.lazy_imports import import_incrementally
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.support.context import SupportContext
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

_SETTINGS = MenuSection(Menu.EDIT, 99)
_DATA = MenuSection(Menu.RUN, 99)
_SUPPORT = MenuSection(Menu.HELP, 50)
_ABOUT = MenuSection(Menu.HELP, 90)


async def _show_about(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.about")
    from batchwright.ui.support.about import show_about

    await show_about(support.context, support.folders)


async def _open_settings(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.settings_dialog")
    from batchwright.ui.support.settings_dialog import open_settings

    await open_settings(support)


async def _show_stored_data(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.stored_data_dialog")
    from batchwright.ui.support.stored_data_dialog import show_stored_data

    await show_stored_data(support)


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


def show_policy_problem(context: StageContext) -> None:
    """Show the error in the file of the policy, if it has one, until the user closes it."""
    if text := context.settings.policy.notice:
        title = _("The policy of this computer cannot be used")
        context.notices.show_notice(Notice(NoticeSeverity.WARNING, title, text, stays=True))


async def _save_report(support: SupportContext) -> None:
    await import_incrementally("batchwright.ui.support.report")
    from batchwright.ui.support.report import save_report

    await save_report(support.context, support.settings, support.dialogs)


def _update_disabled_reason(support: SupportContext) -> str:
    if update_source() is None:
        return _("This copy was built without an address and a key for updates")
    return support.settings.policy.lock_reason(UPDATE_CHECK)


@condition(_update_disabled_reason)
def _can_check_for_update(support: SupportContext) -> bool:
    return update_source() is not None and support.settings.policy.locked(UPDATE_CHECK) is not False


SUPPORT: tuple[Action[SupportContext], ...] = (
    Action[SupportContext](
        ActionId.SETTINGS,
        N_("Settings…"),
        _open_settings,
        _SETTINGS,
        "gear-six",
        role=QAction.MenuRole.PreferencesRole,
        shortcut="Ctrl+,",
    ),
    Action[SupportContext](
        ActionId.STORED_DATA, N_("Data of this computer…"), _show_stored_data, _DATA, "table"
    ),
    Action[SupportContext](
        ActionId.CHECK_FOR_UPDATE,
        N_("Check for updates…"),
        _check_for_update,
        _SUPPORT,
        "download-simple",
        _can_check_for_update,
    ),
    Action[SupportContext](
        ActionId.SUPPORT_REPORT, N_("Save a support report…"), _save_report, _SUPPORT, "file-text"
    ),
    Action[SupportContext](
        ActionId.ABOUT, N_("About Batchwright"), _show_about, _ABOUT, "info", role=QAction.MenuRole.AboutRole
    ),
)
