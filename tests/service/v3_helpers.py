"""V3 datasets as a researcher creates and fills them."""

import io
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from tests.service.api_helpers import JsonDict, Researcher, eventually

REVIEWS = b"""review,product,META_source,META_TASK_GROUP_ID
Nice mug,Mug,web,g1
Lid leaks,Flask,web,g1
Fine,Plate,shop,g2
"""
"""The file of the sample exchanges."""


def v3_dataset(researcher: Researcher, name: str = "Old CSV set") -> str:
    """Create a V3 dataset; returns its id."""
    body = {"name": name, "workspace_id": researcher.workspace}
    return str(researcher.request("POST", "/datasets", body, 201)["id"])


def record_of(researcher: Researcher, dataset: str) -> JsonDict:
    """The record of a dataset."""
    response: JsonDict = researcher.request("GET", f"/datasets/{dataset}", None, 200)
    return response


def send(researcher: Researcher, dataset: str, content: bytes, filename: str = "reviews.csv") -> None:
    """Send a file to a V3 dataset."""
    researcher.put(researcher.upload_url(dataset, filename), content)


def state(researcher: Researcher, dataset: str) -> JsonDict:
    """The response of the status endpoint."""
    response: JsonDict = researcher.request("GET", f"/datasets/{dataset}/status", None, 200)
    return response


def settled(researcher: Researcher, dataset: str) -> JsonDict:
    """The response of the status endpoint once all files have been processed."""
    return eventually(lambda: state(researcher, dataset), lambda status: status["status"] != "PROCESSING")


def read(researcher: Researcher, dataset: str, content: bytes, filename: str = "reviews.csv") -> JsonDict:
    """Upload a file, and wait until it has been processed."""
    send(researcher, dataset, content, filename)
    return settled(researcher, dataset)


def filled(researcher: Researcher, content: bytes = REVIEWS, filename: str = "reviews.csv") -> str:
    """Create a V3 dataset from a file; returns its id."""
    dataset = v3_dataset(researcher)
    assert read(researcher, dataset, content, filename) == {"status": "READY"}
    return dataset


def datapoints(researcher: Researcher, dataset: str) -> list[dict[str, str]]:
    """The rows of a dataset, as in the report of a batch with it; empty cells are omitted."""
    rows = researcher.report(str(researcher.batch(dataset_id=dataset)["id"]))
    return [{key: cell for key, cell in list(row.items())[4:] if cell} for row in rows]


def zipped(*files: tuple[str, bytes], packed: bool = True) -> bytes:
    """A ZIP archive of files by name."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED if packed else ZIP_STORED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()
