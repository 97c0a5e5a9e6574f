"""Every kind of pre-signed address: how long it is good for, and for what (design.md 6; Authentication 6)."""

import re
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest

from batchwright.service.clock import HOUR, MINUTE
from batchwright.service.process import ServiceAddress
from batchwright.service.signing import Signer
from tests.service.api_helpers import QUESTION, JsonDict, Researcher, StorageResponse, jsonl, storage_request

FEEDBACK = "/api/v1/submissions/signals/upload-url"
ONE = jsonl({"prompt": "a"})


def of_dataset(researcher: Researcher) -> JsonDict:
    return researcher.upload_url(researcher.dataset()["id"], "a b.jsonl")


def of_feedback(researcher: Researcher) -> JsonDict:
    path = f"{FEEDBACK}/a%20b.csv?workspace_id={researcher.workspace}"
    given: JsonDict = researcher.request("GET", path, None, 201)
    return given


def of_report(researcher: Researcher) -> JsonDict:
    batch = researcher.batch(dataset_id=researcher.filled_dataset())["id"]
    given: JsonDict = researcher.request("GET", f"/batches/{batch}/report", None, 200)
    return given


def of_batch_export(researcher: Researcher) -> JsonDict:
    return exported(researcher, "batches", researcher.batch()["id"])


def of_collection_export(researcher: Researcher) -> JsonDict:
    return exported(researcher, "collections", researcher.collection({**QUESTION, "order": 0})["id"])


def exported(researcher: Researcher, kind: str, id: str) -> JsonDict:
    """What is said of a complete export."""
    researcher.exported(id, kind)
    given: JsonDict = researcher.request("POST", f"/{kind}/{id}/export", None, 200)
    return given


KINDS = [
    (of_dataset, 15 * MINUTE),
    (of_feedback, 20 * MINUTE),
    (of_report, HOUR),
    (of_batch_export, HOUR),
    (of_collection_export, HOUR),
]
every_kind = pytest.mark.parametrize(
    ("make", "lifetime"), KINDS, ids=[make.__name__.removeprefix("of_") for make, _lifetime in KINDS]
)
DOWNLOADS = [of_report, of_batch_export, of_collection_export]


def url_of(given: JsonDict) -> str:
    return str(given.get("upload_url") or given["url"])


def use(given: JsonDict, url: str = "", method: str = "", **headers: str) -> StorageResponse:
    """What storage answers to a request with the address, as it is unless something else is said."""
    proper = "PUT" if "upload_url" in given else "GET"
    body = ONE if (method or proper) == "PUT" else None
    return storage_request(method or proper, url or url_of(given), body, headers)


def is_denied(answer: StorageResponse, why: str = "") -> bool:
    """Whether this is the 403 Access Denied of storage."""
    assert (answer.status, answer.headers["content-type"]) == (403, "application/xml"), answer
    assert b"<Code>AccessDenied</Code>" in answer.body
    return why.encode() in answer.body


@pytest.mark.spec("K-05", "K-06", "T-09", "T-14")
@every_kind
def test_an_address_is_good_until_it_expires_and_may_be_used_again(
    running: ServiceAddress,
    researcher: Researcher,
    earlier: Callable[[int], Signer],
    make: Any,
    lifetime: int,
) -> None:
    given = make(researcher)
    path = urlsplit(url_of(given)).path
    expires_at = datetime.fromisoformat(given["expires_at"]).timestamp()
    assert f"Expires={round(expires_at * 1000)}&" in url_of(given)
    method = "PUT" if "upload_url" in given else "GET"
    late, soon = (
        running.url + earlier(age).sign(method, path, lifetime).target
        for age in (lifetime, lifetime - MINUTE)
    )
    assert is_denied(use(given, late), "Request has expired")
    assert use(given, soon).status == 200
    assert use(given).status == 200
    assert use(given).status == 200


@pytest.mark.spec("T-10", "T-12")
@every_kind
def test_an_address_is_good_for_its_one_request_alone(
    researcher: Researcher, make: Any, lifetime: int
) -> None:
    given = make(researcher)
    url = url_of(given)
    for method in {"GET", "HEAD", "PUT", "POST", "DELETE"} - {"PUT" if "upload_url" in given else "GET"}:
        assert use(given, method=method).status in (403, 405)
    altered = [
        url.replace("%2F", "/"),
        url.replace("%2B", "+"),
        url.replace("%3D", "="),
        url.replace("%2B", "%2b"),
        url.replace("%", "%25"),
        re.sub(r"Expires=\d", "Expires=9", url),
        re.sub(r"Credential=[^&]*", "Credential=local%2Fother", url),
        re.sub(r"(/storage/\w+/)(.)", lambda found: found[1] + str(9 - int(found[2], 16) % 9), url),
        url.replace("Signature=", "Signature=%00"),
        url + "&",
        url.partition("?")[0],
        url.replace("?", "/?"),
    ]
    for other in altered:
        assert is_denied(use(given, other)), other
    refused = use(given, Authorization="Token anything")
    assert (refused.status, refused.headers["content-type"]) == (400, "application/xml")
    assert use(given).status == 200


@every_kind
def test_the_address_of_one_thing_opens_no_other(researcher: Researcher, make: Any, lifetime: int) -> None:
    given, other = make(researcher), make(researcher)
    mixed = url_of(given).partition("?")[0] + "?" + url_of(other).partition("?")[2]
    assert is_denied(use(given, mixed), "signature")


@pytest.mark.parametrize("make", [of_batch_export, of_collection_export])
def test_an_archive_can_be_fetched_in_pieces(researcher: Researcher, make: Any) -> None:
    given = make(researcher)
    whole = use(given)
    assert whole.headers["accept-ranges"] == "bytes"
    assert int(whole.headers["content-length"]) == len(whole.body)
    half = len(whole.body) // 2
    pieces = [use(given, Range=f"bytes={part}") for part in (f"0-{half - 1}", f"{half}-", "-1")]
    assert [piece.status for piece in pieces] == [206, 206, 206]
    assert pieces[0].body + pieces[1].body == whole.body
    assert pieces[2].body == whole.body[-1:]
    assert ZipFile(BytesIO(pieces[0].body + pieces[1].body)).testzip() is None
    assert use(given, Range=f"bytes={10**12}-").status == 416
    assert use(given, Range="nonsense").status in (200, 400)


@pytest.mark.parametrize("make", DOWNLOADS)
def test_a_download_is_a_file_of_its_own_name(researcher: Researcher, make: Any) -> None:
    given = make(researcher)
    name = urlsplit(url_of(given)).path.rpartition("/")[2]
    headers = use(given).headers
    assert headers["content-disposition"] == f'attachment; filename="{name}"'
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-type"].partition(";")[0] == (
        "text/csv" if "report" in name else "application/zip"
    )


@pytest.mark.parametrize("kind", ["batches", "collections"])
def test_the_address_of_an_archive_leads_nowhere_after_a_reset(researcher: Researcher, kind: str) -> None:
    thing = researcher.batch() if kind == "batches" else researcher.collection({**QUESTION, "order": 0})
    given = exported(researcher, kind, thing["id"])
    researcher.request("POST", f"/local/v1/{kind}/{thing['id']}/reset", None, 204)
    gone = use(given)
    assert (gone.status, b"<Code>NoSuchKey</Code>" in gone.body) == (404, True)
    assert use(exported(researcher, kind, thing["id"])).status == 200
