"""Pre-signed upload URLs (specification, Authentication 6; wire reference, sections 4.5 and 11)."""

import re
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest

from batchwright.service.clock import MINUTE
from batchwright.service.process import ServiceAddress
from tests.service.accounts import ANN, BEA, write_accounts
from tests.service.api_helpers import JsonDict, Researcher, jsonl, storage_request

FEEDBACK = "/api/v1/submissions/signals/upload-url"
ONE_RECORD = jsonl({"prompt": "a"})


@pytest.fixture
def address(researcher: Researcher) -> JsonDict:
    """An upload URL of a dataset."""
    return researcher.upload_url(researcher.dataset()["id"], "a b+c.jsonl")


@pytest.mark.spec("I-01", "I-02", "I-03", "ST-08")
def test_an_upload_url_contains_everything_for_the_put(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    upload = researcher.upload_url(dataset, "wave 1.JSONL")
    assert upload["http_method"] == "PUT"
    assert upload["dataset_id"] == dataset
    assert upload["content_type"] == "application/x-ndjson"
    job = researcher.import_job(dataset, upload["import_id"])
    assert (job["status"], job["filename"], job["type"]) == ("uninitialised", "wave 1.JSONL", "file_upload")


@pytest.mark.parametrize("name", ["Screenshot at 3.45\u202fPM.csv", "👩\u200d💻.csv", 'a"b%2F;?#.csv'])
def test_a_file_name_may_contain_any_character(researcher: Researcher, name: str) -> None:
    dataset = researcher.dataset()["id"]
    job = researcher.imported(dataset, name, b"prompt\na\n")
    assert (job["filename"], job["status"]) == (name, "complete")


@pytest.mark.spec("I-04", "I-05")
@pytest.mark.parametrize(
    ("name", "status"), [("a.csv", 201), ("a.CSV", 201), ("a.jsonl", 201), ("a.zip", 400)]
)
def test_a_v4_dataset_accepts_csv_and_jsonl(researcher: Researcher, name: str, status: int) -> None:
    assert researcher.status_of("GET", f"/datasets/{researcher.dataset()['id']}/upload-url/{name}") == status


@pytest.mark.parametrize(
    "name",
    [
        "a",
        ".csv",
        "a.json",
        "..%2Fa.csv",
        "a%5Cb.csv",
        "a%00.csv",
        "a%0Ab.csv",
        "a.csv%0A",
        "%0D%0Aa.csv",
        "a" * 300 + ".csv",
    ],
)
def test_invalid_names_are_rejected(researcher: Researcher, name: str) -> None:
    assert researcher.status_of("GET", f"/datasets/{researcher.dataset()['id']}/upload-url/{name}") == 400


@pytest.mark.spec("I-08", "T-09")
def test_a_put_needs_no_token_and_is_answered_empty(researcher: Researcher, address: JsonDict) -> None:
    sent = storage_request(
        "PUT", address["upload_url"], ONE_RECORD, {"Content-Type": address["content_type"]}
    )
    assert (sent.status, sent.body) == (200, b"")


@pytest.mark.spec("I-09")
def test_concurrently_requested_urls_are_distinct(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    first, second = (researcher.upload_url(dataset, "same.jsonl") for _time in range(2))
    assert first["import_id"] != second["import_id"]
    assert first["file_key"] != second["file_key"]
    researcher.put(second, jsonl({"prompt": "a"}, {"prompt": "b"}))
    researcher.put(first, ONE_RECORD)
    assert researcher.settled(dataset, first["import_id"])["accepted_count"] == 1
    assert researcher.settled(dataset, second["import_id"])["accepted_count"] == 2


def _expect_rejected(
    url: str, status: int, code: str, headers: dict[str, str], body: bytes = ONE_RECORD
) -> None:
    response = storage_request("PUT", url, body, headers)
    assert (response.status, response.headers["content-type"]) == (status, "application/xml"), response
    assert f"<Code>{code}</Code>" in response.body.decode()


@pytest.mark.spec("T-12")
def test_a_put_with_a_token_is_rejected(running: ServiceAddress, address: JsonDict) -> None:
    headers = {"Content-Type": address["content_type"], "Authorization": f"Token {running.token}"}
    _expect_rejected(address["upload_url"], 400, "InvalidArgument", headers)


def test_the_query_contains_characters_that_careless_clients_would_re_encode(address: JsonDict) -> None:
    query = urlsplit(address["upload_url"]).query
    assert all(escape in query for escape in ("%2F", "%2B", "%3D"))


@pytest.mark.spec("T-10")
@pytest.mark.parametrize(
    "alter",
    [
        lambda url: unquote(url.replace("%2B", "")),
        lambda url: url.replace("%2F", "/"),
        lambda url: url.replace("%2B", "+"),
        lambda url: url.replace("%3D", "="),
        lambda url: url.replace("%2F", "%2f"),
        lambda url: re.sub(r"Expires=\d", "Expires=9", url),
        lambda url: url + "&more=1",
        lambda url: url[:-4],
        lambda url: url.partition("?")[0],
        lambda url: re.sub(r"imports/.", "imports/x", url),
        lambda url: url + "%C3",
        lambda url: url + "\xff".encode("latin-1").decode("latin-1"),
    ],
)
def test_an_altered_url_is_rejected(address: JsonDict, alter: Any) -> None:
    altered = alter(address["upload_url"])
    assert altered != address["upload_url"]
    _expect_rejected(
        quote(altered, safe=":/?&=%+"), 403, "AccessDenied", {"Content-Type": address["content_type"]}
    )


@pytest.mark.spec("I-08")
@pytest.mark.parametrize("content_type", [None, "", "application/octet-stream", "text/csv", "jsonl"])
def test_a_put_may_name_any_content_type_or_none(researcher: Researcher, content_type: str | None) -> None:
    dataset = researcher.dataset()["id"]
    upload = researcher.upload_url(dataset, "a.jsonl")
    headers = {} if content_type is None else {"Content-Type": content_type}
    sent = storage_request("PUT", upload["upload_url"], ONE_RECORD, headers)
    assert (sent.status, sent.body) == (200, b"")
    assert researcher.settled(dataset, upload["import_id"])["status"] == "complete"


def test_a_chunked_put_is_rejected(address: JsonDict) -> None:
    parts = urlsplit(address["upload_url"])
    request = (
        f"PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Content-Type: {address['content_type']}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        "3\r\n{}\n\r\n0\r\n\r\n"
    )
    with closing(socket.create_connection((parts.hostname or "", parts.port or 0))) as raw:
        raw.sendall(request.encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 411 ")


@pytest.mark.spec("T-14", "K-05", "F-04")
def test_an_expired_url_is_denied(running: ServiceAddress, researcher: Researcher, earlier: Any) -> None:
    upload = researcher.request("GET", f"{FEEDBACK}/a.csv?workspace_id={researcher.workspace}", status=201)
    path = urlsplit(upload["upload_url"]).path
    for late, status in ((20 * MINUTE + 1000, 403), (19 * MINUTE, 200)):
        signed = earlier(late).sign("PUT", path, 20 * MINUTE)
        response = storage_request("PUT", running.url + signed.target, b"x")
        assert response.status == status
        assert (b"Request has expired" in response.body) == (status == 403)


def test_a_put_that_is_repeated_succeeds_and_counts_once(researcher: Researcher) -> None:
    dataset = researcher.dataset()["id"]
    upload = researcher.upload_url(dataset, "a.jsonl")
    researcher.put(upload, ONE_RECORD)
    researcher.put(upload, ONE_RECORD)
    assert researcher.settled(dataset, upload["import_id"])["accepted_count"] == 1
    assert researcher.request("GET", f"/datasets/{dataset}", status=200)["total_datapoint_count"] == 1
    _expect_rejected(
        upload["upload_url"],
        403,
        "AccessDenied",
        {"Content-Type": upload["content_type"]},
        jsonl({"prompt": "b"}),
    )


@pytest.mark.spec("F-01", "F-02", "F-03", "F-05", "F-07", "F-09")
@pytest.mark.parametrize("name", ["a.csv", "b.xls", "c d.XLSX", "e.json", "f.txt", "ü.pdf"])
def test_feedback_of_each_format_is_accepted_with_any_content(
    researcher: Researcher, service_folder: Path, name: str
) -> None:
    before = datetime.now().astimezone()
    upload = researcher.request(
        "GET", f"{FEEDBACK}/{quote(name)}?workspace_id={researcher.workspace}", status=201
    )
    assert upload["http_method"] == "PUT"
    lifetime = datetime.fromisoformat(upload["expires_at"]) - before
    assert timedelta(minutes=19) < lifetime < timedelta(minutes=21)
    content = name.encode() + b"\x00\xff not looked at"
    researcher.put(upload, content)
    researcher.put(upload, content + b"!")
    stored = [
        file.read_bytes() for file in (service_folder / "blobs" / "feedback").rglob("*") if file.is_file()
    ]
    assert content + b"!" in stored
    assert content not in stored


@pytest.mark.spec("F-06")
@pytest.mark.parametrize("name", ["a.docx", "a", "csv", "a.csv.exe"])
def test_feedback_of_unsupported_formats_is_rejected(researcher: Researcher, name: str) -> None:
    assert researcher.status_of("GET", f"{FEEDBACK}/{name}?workspace_id={researcher.workspace}") == 400


@pytest.mark.spec("F-01")
def test_feedback_without_a_workspace_belongs_to_the_first_one_of_the_owner(
    sign_in: Callable[..., Researcher], accounts: Path, service_folder: Path
) -> None:
    two = {**ANN, "workspaces": ["7" * 24, "5" * 24]}
    none = {**BEA, "workspaces": []}
    write_accounts(accounts, [two, none], [])
    ann = sign_in(token="ann-1", workspace="7" * 24)
    upload = ann.request("GET", f"{FEEDBACK}/first.csv", status=201)
    assert storage_request("PUT", upload["upload_url"], b"x").status == 200
    query = "SELECT workspace_id FROM feedback WHERE filename = 'first.csv'"
    with closing(sqlite3.connect(service_folder / "service.db")) as database:
        assert database.execute(query).fetchall() == [("7" * 24,)]
    assert ann.status_of("GET", f"{FEEDBACK}/a.csv?workspace_id=") == 400
    assert ann.status_of("GET", f"{FEEDBACK}/a.csv?workspace_id={'9' * 24}") == 403
    assert sign_in(token="bea-1").status_of("GET", f"{FEEDBACK}/a.csv") == 403


def test_feedback_above_5_gb_is_rejected_at_its_header(researcher: Researcher) -> None:
    upload = researcher.request("GET", f"{FEEDBACK}/a.csv?workspace_id={researcher.workspace}", status=201)
    parts = urlsplit(upload["upload_url"])
    head = (
        f"PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Content-Length: {5 * 1024**3 + 1}\r\n\r\n"
    )
    with closing(socket.create_connection((parts.hostname or "", parts.port or 0))) as raw:
        raw.sendall(head.encode())
        response = raw.recv(1000)
    assert response.startswith(b"HTTP/1.1 400 ")


def test_an_interrupted_upload_stores_nothing(researcher: Researcher, service_folder: Path) -> None:
    dataset = researcher.dataset()["id"]
    upload = researcher.upload_url(dataset, "a.jsonl")
    parts = urlsplit(upload["upload_url"])
    head = (
        f"PUT {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
        f"Content-Type: {upload['content_type']}\r\nContent-Length: 100\r\n\r\n"
    )
    with closing(socket.create_connection((parts.hostname or "", parts.port or 0))) as raw:
        raw.sendall(head.encode() + ONE_RECORD)
    researcher.put(upload, ONE_RECORD)
    assert researcher.settled(dataset, upload["import_id"])["status"] == "complete"
