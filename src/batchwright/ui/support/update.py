"""The update check in the window: once a day if it is switched on, or when the user asks for it."""

import logging
from datetime import date
from functools import partial

from batchwright.base.i18n import _
from batchwright.base.program_info import UpdateSource, program_version, update_source
from batchwright.ui.core.desktop import open_url
from batchwright.ui.support.context import SupportContext
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

_log = logging.getLogger(__name__)


def what_is_sent() -> str:
    """What the check sends and does, in sentences; or why this copy has none."""
    source = update_source()
    if source is None:
        return _("This copy was built without an address and a key for updates.")
    return _(
        "The check requests {url}. It sends nothing about you, your studies or this copy, and it neither "
        "downloads nor installs anything. What it shows is signed by those who built this copy."
    ).format(url=source.url)


async def check_now(support: SupportContext) -> None:
    """Say what is sent, check, and show the result."""
    source = update_source()
    if source is None:
        return
    dialog = Dialog(
        _("Check for updates"), what_is_sent(), _("Check now"), help_address="privacy.md#what-is-sent-to-whom"
    )
    if await dialog.ask(support.context.window) and not await _show_newer_version(support, source):
        title = _("Batchwright is up to date")
        text = _("{version} is the latest version.").format(version=program_version())
        support.context.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title, text))


async def check_daily(support: SupportContext, today: date) -> None:
    """Check if it is switched on and was not done today. An error is logged only: nobody waits for it."""
    settings, source = support.settings, update_source()
    if not settings.checks_for_updates or source is None or settings.last_update_check == today.isoformat():
        return
    settings.last_update_check = today.isoformat()
    try:
        await _show_newer_version(support, source)
    except Exception as error:
        _log.info("The update check failed: %s", type(error).__name__)


async def _show_newer_version(support: SupportContext, source: UpdateSource) -> bool:
    """Show a notice if there is a newer version; returns whether there is."""
    from batchwright.workflows.check_for_update import check_for_update

    network = await support.proxy_passwords.complete(support.settings.network)
    latest = await check_for_update(source, network)
    if latest is None:
        return False
    notices = support.context.notices
    title = _("Batchwright {version} is available").format(version=latest.number)
    text = _("You have {version}. Nothing was downloaded.").format(version=program_version())
    label = _("Open the page") if latest.page else ""
    open_page = partial(open_url, notices, latest.page)
    notices.show_notice(Notice(NoticeSeverity.INFO, title, text, label, open_page, stays=True))
    return True
