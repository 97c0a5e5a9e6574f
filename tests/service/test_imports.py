"""Imports of files into V4 datasets, and their states (specification, Import job status)."""

from typing import Any

import pytest

from tests.service.api_helpers import PROMPTS, Researcher, jsonl

PHOTOS = {"strict": True, "fields": {"prompt": {"type": "text"}, "photo": {"type": "image_url"}}}
GOOD = {"prompt": "p", "photo": "https://example.org/a.png"}


@pytest.mark.spec("I-10", "I-12", "ST-11")
def test_an_import_of_valid_records_is_complete(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, "a.jsonl", jsonl({"prompt": "a"}, {"prompt": "b"}))
    assert job["status"] == "complete"
    assert job["accepted_count"] == 2
    assert not job.keys() & {"rejected_count", "errors", "reason"}
    assert job["dataset_id"] == dataset
    assert job["updated_at"] >= job["created_at"]


@pytest.mark.spec("ST-12", "I-13", "I-14", "I-12")
def test_an_import_with_rejected_records_is_partial_and_names_them(researcher: Researcher) -> None:
    dataset = researcher.dataset(PHOTOS)["id"]
    lines = (
        jsonl(GOOD, {**GOOD, "photo": "http://example.org/a.png"})
        + b"\nno json\n"
        + jsonl(GOOD, {"prompt": 1})
    )
    job = researcher.imported(dataset, "a.jsonl", lines)
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 2, 3)
    assert [(error["record_index"], error["field"]) for error in job["errors"]] == [
        (1, "photo"),
        (2, "_raw"),
        (4, "photo"),
    ]
    assert all(error["reason"] for error in job["errors"])
    assert researcher.request("GET", f"/datasets/{dataset}", status=200)["total_datapoint_count"] == 2


def test_an_import_of_which_everything_is_rejected_is_partial(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset()["id"], "a.jsonl", jsonl({}, {}))
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 0, 2)


def test_an_import_with_one_readable_record_is_partial_even_if_it_is_rejected(
    researcher: Researcher,
) -> None:
    unreadable = b"no json\n" * 12_000
    for content in (b"{}\n" + unreadable, unreadable + b"{}\n"):
        job = researcher.imported(researcher.dataset()["id"], "a.jsonl", content)
        assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 0, 12_001)


def test_a_reason_quotes_the_first_record_that_cannot_be_read(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset()["id"], "a.csv", b"prompt,x\na\nb,c,d\n")
    assert job["reason"].startswith("No record of the file can be read. The first error: ")
    assert "1 cell" in job["reason"]


def test_errors_stop_at_1000_while_the_count_continues(researcher: Researcher) -> None:
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
        ("a.csv", "prompt\na\n".encode("utf-16-le")),
        ("a.csv", "promptö\na\n".encode("latin-1")),
        ("a.csv", b"prom\0pt\na\n"),
        ("a.csv", b"PK\x03\x04" + bytes(range(256))),
        ("a.csv", b"prompt\n" + b"x" * 11_000_000),
        ("a.jsonl", b""),
        ("a.jsonl", b"\xef\xbb\xbf"),
        ("a.jsonl", '{"prompt": "a"}\n'.encode("utf-16")),
        ("a.jsonl", b'{"prompt": "' + b"x" * 11_000_000),
        ("a.jsonl", b"no json\n"),
        ("a.jsonl", b"prompt\na\n\n[1]\n" + b"{\n" * 12_000),
        ("a.csv", b"prompt,x\na\nb\n"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_an_unreadable_file_fails_with_a_reason_and_stores_nothing(
    researcher: Researcher, name: str, content: bytes
) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, name, content)
    assert job["status"] == "failed"
    assert job["reason"]
    assert "accepted_count" not in job
    assert researcher.request("GET", f"/datasets/{dataset}", status=200)["total_datapoint_count"] == 0


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


def test_csv_rows_with_a_wrong_number_of_cells_are_rejected_individually(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset()["id"], "a.csv", b"prompt,x\na,1\nb\nc,1,2\nd,1\n")
    assert [error["record_index"] for error in job["errors"]] == [1, 2]
    assert job["accepted_count"] == 2


ODD_CELLS = [
    (b"a\0b", "null byte"),
    ("é".encode("latin-1"), "UTF-8"),
    (b"\xed\xa0\x80", "UTF-8"),
    (b"\xc0\x80", "UTF-8"),
    (b'"a"b', "quotation"),
    (b'a"b,c', "cells"),
]


@pytest.mark.parametrize(("cell", "reason"), ODD_CELLS, ids=repr)
def test_an_undecodable_cell_affects_only_its_row(researcher: Researcher, cell: bytes, reason: str) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, "a.csv", b"prompt\nbefore\n" + cell + b"\nafter\n")
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 2, 1)
    assert job["errors"][0]["record_index"] == 1
    assert reason in job["errors"][0]["reason"]
    assert researcher.prompts_of(dataset) == ["before", "after"]


def test_an_unclosed_quote_affects_only_the_following_rows(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, "a.csv", b'prompt\nbefore\n"open\nx\n')
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 1, 1)
    assert "quotation" in job["errors"][0]["reason"]


@pytest.mark.parametrize("content", [b"prompt\n", b"prompt", b"\xef\xbb\xbfprompt\r\n\r\n"], ids=repr)
def test_a_header_alone_is_a_file_of_no_records(researcher: Researcher, content: bytes) -> None:
    job = researcher.imported(researcher.dataset()["id"], "a.csv", content)
    assert (job["status"], job["accepted_count"]) == ("complete", 0)


ODD_LINES = [
    b"[]",
    b"null",
    b"5",
    b'"text"',
    b"{",
    b'{"prompt": "a"} {"prompt": "b"}',
    b'[{"prompt": "a"}]',
    b"prompt,other",
    b'{"prompt": NaN}',
    b'{"prompt": -Infinity}',
    b'{"prompt": 1e999}',
    b'{"prompt": ' + b"9" * 10_000 + b"}",
    b'{"prompt": ' + b"[" * 100_000,
    b'{"prompt": "a", "other": ' + b"[" * 101 + b"]" * 101 + b"}",
    b'{"prompt": "\\ud800"}',
    b'{"prompt": "\\x"}',
    b'{"prompt": "\xe9"}',
    b'{"prompt": "a\0b"}',
    b"{'prompt': 'a'}",
    b'{"prompt": ["a"]}',
    b'{"prompt": {}}',
]


@pytest.mark.parametrize("line", ODD_LINES, ids=lambda line: repr(line[:40]))
def test_only_the_line_without_a_record_is_rejected_in_files_and_appends(
    researcher: Researcher, line: bytes
) -> None:
    dataset = researcher.dataset()["id"]
    lines = jsonl({"prompt": "before"}) + line + b"\n" + jsonl({"prompt": "after"})
    job = researcher.imported(dataset, "a.jsonl", lines)
    assert (job["status"], job["accepted_count"], job["rejected_count"]) == ("partial", 2, 1)
    result = researcher.append(dataset, lines)
    assert (result["accepted"], result["rejected"]) == (2, 1)
    (in_file,), (in_append,) = job["errors"], result["errors"]
    assert (in_file["record_index"], in_append["record_index"]) == (1, 2)
    assert in_file["reason"] == in_append["reason"] != ""
    assert researcher.prompts_of(dataset) == ["before", "after"]


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        (b'{"prompt": "first", "prompt": "last"}', "last"),
        (b'{"\\ud800": 1, "prompt": "p"}', "p"),
        (b'{"prompt": "a\\u0000b"}', "a\0b"),
        ('{"prompt": "a\u2028b\x85c"}'.encode(), "a\u2028b\x85c"),
        (b'\t {"prompt": "p"} \r', "p"),
    ],
    ids=repr,
)
def test_unusual_lines_that_are_json_are_accepted(researcher: Researcher, line: bytes, prompt: str) -> None:
    dataset = researcher.dataset()["id"]
    assert researcher.imported(dataset, "a.jsonl", line)["status"] == "complete"
    assert researcher.append(dataset, line) == {"accepted": 1, "rejected": 0, "errors": []}
    assert researcher.prompts_of(dataset) == [prompt]


def test_repeated_records_of_a_file_are_all_stored(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    assert researcher.imported(dataset, "a.jsonl", jsonl(*[{"prompt": "same"}] * 3))["accepted_count"] == 3
    assert researcher.prompts_of(dataset) == ["same"] * 3


def test_unknown_keys_are_dropped_and_numbers_become_text(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    researcher.imported(dataset, "a.jsonl", jsonl({"prompt": 1.50, "more": "x"}, {"prompt": False}))
    assert researcher.prompts_of(dataset) == ["1.5", "false"]


def test_later_files_follow_earlier_files(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    names = [f"{number}.jsonl" for number in range(4)]
    ids = [researcher.upload(dataset, name, jsonl({"prompt": name})) for name in names]
    assert [researcher.settled(dataset, import_id)["status"] for import_id in ids] == ["complete"] * 4
    assert researcher.prompts_of(dataset) == names


@pytest.mark.spec("ST-09", "ST-10")
def test_an_import_is_processing_and_the_next_one_queued(waiting: Researcher) -> None:
    dataset, second_dataset = waiting.dataset()["id"], waiting.dataset()["id"]
    first = waiting.upload(dataset, "a.jsonl", jsonl({"prompt": "a"}))
    second = waiting.upload(dataset, "b.jsonl", jsonl({"prompt": "b"}))
    elsewhere = waiting.upload(second_dataset, "c.jsonl", jsonl({"prompt": "c"}))
    states = [waiting.import_job(dataset, import_id) for import_id in (first, second)]
    assert [job["status"] for job in states] == ["processing", "queued"]
    assert waiting.import_job(second_dataset, elsewhere)["status"] == "processing"
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


def test_a_strict_schema_with_one_field_accepts_no_empty_record(researcher: Researcher) -> None:
    job = researcher.imported(researcher.dataset(PROMPTS)["id"], "a.jsonl", jsonl({"prompt": None}))
    assert job["errors"][0]["field"] == "prompt"
