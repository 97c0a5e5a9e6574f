"""V3 datasets (specification, Datasets and Dataset V3 status; wire reference, sections 4.1, 4.2 and 4.5)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import PROMPTS, Researcher, jsonl, storage_request
from tests.service.v3_helpers import REVIEWS, datapoints, filled, record_of, send, state, v3_dataset, zipped

UNKNOWN = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
MISSING = object()


@pytest.mark.spec("V-01", "V-02", "V-03", "V-04")
def test_a_dataset_created_without_a_schema_is_v3(researcher: Researcher) -> None:
    body = {"name": "Old", "workspace_id": researcher.workspace, "unknown": [1]}
    for path in ("/datasets", "/datasets/"):
        created = researcher.request("POST", path, body, 201)
        assert created["status"] == "UNINITIALISED"
        assert (created["filename"], created["has_predetermined_grouping_id"], created["imports"]) == (
            None,
        ) * 3
        assert (created["name"], created["workspace_id"], created["total_datapoint_count"]) == (
            "Old",
            researcher.workspace,
            0,
        )
        assert not created.keys() & {"schema", "schema_version", "migration_job_id"}
        assert record_of(researcher, created["id"]) == created


@pytest.mark.spec("D-02")
@pytest.mark.parametrize("field", ["name", "workspace_id"])
@pytest.mark.parametrize("value", [MISSING, None, 7, ["a"]], ids=["missing", "null", "number", "list"])
def test_a_v3_dataset_needs_a_name_and_a_workspace(researcher: Researcher, field: str, value: object) -> None:
    body: dict[str, Any] = {"name": "N", "workspace_id": researcher.workspace, field: value}
    if value is MISSING:
        del body[field]
    assert researcher.request("POST", "/datasets", body, 400)["error"]["detail"].keys() == {field}


def test_a_workspace_without_the_v4_feature_has_v3_datasets(
    sign_in: Callable[..., Researcher], accounts: Path
) -> None:
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": []}])
    assert datapoints(ann := sign_in(token="ann-1", workspace="f" * 24), filled(ann))[0]["product"] == "Mug"


@pytest.mark.spec("V-05", "I-03")
@pytest.mark.parametrize(
    ("filename", "content_type"),
    [
        ("a.csv", "text/csv"),
        ("A.CSV", "text/csv"),
        ("b c&+é.zip", "application/zip"),
        ("x.jsonl.Zip", "application/zip"),
    ],
)
def test_v3_accepts_csv_and_zip_files(researcher: Researcher, filename: str, content_type: str) -> None:
    upload = researcher.upload_url(dataset := v3_dataset(researcher), filename)
    assert (upload["dataset_id"], upload["http_method"]) == (dataset, "PUT")
    assert upload["content_type"] == content_type
    assert "import_id" not in upload
    assert state(researcher, dataset) == {"status": "UNINITIALISED"}


@pytest.mark.spec("V-06")
@pytest.mark.parametrize("filename", ["a.jsonl", "a.pdf", "a", ".csv", "a.csv.gz", "zip"])
def test_v3_accepts_no_unsupported_files(researcher: Researcher, filename: str) -> None:
    url_path = f"/datasets/{v3_dataset(researcher)}/upload-url/{filename}"
    for path in (url_path, f"{url_path}/"):
        assert ".zip" in researcher.request("GET", path, None, 400)["error"]["detail"]


def test_v4_accepts_no_zip(researcher: Researcher) -> None:
    path = f"/datasets/{researcher.dataset()['id']}/upload-url/a.zip"
    assert ".jsonl" in researcher.request("GET", path, None, 400)["error"]["detail"]


def test_a_file_may_be_sent_with_a_different_content_type(researcher: Researcher) -> None:
    upload = researcher.upload_url(v3_dataset(researcher), "a.zip")
    sent = storage_request("PUT", upload["upload_url"], b"PK", {"Content-Type": "text/csv"})
    assert sent.status == 200


@pytest.mark.spec("V-02", "V-03", "V-04", "V-07", "ST-07")
def test_a_dataset_is_ready_after_its_file(researcher: Researcher) -> None:
    dataset = filled(researcher)
    assert researcher.request("GET", f"/datasets/{dataset}/status/", None, 200) == {"status": "READY"}
    record = record_of(researcher, dataset)
    assert (record["status"], record["filename"], record["total_datapoint_count"]) == (
        "READY",
        "reviews.csv",
        3,
    )
    assert record["has_predetermined_grouping_id"] is True
    assert record["imports"] is None
    assert datapoints(researcher, dataset) == [
        {"review": "Nice mug", "product": "Mug", "META_source": "web", "META_TASK_GROUP_ID": "g1"},
        {"review": "Lid leaks", "product": "Flask", "META_source": "web", "META_TASK_GROUP_ID": "g1"},
        {"review": "Fine", "product": "Plate", "META_source": "shop", "META_TASK_GROUP_ID": "g2"},
    ]


@pytest.mark.spec("ST-07", "V-03")
def test_a_dataset_is_processing_while_its_file_is_read(waiting: Researcher) -> None:
    dataset = v3_dataset(waiting)
    assert state(waiting, dataset) == {"status": "UNINITIALISED"}
    send(waiting, dataset, REVIEWS, "first.csv")
    send(waiting, dataset, zipped(("a.csv", REVIEWS)), "second.zip")
    assert state(waiting, dataset) == {"status": "PROCESSING"}
    record = record_of(waiting, dataset)
    assert (record["status"], record["filename"], record["total_datapoint_count"]) == (
        "PROCESSING",
        "second.zip",
        0,
    )
    assert record["has_predetermined_grouping_id"] is None


@pytest.mark.spec("D-18", "AP-13")
def test_calls_for_v4_datasets_are_rejected(researcher: Researcher) -> None:
    dataset = filled(researcher)
    before = record_of(researcher, dataset)
    for slash in ("", "/"):
        path = f"/datasets/{dataset}"
        for change in ({"schema": PROMPTS}, {"schema": 7}, {}):
            rejected = researcher.request("PATCH", path + slash, change, 400)
            assert "V3" in rejected["error"]["detail"]
        assert researcher.status_of("GET", f"{path}/imports/{UNKNOWN}{slash}") == 404
        assert researcher.status_of("GET", f"{path}/schema-migrations/{UNKNOWN}{slash}") == 404
    for body in (jsonl({"review": "x"}), b"", REVIEWS):
        assert "V3" in researcher.append(dataset, body, 400)["error"]["detail"]
    assert record_of(researcher, dataset) == before


def test_the_import_of_a_v3_upload_is_not_accessible(researcher: Researcher) -> None:
    dataset = v3_dataset(researcher)
    ours = researcher.upload_url(dataset, "a.csv")["file_key"].split("/")[1]
    rejected = researcher.request("GET", f"/datasets/{dataset}/imports/{ours}", None, 404)
    assert "status" in rejected["error"]["detail"]


@pytest.mark.spec("D-15")
def test_only_v3_datasets_have_a_status(researcher: Researcher) -> None:
    dataset = researcher.filled_dataset()
    for slash in ("", "/"):
        rejected = researcher.request("GET", f"/datasets/{dataset}/status{slash}", None, 400)
        assert "import" in rejected["error"]["detail"]


def test_v3_datasets_of_others_are_inaccessible(
    researcher: Researcher, sign_in: Callable[..., Researcher], accounts: Path
) -> None:
    write_accounts(accounts, [ANN], [])
    ann = sign_in(token="ann-1", workspace="f" * 24)
    dataset = filled(researcher)
    for id in (dataset, UNKNOWN, "none", "%2e%2e", "a%00b"):
        assert ann.status_of("GET", f"/datasets/{id}") == 404
        assert ann.status_of("GET", f"/datasets/{id}/status") == 404
    for id, status in ((dataset, 403), (UNKNOWN, 404)):
        assert ann.status_of("GET", f"/datasets/{id}/upload-url/a.csv") == status
        assert ann.status_of("PATCH", f"/datasets/{id}", {"schema": PROMPTS}) == status
        ann.append(id, b"{}", status)
    body = {"name": "N", "workspace_id": researcher.workspace}
    assert ann.status_of("POST", "/datasets", body) == 403
    batch = ann.batch()["id"]
    assert ann.status_of("POST", f"/batches/{batch}/setup", {"dataset_id": dataset}) == 400
