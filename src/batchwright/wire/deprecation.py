"""What an answer says about its endpoint being given up (wire reference, 1.3; RFC 8594 and 9745)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from batchwright.wire.timestamps import read_http_date


@dataclass(frozen=True)
class Deprecation:
    """The endpoint is not to be relied on; after `sunset`, where the service names one, it may be gone."""

    sunset: datetime | None = None


def read_deprecation(headers: Mapping[str, str]) -> Deprecation | None:
    """What the headers say, their names in lower case; None where the endpoint is here to stay.

    What `Deprecation` holds does not matter: its form has changed over the years, and no date is compared.
    """
    if not headers.get("deprecation", "").strip():
        return None
    return Deprecation(read_http_date(headers.get("sunset", "")))
