"""A ninth item type, registered like the others, works everywhere in the program."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import pytest
from jinja2 import ChoiceLoader, DictLoader
from PySide6.QtWidgets import QSlider, QWidget
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.answers import FileEntry, GeneratedAnswer
from batchwright.layout.attributes import DESCRIPTION, Attribute, AttributeType
from batchwright.layout.checking.validator import check_json
from batchwright.layout.editing.edits import ChangeType, SetAttributes
from batchwright.layout.editing.type_conversion import LostValue
from batchwright.layout.form_encoding import field_name
from batchwright.layout.item_types.base import TypeChange
from batchwright.layout.item_types.questions import Question, QuestionContext
from batchwright.layout.item_types.registry import ITEM_TYPES, FreeText, Instruction
from batchwright.layout.model import Page
from batchwright.layout.pages.page import PageValues, page_view
from batchwright.layout.rules import PAGE_RULES
from batchwright.layout.rules.examples import layout_with, one_item_layouts
from batchwright.layout.rules.page_index import PageIndex
from batchwright.layout.rules.problems import AttributePath, RejectionStatus
from batchwright.layout.rules.registry import Finding, rule
from batchwright.layout.serialization import read, sequential_keys
from batchwright.schema.model import Schema
from batchwright.service.participate import pages
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.answer_forms import validate_page
from batchwright.service.participate.multipart import FormData
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.commands import losses
from batchwright.ui.editor.inspector.fields import NumberField
from batchwright.ui.editor.item_types.base import CardBody, ItemEditor, description_field, question_labels
from batchwright.ui.editor.item_types.registry import ITEM_EDITORS
from batchwright.ui.editor.palette.palette_model import palette_sections
from batchwright.ui.editor.preview.answer_inputs import Control
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.text import Label
from batchwright.wire.responses import ANSWER_ENTRIES, ChoiceAnswer, Response
from batchwright.workflows.verification.report_comparison import questions_of
from tests.ui.editor.conftest import settle
from tests.ui.editor.inspector.conftest import InspectorHarness as InspectorDesk
from tests.ui.editor.preview.test_preview import PreviewHarness as PreviewDesk

pytestmark = pytest.mark.gui

RATING: JsonObject = {"type": "rating", "id": "r", "description": "How good is it?", "levels": 5}


@dataclass(frozen=True)
class RatingQuestion(Question):
    """A slider."""

    template = "rating"
    levels: int
    value: str


class Rating(Instruction):
    """A question for a number of stars."""

    type = "rating"
    title = "Rating"
    known_attributes = (
        DESCRIPTION,
        Attribute("levels", AttributeType.INTEGER, "levels", required=True, start=5),
    )
    type_changes = (TypeChange("free_text"),)

    @property
    def levels(self) -> int:
        return self.integer("levels") or 5

    def question(self, context: QuestionContext) -> Question:
        texts = context.texts(self.attributes, "")
        return RatingQuestion(*texts, levels=self.levels, value=context.typed(context.name))

    def random_answer(self, random: Random, texts: Random | None = None) -> GeneratedAnswer:
        return [{"value": random.randint(1, self.levels)}]

    def from_form(
        self, number: int, fields: Mapping[str, list[str]], files: Sequence[FileEntry]
    ) -> list[JsonObject]:
        return [{"value": int(text)} for text in fields.get(field_name(number), ())]

    def _answer_errors(self, entries: Sequence[JsonObject]) -> Iterator[str]:
        if [entry for entry in entries if entry.get("value") in range(1, self.levels + 1)] != list(
            entries[:1]
        ):
            yield "Please choose a number of stars."

    def _entry_text(self, entry: JsonObject) -> str:
        return f"{entry.get('value')} stars"

    def _entry_fields(self, number: int, entry: JsonObject) -> list[tuple[str, str]]:
        return [(field_name(number), str(entry.get("value")))]


@rule(
    "LY49",
    "A rating has two levels or more",
    RejectionStatus.ITEM,
    passes=one_item_layouts(RATING),
    fails=one_item_layouts({**RATING, "levels": 1}),
    attribute="levels",
)
def two_levels(index: PageIndex) -> Iterator[Finding]:
    for place, item in index.of(Rating):
        if item.levels < 2:
            yield Finding(place, item, "Use two levels or more.")


class RatingControl(Control):
    """A slider whose value is the answer."""

    def __init__(self, state: PreviewState, question: RatingQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(state, question, is_narrow=is_narrow)
        slider = QSlider()
        slider.setRange(1, question.levels)
        slider.valueChanged.connect(lambda value: state.set_answer(question.name, [str(value)]))
        column(slider, parent=self)
        self.add_input(slider, question.description)


def card_body(item: Rating, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    return [*question_labels(item), Label("☆" * item.levels)]


EDITOR = ItemEditor(
    Rating,
    glyph="ruler",
    family="question",
    card_body=card_body,
    fields={"description": description_field, "levels": NumberField},
    controls={RatingQuestion: RatingControl},
)

TEMPLATE = """{% macro control(q) %}
<input type="range" id="{{ q.name }}" name="{{ q.name }}" min="1" max="{{ q.levels }}" value="{{ q.value }}">
{% endmacro %}"""


@pytest.fixture(autouse=True)
def rating(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the item type with its modules, its template and its answer model."""
    monkeypatch.setitem(ITEM_TYPES, Rating.type, Rating)
    monkeypatch.setattr("batchwright.layout.checking.validator.PAGE_RULES", (*PAGE_RULES, two_levels))
    monkeypatch.setitem(ITEM_EDITORS, Rating, EDITOR)
    monkeypatch.setitem(ANSWER_ENTRIES, Rating.type, ChoiceAnswer)
    environment = pages._environment()
    assert environment.loader is not None
    templates = DictLoader({"item_types/rating.html": TEMPLATE})
    monkeypatch.setattr(environment, "loader", ChoiceLoader([templates, environment.loader]))


def layout_page(*items: Json) -> Json:
    return {"rows": [{"columns": [{"items": list(items)}]}]}


def page_of_rating() -> Page:
    (page,) = read([layout_page(RATING)], sequential_keys()).pages
    assert isinstance(page, Page)
    return page


def labels(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(Label) if label.isVisibleTo(widget)]


def test_the_palette_contains_the_new_type() -> None:
    *_fields, questions = palette_sections(None, {}, None)
    assert [part.item_type for part in questions.items if part.label.title == "Rating"] == [Rating]


def test_the_canvas_shows_an_item_of_the_new_type(stage: EditorStage) -> None:
    commands.insert(stage.state, commands.new_item(Rating))
    settle()
    card = stage.panels.canvas.page_canvas.card_of(stage.state.keys[0])
    assert card is not None
    assert {"No question yet", "☆☆☆☆☆"} <= set(labels(card))


def test_an_item_of_the_new_type_can_be_changed_into_another_type(stage: EditorStage) -> None:
    commands.insert(stage.state, commands.new_item(Rating))
    settle()
    (key,) = stage.state.keys
    assert stage.context.actions.qaction("change_to_free_text").isEnabled()
    new = stage.state.layout.find(key)
    assert isinstance(new, Rating)
    assert losses([new], FreeText) == []
    stage.state.apply(SetAttributes(key, {"description": "How good?", "levels": 7}))
    changed = stage.state.layout.find(key)
    assert isinstance(changed, Rating)
    assert losses([changed], FreeText) == [("How good?", (LostValue("levels", "7"),))]
    stage.state.apply(ChangeType((key,), "free_text"))
    (text_key,) = stage.state.keys
    attributes: JsonObject = {"type": "free_text", "description": "How good?"}
    assert stage.state.layout.find(text_key) == FreeText(text_key, attributes)


def test_the_inspector_edits_an_item_of_the_new_type(qtbot: QtBot) -> None:
    harness = InspectorDesk(qtbot, [RATING])
    assert {"Question", "Levels"} <= {text.removesuffix(" *") for text in labels(harness.inspector)}


def test_the_rules_of_the_new_type_are_checked() -> None:
    assert check_json(layout_with(RATING).batch_items) == []
    (problem,) = check_json(layout_with({**RATING, "levels": 1}).batch_items)
    assert (problem.code, problem.attribute) == ("LY49", AttributePath("levels"))
    (missing,) = check_json(layout_with({"type": "rating", "description": "How?"}).batch_items)
    assert (missing.code, missing.attribute) == ("LY11", AttributePath("levels"))


def test_the_preview_requires_an_answer_to_the_new_type(qtbot: QtBot) -> None:
    harness = PreviewDesk(qtbot, layout_page(RATING))
    slider = harness.sheet.findChild(QSlider)
    assert slider is not None
    slider.setValue(4)
    assert harness.preview.state.fields == {"i0": ["4"]}


def test_the_participant_page_shows_the_new_type_and_accepts_its_answer() -> None:
    page = page_of_rating()
    problems = validate_page(page, FormData({"i0": ["6"]}, {}), [])
    shown = pages.question_page(
        Addresses("http://localhost"),
        pages.QuestionPage(
            "Study",
            "Page 1 of 1",
            page_view(page, {}, None, problems.values),
            pages.PageData(None, None, None, 0, 1, 0, []),
            action="/",
            button="Next",
        ),
    )
    html = bytes(shown.body).decode()
    assert '<input type="range" id="i0" name="i0" min="1" max="5" value="6">' in html
    assert "Please choose a number of stars." in html
    (answer,) = validate_page(page, FormData({"i0": ["3"]}, {}), []).answers
    assert (answer.type, answer.answer) == ("rating", [{"value": 3}])


def test_answers_to_the_new_type_are_generated_sent_read_and_formatted() -> None:
    (item,) = (question.item for question in questions_of([layout_page(RATING)]).values())
    assert isinstance(item, Rating)
    answer = item.random_answer(Random(1))
    fields = {name: [value] for name, value in item.to_form(0, answer)}
    assert item.from_form(0, fields, []) == answer
    assert item.validate_answer(item.from_form(0, fields, [])) == []
    assert item.format_answer([{"value": 3}]) == "3 stars"
    (entry,) = Response(instruction_id="r", type="rating", answer=({"value": 3},)).entries
    assert entry == ChoiceAnswer(value=3)


def test_a_page_without_an_answer_has_the_question() -> None:
    (question,) = page_view(page_of_rating(), {}, None, PageValues()).questions
    assert isinstance(question, RatingQuestion)
