"""Simulated participants about sets of items and repeated records, on pages as the service shows them."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest

from batchwright.api.participant_client import OpenPage
from batchwright.base.json_values import Json, JsonObject, is_object
from batchwright.layout.answers import GeneratedAnswer
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulatedParticipants

PARTICIPANTS = 12


def question(text: str, values: Sequence[Json]) -> JsonObject:
    """A single choice."""
    options: list[Json] = [{"label": f"This is {value}", "value": value} for value in values]
    return {"type": "multiple_choice", "description": text, "answer_limit": 1, "options": options}


BEST, WORST = question("Which is best?", "abc"), question("Which is worst?", "abc")


def page(record: int, *questions: JsonObject, set_size: int = 3, content: str = "") -> OpenPage:
    """A page about a record."""
    digest = f"record {record}"
    return OpenPage(
        "", "", f"t{record}", digest, 0, 1, 0, questions, content=content or digest, set_size=set_size
    )


def chosen(answer: GeneratedAnswer) -> Any:
    """The value of the only option of an answer."""
    (entry,) = answer
    assert is_object(entry)
    return entry["value"]


def answers_to(*questions: JsonObject, behaviour: Behaviour, set_size: int = 3) -> list[tuple[Any, ...]]:
    """What every participant chooses on a page about each of 30 records."""
    simulation = SimulatedParticipants("", 7, PARTICIPANTS, behaviour)
    pages = [page(record, *questions, set_size=set_size) for record in range(30)]
    return [
        tuple(chosen(answer) for _item, answer in simulation.answers(number, of))
        for of in pages
        for number in range(PARTICIPANTS)
    ]


@pytest.mark.parametrize("random_share", [0, 0.5, 1])
def test_nobody_chooses_the_same_item_as_best_and_as_worst(random_share: float) -> None:
    answers = Counter(answers_to(BEST, WORST, behaviour=Behaviour(random_share)))
    assert answers.keys() == {*permutations("abc", 2)}


def test_every_pair_of_best_and_worst_is_drawn_as_often() -> None:
    """Of 360 answers, 60 on average; four standard deviations are 28."""
    counts = Counter(answers_to(BEST, WORST, behaviour=Behaviour(random_share=1)))
    assert max(abs(count - 60) for count in counts.values()) < 28


def test_the_first_item_is_the_best_and_the_first_other_one_the_worst_with_only_first_options() -> None:
    assert {*answers_to(BEST, WORST, behaviour=Behaviour(first_option_share=1))} == {("a", "b")}


def test_options_are_compared_by_the_place_that_they_stand_for() -> None:
    numbers = question("Which is least convincing?", [3, 1, 2])
    answers = answers_to(numbers, BEST, behaviour=Behaviour(random_share=1))
    place_of = {1: "a", 2: "b", 3: "c"}
    assert {(place_of[worst], best) for worst, best in answers} == {*permutations("abc", 2)}


@pytest.mark.parametrize(
    ("questions", "set_size"),
    [((BEST, WORST), 0), ((BEST, question("Which colour is worst?", ["red", "blue"])), 3)],
)
def test_questions_that_are_not_about_the_items_of_a_set_are_answered_independently(
    questions: Sequence[JsonObject], set_size: int
) -> None:
    answers = {*answers_to(*questions, behaviour=Behaviour(random_share=1), set_size=set_size)}
    first, second = ({option["value"] for option in of["options"]} for of in questions)  # type: ignore[index, union-attr, call-overload]
    assert answers == {(a, b) for a in first for b in second}


def test_what_all_choose_alike_is_the_same_about_a_repeated_record_and_what_is_random_is_not() -> None:
    def are_equal(random_share: float) -> list[bool]:
        simulation = SimulatedParticipants("", 7, PARTICIPANTS, Behaviour(random_share))
        once, again = (page(record, BEST, set_size=0, content="what is seen") for record in (1, 2))
        chosen_by = [
            [chosen(answer) for _item, answer in simulation.answers(number, of)]
            for number in range(PARTICIPANTS)
            for of in (once, again)
        ]
        return [first == second for first, second in zip(chosen_by[::2], chosen_by[1::2], strict=True)]

    assert all(are_equal(0))
    assert not all(are_equal(1))
