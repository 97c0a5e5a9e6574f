"""Feedback and pre-signed addresses: specification, Feedback upload and Authentication 6; wire reference,
section 11.
"""

from urllib.parse import quote, unquote

import pytest

from tests.service.independent_client.client import Client, Response
from tests.service.independent_client.researcher import PREFIX, SCHEMA, batch, dataset, upload_address
from tests.service.independent_client.shapes import FEEDBACK_ADDRESS

SIGNALS = "/api/v1/submissions/signals/upload-url"


def address(client: Client, filename: str = "wave.csv") -> str:
    upload = client.expect(201, "GET", f"{SIGNALS}/{filename}?workspace_id={client.workspace}")
    assert FEEDBACK_ADDRESS(upload)
    url: str = upload["upload_url"]
    return url


def expect_denied(response: Response) -> None:
    assert response.status == 403
    assert response.headers.get_content_type() == "application/xml"
    assert b"<Error><Code>AccessDenied</Code>" in response.body


@pytest.mark.parametrize("extension", ["csv", "xls", "xlsx", "json", "txt", "pdf", "CSV", "Pdf"])
def test_feedback_of_every_format_is_accepted(client: Client, extension: str) -> None:
    for headers in ({}, {"Content-Type": "application/octet-stream"}):
        response = client.store(address(client, f"a%20b.{extension}"), "PUT", b"\x00anything", headers)
        assert (response.status, response.body) == (200, b"")


def test_feedback_without_a_workspace_belongs_to_that_of_the_token(client: Client) -> None:
    upload = client.expect(201, "GET", f"{SIGNALS}/wave.csv")
    assert FEEDBACK_ADDRESS(upload)
    assert client.store(upload["upload_url"], "PUT", b"x").status == 200


def test_feedback_needs_a_supported_format(client: Client) -> None:
    for filename in ("wave.docx", "wave", "csv", "wave.csv.zip"):
        client.expect(400, "GET", f"{SIGNALS}/{filename}?workspace_id={client.workspace}")
    client.expect(400, "GET", f"{SIGNALS}/wave.csv?workspace_id=")


def test_an_upload_with_a_token_fails(client: Client) -> None:
    for authorization in (f"Token {client.token}", "Basic eDp5", ""):
        response = client.store(address(client), "PUT", b"x", {"Authorization": authorization})
        assert response.status == 400
        assert response.headers.get_content_type() == "application/xml"


def test_a_url_modified_by_a_careless_client_is_denied(client: Client) -> None:
    url = address(client)
    path, _, query = url.partition("?")
    assert {"%2F", "%2B", "%3D"} <= {query[place : place + 3] for place in range(len(query))}
    parameters = [pair.partition("=")[::2] for pair in query.split("&")]
    changed = {
        "decoded": f"{path}?{unquote(query)}",
        "slashes": url.replace("%2F", "/"),
        "pluses": url.replace("%2B", "+"),
        "lower": url.replace("%2F", "%2f"),
        "encoded again": f"{path}?{quote(query, safe='=&')}",
        "in another order": f"{path}?{'&'.join(query.split('&')[::-1])}",
        "another thing": f"{url}&x=1",
        "nothing": path,
        "later": f"{path}?"
        + "&".join(
            f"{key}={int(value) + 1}" if value.isdigit() else f"{key}={value}" for key, value in parameters
        ),
        "another file": url.replace("wave.csv", "wave.txt"),
    }
    for how, changed_url in changed.items():
        assert changed_url != url, how
        expect_denied(client.store(changed_url, "PUT", b"x"))
    for method in ("GET", "DELETE", "POST"):
        assert client.store(url, method).status in (403, 405)
    assert client.store(url, "PUT", b"x").status == 200


def test_an_upload_needs_nothing_but_its_address_and_its_method(client: Client) -> None:
    data = dataset(client, SCHEMA)
    for headers in (
        {"Content-Type": "application/octet-stream"},
        {"Content-Type": "text/csv; charset=utf-8"},
        {},
    ):
        upload = upload_address(client, data, "a.csv")
        response = client.store(upload["upload_url"], upload["http_method"], b"prompt\na\n", headers)
        assert (response.status, response.body) == (200, b"")
        job = client.expect(200, "GET", f"{PREFIX}/datasets/{data['id']}/imports/{upload['import_id']}")
        assert job["status"] != "uninitialised"


def test_a_chunked_upload_is_411(client: Client) -> None:
    connection = client.connection()
    url = address(client)
    connection.request("PUT", url.removeprefix(client.base), iter([b"a", b"b"]), encode_chunked=True)
    assert connection.getresponse().status == 411
    connection.close()


def test_feedback_above_five_gigabytes_is_rejected_at_its_header(client: Client) -> None:
    connection = client.connection()
    connection.putrequest("PUT", address(client).removeprefix(client.base))
    connection.putheader("Content-Length", str(6 * 10**9))
    connection.endheaders()
    response = connection.getresponse()
    assert (response.status, b"<Code>EntityTooLarge</Code>" in response.read()) == (400, True)
    connection.close()


def test_a_download_url_accepts_no_token_and_no_other_method(client: Client) -> None:
    download = client.expect(200, "GET", f"{PREFIX}/batches/{batch(client)['id']}/report/")
    assert client.store(download["url"], "GET").status == 200
    assert (
        client.store(download["url"], "GET", None, {"Authorization": f"Token {client.token}"}).status == 400
    )
    expect_denied(client.store(download["url"] + "x", "GET"))
    assert client.store(download["url"], "PUT", b"x").status in (403, 405)
