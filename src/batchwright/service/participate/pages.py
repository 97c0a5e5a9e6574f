"""Participant pages as HTML answers: templates, the headers that keep them safe, the data in them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_valid_unicode
from batchwright.base.resources import resource
from batchwright.layout.pages.page import PageView, errors_heading
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.script_texts import browser_texts

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' https:; media-src 'self' https:;"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""On every participant page: nothing runs, loads or sends but what the service itself gave (design 6)."""

_SCRIPT_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


@dataclass(frozen=True)
class PageLink:
    """A way on from a message."""

    href: str
    text: str


@dataclass(frozen=True)
class PageError:
    """A line of the list at the top of a page: which question, what is wrong, and the control it leads to."""

    control: str
    question: str
    sentence: str


@dataclass(frozen=True)
class PageData:
    """What the script and simulated participants read from a page."""

    submission_id: str | None
    task_id: str | None
    record: str | None
    step: int
    steps: int
    page: int
    """Which page of the layout this is, counted from 0."""
    instructions: list[Mapping[str, Json]]

    def as_json(self) -> Mapping[str, Json]:
        """The object in `page-data`."""
        return vars(self)


@dataclass(frozen=True)
class QuestionPage:
    """Everything around the questions of one page."""

    name: str
    progress: str
    screen: PageView
    data: PageData
    action: str
    button: str
    back: str | None = None
    notice: str | None = None

    @property
    def faults(self) -> list[PageError]:
        """What is wrong, in the order of the questions."""
        return [
            PageError(question.control_id, question.description, sentence)
            for question in self.screen.questions
            for sentence in question.errors
        ]


def question_page(addresses: Addresses, page: QuestionPage) -> Response:
    """A page with content and questions: 200, or 422 when something is wrong with what was posted."""
    faults = page.faults
    title = f"{page.progress} · {page.name}" if page.name else page.progress
    html = (
        _environment()
        .get_template("page.html")
        .render(
            assets=addresses.assets(),
            medium=addresses.medium,
            state="page",
            title=_("Error: {title}").format(title=title) if faults else title,
            name=page.name,
            progress={"text": page.progress, "done": page.data.step + 1, "steps": page.data.steps},
            faults=faults,
            faults_heading=errors_heading(len(page.screen.invalid_questions)),
            notice=page.notice,
            action=page.action,
            step=page.data.step,
            rows=page.screen.rows,
            back=page.back,
            button=page.button,
            page_data=script_json(page.data.as_json()),
            page_texts=_page_texts(),
        )
    )
    return _answer(html, HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK)


def start_page(addresses: Addresses, **values: object) -> Response:
    """What the study is about, with the button that begins it."""
    html = (
        _environment()
        .get_template("start.html")
        .render(assets=addresses.assets(), state="start", title=values["name"], **values)
    )
    return _answer(html)


def message_page(
    addresses: Addresses,
    state: str,
    heading: str,
    *sentences: str,
    status: HTTPStatus = HTTPStatus.OK,
    link: PageLink | None = None,
) -> Response:
    """A page that says how things stand; `state` is the word in `data-state`."""
    html = (
        _environment()
        .get_template("message.html")
        .render(
            assets=addresses.assets(),
            state=state,
            title=heading,
            heading=heading,
            sentences=sentences,
            link=link,
        )
    )
    return _answer(html, status)


def redirect_303(location: str) -> Response:
    """Send the browser on after a form, so that reloading the next page sends nothing twice.

    `location` is a path, below whichever host the browser requested.
    """
    return Response(
        status_code=HTTPStatus.SEE_OTHER, headers={"Location": location, "Cache-Control": "no-store"}
    )


def record_digest(record: Mapping[str, Json]) -> str:
    """16 hex digits that are the same for equal records."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def script_json(value: Mapping[str, object]) -> Markup:
    """JSON that may stand in a script element, whatever its texts hold."""
    text = json.dumps(value, default=dict)
    for character, escape in _SCRIPT_ESCAPES.items():
        text = text.replace(character, escape)
    return Markup(text)  # noqa: S704 - escaped above


@cache
def _page_texts() -> Markup:
    return script_json(browser_texts())


def _answer(html: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    # Half a character cannot be sent; browsers show the replacement character for such faults anyway.
    whole = (
        html if is_valid_unicode(html) else html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    return Response(whole.encode(), status, HEADERS, media_type="text/html; charset=utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("participant")),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["_"] = _
    return environment
