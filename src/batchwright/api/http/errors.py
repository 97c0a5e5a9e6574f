"""Errors of the API client, grouped by what a caller can do about them.

    ApiError
      Unreachable             no response: no network, no server, interrupted, or timed out
        CertificateUntrusted  the server's certificate is not trusted
        ProxyRefused          the proxy of the network rejects the connection
        ClientClosed          the client was closed: its token was removed or replaced
      OutcomeUnknown          the response to a request that changes something was lost: check first
      ErrorResponse           the service responded with an error; it is in `response`
        Unauthorized          the token was not accepted (401)
        Forbidden             the owner of the token has no access (403)
        FeatureOff            the feature is not enabled for the workspace
        NotFound              the resource does not exist (404, or 400 as in wire reference, section 2.4)
          Gone                a deprecated endpoint was removed (404 or 410, wire reference, section 9)
        Conflict              another job is running for the resource; retry later (409)
        RateLimited           too many requests; wait (429)
        BadRequest            the request is invalid (400 and others)
          LayoutRejected      the layout is invalid; `issues` has the items (422)
        ServerError           the service failed (5xx)
      PresignedUrlExpired     storage no longer accepts a pre-signed URL (403)
      UnexpectedResponse      not a response of the service: a sign-in page, a redirect
        BeyondLimits          a response is too large, decompresses to too much, or is too slow (`api.limits`)
      UntrustedNews           the news about the latest version is not signed with the key of this copy
      FileChanged             a file changed while it was being sent
      AnswersRejected         a participant page rejects answers; `problems` has its messages
      ConfigurationError      nothing was sent: the connection is not configured correctly
        BadAddress            a URL that is not used: not https, or not a URL
          PrivateAddress      a URL in a private network, in content of unknown origin
        BadToken              a token that cannot be sent in a header
        BadCertificates       a file of certificates that cannot be read
        BadProxy              a proxy setting of this computer that cannot be used
        NotAllowed            a service or workspace other than the one that the policy locks

No error contains a token, a header, or the query of a pre-signed URL, and none is chained to an error of the
HTTP library, whose frames contain all three.
"""

from collections.abc import Sequence

from batchwright.base.i18n import _
from batchwright.wire.error_parsing import ServiceError
from batchwright.wire.errors import LayoutIssue


class ApiError(Exception):
    """Base class of all errors of the API client.

    `call` is the request without its query, such as `GET /api/v1/users/me/`.
    """

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(f"{call}: {reason}")
        self.call = call
        self.reason = reason


class Unreachable(ApiError):
    """No response was received. `arrived` is whether the request may have reached the service anyway."""

    def __init__(self, call: str, reason: str, *, arrived: bool) -> None:
        super().__init__(call, reason)
        self.arrived = arrived


class CertificateUntrusted(Unreachable):
    """The server's certificate is not trusted. Nothing was sent."""

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(call, reason, arrived=False)


class ProxyRefused(Unreachable):
    """The proxy of the network rejected the connection, for example because it requires signing in."""

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(call, reason, arrived=False)


class ClientClosed(Unreachable):
    """The client was closed because its token was removed or replaced. Nothing was sent."""

    def __init__(self, call: str) -> None:
        super().__init__(call, _("the connection was closed here"), arrived=False)


class OutcomeUnknown(ApiError):
    """A request that changes something was sent, and `lost` does not show whether it was carried out."""

    def __init__(self, call: str, lost: ApiError) -> None:
        super().__init__(call, lost.reason)
        self.lost = lost


class ErrorResponse(ApiError):
    """The service responded with an error: `status` is the HTTP status, `response` the parsed body."""

    def __init__(self, call: str, response: ServiceError) -> None:
        super().__init__(call, f"{response.status} {response.message}".strip())
        self.status = response.status
        self.response = response


class Unauthorized(ErrorResponse):
    """The token was not accepted (401)."""


class Forbidden(ErrorResponse):
    """The token's owner has no access to the workspace (403)."""


class FeatureOff(ErrorResponse):
    """The feature is not enabled for the workspace (wire reference, section 2.4)."""


class NotFound(ErrorResponse):
    """The resource does not exist or is not visible to this token; `target` is its name, if known."""

    def __init__(self, call: str, response: ServiceError, target: str = "") -> None:
        super().__init__(call, response)
        self.target = target


class Gone(NotFound):
    """A deprecated endpoint no longer exists (wire reference, section 9)."""


class Conflict(ErrorResponse):
    """An import or a migration is running; the same request succeeds after its end (409)."""


class RateLimited(ErrorResponse):
    """Too many requests (429); `response.retry_after` is the requested wait in seconds, if there was one."""


class BadRequest(ErrorResponse):
    """The request is invalid (400 and others); `response` says why."""


class LayoutRejected(BadRequest):
    """The layout is invalid (422); `issues` has each invalid item, from 0 (wire reference, section 2.3)."""

    @property
    def issues(self) -> Sequence[LayoutIssue]:
        """The invalid items, in the order of the response."""
        return self.response.issues


class ServerError(ErrorResponse):
    """The service failed (5xx); `response.retry_after` is the requested wait in seconds, if there was one."""


class PresignedUrlExpired(ApiError):
    """Storage no longer accepts a pre-signed URL (specification, Errors: 403 Access Denied)."""


class UnexpectedResponse(ApiError):
    """The response is not one of the service: from a captive portal, a broken proxy, or incomplete."""


class BeyondLimits(UnexpectedResponse):
    """A response exceeds a limit: it is too large, decompresses to too much data, or is too slow."""


class UntrustedNews(ApiError):
    """The news about the latest version is not signed with the key of this copy; nothing of it was used."""


class FileChanged(ApiError):
    """A file changed while it was being sent, so what was sent is neither the old nor the new version."""


class AnswersRejected(ApiError):
    """A participant page rejected the answers; `problems` are the messages that it shows."""

    def __init__(self, call: str, problems: Sequence[str]) -> None:
        super().__init__(call, " ".join(problems))
        self.problems = tuple(problems)


class ConfigurationError(ApiError):
    """Nothing was sent because the connection is not configured correctly."""


class BadAddress(ConfigurationError):
    """A URL that is not used: not https (http is allowed for this computer only), or not a URL."""


class PrivateAddress(BadAddress):
    """A URL of this computer or of a private network, which content of unknown origin may not name."""


class BadToken(ConfigurationError):
    """A token that cannot be sent in a header: empty, or with invalid characters."""


class BadCertificates(ConfigurationError):
    """A file of certificates cannot be read.

    `is_own` is true for the file of the connection itself, false for the one named by `SSL_CERT_FILE`.
    """

    def __init__(self, call: str, reason: str, *, is_own: bool) -> None:
        super().__init__(call, reason)
        self.is_own = is_own


class BadProxy(ConfigurationError):
    """The proxy setting of this computer is not a URL of a proxy, or names an unsupported kind of proxy."""


class NotAllowed(ConfigurationError):
    """The policy of this computer locks another service or workspace."""
