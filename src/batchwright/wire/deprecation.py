"""Deprecation of an endpoint, from response headers (wire reference, 1.3; RFC 8594 and 9745)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from batchwright.wire.timestamps import read_http_date


@dataclass(frozen=True)
class Deprecation:
    """The endpoint is deprecated; after `sunset`, if the service sends one, it may be removed."""

    sunset: datetime | None = None


def read_deprecation(headers: Mapping[str, str]) -> Deprecation | None:
    """Parse the deprecation headers, whose names are in lower case; None if the endpoint is not deprecated.

    The value of `Deprecation` is ignored: its format has changed over the years, and no date is compared with
    the clock. That an endpoint has ended is known from a 404 or 410.
    """
    if not headers.get("deprecation", "").strip():
        return None
    return Deprecation(read_http_date(headers.get("sunset", "")))
