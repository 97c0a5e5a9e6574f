"""What is wrong with a connection, at the field that it belongs to: address, token or workspace."""

from functools import singledispatch

from batchwright.api import errors
from batchwright.base.i18n import _
from batchwright.local.connections import NameTaken
from batchwright.ui.connections.sign_in import Fault
from batchwright.workflows.messages import describe
from batchwright.workflows.sign_in import NoWorkspace


@singledispatch
def fault_of(error: Exception) -> Fault:
    """The fault that an error of the account check stands for; it may belong to no single field."""
    return Fault("", str(describe(error)))


@fault_of.register
def _bad_address(error: errors.BadAddress) -> Fault:
    words = _(
        "This address cannot be used: {reason}. Begin with https://, or for this computer alone with "
        "http://localhost."
    )
    return Fault("url", words.format(reason=error.reason))


@fault_of.register
def _unreachable(error: errors.Unreachable) -> Fault:
    words = _("Nobody answers at this address: {reason}. Check the address and the network.")
    return Fault("url", words.format(reason=error.reason))


@fault_of.register
def _untrusted(error: errors.Untrusted) -> Fault:
    words = _(
        "The certificate of this address is not trusted. Check the address. Where your organisation has "
        "certificates of its own, name their file below."
    )
    return Fault("url", words, is_about_trust=True)


@fault_of.register
def _bad_certificates(error: errors.BadCertificates) -> Fault:
    if not error.is_own:
        return Fault("", str(describe(error)))
    words = _("These certificates cannot be read: {reason}. Choose a file in PEM format.")
    return Fault("certificates", words.format(reason=error.reason), is_about_trust=True)


@fault_of.register
def _nonsense(error: errors.Nonsense) -> Fault:
    words = _(
        "Something else answers at this address, not the service. Check it, and sign in to the network if it "
        "asks for that."
    )
    return Fault("url", words)


@fault_of.register
def _not_found(error: errors.NotFound) -> Fault:
    return Fault("url", _("There is no such service at this address. Leave out what follows the host."))


@fault_of.register
def _signed_out(error: errors.SignedOut) -> Fault:
    return Fault("token", _("The service does not accept this token. Copy it again, or make a new one."))


@fault_of.register
def _no_access(error: errors.NoAccess) -> Fault:
    return Fault("token", _("The service does not let the owner of this token in. Take another token."))


@fault_of.register
def _bad_token(error: errors.BadToken) -> Fault:
    return Fault("token", _("No token looks like this: {reason}.").format(reason=error.reason))


@fault_of.register
def _no_workspace(error: NoWorkspace) -> Fault:
    words = _("The owner of this token does not reach this workspace. Check its id, or ask for access.")
    return Fault("workspace_id", words)


@fault_of.register
def _name_taken(error: NameTaken) -> Fault:
    return Fault("name", _("Another connection has this name already. Choose another."))
