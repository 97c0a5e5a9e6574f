"""Assignment of task groups to participants."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from batchwright.service.clock import HOUR, MINUTE
from batchwright.service.participate.start_page import COOKIE
from tests.service.participate.world import PageResponse, Participant, Study, World, choice, page

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
def test_each_participant_gets_a_different_group_until_all_are_assigned(world: World) -> None:
    study = world.study(LAYOUT, RECORDS)
    for number in range(3):
        with named(study, number) as person:
            assert finish(person).state == "finished"
    with named(study, 3) as person:
        assert person.start().state == "full"
    assert [group.completed for group in world.progress(study)] == [1, 1, 1]


def test_the_least_filled_group_is_assigned_first(world: World) -> None:
    study = world.study(LAYOUT, RECORDS, annotators=2)
    for number in range(5):
        with named(study, number) as person:
            finish(person)
    assert sorted(group.completed for group in world.progress(study)) == [1, 2, 2]
    with named(study, 5) as person:
        finish(person)
    assert [group.completed for group in world.progress(study)] == [2, 2, 2]


def test_no_participant_gets_a_group_twice(world: World) -> None:
    study = world.study(LAYOUT, RECORDS, annotators=2)
    with named(study, 1) as person:
        for _round in RECORDS:
            assert finish(person).state == "finished"
        assert person.start().state == "nothing-left"
    assert [group.completed for group in world.progress(study)] == [1, 1, 1]


def test_a_second_start_returns_to_the_started_submission(world: World) -> None:
    study = world.study(LAYOUT, RECORDS)
    with named(study, 1) as person:
        first = person.start()
        assert "Continue" in person.open().text
        assert person.start().data["submission_id"] == first.data["submission_id"]
    assert [group.in_progress for group in world.progress(study)] == [1, 0, 0]


def test_a_browser_is_recognised_by_its_cookie(world: World) -> None:
    study = world.study(LAYOUT, RECORDS)
    with Participant(study.link) as person:
        first = person.start()
        cookie = next(entry for entry in person.client.cookies.jar if entry.name == COOKIE)
        assert len(cookie.value or "") == 24
        assert cookie.path == "/participate"
        assert cookie.has_nonstandard_attr("HttpOnly")
        assert person.start().data["submission_id"] == first.data["submission_id"]


@pytest.mark.parametrize("same_person", [True, False])
def test_concurrent_starts_are_assigned_different_places(world: World, same_person: bool) -> None:
    study = world.study(LAYOUT, RECORDS)

    def start(number: int) -> str:
        with named(study, 1 if same_person else number) as person:
            response = person.start()
            return str(response.data["submission_id"]) if response.state == "page" else response.state

    with ThreadPoolExecutor(8) as people:
        response = list(people.map(start, range(8)))
    if same_person:
        assert len(set(response)) == 1
        assert [group.in_progress for group in world.progress(study)] == [1, 0, 0]
    else:
        assert len(set(response) - {"full"}) == 3
        assert response.count("full") == 5
        assert [group.in_progress for group in world.progress(study)] == [1, 1, 1]


def test_a_group_inactive_for_an_hour_is_assigned_to_someone_else(world: World) -> None:
    study = world.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as away, named(study, 2) as second:
        interrupted = away.start()
        assert second.start().state == "full"
        world.now += HOUR + 1
        assert finish(second).state == "finished"
        late = away.send(interrupted, {"i0": "1"})
        assert (late.status, late.state) == (410, "lapsed")
        assert away.start().state == "full"
    assert [response.answer for response in world.responses(study)] == [[{"value": "a"}]]


def test_a_late_participant_may_continue_if_the_group_is_still_free(world: World) -> None:
    study = world.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as away:
        interrupted = away.start()
        world.now += 5 * HOUR
        assert away.send(interrupted, {"i0": "1"}).state == "finished"


def test_reading_a_page_extends_the_assignment(world: World) -> None:
    study = world.study(LAYOUT, RECORDS[:1])
    with named(study, 1) as reader, named(study, 2) as second:
        reading = reader.start()
        for _visit in range(4):
            world.now += 30 * MINUTE
            assert reader.get(str(reading.response.url)).state == "page"
        assert second.start().state == "full"


def test_a_second_setup_ends_started_submissions(world: World) -> None:
    study = world.study(LAYOUT, RECORDS)
    with named(study, 1) as person:
        started = person.start()
        world.set_up_again(study)
        late = person.send(started, {"i0": "0"})
        assert (late.status, late.state) == (410, "replaced")
        assert person.start().data["submission_id"] != started.data["submission_id"]


def test_an_invalid_or_missing_key_opens_no_page(world: World) -> None:
    study = world.study(LAYOUT)
    link = study.link.partition("?")[0]
    with Participant(link) as person:
        for address in (link, f"{link}?key=", f"{link}?key=wrong", f"{study.link}&participant=nobody"):
            response = person.get(address)
            assert (response.status, response.state) == (404, "unknown")
        started = person.client.post(f"{link}/start", data={"key": "wrong"})
        assert started.status_code == 404
        assert person.get(f"{link}/{'0' * 24}").status == 404
    assert [group.in_progress for group in world.progress(study)] == [0]


def test_a_submission_is_not_shown_under_another_batch(world: World) -> None:
    study, second = world.study(LAYOUT), world.study(LAYOUT)
    with Participant(study.link) as person:
        response = person.start()
        assert person.get(str(response.response.url).replace(study.batch.id, second.batch.id)).status == 404
