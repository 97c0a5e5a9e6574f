"""V3 datasets as a researcher makes and fills them."""

import io
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from tests.service.api_helpers import Answer, Researcher, eventually

REVIEWS = b"""review,product,META_source,META_TASK_GROUP_ID
Nice mug,Mug,web,g1
Lid leaks,Flask,web,g1
Fine,Plate,shop,g2
"""
"""The file of the sample exchanges."""


def v3_dataset(someone: Researcher, name: str = "Old CSV set") -> str:
    """A new V3 dataset; its id."""
    asked = {"name": name, "workspace_id": someone.workspace}
    return str(someone.ask("POST", "/datasets", asked, 201)["id"])


def record_of(someone: Researcher, dataset: str) -> Answer:
    """The record of a dataset."""
    found: Answer = someone.ask("GET", f"/datasets/{dataset}", None, 200)
    return found


def send(someone: Researcher, dataset: str, content: bytes, filename: str = "reviews.csv") -> None:
    """Send a file to a V3 dataset."""
    someone.put(someone.upload_url(dataset, filename), content)


def state(someone: Researcher, dataset: str) -> Answer:
    """What the status endpoint says."""
    said: Answer = someone.ask("GET", f"/datasets/{dataset}/status", None, 200)
    return said


def settled(someone: Researcher, dataset: str) -> Answer:
    """What the status endpoint says once all files have been read."""
    return eventually(lambda: state(someone, dataset), lambda seen: seen["status"] != "PROCESSING")


def read(someone: Researcher, dataset: str, content: bytes, filename: str = "reviews.csv") -> Answer:
    """Send a file, and wait until it has been read, well or not."""
    send(someone, dataset, content, filename)
    return settled(someone, dataset)


def filled(someone: Researcher, content: bytes = REVIEWS, filename: str = "reviews.csv") -> str:
    """A V3 dataset whose file has been read well; its id."""
    dataset = v3_dataset(someone)
    assert read(someone, dataset, content, filename) == {"status": "READY"}
    return dataset


def datapoints(someone: Researcher, dataset: str) -> list[dict[str, str]]:
    """The rows of a dataset, as the report of a batch on it has them; empty cells left out."""
    rows = someone.report(str(someone.batch(dataset_id=dataset)["id"]))
    return [{key: cell for key, cell in list(row.items())[4:] if cell} for row in rows]


def zipped(*files: tuple[str, bytes], packed: bool = True) -> bytes:
    """An archive of files by their names."""
    whole = io.BytesIO()
    with ZipFile(whole, "w", ZIP_DEFLATED if packed else ZIP_STORED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return whole.getvalue()
