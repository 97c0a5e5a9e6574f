"""Access rules of accounts, and features that are off (wire reference, sections 2.4 and 15)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from batchwright.base.local_media import MediaFolder
from batchwright.base.resources import resource
from batchwright.service.process import ServiceAddress
from tests.service.accounts import BEA, write_accounts
from tests.service.api_helpers import (
    PROMPTS,
    QUESTION,
    TASK_DETAILS,
    JsonDict,
    Researcher,
    eventually,
    jsonl,
    page,
    storage_request,
)
from tests.service.participant import answer_task_group
from tests.service.routes import CALLS, fill_path

SignIn = Callable[..., Researcher]
BEAS = "9" * 24
DATA = "/api/v1/data-collection"
PAGES = [{"page_items": [{**QUESTION, "order": 0}]}]

SECRET = "Secret"
"""The name of what belongs to the owner and is checked: nobody else's resources have it."""
MEDIA = MediaFolder(resource("samples", "media"))

UNKNOWN_IDS = {
    ("GET", "/api/v1/users/me"): 200,
    ("POST", "/api/v1/researchers/participants"): 201,
    ("PUT", "/local/v1/media-folders/{folder_id}"): 204,
    ("POST", "/local/v1/previews"): 201,
    ("GET", "/local/v1/data"): 200,
    ("POST", "/local/v1/data/delete-studies"): 200,
    ("POST", "/local/v1/data/delete-older"): 200,
    ("POST", "/local/v1/data/delete-participant"): 200,
    ("POST", "/local/v1/data/backups"): 403,
    ("GET", "/local/v1/data/backups/{backup_id}"): 403,
    ("DELETE", "/local/v1/data/backups/{backup_id}"): 403,
    ("POST", "/local/v1/data/restores"): 403,
    ("POST", "/local/v1/data/restores/{restore_id}"): 403,
    ("GET", "/local/v1/data/restores/{restore_id}"): 403,
    ("DELETE", "/local/v1/data/restores/{restore_id}"): 403,
}
"""Calls that name no resource of anybody; every token may make them."""

STATED = {
    ("PATCH", f"{DATA}/datasets/{{dataset_id}}"): 403,
    ("GET", f"{DATA}/datasets/{{dataset_id}}/upload-url/{{filename:text}}"): 403,
    ("POST", f"{DATA}/datasets/{{dataset_id}}/datapoints"): 403,
    ("POST", f"{DATA}/batches/{{batch_id}}/export"): 403,
    ("POST", f"{DATA}/collections/{{collection_id}}/export"): 403,
    ("GET", f"{DATA}/batches/{{batch_id}}/export/{{export_id}}"): 404,
    ("GET", f"{DATA}/collections/{{collection_id}}/export/{{export_id}}"): 404,
    ("GET", f"{DATA}/batches/{{batch_id}}/syncs/{{sync_id}}"): 404,
}
"""Errors that the specification or section 2.4 of the wire reference states for one call."""


def expected_status(method: str, path: str) -> int:
    """The response to a call that names a resource of another account."""
    stated = UNKNOWN_IDS | STATED
    if (method, path) in stated:
        return stated[method, path]
    if "{dataset_id}" in path:
        return 404
    return 400 if "_id}" in path else 403


def body_of(method: str, path: str, ids: Mapping[str, str]) -> Any:
    """A body that the call accepts from the owner."""
    named: JsonDict = {"name": "N", "workspace_id": ids["workspace"], "task_details": TASK_DETAILS}
    bodies: dict[tuple[str, str], Any] = {
        ("POST", "/api/v1/researchers/participants"): {"email": f"{ids['batch_id']}@example.org"},
        ("POST", f"{DATA}/datasets"): {**named, "schema": PROMPTS},
        ("PATCH", f"{DATA}/datasets/{{dataset_id}}"): {"schema": PROMPTS},
        ("POST", f"{DATA}/datasets/{{dataset_id}}/datapoints"): {"prompt": "Mine"},
        ("POST", f"{DATA}/batches"): named,
        ("PATCH", f"{DATA}/batches/{{batch_id}}"): {"name": "Mine", "batch_items": None},
        ("POST", f"{DATA}/batches/{{batch_id}}/instructions"): {"instructions": [QUESTION]},
        ("PUT", f"{DATA}/batches/{{batch_id}}/instructions"): {"instructions": [QUESTION]},
        ("POST", f"{DATA}/collections"): {**named, "collection_items": PAGES},
        ("PUT", f"{DATA}/collections/{{collection_id}}"): {**named, "collection_items": PAGES},
        ("PUT", "/local/v1/batches/{batch_id}/annotators-per-task"): {"annotators_per_task": 9},
        ("PUT", "/local/v1/batches/{batch_id}/shuffle-seed"): {"seed": 9},
        ("PUT", "/local/v1/batches/{batch_id}/place-timeout"): {"minutes": 9},
        ("PUT", "/local/v1/batches/{batch_id}/language"): {"language": "ja"},
        ("PUT", "/local/v1/collections/{collection_id}/language"): {"language": "ja"},
        ("PUT", "/local/v1/media-folders/{folder_id}"): {"folder": str(MEDIA.folder)},
        ("POST", "/local/v1/previews"): {"batch_items": [page(QUESTION)]},
        ("POST", "/local/v1/data/delete-studies"): {"study_ids": []},
        ("POST", "/local/v1/data/delete-older"): {"days": 30},
        ("POST", "/local/v1/data/delete-participant"): {"participant_id": "d" * 24},
    }
    return bodies.get((method, path))


def owned_resources(owner: Researcher, name: str = "Owned") -> dict[str, str]:
    """One resource of each kind, with answers, under the parameter names of the paths."""
    dataset = owner.filled_dataset(2)
    job = owner.request("PATCH", f"/datasets/{dataset}", {"schema": PROMPTS}, 200)["migration_job_id"]
    path = f"/datasets/{dataset}/schema-migrations/{job}"
    eventually(lambda: owner.request("GET", path, None, 200)["status"], lambda status: status != "processing")
    batch = str(owner.batch(name=name, dataset_id=dataset, batch_items=[page(QUESTION)])["id"])
    owner.set_up(batch)
    answer_task_group(
        owner.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"], "c" * 24
    )
    body = {
        "name": name,
        "workspace_id": owner.workspace,
        "task_details": TASK_DETAILS,
        "collection_items": PAGES,
    }
    collection = owner.request("POST", "/collections", body, 201)["id"]
    exports = {
        kind: owner.request("POST", f"/{kind}/{id}/export", None, 202)["export_id"]
        for kind, id in (("batches", batch), ("collections", collection))
    }
    return {
        "workspace": owner.workspace,
        "filename": "a.csv",
        "dataset_id": dataset,
        "import_id": owner.request("GET", f"/datasets/{dataset}", None, 200)["imports"][0]["import_id"],
        "job_id": job,
        "batch_id": batch,
        "folder_id": MEDIA.id,
        "sync_id": owner.synced(batch)["sync_id"],
        "collection_id": collection,
        "batch_export": exports["batches"],
        "collection_export": exports["collections"],
        "restore_id": "0" * 32,
        "backup_id": "0" * 32,
    }


def uploaded_backup(owner: Researcher) -> str:
    """The id to restore what is stored now."""
    upload = owner.request("POST", "/local/v1/data/restores", None, 201)
    storage_request("PUT", upload["upload_url"], storage_request("GET", owner.backup()).body)
    return str(upload["restore_id"])


def restored_backup(owner: Researcher) -> str:
    """The id of a backup that was restored."""
    id = uploaded_backup(owner)
    owner.request("POST", f"/local/v1/data/restores/{id}", None, 202)
    wait_until_restored(owner, id)
    return id


def wait_until_restored(owner: Researcher, id: str) -> None:
    """Wait until a backup is restored."""
    path = f"/local/v1/data/restores/{id}"
    eventually(lambda: owner.request("GET", path, None, 200), lambda state: "restored" in state)


def saved_backup(owner: Researcher) -> str:
    """The id of a backup that can be downloaded."""
    return owner.backup().split("/")[-2]


@pytest.fixture(scope="module")
def resource_ids(owner: Researcher) -> dict[str, str]:
    """The resources of the owner."""
    return {
        **owned_resources(owner, SECRET),
        "restore_id": restored_backup(owner),
        "backup_id": saved_backup(owner),
    }


@pytest.fixture
def bea(sign_in: SignIn, accounts: Path) -> Researcher:
    """A researcher with her own workspace, where all features are on."""
    write_accounts(accounts, [BEA], [])
    return sign_in(token="bea-1", workspace=BEAS)


def address(path: str, resource_ids: Mapping[str, str]) -> str:
    """The URL of a resource of the owner."""
    export = resource_ids["collection_export" if "{collection_id}" in path else "batch_export"]
    query = "" if "_id}" in path else f"?workspace_id={resource_ids['workspace']}"
    return fill_path(path, {**resource_ids, "export_id": export}) + query


def visible_to(owner: Researcher, resource_ids: Mapping[str, str]) -> list[Any]:
    """Everything that could have been changed."""
    return [
        owner.request("GET", address(path, resource_ids), None, 200)
        for path in (
            f"{DATA}/datasets/{{dataset_id}}",
            f"{DATA}/batches/{{batch_id}}",
            f"{DATA}/batches/{{batch_id}}/responses",
            f"{DATA}/batches/{{batch_id}}/instructions",
            f"{DATA}/collections/{{collection_id}}",
            f"{DATA}/batches",
            f"{DATA}/collections",
            "/local/v1/batches/{batch_id}/progress",
            "/local/v1/batches/{batch_id}/setup-layout",
        )
    ]


@pytest.mark.spec("I-06", "D-19", "AP-14", "R-07", "C-17", "E-01")
@pytest.mark.parametrize(("method", "path"), CALLS, ids=[f"{method} {path}" for method, path in CALLS])
def test_resources_of_others_are_inaccessible(
    owner: Researcher, bea: Researcher, resource_ids: dict[str, str], method: str, path: str
) -> None:
    before = visible_to(owner, resource_ids)
    body = body_of(method, path, resource_ids)
    headers = {"Content-Type": "application/x-ndjson"} if path.endswith("/datapoints") else {}
    for form in ("", "/"):
        url, _separator, query = address(path, resource_ids).partition("?")
        target = f"{url}{form}?{query}"
        response = bea.http.request(method, target, json=body, headers=headers)
        expected = expected_status(method, path)
        if (method, path, form) == ("POST", "/api/v1/researchers/participants", "/"):
            expected = 400  # the address has been given away by the first call
        assert response.status_code == expected, response.text
        assert SECRET not in response.text
        if response.status_code >= 400:
            assert response.json()["error"]["status"] == expected
            named = {
                value for name, value in resource_ids.items() if name != "filename" and value not in target
            }
            assert not [value for value in named if value in response.text]
    assert visible_to(owner, resource_ids) == before
    if method == "GET" and path != f"{DATA}/datasets/{{dataset_id}}/status":  # a V4 dataset has none
        assert owner.http.get(target).status_code in (200, 201), "it is there, for its owner"


OF_BATCHES = [
    (method, path) for method, path in CALLS if "{batch_id}" in path and (method, path) not in STATED
]


@pytest.mark.spec("B-17")
@pytest.mark.parametrize(
    ("method", "path"), OF_BATCHES, ids=[f"{method} {path}" for method, path in OF_BATCHES]
)
def test_an_unknown_batch_is_rejected(
    owner: Researcher, resource_ids: dict[str, str], method: str, path: str
) -> None:
    for unknown in (resource_ids["dataset_id"], resource_ids["collection_id"], "unknown", "0" * 24, "%00"):
        url = fill_path(path, {**resource_ids, "batch_id": unknown})
        response = owner.http.request(method, url, json=body_of(method, path, resource_ids))
        assert response.status_code == 400, response.text
        assert response.json()["error"]["detail"] == "Batch not found."


def test_datasets_of_others_cannot_be_attached(bea: Researcher, resource_ids: dict[str, str]) -> None:
    batch = bea.batch()["id"]
    foreign = {"dataset_id": resource_ids["dataset_id"]}
    assert bea.batch(status=400, **foreign)["error"]["detail"].keys() == {"dataset_id"}
    for method, path in (("PATCH", f"/batches/{batch}"), ("POST", f"/batches/{batch}/setup")):
        assert bea.request(method, path, foreign, 400)["error"]["detail"].keys() == {"dataset_id"}


def test_children_of_one_resource_are_not_found_under_another(
    bea: Researcher, owner: Researcher, resource_ids: dict[str, str]
) -> None:
    for researcher in (bea, owner):
        dataset, batch = researcher.dataset()["id"], researcher.batch()["id"]
        for path in (
            f"/datasets/{dataset}/imports/{resource_ids['import_id']}",
            f"/datasets/{dataset}/schema-migrations/{resource_ids['job_id']}",
            f"/batches/{batch}/syncs/{resource_ids['sync_id']}",
            f"/batches/{batch}/export/{resource_ids['batch_export']}",
            f"/batches/{batch}/export/{resource_ids['collection_export']}",
        ):
            assert researcher.status_of("GET", path) == 404, path


@pytest.mark.spec("T-03")
@pytest.mark.parametrize(("method", "path"), CALLS, ids=[f"{method} {path}" for method, path in CALLS])
def test_nothing_at_all_is_answered_without_a_token(
    running: ServiceAddress, resource_ids: dict[str, str], method: str, path: str
) -> None:
    for headers in ({}, {"Authorization": "Token nobody's"}):
        response = httpx.request(
            method, running.url + address(path, resource_ids), headers=headers, trust_env=False
        )
        assert response.status_code == 401
        assert response.json()["error"]["status"] == 401


OF_COLLECTIONS = [(method, path) for method, path in CALLS if "/collections" in path]


@pytest.mark.spec("D-03", "P-03")
def test_features_that_are_off_are_rejected_with_the_message_that_clients_expect(
    bea: Researcher, accounts: Path
) -> None:
    created = {
        **owned_resources(bea),
        "workspace": BEAS,
    }
    write_accounts(accounts, [BEA], [{"id": BEAS, "features": []}])
    off = [
        ("POST", f"{DATA}/datasets"),
        ("POST", "/api/v1/researchers/participants"),
        *OF_COLLECTIONS,
    ]
    for method, path in off:
        response = bea.http.request(method, address(path, created), json=body_of(method, path, created))
        assert response.status_code == 404, (method, path, response.text)
        assert "permission" in response.json()["error"]["detail"], (method, path)
        assert "feature" in response.json()["error"]["detail"], (method, path)
    v3 = {"name": "N", "workspace_id": BEAS}
    assert bea.request("POST", "/datasets", v3, 201)["status"] == "UNINITIALISED"
    assert bea.batch()["workspace_id"] == BEAS
    assert bea.append(created["dataset_id"], jsonl({"prompt": "Still mine"}))["accepted"] == 1
