"""Every type of question: how it is displayed, which answers are rejected, and what is stored (wire
reference, sections 6 and 7.1).
"""

from typing import Any

import pytest

from batchwright.base.json_values import Json
from tests.service.participate.study_store import (
    PageResponse,
    Participant,
    StudyStore,
    choice,
    explained,
    files,
    free_text,
    page,
    stored_values,
    with_unit,
)

Fields = dict[str, str | list[str]]


def open_page(studies: StudyStore, item: dict[str, Any]) -> PageResponse:
    with Participant(studies.study([page([item])]).link) as person:
        return person.start()


def errors_of(studies: StudyStore, item: dict[str, Any], fields: Fields) -> list[str]:
    study = studies.study([page([item])])
    with Participant(study.link) as person:
        response = person.send(person.start(), fields)
    assert response.status == 422
    assert studies.responses(study) == []
    return response.errors_at(0)


def stored_answer(studies: StudyStore, item: dict[str, Any], fields: Fields) -> Any:
    study = studies.study([page([item])])
    with Participant(study.link) as person:
        assert person.send(person.start(), fields).state == "finished"
    (response,) = stored_values(studies.responses(study))
    return response


@pytest.mark.spec("L-08")
@pytest.mark.parametrize(
    ("item", "fields", "response"),
    [
        (free_text(), {"i0": "First\r\nsecond"}, [{"value": "First\nsecond"}]),
        (free_text(validation={"type": "number", "min": 0, "max": 1}), {"i0": "0.5"}, [{"value": "0.5"}]),
        (with_unit(), {"i0": "25", "i0.u": "1"}, [{"value": "25", "unit": "h"}]),
        (choice("A", "B", limit=-1), {"i0": ["0", "1"]}, [{"value": "a"}, {"value": "b"}]),
        (
            choice(options=[{"label": "No", "value": 0}, {"label": "False", "value": False}]),
            {"i0": "1"},
            [{"value": False}],
        ),
        (
            explained("Good", "Poor"),
            {"i0": "0", "i0.e0": "Short", "i0.e1": "not chosen"},
            [{"value": "good", "explanation": "Short"}],
        ),
    ],
)
def test_an_answer_is_stored_as_the_service_returns_it(
    studies: StudyStore, item: dict[str, Any], fields: Fields, response: Any
) -> None:
    assert stored_answer(studies, item, fields) == response


@pytest.mark.parametrize(
    ("item", "fields", "sentence"),
    [
        (free_text(), {"i0": "  \n "}, "Please answer this question."),
        (free_text(), {"i0": "\u200b"}, "Please answer this question."),
        (free_text(), {"i0": "a\0b"}, "cannot be stored"),
        (with_unit(), {"i0": "\u200b", "i0.u": "0"}, "Please answer this question."),
        (explained("Good", "Poor"), {"i0": "0", "i0.e0": "\u200b"}, "Please explain your choice of “Good”."),
        (explained("Good", "Poor"), {"i0": "0", "i0.e0": "a\0"}, "cannot be stored"),
        (free_text(validation={"type": "number", "min": None, "max": 9}), {"i0": "10"}, "at most 9"),
        (free_text(validation={"type": "number"}), {"i0": "ten"}, "Please enter a number"),
        (free_text(validation={"type": "string", "max": 2}), {"i0": "abc"}, "at most 2 characters"),
        (with_unit(), {"i0": "25"}, "Please choose a unit."),
        (with_unit(), {"i0": "25", "i0.u": "7"}, "Please choose a unit."),
        (choice("A", "B"), {}, "Please choose an option."),
        (choice("A", "B"), {"i0": ["0", "1"]}, "Please choose only 1 option."),
        (choice("A", "B"), {"i0": "2"}, "not offered"),
        (choice("A", "B", "C", limit=2), {"i0": ["0", "1", "2"]}, "at most 2 options"),
        (
            choice(
                limit=-1,
                options=[{"label": "A", "value": 1}, {"label": "None", "value": 2, "exclusive": True}],
            ),
            {"i0": ["0", "1"]},
            "“None” cannot be combined",
        ),
        (explained("Good", "Poor"), {"i0": "0", "i0.e1": "x"}, "Please explain your choice of “Good”."),
        (files(), {}, "Please add at least 1 file."),
    ],
)
def test_answers_beyond_a_limit_are_rejected_by_the_service_too(
    studies: StudyStore, item: dict[str, Any], fields: Fields, sentence: str
) -> None:
    (error,) = errors_of(studies, item, fields)
    assert sentence in error


def test_five_options_are_a_menu_unless_switched_off(studies: StudyStore) -> None:
    letters = "ABCDE"
    assert open_page(studies, choice(*letters)).find(".//select[@name='i0']")
    assert not open_page(studies, choice(*letters[:4])).find(".//select")
    assert not open_page(studies, choice(*letters, disable_dropdown=True)).find(".//select")
    assert (
        len(open_page(studies, choice(*letters, disable_dropdown=True)).find(".//input[@type='radio']")) == 5
    )


def test_many_options_with_several_answers_are_always_check_boxes(studies: StudyStore) -> None:
    response = open_page(studies, choice(*"ABCDE", limit=3))
    assert len(response.find(".//input[@type='checkbox']")) == 5
    assert "Choose up to 3." in response.text
    assert "Choose all that apply." in open_page(studies, choice(*"ABCDE", limit=-1)).text


def test_a_menu_has_a_text_field_for_each_option_under_its_heading(studies: StudyStore) -> None:
    response = open_page(studies, explained(*"ABCDE"))
    assert len(response.find(".//textarea")) == 5
    assert "C: Why C?" in response.text


@pytest.mark.parametrize("position", ["prefix", "suffix"])
def test_the_unit_is_at_its_configured_position_and_the_default_is_selected(
    studies: StudyStore, position: str
) -> None:
    response = open_page(studies, with_unit(unit_position=position, default_unit="h"))
    assert response.find(f".//div[@class='unit {position}']")
    (chosen,) = response.find(".//option[@selected]")
    assert chosen.text == "hours"
    assert len(response.find(".//option")) == 2


def test_without_a_default_a_unit_must_be_chosen(studies: StudyStore) -> None:
    first = open_page(studies, with_unit()).find(".//option")[0]
    assert (first.text, first.attrib["value"]) == ("Choose a unit", "")


def test_a_numeric_default_unit_is_compared_as_text(studies: StudyStore) -> None:
    units: list[Json] = [{"label": "dozen", "value": 12}, {"label": "each", "value": 1}]
    (chosen,) = open_page(studies, with_unit(unit_options=units, default_unit="12")).find(
        ".//option[@selected]"
    )
    assert chosen.text == "dozen"


def test_helper_text_placeholder_and_limits_are_shown_and_tied_to_the_field(studies: StudyStore) -> None:
    item = free_text(
        helper_text="One sentence is enough.",
        placeholder_text_input="Because …",
        validation={"type": "string", "min": 5, "max": 80},
    )
    response = open_page(studies, item)
    field = response.element(".//textarea")
    assert field.attrib["placeholder"] == "Because …"
    responses = field.attrib["aria-describedby"].split()
    descriptions = ["".join(response.element(f".//*[@id='{id}']").itertext()) for id in responses]
    assert descriptions == ["One sentence is enough.", "5 to 80 characters.", ""]
    assert response.element(".//label").attrib["for"] == field.attrib["id"]


def test_a_leading_empty_line_of_an_answer_is_preserved(studies: StudyStore) -> None:
    study = studies.study([page([free_text()]), page([free_text()])])
    with Participant(study.link) as person:
        first = person.start()
        person.send(first, {"i0": "\nbelow"})
        again = person.get(f"{first.address}?step=0")
    assert again.element(".//textarea").text == "\n\nbelow"
