"""Asks whether to switch the open study to a connection that was just added."""

from batchwright.base.i18n import _
from batchwright.local.connections import Connection
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import Dialog


class SwitchConnectionDialog(Dialog):
    """Asks whether to switch a study to a new connection; staying is the default.

    Args:
        study: the name of the study.
        current: the connection it uses.
        added: the new connection.
    """

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
