"""Pre-signed URLs: whoever has one may send one kind of request to one path, until it expires.

The signature covers method, path and the query up to the signature, and is compared byte for byte. The
query always contains a percent-encoded slash, plus and equals sign, so that a client which re-encodes
URLs fails here and not first with the hosted service.
"""

import base64
import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs, quote

_SCOPE = quote("local/storage+signed=1", safe="")
_SIGNATURE = "&X-Batchwright-Signature="


class AccessDenied(Exception):
    """A URL was altered, was signed for another request, or has expired."""


@dataclass(frozen=True)
class PresignedUrl:
    """A pre-signed URL, relative to the base URL, and when it expires (milliseconds since 1970)."""

    target: str
    expires_at: int


@dataclass(frozen=True)
class Signer:
    """Signs URLs with the key of the data folder, and checks them."""

    key: bytes
    clock: Callable[[], int]

    def sign(self, method: str, path: str, lifetime: int) -> PresignedUrl:
        """A URL for one method and path, valid for `lifetime` milliseconds.

        `path` is percent-encoded. No header is signed: an upload needs only `upload_url` and `http_method`
        (specification, Datasets rule 2).
        """
        expires_at = self.clock() + lifetime
        query = f"X-Batchwright-Credential={_SCOPE}&X-Batchwright-Expires={expires_at}"
        signature = self._signature(method, path, query)
        return PresignedUrl(f"{path}?{query}{_SIGNATURE}{signature}", expires_at)

    def check(self, method: str, path: bytes, query: bytes) -> None:
        """Reject a request that its URL does not allow.

        `path` and `query` are the raw bytes of the request line.

        Raises:
            AccessDenied: altered, for another method or path, or expired.
        """
        signed, separator, signature = query.decode("latin-1").partition(_SIGNATURE)
        expected = self._signature(method, path.decode("latin-1"), signed)
        if not separator or not hmac.compare_digest(signature.encode("latin-1"), expected.encode()):
            raise AccessDenied("The signature does not match the request")
        if self.clock() >= int(parse_qs(signed)["X-Batchwright-Expires"][0]):
            raise AccessDenied("Request has expired")

    def _signature(self, method: str, path: str, query: str) -> str:
        text = f"{method}\n{path}\n{query}".encode("latin-1")
        digest = hmac.new(self.key, text, hashlib.sha256).digest()
        return quote(base64.b64encode(digest).decode(), safe="")
