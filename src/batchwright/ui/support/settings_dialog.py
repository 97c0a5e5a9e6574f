"""The dialog with the settings of the program; each takes effect at once, except the language."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from typing_extensions import override

from batchwright.base.i18n import _, best_language, languages, ngettext
from batchwright.base.local_formats import language_name
from batchwright.base.network_settings import NetworkSettings, certificates_error
from batchwright.base.policy import CERTIFICATES, FILES_FOLDER, HOME, LANGUAGE, POLICY_KEYS, UPDATE_CHECK
from batchwright.base.program_info import update_source
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.core.formatting import name_order
from batchwright.ui.core.settings import POLL_INTERVALS_S
from batchwright.ui.shell.view_actions import AppearanceSettings
from batchwright.ui.support.context import SupportContext
from batchwright.ui.support.proxy_fields import ProxyFields
from batchwright.ui.support.update import what_is_sent
from batchwright.ui.support.value_grid import ValueGrid, folder_grid
from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference, TextRole, theme
from batchwright.ui.widgets.box_layouts import LayoutItem, column
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import labelled
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.path_field import PathField
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.toggles import SegmentedControl, Switch

_SECONDS_PER_MINUTE = 60

CHOOSING = "choose a path for the settings"
"""Name of the task that shows a file dialog."""
SAVING = "save the password of the proxy"
"""Name of the task that changes the key ring."""


class SettingsDialog(Dialog):
    """Shows and changes the settings."""

    help_address = "privacy.md"

    def __init__(self, support: SupportContext) -> None:
        super().__init__(
            _("Settings"),
            _("Changes take effect at once; a language, at the next start."),
            _("Close"),
            width=WIDE,
        )
        self.cancel_button.hide()
        self._support, self._settings, self._dialogs = support, support.settings, support.dialogs
        self._policy = support.settings.policy
        self._appearance = AppearanceSettings(theme(), support.settings)
        if self._policy.notice:
            self.add_warning(self._policy.notice, is_live=False)
        self.add(
            _section(_("Appearance"), *self._appearance_rows()),
            _section(_("Files"), self._folder_field()),
            _section(_("Folders"), *self._folder_rows()),
            _section(_("Jobs"), *self._job_rows()),
            _section(_("Network"), *self._network_rows()),
            _section(_("Updates"), *self._update_rows()),
        )
        if self._policy.locks:
            self.add(_section(_("Policy"), *self._policy_rows()))

    def _appearance_rows(self) -> Sequence[LayoutItem]:
        schemes = SegmentedControl(
            _("Theme"),
            [
                (ColorSchemePreference.SYSTEM.value, _("System"), "circle-half"),
                (ColorSchemePreference.LIGHT.value, _("Light"), "sun"),
                (ColorSchemePreference.DARK.value, _("Dark"), "moon"),
            ],
        )
        schemes.choose(theme().color_scheme.value)
        schemes.chosen.connect(self._on_scheme_chosen)
        sizes = SegmentedControl(
            _("Text size"), [(str(size), _("{number} %").format(number=size), "") for size in TEXT_SIZES]
        )
        sizes.choose(str(theme().text_size))
        sizes.chosen.connect(self._on_size_chosen)
        motion = Switch()
        motion.setChecked(theme().animations_enabled)
        motion.clicked.connect(self._appearance.toggle_animations)
        return (
            labelled(_("Language"), self._language_box(), self._policy.lock_reason(LANGUAGE)),
            labelled(_("Theme"), schemes),
            labelled(_("Text size"), sizes),
            labelled(_("Animations"), motion),
        )

    def _language_box(self) -> FormComboBox:
        box = FormComboBox()
        box.addItem(_("Like the system"), "")
        for tag in sorted(languages(), key=lambda tag: name_order(language_name(tag))):
            box.addItem(language_name(tag), tag)
        chosen = self._settings.language
        box.setCurrentIndex(box.findData(best_language([chosen]).tag if chosen else ""))

        def store(number: int) -> None:
            self._settings.language = box.itemData(number)

        box.currentIndexChanged.connect(store)
        return box

    def _on_scheme_chosen(self, id: str) -> None:
        self._appearance.set_color_scheme(ColorSchemePreference(id))

    def _on_size_chosen(self, id: str) -> None:
        self._appearance.set_text_size(int(id))

    def _folder_field(self) -> PathField:
        field = PathField(
            _("Folder in which file dialogs start"),
            self._settings.fixed_folder,
            _("The folder of the last file"),
        )
        field.changed.connect(self._on_folder_changed)

        async def choose() -> None:
            current = Path(field.path) if field.path else None
            folder = await self._dialogs.folder_to_use(_("Choose the folder for files"), current)
            if folder is not None:
                field.set_path(str(folder))

        field.choice_requested.connect(lambda: self._support.context.tasks.start(CHOOSING, choose))
        if reason := self._policy.lock_reason(FILES_FOLDER):
            field.lock(reason)
        return field

    def _on_folder_changed(self, folder: str) -> None:
        self._settings.fixed_folder = folder

    def _folder_rows(self) -> Sequence[LayoutItem]:
        hint = _(
            "To keep the data elsewhere, quit Batchwright and its commands, move the folder “Data” to "
            "FOLDER/data, and set the environment variable BATCHWRIGHT_HOME to FOLDER."
        )
        hint = self._policy.lock_reason(HOME) or hint
        return (
            folder_grid(self._support.folders, self._support.context.notices),
            Label(hint, TextRole.CAPTION, "text2", wraps=True),
        )

    def _job_rows(self) -> Sequence[LayoutItem]:
        pauses = QComboBox()
        pauses.addItems([_duration(seconds) for seconds in POLL_INTERVALS_S])
        pauses.setCurrentIndex(POLL_INTERVALS_S.index(self._settings.longest_poll_s))
        pauses.currentIndexChanged.connect(self._on_pause_chosen)
        notifications = Switch()
        notifications.setChecked(self._settings.shows_notifications)
        notifications.toggled.connect(self._on_notifications_toggled)
        hint = _(
            "Of hosted services. New jobs are checked more often, those of this computer at least every 2 s."
        )
        return (
            labelled(_("Check jobs at least every"), pauses),
            Label(hint, TextRole.CAPTION, "text2", wraps=True),
            labelled(_("Show messages on the desktop when no window is active"), notifications),
        )

    def _on_pause_chosen(self, number: int) -> None:
        self._settings.longest_poll_s = POLL_INTERVALS_S[number]

    def _on_notifications_toggled(self, is_on: bool) -> None:
        self._settings.shows_notifications = is_on

    def _network_rows(self) -> Sequence[LayoutItem]:
        self._proxy = ProxyFields(self._settings.network, self._policy)
        self._proxy_accounts = {self._settings.network.proxy_account}
        self._proxy.entered.connect(self._on_proxy_entered)
        self.finished.connect(self._remove_replaced_passwords)
        return self._proxy, self._certificates_field()

    def _on_proxy_entered(self, url: str, user: str, password: str) -> None:
        """Use a proxy, and save its password."""
        before, passwords = self._settings.network, self._support.proxy_passwords
        network = replace(before, proxy=url, proxy_user=user)
        self._proxy_accounts.add(network.proxy_account)
        is_new = bool(password) and passwords.set(network.proxy_account, password)
        self._support.context.tasks.start(SAVING, self._save_passwords)
        if is_new and network == before:
            self._support.on_network_changed()
        self._set_network(network)

    def _remove_replaced_passwords(self) -> None:
        """Delete the passwords of replaced users and hosts. Before, one of them may be corrected again."""
        network = self._settings.network
        if network.proxy:
            for account in self._proxy_accounts - {"", network.proxy_account}:
                self._support.proxy_passwords.set(account, "")
            self._support.context.tasks.start(SAVING, self._save_passwords)

    async def _save_passwords(self) -> None:
        try:
            await self._support.proxy_passwords.save()
        except KeyringUnavailable:
            title = _("The password of the proxy was not saved")
            text = _("The keyring cannot be used. The password is used until Batchwright closes.")
            self._support.context.notices.show_notice(Notice(NoticeSeverity.WARNING, title, text))

    def _certificates_field(self) -> PathField:
        field = PathField(
            _("Certificates to trust"),
            self._settings.network.certificates,
            _("Those of the system"),
            _("A file in PEM format, for example of a proxy that inspects connections."),
        )

        async def choose() -> None:
            title, kinds = _("Choose the certificates to trust"), _("Certificates (*.pem *.crt *.cer)")
            path = await self._dialogs.file_to_open(title, (kinds,))
            if path is None:
                return
            error = await asyncio.to_thread(certificates_error, path)
            if not error:
                field.set_path(str(path))
            field.show_error(error)

        field.choice_requested.connect(lambda: self._support.context.tasks.start(CHOOSING, choose))
        field.changed.connect(self._on_certificates_changed)
        if reason := self._policy.lock_reason(CERTIFICATES):
            field.lock(reason)
        return field

    def _on_certificates_changed(self, path: str) -> None:
        self._set_network(replace(self._settings.network, certificates=path))

    def _set_network(self, network: NetworkSettings) -> None:
        if network != self._settings.network:
            self._settings.network = network
            self._support.on_network_changed()

    def _update_rows(self) -> Sequence[LayoutItem]:
        updates, can_check, text = Switch(), update_source() is not None, what_is_sent()
        updates.setChecked(can_check and self._settings.checks_for_updates)
        updates.setEnabled(can_check)
        updates.toggled.connect(self._on_updates_toggled)
        updates.setAccessibleDescription(text)
        return (
            Label(text, TextRole.CAPTION, "text2", wraps=True),
            labelled(_("Check for updates once a day"), updates, self._policy.lock_reason(UPDATE_CHECK)),
        )

    def _on_updates_toggled(self, is_on: bool) -> None:
        self._settings.checks_for_updates = is_on

    def _policy_rows(self) -> Sequence[LayoutItem]:
        """What is locked, also what is shown elsewhere than in this dialog."""
        text = _("Your IT staff have locked these settings in {path}.").format(path=self._policy.path)
        locks = ((key, self._policy.locks[key.name]) for key in POLICY_KEYS if key.name in self._policy.locks)
        return (
            Label(text, TextRole.CAPTION, "text2", wraps=True),
            ValueGrid(
                [
                    (_(key.title), ElidedLabel(_value_text(value), in_middle=True), None)
                    for key, value in locks
                ]
            ),
        )

    @override
    def accept(self) -> None:
        field = self._proxy.apply()
        if field is None:
            super().accept()
        else:
            self.reveal(field)
            field.control.setFocus(Qt.FocusReason.OtherFocusReason)


def _section(title: str, *items: LayoutItem) -> LayoutItem:
    """A titled group of settings."""
    return column(Label(title, TextRole.SECTION), *items, 8, gap=10)


def _value_text(value: object) -> str:
    """A value of the policy in words."""
    return str(value) if not isinstance(value, bool) else _("on") if value else _("off")


def _duration(seconds: int) -> str:
    """A pause in words."""
    if seconds % _SECONDS_PER_MINUTE:
        return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    minutes = seconds // _SECONDS_PER_MINUTE
    return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)


async def open_settings(support: SupportContext) -> None:
    """Show the dialog over a window."""
    await SettingsDialog(support).ask(support.context.window)
