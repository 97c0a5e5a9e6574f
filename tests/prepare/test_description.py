"""The design of a study in sentences, from the steps and from the fields of answered records."""

import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.design_facts import design_facts
from batchwright.analysis.output.report import report
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.base.json_values import Json
from batchwright.prepare.description import description
from batchwright.prepare.preparation import read_steps, results
from tests.analysis.answers import record, table_of
from tests.prepare.tables import outputs
from tests.prepare.tables import table_of as records_table

DESIGN: list[Json] = [
    {"step": "fill", "column": "id", "template": "{prompt}"},
    {"step": "pairs", "prompt": "prompt", "system": "system", "outputs": ["output"], "choice": "budget"}
    | {"amount": 24, "seed": 4},
    {"step": "sides", "seed": 7},
    {"step": "checks", "answers": ["left", "right"], "texts": {"output_left": "{answer}"}},
    {"step": "groups", "size": 6, "apart": "prompt", "repeats": 1, "seed": 9},
    {"step": "known", "per_group": 1, "seed": 2},
]
TEXT = (
    "24 pairs of outputs with the same “prompt” were compared (seed 4). They were chosen so that all pairs "
    "of systems are compared as equally often as possible. Which output stood on the left was drawn, so that "
    "each system stood on both sides equally often in each pair of systems and in all its pairs, give or "
    "take one (seed 7). 2 attention checks asked for a given answer. Rows were divided at random into task "
    "groups of up to 6 (seed 9). Rows with the same “prompt” are in different groups, where possible. "
    "1 record of each group comes again in its second half. The order within groups was drawn at random. "
    "1 record with a known answer was mixed into each task group, at a random place (seed 2)."
)


def answered(steps: list[Json], *needed: str) -> AnswerTable:
    """An answer about each record of a preparation that has a value in some columns."""
    *_others, last = results(records_table(outputs(8, "ABC")), read_steps(steps))
    fields = {
        f"t{number}": {name: str(value) for name, value in row.items()}
        for number, row in enumerate(last.table.all_rows())
        if all(name in row for name in needed)
    }
    return table_of([record("p", task, "better", "a") for task in fields], fields)


def test_a_design_is_described_with_its_seeds() -> None:
    assert description(read_steps(DESIGN)) == TEXT


def test_numbers_of_records_are_named_if_they_are_known() -> None:
    steps: list[Json] = [{"step": "sample", "size": 9}, {"step": "cut", "column": "text", "longest": 50}]
    assert description(read_steps(steps), [8, 8]) == (
        "9 rows were drawn at random (seed 1). There are 8 records then. Longer texts in “text” were cut to "
        "a length of 50."
    )


def test_steps_that_are_switched_off_or_change_columns_are_not_described() -> None:
    steps: list[Json] = [{"step": "sample", "size": 9, "off": True}, {"step": "leave_out", "column": "id"}]
    assert description(read_steps(steps)) == ""


SAMPLE: dict[str, Json] = {"step": "sample", "size": 9, "stratum": "topic"}
GIVEN: dict[str, Json] = {**SAMPLE, "sizes": "given", "given": [["a", 3]], "distinct": ["text"]}
REFERENCE: dict[str, Json] = {"step": "pairs", "prompt": "p", "system": "s", "outputs": ["o"]}


@pytest.mark.parametrize(
    ("step", "part"),
    [
        (SAMPLE, "in proportion to the strata of “topic”"),
        ({**SAMPLE, "sizes": "equal"}, "equally many from each stratum of “topic”"),
        (GIVEN, "Of rows with the same values in “text”, the first one was used. From the strata"),
        (GIVEN, "these numbers of rows were drawn: “a” 3 (seed 1)."),
        (
            {"step": "pilot", "size": 5, "use": "main", "together": "id"},
            "For a pilot, all rows of 5 “id”, drawn at random, were left out (seed 1).",
        ),
        ({"step": "sets", "item": "id", "shown": ["text"], "size": 5}, "sets of 5 for best–worst scaling"),
        ({**REFERENCE, "choice": "reference", "reference": "old"}, "compared with the one of “old”"),
        ({"step": "groups", "size": 0, "topic": "topic", "order": "kept"}, "Each “topic” is a task group"),
        ({"step": "groups", "order": "blocked", "block": "kind"}, "same “kind” follow each other"),
        (
            {"step": "groups", "order": "blocked", "block": "kind", "repeats": 2},
            "same “kind” follow each other, except those that come again;",
        ),
        ({"step": "filter", "column": "text"}, "Rows were kept by what is in the column “text”."),
        ({"step": "personal", "columns": ["text"]}, "Personal data that was found by pattern in “text”"),
    ],
)
def test_each_step_is_described(step: Json, part: str) -> None:
    assert part in description(read_steps([step]))


def test_the_fields_of_records_say_how_balanced_the_answered_ones_are() -> None:
    table = answered(DESIGN, "META_TASK_GROUP_ID")
    assert design_facts(table) == (
        "24 answered records compare two of 3 systems, each pair of systems 8 times. Each system stood on "
        "the left in 50% of its comparisons. Differences between systems are estimated 100% as precisely "
        "as by a complete design. The right answers about 4 answered records are known. 4 answers about "
        "repeated records say only how far participants agree with themselves."
    )


def test_sets_and_strata_are_described_by_their_fields() -> None:
    sets: list[Json] = [
        {"step": "sets", "item": "output", "shown": ["output"], "size": 3, "repeats": 2},
        {"step": "pilot", "size": 4},
    ]
    assert design_facts(answered(sets)) == (
        "16 answered records are sets of 3 of 24 items, each of which is shown 2 times. Each pair of items "
        "is together 0 to 1 times. Answered records by part of the sample: “main” 12, “pilot” 4."
    )


def test_the_report_has_the_design_before_the_analysis() -> None:
    html = report(analyse(answered(DESIGN), AnalysisSettings()), {"batchwright": "1.2"}, design=TEXT)
    assert html.index("<h3>Design</h3>") < html.index("(seed 7)") < html.index("<h3>Analysis</h3>")
    assert "24 answered records compare two of 3 systems" in html
    plain = analyse(table_of([record("p", "t", "better", "a")]), AnalysisSettings())
    assert "<h3>Design</h3>" not in report(plain, {"batchwright": "1.2"})
