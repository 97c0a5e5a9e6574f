"""API calls of a researcher over plain HTTP, and waiting for background jobs."""

import csv
import io
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit
from zipfile import ZipFile

import httpx

from batchwright.service.process import ServiceAddress
from tests.service.trust import TRUST

T = TypeVar("T")
JsonDict = dict[str, Any]

TASK_DETAILS = {"task_name": "Compare", "task_introduction": "<p>Hello.</p>", "task_steps": "<p>Read.</p>"}
PROMPTS: JsonDict = {"strict": True, "fields": {"prompt": {"type": "text", "label": "Prompt"}}}
QUESTION = {"type": "free_text", "description": "What do you think?"}


def eventually(fetch: Callable[[], T], is_done: Callable[[T], bool], seconds: float = 60) -> T:
    """Poll until the result satisfies `is_done`; fails with the last result after `seconds`."""
    deadline = time.monotonic() + seconds
    while not is_done(result := fetch()):
        assert time.monotonic() < deadline, f"still {result!r}"
        time.sleep(0.01)
    return result


def page(*items: Mapping[str, Any], **more: Any) -> JsonDict:
    """A page with one row and one column."""
    return {"rows": [{"columns": [{"items": list(items)}]}], **more}


def without_ids(value: Any) -> Any:
    """A layout without its ids."""
    if isinstance(value, dict):
        return {key: without_ids(inner) for key, inner in value.items() if key != "id"}
    return [without_ids(inner) for inner in value] if isinstance(value, list) else value


def csv_lines(text: str) -> list[dict[str, str]]:
    """The rows of a CSV text by the names of its header."""
    csv.field_size_limit(10_000_000)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def jsonl(*records: Mapping[str, Any]) -> bytes:
    """Records as JSON lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@dataclass(frozen=True)
class StorageResponse:
    """A response of the storage endpoints."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def storage_request(
    method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> StorageResponse:
    """Send a request to a pre-signed URL, its target unchanged byte for byte."""
    url_parts = urlsplit(url)
    connection = (
        HTTPSConnection(url_parts.hostname or "", url_parts.port, timeout=60, context=TRUST)
        if url_parts.scheme == "https"
        else HTTPConnection(url_parts.hostname or "", url_parts.port, timeout=60)
    )
    try:
        target = url.partition(url_parts.netloc)[2]
        connection.request(method, target, body, dict(headers or {}))
        response = connection.getresponse()
        return StorageResponse(response.status, response.read(), dict(response.headers))
    finally:
        connection.close()


class Researcher:
    """API calls of one account; each method asserts the status of a successful call."""

    def __init__(
        self, running: ServiceAddress, *, token: str | None = None, workspace: str | None = None
    ) -> None:
        self.workspace = workspace or running.workspace_id
        self.http = httpx.Client(
            base_url=running.url,
            headers={"Authorization": f"Token {token or running.token}"},
            timeout=60,
            trust_env=False,
            verify=TRUST,
        )

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def request(self, method: str, path: str, json: Any = None, status: int | None = None) -> Any:
        """Call the API; returns the JSON of the response, or None when it has no body."""
        response = self.http.request(method, _full(path), json=json)
        assert status is None or response.status_code == status, (response.status_code, response.text)
        return response.json() if response.content else None

    def status_of(self, method: str, path: str, json: Any = None) -> int:
        """The status code of a call."""
        return self.http.request(method, _full(path), json=json).status_code

    def dataset(self, schema: Any = PROMPTS, name: str = "Prompts") -> JsonDict:
        """A new V4 dataset."""
        body = {"name": name, "workspace_id": self.workspace, "schema": schema}
        created: JsonDict = self.request("POST", "/datasets", body, 201)
        return created

    def upload_url(self, dataset: str, filename: str) -> JsonDict:
        """A pre-signed upload URL."""
        upload: JsonDict = self.request(
            "GET", f"/datasets/{dataset}/upload-url/{quote(filename, safe='')}", None, 201
        )
        return upload

    def put(self, upload: Mapping[str, Any], content: bytes) -> None:
        """Upload a file to its URL."""
        headers = {"Content-Type": upload["content_type"]} if "content_type" in upload else {}
        response = storage_request("PUT", upload["upload_url"], content, headers)
        assert (response.status, response.body) == (200, b""), response

    def upload(self, dataset: str, filename: str, content: bytes) -> str:
        """Upload a file; returns the id of its import."""
        upload = self.upload_url(dataset, filename)
        self.put(upload, content)
        return str(upload["import_id"])

    def import_job(self, dataset: str, import_id: str) -> JsonDict:
        """The current state of an import."""
        job: JsonDict = self.request("GET", f"/datasets/{dataset}/imports/{import_id}", None, 200)
        return job

    def imported(self, dataset: str, filename: str, content: bytes) -> JsonDict:
        """Upload a file and wait until its import has ended."""
        import_id = self.upload(dataset, filename, content)
        return self.settled(dataset, import_id)

    def settled(self, dataset: str, import_id: str) -> JsonDict:
        """Wait until an import has ended."""
        running = ("queued", "processing")
        return eventually(
            lambda: self.import_job(dataset, import_id), lambda job: job["status"] not in running
        )

    def filled_dataset(self, count: int = 3, schema: Any = PROMPTS) -> str:
        """Create a dataset with `count` prompts; returns its id."""
        dataset = str(self.dataset(schema)["id"])
        job = self.imported(dataset, "prompts.jsonl", jsonl(*({"prompt": f"p{n}"} for n in range(count))))
        assert job["status"] == "complete"
        return dataset

    def append(
        self, dataset: str, content: bytes, status: int = 200, content_type: str = "application/x-ndjson"
    ) -> JsonDict:
        """Append JSON lines to a dataset; returns the result."""
        headers = {"Content-Type": content_type} if content_type else {}
        path = _full(f"/datasets/{dataset}/datapoints")
        response = self.http.post(path, content=content, headers=headers)
        assert response.status_code == status, (response.status_code, response.text)
        result: JsonDict = response.json()
        return result

    def synced(self, batch: str) -> JsonDict:
        """Start a sync of a batch and wait until it has ended."""
        sync = self.request("POST", f"/batches/{batch}/sync", None, 202)
        return self.sync_ended(batch, sync["sync_id"])

    def sync_ended(self, batch: str, sync_id: str) -> JsonDict:
        """Wait until a sync has ended."""
        path = f"/batches/{batch}/syncs/{sync_id}"
        running = ("queued", "processing")
        return eventually(
            lambda: self.request("GET", path, None, 200), lambda sync: sync["status"] not in running
        )

    def batch(self, status: int = 201, **more: Any) -> JsonDict:
        """A new batch."""
        body = {"name": "Study", "workspace_id": self.workspace, "task_details": TASK_DETAILS, **more}
        created: JsonDict = self.request("POST", "/batches", body, status)
        return created

    def get_batch(self, batch: str) -> JsonDict:
        """The current state of a batch."""
        response: JsonDict = self.request("GET", f"/batches/{batch}", None, 200)
        return response

    def set_up(self, batch: str, **body: Any) -> JsonDict:
        """Set a batch up and wait until it is ready."""
        self.request("POST", f"/batches/{batch}/setup", body, 202)
        return self.ready(batch)

    def report(self, batch: str) -> list[dict[str, str]]:
        """The rows of the report."""
        download = self.request("GET", f"/batches/{batch}/report/", None, 200)
        fetched = storage_request("GET", download["url"])
        assert fetched.status == 200, fetched
        return csv_lines(fetched.body.decode())

    def prompts_of(self, dataset: str) -> list[str]:
        """The values of the field `prompt` in a dataset, in order."""
        return [row["prompt"] for row in self.report(str(self.batch(dataset_id=dataset)["id"]))]

    def collection(self, *page_items: JsonDict, status: int = 201, **more: Any) -> JsonDict:
        """A new collection, with one page of these items unless `more` overrides it."""
        body = {
            "name": "Survey",
            "workspace_id": self.workspace,
            "task_details": TASK_DETAILS,
            "collection_items": [{"page_items": list(page_items)}],
            **more,
        }
        created: JsonDict = self.request("POST", "/collections", body, status)
        return created

    def exported(self, id: str, kind: str = "batches") -> ZipFile:
        """The archive of a batch or collection."""
        job = self.request("POST", f"/{kind}/{id}/export", None, 202)
        return self.archive(f"/{kind}/{id}/export/{job['export_id']}")

    def archive(self, export: str) -> ZipFile:
        """The archive of a started export, once it is complete."""
        job = eventually(
            lambda: self.request("GET", export, None, 200),
            lambda response: response["status"] != "generating",
        )
        fetched = storage_request("GET", job["url"])
        assert fetched.status == 200, fetched
        return ZipFile(io.BytesIO(fetched.body))

    def backup(self) -> str:
        """The URL of a new backup of everything."""
        id = self.request("POST", "/local/v1/data/backups", None, 202)["backup_id"]
        path = f"/local/v1/data/backups/{id}"
        return str(eventually(lambda: self.request("GET", path, None, 200).get("url"), bool))

    def ready(self, batch: str) -> JsonDict:
        """Wait until a setup has succeeded."""
        path = f"/batches/{batch}/status"
        status = eventually(
            lambda: self.request("GET", path, None, 200)["status"], lambda s: s != "PROCESSING"
        )
        assert status == "READY"
        return self.get_batch(batch)


def _full(path: str) -> str:
    if path.startswith(("/api/", "/local/", "/storage/")):
        return path
    return f"/api/v1/data-collection{path}"
