"""Previews: one page of a layout with a record, as participants see it. Answers are checked, not stored."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from batchwright.base.i18n import _, use_language
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.layout.model import Layout, Page
from batchwright.layout.pages.navigation import PageStep, PageSteps
from batchwright.layout.pages.page import PageValues, instructions_json, page_view
from batchwright.layout.serialization import read, sequential_keys
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_stored_schema
from batchwright.service.http.app_state import AppState, app_state
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.answer_forms import validate_page
from batchwright.service.participate.file_uploads import UploadedFiles
from batchwright.service.participate.form_data import read_form
from batchwright.service.participate.multipart import FormData, InvalidForm
from batchwright.service.participate.pages import PageData, QuestionPage, question_page, record_digest
from batchwright.service.participate.status_pages import expired_page, unreadable_page
from batchwright.service.store import previews


async def get_preview(request: Request) -> Response:
    """GET `/participate/preview/{preview_id}`: the page."""
    return await run_in_threadpool(_show, app_state(request), request.path_params["preview_id"])


async def post_preview(request: Request) -> Response:
    """POST of a previewed page: checks the answers."""
    state, id = app_state(request), request.path_params["preview_id"]
    addresses = Addresses(state.base_url)
    content = await run_in_threadpool(_content, state, id)
    _use_language_of(content)
    if content is None:
        return expired_page(addresses)
    page = await run_in_threadpool(_page_of, content)
    try:
        form = await read_form(request, UploadedFiles(lambda _fields: page).receiver_for)
    except InvalidForm as error:
        return unreadable_page(addresses, error)
    return await run_in_threadpool(_check_answers, addresses, id, content, form)


def _show(state: AppState, id: str) -> Response:
    addresses = Addresses(state.base_url)
    content = _content(state, id)
    _use_language_of(content)
    return expired_page(addresses) if content is None else _page(addresses, id, content, PageValues())


def _check_answers(addresses: Addresses, id: str, content: JsonObject, form: FormData) -> Response:
    validated = validate_page(_page_of(content), form, ())
    notice = (
        _("These answers would be accepted. A preview does not store them.") if validated.is_valid else None
    )
    return _page(addresses, id, content, validated.values, notice)


def _content(state: AppState, id: str) -> JsonObject | None:
    with state.database.read() as connection:
        preview = previews.find(connection, id, state.clock())
    return preview.content if preview else None


def _page(
    addresses: Addresses, id: str, content: JsonObject, values: PageValues, notice: str | None = None
) -> Response:
    page = _page_of(content)
    stored_record = content.get("record")
    record = stored_record if is_object(stored_record) else {}
    steps = PageSteps(_layout_of(content), 1)
    existing_step = steps.first_step_of(page.key)
    step = existing_step or PageStep(0, page, _number(content), None)
    return question_page(
        addresses,
        QuestionPage(
            name=_("Preview"),
            progress=steps.progress(existing_step) if existing_step is not None else _("No such page"),
            view=page_view(page, record, _schema_of(content.get("schema")), values),
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
    """The page; an empty one if the number is out of range."""
    pages, number = _layout_of(content).pages, _number(content)
    page = pages[number] if number < len(pages) else None
    return page if isinstance(page, Page) else Page("", {})


def _layout_of(content: JsonObject) -> Layout:
    pages = content.get("batch_items")
    return read(pages if is_array(pages) else (), sequential_keys())


def _use_language_of(content: JsonObject | None) -> None:
    language = None if content is None else content.get("language")
    use_language(language if isinstance(language, str) else None)


def _number(content: JsonObject) -> int:
    number = content.get("page")
    return number if isinstance(number, int) and number >= 0 else 0


def _schema_of(value: Json) -> Schema | None:
    """The schema if it is valid; the preview of an unfinished study shows plain text without one."""
    try:
        return read_stored_schema(value)
    except InvalidSchema:
        return None
