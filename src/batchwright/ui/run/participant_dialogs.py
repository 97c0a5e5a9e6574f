"""The dialog that creates a test participant at a hosted service."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.client.errors import field_error, is_service_error
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner, info_row, live_warning
from batchwright.ui.widgets.fields import InputField
from batchwright.workflows.messages import describe
from batchwright.workflows.rehearsal.create_test_participant import (
    ParticipantCreationUnknown,
    create_test_participant,
)


class ParticipantDialog(Dialog):
    """Asks for the e-mail address of a test participant; once it was created, shows its id.

    For use with `ask_until`: an error is shown in the dialog, which stays open.

    Args:
        live: name of the live service; empty for the service on this computer.
    """

    help_address = "run.md#take-part"

    def __init__(self, live: str) -> None:
        super().__init__(
            _("Create a test participant"),
            _("An account that takes part like any participant, without screening or payment."),
            _("Create test participant"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
        )
        self.participant_id = ""
        self._email = QLineEdit()
        self._email.setObjectName("email")
        hint = _("One that you can read mail of, and that no account uses yet")
        self._field = InputField(_("E-mail address"), self._email, hint=hint, required=True)
        self._below = column(gap=14)
        self.add(self._field, self._below)
        if live:
            self._below.add(live_warning(live))
        self._email.textChanged.connect(self._refresh)
        self._refresh()

    @property
    def email(self) -> str:
        """The e-mail address entered."""
        return self._email.text().strip()

    def show_waiting(self) -> None:
        """Show that the request is running; the dialog cannot be closed until the response arrives."""
        self._email.setEnabled(False)
        self.cancel_button.setEnabled(False)
        self.accept_button.setText(_("Creating"))
        self.accept_button.set_disabled_reason(_("Creating the test participant…"))

    def show_error(self, error: Exception) -> None:
        """Show an error, at the field if the address was rejected."""
        self._email.setEnabled(True)
        self.cancel_button.setEnabled(True)
        self.accept_button.setText(_("Create test participant"))
        self._refresh()
        at_field = field_error(error, "email")
        self._field.show_error(at_field)
        clear(self._below)
        if not at_field:
            warning = WarningBanner(str(describe(error)), is_live=False)
            self._below.add(warning)
            self.reveal(warning)
        self._email.setFocus()
        self._email.selectAll()

    def show_participant(self, participant: str) -> None:
        """Show the id with a button to copy it, and what to do before the first login."""
        self.participant_id = participant
        self._field.hide()
        clear(self._below)
        shown = QLineEdit(participant)
        shown.setObjectName("participant")
        shown.setReadOnly(True)
        hint = _(
            "Add it to a custom allowlist or a participant group, so that it can take part in your study"
        )
        copy = Button(_("Copy"), glyph="copy", height=ButtonSize.SMALL)
        copy.setAccessibleName(_("Copy the participant id"))
        copy.clicked.connect(self._copy)
        self._below.add(
            InputField(_("Participant id"), shown, hint=hint, corner=copy),
            info_row(
                _("Its password is random. Reset the password of {email} before the first login.").format(
                    email=self.email
                )
            ),
        )
        self.cancel_button.setEnabled(True)
        self.cancel_button.hide()
        self.accept_button.set_kind(ButtonKind.PRIMARY)
        self.accept_button.set_glyph("")
        self.accept_button.setText(_("Done"))
        self.accept_button.set_disabled_reason()
        shown.setFocus()
        shown.selectAll()

    @override
    def reject(self) -> None:
        """Close the dialog; not while the request is running, since the service returns the id only once."""
        if self.cancel_button.isEnabled():
            super().reject()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.participant_id)

    def _refresh(self) -> None:
        self.accept_button.set_disabled_reason("" if self.email else _("Enter an e-mail address first"))


async def show_participant_dialog(host: QWidget, session: ConnectionSession) -> None:
    """Show the dialog until a test participant was created and its id shown, or the user cancels."""
    dialog = ParticipantDialog(session.connection.title if session.is_live else "")

    async def attempt() -> bool:
        if dialog.participant_id:
            return True
        dialog.show_waiting()
        try:
            dialog.show_participant(await create_test_participant(await session.context(), dialog.email))
        except Exception as error:
            if not (is_service_error(error) or isinstance(error, ParticipantCreationUnknown)):
                raise
            dialog.show_error(error)
        return False

    await dialog.ask_until(host, attempt)
