"""Questions and response records for the tests of the analysis."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any

from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.agreement.labels import LabelRow, record_labels
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import Comparisons, SystemRow, system_results
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, questions_in
from batchwright.layout.serialization import read, sequential_keys

SIDES = [{"label": "A is better", "value": "a"}, {"label": "B is better", "value": "b"}]
COMPARISON: dict[str, Any] = {
    "id": "better",
    "type": "multiple_choice",
    "description": "Which answer is better?",
    "answer_limit": 1,
    "options": [*SIDES, {"label": "About the same", "value": "same"}],
}
FAULTS = {
    "id": "faults",
    "type": "multiple_choice",
    "description": "What is wrong?",
    "answer_limit": -1,
    "options": [{"label": text.title(), "value": text} for text in ("wrong", "short", "nothing")],
}
SCALE = {
    "id": "scale",
    "type": "multiple_choice",
    "description": "How good is it?",
    "answer_limit": 1,
    "options": [{"label": f"{number} of 5", "value": number} for number in range(1, 6)],
}
DURATION = {
    "id": "duration",
    "type": "free_text_with_unit",
    "description": "How long did it take?",
    "unit_options": [{"label": "min", "value": "min"}, {"label": "h", "value": "h"}],
}
REASON = {"id": "reason", "type": "free_text", "description": "Why?"}
PICTURE = {"id": "picture", "type": "file_upload", "description": "A picture"}
ITEMS: tuple[dict[str, Any], ...] = (COMPARISON, FAULTS, SCALE, DURATION, REASON, PICTURE)

KINDS = {str(item["id"]): str(item["type"]) for item in ITEMS}


def layout(*items: Mapping[str, Any]) -> list[Any]:
    return [{"rows": [{"columns": [{"items": [item]}]} for item in items or ITEMS]}]


def questions(*items: Mapping[str, Any]) -> tuple[AnalysedQuestion, ...]:
    return questions_in(read(layout(*items), sequential_keys()))


def record(participant: str, task: str, question: str, *values: Any, **more: Any) -> dict[str, Any]:
    """A response record; a value that is no object is written as `{"value": …}`."""
    entries = [value if isinstance(value, dict) else {"value": value} for value in values]
    response = {"instruction_id": question, "type": KINDS.get(question, "free_text"), "answer": entries}
    ids = {"id": f"{participant}-{task}-{question}", "participant_id": participant, "task_id": task}
    return {**ids, "created_at": "2026-03-05T14:00:00.000Z", "response": response, **more}


def table_of(
    records: Iterable[Mapping[str, Any]], fields: Mapping[str, Mapping[str, str]] | None = None
) -> AnswerTable:
    """The table of records, which is made once: making it takes longer than most statistics."""
    return _table_of(json.dumps([*records]), json.dumps(fields or {}))


@lru_cache(maxsize=16)
def _table_of(records: str, fields: str) -> AnswerTable:
    with closing(AnswerStore(questions())) as store:
        store.append(json.loads(records))
        if values := json.loads(fields):
            store.set_fields(values)
        return store.table()


def ratings(units: Sequence[Sequence[Any]], question: str = "scale") -> list[dict[str, Any]]:
    """A record for each value of each unit that is not None; the n-th value is that of participant n."""
    return [
        record(f"p{person}", f"t{unit}", question, *(value if isinstance(value, list | tuple) else [value]))
        for unit, values in enumerate(units)
        for person, value in enumerate(values)
        if value is not None
    ]


def rows_of_systems(question: str, comparisons: Comparisons) -> list[SystemRow]:
    """The results of all systems, without an effect of the order."""
    return system_results(question, comparisons, StrengthModel()).systems


def label_rows(table: AnswerTable, model: LabelModel = LabelModel.MAJORITY) -> list[LabelRow]:
    """The labels of all records in every question."""
    return [
        labels.row(index)
        for question in range(len(table.questions))
        for labels in record_labels(table, question, model)
        for index in range(labels.count)
    ]
