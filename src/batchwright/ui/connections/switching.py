"""Asks where the open study is to work from now on, once another connection was added."""

from batchwright.base.i18n import _
from batchwright.local.connections import Connection
from batchwright.ui.connections.labels import at_connection_phrase
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs import Dialog


class SwitchConnectionDialog(Dialog):
    """Whether a study is switched to a connection that was just added; staying is the default.

    Args:
        study: its name.
        here: the connection that it works with.
        added: the other one.
    """

    def __init__(self, study: str, here: Connection, added: Connection) -> None:
        said = _("“{study}” still runs {here}. You can switch it now, or later in the header.")
        super().__init__(
            _("“{connection}” was added").format(connection=added.title),
            said.format(study=study, here=at_connection_phrase(here.title)),
            _("Switch to {connection}").format(connection=added.title),
            ButtonKind.PRIMARY if added.is_local else ButtonKind.LIVE,
            cancels_by_default=True,
        )
        self.cancel_button.setText(_("Stay {here}").format(here=at_connection_phrase(here.title)))
        if not added.is_local:
            warning = _("After that, what you upload and publish reaches {service} and real participants.")
            self.add_warning(warning.format(service=added.title), is_live=True)
