"""Authentication and URL forms (specification, Authentication; wire reference, sections 1.1 and 2.4)."""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from batchwright.service.process import ServiceAddress
from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import Researcher

SignIn = Callable[..., Researcher]

ME = "/api/v1/users/me/"


@pytest.mark.spec("A-01", "A-02", "T-02")
def test_the_account_check_returns_the_owner_of_the_token(researcher: Researcher) -> None:
    user = researcher.request("GET", ME, status=200)
    assert set(user) >= {"id", "email"}
    assert len(user["id"]) == 24


@pytest.mark.spec("T-03")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ME),
        ("POST", "/api/v1/data-collection/datasets"),
        ("GET", "/api/v1/data-collection/datasets/x"),
        ("GET", "/api/v1/data-collection/datasets/x/upload-url/a.csv"),
        ("GET", "/api/v1/data-collection/datasets/x/imports/y"),
        ("GET", "/api/v1/data-collection/batches?workspace_id=z"),
        ("POST", "/api/v1/data-collection/batches"),
        ("GET", "/api/v1/data-collection/batches/x"),
        ("PATCH", "/api/v1/data-collection/batches/x"),
        ("GET", "/api/v1/data-collection/batches/x/status"),
        ("POST", "/api/v1/data-collection/batches/x/setup"),
        ("GET", "/api/v1/data-collection/batches/x/responses"),
        ("GET", "/api/v1/data-collection/batches/x/report/"),
        ("POST", "/api/v1/data-collection/batches/x/export"),
        ("GET", "/api/v1/data-collection/batches/x/export/y"),
        ("GET", "/api/v1/submissions/signals/upload-url/a.csv?workspace_id=z"),
        ("GET", "/local/v1/batches/x/progress"),
        ("GET", "/local/v1/batches/x/setup-layout"),
    ],
)
def test_no_call_is_answered_without_a_token(running: ServiceAddress, method: str, path: str) -> None:
    response = httpx.request(method, running.url + path, trust_env=False)
    assert response.status_code == HTTPStatus.UNAUTHORIZED
    assert response.json()["error"]["status"] == 401


@pytest.mark.spec("T-02")
@pytest.mark.parametrize("scheme", ["Bearer ", "token ", "Token", "", "Token  "])
def test_only_the_scheme_token_is_accepted(running: ServiceAddress, scheme: str) -> None:
    response = httpx.get(running.url + ME, headers={"Authorization": scheme + running.token}, trust_env=False)
    assert response.status_code == HTTPStatus.UNAUTHORIZED


def test_both_slash_forms_are_routed_without_a_redirect(researcher: Researcher) -> None:
    for path in ("/datasets", "/datasets/"):
        body = {"name": "N", "workspace_id": researcher.workspace, "schema": None}
        assert researcher.http.post(f"/api/v1/data-collection{path}", json=body).status_code == 201
    for path in ("/api/v1/users/me", ME):
        assert researcher.http.get(path).status_code == 200


@pytest.mark.spec("H-01")
def test_unknown_paths_are_404_and_wrong_methods_405(researcher: Researcher) -> None:
    assert researcher.request("GET", "/api/v1/nothing", status=404)["error"]["title"] == "Not Found"
    assert researcher.http.get("/users/me/").status_code == 404
    response = researcher.http.request("DELETE", "/api/v1/data-collection/batches/x")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD, PATCH"
    assert response.json()["error"]["error_code"] == 405


@pytest.mark.parametrize(
    ("host", "status"), [("localhost:1", 200), ("127.0.0.1", 200), ("[::1]:80", 200), ("evil.example", 400)]
)
def test_a_foreign_host_name_is_rejected(researcher: Researcher, host: str, status: int) -> None:
    assert researcher.http.get(ME, headers={"Host": host}).status_code == status


@pytest.mark.spec("T-08", "T-06", "T-05")
def test_accounts_come_and_go_with_their_file(sign_in: SignIn, accounts: Path) -> None:
    ann = sign_in(token="ann-2", workspace="f" * 24)
    assert ann.status_of("GET", ME) == 401
    write_accounts(accounts, [ANN], [])
    assert ann.request("GET", ME, status=200)["email"] == "ann@example.org"
    assert ann.dataset()["created_by"] == ANN["id"]
    write_accounts(accounts, [{**ANN, "tokens": ["ann-1"]}], [])
    assert ann.status_of("GET", ME) == 401
    accounts.write_text("{", encoding="utf-8")
    assert sign_in(token="ann-1").status_of("GET", ME) == 200, "the accounts read last stay in force"


@pytest.mark.spec("I-06", "R-07", "E-01")
def test_two_researchers_cannot_access_each_others_resources(
    sign_in: SignIn, researcher: Researcher, accounts: Path
) -> None:
    write_accounts(accounts, [ANN], [])
    ann = sign_in(token="ann-1", workspace="f" * 24)
    dataset = researcher.dataset()["id"]
    batch = researcher.batch()["id"]
    assert ann.status_of("GET", f"/datasets/{dataset}") == 404
    assert ann.status_of("GET", f"/datasets/{dataset}/upload-url/a.csv") == 403
    assert ann.status_of("GET", f"/batches/{batch}") == 400
    assert ann.status_of("PATCH", f"/batches/{batch}", {"name": "Mine"}) == 400
    assert ann.status_of("POST", f"/batches/{batch}/export") == 403
    assert ann.status_of("GET", f"/batches?workspace_id={researcher.workspace}") == 403
    assert (
        ann.status_of(
            "POST", "/datasets", {"name": "N", "workspace_id": researcher.workspace, "schema": None}
        )
        == 403
    )
    assert ann.batch(status=400, dataset_id=dataset)["error"]["detail"].keys() == {"dataset_id"}
    assert (
        ann.status_of(
            "GET", f"/api/v1/submissions/signals/upload-url/a.csv?workspace_id={researcher.workspace}"
        )
        == 403
    )


@pytest.mark.spec("D-03")
def test_v4_datasets_need_the_feature(sign_in: SignIn, accounts: Path) -> None:
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": ["collections"]}])
    ann = sign_in(token="ann-1", workspace="f" * 24)
    body = {
        "name": "N",
        "workspace_id": "f" * 24,
        "schema": {"strict": False, "fields": {"a": {"type": "text"}}},
    }
    rejected = ann.request("POST", "/datasets", body, 404)
    assert "permission" in rejected["error"]["detail"]
    assert "feature" in rejected["error"]["detail"]
