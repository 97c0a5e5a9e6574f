"""Asks where on the web the media of a folder are."""

from PySide6.QtWidgets import QLineEdit

from batchwright.base.i18n import _
from batchwright.base.urls import is_base_url, is_https_url
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.try_addresses import try_addresses
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.notices import Notice, NoticeSeverity


async def set_base_address(context: DataContext) -> None:
    """Ask for the URL to which the names of the files are added, and convert the folder again with it."""
    summary, opening = context.state.file.summary, context.state.study.opening
    if summary is None or summary.conversion is None or context.notify_if_busy():
        return
    dialog = BaseAddressDialog(summary.conversion.options.base_address)
    if await dialog.ask(context.window.window) and opening == context.state.study.opening:
        context.state.convert_with("base_address", dialog.address)
        if dialog.address:
            _offer_trial(context)


def _offer_trial(context: DataContext) -> None:
    """Offer to try whether participants can load the files."""
    title, text = _("The address was set"), _("Participants load the files from there.")
    context.window.notices.show_notice(
        Notice(
            NoticeSeverity.SUCCESS,
            title,
            text,
            _("Try the addresses…"),
            lambda: context.start(try_addresses),
        )
    )


class BaseAddressDialog(Dialog):
    """Asks for the https URL of a folder on the web."""

    help_address = "data.md#pictures-and-media"

    def __init__(self, current: str) -> None:
        super().__init__(
            _("Where are the files on the web?"),
            _("Participants load them from there, so the folder on the web needs the same files and names."),
            _("Use this address"),
        )
        self.address = self._current = current
        """The URL that was entered, with a slash at its end; empty if the files are on this computer only."""
        self._edit = QLineEdit(current)
        hint = _("The name of each file is added to it, with that of its subfolder.")
        if current:
            hint += " " + _("Without an address, only rehearsals on this computer show the files.")
        self.add(InputField(_("Address of the folder"), self._edit, hint=hint))
        self._edit.textChanged.connect(self._validate)
        self._validate()

    def _validate(self) -> None:
        text = self._edit.text().strip()
        is_removed = bool(self._current) and not text
        is_valid = is_removed or (is_https_url(text) and is_base_url(text))
        self.address = f"{text.rstrip('/')}/" if text else ""
        self.accept_button.setText(_("Remove the address") if is_removed else _("Use this address"))
        reason = "" if is_valid else _("Enter a URL that starts with https:// and has no query")
        self.accept_button.set_disabled_reason(reason)
