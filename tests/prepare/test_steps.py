"""The steps of a preparation with small tables: the truth about every record is found again."""

import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from typing_extensions import override

from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.conversion.column_edits import FillColumn, RenameColumn
from batchwright.prepare.columns import (
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
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.steps import groups
from batchwright.prepare.steps.columns import ChangeColumn, CutTexts, KeepRows, MapValues
from batchwright.prepare.steps.groups import TaskGroups
from batchwright.prepare.steps.item_sets import ItemSets
from batchwright.prepare.steps.known_answers import AttentionChecks, KnownAnswers
from batchwright.prepare.steps.languages import KeepLanguages
from batchwright.prepare.steps.long_table import OutputsInRows
from batchwright.prepare.steps.pairs import ComparePairs, PairChoice
from batchwright.prepare.steps.personal_data import RemovePersonalData
from batchwright.prepare.steps.samples import HoldOutPilot, PilotUse, SampleRows, StrataSizes
from batchwright.prepare.steps.sides import DrawSides
from batchwright.prepare.steps.step import Step, StepResult
from batchwright.prepare.tables import Record, RecordsTable
from batchwright.schema.item_sets import SET_ID, identity_column
from batchwright.schema.model import GROUPING_COLUMN
from tests.prepare.tables import outputs, rows, table_of

PAIRS = ComparePairs("prompt", "system", ("output",))
CHECKS = AttentionChecks(("left", "right"), {"output_left": "Choose {answer}."})


def after(records: Sequence[JsonObject], *steps: Step) -> list[Record]:
    """The records after some steps."""
    result = StepResult(table_of(records))
    for step in steps:
        result = step(result.table)
    return rows(result.table)


def require_truth(record: Record) -> None:
    """Each output stands on the side of the system that it is from."""
    for side, system in (("left", SYSTEM_LEFT), ("right", SYSTEM_RIGHT)):
        number = str(record["prompt"]).removeprefix("Question ")
        assert record[f"output_{side}"] == f"{record[system]} says {number}"


def test_pairs_of_a_long_table_have_both_outputs_and_what_they_share() -> None:
    (record, *others) = after(outputs(2, "AB"), PAIRS)
    assert record == {
        "prompt": "Question 0",
        "topic": "topic 0",
        "output_left": "A says 0",
        "output_right": "B says 0",
        SYSTEM_LEFT: "A",
        SYSTEM_RIGHT: "B",
        PAIR_ID: "1",
    }
    assert len(others) == 1


@pytest.mark.parametrize(
    ("step", "count"),
    [
        (PAIRS, 60),
        (replace(PAIRS, choice=PairChoice.PER_PROMPT, amount=2), 20),
        (replace(PAIRS, choice=PairChoice.BUDGET, amount=23), 23),
        (replace(PAIRS, choice=PairChoice.BUDGET, amount=24, block="topic"), 24),
        (replace(PAIRS, choice=PairChoice.REFERENCE, reference="B"), 30),
    ],
)
def test_every_choice_of_pairs_keeps_the_truth_whatever_sides_are_drawn(
    step: ComparePairs, count: int
) -> None:
    records = after(outputs(10, "ABCD"), step, DrawSides(seed=3))
    assert len(records) == count
    for record in records:
        require_truth(record)
    systems = Counter(str(record[SYSTEM_LEFT]) for record in records)
    systems.subtract(str(record[SYSTEM_RIGHT]) for record in records)
    assert max(map(abs, systems.values())) <= 1
    assert [record[PAIR_ID] for record in records] == [str(number + 1) for number in range(count)]


def test_columns_that_differ_between_outputs_stand_on_both_sides() -> None:
    records: list[JsonObject] = [{**record, "tokens": len(str(record))} for record in outputs(1, "A")]
    records += [{**record, "tokens": 7} for record in outputs(1, "B")]
    (record,) = after(records, PAIRS)
    assert record["tokens_right"] == 7
    assert "tokens" not in record


def test_missing_and_repeated_outputs_are_named() -> None:
    records = [*outputs(3, "ABC")[:-1], outputs(1, "A")[0], {"prompt": "Question 9"}]
    result = PAIRS(table_of(records))
    assert len(rows(result.table)) == 3 + 3 + 1
    assert [note.rstrip(".") for note in result.notes[:3]] == [
        "1 row repeats a prompt and a system, and is left out",
        "1 row without a prompt or a system is left out",
        "2 prompts have no output of some systems: “Question 2” (C), “Question 9” (A, B, C)",
    ]
    counts = {(row.subject, row.name): row.count for row in result.balance}
    assert counts["Comparisons of a pair", "A | B"] == 3
    assert counts["Comparisons of a system", "C"] == 4


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (replace(PAIRS, prompt="question"), "There is no column “question”."),
        (DrawSides("", ""), "Choose a column."),
        (OutputsInRows(()), "Choose a column."),
        (replace(PAIRS, choice=PairChoice.REFERENCE, reference="Z"), "“Z” is not in the column “system”."),
        (replace(PAIRS, prompt="output"), "No prompt has outputs of two systems."),
        (DrawSides(), "There are no pairs yet: add the step “Pairs”, and move it before this one."),
        (DrawSides("system", "topic"), "No columns have names that differ by “left” and “right” only."),
        (ItemSets("output", ("output",), size=6), "A set has 3 to 5 items."),
        (ItemSets("topic", ("topic",), size=4), "There are 3 different items, fewer than in a set."),
        (SampleRows(3, "topic", StrataSizes.GIVEN, (("x", 3),)), "“x” is not in the column “topic”."),
        (TaskGroups(0), "A group has at least one row."),
        (TaskGroups(4, repeats=3), "At most half of the rows of a group can be repeated."),
        (TaskGroups(4, shared=12), "There are no rows to divide among groups."),
        (CutTexts("output", 1), "The texts must be longer than their ending."),
        (
            KeepLanguages("output", ("en", "xx")),
            "“xx” is not the code of a language, such as “en”, “de” or “ja”.",
        ),
        (KnownAnswers(), "Divide the rows among task groups first, then mix in known answers."),
    ],
)
def test_a_step_that_cannot_be_made_says_why(step: Step, problem: str) -> None:
    with pytest.raises(StepProblem) as raised:
        step(table_of(outputs(4, "ABC")))
    assert str(raised.value) == problem


def test_rows_without_an_output_are_not_compared() -> None:
    records = [
        {name: value for name, value in record.items() if (name, value) != ("output", "B says 1")}
        for record in outputs(2, "ABC")
    ]
    result = PAIRS(table_of(records))
    assert result.notes[:2] == (
        "1 row without an output is left out.",
        "1 prompt has no output of some systems: “Question 1” (B).",
    )
    assert all({"output_left", "output_right"} <= record.keys() for record in rows(result.table))
    assert result.table.length == 4
    media = [{**record, "image": "https://example.org/1.png"} for record in records]
    assert replace(PAIRS, outputs=("output", "image"))(table_of(media)).table.length == 6


@pytest.mark.parametrize("place", [0, 4])
def test_a_system_without_prompt_or_output_is_not_among_those_compared(place: int) -> None:
    for extra in ({"system": "Z", "output": "text"}, {"system": "Z", "prompt": "Question 0"}):
        records: list[JsonObject] = [*outputs(2, "AB")]
        records.insert(place, extra)
        result = PAIRS(table_of(records))
        assert {row.name for row in result.balance} == {"A", "B", "A | B"}
        assert "estimated 100% as precisely" in result.notes[-1]


def test_many_columns_of_a_short_table_are_compared_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    wide: JsonObject = {f"column {number}": number for number in range(200)}
    table, made = table_of({**record, **wide} for record in outputs(20, "AB")), list[int]()

    def counted_rows(indexes: np.ndarray) -> list[Record]:
        made.append(len(indexes))
        return RecordsTable.rows(table, indexes)

    monkeypatch.setattr(table, "rows", counted_rows)
    assert "column 199" in PAIRS(table).table.columns
    assert sum(made) <= 3 * table.length


def test_outputs_in_columns_become_rows() -> None:
    wide: list[JsonObject] = [{"prompt": "x", "gpt": "1", "llama": "2"}, {"prompt": "y", "llama": "3"}]
    assert after(wide, OutputsInRows(("gpt", "llama"))) == [
        {"prompt": "x", "system": "gpt", "output": "1"},
        {"prompt": "x", "system": "llama", "output": "2"},
        {"prompt": "y", "system": "llama", "output": "3"},
    ]


def test_an_output_in_columns_may_be_called_like_the_new_column() -> None:
    wide: list[JsonObject] = [{"prompt": "x", "output": "1", "llama": "2"}]
    assert after(wide, OutputsInRows(("output", "llama"))) == [
        {"prompt": "x", "system": "output", "output": "1"},
        {"prompt": "x", "system": "llama", "output": "2"},
    ]


@pytest.mark.parametrize(
    ("step", "column"),
    [
        (OutputsInRows(("reference", "system")), "system"),
        (OutputsInRows(("reference", "prompt"), system="text", output="text"), "text"),
        (OutputsInRows(("reference", "prompt"), output="system"), "system"),
        (OutputsInRows(("reference", "system"), system="new", output="prompt"), "prompt"),
    ],
)
def test_outputs_in_columns_are_not_replaced_by_a_new_column(step: OutputsInRows, column: str) -> None:
    wide: list[JsonObject] = [{"prompt": "x", "reference": "1", "system": "2"}]
    with pytest.raises(StepProblem, match=f"There is a column “{column}” already."):
        step(table_of(wide))


@pytest.mark.parametrize("column", ["output_left", "output_right", SYSTEM_LEFT])
@pytest.mark.parametrize("is_first", [True, False])
def test_pairs_do_not_replace_a_column(column: str, *, is_first: bool) -> None:
    other: JsonObject = {column: "margin note"}
    records = [{**other, **record} if is_first else {**record, **other} for record in outputs(2, "AB")]
    with pytest.raises(StepProblem, match=f"There is a column “{column}” already."):
        PAIRS(table_of(records))


def test_columns_whose_names_differ_by_case_change_sides_on_their_own() -> None:
    names = ("text_{}", "Text_{}", "{}_text", "{}_Text")
    table = [
        {
            SYSTEM_LEFT: "A",
            SYSTEM_RIGHT: "B",
            **{name.format("left"): f"A{name}{row}" for name in names},
            **{name.format("right"): f"B{name}{row}" for name in names},
        }
        for row in range(6)
    ]
    for row, record in enumerate(after(table, DrawSides())):
        for side, system in (("left", SYSTEM_LEFT), ("right", SYSTEM_RIGHT)):
            assert [record[name.format(side)] for name in names] == [
                f"{record[system]}{name}{row}" for name in names
            ]


def test_sides_of_thousands_of_systems_are_counted_in_little_memory() -> None:
    outputs_of_two = {"text_left": "x", "text_right": "y"}
    table = table_of({"a": f"a{n}", "b": f"b{n}", **outputs_of_two} for n in range(2000))
    tracemalloc.start()
    balance = DrawSides("a", "b")(table).balance
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(balance) == 3 * 4000
    assert peak < 50_000_000


def test_records_are_needed_beside_those_with_known_answers() -> None:
    """Groups of all rows, since another column has the known answers."""
    grouped = TaskGroups(4)(table_of(outputs(4, "A"))).table
    with pytest.raises(StepProblem, match="no rows to divide among groups"):
        KnownAnswers(answer="output")(grouped)


def test_sets_have_different_items_with_their_ids() -> None:
    records = after(outputs(6, "AB"), ItemSets("output", ("prompt",), size=4, repeats=2))
    assert len(records) == 6
    for record in records:
        shown = [record[f"prompt_{letter}"] for letter in "abcd"]
        ids = [record[identity_column(letter)] for letter in "abcd"]
        assert len(set(ids)) == 4
        assert [str(item)[-1] for item in ids] == [str(prompt)[-1] for prompt in shown]
    assert [record[SET_ID] for record in records] == [str(number) for number in range(1, 7)]
    for letter in "abcd":
        assert {*Counter(record[identity_column(letter)] for record in records).values()} == {1}


@pytest.mark.parametrize(
    ("size", "note"),
    [
        (12, "Each known answer is in one group only: no participant meets it twice."),
        (
            6,
            "A known answer is in up to 2 groups: a participant who answers several of them may meet it",
        ),
    ],
)
def test_it_is_said_whether_a_participant_may_meet_a_known_answer_twice(size: int, note: str) -> None:
    """24 prompts make two groups of 12, or four of 6; there are two known answers."""
    result = StepResult(table_of([*outputs(24, "A")]))
    for step in (AttentionChecks(("yes", "no"), {"output": "{answer}"}), TaskGroups(size), KnownAnswers()):
        result = step(result.table)
    (found,) = result.notes
    assert found.startswith(note)


def test_samples_have_their_sizes_and_name_their_strata() -> None:
    table = outputs(30, "AB")
    assert len(after(table, SampleRows(7))) == 7
    records = after(table, SampleRows(9, "topic"))
    assert Counter(record["topic"] for record in records) == dict.fromkeys(
        ("topic 0", "topic 1", "topic 2"), 3
    )
    assert all(record[STRATUM] == record["topic"] for record in records)
    given = after(table, SampleRows(0, "topic", StrataSizes.GIVEN, (("topic 1", 4),)))
    assert [record["topic"] for record in given] == ["topic 1"] * 4
    assert not any(WEIGHT in record for record in records)
    uneven = [*outputs(6, "A"), *outputs(6, "AB")]
    sample = SampleRows(6, "system", StrataSizes.EQUAL)
    weights = {(record[STRATUM], record[WEIGHT]) for record in after(uneven, sample)}
    assert weights == {("A", "4"), ("B", "2")}
    checks = AttentionChecks(("left",), {"output": "Choose {answer}."})
    assert [record[WEIGHT] for record in after(uneven, sample, checks)][-1] == "0"
    assert len(after(table, SampleRows(100, distinct=("prompt",)))) == 30


def test_rows_without_the_values_that_identify_duplicates_are_all_used() -> None:
    table: list[JsonObject] = [
        {"id": 1, "a": "x"},
        {"id": 2},
        {"id": 3, "a": "x"},
        {"id": 4},
        {"id": 5, "b": "y"},
    ]
    result = SampleRows(9, distinct=("a", "b"))(table_of([*table, {"id": 6, "b": "y"}]))
    assert [record["id"] for record in rows(result.table)] == [1, 2, 4, 5]
    assert result.notes[0] == "2 rows repeat others, and are left out."


def test_a_pilot_that_is_larger_than_the_table_is_named() -> None:
    table = table_of(outputs(3, "AB"))
    assert HoldOutPilot(9)(table).notes == ("There are only 6 rows, fewer than 9.",)
    notes = HoldOutPilot(4, together="prompt")(table).notes
    assert notes == ("There are only 3 values of “prompt”, fewer than 4.",)
    assert not HoldOutPilot(6)(table).notes


def test_a_pilot_and_the_main_study_share_no_prompt() -> None:
    parts = {
        use: after(outputs(10, "AB"), HoldOutPilot(3, use, together="prompt", seed=5)) for use in PilotUse
    }
    pilot, main = ({record["prompt"] for record in parts[use]} for use in (PilotUse.PILOT, PilotUse.MAIN))
    assert len(pilot) == 3
    assert pilot.isdisjoint(main)
    marked = {record["prompt"] for record in parts[PilotUse.MARKED] if record[SAMPLE] == "pilot"}
    assert marked == pilot


def groups_of(records: list[Record]) -> dict[Json, list[Record]]:
    groups: dict[Json, list[Record]] = {}
    for record in records:
        groups.setdefault(record[GROUPING_COLUMN], []).append(record)
    return groups


def test_groups_with_shared_and_repeated_records_and_known_answers_lose_nothing() -> None:
    steps = (PAIRS, DrawSides(), CHECKS, TaskGroups(6, apart="prompt", shared=1, repeats=1), KnownAnswers(2))
    records = after(outputs(12, "ABC"), *steps)
    groups = groups_of(records)
    for group in groups.values():
        assert [record.get(GOLD_ANSWER) for record in group if GOLD_ANSWER in record] in (
            ["left", "right"],
            ["right", "left"],
        )
        assert sum(IS_SHARED in record and COPY_OF not in record for record in group) == 1
        (copy,) = [record for record in group if COPY_OF in record]
        original = next(record for record in group if record[RECORD_ID] == copy[COPY_OF])
        assert group.index(original) < group.index(copy)
        assert {**copy, COPY_OF: None} == {**original, COPY_OF: None}
        own = [r["prompt"] for r in group if GOLD_ANSWER not in r and COPY_OF not in r and IS_SHARED not in r]
        assert len(set(own)) == len(own)
    ids = {record[PAIR_ID] for record in records if PAIR_ID in record}
    assert len(ids) == 36
    for record in records:
        if PAIR_ID in record:
            require_truth(record)


def test_a_topic_has_groups_of_its_own() -> None:
    groups = groups_of(after(outputs(12, "AB"), TaskGroups(0, topic="topic")))
    assert sorted(len(group) for group in groups.values()) == [8, 8, 8]
    assert all(len({record["topic"] for record in group}) == 1 for group in groups.values())
    assert len(groups_of(after(outputs(12, "AB"), TaskGroups(5, topic="topic")))) == 6


def test_rows_of_a_topic_are_kept_apart_if_it_has_enough_groups() -> None:
    result = TaskGroups(4, topic="topic", apart="prompt")(table_of(outputs(24, "AB")))
    groups = groups_of(rows(result.table)).values()
    assert all(len({record["prompt"] for record in group}) == len(group) == 4 for group in groups)
    assert result.notes == ()


def test_rows_that_would_be_shared_millions_of_times_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "MAX_SHARED", 9)
    table = table_of(outputs(11, "A"))
    assert TaskGroups(3, shared=2)(table).table.length == 3 * 5
    with pytest.raises(StepProblem, match=r"^Shared rows would be there 12 times in all\."):
        TaskGroups(2, shared=3)(table)


def test_groups_that_are_too_small_for_all_repeated_rows_are_counted() -> None:
    result = TaskGroups(10, repeats=5)(table_of(outputs(11, "A")))
    assert result.notes == ("In 2 groups, fewer than 5 rows come again: at most half of a group does.",)
    assert not TaskGroups(10, repeats=5)(table_of(outputs(10, "A"))).notes
    topics = TaskGroups(0, topic="topic", repeats=3)(table_of(outputs(16, "A")))
    assert topics.notes == ("In 2 groups, fewer than 3 rows come again: at most half of a group does.",)


def test_known_answers_that_are_in_no_group_yet_are_named() -> None:
    result = TaskGroups(5)(CHECKS(PAIRS(table_of(outputs(5, "AB"))).table).table)
    assert result.notes == (
        "2 rows with known answers are in no group yet. Add the step “Known answers” behind this one.",
    )


def test_attention_checks_behind_groups_are_in_no_group_yet() -> None:
    grouped = TaskGroups(5)(PAIRS(table_of(outputs(5, "AB"))).table).table
    assert CHECKS(grouped).notes[0].startswith("2 rows with known answers are in no group yet.")


def test_columns_are_changed_among_other_steps() -> None:
    rename = ChangeColumn(RenameColumn("output", "answer"))
    fill = ChangeColumn(FillColumn("title", "{prompt} by {system}"))
    records = after(outputs(2, "AB"), fill, rename, ComparePairs("prompt", "system", ("answer",)))
    assert [record["answer_left"] for record in records] == ["A says 0", "A says 1"]
    assert [record["title_right"] for record in records] == ["Question 0 by B", "Question 1 by B"]


def test_values_are_replaced_and_counted() -> None:
    step = MapValues("system", {"A": "ours", "B": "", "Z": "none"})
    result = step(table_of(outputs(2, "ABC")))
    assert [record.get("system") for record in rows(result.table)] == ["ours", None, "C"] * 2
    assert result.notes == ("“Z” is not in the column.",)
    assert [(row.name, row.count) for row in result.balance] == [("A → ours", 2), ("B → ", 2)]


def test_several_values_that_are_not_in_the_column_are_one_note() -> None:
    result = MapValues("a", {f"value {number}": "" for number in range(9)})(table_of([{"a": "value 8"}]))
    named = ", ".join(f"“value {number}”" for number in range(5))
    assert result.notes == (f"8 values are not in the column: {named}, ….",)


class CountedText(str):
    """A text that counts how often it is compared."""

    __hash__ = str.__hash__
    compared = 0

    @override
    def __eq__(self, other: object) -> bool:
        CountedText.compared += 1
        return str.__eq__(self, other)


@pytest.mark.parametrize(
    "step",
    [
        lambda texts: KeepRows("a", values=texts),
        lambda texts: KeepRows("a", without=texts),
        lambda texts: MapValues("a", dict.fromkeys(texts, "new")),
        lambda texts: SampleRows(9, "a", StrataSizes.GIVEN, tuple((text, 1) for text in texts)),
    ],
)
def test_many_values_are_looked_up_and_not_compared_one_by_one(
    step: Callable[[tuple[str, ...]], Step], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CountedText, "compared", 0)
    texts = tuple(CountedText(f"value {number}") for number in range(1000))
    assert step(texts)(table_of({"a": str(text)} for text in texts)).table.length in (0, 1000)
    assert CountedText.compared <= 3 * len(texts)


def test_rows_are_kept_by_length_and_value() -> None:
    table: list[JsonObject] = [{"t": "a"}, {"t": "abc"}, {"t": "abcdef"}, {"other": "x"}, {"t": "bad"}]
    step = KeepRows("t", shortest=2, longest=4, without=("bad",))
    assert after(table, step) == [{"t": "abc"}]
    assert step(table_of(table)).notes == ("4 rows are left out.",)
    assert after(table, KeepRows("t", values=("a", "bad"))) == [{"t": "a"}, {"t": "bad"}]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Five words are in this.", "Five words are…"),
        ("Fifteen letters", "Fifteen letters"),
        ("Fifteen letters.", "Fifteen…"),
        ("Donaudampfschifffahrt", "Donaudampfschi…"),
        ("A  Donaudampfschifffahrt", "A…"),
    ],
)
def test_texts_are_cut_behind_a_word(text: str, cut: str) -> None:
    result = CutTexts("a", 15)(table_of([{"a": text}, {"b": 1}]))
    assert rows(result.table) == [{"a": cut}, {"b": 1}]
    assert result.notes == (("0 texts are cut." if cut == text else "1 text is cut."),)


ENGLISH, GERMAN = (
    "The capital of France is a large city.",
    "Die Hauptstadt von Frankreich ist eine große Stadt.",
)
LANGUAGES: list[JsonObject] = [{"a": ENGLISH}, {"a": GERMAN}, {"a": "Ok"}, {}, {"a": ENGLISH}]


def test_a_long_text_without_spaces_is_cut_where_it_is_too_long() -> None:
    for text in ("GPT 模型的回答" + "非常好" * 50, "See https://example.org/" + "a" * 150):
        (record,) = after([{"a": text}], CutTexts("a", 100))
        assert record == {"a": f"{text[:99]}…"}


def test_rows_are_kept_by_language() -> None:
    result = KeepLanguages("a", ("en",))(table_of(LANGUAGES))
    kept = [{"a": ENGLISH, LANGUAGE: "en"}, {"a": "Ok"}, {}, {"a": ENGLISH, LANGUAGE: "en"}]
    assert rows(result.table) == kept
    assert result.notes == ("1 row is left out.",)
    assert {row.name: row.count for row in result.balance} == {"de": 1, "en": 2, "(unknown)": 2}


def test_rows_in_unknown_languages_are_left_out_on_request() -> None:
    result = KeepLanguages("a", ("de",), keeps_unknown=False)(table_of(LANGUAGES))
    assert rows(result.table) == [{"a": GERMAN, LANGUAGE: "de"}]


@pytest.mark.parametrize(
    ("text", "removed"),
    [
        ("Write to ann.b+c@mail.example.org, please.", "Write to [email], please."),
        ("Call +49 (30) 1234-567 or 030/1234567.", "Call [phone] or [phone]."),
        ("In 2024, 12345678 of 0.123456789 were 1,000,000.", None),
        ("Order 0123, version 10.0.123.1", None),
        ("Born 01.02.1990, seen 03/11/2024 and 04-05-24 10:30, until 09.12.2025.", None),
        ("Call 03.12.34.56.78 or 02-11-2345678.", "Call [phone] or [phone]."),
    ],
)
def test_personal_data_with_a_pattern_is_replaced(text: str, removed: str | None) -> None:
    (record,) = after([{"t": text, "id": "ann@example.org"}], RemovePersonalData(("t",)))
    assert record == {"t": removed or text, "id": "ann@example.org"}


def test_personal_data_is_shown_before_it_is_replaced() -> None:
    records: list[JsonObject] = [{"t": "ann@example.org, ann@example.org"}, {"t": "bob@example.org"}, {}]
    result = RemovePersonalData(("t",))(table_of(records))
    assert result.notes == ("3 e-mail addresses in “t” are replaced.",)
    assert [(row.name, row.count) for row in result.balance] == [
        ("ann@example.org", 2),
        ("bob@example.org", 1),
    ]
