"""Files of participants: limits while streaming, and what is stored."""

import pytest

from batchwright.layout.answers import BYTES_PER_MB
from tests.service.participate.study_store import (
    Participant,
    Study,
    StudyStore,
    choice,
    files,
    page,
    stored_values,
)

PHOTO = ("dish.jpg", b"\xff\xd8 a photo", "image/jpeg")


def upload(*files: tuple[str, bytes, str]) -> list[tuple[str, tuple[str, bytes, str]]]:
    return [("i0", file) for file in files]


def blobs(studies: StudyStore, study: Study) -> list[tuple[str, bytes]]:
    with studies.database.read() as connection:
        rows = connection.execute(
            "SELECT file_name, blob FROM participant_file f JOIN submission s ON s.id = f.submission"
            " WHERE s.batch = ? ORDER BY file_name",
            (study.batch.row_id,),
        ).fetchall()
    return [(name, studies.blobs.path(blob).read_bytes()) for name, blob in rows]


def all_files(studies: StudyStore) -> int:
    folder = studies.blobs.path("participant/00/" + "0" * 32).parents[1]
    return sum(path.is_file() for path in folder.rglob("*"))


@pytest.mark.spec("L-08")
def test_files_are_stored_byte_for_byte_under_generated_names(studies: StudyStore) -> None:
    study = studies.study([page([files(max_file_count=2)])])
    with Participant(study.link) as person:
        second = ("../../etc/pässwd.PNG", b"second" * 500_000, "image/png; charset=x")
        assert person.send(person.start(), files=upload(PHOTO, second)).state == "finished"
    (response,) = stored_values(studies.responses(study))
    assert isinstance(response, list)
    assert [(file["file_name"], file["content_type"]) for file in response] == [
        ("dish.jpg", "image/jpeg"),
        ("pässwd.PNG", "image/png"),
    ]
    assert response[1]["file_size_mb"] == pytest.approx(3_000_000 / BYTES_PER_MB)
    assert blobs(studies, study) == [("dish.jpg", PHOTO[1]), ("pässwd.PNG", b"second" * 500_000)]
    assert all(study.batch.id in file["file_key"] for file in response)


@pytest.mark.parametrize(
    ("item", "sent", "sentence"),
    [
        (files(), [("a.gif", b"x", "image/gif")], "“a.gif” is not of an accepted type"),
        (files(accepted_file_types=[".ss"]), [("a.ß", b"x", "a/b")], "“a.ß” is not of an accepted type"),
        (files(max_file_size_mb=1), [("a.png", b"x" * (BYTES_PER_MB + 1), "image/png")], "larger than 1 MB"),
        (files(), [("a.png", b"", "image/png")], "“a.png” is empty"),
        (files(max_file_count=1), [PHOTO, PHOTO], "no more than 1 file"),
        (files(min_file_count=2), [PHOTO], "at least 2 files"),
    ],
)
def test_answers_beyond_a_limit_are_rejected(
    studies: StudyStore, item: dict[str, object], sent: list[tuple[str, bytes, str]], sentence: str
) -> None:
    study = studies.study([page([item])])  # type: ignore[list-item] # JSON all the same
    with Participant(study.link) as person:
        response = person.send(person.start(), files=upload(*sent))
    assert response.status == 422
    assert any(sentence in error for error in response.errors_at(0))
    assert studies.responses(study) == []


def test_a_file_that_is_too_large_is_deleted_completely(studies: StudyStore) -> None:
    study = studies.study([page([files(max_file_size_mb=1)])])
    before = all_files(studies)
    with Participant(study.link) as person:
        person.send(person.start(), files=upload(("a.png", b"x" * (3 * BYTES_PER_MB), "image/png")))
    assert all_files(studies) == before
    assert blobs(studies, study) == []


def test_an_empty_file_is_not_kept_beside_the_one_that_replaces_it(studies: StudyStore) -> None:
    study = studies.study([page([files(max_file_count=1)])])
    with Participant(study.link) as person:
        response = person.send(person.start(), files=upload(("dish.jpg", b"", "image/jpeg")))
        assert response.find(".//input[@name='i0.k']") == []
        assert person.send(response, files=upload(PHOTO)).state == "finished"
    assert blobs(studies, study) == [PHOTO[:2]]


def test_a_file_of_exactly_the_limit_is_accepted(studies: StudyStore) -> None:
    study = studies.study([page([files(max_file_size_mb=1)])])
    with Participant(study.link) as person:
        response = person.send(person.start(), files=upload(("a.png", b"x" * BYTES_PER_MB, "image/png")))
    assert response.state == "finished"


def test_an_uploaded_file_need_not_be_sent_again_after_an_error_elsewhere(studies: StudyStore) -> None:
    study = studies.study([page([files(), choice("A", "B")])])
    with Participant(study.link) as person:
        response = person.send(person.start(), files=upload(PHOTO))
        assert response.errors == ["Which answer is better? Please choose an option."]
        (retained,) = response.find(".//input[@name='i0.k']")
        assert "checked" in retained.attrib
        assert person.send(response, {"i0.k": retained.attrib["value"], "i1": "0"}).state == "finished"
    first, _second = stored_values(studies.responses(study))
    assert isinstance(first, list)
    assert first[0]["file_name"] == "dish.jpg"


def test_a_file_of_another_participant_cannot_be_used(studies: StudyStore) -> None:
    study = studies.study([page([files()])], [{"prompt": "a"}, {"prompt": "b"}])
    with Participant(study.link) as owner, Participant(study.link) as second_participant:
        owner.send(owner.start(), files=upload(PHOTO))
        (stored,) = stored_values(studies.responses(study))
        assert isinstance(stored, list)
        response = second_participant.send(second_participant.start(), {"i0.k": str(stored[0]["file_key"])})
    assert response.status == 422


def test_a_file_beside_unknown_ones_to_keep_is_not_dropped_in_silence(studies: StudyStore) -> None:
    study = studies.study([page([files(max_file_count=2)])])
    with Participant(study.link) as person:
        response = person.send(person.start(), {"i0.k": ["x", "y"]}, upload(PHOTO))
        assert (response.status, response.state) == (400, "unreadable")
        assert studies.responses(study) == []
        assert person.send(person.start(), files=upload(PHOTO)).state == "finished"
    assert blobs(studies, study) == [PHOTO[:2]]


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ('my "best" photo.png', "my _best_ photo.png"),
        ("one\r\nline.png", "oneline.png"),
        ("100%23 %2522.png", "100%23 %2522.png"),
    ],
)
def test_the_escapes_of_browsers_in_a_file_name_are_undone(
    studies: StudyStore, sent: str, stored: str
) -> None:
    study = studies.study([page([files()])])
    escaped = sent.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    with Participant(study.link) as person:
        person.send(person.start(), files=upload((escaped, b"x", "image/png")))
    assert [name for name, _content in blobs(studies, study)] == [stored]


def test_a_file_listed_twice_is_stored_once(studies: StudyStore) -> None:
    study = studies.study([page([files(min_file_count=2)])])
    with Participant(study.link) as person:
        response = person.send(person.start(), files=upload(PHOTO))
        (retained,) = response.find(".//input[@name='i0.k']")
        again = person.send(response, {"i0.k": [retained.attrib["value"]] * 2})
    assert (again.status, again.errors_at(0)) == (422, ["Please add at least 2 files."])


def test_a_file_removed_later_is_deleted_at_the_end(studies: StudyStore) -> None:
    study = studies.study([page([files()]), page([choice("A", "B")])])
    with Participant(study.link) as person:
        first = person.start()
        second = person.send(first, files=upload(PHOTO))
        person.send(first, files=upload(("new.png", b"new", "image/png")))
        assert [name for name, _content in blobs(studies, study)] == ["dish.jpg", "new.png"]
        person.send(second, {"i0": "0"})
    assert blobs(studies, study) == [("new.png", b"new")]


def test_a_file_for_a_question_without_files_is_ignored(studies: StudyStore) -> None:
    study = studies.study([page([choice("A", "B")])])
    before = all_files(studies)
    with Participant(study.link) as person:
        assert person.send(person.start(), {"i0": "0"}, files=upload(PHOTO)).state == "finished"
    assert all_files(studies) == before


def test_a_file_for_a_page_that_is_no_longer_open_is_dropped(studies: StudyStore) -> None:
    study = studies.study([page([files()])])
    before = all_files(studies)
    with Participant(study.link) as person:
        first = person.start()
        studies.set_up_again(study)
        assert person.send(first, files=upload(PHOTO)).state == "replaced"
    assert all_files(studies) == before


def test_a_last_page_with_a_file_that_is_sent_twice_is_saved(studies: StudyStore) -> None:
    study = studies.study([page([files()])])
    with Participant(study.link) as person:
        first = person.start()
        for _time in range(2):
            response = person.send(first, files=upload(PHOTO))
            assert (response.status, response.state) == (200, "finished")
        other = person.send(first, files=upload(("other.png", b"other", "image/png")))
    assert (other.status, other.state) == (409, "finished")
    assert blobs(studies, study) == [PHOTO[:2]]


def test_an_interrupted_upload_stores_no_file(studies: StudyStore) -> None:
    study = studies.study([page([files()])])
    before = all_files(studies)
    head = (
        b'--x\r\nContent-Disposition: form-data; name="step"\r\n\r\n0\r\n--x\r\n'
        b'Content-Disposition: form-data; name="i0"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    )
    with Participant(study.link) as person:
        first = person.start()
        for body in (head + b"half", head + b"whole\r\n--x\r\nContent-Disposition: form-data; nam"):
            response = person.client.post(
                first.response.url, content=body, headers={"Content-Type": "multipart/form-data; boundary=x"}
            )
            assert response.status_code == 400
    assert all_files(studies) == before
