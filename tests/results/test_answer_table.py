"""The table of answers, the counts of options, and titles that distinguish records."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.results.answer_table import MAX_TITLE_CHARS, Answers, group_answers, titles_of
from batchwright.results.option_counts import count_all_options
from batchwright.results.questions import questions_of
from batchwright.wire.collections import CollectionResponse
from batchwright.wire.local_routes import simulated_participant
from batchwright.wire.responses import ResponseRecord

OPTIONS = [{"label": "One", "value": 1}, {"label": "Two", "value": "2"}, {"label": "No", "value": False}]
CHOICE = {
    "id": "q1",
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": -1,
    "options": OPTIONS,
}
TEXT = {"id": "q2", "type": "free_text", "description": "Why?"}
ITEMS: list[Any] = [{"rows": [{"columns": [{"items": [CHOICE, TEXT]}]}]}]


def record(
    question: str, *values: object, person: str = "p1", task: str = "t1", **more: object
) -> ResponseRecord:
    kind = "free_text" if question == "q2" else "multiple_choice"
    answer = [{"value": value} for value in values]
    response = {"instruction_id": question, "type": kind, "answer": answer}
    given = {
        "id": f"{person}{task}{question}",
        "participant_id": person,
        "task_id": task,
        "response": response,
    }
    return ResponseRecord.model_validate({**given, **more})


def test_questions_are_those_of_the_batch_in_reading_order() -> None:
    assert [item.title for item in questions_of(ITEMS).values()] == ["Which?", "Why?"]
    assert questions_of(None) == {}


def test_the_answers_of_one_person_to_one_task_are_one_row() -> None:
    answers = group_answers(
        [record("q1", 1, False), record("q2", "Because."), record("q2", "So.", task="t2")], ITEMS
    )
    assert len(answers.sheets) == 2
    assert (answers.count, answers.tasks, answers.participants) == (3, 2, ("p1",))
    texts = {id: answer.text for id, answer in answers.sheets[0].answers.items()}
    assert texts == {"q1": "One, No", "q2": "Because."}


def test_every_submission_to_a_collection_is_a_row() -> None:
    def answer(submission: str | None, text: str) -> CollectionResponse:
        response = {"instruction_id": "q2", "type": "free_text", "answer": [{"value": text}]}
        given = {"id": text, "participant_id": "p1", "submission_id": submission, "response": response}
        return CollectionResponse.model_validate(given)

    answers = group_answers([answer("s1", "First."), answer("s2", "Second."), answer(None, "Old.")], ITEMS)
    texts = {sheet.submission: sheet.answers["q2"].text for sheet in answers.sheets}
    assert texts == {"s1": "First.", "s2": "Second.", "": "Old."}
    assert (answers.count, answers.participants) == (3, ("p1",))
    first, second, _old = answers.sheets
    assert first.is_same_task(first)
    assert not first.is_same_task(second)


def test_the_newest_row_comes_first_and_is_recognised_by_its_hidden_value() -> None:
    old = record("q2", "Old", task="t1", created_at="2026-11-20T10:00:00.000Z")
    new = record(
        "q2", "New", task="t2", created_at="2026-11-20T11:00:00.000Z", metadata={"topic": "", "title": "Sky"}
    )
    answers = group_answers([old, new], ITEMS)
    assert [sheet.task_id for sheet in answers.sheets] == ["t2", "t1"]
    assert answers.sheets[0].title == "Sky"
    assert answers.newest == answers.sheets[0].answered_at


def test_an_answer_to_a_removed_question_is_preserved() -> None:
    answers = group_answers([record("gone", 3)], ITEMS)
    assert [question.id for question in answers.questions] == ["q1", "q2", "gone"]
    assert answers.sheets[0].answers["gone"].text == "3"


def test_simulated_participants_are_distinguished_from_people() -> None:
    answers = group_answers([record("q2", "x", person=simulated_participant(1, 2)), record("q2", "y")], ITEMS)
    assert [sheet.is_simulated for sheet in answers.sheets] == [True, False]


def test_option_values_are_counted_by_kind_and_value() -> None:
    records = [record("q1", 1.0), record("q1", 1, "2", person="p2"), record("q1", "1", person="p3")]
    (tally,) = count_all_options(group_answers(records, ITEMS))
    assert tally.answers == 3
    assert [(item.label, item.count) for item in tally.counts] == [
        ("One", 2),
        ("Two", 1),
        ("No", 0),
        ("1", 1),
    ]
    assert tally.share(tally.counts[0]) == 2 / 3


def test_without_answers_there_are_no_fractions() -> None:
    (tally,) = count_all_options(group_answers([], ITEMS))
    assert [tally.share(count) for count in tally.counts] == [0.0, 0.0, 0.0]
    assert Answers().newest is None


@given(st.lists(st.integers(min_value=0, max_value=30), max_size=60))
def test_condensed_counts_include_every_answer_and_show_the_largest(chosen: list[int]) -> None:
    options = [{"label": str(value), "value": value} for value in range(31)]
    items: list[Any] = [{"rows": [{"columns": [{"items": [{**CHOICE, "options": options}]}]}]}]
    (whole,) = count_all_options(
        group_answers([record("q1", value, person=str(n)) for n, value in enumerate(chosen)], items)
    )
    short = whole.condensed(8)
    assert len(short.counts) == 8
    assert sum(item.count for item in short.counts) == len(chosen)
    assert short.counts[0].count == max(item.count for item in whole.counts)
    assert whole.condensed(31) is whole


def test_the_field_with_the_most_distinct_values_is_the_title() -> None:
    records = {"t1": {"price": "61,5", "name": "Basil"}, "t2": {"price": "61,5", "name": "Mint"}}
    assert titles_of(records, ()) == {"t1": "Basil", "t2": "Mint"}


def test_a_displayed_field_is_preferred_to_equally_distinctive_metadata() -> None:
    records = {"t1": {"id": "1", "prompt": "Why?"}, "t2": {"id": "2", "prompt": "Where?"}}
    assert titles_of(records, ("prompt",)) == {"t1": "Why?", "t2": "Where?"}


def test_a_text_shared_by_all_records_is_not_a_title() -> None:
    records = {"t1": {"id": "1", "prompt": "Which?"}, "t2": {"id": "2", "prompt": "Which?"}}
    assert titles_of(records, ("prompt",)) == {"t1": "1", "t2": "2"}


def test_records_with_the_same_title_get_a_second_field() -> None:
    records = {
        "t1": {"topic": "a", "side": "left"},
        "t2": {"topic": "a", "side": "right"},
        "t3": {"topic": "b", "side": "left"},
        "t4": {"topic": "c", "side": "left"},
    }
    assert titles_of(records, ())["t2"] == "a · right"


def test_identical_records_are_distinguished_by_their_task() -> None:
    records = {
        "01a2-aaaabbbbcccc": {"topic": "kitchen"},
        "01a2-ddddeeeeffff": {"topic": "kitchen"},
        "01a2-111122223333": {"topic": "garden"},
    }
    assert list(titles_of(records, ()).values()) == ["kitchen · bbbbcccc", "kitchen · eeeeffff", "garden"]


def test_the_title_of_a_single_record_is_its_first_preferred_field() -> None:
    assert titles_of({"t1": {"id": "1", "prompt": "Why?"}}, ("prompt",)) == {"t1": "Why?"}


@settings(max_examples=30)
@given(st.dictionaries(st.text(max_size=3), st.dictionaries(st.text(max_size=2), st.text(max_size=400))))
def test_every_title_is_one_line_of_bounded_length(records: dict[str, dict[str, str]]) -> None:
    titles = titles_of(records, ())
    assert titles.keys() == records.keys()
    assert all(len(title) <= MAX_TITLE_CHARS and len(title.splitlines()) <= 1 for title in titles.values())
