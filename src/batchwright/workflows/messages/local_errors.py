"""Messages for errors of data stored on this computer, and of the service on this computer."""

from textwrap import shorten

from batchwright.base.database import DatabaseDamaged, DatabaseTooNew, DatabaseUnusable, StorageUnavailable
from batchwright.base.i18n import _
from batchwright.client.local_service import ServiceEnded
from batchwright.local.connections import DuplicateName, NoSuchConnection
from batchwright.local.database import COPY_NAME
from batchwright.local.secrets import KeyringUnavailable
from batchwright.service.process import ServiceDidNotStart
from batchwright.workflows.messages.message import MAX_CHARS, Message, describe


@describe.register
def _service_did_not_start(error: ServiceDidNotStart) -> Message:
    return Message(
        _("The service on this computer did not start: {reason}").format(reason=error),
        _("Close other copies of Batchwright, check the free disk space, then try again."),
    )


@describe.register
def _service_ended(error: ServiceEnded) -> Message:
    said = shorten(str(error), MAX_CHARS)
    what = _("The service on this computer stopped unexpectedly: {reason}").format(reason=said)
    return Message(
        what if said else _("The service on this computer stopped unexpectedly."),
        _("Restart it; accepted data is kept."),
    )


@describe.register
def _name_taken(error: DuplicateName) -> Message:
    return Message(
        _("A connection called “{name}” already exists.").format(name=error), _("Choose another name.")
    )


@describe.register
def _no_such_connection(error: NoSuchConnection) -> Message:
    return Message(
        _("The connection “{name}” no longer exists.").format(name=error),
        _("Add it again under Home, Connections."),
    )


@describe.register
def _no_key_ring(error: KeyringUnavailable) -> Message:
    return Message(
        _("The keyring of this computer cannot be used: {reason}.").format(reason=error),
        _("Unlock it, or use the token for this run only."),
    )


@describe.register
def _too_new(error: DatabaseTooNew) -> Message:
    return Message(
        _("The data of Batchwright on this computer was written by a newer version."),
        _("Install the latest Batchwright; nothing was changed."),
    )


@describe.register
def _unusable_database(error: DatabaseUnusable) -> Message:
    return Message(str(error), _("Restore the folder from a backup, or choose another folder."))


@describe.register
def _damaged(error: DatabaseDamaged) -> Message:
    return Message(
        str(error),
        _("Replace it with its copy from the last start, {copy}, or move it away to start over.").format(
            copy=COPY_NAME
        ),
    )


@describe.register
def _cannot_save(error: StorageUnavailable) -> Message:
    return Message(
        _("Batchwright cannot write its data: {reason}").format(reason=error),
        _("Free some disk space, close other copies of Batchwright, then try again."),
    )
