"""Participant pages are in the language of their study, whatever language the service runs in."""

import re
from collections.abc import Mapping, Sequence

import pytest

from batchwright.base.i18n import PSEUDO, pseudo_translated
from batchwright.base.json_values import Json
from batchwright.service.store import batches
from tests.service.participate.study_store import (
    PageResponse,
    Participant,
    Study,
    StudyStore,
    choice,
    free_text,
    page,
    shows,
    with_unit,
)

LAYOUT = [page([choice("A", "B"), free_text()])]
WITH_FIELD = [page([shows("prompt"), free_text()])]


def in_language(
    studies: StudyStore,
    tag: str,
    layout: Sequence[Json] = LAYOUT,
    records: Sequence[Mapping[str, Json]] = ({"prompt": "Why?"},),
) -> Study:
    study = studies.study(layout, records)
    with studies.database.write() as connection:
        batches.set_language(connection, study.batch.row_id, tag)
    return study


def html_attributes(response: PageResponse) -> tuple[str, ...]:
    found = re.search(r'<html lang="([^"]*)" dir="([^"]*)">', response.response.text)
    assert found is not None
    return found.groups()


def test_pages_and_errors_are_in_the_language_of_the_study(studies: StudyStore) -> None:
    with Participant(in_language(studies, PSEUDO).link) as person:
        assert pseudo_translated("Start") in person.open().text
        response = person.start()
        assert pseudo_translated("Next page") in response.text or pseudo_translated("Finish") in response.text
        rejected = person.send(response, {})
    assert rejected.errors_at(0) == [pseudo_translated("Please choose an option.")]
    assert rejected.errors_at(1) == [pseudo_translated("Please answer this question.")]
    assert html_attributes(rejected) == (PSEUDO, "ltr")


def test_requests_for_other_studies_are_not_concerned(studies: StudyStore) -> None:
    with Participant(in_language(studies, PSEUDO).link) as person:
        person.open()
    with Participant(studies.study(LAYOUT).link) as person:
        response = person.open()
    assert html_attributes(response) == ("en", "ltr")
    assert "Start" in response.text
    assert pseudo_translated("Start") not in response.text


def test_a_language_that_is_written_from_right_to_left_gives_the_page_its_direction(
    studies: StudyStore,
) -> None:
    records = [{"prompt": "Python لغة برمجة"}]
    with Participant(in_language(studies, "ar-EG", WITH_FIELD, records).link) as person:
        response = person.start()
    assert html_attributes(response) == ("ar-EG", "rtl")
    assert '<div class="text" dir="rtl">Python' in response.response.text
    assert re.search(r'<textarea [^>]*dir="rtl"', response.response.text)


def test_a_preview_is_in_the_language_that_it_names(studies: StudyStore) -> None:
    address = studies.preview({"batch_items": LAYOUT, "page": 0, "language": PSEUDO})
    with Participant(address) as person:
        response = person.open()
    assert pseudo_translated("Check answers") in response.text
    assert html_attributes(response) == (PSEUDO, "ltr")


@pytest.mark.parametrize(
    ("language", "limits", "has_pad"),
    [
        ("en", {"min": 0}, True),
        ("ja", {"min": 0.5, "max": 9}, True),
        ("en", {"min": -1}, False),
        ("en", {"max": 9}, False),
        ("de", {"min": 0}, False),
        ("ar-EG", {"min": 0}, False),
    ],
)
def test_a_number_pad_is_asked_for_only_if_it_has_each_key_of_the_answers(
    studies: StudyStore, language: str, limits: dict[str, Json], has_pad: bool
) -> None:
    validation: dict[str, Json] = {"type": "number", **limits}
    units: list[Json] = [{"label": "kg", "value": "kg", "validation": validation}]
    items = [free_text(validation=validation), with_unit(unit_options=units)]
    with Participant(in_language(studies, language, [page(items)]).link) as person:
        inputs = person.start().find(".//input[@type='text']")
    assert [field.get("inputmode") == "decimal" for field in inputs] == [has_pad, has_pad]
