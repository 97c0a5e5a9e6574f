"""Answers about which little can be said: every result says that, and none is NaN, infinite or an error."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from batchwright.__main__ import main
from batchwright.analysis.charts import PRINT_WIDTH, Chart, Drawing, Text
from batchwright.analysis.prepared_answers import PreparedAnswers, prepare
from batchwright.analysis.result_charts import (
    agreement_chart,
    field_number_chart,
    field_share_chart,
    number_chart,
    outcome_chart,
    pair_chart,
    position_chart,
    precision_chart,
    share_chart,
    strength_chart,
)
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.sections import (
    agreement_result,
    comparisons_result,
    participants_result,
    questions_result,
)
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.exclusions import Exclusions
from tests.analysis.answers import ITEMS, layout, questions, ratings, record

Records = Sequence[Mapping[str, Any]]
MANY = [{"label": f"Option {n}", "value": f"o{n}"} for n in range(1000)]
MANY_OPTIONS = {"id": "many", "type": "multiple_choice", "description": "Which?", "answer_limit": 1}
SETS = {**MANY_OPTIONS, "id": "sets", "answer_limit": -1}
ASKED = (*ITEMS, {**MANY_OPTIONS, "options": MANY}, {**SETS, "options": MANY})

SYSTEMS = {"metadata": {"left": "x", "right": "y", "gold": "A is better"}}
"""The fields of every record: both systems are always on the same side."""


def of_everything(participant: str, task: str, number: int = 0) -> list[dict[str, Any]]:
    """An answer to each question."""
    return [
        record(participant, task, "better", "ab"[number % 2]),
        record(participant, task, "faults", "wrong"),
        record(participant, task, "scale", 3),
        record(participant, task, "duration", {"value": "5", "unit": "min"}),
        record(participant, task, "reason", "Because."),
        record(participant, task, "many", "o7"),
        record(participant, task, "sets", "o7", "o8"),
    ]


UNKNOWN = {"value": "1e400", "unit": "min"}
DATA: dict[str, Records] = {
    "one answer": [record("p0", "t0", "better", "a")],
    "one answer to each question": of_everything("p0", "t0"),
    "all the same": [one for p in range(3) for t in range(4) for one in of_everything(f"p{p}", f"t{t}")],
    "one participant": [one for task in range(12) for one in of_everything("p0", f"t{task}", task)],
    "missing answers": [record(f"p{n % 3}", f"t{n}", str(item["id"])) for n in range(6) for item in ASKED],
    "nothing that fits": [
        *(record(f"p{n}", "t0", "better", "gone") for n in range(3)),
        *(record(f"p{n}", "t0", "duration", UNKNOWN, {"value": "soon", "unit": ""}) for n in range(3)),
        *(record(f"p{n}", "t0", "unknown", "x") for n in range(3)),
    ],
    "a thousand options": [record(f"p{n % 3}", f"t{n // 3}", "many", f"o{n * 37 % 999}") for n in range(60)]
    + [record(f"p{n % 3}", f"t{n // 3}", "sets", f"o{n}", f"o{n * 7}") for n in range(60)],
    "only ties": ratings([["same", "same"]] * 5, "better"),
    "one outcome": ratings([["a", "a"]] * 5, "better"),
    "no ties of labels": ratings([["a", "b"]] * 5, "better"),
    "huge numbers": [
        record(f"p{n % 2}", f"t{n // 2}-{size}", "duration", {"value": f"{n}e{size}", "unit": "h"})
        for n in range(1, 9)
        for size in (99, 300)
    ],
    "one number of 16 digits": [record("p0", "t0", "duration", {"value": "9999999999999999", "unit": "h"})],
    "numbers that differ in the last digit": [
        record(f"p{n}", "t0", "duration", {"value": value, "unit": "h"})
        for n, value in enumerate(("0.3", "0.30000000000000004"))
    ],
}
SETTINGS = AnalysisSettings(
    systems=SystemFields("left", "right"),
    gold_field="gold",
    further_answers=3,
    label_model=LabelModel.ONE_COIN,
)


def prepared(records: Records, settings: AnalysisSettings = SETTINGS) -> PreparedAnswers:
    with closing(AnswerStore(questions(*ASKED))) as store:
        store.append(records)
        tasks = {str(one["task_id"]) for one in records}
        store.set_fields(dict.fromkeys(tasks, SYSTEMS["metadata"]))
        return prepare(store.table(), settings)


def no_step(_fraction: float) -> None:
    """Ignore progress."""


def drawings(answers: PreparedAnswers) -> list[Drawing]:
    """All charts that the sections show."""
    found: list[Drawing] = []
    for item in questions_result(answers, no_step, "topic").questions:
        found += [share_chart("Q", item.shares), field_share_chart("Q", item.shares_by_field)]
        for summary in item.numbers:
            bins = [one for one in item.bins if one.unit == summary.unit]
            found.append(number_chart("Q", bins, summary))
        found.append(field_number_chart("Q", item.numbers_by_field))
        found.append(precision_chart("Q", item.precision))
    agreement = agreement_result(answers, no_step)
    compared = comparisons_result(answers, no_step)
    found += [agreement_chart("Q", agreement.rows), precision_chart("Q", agreement.precision)]
    found += [strength_chart("Q", compared.results.systems), outcome_chart("Q", compared.results.systems)]
    found += [pair_chart("Q", compared.results.pairs), precision_chart("Q", compared.precision)]
    return found + [position_chart("Q", row) for row in compared.positions]


def assert_sensible(chart: Chart) -> None:
    """Every shape has a place, and no text is that of a number that is none."""
    assert math.isfinite(chart.height)
    for shape in chart.shapes:
        assert is_dataclass(shape)
        for field in fields(shape):
            value = getattr(shape, field.name)
            assert not isinstance(value, float) or math.isfinite(value), shape
    written = [shape.text for shape in chart.shapes if isinstance(shape, Text)]
    written += [cell for row in chart.table() for cell in row]
    assert not [text for text in written if re.search(r"\b(nan|inf|None)\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("name", DATA)
def test_every_section_and_its_charts_say_something_sensible(name: str) -> None:
    answers = prepared(DATA[name])
    people = participants_result(answers, no_step).participants
    assert sum(row.answers for row in people) == len({str(one["id"]) for one in DATA[name]})
    for drawing in drawings(answers):
        assert_sensible(drawing(PRINT_WIDTH))


@pytest.mark.parametrize("settings", [AnalysisSettings(), SETTINGS])
def test_sections_without_any_answer(settings: AnalysisSettings) -> None:
    nobody = AnalysisSettings(Exclusions({"p0": "Test"}), 0, settings.systems, settings.gold_field)
    for answers in (prepared([], AnalysisSettings()), prepared(DATA["one answer"], nobody)):
        assert not participants_result(answers, no_step).participants
        assert not agreement_result(answers, no_step).rows
        for drawing in drawings(answers):
            assert_sensible(drawing(PRINT_WIDTH))


def not_json(constant: str) -> NoReturn:
    raise AssertionError(constant)


@pytest.mark.parametrize(
    "name",
    [
        *("one answer", "missing answers", "nothing that fits", "a thousand options", "only ties"),
        *("one number of 16 digits", "numbers that differ in the last digit"),
    ],
)
def test_the_command_writes_files_without_nan(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [{**one, **SYSTEMS} for one in DATA[name]]
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    (tmp_path / "layout.json").write_text(json.dumps(layout(*ASKED)), encoding="utf-8")
    files = [str(tmp_path / "answers.json"), "--layout", str(tmp_path / "layout.json")]
    more = ["--systems", "left", "right", "--gold", "gold", "--labels", "dawid-skene", "--formats", "csv"]
    assert main(["analyse", *files, "--out", str(tmp_path / "out"), "--json", *more]) == 0
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    results = json.loads(printed.out, parse_constant=not_json)["results"]
    assert results["questions"]["rows"]
    for path in (tmp_path / "out").iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w#])(nan|inf|-inf|infinity)(?!\w)", text, re.IGNORECASE), path.name
