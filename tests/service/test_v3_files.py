"""Valid and invalid files of V3 datasets (specification, Dataset V3 status; wire reference, section 4.7)."""

import io
import stat
import warnings
from typing import Any
from zipfile import ZipFile, ZipInfo

import pytest

from tests.service.api_helpers import Researcher, eventually, storage_request
from tests.service.v3_helpers import (
    REVIEWS,
    datapoints,
    filled,
    read,
    record_of,
    send,
    settled,
    state,
    v3_dataset,
    zipped,
)


@pytest.mark.parametrize("column", ["META_source", "meta_task_group_id", "META_TASK_GROUP_ID_2", "x"])
@pytest.mark.spec("V-04")
def test_tasks_are_grouped_only_by_the_grouping_column(researcher: Researcher, column: str) -> None:
    dataset = filled(researcher, f"review,{column}\na,1\n".encode())
    assert record_of(researcher, dataset)["has_predetermined_grouping_id"] is False


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a,b\r\n1,2\r\n", [{"a": "1", "b": "2"}]),
        (b"a\r1\r2\r", [{"a": "1"}, {"a": "2"}]),
        (b"\xef\xbb\xbf a , b\n1 , 2\n", [{"a": "1 ", "b": " 2"}]),
        (b'a\n"x\ny ""z"", w"\n\n\n', [{"a": 'x\ny "z", w'}]),
        (b"a,b\n,2\n1,\n", [{"b": "2"}, {"a": "1"}]),
        ("ä\n漢字 🙂\n".encode(), [{"ä": "漢字 🙂"}]),
        (b"a\n" + b"x" * 200_000, [{"a": "x" * 200_000}]),
        (b",b,\n0,x,\n", [{"column_1": "0", "b": "x"}]),
        (b"a\n", []),
        (b"a\n=1+1\n<b>\n", [{"a": "=1+1"}, {"a": "<b>"}]),
        (
            ",".join(f"c{n}" for n in range(500)).encode() + b"\n" + b"," * 499 + b"\n",
            [{}],
        ),
        (b"x" * 700 + b"\n1\n", [{"x" * 700: "1"}]),
    ],
    ids=[
        "crlf",
        "cr",
        "mark and spaces",
        "quotes",
        "empty cells",
        "letters",
        "long cell",
        "no name",
        "no rows",
        "nothing special",
        "many columns",
        "long name",
    ],
)
def test_csv_is_read_as_people_write_it(researcher: Researcher, content: bytes, expected: Any) -> None:
    dataset = filled(researcher, content)
    assert record_of(researcher, dataset)["total_datapoint_count"] == len(expected)
    assert datapoints(researcher, dataset) == expected


@pytest.mark.spec("ST-07")
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"\n\r\n", "empty"),
        (b"a,b\n1,2\n3\n", "Line 3"),
        (b"a,b\n1,2,3\n", "Line 2"),
        (b'a,b\n1,2\n"3,4\n5,6\n', "quotation"),
        (b'"a\n', "first line"),
        (b"a\n" + b"x\n" * 6000 + b"\xe9t\xe9\n", "Line 6002, column “a”"),
        ("é\n1\n".encode("latin-1"), "UTF-8"),
        ("a\n1\n".encode("utf-16"), "UTF-16"),
        ("a\n1\n".encode("utf-16-le"), "null bytes"),
        (b"a\nx\0y\n", "Line 2"),
        (b"\0\n1\n", "null bytes"),
        (b"a,b, a\n1,2,3\n", "more than once"),
        (b",column_1\n1,2\n", "more than once"),
        (b"PK\x03\x04" + bytes(range(256)), "UTF-8"),
        (b"a\n" + b"x" * 11_000_000, "10 MB"),
        (b"a\n" + b'"\n' + b'","\n' * 3_000_000, "10 MB"),
        (b"," * 5000 + b"\n", "columns"),
    ],
    ids=[
        "nothing",
        "blank",
        "short row",
        "long row",
        "open quotes",
        "open header",
        "latin-1",
        "latin-1 header",
        "utf-16",
        "utf-16 without mark",
        "null byte",
        "zero header",
        "one name twice",
        "a made name twice",
        "an archive",
        "a line without end",
        "a row without end",
        "too many columns",
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_with_a_reason(
    researcher: Researcher, content: bytes, reason: str
) -> None:
    dataset = v3_dataset(researcher)
    status = read(researcher, dataset, content)
    assert status["status"] == "ERROR"
    assert reason in status["reason"]
    record = record_of(researcher, dataset)
    assert (record["status"], record["filename"]) == ("ERROR", "reviews.csv")
    assert (record["total_datapoint_count"], record["has_predetermined_grouping_id"]) == (0, None)
    assert read(researcher, dataset, REVIEWS) == {"status": "READY"}
    assert len(datapoints(researcher, dataset)) == 3


@pytest.mark.spec("V-05")
@pytest.mark.parametrize(
    "files",
    [
        [("reviews.csv", REVIEWS)],
        [("__MACOSX/._r.csv", b"\0"), ("R.CSV", REVIEWS), ("photos/a.csv", b"x"), ("notes.txt", b"\0")],
        [(".hidden.csv", b"\0"), ("..\\up.csv", b"\0"), ("r.csv", REVIEWS), ("../../etc/x.csv", b"\0")],
        [("folder.csv/", b""), ("r.csv", REVIEWS)],
    ],
    ids=["alone", "beside others", "beside tricks", "beside a folder"],
)
@pytest.mark.parametrize("packed", [True, False], ids=["packed", "stored"])
def test_the_csv_file_of_an_archive_is_read(
    researcher: Researcher, files: list[tuple[str, bytes]], packed: bool
) -> None:
    dataset = filled(researcher, zipped(*files, packed=packed), "reviews.zip")
    assert record_of(researcher, dataset)["filename"] == "reviews.zip"
    assert [row["review"] for row in datapoints(researcher, dataset)] == ["Nice mug", "Lid leaks", "Fine"]


ONE_FILE = zipped(("a.csv", REVIEWS))


def twice(name: str) -> bytes:
    """An archive with two files of the same name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # ZipFile warns of what is meant here
        return zipped((name, REVIEWS), (name, b"a\n1\n"))


def link(name: str, to: str) -> bytes:
    """An archive with a symbolic link."""
    entry = ZipInfo(name)
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(entry, to)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a ZIP archive"),
        (REVIEWS, "not a ZIP archive"),
        (ONE_FILE[:-5], "not a ZIP archive"),
        (ONE_FILE.replace(b"a.csv", b"b.csv", 1), "damaged"),
        (ONE_FILE[:40] + b"\xff\xff" + ONE_FILE[42:], "damaged"),
        (
            ONE_FILE.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01\x00"),
            "encrypted",
        ),
        (zipped(), "no CSV file"),
        (zipped(("a.txt", b"a\n1\n")), "no CSV file"),
        (zipped(("data/a.csv", REVIEWS)), "no CSV file"),
        (zipped(("/a.csv", REVIEWS), ("..\\a.csv", REVIEWS)), "no CSV file"),
        (zipped(("a.csv", REVIEWS), ("b.csv", REVIEWS)), "2 CSV files"),
        (twice("a.csv"), "2 CSV files"),
        (link("a.csv", "/etc/hosts"), "no CSV file"),
        (zipped(("a.csv", b"a,b\n1\n")), "Line 2"),
        (zipped(("a.csv", b"")), "empty"),
        (zipped(("a.csv", zipped(("a.csv", REVIEWS)))), "UTF-8"),
    ],
    ids=[
        "nothing",
        "no archive",
        "cut off",
        "two names",
        "broken",
        "encrypted",
        "empty",
        "other files",
        "in a folder",
        "path tricks",
        "two",
        "one name twice",
        "a link",
        "bad rows",
        "an empty file",
        "an archive in it",
    ],
)
def test_an_archive_that_cannot_be_read_is_an_error_with_a_reason(
    researcher: Researcher, content: bytes, reason: str
) -> None:
    _cannot_be_read(researcher, content, reason)


def test_an_archive_that_is_too_large_is_an_error_with_a_reason(researcher: Researcher) -> None:
    _cannot_be_read(researcher, zipped(("a.csv", b"a\n" + b"1\n" * 6_000_000)), "too large")
    contents = ((f"{number}.txt", b"") for number in range(25_000))
    _cannot_be_read(researcher, zipped(("a.csv", REVIEWS), *contents), "damaged")


def _cannot_be_read(researcher: Researcher, content: bytes, reason: str) -> None:
    dataset = v3_dataset(researcher)
    status = read(researcher, dataset, content, "a.zip")
    assert status["status"] == "ERROR"
    assert reason in status["reason"]
    assert record_of(researcher, dataset)["total_datapoint_count"] == 0


def test_another_file_adds_its_rows_and_columns(researcher: Researcher) -> None:
    dataset = filled(researcher, b"a,b\n1,2\n")
    batch = researcher.batch(dataset_id=dataset)["id"]
    researcher.set_up(batch)
    assert record_of(researcher, dataset)["has_predetermined_grouping_id"] is False
    content = zipped(("x.csv", b"META_TASK_GROUP_ID,a,c\ng,3,4\n"))
    assert read(researcher, dataset, content, "x.zip") == {"status": "READY"}
    record = record_of(researcher, dataset)
    assert (record["filename"], record["has_predetermined_grouping_id"]) == ("x.zip", True)
    assert record["total_datapoint_count"] == 2
    assert datapoints(researcher, dataset) == [
        {"a": "1", "b": "2"},
        {"a": "3", "c": "4", "META_TASK_GROUP_ID": "g"},
    ]
    assert researcher.get_batch(batch)["total_task_count"] == 1
    assert researcher.synced(batch)["tasks_created"] == 1
    assert researcher.get_batch(batch)["total_task_count"] == 2


def test_an_invalid_file_leaves_the_previous_data(researcher: Researcher) -> None:
    dataset = filled(researcher)
    assert read(researcher, dataset, b"a,b\n1,2\n3\n", "faulty.csv")["status"] == "ERROR"
    assert [row["product"] for row in datapoints(researcher, dataset)] == ["Mug", "Flask", "Plate"]
    batch = researcher.batch(dataset_id=dataset)["id"]
    assert "ERROR" in researcher.request("POST", f"/batches/{batch}/setup", {}, 400)["error"]["detail"]
    assert read(researcher, dataset, b"review\nAgain\n") == {"status": "READY"}
    assert researcher.set_up(batch)["total_task_count"] == 4


def test_files_are_imported_in_order_of_arrival(researcher: Researcher) -> None:
    dataset = v3_dataset(researcher)
    for number in range(5):
        send(researcher, dataset, f"a\n{number}\n".encode(), f"{number}.csv")
    assert settled(researcher, dataset) == {"status": "READY"}
    assert [row["a"] for row in datapoints(researcher, dataset)] == list("01234")


def test_only_the_same_file_may_be_sent_again(researcher: Researcher) -> None:
    dataset = v3_dataset(researcher)
    upload = researcher.upload_url(dataset, "a.csv")
    researcher.put(upload, REVIEWS)
    researcher.put(upload, REVIEWS)
    headers = {"Content-Type": upload["content_type"]}
    assert storage_request("PUT", upload["upload_url"], b"a\n1\n", headers).status == 403
    assert settled(researcher, dataset) == {"status": "READY"}
    assert len(datapoints(researcher, dataset)) == 3


def test_a_status_never_returns_to_an_earlier_one(researcher: Researcher) -> None:
    dataset = v3_dataset(researcher)
    upload = researcher.upload_url(dataset, "many.csv")
    researcher.put(upload, b"a\n" + b"x\n" * 20_000)
    statuses: list[str] = []

    def fetch() -> str:
        statuses.append(state(researcher, dataset)["status"])
        return statuses[-1]

    eventually(fetch, lambda status: status == "READY")
    assert statuses == sorted(statuses)
    assert record_of(researcher, dataset)["total_datapoint_count"] == 20_000
