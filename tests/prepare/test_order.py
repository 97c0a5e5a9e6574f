"""In any order, steps say why they cannot stand there, or what they have written about records is true."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.base.json_values import Json, JsonObject
from batchwright.prepare.columns import (
    BLOCK,
    COPY_OF,
    GOLD_ANSWER,
    IS_SHARED,
    LANGUAGE,
    PAIR_ID,
    RECORD_ID,
    SAMPLE,
    STRATUM,
    SYSTEM_LEFT,
    SYSTEM_RIGHT,
    WEIGHT,
)
from batchwright.prepare.order import MadeStep, order_problem
from batchwright.prepare.preparation import STEPS, make_step, read_step
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.steps.languages import KeepLanguages
from batchwright.prepare.steps.sides import DrawSides
from batchwright.prepare.tables import PreparedTable, Record
from batchwright.schema.model import GROUPING_COLUMN
from tests.prepare.tables import rows, table_of

ENTRIES: Sequence[JsonObject] = (
    {"step": "rows", "outputs": ["A", "B", "C"]},
    {"step": "pairs", "prompt": "prompt", "system": "system", "outputs": ["output"]},
    {"step": "sides"},
    {"step": "sets", "item": "output", "shown": ["output"], "size": 3, "repeats": 2},
    {"step": "sample", "size": 20, "stratum": "topic", "sizes": "equal"},
    {"step": "pilot", "size": 3, "together": "prompt"},
    {"step": "checks", "answers": ["left", "right"], "texts": {"prompt": "Choose {answer}."}},
    {"step": "groups", "size": 6, "shared": 1, "repeats": 1, "order": "blocked", "block": "topic"},
    {"step": "known"},
    {"step": "rename", "column": "output_left", "name": "renamed"},
    {"step": "leave_out", "column": "A"},
    {"step": "read", "column": "number", "type": "number"},
    {"step": "split", "column": "output_left", "separator": " says ", "names": ["first", "rest"]},
    {"step": "join", "joined": ["prompt", "output_right"], "separator": ": ", "name": "joined"},
    {"step": "fill", "column": "title", "template": "{output_left}"},
    {"step": "replace", "column": "topic", "values": {"topic 1": "topic 2"}},
    {"step": "cut", "column": "output_left", "longest": 12},
    {"step": "filter", "column": "topic", "without": ["topic 0"]},
    {"step": "language", "column": "output_left"},
    {"step": "personal", "columns": ["output_right"]},
)
"""A step of each kind."""
OTHERS: Sequence[JsonObject] = (
    {"step": "sample", "size": 9},
    {"step": "pilot", "size": 4, "use": "main"},
    {"step": "groups", "size": 5},
    {"step": "filter", "column": GROUPING_COLUMN, "without": ["1"]},
    {"step": "rename", "column": "output_right", "name": "renamed_right"},
    {"step": "fill", "column": "title_right", "template": "{output_right}"},
)
QUICK = [entry for entry in (*ENTRIES, *OTHERS) if entry["step"] != "language"]
"""Those that load no model of languages."""
WIDE: Sequence[JsonObject] = [
    {
        "prompt": f"Question {number}",
        "number": str(number),
        "topic": f"topic {number % 3}",
        **{system: f"{system} says {number}, at length" for system in "ABC"},
    }
    for number in range(12)
]
OF_RECORDS = (BLOCK, COPY_OF, GOLD_ANSWER, GROUPING_COLUMN, IS_SHARED, RECORD_ID, SAMPLE, STRATUM, WEIGHT)


class Preparation:
    """The table after some steps; those that cannot be made are left out."""

    def __init__(
        self, table: PreparedTable, made: Iterable[MadeStep] = (), names: Iterable[str] = ()
    ) -> None:
        self.table, self.made, self.names = table, [*made], [*names]

    def after(self, *entries: JsonObject) -> "Preparation":
        result = Preparation(self.table, self.made, self.names)
        for entry in entries:
            step = read_step(entry, len(result.made) + 1)
            with suppress(StepProblem):
                result.table = make_step(step, result.table, result.made).table
                result.names.append(str(entry["step"]))
        return result


def require_truth(table: PreparedTable) -> None:
    records = [*table.all_rows()]
    assert not {f"{name}_{part}" for name in OF_RECORDS for part in ("left", "right", "a")} & {*table.columns}
    for record in records:
        require_sides(record)
        require_answer(record, table.columns)
        if BLOCK in record and "topic" in record:
            assert record[BLOCK] == record["topic"] or {record[BLOCK], record["topic"]} == {
                "topic 1",
                "topic 2",
            }
    require_copies(records)
    require_shared(records)
    pairs = [record[PAIR_ID] for record in records if PAIR_ID in record and RECORD_ID not in record]
    assert len({*pairs}) == len(pairs)


def require_sides(record: Record) -> None:
    """What was made of a side is that of its system."""
    if SYSTEM_LEFT not in record:
        return
    for system, columns in (
        (record[SYSTEM_LEFT], ("output_left", "renamed", "title", "first", "renamed_left")),
        (record[SYSTEM_RIGHT], ("output_right", "renamed_right", "title_right")),
    ):
        for column in columns:
            assert str(record.get(column, system)).startswith(str(system)), column
    if "joined" in record:
        assert f": {record[SYSTEM_RIGHT]} says" in str(record["joined"])


def require_answer(record: Record, columns: Sequence[str]) -> None:
    """A known answer is that of its text, and counts nothing in a weighted sample."""
    if GOLD_ANSWER in record:
        assert record["prompt"] == f"Choose {record[GOLD_ANSWER]}."
        assert record.get(WEIGHT) == ("0" if WEIGHT in columns else None)


def require_copies(records: Sequence[Record]) -> None:
    """A copy follows its record in the same group, and nobody meets a known answer twice in a group."""
    first = dict[tuple[Json, Json], Record]()
    for record in records:
        if COPY_OF in record:
            original = first[record.get(GROUPING_COLUMN), record[COPY_OF]]
            assert {**record, COPY_OF: None} == {**original, COPY_OF: None}
        elif RECORD_ID in record:
            first[record.get(GROUPING_COLUMN), record[RECORD_ID]] = record
    answers = Counter(
        (record[GROUPING_COLUMN], record[GOLD_ANSWER])
        for record in records
        if GOLD_ANSWER in record and GROUPING_COLUMN in record
    )
    assert {*answers.values()} <= {1}


def require_shared(records: Sequence[Record]) -> None:
    """What is in every group is in every group."""
    groups = {record[GROUPING_COLUMN] for record in records if GROUPING_COLUMN in record}
    of_shared = dict[Json, set[Json]]()
    for record in records:
        if IS_SHARED in record:
            of_shared.setdefault(record[RECORD_ID], set()).add(record[GROUPING_COLUMN])
    assert all(found == groups for found in of_shared.values())


def test_there_is_a_step_of_each_kind() -> None:
    assert {entry["step"] for entry in ENTRIES} == {*STEPS}


PIPELINE = ("rows", "sample", "pilot", "pairs", "sides", "checks", "groups", "known")
BY_NAME: Mapping[str, JsonObject] = {str(entry["step"]): entry for entry in ENTRIES}


def usual(count: int) -> Preparation:
    return Preparation(table_of(WIDE)).after(*(BY_NAME[name] for name in PIPELINE[:count]))


def test_the_usual_order_is_possible() -> None:
    preparation = usual(len(PIPELINE))
    assert [*PIPELINE] == preparation.names
    require_truth(preparation.table)


@pytest.mark.parametrize("count", range(1, len(PIPELINE)))
def test_any_two_steps_behind_the_usual_ones_say_why_not_or_leave_the_truth(count: int) -> None:
    before = usual(count)
    for entry in QUICK:
        one = before.after(entry)
        require_truth(one.table)
        for other in QUICK if len(one.names) > count else ():
            two = one.after(other)
            if len(two.names) > len(one.names):
                require_truth(two.table)


@settings(max_examples=40)
@given(st.permutations(QUICK))
def test_steps_in_any_order_say_why_not_or_leave_the_truth(entries: Sequence[JsonObject]) -> None:
    preparation = Preparation(table_of(WIDE)).after(*entries)
    require_truth(preparation.table)
    rows(preparation.table)


def test_the_language_of_one_side_is_named_once_sides_are_drawn() -> None:
    sides = ("output_left", "output_right")
    named = MadeStep(KeepLanguages("output_left"), sides)
    problem = order_problem(DrawSides(), [named], (*sides, LANGUAGE))
    assert problem == (
        "“META_LANGUAGE” was made of the columns of one side by step 1 (Language), and would not change "
        "sides with them. Move this step before that one."
    )
    of_prompt = MadeStep(KeepLanguages("prompt"), ("prompt", *sides))
    assert not order_problem(DrawSides(), [of_prompt], ("prompt", *sides, LANGUAGE))


@pytest.mark.parametrize(
    ("names", "step", "problem"),
    [
        (PIPELINE[:4], {"step": "rows", "outputs": ["number"]}, "Move this step before step 4 (Pairs), "),
        (
            ("rows", "sides"),
            {"step": "sides"},
            "There are no pairs yet: add the step “Pairs”, and move it before this one.",
        ),
        (("rows", "groups"), {"step": "sample", "size": 3}, "Move this step before step 2 (Task groups), "),
        (PIPELINE[:6], {"step": "pilot", "size": 3}, "Move this step before step 6 (Attention checks), "),
        (
            ("groups",),
            {"step": "groups"},
            "Step 1 (Task groups) does the same already. Remove one of the two.",
        ),
        (
            ("rows", "sample"),
            {"step": "sample", "size": 3, "stratum": "topic", "sizes": "equal"},
            "Step 2 (Sample) has given weights to the rows, which this step would replace.",
        ),
        (
            PIPELINE[:7],
            {"step": "known", "answer": "number"},
            "Step 5 (Sides) may have exchanged sides that known answers name.",
        ),
    ],
)
def test_a_step_that_cannot_stand_there_names_the_one_that_it_must_precede(
    names: Sequence[str], step: JsonObject, problem: str
) -> None:
    before = Preparation(table_of(WIDE)).after(*(BY_NAME[name] for name in names))
    with pytest.raises(StepProblem) as raised:
        make_step(read_step(step, 9), before.table, before.made)
    assert str(raised.value).startswith(problem)


@pytest.mark.parametrize("column", [SAMPLE, WEIGHT])
def test_outputs_that_are_compared_are_in_the_same_part_and_have_the_same_weight(column: str) -> None:
    step: JsonObject = {"step": "pilot", "size": 9}
    if column == WEIGHT:
        step = {
            "step": "sample",
            "size": 30,
            "stratum": "system",
            "sizes": "given",
            "given": [["A", 3], ["B", 9]],
        }
    before = Preparation(table_of(WIDE)).after(BY_NAME["rows"], step)
    with pytest.raises(StepProblem, match=f"The rows of a “prompt” differ in “{column}”, of which a pair"):
        make_step(read_step(BY_NAME["pairs"], 9), before.table, before.made)


def test_rows_whose_known_answer_may_be_a_side_keep_their_sides() -> None:
    sides = {SYSTEM_LEFT: "A", SYSTEM_RIGHT: "B", "output_left": "a", "output_right": "b"}
    records: list[JsonObject] = [
        {**sides, GOLD_ANSWER: "left"} if number < 9 else {**sides} for number in range(19)
    ]
    result = DrawSides()(table_of(records))
    after = [*result.table.all_rows()]
    assert after[:9] == records[:9]
    assert sorted(str(record[SYSTEM_LEFT]) for record in after[9:]) == ["A"] * 5 + ["B"] * 5
    assert result.notes == ("9 rows with known answers stay as they are, since the answers may be sides.",)
