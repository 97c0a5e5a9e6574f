"""A researcher at the service's door: plain HTTP calls, and waiting for what runs in the background."""

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
    """Look again and again until what is seen is good; fails with the last sight."""
    deadline = time.monotonic() + seconds
    while not is_done(result := fetch()):
        assert time.monotonic() < deadline, f"still {result!r}"
        time.sleep(0.01)
    return result


def page(*items: Mapping[str, Any], **more: Any) -> JsonDict:
    """A page of one row of one column."""
    return {"rows": [{"columns": [{"items": list(items)}]}], **more}


def csv_lines(text: str) -> list[dict[str, str]]:
    """The rows of a CSV text by the names of its header."""
    csv.field_size_limit(10_000_000)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def jsonl(*records: Mapping[str, Any]) -> bytes:
    """Records as lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@dataclass(frozen=True)
class StorageResponse:
    """What storage answered."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def storage_request(
    method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> StorageResponse:
    """A request to a pre-signed address, its target sent byte for byte."""
    place = urlsplit(url)
    connection = (
        HTTPSConnection(place.hostname or "", place.port, timeout=60, context=TRUST)
        if place.scheme == "https"
        else HTTPConnection(place.hostname or "", place.port, timeout=60)
    )
    try:
        target = url.partition(place.netloc)[2]
        connection.request(method, target, body, dict(headers or {}))
        answer = connection.getresponse()
        return StorageResponse(answer.status, answer.read(), dict(answer.headers))
    finally:
        connection.close()


class Researcher:
    """One account; every method is one call, and asserts the status that a good call has."""

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
        """A call to the API; the JSON of its answer, or None when it has no body."""
        answer = self.http.request(method, _full(path), json=json)
        assert status is None or answer.status_code == status, (answer.status_code, answer.text)
        return answer.json() if answer.content else None

    def status_of(self, method: str, path: str, json: Any = None) -> int:
        """Only the status of a call."""
        return self.http.request(method, _full(path), json=json).status_code

    def dataset(self, schema: Any = PROMPTS, name: str = "Prompts") -> JsonDict:
        """A new V4 dataset."""
        asked = {"name": name, "workspace_id": self.workspace, "schema": schema}
        created: JsonDict = self.request("POST", "/datasets", asked, 201)
        return created

    def upload_url(self, dataset: str, filename: str) -> JsonDict:
        """An address for a file."""
        given: JsonDict = self.request(
            "GET", f"/datasets/{dataset}/upload-url/{quote(filename, safe='')}", None, 201
        )
        return given

    def put(self, given: Mapping[str, Any], content: bytes) -> None:
        """Send a file to its address."""
        headers = {"Content-Type": given["content_type"]} if "content_type" in given else {}
        sent = storage_request("PUT", given["upload_url"], content, headers)
        assert (sent.status, sent.body) == (200, b""), sent

    def upload(self, dataset: str, filename: str, content: bytes) -> str:
        """Send a file; the id of its import."""
        given = self.upload_url(dataset, filename)
        self.put(given, content)
        return str(given["import_id"])

    def import_job(self, dataset: str, import_id: str) -> JsonDict:
        """An import as it stands."""
        job: JsonDict = self.request("GET", f"/datasets/{dataset}/imports/{import_id}", None, 200)
        return job

    def imported(self, dataset: str, filename: str, content: bytes) -> JsonDict:
        """Send a file and wait until it has been taken in, or not."""
        import_id = self.upload(dataset, filename, content)
        return self.settled(dataset, import_id)

    def settled(self, dataset: str, import_id: str) -> JsonDict:
        """Wait for an import to end."""
        running = ("queued", "processing")
        return eventually(
            lambda: self.import_job(dataset, import_id), lambda job: job["status"] not in running
        )

    def filled_dataset(self, count: int = 3, schema: Any = PROMPTS) -> str:
        """A dataset with so many prompts; its id."""
        dataset = str(self.dataset(schema)["id"])
        job = self.imported(dataset, "prompts.jsonl", jsonl(*({"prompt": f"p{n}"} for n in range(count))))
        assert job["status"] == "complete"
        return dataset

    def append(
        self, dataset: str, content: bytes, status: int = 200, content_type: str = "application/x-ndjson"
    ) -> JsonDict:
        """Append lines to a dataset; what became of them."""
        headers = {"Content-Type": content_type} if content_type else {}
        path = _full(f"/datasets/{dataset}/datapoints")
        answer = self.http.post(path, content=content, headers=headers)
        assert answer.status_code == status, (answer.status_code, answer.text)
        said: JsonDict = answer.json()
        return said

    def synced(self, batch: str) -> JsonDict:
        """Sync a batch and wait until the sync has ended."""
        sync = self.request("POST", f"/batches/{batch}/sync", None, 202)
        return self.sync_ended(batch, sync["sync_id"])

    def sync_ended(self, batch: str, sync_id: str) -> JsonDict:
        """Wait for a sync to end."""
        look = f"/batches/{batch}/syncs/{sync_id}"
        running = ("queued", "processing")
        return eventually(
            lambda: self.request("GET", look, None, 200), lambda seen: seen["status"] not in running
        )

    def batch(self, status: int = 201, **more: Any) -> JsonDict:
        """A new batch."""
        asked = {"name": "Study", "workspace_id": self.workspace, "task_details": TASK_DETAILS, **more}
        created: JsonDict = self.request("POST", "/batches", asked, status)
        return created

    def get_batch(self, batch: str) -> JsonDict:
        """A batch as it stands."""
        found: JsonDict = self.request("GET", f"/batches/{batch}", None, 200)
        return found

    def set_up(self, batch: str, **asked: Any) -> JsonDict:
        """Set a batch up and wait until it is ready."""
        self.request("POST", f"/batches/{batch}/setup", asked, 202)
        return self.ready(batch)

    def report(self, batch: str) -> list[dict[str, str]]:
        """The rows of the report."""
        given = self.request("GET", f"/batches/{batch}/report/", None, 200)
        fetched = storage_request("GET", given["url"])
        assert fetched.status == 200, fetched
        return csv_lines(fetched.body.decode())

    def prompts_of(self, dataset: str) -> list[str]:
        """What a dataset holds in its field `prompt`, in order."""
        return [row["prompt"] for row in self.report(str(self.batch(dataset_id=dataset)["id"]))]

    def collection(self, *page_items: JsonDict, status: int = 201, **more: Any) -> JsonDict:
        """A new collection, of one page with these items unless `more` says otherwise."""
        asked = {
            "name": "Survey",
            "workspace_id": self.workspace,
            "task_details": TASK_DETAILS,
            "collection_items": [{"page_items": list(page_items)}],
            **more,
        }
        created: JsonDict = self.request("POST", "/collections", asked, status)
        return created

    def exported(self, id: str, kind: str = "batches") -> ZipFile:
        """The archive of a batch, or of a collection."""
        job = self.request("POST", f"/{kind}/{id}/export", None, 202)
        return self.archive(f"/{kind}/{id}/export/{job['export_id']}")

    def archive(self, export: str) -> ZipFile:
        """The archive of an export under way, once it is complete."""
        job = eventually(
            lambda: self.request("GET", export, None, 200), lambda seen: seen["status"] != "generating"
        )
        fetched = storage_request("GET", job["url"])
        assert fetched.status == 200, fetched
        return ZipFile(io.BytesIO(fetched.body))

    def ready(self, batch: str) -> JsonDict:
        """Wait for a setup to end well."""
        look = f"/batches/{batch}/status"
        seen = eventually(lambda: self.request("GET", look, None, 200)["status"], lambda s: s != "PROCESSING")
        assert seen == "READY"
        return self.get_batch(batch)


def _full(path: str) -> str:
    if path.startswith(("/api/", "/local/", "/storage/")):
        return path
    return f"/api/v1/data-collection{path}"
