"""Malformed forms sent to every URL that accepts a form get an error page."""

from collections.abc import AsyncIterator
from itertools import repeat
from urllib.parse import urlencode, urlsplit

import httpx
import pytest

from batchwright.base.limits import LARGEST_FORM
from batchwright.service.participate.form_data import _url_encoded
from tests.service.api_helpers import QUESTION, StorageResponse, page
from tests.service.kill_helpers import ServiceRun
from tests.service.memory import MB, MemoryMonitor
from tests.service.raw_http import exchange

FORM = "multipart/form-data; boundary=b"
URL_ENCODED = "application/x-www-form-urlencoded"
FLAT = 48
"""MB by which memory may grow for a form of any size."""


@pytest.fixture(scope="module")
def addresses(large: ServiceRun) -> dict[str, str]:
    """The URLs that accept a form: the start of a study, a page of it, and a page of a preview."""
    researcher = large.researcher
    layout = [
        page({"type": "file_upload", "description": "Show us", "accepted_file_types": [".png"]}, QUESTION)
    ]
    batch = researcher.batch(dataset_id=researcher.filled_dataset(), batch_items=layout)["id"]
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    key = link.partition("key=")[2]
    started = researcher.http.post(f"/participate/{batch}/start", data={"key": key, "participant": "c" * 24})
    created = researcher.request("POST", "/local/v1/previews", {"batch_items": layout, "page": 0}, 201)
    return {
        "start": f"{large.running.url}/participate/{batch}/start",
        "page": large.running.url + urlsplit(started.headers["location"]).path,
        "preview": created["url"],
    }


every_address = pytest.mark.parametrize("form", ["start", "page", "preview"])


def post(url: str, content_type: str, *pieces: bytes, endless: bool = False) -> StorageResponse:
    """Send a form; on request, the last piece is sent endlessly."""
    url_parts = urlsplit(url)
    chunks = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces]
    head = (
        f"POST {url_parts.path} HTTP/1.1\r\nHost: {url_parts.netloc}\r\nContent-Type: {content_type}\r\n"
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    rest = repeat(chunks[-1]) if endless else (b"0\r\n\r\n",)
    return exchange(url, head.encode("latin-1"), *chunks, rest)


def form_field(disposition: str, content: bytes = b"x", *headers: str) -> bytes:
    """A field of a multipart form."""
    lines = "\r\n".join(("--b", f"Content-Disposition: {disposition}", *headers, "", ""))
    return lines.encode("utf-8", "surrogateescape") + content + b"\r\n"


END = b"--b--\r\n"
ODD = [
    ("", b""),
    ("nonsense", b"x"),
    ("application/json", b'{"step": 0}'),
    ("multipart/form-data", b"--b\r\n\r\n"),
    ("multipart/form-data; boundary=" + "b" * 5000, b"x"),
    ("multipart/form-data; boundary=\xff", b"x"),
    (FORM, b""),
    (FORM, b"--b"),
    (FORM, b"--b--"),
    (FORM, b"no boundary anywhere"),
    (FORM, b"--b\r\nno colon\r\n\r\nx\r\n" + END),
    (FORM, form_field("form-data") + END),
    (FORM, form_field('form-data; name=""') + END),
    (FORM, form_field('form-data; name="step"') + END),
    (FORM, form_field('form-data; name="step"', b"-1") + END),
    (FORM, form_field('form-data; name="step"', b"9" * 5000) + END),
    (FORM, form_field('form-data; name="step"', b"\xff\xfe\x00") + END),
    (FORM, form_field('form-data; name="i0"; filename="../../x.png"') + END),
    (FORM, form_field('form-data; name="i0"; filename=""') + END),
    (FORM, form_field('form-data; name="i0"; filename="' + "a" * 10_000 + '.png"') + END),
    (FORM, form_field('form-data; name="i0"; filename="a\udcfe\udcff.png"') + END),
    (FORM, form_field("form-data; name=\"i0\"; filename*=utf-16''%ff%fe.png") + END),
    (FORM, form_field('form-data; name="i99"; filename="a.png"') + END),
    (FORM, form_field('form-data; name="i0"; filename="a.png"', b"x", "Content-Type: \x7f\x01") + END),
    (
        FORM,
        form_field('form-data; name="i0"; filename="a.png"', b"x", "Content-Transfer-Encoding: base64") + END,
    ),
    (FORM, form_field('form-data; name="i0"; filename="a.png"')),
    (
        FORM,
        form_field('form-data; name="i1"', b"\x00\xed\xa0\x80")
        + form_field('form-data; name="step"', b"0")
        + form_field('form-data; name="page"', b"0")
        + END,
    ),
    (FORM, form_field('form-data; name="i1"') * 6000 + END),
    (URL_ENCODED, b""),
    (URL_ENCODED, b"&&&===%%%%zz=%ff&step=0"),
    (URL_ENCODED, b"step=" + b"%00" * 100),
    (URL_ENCODED, b"a=b&" * 100_000),
    (URL_ENCODED + "; charset=utf-16", b"step=0&page=0&i1=x"),
]


@every_address
@pytest.mark.parametrize(("content_type", "content"), ODD, ids=[f"{n}" for n in range(len(ODD))])
def test_a_malformed_form_gets_an_error_page(
    addresses: dict[str, str], form: str, content_type: str, content: bytes
) -> None:
    response = post(addresses[form], content_type, *([content] if content else []))
    assert response.status in (200, 303, 400, 403, 404, 413, 415, 422), response
    assert response.status == 303 or response.headers["content-type"].startswith("text/html")


@pytest.mark.matrix(3)
@every_address
@pytest.mark.parametrize(
    ("content_type", "head"),
    [
        (URL_ENCODED, b"i1="),
        (FORM, b"--b\r\n"),
        (FORM, b"--b\r\nContent-Disposition: "),
        (FORM, form_field('form-data; name="i1"', b"")[:-2]),
        (FORM, b""),
    ],
    ids=["url-encoded", "header name", "header", "field", "preamble"],
)
def test_an_endless_form_is_rejected_with_constant_memory(
    large: ServiceRun, addresses: dict[str, str], form: str, content_type: str, head: bytes
) -> None:
    monitor = MemoryMonitor(large)
    pieces = [head] if head else []
    response = post(addresses[form], content_type, *pieces, b"x" * MB, endless=True)
    assert response.status in (400, 403, 404, 413, 422), response
    assert max(monitor.growth().values()) <= FLAT, monitor.growth()


@pytest.mark.parametrize("form", ["page", "preview"])
def test_a_file_far_above_its_limit_is_read_to_its_end_and_reported_as_too_large(
    large: ServiceRun, addresses: dict[str, str], form: str
) -> None:
    monitor = MemoryMonitor(large)
    head = form_field('form-data; name="i0"; filename="a.png"', b"")[:-2]
    pieces = [
        head,
        *[b"x" * MB] * 100,
        b"\r\n",
        form_field('form-data; name="step"', b"0"),
        form_field('form-data; name="page"', b"0") + END,
    ]
    response = post(addresses[form], FORM, *pieces)
    assert response.status == 422
    assert "larger than 25 MB" in response.body.decode()
    assert max(monitor.growth().values()) <= FLAT, monitor.growth()


@every_address
def test_the_longest_form_is_read_with_little_memory(
    large: ServiceRun, addresses: dict[str, str], form: str
) -> None:
    monitor = MemoryMonitor(large)
    response = post(addresses[form], URL_ENCODED, b"i1=" + b"%41" * ((LARGEST_FORM - 10) // 3))
    assert response.status in (200, 303, 403, 404, 422), response
    assert max(monitor.growth().values()) <= 100, monitor.growth()


@pytest.mark.parametrize("size", [1, 2, 3, 65_535, 65_536, 65_537, 65_538, 140_001])
async def test_a_text_is_decoded_wherever_its_chunks_are_divided(size: int) -> None:
    text = "a" * size + "ä+% 日&=" * 20_000

    async def body() -> AsyncIterator[bytes]:
        yield urlencode({"text": text, "empty": ""}).encode()

    posted = await _url_encoded(body())
    assert posted.fields == {"text": [text], "empty": [""]}


def unread(url: str, path: str, *headers: str) -> StorageResponse:
    """The response to the head of a form whose body is never sent."""
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: {urlsplit(url).netloc}",
        *headers,
        f"Content-Type: {URL_ENCODED}",
        "Content-Length: 1000",
        "Connection: close",
    )
    return exchange(url, "\r\n".join((*lines, "", "")).encode())


@every_address
@pytest.mark.parametrize("header", ["Origin: https://elsewhere.example", "Sec-Fetch-Site: cross-site"])
def test_a_form_of_another_site_is_rejected_before_it_is_read(
    addresses: dict[str, str], form: str, header: str
) -> None:
    response = unread(addresses[form], urlsplit(addresses[form]).path, header)
    assert response.status == 403
    assert b"another site" in response.body


@every_address
def test_pages_of_the_service_may_send_forms(addresses: dict[str, str], form: str) -> None:
    address = urlsplit(addresses[form])
    for origin in ("null", f"http://{address.netloc}"):
        for host in (address.netloc, f"localhost:{address.port}"):  # as a proxy may name it
            headers = {"Origin": origin, "Host": host}
            response = httpx.post(addresses[form], data={"a": "b"}, headers=headers)
            assert "another site" not in response.text


def test_a_form_of_an_unknown_participant_is_not_read(large: ServiceRun) -> None:
    path = f"/participate/{'0' * 8}-0000-4000-8000-{'0' * 12}/{'0' * 24}"
    assert unread(large.running.url, path).status == 404
