"""URLs, methods, trailing slashes and the account (wire reference, sections 1.1, 2.4 and 3).

The client uses URLs with and without a trailing slash in turn, so two calls test both.
"""

import pytest

from tests.service.independent_client.client import NOTHING, Client
from tests.service.independent_client.endpoints import (
    ADDRESSES,
    BATCH,
    COLLECTION,
    DATA,
    PARTICIPANTS,
    UNKNOWN_ID,
    USERS,
    unknown,
)
from tests.service.independent_client.shapes import USER, Table, object_id

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
EVERY = [(method, address) for address, methods in ADDRESSES.items() for method in methods]
EMPTY: dict[str, object] = {}


@pytest.mark.parametrize("address", ADDRESSES)
def test_wrong_methods_are_405_with_and_without_a_trailing_slash(client: Client, address: str) -> None:
    for method in METHODS:
        if method not in ADDRESSES[address]:
            for _form in range(2):
                response = client.request(method, unknown(address))
                assert response.status == 405
                assert set(ADDRESSES[address]) <= set(response.headers["Allow"].replace(" ", "").split(","))


@pytest.mark.parametrize(("method", "address"), EVERY)
def test_both_slash_forms_answer_alike_and_never_redirect(client: Client, method: str, address: str) -> None:
    body = NOTHING if method == "GET" else EMPTY
    plain, slashed = (client.request(method, unknown(address), body) for _form in range(2))
    assert plain.status == slashed.status
    assert plain.status in (200, 201, 400, 404, 422)


@pytest.mark.parametrize(("method", "address"), EVERY)
def test_no_address_answers_without_a_token(client: Client, method: str, address: str) -> None:
    for authorization in ("Token nobody", "", "Bearer {}", "token{}", "Basic {}", "{}", "Token"):
        headers = {"Authorization": authorization.format(client.token)}
        client.expect(401, method, unknown(address), EMPTY, headers)


def test_missing_resources_are_reported_as_specified(client: Client) -> None:
    for address, methods in ADDRESSES.items():
        if "GET" in methods and "{" in address and "filename" not in address:
            is_looked_up = not address.startswith((BATCH, COLLECTION)) or address.endswith(
                ("{export}", "{sync}")
            )
            client.expect(404 if is_looked_up else 400, "GET", unknown(address))
    client.expect(404, "POST", unknown(f"{BATCH}/export"))
    client.expect(404, "POST", unknown(f"{COLLECTION}/export"))
    client.expect(404, "GET", "/api/v1/nothing-of-the-sort")
    client.expect(404, "GET", f"{DATA}/batches/{UNKNOWN_ID}/nothing")
    client.expect(404, "GET", f"{DATA}/datasets/..%2F..%2Fetc%2Fpasswd")


@pytest.mark.spec("A-01", "A-02")
def test_the_account_check_names_the_owner_of_the_token(client: Client) -> None:
    assert USER(client.expect(200, "GET", USERS))
    assert client.expect(200, "GET", USERS + "?unknown=1") == client.expect(200, "GET", USERS)


def test_a_test_participant_needs_an_unused_email_address(client: Client) -> None:
    created = client.expect(201, "POST", PARTICIPANTS, {"email": "somebody@example.net"})
    assert Table({"participant_id": object_id})(created)
    for body in (
        {"email": "somebody@example.net"},
        {},
        {"email": 5},
        {"email": None},
        {"email": "no address"},
    ):
        client.expect(400, "POST", PARTICIPANTS, body)


@pytest.mark.parametrize(("method", "address"), [pair for pair in EVERY if pair[0] != "GET"])
def test_a_body_that_is_not_a_json_object_never_fails_the_service(
    client: Client, method: str, address: str
) -> None:
    for body in (b"{", b"[]", b'"text"', b"null", b"\xff\xfe", b'{"a":' * 50_000, b'{"name": NaN}'):
        response = client.request(method, unknown(address), body, {"Content-Type": "application/json"})
        assert response.status in (400, 404), (response.status, body[:20])
