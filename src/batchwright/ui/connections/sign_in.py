"""The dialogs of the connections: add, change or sign in to one, switch a study to it, and remove it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QLineEdit, QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.base.policy import CERTIFICATES, SERVICE_URL, WORKSPACE, computer_policy
from batchwright.local.connections import Connection, FieldError
from batchwright.local.secrets import KeyringFailure, KeyringUnavailable
from batchwright.ui.connections.known_workspaces import KnownWorkspace
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.dialogs.file_dialogs import choose_files
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.text import literal

_POLICY_KEYS = {"url": SERVICE_URL, "workspace_id": WORKSPACE, "certificates": CERTIFICATES}
"""What a policy may lock, by the name of the field."""


class DialogMode(Enum):
    """The purpose of the dialog: title, button text, and button text if no keyring can store the token."""

    ADD = (N_("Add a connection"), N_("Check and add"), N_("Add for this run only"))
    CHANGE = (N_("Change {name}"), N_("Check and save"), N_("Save for this run only"))
    TOKEN = (N_("Sign in to {name}"), N_("Sign in"), N_("Sign in for this run only"))


@dataclass(frozen=True)
class SignInInput:
    """The input of the dialog; the token is never shown or written to a file."""

    name: str = ""
    url: str = ""
    workspace_id: str = ""
    token: str = field(default="", repr=False)
    certificates: str = ""
    stores_token: bool = True
    has_keyring: bool = True
    """Whether a keyring is available, as far as known."""


class SignInDialog(Dialog):
    """Asks for a token and, for a new or changed connection, for its name, address and workspace.

    Use it with `ask_until`: errors are shown at their fields, and the dialog stays open. `workspaces` can be
    chosen instead of entering an id.
    """

    help_address = "home.md#connections"

    def __init__(
        self, initial: SignInInput, mode: DialogMode, workspaces: Sequence[KnownWorkspace] = ()
    ) -> None:
        title, accept_text, self._accept_text_without_keyring = (_(text) for text in mode.value)
        super().__init__(
            title.format(name=initial.name),
            _("The token is checked before anything else is sent, and is never displayed."),
            accept_text,
        )
        self._initial, self._accept_text = initial, accept_text
        self._is_busy = self._is_without_keyring = False
        self._fields: dict[str, InputField] = {}
        self._locked: set[str] = set()
        """The fields that the policy locks."""
        self._optional = {"certificates", *(["token"] if mode is DialogMode.CHANGE else [])}
        if mode is not DialogMode.TOKEN:
            self._add_field(
                "name", _("Name"), initial.name, _("A name of your choice, such as “Lab account”")
            )
            self._add_field("url", _("URL"), initial.url, _("https, or http for this computer only"))
            self._add_field(
                "workspace_id",
                _("Workspace id"),
                initial.workspace_id,
                _(
                    "The workspace to work in: usually 24 digits and letters from a to f. If you do not know "
                    "it, ask someone who works in it"
                ),
                self._workspace_button(workspaces) if workspaces else None,
            )
        stored_hint = _("Leave empty to keep the saved token")
        create_hint = _(
            "Create one in the settings of your account on the provider's website, and copy it from there."
        )
        self._add_field(
            "token", _("Token"), initial.token, stored_hint if mode is DialogMode.CHANGE else create_hint
        )
        if initial.token:
            self._fields["token"].set_hint(_("Found in the environment of this computer (PROLIFIC_TOKEN)"))
        self._line_edit("token").setEchoMode(QLineEdit.EchoMode.Password)
        if mode is not DialogMode.TOKEN:
            self._add_field(
                "certificates",
                _("Certificates of your organisation"),
                initial.certificates,
                _(
                    "A PEM file to trust in addition to the system's certificates; leave empty if you do not "
                    "need one"
                ),
                self._choose_button(),
            )
            is_shown = bool(initial.certificates) or "certificates" in self._locked
            self._fields["certificates"].setVisible(is_shown)
        self._store_token = QCheckBox(_("Save the token in the keyring of this computer"))
        self._store_token.setChecked(initial.stores_token)
        self._warnings = column(gap=0)
        self.add(self._store_token, self._warnings)
        self._unlock = Button("", height=ButtonSize.DIALOG)
        self._unlock.clicked.connect(self._retry_keyring)
        self.add_side_button(self._unlock)
        self._unlock.hide()
        for name in self._fields:
            self._line_edit(name).textChanged.connect(self._refresh)
        self._refresh()

    @property
    def input(self) -> SignInInput:
        """The current input."""
        typed = {name: self._line_edit(name).text().strip() for name in self._fields}
        if "certificates" in self._locked:  # those of the policy are trusted in any case
            del typed["certificates"]
        before = self._initial
        return SignInInput(
            typed.get("name", before.name),
            typed.get("url", before.url),
            typed.get("workspace_id", before.workspace_id),
            typed["token"],
            typed.get("certificates", before.certificates),
            stores_token=self._store_token.isChecked(),
            has_keyring=not self._is_without_keyring,
        )

    @override
    def accept(self) -> None:
        self._set_busy(is_busy=True)
        super().accept()

    def show_result(self, error: FieldError | KeyringUnavailable | None) -> None:
        """End the busy state and show an error, if any."""
        self._set_busy(is_busy=False)
        if isinstance(error, KeyringUnavailable):
            self.show_keyring_error(error)
        elif error is not None:
            self.show_error(error)

    def show_error(self, error: FieldError) -> None:
        """Show an error at its field and focus the field."""
        for name, input_field in self._fields.items():
            input_field.show_error(error.text if name == error.field else "")
        if error.is_about_trust and "certificates" in self._fields:
            self._fields["certificates"].show()
        clear(self._warnings)
        if error.field in self._fields:
            self._line_edit(error.field).setFocus()
            self._line_edit(error.field).selectAll()
            self.reveal(self._fields[error.field])
        else:
            warning = WarningBanner(error.text, is_live=False)
            self._warnings.add(warning)
            self.reveal(warning)
            self.accept_button.setFocus()  # disabling the fields moved the focus to Cancel

    def show_keyring_error(self, error: KeyringUnavailable) -> None:
        """Offer to unlock the keyring and retry, or to use the token without storing it."""
        self.show_error(FieldError("", _keyring_error_text(error)))
        is_locked = error.failure is KeyringFailure.LOCKED
        self._unlock.setText(_("Unlock and try again") if is_locked else _("Try the keyring again"))
        self._unlock.show()
        self._store_token.setChecked(False)
        self._store_token.hide()
        self._is_without_keyring = True
        self._refresh()

    def _set_busy(self, *, is_busy: bool) -> None:
        self._is_busy = is_busy
        for name, input_field in self._fields.items():
            input_field.control.setEnabled(not is_busy and name not in self._locked)
        self._store_token.setEnabled(not is_busy)
        self._unlock.setEnabled(not is_busy)
        self._refresh()

    def _retry_keyring(self) -> None:
        self._is_without_keyring = False
        self._unlock.hide()
        self._store_token.setChecked(True)
        self._store_token.show()
        self.accept()

    def _add_field(self, name: str, label: str, text: str, hint: str, corner: QWidget | None = None) -> None:
        key, policy = _POLICY_KEYS.get(name), computer_policy()
        locked = None if key is None else policy.locked(key)
        self._fields[name] = InputField(
            label,
            QLineEdit(text if locked is None else locked),
            hint=hint,
            required=name not in self._optional,
            corner=corner if locked is None else None,
        )
        self._line_edit(name).setObjectName(name)
        if key is not None and locked is not None:
            self._locked.add(name)
            self._fields[name].lock(policy.lock_reason(key))
        self.add(self._fields[name])

    def _workspace_button(self, workspaces: Sequence[KnownWorkspace]) -> Button:
        """The button that lists the known workspaces of the service whose URL is entered."""
        button = Button(_("Known workspaces"), ButtonKind.QUIET, height=ButtonSize.SMALL)
        menu = QMenu(button)

        def show() -> None:
            menu.clear()
            url = self._line_edit("url").text()
            for workspace in workspaces:
                if workspace.may_be_at(url):
                    entry = menu.addAction(f"{literal(workspace.id)}\t{literal(workspace.source)}")
                    entry.setData(workspace.id)
            if menu.isEmpty():
                menu.addAction(_("None is known at this URL")).setEnabled(False)

        menu.aboutToShow.connect(show)
        menu.triggered.connect(lambda entry: self._line_edit("workspace_id").setText(entry.data()))
        button.setMenu(menu)
        return button

    def _choose_button(self) -> Button:
        """The button that asks for the file with certificates."""
        label = _("Choose the certificates to trust")
        button = Button(_("Choose…"), ButtonKind.QUIET, height=ButtonSize.SMALL)
        button.setAccessibleDescription(label)

        def on_chosen(paths: tuple[Path, ...]) -> None:
            for path in paths:
                self._line_edit("certificates").setText(str(path))

        kinds = (_("Certificates (*.pem *.crt *.cer)"),)
        button.clicked.connect(
            lambda: choose_files(self, label, kinds, allow_multiple=False, on_chosen=on_chosen)
        )
        return button

    def _line_edit(self, name: str) -> QLineEdit:
        control = self._fields[name].control
        if not isinstance(control, QLineEdit):
            raise TypeError("every field here is a line")
        return control

    def _refresh(self) -> None:
        if self._is_busy:
            self.accept_button.setText(_("Checking"))
            self.accept_button.set_disabled_reason(_("Verifying the token with the service"))
            return
        self.accept_button.setText(
            self._accept_text_without_keyring if self._is_without_keyring else self._accept_text
        )
        empty = {name for name in self._fields if not self._line_edit(name).text().strip()}
        self.accept_button.set_disabled_reason(
            _("Fill in every field first") if empty - self._optional else ""
        )


def _keyring_error_text(error: KeyringUnavailable) -> str:
    match error.failure:
        case KeyringFailure.LOCKED:
            return _("The keyring is locked. Unlock it, or use the token until Batchwright closes.")
        case KeyringFailure.ABSENT:
            return _(
                "This computer has no keyring that stores tokens securely. Start one, such as GNOME "
                "Keyring or KWallet, or use the token until Batchwright closes."
            )
        case KeyringFailure.REFUSED:
            text = _(
                "The keyring reported an error ({reason}). Try again, or use the token until Batchwright "
                "closes."
            )
            return text.format(reason=error)


class SwitchConnectionDialog(Dialog):
    """Asks whether to switch a study to a new connection; staying is the default.

    Args:
        study: the name of the study.
        current: the connection it uses.
        added: the new connection.
    """

    help_address = "home.md#connections"

    def __init__(self, study: str, current: Connection, added: Connection) -> None:
        text = _("“{study}” still runs {here}. You can switch it now, or later in the header.")
        super().__init__(
            _("“{connection}” was added").format(connection=added.title),
            text.format(study=study, here=at_connection_phrase(current.title)),
            _("Switch to {connection}").format(connection=added.title),
            ButtonKind.PRIMARY if added.is_local else ButtonKind.LIVE,
            cancels_by_default=True,
        )
        self.cancel_button.setText(_("Stay {here}").format(here=at_connection_phrase(current.title)))
        if not added.is_local:
            warning = _(
                "After that, everything you upload and publish reaches {service} and real participants."
            )
            self.add_warning(warning.format(service=added.title), is_live=True)


class RemoveConnectionDialog(Dialog):
    """Asks whether to remove a connection; without a usable keyring, whether its token may stay there."""

    help_address = "home.md#connections"

    def __init__(self, name: str) -> None:
        super().__init__(
            _("Remove {name}?").format(name=name),
            _(
                "Its token is deleted from the keyring of this computer. Studies keep their data about "
                "it, and nothing changes at the service."
            ),
            _("Remove connection"),
            ButtonKind.DESTROY,
        )
        self._warnings = column(gap=0)
        self._leave_token = QCheckBox(_("Remove it anyway, and leave the token in the keyring"))
        self._leave_token.hide()
        self._leave_token.toggled.connect(self._refresh)
        self.add(self._warnings, self._leave_token)

    @property
    def leaves_token(self) -> bool:
        """Whether the token may stay in the keyring."""
        return self._leave_token.isChecked()

    def show_keyring_error(self, error: KeyringUnavailable) -> None:
        """Show why the token cannot be removed, and offer to leave it there."""
        from batchwright.workflows.messages import describe

        clear(self._warnings)
        remedy = _("Unlock it and try again, or leave the token there.")
        self._warnings.add(WarningBanner(f"{describe(error).what}\n{remedy}", is_live=False))
        self._leave_token.show()
        self._refresh()

    def _refresh(self) -> None:
        self.accept_button.setText(_("Remove connection") if self.leaves_token else _("Try again"))
