"""Sample exchanges, and the models of their bodies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from batchwright.base.json_values import Json, JsonObject, is_array, parse
from batchwright.wire.account import Participant, ParticipantCreate, User
from batchwright.wire.base import Body
from batchwright.wire.batches import (
    Batch,
    BatchCreate,
    BatchDuplicate,
    BatchSetup,
    BatchStatusResponse,
    BatchUpdate,
    DownloadLink,
)
from batchwright.wire.collections import (
    Collection,
    CollectionCreate,
    CollectionReplace,
    CollectionResponse,
)
from batchwright.wire.datapoints import AppendResult
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatusResponse, SchemaUpdate, UploadUrl
from batchwright.wire.exports import ExportJob
from batchwright.wire.feedback import FeedbackUploadUrl
from batchwright.wire.imports import ImportJob
from batchwright.wire.instructions import InstructionList, InstructionsAdd, InstructionsWrite
from batchwright.wire.local_routes import (
    AnnotatorsPerTask,
    MediaFolderSetting,
    ParticipantLanguage,
    Participation,
    PlaceTimeout,
    Preview,
    PreviewRequest,
    Progress,
    ReleasedPlaces,
    ShuffleSeed,
)
from batchwright.wire.migrations import MigrationJob
from batchwright.wire.pagination import Listing
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.service_data import (
    AgeToDelete,
    BackupState,
    BackupUpload,
    DeletedData,
    ParticipantToDelete,
    RestoreState,
    ServiceData,
    StudiesToDelete,
)
from batchwright.wire.syncs import SyncJob

OWN = Path(__file__).parent / "examples"
SHARED = Path(__file__).parents[3] / "shared" / "wire-examples"


@dataclass(frozen=True)
class Route:
    """The models of the request and the response of a method and path."""

    method: str
    path: str
    requests: type[Body] | None
    answers: type[Body] | None


_DATASETS, _BATCHES, _COLLECTIONS = (
    f"/api/v1/data-collection/{name}" for name in ("datasets", "batches", "collections")
)
_LOCAL = "/local/v1/batches/{}"

ROUTES = [
    Route("GET", "/api/v1/users/me", None, User),
    Route("POST", "/api/v1/researchers/participants", ParticipantCreate, Participant),
    Route("GET", "/api/v1/submissions/signals/upload-url/{}", None, FeedbackUploadUrl),
    Route("POST", _DATASETS, DatasetCreate, Dataset),
    Route("GET", f"{_DATASETS}/{{}}", None, Dataset),
    Route("PATCH", f"{_DATASETS}/{{}}", SchemaUpdate, Dataset),
    Route("GET", f"{_DATASETS}/{{}}/status", None, DatasetStatusResponse),
    Route("GET", f"{_DATASETS}/{{}}/upload-url/{{}}", None, UploadUrl),
    Route("GET", f"{_DATASETS}/{{}}/imports/{{}}", None, ImportJob),
    Route("GET", f"{_DATASETS}/{{}}/schema-migrations/{{}}", None, MigrationJob),
    Route("POST", f"{_DATASETS}/{{}}/datapoints", None, AppendResult),
    Route("GET", _BATCHES, None, Listing[Batch]),
    Route("POST", _BATCHES, BatchCreate, Batch),
    Route("GET", f"{_BATCHES}/{{}}", None, Batch),
    Route("PATCH", f"{_BATCHES}/{{}}", BatchUpdate, Batch),
    Route("GET", f"{_BATCHES}/{{}}/status", None, BatchStatusResponse),
    Route("POST", f"{_BATCHES}/{{}}/setup", BatchSetup, None),
    Route("POST", f"{_BATCHES}/{{}}/sync", None, SyncJob),
    Route("GET", f"{_BATCHES}/{{}}/syncs/{{}}", None, SyncJob),
    Route("GET", f"{_BATCHES}/{{}}/responses", None, Listing[ResponseRecord]),
    Route("GET", f"{_BATCHES}/{{}}/report", None, DownloadLink),
    Route("POST", f"{_BATCHES}/{{}}/duplicate", BatchDuplicate, Batch),
    Route("GET", f"{_BATCHES}/{{}}/instructions", None, InstructionList),
    Route("POST", f"{_BATCHES}/{{}}/instructions", InstructionsAdd, InstructionList),
    Route("PUT", f"{_BATCHES}/{{}}/instructions", InstructionsWrite, InstructionList),
    Route("GET", _COLLECTIONS, None, Listing[Collection]),
    Route("POST", _COLLECTIONS, CollectionCreate, Collection),
    Route("GET", f"{_COLLECTIONS}/{{}}", None, Collection),
    Route("PUT", f"{_COLLECTIONS}/{{}}", CollectionReplace, Collection),
    Route("GET", f"{_COLLECTIONS}/{{}}/responses", None, Listing[CollectionResponse]),
    *(Route("POST", f"{owner}/{{}}/export", None, ExportJob) for owner in (_BATCHES, _COLLECTIONS)),
    *(Route("GET", f"{owner}/{{}}/export/{{}}", None, ExportJob) for owner in (_BATCHES, _COLLECTIONS)),
    Route("GET", f"{_LOCAL}/participation", None, Participation),
    Route("PUT", f"{_LOCAL}/annotators-per-task", AnnotatorsPerTask, AnnotatorsPerTask),
    Route("PUT", f"{_LOCAL}/shuffle-seed", ShuffleSeed, ShuffleSeed),
    Route("PUT", f"{_LOCAL}/place-timeout", PlaceTimeout, PlaceTimeout),
    Route("PUT", f"{_LOCAL}/language", ParticipantLanguage, ParticipantLanguage),
    Route("POST", f"{_LOCAL}/release-places", None, ReleasedPlaces),
    Route("GET", f"{_LOCAL}/progress", None, Progress),
    Route("POST", f"{_LOCAL}/reset", None, None),
    Route("PUT", "/local/v1/media-folders/{}", MediaFolderSetting, None),
    Route("POST", "/local/v1/previews", PreviewRequest, Preview),
    Route("GET", "/local/v1/data", None, ServiceData),
    Route("POST", "/local/v1/data/delete-studies", StudiesToDelete, DeletedData),
    Route("POST", "/local/v1/data/delete-older", AgeToDelete, DeletedData),
    Route("POST", "/local/v1/data/delete-participant", ParticipantToDelete, DeletedData),
    Route("POST", "/local/v1/data/backups", None, BackupState),
    Route("GET", "/local/v1/data/backups/{}", None, BackupState),
    Route("DELETE", "/local/v1/data/backups/{}", None, None),
    Route("POST", "/local/v1/data/restores", None, BackupUpload),
    Route("POST", "/local/v1/data/restores/{}", None, RestoreState),
    Route("GET", "/local/v1/data/restores/{}", None, RestoreState),
    Route("DELETE", "/local/v1/data/restores/{}", None, None),
]


@dataclass(frozen=True)
class Exchange:
    """A request and its response, as in an example file."""

    name: str
    given: JsonObject

    @property
    def status(self) -> int:
        return cast("int", self.given["status"])

    @property
    def request(self) -> Json:
        return self.given.get("request")

    @property
    def response(self) -> Json:
        return self.given.get("response")

    @property
    def is_storage(self) -> bool:
        """Whether it goes to a pre-signed URL, where the bodies are not JSON."""
        return str(self.given["path"]).startswith("<")

    @property
    def route(self) -> Route:
        """The route of the exchange."""
        path = str(self.given["path"]).partition("?")[0].rstrip("/")
        (actual,) = (
            route
            for route in ROUTES
            if route.method == self.given["method"] and re.fullmatch(route.path.replace("{}", "[^/]+"), path)
        )
        return actual


def exchanges(folder: Path) -> Iterator[Exchange]:
    """Every exchange of every example file in a folder."""
    for file in sorted(folder.glob("*.json")):
        example = cast("JsonObject", parse(file.read_bytes()))
        given = example["exchanges"]
        assert is_array(given)
        for number, item in enumerate(given, start=1):
            yield Exchange(f"{file.stem}-{number}", cast("JsonObject", item))
