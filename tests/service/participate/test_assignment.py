"""Assignment of task groups to participants."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest

from batchwright.base.database import Connection
from batchwright.service.clock import HOUR, MINUTE
from batchwright.service.participate.start_page import COOKIE
from batchwright.service.store import batches, stored_data, submissions
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


@pytest.mark.parametrize("deleted", range(3))
def test_the_group_of_a_participant_who_was_deleted_is_assigned_again(
    studies: StudyStore, deleted: int
) -> None:
    study = studies.study(LAYOUT, RECORDS)
    for number in range(3):
        with named(study, number) as person:
            finish(person)
    with studies.database.write() as connection:
        stored_data.delete_participant(connection, f"{deleted:024x}", {study.batch.row_id}, studies.now)
    with named(study, 3) as person:
        assert finish(person).state == "finished"
    with named(study, 4) as person:
        assert person.start().state == "full"
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


def post_start(study: Study, fields: dict[str, str]) -> PageResponse:
    """Send the form of a start page from a browser without a cookie."""
    with Participant(study.link) as person:
        return PageResponse(person.client.post(f"{study.link.partition('?')[0]}/start", data=fields))


def test_a_load_of_the_start_page_starts_one_submission(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with Participant(study.link) as person:
        fields, other_fields = person.open().hidden, person.open().hidden
    with ThreadPoolExecutor(4) as requests:
        started = list(requests.map(lambda _number: post_start(study, fields), range(4)))
    assert len({page.data["submission_id"] for page in started}) == 1
    assert [group.in_progress for group in studies.progress(study)] == [1, 0, 0]
    assert post_start(study, other_fields).data["submission_id"] != started[0].data["submission_id"]
    assert [group.in_progress for group in studies.progress(study)] == [1, 1, 0]


def test_a_start_page_sent_again_after_its_submission_starts_no_other(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with Participant(study.link) as person:
        start_page = person.open()
        page = person.send(start_page)
        assert person.send(page, {"i0": "0"}).state == "finished"
        assert person.send(start_page).state == "finished"
        assert [group.in_progress for group in studies.progress(study)] == [0, 0, 0]
        assert person.start().state == "page"


def test_a_start_page_of_an_earlier_setup_starts_a_submission_of_the_latest(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with Participant(study.link) as person:
        fields = person.open().hidden
    first = post_start(study, fields)
    studies.set_up_again(study)
    again = post_start(study, fields)
    assert (again.state, post_start(study, fields).data) == ("page", again.data)
    assert again.data["submission_id"] != first.data["submission_id"]


def test_the_load_of_somebody_else_does_not_lead_to_their_submission(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with named(study, 1) as person:
        page = person.open()
        first = person.send(page)
    again = post_start(study, {**page.hidden, "participant": f"{2:024x}"})
    assert again.data["submission_id"] != first.data["submission_id"]


@pytest.mark.parametrize("load", [None, "", "x", "0" * 25])
def test_a_start_without_a_valid_load_is_a_start_of_its_own(studies: StudyStore, load: str | None) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with Participant(study.link) as person:
        fields = person.open().hidden
    del fields["load"]
    if load is not None:
        fields["load"] = load
    started = [post_start(study, fields).data["submission_id"] for _time in range(2)]
    assert len(set(started)) == 2


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


def test_a_place_that_is_taken_while_its_page_is_read_is_not_taken_back(
    studies: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    write = studies.database.write
    with named(study, 1) as away, named(study, 2) as second:
        interrupted = away.start()
        studies.now += HOUR + 1

        def write_after_another_start(*, durable: bool = False) -> AbstractContextManager[Connection]:
            monkeypatch.undo()
            assert second.start().state == "page"
            return write(durable=durable)

        monkeypatch.setattr(studies.database, "write", write_after_another_start)
        assert away.get(interrupted.address).state == "lapsed"
    assert [group.in_progress for group in studies.progress(study)] == [1]


def set_place_timeout(studies: StudyStore, study: Study, milliseconds: int) -> None:
    with studies.database.write() as connection:
        batches.set_place_timeout(connection, study.batch.row_id, milliseconds)


def test_the_time_until_a_place_is_free_can_be_set(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    set_place_timeout(studies, study, 2 * MINUTE)
    with named(study, 1) as away, named(study, 2) as second:
        away.start()
        studies.now += 2 * MINUTE - 1
        assert second.start().state == "full"
        studies.now += 1
        assert [group.in_progress for group in studies.progress(study)] == [0]
        assert finish(second).state == "finished"


def test_reading_a_page_keeps_a_place_that_would_soon_be_free(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    set_place_timeout(studies, study, 2 * MINUTE)
    with named(study, 1) as reader, named(study, 2) as second:
        reading = reader.start()
        for _visit in range(4):
            studies.now += MINUTE
            assert reader.get(reading.address).state == "page"
        assert second.start().state == "full"


def test_only_places_without_an_answer_are_released(studies: StudyStore) -> None:
    two_tasks = studies.study(LAYOUT, [*RECORDS, {"prompt": "3"}], group_size=2)
    with named(two_tasks, 1) as answering, named(two_tasks, 2) as away, named(two_tasks, 3) as third:
        answering.send(answering.start(), {"i0": "0"})
        interrupted = away.start()
        assert third.start().state == "full"
        assert [group.unanswered for group in studies.progress(two_tasks)] == [0, 1]
        with studies.database.write() as connection:
            batch = batches.get(connection, two_tasks.batch.row_id)
            assert submissions.release_unanswered(connection, batch, studies.now) == 1
            assert submissions.release_unanswered(connection, batch, studies.now) == 0
        assert [group.in_progress for group in studies.progress(two_tasks)] == [1, 0]
        assert finish(third).state == "finished"
        assert away.send(interrupted, {"i0": "1"}).state == "lapsed"
        assert finish(answering).state == "finished"


def test_a_participant_whose_place_was_released_may_take_it_again(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as person, named(study, 2) as second:
        interrupted = person.start()
        with studies.database.write() as connection:
            submissions.release_unanswered(connection, study.batch, studies.now)
        assert person.get(interrupted.address).state == "page"
        assert second.start().state == "full"
        assert person.send(interrupted, {"i0": "1"}).state == "finished"


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
            assert reader.get(reading.address).state == "page"
        assert second.start().state == "full"


def test_sending_a_page_with_errors_extends_the_assignment(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as person, named(study, 2) as second:
        response = person.start()
        for _attempt in range(3):
            studies.now += 40 * MINUTE
            response = person.send(response)
            assert (response.status, response.state) == (422, "page")
        assert second.start().state == "full"
        assert person.send(response, {"i0": "1"}).state == "finished"


def test_a_second_setup_ends_started_submissions(studies: StudyStore) -> None:
    study = studies.study(LAYOUT, RECORDS)
    with named(study, 1) as person:
        started = person.start()
        studies.set_up_again(study)
        late = person.send(started, {"i0": "0"})
        assert (late.status, late.state) == (410, "replaced")
        assert person.start().data["submission_id"] != started.data["submission_id"]


def test_a_study_is_said_to_be_set_up_only_while_it_is(studies: StudyStore) -> None:
    study = studies.study(LAYOUT)
    row_id, dataset = study.batch.row_id, study.batch.dataset
    assert dataset is not None
    with Participant(study.link) as person:
        with studies.database.write() as connection:
            batches.start_setup(connection, row_id, dataset, 1)
        assert "are still being set up" in person.open().text
        with studies.database.write() as connection:
            batches.fail_setup(connection, row_id, "The disk is full.")
        response = person.open()
    assert response.state == "not-ready"
    assert "Its tasks are not set up. Ask the researcher" in response.text


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
