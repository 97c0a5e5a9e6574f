"""How the time for large input grows: four times as much takes about four times as long."""

from collections.abc import Callable

import pytest

from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.model import Layout
from batchwright.layout.searching.study_texts import StudyTexts
from batchwright.layout.searching.text_search import (
    Query,
    TextReplacement,
    find,
    find_spans,
    replace_matches,
)
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.translations import ParticipantTexts, Translation
from tests.benchmarks.test_rules import quickest
from tests.figures import CheckFigure
from tests.layout.test_answers import instruction
from tests.service.api_helpers import page

Work = Callable[[], object]
LIMIT = 8
"""The ratio for four times as much: n log n takes five times as long, n² sixteen times."""


def options(count: int) -> list[Json]:
    return [{"label": f"Label {number}", "value": f"v{number}"} for number in range(count)]


def layout_of(item: JsonObject) -> Layout:
    return read([page(item)], sequential_keys())


def checkboxes(count: int) -> JsonObject:
    return {"type": "multiple_choice", "description": "Which?", "answer_limit": -1, "options": options(count)}


def translating(count: int) -> Work:
    """Translate the label of each option."""
    texts = ParticipantTexts({}, layout_of(checkboxes(count)))
    translations = {address: Translation(f"de {text}", text.text) for address, text in texts.texts()}
    return lambda: texts.translated(translations)


def replacing(count: int) -> Work:
    """Replace a word in the label of each option."""
    texts = StudyTexts("Study", {}, None, {}, layout_of(checkboxes(count)))
    query = Query("Label")
    matches = find(texts, query)
    return lambda: replace_matches(texts, matches, TextReplacement("Choice", query))


def finding(count: int) -> Work:
    """Find a word in comments without an end."""
    return lambda: find_spans([("<!-- " * count, True)], Query("word"))


def answering(count: int) -> Work:
    """Read and validate an answer with every option."""
    question = instruction(checkboxes(count))
    form = {"i0": [str(number) for number in range(count)]}
    return lambda: question.validate_answer(question.from_form(0, form, []))


WORKS: dict[str, tuple[Callable[[int], Work], int]] = {
    "translating 8,000 options": (translating, 8000),
    "replacing a word in 8,000 options": (replacing, 8000),
    "finding a word in 20,000 comments without an end": (finding, 20_000),
    "an answer with 2,000 options": (answering, 2000),
}


@pytest.mark.quick
@pytest.mark.parametrize("name", WORKS)
def test_four_times_as_much_takes_about_four_times_as_long(name: str, figure: CheckFigure) -> None:
    work, count = WORKS[name]
    figure(f"{name}, to a quarter", lambda: (quickest(work(count), 3), quickest(work(count // 4), 3)), LIMIT)
