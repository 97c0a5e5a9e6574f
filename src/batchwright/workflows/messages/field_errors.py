"""Assigns an error of the account check to the input field that caused it: address, token or workspace."""

from functools import singledispatch

from batchwright.api import errors
from batchwright.base.i18n import _
from batchwright.local.connections import DuplicateName, FieldError
from batchwright.workflows.check_account import WorkspaceNotAccessible
from batchwright.workflows.messages import describe


@singledispatch
def field_error_for(error: Exception) -> FieldError:
    """The error to show for a failed account check; it may belong to no single field."""
    return FieldError("", str(describe(error)))


@field_error_for.register
def _bad_address(error: errors.BadAddress) -> FieldError:
    text = _(
        "This URL cannot be used: {reason}. Start it with https://, or with http://localhost for "
        "this computer."
    )
    return FieldError("url", text.format(reason=error.reason))


@field_error_for.register
def _unreachable(error: errors.Unreachable) -> FieldError:
    text = _("Nothing responds at this URL: {reason}. Check the URL and the network.")
    return FieldError("url", text.format(reason=error.reason))


@field_error_for.register
def _untrusted(error: errors.CertificateUntrusted) -> FieldError:
    text = _(
        "The server's certificate is not trusted. Check the URL. If your organisation has its "
        "own certificates, choose their file below."
    )
    return FieldError("url", text, is_about_trust=True)


@field_error_for.register
def _bad_certificates(error: errors.BadCertificates) -> FieldError:
    if not error.is_own:
        return FieldError("", str(describe(error)))
    text = _("The certificates cannot be read: {reason}. Choose a file in PEM format.")
    return FieldError("certificates", text.format(reason=error.reason), is_about_trust=True)


@field_error_for.register
def _not_the_service(error: errors.UnexpectedResponse) -> FieldError:
    text = _(
        "Something other than the service responds at this URL. Check it, and sign in to the "
        "network if it asks for that."
    )
    return FieldError("url", text)


@field_error_for.register
def _not_found(error: errors.NotFound) -> FieldError:
    return FieldError("url", _("The service was not found at this URL. Leave out everything after the host."))


@field_error_for.register
def _signed_out(error: errors.Unauthorized) -> FieldError:
    return FieldError(
        "token", _("The service does not accept this token. Copy it again, or create a new one.")
    )


@field_error_for.register
def _no_access(error: errors.Forbidden) -> FieldError:
    return FieldError("token", _("The owner of this token has no access to the service. Use another token."))


@field_error_for.register
def _bad_token(error: errors.BadToken) -> FieldError:
    return FieldError("token", _("Not a valid token: {reason}.").format(reason=error.reason))


@field_error_for.register
def _no_workspace(error: WorkspaceNotAccessible) -> FieldError:
    text = _("The owner of this token has no access to this workspace. Check its id, or ask for access.")
    return FieldError("workspace_id", text)


@field_error_for.register
def _name_taken(error: DuplicateName) -> FieldError:
    return FieldError("name", _("Another connection already has this name. Choose another."))
