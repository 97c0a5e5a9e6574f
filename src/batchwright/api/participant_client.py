"""Takes part in a study like a browser: starts a submission and answers its pages, one after another.

Requests carry neither a token nor a cookie; the participant is identified by a participant id. Only
participant pages of the service on this computer are used. Posting a page twice stores it once, so every
request may be repeated. Connections are reused here, unlike everywhere else, because they do not leave this
computer.
"""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from html.parser import HTMLParser
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import parse_qs, urlsplit

from batchwright.api.http.errors import AnswersRejected, UnexpectedResponse
from batchwright.api.http.http_client import open_client, send_request
from batchwright.api.http.response_parsing import RawResponse, error_from_response, redirect_location
from batchwright.api.http.retry import RetryPolicy
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, JsonObject, parse


@dataclass(frozen=True)
class ParticipantPage:
    """The machine-readable content of a participant page.

    `state` is `<main data-state>`, `data` the JSON of `<script id="page-data">`, `problems` the messages
    about rejected answers.
    """

    state: str = ""
    data: Json = None
    problems: tuple[str, ...] = ()


def read_page(html: str) -> ParticipantPage:
    """Parse a participant page; the result is empty if it is not one."""
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
    except AssertionError:  # Python's parser raises this for declarations that it does not know
        return ParticipantPage()
    try:
        data = parse("".join(reader.data)) if reader.data else None
    except InvalidJson:
        data = None
    return ParticipantPage(reader.state, data, tuple("".join(error).strip() for error in reader.problems))


class _Reader(HTMLParser):
    """Collects the text of the elements that are parsed."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ""
        self.data: list[str] = []
        self.problems: list[list[str]] = []
        self._text: list[str] | None = None
        self._is_in_problems = False

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "main":
            self.state = attributes.get("data-state") or ""
        elif tag == "script" and attributes.get("id") == "page-data":
            self._text = self.data
        elif attributes.get("id") == "faults":
            self._is_in_problems = True
        elif tag == "form":
            self._is_in_problems = False
        elif tag == "li" and self._is_in_problems:
            self.problems.append([])
            self._text = self.problems[-1]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "li"):
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)


_MAX_REDIRECTS = 5

_FormPart = tuple[str, tuple[str | None, bytes, str | None]]
"""A part of a multipart form: field name, then file name, content and media type."""


class UploadFile(Protocol):
    """A file that a participant uploads; the random files of `layout.answers` match this protocol."""

    @property
    def name(self) -> str:
        """The file name, with its extension."""

    @property
    def content_type(self) -> str:
        """The media type."""

    @property
    def content(self) -> bytes:
        """The content in bytes."""


@dataclass(frozen=True)
class OpenPage:
    """A question page that a participant has reached; `step` counts from 0 to `steps`.

    `record` is a digest of the datapoint shown, None on pages without one.
    """

    address: str
    submission_id: str
    task_id: str | None
    record: str | None
    step: int
    steps: int
    page: int
    """Index of the page in the layout, from 0."""
    instructions: tuple[JsonObject, ...]
    content: str | None = None
    """A digest of what participants may see of the datapoint: that of a repeated one is the same."""
    set_size: int = 0
    """The number of items in the datapoint if it is a set for best–worst scaling; otherwise 0."""


@dataclass(frozen=True)
class SubmissionFinished:
    """The last page of a submission has been stored."""


class NoPage(Enum):
    """Reason why there is no page to answer."""

    NOTHING_LEFT = "nothing-left"
    """This participant has answered everything that one person may answer."""
    FULL = "full"
    """Every task group has as many annotators as it is assigned to."""


class ParticipantClient:
    """A browser without a window, for any number of participants. Use it in `async with`."""

    def __init__(self, retry_policy: RetryPolicy | None = None, trust: ssl.SSLContext | None = None) -> None:
        self._retry_policy = retry_policy or RetryPolicy()
        trust = trust or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._client = open_client(trust, is_local=True, reuses_connections=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def start(self, link: str, participant: str) -> OpenPage | NoPage:
        """Start or resume the submission of a participant.

        Args:
            link: the participation link from the service, with its key.
            participant: 24 hexadecimal digits.

        Raises:
            ApiError: the page could not be fetched; `NotFound` if the link is invalid.
        """
        url_parts = urlsplit(link)
        keys = parse_qs(url_parts.query).get("key", [""])
        address = f"{url_parts.scheme}://{url_parts.netloc}{url_parts.path}/start"
        page = await self._post(address, [("key", keys[0]), ("participant", participant)], [])
        if isinstance(page, SubmissionFinished):
            raise UnexpectedResponse(
                f"POST {url_parts.path}/start", _("the submission ends before it starts")
            )
        return page

    async def answer(
        self, step: OpenPage, fields: Sequence[tuple[str, str]], files: Sequence[tuple[str, UploadFile]] = ()
    ) -> OpenPage | SubmissionFinished:
        """Submit the answers of a page, and return the next page or the end.

        Args:
            step: the page.
            fields: the form fields, from `layout.form_encoding.to_form`.
            files: the files, from `layout.form_encoding.files_of`.

        Raises:
            AnswersRejected: the page was shown again with messages about the answers.
            ApiError: the next page could not be fetched.
        """
        page = await self._post(
            step.address, [("step", str(step.step)), ("page", str(step.page)), *fields], files
        )
        if isinstance(page, NoPage):
            raise UnexpectedResponse(f"POST {urlsplit(step.address).path}", _("the page has no next page"))
        return page

    async def _post(
        self, address: str, fields: Sequence[tuple[str, str]], files: Sequence[tuple[str, UploadFile]]
    ) -> OpenPage | SubmissionFinished | NoPage:
        # Files come after the fields in the form: the service needs the fields first.
        form_parts: list[_FormPart] = [(name, (None, value.encode(), None)) for name, value in fields]
        form_parts += [(name, (file.name, file.content, file.content_type)) for name, file in files]

        async def attempt() -> OpenPage | SubmissionFinished | NoPage:
            url, response = address, await self._request("POST", address, form_parts)
            for _redirect in range(_MAX_REDIRECTS):
                if response.status != 303:
                    break
                url = _redirect_target(url, response)
                response = await self._request("GET", url, None)
            return _parse_page(url, response)

        return await self._retry_policy.run(attempt, repeatable=True)

    async def _request(self, method: str, address: str, form_parts: list[_FormPart] | None) -> RawResponse:
        request = self._client.build_request(method, address, files=form_parts)
        return await send_request(self._client, request, _call(method, address))


def _redirect_target(url: str, response: RawResponse) -> str:
    """The URL that a page redirects to; it must be on the same server."""
    target = redirect_location(_call("GET", url), url, response)
    current, redirected = urlsplit(url), urlsplit(target)
    if (current.scheme, current.netloc) != (redirected.scheme, redirected.netloc):
        raise UnexpectedResponse(_call("GET", url), _("the page redirects to another server"))
    return target


def _parse_page(url: str, response: RawResponse) -> OpenPage | SubmissionFinished | NoPage:
    """Convert a participant page to the value it represents."""
    call = _call("GET", url)
    page = read_page(response.body.decode(errors="replace"))
    if response.status == 422 and page.problems:
        raise AnswersRejected(call, page.problems)
    if not response.is_good:
        raise error_from_response(call, RawResponse(response.status, response.headers, b""))
    match page.state:
        case "page":
            return _parse_open_page(call, url, page)
        case "finished":
            return SubmissionFinished()
        case "nothing-left" | "full":
            return NoPage(page.state)
    raise UnexpectedResponse(call, _("not a participant page"))


def _parse_open_page(call: str, url: str, page: ParticipantPage) -> OpenPage:
    match page.data:
        case {
            "submission_id": str(submission_id),
            "task_id": str() | None as task_id,
            "record": str() | None as record,
            "step": int(step),
            "steps": int(steps),
            "page": int(number),
            "instructions": [*instructions],
            **more,
        }:
            items = tuple(item for item in instructions if isinstance(item, dict))
            content, size = more.get("content"), more.get("set_size")
            return OpenPage(
                url,
                submission_id,
                task_id,
                record,
                step,
                steps,
                number,
                items,
                content if isinstance(content, str) else None,
                size if isinstance(size, int) else 0,
            )
    raise UnexpectedResponse(call, _("the page data is missing or invalid"))


def _call(method: str, address: str) -> str:
    return f"{method} {urlsplit(address).path}"
