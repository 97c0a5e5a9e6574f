"""Words for what this computer keeps, and for the service that runs on it."""

from textwrap import shorten

from batchwright.base.database import DatabaseDamaged, DatabaseTooNew, DatabaseUnusable, StorageUnavailable
from batchwright.base.i18n import _
from batchwright.client.local_service import ServiceEnded
from batchwright.local.connections import DuplicateName, NoSuchConnection
from batchwright.local.database import COPY_NAME
from batchwright.local.secrets import KeyringUnavailable
from batchwright.service.process import ServiceDidNotStart
from batchwright.workflows.messages.message import LONGEST, Message, describe


@describe.register
def _service_did_not_start(error: ServiceDidNotStart) -> Message:
    return Message(
        _("The service on this computer did not start: {reason}").format(reason=error),
        _("Close other copies of Batchwright, see that the disk has space, then try again."),
    )


@describe.register
def _service_ended(error: ServiceEnded) -> Message:
    said = shorten(str(error), LONGEST)
    what = _("The service on this computer has ended by itself: {reason}").format(reason=said)
    return Message(
        what if said else _("The service on this computer has ended by itself."),
        _("Start it again; what it had accepted is kept."),
    )


@describe.register
def _name_taken(error: DuplicateName) -> Message:
    return Message(
        _("There is a connection called “{name}” already.").format(name=error), _("Choose another name.")
    )


@describe.register
def _no_such_connection(error: NoSuchConnection) -> Message:
    return Message(
        _("There is no connection called “{name}” any more.").format(name=error),
        _("Add it again under Home, Connections."),
    )


@describe.register
def _no_key_ring(error: KeyringUnavailable) -> Message:
    return Message(
        _("The key ring of this computer cannot be used: {reason}.").format(reason=error),
        _("Unlock it, or use the token for this run only."),
    )


@describe.register
def _too_new(error: DatabaseTooNew) -> Message:
    return Message(
        _("What Batchwright keeps here was written by a newer version."),
        _("Install the newest Batchwright; nothing has been changed."),
    )


@describe.register
def _unusable(error: DatabaseUnusable) -> Message:
    return Message(str(error), _("Restore the folder from a backup, or choose another folder."))


@describe.register
def _damaged(error: DatabaseDamaged) -> Message:
    return Message(
        str(error),
        _("Put its copy from the last start, {copy}, in its place, or move it away to begin anew.").format(
            copy=COPY_NAME
        ),
    )


@describe.register
def _cannot_keep(error: StorageUnavailable) -> Message:
    return Message(
        _("Batchwright cannot keep what it has to remember: {reason}").format(reason=error),
        _("Make room on the disk, close other copies of Batchwright, then try again."),
    )
