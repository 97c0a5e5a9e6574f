"""A participant goes through a task group over plain HTTP."""

import pytest

from batchwright.schema.item_sets import identity_column
from tests.service.participate.study_store import (
    Participant,
    StudyStore,
    choice,
    free_text,
    page,
    shows,
    stored_values,
)

RECORDS = [{"prompt": f"Question {number}"} for number in range(4)]
TWO_PAGES = [page([shows("prompt"), choice("A", "B")]), page([free_text()])]


@pytest.mark.spec("B-05")
def test_the_start_page_shows_the_task_details(studies: StudyStore) -> None:
    with Participant(studies.study(TWO_PAGES).link) as person:
        response = person.open()
    assert (response.status, response.state) == (200, "start")
    assert "Which answer is better?" in response.text
    assert "You will read two answers to one question." in response.text
    assert "Say which one is better" in response.text
    assert [element.tag for element in response.find(".//ol/li")] == ["li", "li"]


@pytest.mark.spec("G-09", "L-01", "L-02", "L-09")
def test_a_participant_answers_a_complete_group_page_by_page(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES, RECORDS, group_size=2)
    progress, prompts = [], []
    with Participant(study.link) as person:
        response = person.start()
        while response.state == "page":
            progress.append(response.progress)
            prompts += [element.text for element in response.find(".//div[@class='text']")]
            response = person.send(
                response, {"i0": "1" if response.data["step"] % 2 == 0 else "It is shorter."}
            )
    assert response.state == "finished"
    assert progress == [
        "Task 1 of 2, page 1 of 2",
        "Task 1 of 2, page 2 of 2",
        "Task 2 of 2, page 1 of 2",
        "Task 2 of 2, page 2 of 2",
    ]
    assert prompts == ["Question 0", "Question 1"]
    answers = [[{"value": "b"}], [{"value": "It is shorter."}]] * 2
    assert list(stored_values(studies.responses(study))) == answers
    assert [element.completed for element in studies.progress(study)] == [1, 0]


def test_intro_and_outro_pages_come_once(studies: StudyStore) -> None:
    layout = [
        page([{"type": "rich_text", "content": "<p>Goodbye</p>"}], display_position="outro"),
        *TWO_PAGES,
        page([{"type": "rich_text", "content": "<p>Welcome</p>"}], display_position="intro"),
    ]
    study = studies.study(layout, RECORDS, group_size=2)
    with Participant(study.link) as person:
        response, order = person.start(), []
        while response.state == "page":
            order.append(
                "Welcome"
                if "Welcome" in response.text
                else "Goodbye"
                if "Goodbye" in response.text
                else "body"
            )
            assert (response.data["task_id"] is None) == (order[-1] != "body")
            response = person.send(response, {"i0": "0"})
    assert order == ["Welcome", *["body"] * 4, "Goodbye"]
    assert response.state == "finished"


def test_page_data_names_the_task_the_record_and_the_instructions(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES, RECORDS, group_size=4)
    with Participant(study.link) as person:
        first = person.start().data
    names = {"submission_id", "task_id", "record", "content", "set_size"}
    assert set(first) == names | {"step", "steps", "page", "instructions"}
    assert (first["step"], first["steps"], first["page"]) == (0, 8, 0)
    assert len(first["record"]) == len(first["content"]) == 16
    assert first["set_size"] == 0
    assert [instruction["type"] for instruction in first["instructions"]] == ["multiple_choice"]
    assert first["instructions"][0]["id"]


def test_page_data_says_which_records_look_the_same_and_which_are_sets_of_items(studies: StudyStore) -> None:
    metadata = [identity_column(letter) for letter in "ABC"]
    fields = {"prompt": {"type": "text"}, **{name: {"type": "metadata"} for name in metadata}}
    records = [dict(zip(("prompt", *metadata), row, strict=True)) for row in ("xabc", "xbcd", "yabc")]
    study = studies.study(TWO_PAGES[:1], records, schema={"strict": True, "fields": fields}, group_size=3)
    data = []
    with Participant(study.link) as person:
        response = person.start()
        while response.state == "page":
            data.append(response.data)
            response = person.send(response, {"i0": "0"})
    first, second, third = (of["content"] for of in data)
    assert first == second != third
    assert len({of["record"] for of in data}) == 3
    assert {of["set_size"] for of in data} == {3}


def test_an_error_is_shown_in_the_summary_and_at_the_question_and_the_input_remains(
    studies: StudyStore,
) -> None:
    layout = [page([choice("A", "B"), free_text(validation={"type": "string", "min": 20, "max": None})])]
    study = studies.study(layout)
    with Participant(study.link) as person:
        response = person.send(person.start(), {"i1": "Too short"})
        assert (response.status, response.state) == (422, "page")
        assert response.errors == [
            "Which answer is better? Please choose an option.",
            "What made the difference? Please write at least 20 characters; there are 9 so far.",
        ]
        assert response.errors_at(0) == ["Please choose an option."]
        assert response.errors_at(1) == ["Please write at least 20 characters; there are 9 so far."]
        assert [element.attrib["href"] for element in response.find(".//*[@id='faults']//a")] == [
            "#i0-0",
            "#i1",
        ]
        assert response.element(".//textarea").text == "Too short"
        assert response.element(".//textarea").attrib["aria-invalid"] == "true"
        assert response.element(".//title").text.startswith("Error: ")  # type: ignore[union-attr] # a title has text
    assert studies.responses(study) == []


def test_answers_are_preserved_on_reload_and_can_be_changed_until_the_end(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        second = person.send(first, {"i0": "0"})
        back = person.get(
            str(second.response.url.join(second.element(".//a[@class='secondary']").attrib["href"]))
        )
        assert back.data["step"] == 0
        assert [element.attrib["value"] for element in back.find(".//input[@checked]")] == ["0"]
        studies.now += 1000
        again = person.send(back, {"i0": "1"})
        assert again.data["step"] == 1
        assert person.send(again, {"i0": "Clearer"}).state == "finished"
        late = person.send(back, {"i0": "0"})
        assert late.state == "finished"
    newest, oldest = studies.responses(study)
    assert [newest.answer, oldest.answer] == [[{"value": "Clearer"}], [{"value": "b"}]]
    assert newest.created_at > oldest.created_at, "a changed answer keeps its place and its time"


def test_after_a_change_of_an_earlier_page_the_next_pages_follow(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES, RECORDS, group_size=2)
    with Participant(study.link) as person:
        first = person.start()
        second = person.send(first, {"i0": "0"})
        person.send(second, {"i0": "Clearer"})
        assert person.send(first, {"i0": "1"}).data["step"] == 1
        assert person.get(first.address).data["step"] == 2


def test_the_same_page_sent_twice_is_stored_once(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        sent = person.send(first, {"i0": "0"})
        sent_again = person.send(first, {"i0": "0"})
    assert sent.data == sent_again.data
    (response,) = studies.responses(study)
    assert response.answer == [{"value": "a"}]


NOT_SAVED = "The page that you sent now was not saved"


def test_a_page_that_is_sent_after_the_end_is_reported_as_not_saved(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        second = person.send(first, {"i0": "0"})
        assert person.send(second, {"i0": "Clearer"}).state == "finished"
        changed = person.send(first, {"i0": "1"})
        assert (changed.status, changed.state) == (409, "finished")
        assert NOT_SAVED in changed.text
        again = person.send(second, {"i0": "Clearer"})
        assert (again.status, again.state) == (200, "finished")
        assert "All your answers are saved" in again.text
    assert list(stored_values(studies.responses(study))) == [[{"value": "a"}], [{"value": "Clearer"}]]


def test_a_page_that_is_sent_after_its_place_was_taken_is_reported_as_not_saved(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as late, Participant(study.link) as second:
        page = late.start()
        studies.now += 2 * 3_600_000
        second.start()
        response = late.send(page, {"i0": "0"})
    assert (response.status, response.state) == (410, "lapsed")
    assert NOT_SAVED in response.text
    assert studies.responses(study) == []


@pytest.mark.parametrize("pages", [0, 1, 2])
def test_a_page_that_is_sent_after_another_setup_is_reported_as_not_saved(
    studies: StudyStore, pages: int
) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        page = first = person.start()
        for answer in ("0", "Clearer")[:pages]:
            page = person.send(page, {"i0": answer})
        studies.set_up_again(study)
        response = person.send(first, {"i0": "1"})
    assert response.state == ("finished" if pages == 2 else "replaced")
    assert NOT_SAVED in response.text
    assert len(studies.responses(study)) == pages


def test_a_later_page_can_be_neither_opened_nor_sent(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        assert person.get(f"{first.address}?step=1").data["step"] == 0
        assert person.get(f"{first.address}?step=-1").data["step"] == 0
        assert person.send(first, {"step": "1", "i0": "0"}).data["step"] == 0
        for invalid in ("x", "", "9" * 5000, "٣"):
            assert person.get(f"{first.address}?step={invalid}").data["step"] == 0
            assert person.send(first, {"step": invalid, "i0": "0"}).data["step"] == 0
    assert studies.responses(study) == []


def test_a_form_may_come_url_encoded(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        person.client.post(first.response.url, data={**first.hidden, "i0": "1"})
    assert list(stored_values(studies.responses(study))) == [[{"value": "b"}]]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"{}", "application/json"),
        (b"", ""),
        (b"step=0", "multipart/form-data"),
        (b"--x\r\nnonsense", "multipart/form-data; boundary=x"),
        (
            b'--x\r\nContent-Disposition: form-data; name="step"\r\n\r\n0\r\n',
            "multipart/form-data; boundary=x",
        ),
    ],
)
def test_an_invalid_form_gets_an_error_page(studies: StudyStore, content: bytes, kind: str) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        response = person.client.post(first.response.url, content=content, headers={"Content-Type": kind})
    assert response.status_code in (400, 415)
    assert 'data-state="unreadable"' in response.text


def test_fields_longer_than_any_page_sends_are_rejected(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        first = person.start()
        assert person.send(first, {"i0": "x" * (9 * 1024 * 1024)}).status == 413


def test_every_page_forbids_foreign_content(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        for response in (
            person.open(),
            person.start(),
            person.get(f"{studies.base_url}/participate/none"),
        ):
            headers = response.response.headers
            policy = dict(
                directive.strip().split(" ", 1) for directive in headers["content-security-policy"].split(";")
            )
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
            assert policy["img-src"] == policy["media-src"] == "'self' https:"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "style=" not in response.response.text


def test_a_page_with_all_that_it_loads_stays_below_100_kb(studies: StudyStore) -> None:
    study = studies.study(TWO_PAGES)
    with Participant(study.link) as person:
        response = person.start()
        loads = [element.attrib["href"] for element in response.find(".//link")]
        loads += [element.attrib["src"] for element in response.find(".//script[@src]")]
        size = len(response.response.content)
        for address in loads:
            asset = person.client.get(response.response.url.join(address))
            assert asset.status_code == 200
            assert "immutable" in asset.headers["cache-control"]
            size += len(asset.content)
    assert len(loads) == 3
    assert size < 100_000
