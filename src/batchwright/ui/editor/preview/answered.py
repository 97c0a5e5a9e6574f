"""The preview of a record with the answers that a participant gave."""

from collections import defaultdict
from collections.abc import Callable

from batchwright.analysis.store.answer_query import AnswerEntry
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.registry import Choice, Instruction
from batchwright.layout.model import Page
from batchwright.layout.pages.page import instructions_of
from batchwright.local.projects import Project
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.core.sample_records import SampleRecords
from batchwright.ui.editor.preview.panel import PreviewPanel
from batchwright.ui.study.answered_record import AnsweredRecord
from batchwright.ui.study.study_model import Study


def create_preview(
    answered: AnsweredRecord, on_closed: Callable[[], object], media: PreviewMedia
) -> PreviewPanel:
    """Create the preview, which begins with the page of the question."""
    study, records = Study(), SampleRecords()
    study.open(Project(answered.name, answered.layout, schema=answered.schema), None)
    if answered.record is not None:
        records.set_records((answered.record,))
    pages = [page for page in answered.layout.pages if isinstance(page, Page)]
    first = next((page.key for page in pages if answered.question in map(id_of, instructions_of(page))), None)
    panel = PreviewPanel(study, first, records, media, of_answers=answered.description)
    study.setParent(panel)
    panel.closed.connect(on_closed)
    for page in pages:
        panel.state.fill(page.key, _fields(page, answered))
    return panel


def _fields(page: Page, answered: AnsweredRecord) -> dict[str, list[str]]:
    """The answers as form fields of a page."""
    fields: dict[str, list[str]] = defaultdict(list)
    for number, item in enumerate(instructions_of(page)):
        entries = answered.answers.get(id_of(item) or "", ())
        for name, value in item.to_form(number, [_as_json(item, entry) for entry in entries]):
            fields[name].append(value)
    return dict(fields)


def _as_json(item: Instruction, entry: AnswerEntry) -> JsonObject:
    """An entry as it was sent; the value of an option has its type in the layout."""
    value: Json = entry.value
    if isinstance(item, Choice) and entry.option is not None:
        value = item.options[entry.option].get("value")
    parts = {"value": value, "unit": entry.unit, "explanation": entry.explanation}
    return {name: part for name, part in parts.items() if part is not None}
