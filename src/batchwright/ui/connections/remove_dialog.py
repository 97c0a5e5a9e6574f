"""The dialog that asks before a connection and its token are removed."""

from PySide6.QtWidgets import QCheckBox

from batchwright.base.i18n import _
from batchwright.local.secrets import KeyringUnavailable
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import Dialog, WarningBanner


class RemoveConnectionDialog(Dialog):
    """Asks whether to remove a connection; without a usable keyring, whether its token may stay there."""

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
        self._keep_token = QCheckBox(_("Remove it anyway, and leave the token in the keyring"))
        self._keep_token.hide()
        self._keep_token.toggled.connect(self._refresh)
        self.add(self._warnings, self._keep_token)

    @property
    def keeps_token(self) -> bool:
        """Whether the token may stay in the keyring."""
        return self._keep_token.isChecked()

    def show_keyring_error(self, error: KeyringUnavailable) -> None:
        """Show why the token cannot be removed, and offer to leave it there."""
        from batchwright.workflows.messages import describe

        clear(self._warnings)
        remedy = _("Unlock it and try again, or leave the token there.")
        self._warnings.add(WarningBanner(f"{describe(error).what}\n{remedy}", is_live=False))
        self._keep_token.show()
        self._refresh()

    def _refresh(self) -> None:
        self.accept_button.setText(_("Remove connection") if self.keeps_token else _("Try again"))
