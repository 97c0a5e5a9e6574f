"""One page of a layout with a record, as participants would see it; answers are checked, nothing is kept."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.model import Layout, Page
from batchwright.layout.pages.navigation import PageStep, PageSteps
from batchwright.layout.pages.page import PageValues, instructions_json, page_view
from batchwright.layout.serialization import read, sequential_keys
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_schema
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.answer_forms import validate_page
from batchwright.service.participate.file_uploads import UploadedFiles
from batchwright.service.participate.form_data import read_form
from batchwright.service.participate.multipart import FormData, InvalidForm
from batchwright.service.participate.pages import PageData, QuestionPage, question_page, record_digest
from batchwright.service.participate.status_pages import expired_page, unreadable_page
from batchwright.service.store import previews


async def show(request: Request) -> Response:
    """GET `/participate/preview/{preview_id}`."""
    return await run_in_threadpool(_show, app_state(request), request.path_params["preview_id"])


async def receive(request: Request) -> Response:
    """POST of a previewed page: says whether the answers would be taken."""
    parts, id = app_state(request), request.path_params["preview_id"]
    addresses = Addresses(parts.base_url)
    content = await run_in_threadpool(_content, parts, id)
    if content is None:
        return expired_page(addresses)
    page = await run_in_threadpool(_page_of, content)
    try:
        posted = await read_form(request, UploadedFiles(lambda _fields: page).door)
    except InvalidForm as fault:
        return unreadable_page(addresses, fault)
    return await run_in_threadpool(_judged, addresses, id, content, posted)


def _show(parts: AppState, id: str) -> Response:
    addresses = Addresses(parts.base_url)
    content = _content(parts, id)
    return expired_page(addresses) if content is None else _page(addresses, id, content, PageValues())


def _judged(addresses: Addresses, id: str, content: JsonObject, posted: FormData) -> Response:
    judged = validate_page(_page_of(content), posted, ())
    notice = _("These answers would be taken. A preview keeps nothing.") if judged.taken else None
    return _page(addresses, id, content, judged.filling, notice)


def _content(parts: AppState, id: str) -> JsonObject | None:
    with parts.database.read() as connection:
        preview = previews.find(connection, id, parts.clock())
    return preview.content if preview else None


def _page(
    addresses: Addresses, id: str, content: JsonObject, filling: PageValues, notice: str | None = None
) -> Response:
    page = _page_of(content)
    given = content.get("record")
    record = given if is_object(given) else {}
    steps = PageSteps(_layout_of(content), 1)
    found = steps.first_step_of(page.key)
    step = found or PageStep(0, page, _number(content), None)
    return question_page(
        addresses,
        QuestionPage(
            name=_("Preview"),
            progress=steps.progress(found) if found is not None else _("No such page"),
            screen=page_view(page, record, _schema_of(content.get("schema")), filling),
            data=PageData(
                None,
                None,
                record_digest(record),
                step.number,
                len(steps),
                step.page_number,
                instructions_json(page),
            ),
            action=addresses.preview(id),
            button=_("Check answers"),
            notice=notice,
        ),
    )


def _page_of(content: JsonObject) -> Page:
    """The page; an empty one where there is none to show."""
    pages, number = _layout_of(content).pages, _number(content)
    page = pages[number] if number < len(pages) else None
    return page if isinstance(page, Page) else Page("", {})


def _layout_of(content: JsonObject) -> Layout:
    given = content.get("batch_items")
    return read(given if is_array(given) else (), sequential_keys())


def _number(content: JsonObject) -> int:
    number = content.get("page")
    return number if isinstance(number, int) and number >= 0 else 0


def _schema_of(value: Json) -> Schema | None:
    """The schema, if it is one: a preview of an unfinished study shows plain texts without it."""
    try:
        return read_schema(value)
    except InvalidSchema:
        return None
