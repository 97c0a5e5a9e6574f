"""Files taken into V4 datasets, and the states this goes through (specification, Import job status)."""

from typing import Any

import pytest

from tests.service.researcher import PROMPTS, Researcher, jsonl

PHOTOS = {"strict": True, "fields": {"prompt": {"type": "text"}, "photo": {"type": "image_url"}}}
GOOD = {"prompt": "p", "photo": "https://example.org/a.png"}


@pytest.mark.spec("I-10", "I-12", "ST-11")
def test_an_import_of_good_records_is_complete(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "a"}, {"prompt": "b"}))
    assert job["status"] == "complete"
    assert job["accepted_count"] == 2
    assert not job.keys() & {"rejected_count", "errors", "reason"}
    assert job["dataset_id"] == dataset
    assert job["updated_at"] >= job["created_at"]


@pytest.mark.spec("ST-12", "I-13", "I-14", "I-12")
def test_an_import_with_rejected_records_is_partial_and_says_which(researcher: Researcher) -> None:
    dataset = researcher.dataset(PHOTOS)["id"]
    lines = (
        jsonl(GOOD, {**GOOD, "photo": "http://example.org/a.png"})
        + b"\nno json\n"
        + jsonl(GOOD, {"prompt": 1})
    )
    job = researcher.imported(dataset, "a.jsonl", lines)
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 2, 3)
    assert [(one["record_index"], one["field"]) for one in job["errors"]] == [
        (1, "photo"),
        (2, "_raw"),
        (4, "photo"),
    ]
    assert all(one["reason"] for one in job["errors"])
    assert researcher.ask("GET", f"/datasets/{dataset}", status=200)["total_datapoint_count"] == 2


def test_an_import_of_which_everything_is_rejected_is_partial(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset()["id"], "a.jsonl", jsonl({}, {}))
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 0, 2)


def test_errors_stop_at_1000_while_the_count_goes_on(researcher: Researcher) -> None:
    job = researcher.imported(
        researcher.dataset()["id"], "a.jsonl", b"{}\n" * 12_000 + jsonl({"prompt": "a"})
    )
    assert (job["accepted_count"], job["rejected_count"], len(job["errors"])) == (1, 12_000, 1000)


@pytest.mark.spec("ST-13", "I-15")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b""),
        ("a.jsonl", b"\n\n"),
        ("a.csv", "prompt\nhé\n".encode("utf-16")),
        ("a.csv", b'"prompt\n'),
        ("a.csv", b"prompt,prompt\na,b\n"),
    ],
)
def test_an_unreadable_file_fails_with_a_reason_and_leaves_nothing(
    researcher: Researcher, name: str, content: bytes
) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, name, content)
    assert job["status"] == "failed"
    assert job["reason"]
    assert "accepted_count" not in job
    assert researcher.ask("GET", f"/datasets/{dataset}", status=200)["total_datapoint_count"] == 0


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"prompt\r\na\r\n", ["a"]),
        (b"\xef\xbb\xbf other , prompt \nx,a\n", ["a"]),
        (b'prompt\n"a\nb ""c"""\n\n', ['a\nb "c"']),
        ("prompt\nwäre 漢字 🙂\n".encode(), ["wäre 漢字 🙂"]),
        (b"prompt\n" + b"x" * 200_000 + b"\n", ["x" * 200_000]),
        (b"META_x,prompt\n1,a\n", ["a"]),
    ],
    ids=["crlf", "bom and spaces", "quotes", "letters", "long cell", "no special names"],
)
def test_csv_is_read_as_people_write_it(researcher: Researcher, content: bytes, expected: list[str]) -> None:
    dataset = researcher.dataset()["id"]
    assert researcher.imported(dataset, "a.csv", content)["status"] == "complete"
    assert researcher.prompts_of(dataset) == expected


def test_csv_rows_of_another_width_are_rejected_one_by_one(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset()["id"], "a.csv", b"prompt,x\na,1\nb\nc,1,2\nd,1\n")
    assert [one["record_index"] for one in job["errors"]] == [1, 2]
    assert job["accepted_count"] == 2


def test_repeated_records_of_a_file_are_all_stored(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    assert researcher.imported(dataset, "a.jsonl", jsonl(*[{"prompt": "same"}] * 3))["accepted_count"] == 3
    assert researcher.prompts_of(dataset) == ["same"] * 3


def test_unknown_keys_are_left_out_and_numbers_become_text(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": 1.50, "more": "x"}, {"prompt": False}))
    assert researcher.prompts_of(dataset) == ["1.5", "false"]


def test_later_files_follow_earlier_ones(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    names = [f"{number}.jsonl" for number in range(4)]
    ids = [researcher.upload(dataset, name, jsonl({"prompt": name})) for name in names]
    assert [researcher.settled(dataset, one)["status"] for one in ids] == ["complete"] * 4
    assert researcher.prompts_of(dataset) == names


@pytest.mark.spec("ST-09", "ST-10")
def test_an_import_is_processing_and_the_next_one_queued(waiting: Researcher) -> None:
    dataset, other = waiting.dataset()["id"], waiting.dataset()["id"]
    first = waiting.upload(dataset, "a.jsonl", jsonl({"prompt": "a"}))
    second = waiting.upload(dataset, "b.jsonl", jsonl({"prompt": "b"}))
    elsewhere = waiting.upload(other, "c.jsonl", jsonl({"prompt": "c"}))
    states = [waiting.import_job(dataset, one) for one in (first, second)]
    assert [job["status"] for job in states] == ["processing", "queued"]
    assert waiting.import_job(other, elsewhere)["status"] == "processing"
    assert not any(job.keys() & {"accepted_count", "rejected_count", "errors", "reason"} for job in states)


@pytest.mark.spec("ST-14")
def test_an_import_without_a_schema_waits_for_one(researcher: Researcher) -> None:
    dataset = researcher.dataset(None)["id"]
    assert researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "a"}))["status"] == "pending_schema"


@pytest.mark.parametrize("strict", [True, False])
def test_an_empty_cell_is_a_missing_field(researcher: Researcher, strict: bool) -> None:
    schema: Any = {"strict": strict, "fields": {"prompt": {"type": "text"}, "b": {"type": "text"}}}
    job = researcher.imported(researcher.dataset(schema)["id"], "a.csv", b"prompt,b\nx,\n")
    assert job["status"] == ("partial" if strict else "complete")


def test_a_schema_of_one_strict_field_takes_no_empty_record(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset(PROMPTS)["id"], "a.jsonl", jsonl({"prompt": None}))
    assert job["errors"][0]["field"] == "prompt"
