"""What can go wrong between this program and a service, named for what one can do about it.

    ApiError
      Unreachable             no answer came: no network, nobody there, cut off, or too slow
        CertificateUntrusted  the other side's certificate is not trusted
        ProxyRefused          the network's proxy refuses to pass anything on
        ClientClosed          the connection was ended here: its token was forgotten or replaced
      OutcomeUnknown          a request that makes something went out, its answer was lost: look first
      ErrorResponse           the service answered, and not with yes; `said` holds what it said
        Unauthorized          the token was not accepted (401)
        Forbidden             the token's owner may not (403)
        FeatureOff            the workspace does not have the feature
        NotFound              there is no such thing (404, or what section 2.4 calls by 400)
          Gone                the service has given up what was deprecated (404 or 410, section 9)
        Conflict              something else is running there; it works later (409)
        RateLimited           too many requests; wait (429)
        BadRequest            the request is at fault (400 and others)
          LayoutRejected      the layout is at fault; `issues` holds the places (422)
        ServerError           the service failed (5xx)
      PresignedUrlExpired     a pre-signed address is not accepted any more (403 from storage)
      UnexpectedResponse      not a response of the service: a sign-in page, a redirect
        BeyondLimits          an answer is too large, unpacks too far, or comes too slowly (`api.limits`)
      FileChanged             a file changed while it was being sent
      AnswersRejected         a participant page does not accept what was answered; `faults` says why
      ConfigurationError      nothing was sent: the connection itself is not set up rightly
        BadAddress            an address that nothing is sent to: no https, or none at all
        BadToken              a token that no header can hold
        BadCertificates       a file of certificates that cannot be read
        BadProxy              a proxy setting of this computer that nothing can be sent by

No error holds a token, a header, or the query of a pre-signed address, and none is chained to an error of the
HTTP library, whose frames hold all three.
"""

from collections.abc import Sequence

from batchwright.base.i18n import _
from batchwright.wire.error_parsing import ServiceError
from batchwright.wire.errors import LayoutIssue


class ApiError(Exception):
    """The root: something between this program and a service went wrong.

    `call` names the request without its query, such as `GET /api/v1/users/me/`.
    """

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(f"{call}: {reason}")
        self.call = call
        self.reason = reason


class Unreachable(ApiError):
    """No answer came. `arrived` says whether the request may have reached the service all the same."""

    def __init__(self, call: str, reason: str, *, arrived: bool) -> None:
        super().__init__(call, reason)
        self.arrived = arrived


class CertificateUntrusted(Unreachable):
    """The server's certificate is not trusted, so that nothing was sent."""

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(call, reason, arrived=False)


class ProxyRefused(Unreachable):
    """The proxy of the network refused to pass the request on, as it does to who is not signed in there."""

    def __init__(self, call: str, reason: str) -> None:
        super().__init__(call, reason, arrived=False)


class ClientClosed(Unreachable):
    """The connection was ended here, because its token was forgotten or replaced; nothing was sent."""

    def __init__(self, call: str) -> None:
        super().__init__(call, _("the connection was closed here"), arrived=False)


class OutcomeUnknown(ApiError):
    """A request that makes something went out; what came back, `lost`, does not say whether it was made."""

    def __init__(self, call: str, lost: ApiError) -> None:
        super().__init__(call, lost.reason)
        self.lost = lost


class ErrorResponse(ApiError):
    """The service answered, and not with yes: `status` and `said` are its answer."""

    def __init__(self, call: str, said: ServiceError) -> None:
        super().__init__(call, f"{said.status} {said.message}".strip())
        self.status = said.status
        self.response = said


class Unauthorized(ErrorResponse):
    """The token was not accepted (401)."""


class Forbidden(ErrorResponse):
    """The token's owner has no access to the workspace (403)."""


class FeatureOff(ErrorResponse):
    """The workspace does not have the feature (wire reference, 2.4)."""


class NotFound(ErrorResponse):
    """There is no such thing for this token; `sought` names what was looked for, as far as it is known."""

    def __init__(self, call: str, said: ServiceError, sought: str = "") -> None:
        super().__init__(call, said)
        self.target = sought


class Gone(NotFound):
    """The service does not offer this any more: a deprecated endpoint after its sunset.

    Wire reference, section 9.
    """


class Conflict(ErrorResponse):
    """An import or a migration is running; the same request works when it has ended (409)."""


class RateLimited(ErrorResponse):
    """Too many requests (429); `said.retry_after` is the wait asked for, where the service named one."""


class BadRequest(ErrorResponse):
    """The request is at fault (400 and others): `said` tells what to change."""


class LayoutRejected(BadRequest):
    """The layout is at fault (422): `issues` holds every place, counted from zero (wire reference, 2.3)."""

    @property
    def issues(self) -> Sequence[LayoutIssue]:
        """The items at fault, in the order of the answer."""
        return self.response.issues


class ServerError(ErrorResponse):
    """The service failed (5xx); `said.retry_after` is the wait asked for, where the service named one."""


class PresignedUrlExpired(ApiError):
    """A pre-signed address is not accepted any more (specification, Errors: 403 Access Denied)."""


class UnexpectedResponse(ApiError):
    """Something answered that is no service: a captive portal, a broken proxy, half an answer."""


class BeyondLimits(UnexpectedResponse):
    """An answer costs more than an answer may: it is too large, unpacks too far, or comes too slowly."""


class FileChanged(ApiError):
    """A file changed while it was being sent, so that what arrived is neither the old nor the new one."""


class AnswersRejected(ApiError):
    """A participant page does not accept what was answered: `faults` are the sentences that it shows."""

    def __init__(self, call: str, faults: Sequence[str]) -> None:
        super().__init__(call, " ".join(faults))
        self.problems = tuple(faults)


class ConfigurationError(ApiError):
    """Nothing was sent, because the connection itself is not set up rightly."""


class BadAddress(ConfigurationError):
    """An address that nothing is sent to: no https (http only to this computer), or no address at all."""


class BadToken(ConfigurationError):
    """A token that no header can hold: empty, or with characters that no token has."""


class BadCertificates(ConfigurationError):
    """A file of certificates cannot be read: one of the connection's own, or the one of `SSL_CERT_FILE`."""

    def __init__(self, call: str, reason: str, *, is_own: bool) -> None:
        super().__init__(call, reason)
        self.is_own = is_own


class BadProxy(ConfigurationError):
    """A proxy setting of this computer is no address of a proxy, or of one that is not spoken to."""
