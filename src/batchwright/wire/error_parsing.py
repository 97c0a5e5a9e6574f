"""Parses every error response of a service, whatever its body, to one value (wire reference, section 2).

`wire.errors` is the counterpart that writes them. Queries of URLs are removed from all texts, since a service
may quote a pre-signed URL, whose signature is as secret as a token.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import islice

from pydantic import ValidationError

from batchwright.base.json_values import (
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    JsonObject,
    is_array,
    parse,
    to_json,
)
from batchwright.base.urls import redact_urls
from batchwright.wire.deprecation import Deprecation, read_deprecation
from batchwright.wire.errors import LAYOUT_REJECTED, LayoutIssue
from batchwright.wire.timestamps import read_http_date

RAW_LIMIT = 500
"""Maximum number of characters kept of a body, or of one message in it."""

_MAX_MESSAGES = 20

_MAX_JSON_BYTES = 8 << 20
"""Bytes of an error response that is parsed as JSON: enough for all items of a large layout."""
_MAX_SCANNED_CHARS = 4096
"""Bytes of a text that are examined: errors of storage are short, and of others only the start is shown."""

_LONGEST_WAIT_S = 3600.0
"""Seconds: a longer wait is taken for this one. It may be a time instead of a number of seconds."""

_STORAGE_MESSAGE = re.compile(r"<Error>.*?<Message>(.*?)</Message>", re.DOTALL)


class ErrorKind(Enum):
    """Kinds of error bodies."""

    GENERAL = auto()
    """JSON with messages, flat or in `error`."""
    LAYOUT = auto()
    """Invalid items of a layout, with their positions."""
    TEXT = auto()
    """Anything else: XML of storage, HTML of a proxy, arbitrary text."""
    EMPTY = auto()
    """An empty body."""


@dataclass(frozen=True)
class ServiceError:
    """A parsed error response."""

    status: int
    kind: ErrorKind
    messages: tuple[str, ...] = ()
    """Messages about the request as a whole."""
    field_messages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Messages by the field of the request that they concern."""
    issues: tuple[LayoutIssue, ...] = ()
    retry_after: float | None = None
    """Seconds after which the service asks to retry."""
    deprecation: Deprecation | None = None
    """Deprecation of the endpoint, from the headers."""
    raw: str = ""
    """The start of the body, as text."""

    @property
    def message(self) -> str:
        """All messages as one text; empty if there are none."""
        by_field = [f"{name}: {text}" for name, texts in self.field_messages.items() for text in texts]
        return " ".join([*self.messages, *by_field][:_MAX_MESSAGES]) or self.raw

    @property
    def is_feature_off(self) -> bool:
        """Whether a feature is not enabled for the workspace: there is no code for it, only a message text.

        Wire reference, section 2.4.
        """
        lower_case = self.message.lower()
        return "permission" in lower_case and "feature" in lower_case


def redacted_excerpt(text: str) -> str:
    """The start of a text of a service, without the queries of its URLs."""
    cut = redact_urls(text[: RAW_LIMIT * 4])
    return cut if len(cut) <= RAW_LIMIT else f"{cut[: RAW_LIMIT - 1]}…"


def read_error(status: int, body: bytes, headers: Mapping[str, str]) -> ServiceError:
    """Parse an error response; never raises.

    The status is not considered: a layout error is recognised by its body alone, and occurs with 400, 422 and
    even 200 (wire reference, section 2.3). Header names may be in any case.
    """
    text = body[:_MAX_SCANNED_CHARS].decode("utf-8-sig", errors="replace").strip()
    error = _read_json(status, _json(body)) or _read_text(status, text)
    lower_case_headers = {name.lower(): value for name, value in headers.items()}
    deprecation = read_deprecation(lower_case_headers)
    return replace(
        error,
        retry_after=_retry_after(lower_case_headers),
        deprecation=deprecation,
        raw=redacted_excerpt(text),
    )


def _json(body: bytes) -> Json:
    if len(body) > _MAX_JSON_BYTES:
        return None
    try:
        return parse(body, DEEPEST_WRAPPED)
    except InvalidJson:
        return None


def _read_json(status: int, body: Json) -> ServiceError | None:
    """Parse the forms of wire reference, section 2.2, in that order; None for any other JSON."""
    if not isinstance(body, Mapping):
        return None
    error = body.get("error")
    if isinstance(error, Mapping) and "detail" in error:
        return _general(status, error, "detail", "additional_information")
    if body.get("type") == LAYOUT_REJECTED:
        return _layout(status, body)
    if isinstance(error, Mapping):
        return _general(status, error, "message", "title")
    return _general(status, body, "error", "message", "detail")


def _general(status: int, body: JsonObject, *names: str) -> ServiceError | None:
    """Collect the messages under these keys, also by field; None if there are none."""
    by_field: dict[str, tuple[str, ...]] = {}
    messages: list[str] = []
    for value in (body[name] for name in names if name in body):
        if isinstance(value, Mapping):
            by_field.update({name: _first(inner) for name, inner in islice(value.items(), _MAX_MESSAGES)})
        else:
            messages.extend(text for text in _first(value) if text not in messages)
    if not messages and not by_field:
        return None
    return ServiceError(status, ErrorKind.GENERAL, tuple(messages), by_field)


def _layout(status: int, body: JsonObject) -> ServiceError:
    issues_json = body.get("issues")
    issues = tuple(map(_issue, issues_json)) if is_array(issues_json) else ()
    return ServiceError(status, ErrorKind.LAYOUT, tuple(_texts(body.get("message"))), issues=issues)


def _issue(issues_json: Json) -> LayoutIssue:
    try:
        issue = LayoutIssue.model_validate(issues_json)
    except ValidationError:
        return LayoutIssue(message=redacted_excerpt(to_json(issues_json)))
    return issue.model_copy(update={"message": redacted_excerpt(issue.message)})


def _first(value: Json) -> tuple[str, ...]:
    """The first messages, as many as are shown."""
    return tuple(islice(_texts(value), _MAX_MESSAGES))


def _texts(value: Json) -> Iterator[str]:
    """Yield the messages of a `detail` in any of its forms; other values as JSON text."""
    if isinstance(value, str):
        yield from [redacted_excerpt(value)] if value.strip() else []
    elif is_array(value):
        for inner in value:
            yield from _texts(inner)
    elif value is not None:
        yield redacted_excerpt(to_json(value))


def _read_text(status: int, text: str) -> ServiceError:
    if not text:
        return ServiceError(status, ErrorKind.EMPTY)
    message = _STORAGE_MESSAGE.search(text)
    return ServiceError(
        status,
        ErrorKind.TEXT,
        (redacted_excerpt(message[1].strip()),) if message else (),
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds in `Retry-After`, at most an hour: a number, or a date, relative to the `Date` header."""
    header_value = headers.get("retry-after", "").strip()
    if header_value.isdecimal() and header_value.isascii():
        return min(float(header_value), _LONGEST_WAIT_S)
    until, now = read_http_date(header_value), read_http_date(headers.get("date", ""))
    if until is None or now is None:
        return None
    return min(max(0.0, (until - now).total_seconds()), _LONGEST_WAIT_S)
