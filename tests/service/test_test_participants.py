"""Test participants (specification, Account and participants; wire reference, sections 3.2 and 15)."""

import hashlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import httpx
import pytest

from batchwright.service.auth import Accounts, StoredAccount
from batchwright.service.handlers.account import create_participant
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.store import participants
from batchwright.service.store.database import open_database
from tests.service.accounts import BEA, write_accounts
from tests.service.api_helpers import QUESTION, Researcher, page
from tests.service.participant import answer_task_group

SignIn = Callable[..., Researcher]

PARTICIPANTS = "/api/v1/researchers/participants/"
BEAS, SECOND_WORKSPACE = "9" * 24, "8" * 24


def some_email() -> str:
    """An email address that is not in use."""
    return f"tester+{uuid4().hex}@example.org"


def create_test_participant(researcher: Researcher, email: str | None = None) -> str:
    """Create a test participant; returns its id."""
    response = researcher.request("POST", PARTICIPANTS, {"email": email or some_email()}, 201)
    assert set(response) == {"participant_id"}
    return str(response["participant_id"])


def link_to_study(researcher: Researcher) -> str:
    """The link of a study with one task."""
    dataset = researcher.filled_dataset(1)
    batch = researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)])["id"]
    researcher.set_up(batch)
    return str(researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"])


@pytest.mark.spec("P-01")
def test_each_email_address_creates_one_participant(researcher: Researcher) -> None:
    email = some_email()
    ids = {
        create_test_participant(researcher, email),
        create_test_participant(researcher),
        create_test_participant(researcher),
    }
    assert len(ids) == 3
    assert all(len(id) == 24 and int(id, 16) for id in ids)
    for again in (email, email.upper(), f" {email} "):
        rejected = researcher.request("POST", PARTICIPANTS, {"email": again}, 400)
        assert rejected["error"]["detail"].keys() == {"email"}
    assert researcher.status_of("POST", PARTICIPANTS.rstrip("/"), {"email": some_email()}) == 201


def test_the_email_address_of_an_account_is_rejected(researcher: Researcher, accounts: Path) -> None:
    write_accounts(accounts, [BEA], [])
    own = researcher.request("GET", "/api/v1/users/me/", None, 200)["email"]
    for email in (own, "Bea@Example.org"):
        assert researcher.status_of("POST", PARTICIPANTS, {"email": email}) == 400


@pytest.mark.spec("P-02")
@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        [],
        "a@b.example",
        {"email": None},
        {"email": 5},
        {"email": ["a@b.example"]},
        {"email": ""},
        {"email": "nobody"},
        {"email": "a@"},
        {"email": "a@b@c"},
        {"email": "a b@c"},
        {"email": "a@b\nBcc: c@d"},
        {"email": f"{'a' * 300}@b.example"},
        {"mail": "a@b.example"},
    ],
)
def test_a_request_without_an_email_address_is_rejected(researcher: Researcher, body: Any) -> None:
    assert researcher.status_of("POST", PARTICIPANTS, body) == 400


def test_an_invalid_json_body_is_rejected(researcher: Researcher) -> None:
    for body in (b"{", b"\xff", b"[" * 100_000, b'{"email": "a\\ud800@b.example"}'):
        assert researcher.http.post(PARTICIPANTS, content=body).status_code == 400
    assert researcher.status_of("GET", PARTICIPANTS) == 405


@pytest.mark.spec("P-03")
def test_no_participant_is_created_where_the_feature_is_off(sign_in: SignIn, accounts: Path) -> None:
    write_accounts(accounts, [BEA], [{"id": BEAS, "features": ["v4", "collections"]}])
    bea, email = sign_in(token="bea-1", workspace=BEAS), some_email()
    for body in ({"email": email}, {}):
        rejected = bea.request("POST", PARTICIPANTS, body, 404)["error"]["detail"]
        assert "permission" in rejected
        assert "feature" in rejected
    write_accounts(accounts, [BEA], [{"id": BEAS, "features": ["test_participants"]}])
    create_test_participant(bea, email)


def test_the_feature_in_any_workspace_of_the_owner_is_enough(sign_in: SignIn, accounts: Path) -> None:
    both = {**BEA, "workspaces": [BEAS, SECOND_WORKSPACE]}
    write_accounts(accounts, [both], [{"id": BEAS, "features": []}])
    create_test_participant(sign_in(token="bea-1", workspace=BEAS))
    write_accounts(accounts, [both], [{"id": BEAS, "features": []}, {"id": SECOND_WORKSPACE, "features": []}])
    assert sign_in(token="bea-1").status_of("POST", PARTICIPANTS, {"email": some_email()}) == 404


@pytest.mark.spec("P-05", "P-06")
def test_it_participates_only_in_studies_of_its_researcher(
    researcher: Researcher, sign_in: SignIn, accounts: Path
) -> None:
    write_accounts(accounts, [BEA], [])
    bea = sign_in(token="bea-1", workspace=BEAS)
    own, foreign = create_test_participant(researcher), create_test_participant(bea)
    link = link_to_study(researcher)
    query = dict(httpx.URL(link).params)
    shown = httpx.get(f"{link}&participant={foreign}", trust_env=False)
    assert (shown.status_code, 'data-state="elsewhere"' in shown.text) == (403, True)
    start = str(httpx.URL(link).copy_with(query=None)) + "/start"
    form = {name: (None, value) for name, value in {**query, "participant": foreign}.items()}
    assert httpx.post(start, files=form, trust_env=False).status_code == 403
    answer_task_group(link, own)
    # Bea's own study, until her workspace loses the feature, and then until she is gone.
    beas = link_to_study(bea)
    assert httpx.get(f"{beas}&participant={foreign}", trust_env=False).status_code == 200
    write_accounts(accounts, [BEA], [{"id": BEAS, "features": ["v4"]}])
    assert httpx.get(f"{beas}&participant={foreign}", trust_env=False).status_code == 403
    write_accounts(accounts, [], [])
    assert httpx.get(f"{beas}&participant={foreign}", trust_env=False).status_code == 403


@pytest.mark.spec("P-04", "P-08")
def test_it_has_its_researchers_details_and_a_password_of_its_own(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        with database.write() as connection:
            pair = [
                participants.add(
                    connection,
                    email=f"{name}@example.org",
                    researcher="r" * 24,
                    password=participants.random_password(),
                    now=1,
                )
                for name in "ab"
            ]
        with database.read() as connection:
            for participant in pair:
                stored = participants.find(connection, participant.id)
                assert stored is not None
                assert (stored.researcher, stored.email) == ("r" * 24, participant.email)
            passwords = connection.execute(
                "SELECT password_salt, password_hash FROM test_participant"
            ).fetchall()
    assert len({bytes(row["password_hash"]) for row in passwords}) == 2
    assert len({bytes(row["password_salt"]) for row in passwords}) == 2


def test_hashing_a_password_blocks_no_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed, scrypt = [], hashlib.scrypt
    with closing(open_database(tmp_path)) as database:

        def hash_with_write(*arguments: Any, **more: Any) -> bytes:
            with database.write():
                hashed.append(arguments)
            return scrypt(*arguments, **more)

        monkeypatch.setattr(hashlib, "scrypt", hash_with_write)
        owner = StoredAccount("o" * 24, "owner@example.org", frozenset({"token"}), ("w",))
        accounts = Accounts(owner, None, tmp_path / "accounts.json")
        state: Any = SimpleNamespace(database=database, accounts=accounts, clock=lambda: 1)
        body = b'{"email": "somebody@example.org"}'
        assert (
            create_participant(ApiRequest(state, owner, {}, {}, "application/json", body)).status_code == 201
        )
    assert len(hashed) == 1


@pytest.mark.spec("P-07")
def test_there_is_no_payout(researcher: Researcher) -> None:
    participant = create_test_participant(researcher)
    for path in (
        f"{PARTICIPANTS}{participant}",
        f"{PARTICIPANTS}{participant}/cash-out",
        "/api/v1/cash-out/",
    ):
        for method in ("GET", "POST"):
            assert researcher.status_of(method, path) in (404, 405)
    shown = httpx.get(f"{link_to_study(researcher)}&participant={participant}", trust_env=False).text.lower()
    assert not [term for term in ("cash", "balance", "payout", "earned") if term in shown]
