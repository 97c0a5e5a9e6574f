"""Assignment of task groups to participants."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from batchwright.service.clock import HOUR, MINUTE
from batchwright.service.participate.start_page import COOKIE
from tests.service.participate.study_store import PageResponse, Participant, Study, StudyStore, choice, page

LAYOUT = [page([choice("A", "B")])]
RECORDS = [{"prompt": str(number)} for number in range(3)]


def named(study: Study, number: int) -> Participant:
    return Participant(f"{study.link}&participant={number:024x}")


def finish(person: Participant) -> PageResponse:
    response = person.start()
    while response.state == "page":
        response = person.send(response, {"i0": "0"})
    return response


@pytest.mark.spec("G-09")
def test_each_participant_gets_a_different_group_until_all_are_assigned(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    for number in range(3):
        with named(study, number) as person:
            assert finish(person).state == "finished"
    with named(study, 3) as person:
        assert person.start().state == "full"
    assert [group.completed for group in studies.progress(study)] == [1, 1, 1]


def test_the_least_filled_group_is_assigned_first(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS, annotators=2)
    for number in range(5):
        with named(study, number) as person:
            finish(person)
    assert sorted(group.completed for group in studies.progress(study)) == [1, 2, 2]
    with named(study, 5) as person:
        finish(person)
    assert [group.completed for group in studies.progress(study)] == [2, 2, 2]


def test_no_participant_gets_a_group_twice(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS, annotators=2)
    with named(study, 1) as person:
        for _round in RECORDS:
            assert finish(person).state == "finished"
        assert person.start().state == "nothing-left"
    assert [group.completed for group in studies.progress(study)] == [1, 1, 1]


def test_a_second_start_returns_to_the_started_submission(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with named(study, 1) as person:
        first = person.start()
        assert "Continue" in person.open().text
        assert person.start().data["submission_id"] == first.data["submission_id"]
    assert [group.in_progress for group in studies.progress(study)] == [1, 0, 0]


def test_a_browser_is_recognised_by_its_cookie(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with Participant(study.link) as person:
        first = person.start()
        cookie = next(entry for entry in person.client.cookies.jar if entry.name == COOKIE)
        assert len(cookie.value or "") == 24
        assert cookie.path == "/participate"
        assert cookie.has_nonstandard_attr("HttpOnly")
        assert person.start().data["submission_id"] == first.data["submission_id"]


@pytest.mark.parametrize("same_person", [True, False])
def test_concurrent_starts_are_assigned_different_places(studies: StudyStore, same_person: bool) -> None:
    study = studies.study(LAYOUT, RECORDS)

    def start(number: int) -> str:
        with named(study, 1 if same_person else number) as person:
            response = person.start()
            return str(response.data["submission_id"]) if response.state == "page" else response.state

    with ThreadPoolExecutor(8) as people:
        response = list(people.map(start, range(8)))
    if same_person:
        assert len(set(response)) == 1
        assert [group.in_progress for group in studies.progress(study)] == [1, 0, 0]
    else:
        assert len(set(response) - {"full"}) == 3
        assert response.count("full") == 5
        assert [group.in_progress for group in studies.progress(study)] == [1, 1, 1]


def test_a_group_inactive_for_an_hour_is_assigned_to_someone_else(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as away, named(study, 2) as second:
        interrupted = away.start()
        assert second.start().state == "full"
        studies.now += HOUR + 1
        assert finish(second).state == "finished"
        late = away.send(interrupted, {"i0": "1"})
        assert (late.status, late.state) == (410, "lapsed")
        assert away.start().state == "full"
    assert [response.answer for response in studies.responses(study)] == [[{"value": "a"}]]


def test_a_late_participant_may_continue_if_the_group_is_still_free(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as away:
        interrupted = away.start()
        studies.now += 5 * HOUR
        assert away.send(interrupted, {"i0": "1"}).state == "finished"


def test_reading_a_page_extends_the_assignment(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as reader, named(study, 2) as second:
        reading = reader.start()
        for _visit in range(4):
            studies.now += 30 * MINUTE
            assert reader.get(str(reading.response.url)).state == "page"
        assert second.start().state == "full"


def test_a_second_setup_ends_started_submissions(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with named(study, 1) as person:
        started = person.start()
        studies.set_up_again(study)
        late = person.send(started, {"i0": "0"})
        assert (late.status, late.state) == (410, "replaced")
        assert person.start().data["submission_id"] != started.data["submission_id"]


def test_an_invalid_or_missing_key_opens_no_page(studies: StudyStore) -> None:
    study = studies.study(LAYOUT)
    link = study.link.partition("?")[0]
    with Participant(link) as person:
        for address in (link, f"{link}?key=", f"{link}?key=wrong", f"{study.link}&participant=nobody"):
            response = person.get(address)
            assert (response.status, response.state) == (404, "unknown")
        started = person.client.post(f"{link}/start", data={"key": "wrong"})
        assert started.status_code == 404
        assert person.get(f"{link}/{'0' * 24}").status == 404
    assert [group.in_progress for group in studies.progress(study)] == [0]


def test_a_submission_is_not_shown_under_another_batch(studies: StudyStore) -> None:
    study, second = studies.study(LAYOUT), studies.study(LAYOUT)
    with Participant(study.link) as person:
        response = person.start()
        assert person.get(str(response.response.url).replace(study.batch.id, second.batch.id)).status == 404
