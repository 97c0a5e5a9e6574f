"""V3 datasets as a researcher makes and fills them."""

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
    """A new V3 dataset; its id."""
    asked = {"name": name, "workspace_id": researcher.workspace}
    return str(researcher.request("POST", "/datasets", asked, 201)["id"])


def record_of(researcher: Researcher, dataset: str) -> JsonDict:
    """The record of a dataset."""
    found: JsonDict = researcher.request("GET", f"/datasets/{dataset}", None, 200)
    return found


def send(researcher: Researcher, dataset: str, content: bytes, filename: str = "reviews.csv") -> None:
    """Send a file to a V3 dataset."""
    researcher.put(researcher.upload_url(dataset, filename), content)


def state(researcher: Researcher, dataset: str) -> JsonDict:
    """What the status endpoint says."""
    said: JsonDict = researcher.request("GET", f"/datasets/{dataset}/status", None, 200)
    return said


def settled(researcher: Researcher, dataset: str) -> JsonDict:
    """What the status endpoint says once all files have been read."""
    return eventually(lambda: state(researcher, dataset), lambda seen: seen["status"] != "PROCESSING")


def read(researcher: Researcher, dataset: str, content: bytes, filename: str = "reviews.csv") -> JsonDict:
    """Send a file, and wait until it has been read, well or not."""
    send(researcher, dataset, content, filename)
    return settled(researcher, dataset)


def filled(researcher: Researcher, content: bytes = REVIEWS, filename: str = "reviews.csv") -> str:
    """A V3 dataset whose file has been read well; its id."""
    dataset = v3_dataset(researcher)
    assert read(researcher, dataset, content, filename) == {"status": "READY"}
    return dataset


def datapoints(researcher: Researcher, dataset: str) -> list[dict[str, str]]:
    """The rows of a dataset, as the report of a batch on it has them; empty cells left out."""
    rows = researcher.report(str(researcher.batch(dataset_id=dataset)["id"]))
    return [{key: cell for key, cell in list(row.items())[4:] if cell} for row in rows]


def zipped(*files: tuple[str, bytes], packed: bool = True) -> bytes:
    """An archive of files by their names."""
    whole = io.BytesIO()
    with ZipFile(whole, "w", ZIP_DEFLATED if packed else ZIP_STORED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return whole.getvalue()
