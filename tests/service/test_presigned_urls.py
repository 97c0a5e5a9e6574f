"""Every kind of pre-signed URL: its lifetime and what it permits (specification, Authentication 6)."""

import re
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from batchwright.service.clock import HOUR, MINUTE
from batchwright.service.process import ServiceAddress
from batchwright.service.signing import Signer
from tests.service.api_helpers import (
    QUESTION,
    JsonDict,
    Researcher,
    StorageResponse,
    eventually,
    jsonl,
    storage_request,
)
from tests.service.kill_helpers import service_run

FEEDBACK = "/api/v1/submissions/signals/upload-url"
ONE_RECORD = jsonl({"prompt": "a"})


def of_dataset(researcher: Researcher) -> JsonDict:
    return researcher.upload_url(researcher.dataset()["id"], "a b.jsonl")


def of_feedback(researcher: Researcher) -> JsonDict:
    path = f"{FEEDBACK}/a%20b.csv?workspace_id={researcher.workspace}"
    upload: JsonDict = researcher.request("GET", path, None, 201)
    return upload


def of_report(researcher: Researcher) -> JsonDict:
    batch = researcher.batch(dataset_id=researcher.filled_dataset())["id"]
    download: JsonDict = researcher.request("GET", f"/batches/{batch}/report", None, 200)
    return download


def of_batch_export(researcher: Researcher) -> JsonDict:
    return exported(researcher, "batches", researcher.batch()["id"])


def of_collection_export(researcher: Researcher) -> JsonDict:
    return exported(researcher, "collections", researcher.collection({**QUESTION, "order": 0})["id"])


def exported(researcher: Researcher, kind: str, id: str) -> JsonDict:
    """The response for a complete export."""
    researcher.exported(id, kind)
    download: JsonDict = researcher.request("POST", f"/{kind}/{id}/export", None, 200)
    return download


KINDS = [
    (of_dataset, 15 * MINUTE),
    (of_feedback, 20 * MINUTE),
    (of_report, HOUR),
    (of_batch_export, HOUR),
    (of_collection_export, HOUR),
]
every_kind = pytest.mark.parametrize(
    ("create_address", "lifetime"),
    KINDS,
    ids=[create.__name__.removeprefix("of_") for create, _lifetime in KINDS],
)
DOWNLOADS = [of_report, of_batch_export, of_collection_export]


def url_of(signed: JsonDict) -> str:
    return str(signed.get("upload_url") or signed["url"])


def use(signed: JsonDict, url: str = "", method: str = "", **headers: str) -> StorageResponse:
    """The storage response to a request with the URL, by default unchanged."""
    proper = "PUT" if "upload_url" in signed else "GET"
    body = ONE_RECORD if (method or proper) == "PUT" else None
    return storage_request(method or proper, url or url_of(signed), body, headers)


def is_denied(response: StorageResponse, why: str = "") -> bool:
    """Whether this is the 403 Access Denied of storage."""
    assert (response.status, response.headers["content-type"]) == (403, "application/xml"), response
    assert b"<Code>AccessDenied</Code>" in response.body
    return why.encode() in response.body


@pytest.mark.spec("K-05", "K-06", "T-09", "T-14")
@every_kind
def test_a_url_is_valid_until_it_expires_and_may_be_reused(
    running: ServiceAddress,
    researcher: Researcher,
    earlier: Callable[[int], Signer],
    create_address: Any,
    lifetime: int,
) -> None:
    signed = create_address(researcher)
    path = urlsplit(url_of(signed)).path
    expires_at = datetime.fromisoformat(signed["expires_at"]).timestamp()
    assert f"Expires={round(expires_at * 1000)}&" in url_of(signed)
    method = "PUT" if "upload_url" in signed else "GET"
    late, soon = (
        running.url + earlier(age).sign(method, path, lifetime).target
        for age in (lifetime, lifetime - MINUTE)
    )
    assert is_denied(use(signed, late), "Request has expired")
    assert use(signed, soon).status == 200
    assert use(signed).status == 200
    assert use(signed).status == 200


@pytest.mark.spec("T-10", "T-12")
@every_kind
def test_a_url_is_valid_for_its_request_only(
    researcher: Researcher, create_address: Any, lifetime: int
) -> None:
    signed = create_address(researcher)
    url = url_of(signed)
    for method in {"GET", "HEAD", "PUT", "POST", "DELETE"} - {"PUT" if "upload_url" in signed else "GET"}:
        assert use(signed, method=method).status in (403, 405)
    altered = [
        url.replace("%2F", "/"),
        url.replace("%2B", "+"),
        url.replace("%3D", "="),
        url.replace("%2B", "%2b"),
        url.replace("%", "%25"),
        re.sub(r"Expires=\d", "Expires=9", url),
        re.sub(r"Credential=[^&]*", "Credential=local%2Fother", url),
        re.sub(r"(/storage/\w+/)(.)", lambda match: match[1] + str((int(match[2], 16) + 1) % 10), url),
        url.replace("Signature=", "Signature=%00"),
        url + "&",
        url.partition("?")[0],
        url.replace("?", "/?"),
    ]
    for altered_url in altered:
        assert is_denied(use(signed, altered_url)), altered_url
    rejected = use(signed, Authorization="Token anything")
    assert (rejected.status, rejected.headers["content-type"]) == (400, "application/xml")
    assert use(signed).status == 200


@every_kind
def test_the_url_of_one_resource_is_denied_for_another(
    researcher: Researcher, create_address: Any, lifetime: int
) -> None:
    signed, second = create_address(researcher), create_address(researcher)
    mixed = url_of(signed).partition("?")[0] + "?" + url_of(second).partition("?")[2]
    assert is_denied(use(signed, mixed), "signature")


@pytest.mark.parametrize("create_address", [of_batch_export, of_collection_export])
def test_an_archive_can_be_downloaded_in_ranges(researcher: Researcher, create_address: Any) -> None:
    signed = create_address(researcher)
    full = use(signed)
    assert full.headers["accept-ranges"] == "bytes"
    assert int(full.headers["content-length"]) == len(full.body)
    half = len(full.body) // 2
    pieces = [use(signed, Range=f"bytes={byte_range}") for byte_range in (f"0-{half - 1}", f"{half}-", "-1")]
    assert [piece.status for piece in pieces] == [206, 206, 206]
    assert pieces[0].body + pieces[1].body == full.body
    assert pieces[2].body == full.body[-1:]
    assert ZipFile(BytesIO(pieces[0].body + pieces[1].body)).testzip() is None
    assert use(signed, Range=f"bytes={10**12}-").status == 416
    assert use(signed, Range="nonsense").status in (200, 400)


def test_a_report_can_be_downloaded_in_ranges(researcher: Researcher) -> None:
    signed = of_report(researcher)
    full = use(signed)
    assert full.headers["accept-ranges"] == "bytes"
    assert int(full.headers["content-length"]) == len(full.body) > 0
    half = len(full.body) // 2
    pieces = [use(signed, Range=f"bytes={byte_range}") for byte_range in (f"0-{half - 1}", f"{half}-", "-1")]
    assert [piece.status for piece in pieces] == [206, 206, 206]
    assert pieces[0].body + pieces[1].body == full.body
    assert pieces[2].body == full.body[-1:]
    assert use(signed, Range=f"bytes={10**12}-").status == 416


def test_a_download_of_a_report_continues_only_while_the_report_is_the_same(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset()
    batch = researcher.batch(dataset_id=dataset)["id"]
    signed: JsonDict = researcher.request("GET", f"/batches/{batch}/report", None, 200)
    etag = use(signed).headers["etag"]
    rest = {"Range": "bytes=5-", "If-Range": etag}
    assert use(signed, **rest).status == 206
    researcher.append(dataset, jsonl({"prompt": "another"}))
    changed = use(signed, **rest)
    assert (changed.status, changed.body) == (200, use(signed).body)
    assert changed.headers["etag"] != etag


def test_nothing_is_left_of_a_sent_report(tmp_path: Path) -> None:
    with service_run(tmp_path / "data") as service:
        signed = of_report(service.researcher)
        for headers in ({}, {"Range": "bytes=0-3"}, {"Range": "bytes=9999999-"}):
            use(signed, **headers)
        use(signed, method="HEAD")
        eventually(lambda: [*(service.folder / "blobs" / "unfinished").iterdir()], lambda files: not files)


@pytest.mark.parametrize("create_address", DOWNLOADS)
def test_a_download_is_a_file_of_its_own_name(researcher: Researcher, create_address: Any) -> None:
    signed = create_address(researcher)
    name = urlsplit(url_of(signed)).path.rpartition("/")[2]
    headers = use(signed).headers
    assert headers["content-disposition"] == f'attachment; filename="{name}"'
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-type"].partition(";")[0] == (
        "text/csv" if "report" in name else "application/zip"
    )


@pytest.mark.parametrize("kind", ["batches", "collections"])
def test_the_url_of_an_archive_is_invalid_after_a_reset(researcher: Researcher, kind: str) -> None:
    resource = researcher.batch() if kind == "batches" else researcher.collection({**QUESTION, "order": 0})
    signed = exported(researcher, kind, resource["id"])
    researcher.request("POST", f"/local/v1/{kind}/{resource['id']}/reset", None, 204)
    response = use(signed)
    assert (response.status, b"<Code>NoSuchKey</Code>" in response.body) == (404, True)
    assert use(exported(researcher, kind, resource["id"])).status == 200
