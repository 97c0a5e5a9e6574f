"""Messages for errors between this program and a service.

Below them, `field_error_for` assigns an error of an account check to the input field that caused it: URL,
token, workspace or name.
"""

from functools import singledispatch
from math import ceil

from batchwright.api.http import errors
from batchwright.base.i18n import _, ngettext
from batchwright.local.connections import DuplicateName, FieldError
from batchwright.workflows.check_account import WorkspaceNotAccessible
from batchwright.workflows.messages.message import Message, describe, register

_SHOWN_ISSUES = 20
"""How many problems of a rejected layout a message lists; the window shows all of them."""


@register
def _unreachable(error: errors.Unreachable) -> Message:
    return Message(
        _("The service did not respond ({call}: {reason}).").format(call=error.call, reason=error.reason),
        _("Check the network and the URL of the service, then try again."),
    )


@register
def _untrusted(error: errors.CertificateUntrusted) -> Message:
    return Message(
        _("The certificate of the service is not trusted ({call}).").format(call=error.call),
        _(
            "If this network requires signing in, do that in a browser first. Otherwise check the "
            "URL, or add your organisation's certificates to the connection."
        ),
    )


@register
def _proxy_refused(error: errors.ProxyRefused) -> Message:
    return Message(
        _("The proxy of this network rejected the request ({call}).").format(call=error.call),
        _(
            "Sign in to the proxy: check its URL, user name and password in Settings, or in the settings of "
            "this computer."
        ),
    )


@register
def _outcome_unknown(error: errors.OutcomeUnknown) -> Message:
    return Message(
        _("The response to {call} was lost, so it is not known whether it was carried out.").format(
            call=error.call
        ),
        _("Check whether it exists before you try again."),
    )


@register
def _rejected(error: errors.ErrorResponse) -> Message:
    return Message(
        _("The service rejected {call}: {message}").format(call=error.call, message=error.response.message),
        _("Change what the service names, then try again."),
    )


@register
def _signed_out(_error: errors.Unauthorized) -> Message:
    return Message(_("The token was not accepted."), _("Enter a token that is valid for this service."))


@register
def _no_access(error: errors.Forbidden) -> Message:
    return Message(
        _("This token has no access to the workspace ({call}).").format(call=error.call),
        _("Check the workspace id, or ask the owner of the workspace for access."),
    )


@register
def _feature_off(error: errors.FeatureOff) -> Message:
    return Message(
        _("The workspace does not have this feature ({call}).").format(call=error.call),
        _("Ask the provider to switch it on, or use another workspace."),
    )


@register
def _not_found(error: errors.NotFound) -> Message:
    missing = _("There is no {target} for this token.").format(target=error.target)
    return Message(
        missing if error.target else _("Nothing was found at {call} for this token.").format(call=error.call),
        _("Check the id, the workspace and the connection."),
    )


@register
def _gone(error: errors.Gone) -> Message:
    return Message(
        _("The service no longer offers this: {target}.").format(target=error.target or error.call),
        _("Ask the questions in a layout (batch_items) instead, in a new batch."),
    )


@register
def _conflict(error: errors.Conflict) -> Message:
    return Message(
        _("Another operation is still running there: {message}").format(message=error.response.message),
        _("Wait until it has finished, then try again."),
    )


@register
def _busy(error: errors.RateLimited) -> Message:
    minutes = max(1, ceil((error.response.retry_after or 0) / 60))
    wait = ngettext("Wait a minute, then try again.", "Wait {count} minutes, then try again.", minutes)
    return Message(_("The service has too many requests at the moment."), wait.format(count=minutes))


@register
def _layout_rejected(error: errors.LayoutRejected) -> Message:
    lines = [f"{issue.place.label}: {issue.message}" for issue in error.issues[:_SHOWN_ISSUES]]
    remaining = len(error.issues) - len(lines)
    lines += (
        [ngettext("and {count} more", "and {count} more", remaining).format(count=remaining)]
        if remaining
        else []
    )
    return Message(
        _("The service rejected the layout.\n{places}").format(places="\n".join(lines)),
        _("Change these items."),
    )


@register
def _server_error(error: errors.ServerError) -> Message:
    return Message(
        _("The service failed at {call} (status {status}).").format(call=error.call, status=error.status),
        _("The problem is on the service's side. Try again later."),
    )


@register
def _expired(_error: errors.PresignedUrlExpired) -> Message:
    return Message(
        _("The URL of the file has expired."),
        _("Try again: a new URL is requested each time."),
    )


@register
def _unexpected_response(error: errors.UnexpectedResponse) -> Message:
    return Message(
        _("The response did not come from the service ({call}: {reason}).").format(
            call=error.call, reason=error.reason
        ),
        _("Sign in to the network if it requires that, and check the URL of the service."),
    )


@register
def _untrusted_news(error: errors.UntrustedNews) -> Message:
    return Message(
        _("The news about the latest version is not shown: {reason}.").format(reason=error.reason),
        _("Try again later. If this does not change, ask whoever provides your copy of Batchwright."),
    )


@register
def _beyond_limits(error: errors.BeyondLimits) -> Message:
    return Message(
        _("The response was rejected ({call}: {reason}).").format(call=error.call, reason=error.reason),
        _("Check the URL of the service and the network, then try again."),
    )


@register
def _file_changed(_error: errors.FileChanged) -> Message:
    return Message(
        _("The file changed while it was being sent."),
        _("Wait until nothing writes to it, then send it again."),
    )


@register
def _misconfigured(error: errors.ConfigurationError) -> Message:
    return Message(
        _("Nothing was sent: {call}: {reason}").format(call=error.call, reason=error.reason),
        _("Change the connection, then try again."),
    )


@register
def _not_allowed(error: errors.NotAllowed) -> Message:
    return Message(
        _("Nothing was sent. {reason}.").format(reason=error.reason),
        _("Change the connection, or work on this computer."),
    )


@register
def _bad_certificates(error: errors.BadCertificates) -> Message:
    return Message(
        _("Nothing was sent: {call} cannot be read: {reason}").format(call=error.call, reason=error.reason),
        _("Choose another file for the connection, or none.")
        if error.is_own
        else _("Fix that setting, or remove it. An environment variable takes effect after a restart."),
    )


@register
def _bad_proxy(error: errors.BadProxy) -> Message:
    return Message(
        _("Nothing was sent: {call}: {reason}").format(call=error.call, reason=error.reason),
        _(
            "Fix it in the settings of this computer (HTTPS_PROXY or ALL_PROXY; a SOCKS proxy is written "
            "socks5://...) and restart Batchwright, or enter a proxy in Settings."
        ),
    )


@register
def _answers_rejected(error: errors.AnswersRejected) -> Message:
    return Message(
        _("A participant page rejected a simulated answer: {text}").format(text=error),
        _("Please report this to the developers of Batchwright."),
        is_bug=True,
    )


@singledispatch
def field_error_for(error: Exception) -> FieldError:
    """The error to show for a failed account check; it may belong to no single field."""
    return FieldError("", str(describe(error)))


@field_error_for.register
def _url_unusable(error: errors.BadAddress) -> FieldError:
    text = _(
        "This URL cannot be used: {reason}. Start it with https://, or with http://localhost for "
        "this computer."
    )
    return FieldError("url", text.format(reason=error.reason))


@field_error_for.register
def _url_unreachable(error: errors.Unreachable) -> FieldError:
    text = _("Nothing responds at this URL: {reason}. Check the URL and the network.")
    return FieldError("url", text.format(reason=error.reason))


@field_error_for.register
def _url_untrusted(_error: errors.CertificateUntrusted) -> FieldError:
    text = _(
        "The server's certificate is not trusted. Check the URL. If your organisation has its "
        "own certificates, choose their file below."
    )
    return FieldError("url", text, is_about_trust=True)


@field_error_for.register
def _certificates_unreadable(error: errors.BadCertificates) -> FieldError:
    if not error.is_own:
        return FieldError("", str(describe(error)))
    text = _("The certificates cannot be read: {reason}. Choose a file in PEM format.")
    return FieldError("certificates", text.format(reason=error.reason), is_about_trust=True)


@field_error_for.register
def _url_of_something_else(_error: errors.UnexpectedResponse) -> FieldError:
    text = _(
        "Something other than the service responds at this URL. Check it, and sign in to the "
        "network if it asks for that."
    )
    return FieldError("url", text)


@field_error_for.register
def _url_not_found(_error: errors.NotFound) -> FieldError:
    return FieldError("url", _("The service was not found at this URL. Leave out everything after the host."))


@field_error_for.register
def _token_rejected(_error: errors.Unauthorized) -> FieldError:
    return FieldError(
        "token", _("The service does not accept this token. Copy it again, or create a new one.")
    )


@field_error_for.register
def _token_without_access(_error: errors.Forbidden) -> FieldError:
    return FieldError("token", _("The owner of this token has no access to the service. Use another token."))


@field_error_for.register
def _token_invalid(error: errors.BadToken) -> FieldError:
    return FieldError("token", _("Not a valid token: {reason}.").format(reason=error.reason))


@field_error_for.register
def _workspace_inaccessible(_error: WorkspaceNotAccessible) -> FieldError:
    text = _("The owner of this token has no access to this workspace. Check its id, or ask for access.")
    return FieldError("workspace_id", text)


@field_error_for.register
def _name_taken(_error: DuplicateName) -> FieldError:
    return FieldError("name", _("Another connection already has this name. Choose another."))
