"""Renders participant pages: templates, security headers, and the data and texts for the page's script."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from http import HTTPStatus

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response

from batchwright.base.i18n import _, current_language, ngettext
from batchwright.base.json_values import Json, is_valid_unicode
from batchwright.base.resources import resource
from batchwright.base.text import runs_right_to_left
from batchwright.layout.pages.page import PageView, errors_heading, errors_heading_template
from batchwright.service.participate.addresses import Addresses

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' https:; media-src 'self' https:;"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Headers of every participant page: scripts, styles and forms are allowed only from the service itself."""

_SCRIPT_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


@dataclass(frozen=True)
class PageLink:
    """A link on a message page."""

    href: str
    text: str


@dataclass(frozen=True)
class PageError:
    """An entry of the error list at the top of a page: question, message, and the control to focus."""

    control: str
    question: str
    message: str


@dataclass(frozen=True)
class PageData:
    """The data in a page for its script and for simulated participants."""

    submission_id: str | None
    task_id: str | None
    record: str | None
    step: int
    steps: int
    page: int
    """The index of the page in the layout."""
    instructions: list[Mapping[str, Json]]
    content: str | None = None
    """A digest of what participants may see of the record: that of a repeated record is the same."""
    set_size: int = 0
    """The number of items in the record if it is a set for best–worst scaling; otherwise 0."""

    def as_json(self) -> Mapping[str, Json]:
        """The object in `page-data`."""
        return vars(self)


@dataclass(frozen=True)
class QuestionPage:
    """The content of one page with questions."""

    name: str
    progress: str
    view: PageView
    data: PageData
    action: str
    button: str
    back: str | None = None
    notice: str | None = None

    @property
    def errors(self) -> list[PageError]:
        """The errors, in the order of the questions."""
        return [
            PageError(question.control_id, question.description, message)
            for question in self.view.questions
            for message in question.errors
        ]


def question_page(addresses: Addresses, page: QuestionPage) -> Response:
    """A page with content and questions: 200, or 422 with the errors of the posted answers."""
    errors = page.errors
    title = f"{page.progress} · {page.name}" if page.name else page.progress
    html = _rendered(
        "page.html",
        addresses,
        medium=addresses.medium,
        state="page",
        title=_("Error: {title}").format(title=title) if errors else title,
        name=page.name,
        progress={"text": page.progress, "done": page.data.step + 1, "steps": page.data.steps},
        faults=errors,
        faults_heading=errors_heading(len(page.view.invalid_questions)),
        notice=page.notice,
        action=page.action,
        step=page.data.step,
        page_number=page.data.page,
        rows=page.view.rows,
        back=page.back,
        button=page.button,
        page_data=script_json(page.data.as_json()),
        page_texts=_page_texts(current_language().tag),
    )
    return _html_response(html, HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK)


def start_page(addresses: Addresses, **values: object) -> Response:
    """The start page of a study."""
    html = _rendered("start.html", addresses, state="start", title=values["name"], **values)
    return _html_response(html)


def message_page(
    addresses: Addresses,
    state: str,
    heading: str,
    *messages: str,
    status: HTTPStatus = HTTPStatus.OK,
    link: PageLink | None = None,
) -> Response:
    """A page with a message; `state` is the value of `data-state`."""
    html = _rendered(
        "message.html", addresses, state=state, title=heading, heading=heading, sentences=messages, link=link
    )
    return _html_response(html, status)


def redirect_303(location: str) -> Response:
    """Redirect after a form, so that reloading the next page does not send it again.

    `location` is a path, below whichever host the browser requested.
    """
    return Response(
        status_code=HTTPStatus.SEE_OTHER, headers={"Location": location, "Cache-Control": "no-store"}
    )


def record_digest(record: Mapping[str, Json]) -> str:
    """A digest of a record, 16 hex digits."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def script_json(value: Mapping[str, object]) -> Markup:
    """JSON escaped for a script element."""
    text = json.dumps(value, default=dict)
    for character, escape in _SCRIPT_ESCAPES.items():
        text = text.replace(character, escape)
    return Markup(text)  # noqa: S704 - escaped above


@lru_cache(maxsize=64)
def _page_texts(_language: str) -> Markup:
    return script_json(browser_texts())


def _rendered(template: str, addresses: Addresses, **values: object) -> str:
    """A page in the language of the request."""
    language = current_language()
    return (
        _environment()
        .get_template(template)
        .render(assets=addresses.assets(), lang=language.tag, dir=language.direction, **values)
    )


def _direction_of(text: str) -> str:
    """The value of `dir` for a text of the study or an answer.

    On a page that is written from right to left, so is a field without a text.
    """
    is_mirrored = current_language().direction == "rtl"
    is_page_language = is_mirrored and (not text or runs_right_to_left(text, in_mirrored_layout=True))
    return "rtl" if is_page_language else "auto"


def _html_response(html: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    # A lone surrogate cannot be encoded; it becomes the replacement character.
    valid = (
        html if is_valid_unicode(html) else html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )
    return Response(valid.encode(), status, HEADERS, media_type="text/html; charset=utf-8")


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
    environment.globals["dir_of"] = _direction_of
    return environment


def browser_texts() -> Mapping[str, str | Sequence[str]]:
    """All of them, by the names that `participant.js` knows them by."""
    return {
        "answer": _("Please answer this question."),
        "number": _("Please enter a number, like 12 or 0.5."),
        "at_least": _("Please enter a number that is at least {least}."),
        "at_most": _("Please enter a number that is at most {most}."),
        "longer": _both(
            lambda count: ngettext(
                "Please write at least {least} character; there are {count} so far.",
                "Please write at least {least} characters; there are {count} so far.",
                count,
            )
        ),
        "shorter": _both(
            lambda count: ngettext(
                "Please write at most {most} character; there are {count} now.",
                "Please write at most {most} characters; there are {count} now.",
                count,
            )
        ),
        "unit": _("Please choose a unit."),
        "option": _("Please choose an option."),
        "fewer_options": _both(
            lambda count: ngettext(
                "Please choose only {limit} option.", "Please choose at most {limit} options.", count
            )
        ),
        "exclusive": _("“{label}” cannot be combined with other options."),
        "explain": _("Please explain your choice of “{label}”."),
        "more_files": _both(
            lambda count: ngettext(
                "Please add at least {fewest} file.", "Please add at least {fewest} files.", count
            )
        ),
        "fewer_files": _both(
            lambda count: ngettext(
                "Please add no more than {most} file.", "Please add no more than {most} files.", count
            )
        ),
        "file_type": _("“{name}” is not of an accepted type ({types})."),
        "file_empty": _("“{name}” is empty. Please check the file, and add it again."),
        "file_size": _("“{name}” is larger than {size} MB."),
        "heading": _both(errors_heading_template),
        "error_title": _("Error: {title}"),
        "chosen": _("{count} of {limit} chosen"),
        "characters": _("{count} of {most} characters"),
        "image_failed": _("This image could not be loaded: {alt}"),
        "media_failed": _("This recording could not be loaded: {alt}"),
        "sending": _("Sending …"),
    }


def _both(form: Callable[[int], str]) -> tuple[str, str]:
    return form(1), form(2)
