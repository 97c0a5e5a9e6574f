"""`RemoteStudy`: what a study is at a service, a batch or a collection; answers and exports work alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.projects import StudyKind

if TYPE_CHECKING:
    from batchwright.api.client import ApiClient
    from batchwright.api.http.lazy_list import LazyList
    from batchwright.wire.collections import CollectionResponse
    from batchwright.wire.exports import ExportJob
    from batchwright.wire.responses import ResponseRecord


@dataclass(frozen=True)
class RemoteStudy:
    """The batch or collection with an id at the service."""

    kind: StudyKind
    id: str

    @property
    def is_collection(self) -> bool:
        """Whether it is a collection."""
        return self.kind is StudyKind.COLLECTION

    @property
    def export_kind(self) -> JobKind:
        """The kind of the job that creates its export."""
        return JobKind.COLLECTION_EXPORT if self.is_collection else JobKind.EXPORT

    @property
    def job_subject(self) -> Mapping[str, str]:
        """The ids that identify it in a job."""
        return {"collection_id" if self.is_collection else "batch_id": self.id}

    async def responses(
        self, service: "ApiClient", limit: int | None = None
    ) -> "LazyList[ResponseRecord] | LazyList[CollectionResponse]":
        """Fetch all answers; with a `limit`, only the newest, unless the service sends all nevertheless.

        Raises:
            NotFound: it does not exist, or the service does not offer the answers of collections as a list.
        """
        if self.is_collection:
            return await service.collections.responses(self.id, limit)
        return await service.batches.responses(self.id, limit)

    async def start_export(self, service: "ApiClient") -> "ExportJob":
        """Request its export; see `api.exports.Exports.start`."""
        if self.is_collection:
            return await service.exports.start_of_collection(self.id)
        return await service.exports.start(self.id)

    async def export_job(self, service: "ApiClient", export_id: str) -> "ExportJob":
        """Fetch the status of its export."""
        if self.is_collection:
            return await service.exports.get_of_collection(self.id, export_id)
        return await service.exports.get(self.id, export_id)


def remote_batch(batch_id: str) -> RemoteStudy:
    """A batch as a study at the service."""
    return RemoteStudy(StudyKind.BATCH, batch_id)


def remote_collection(collection_id: str) -> RemoteStudy:
    """A collection as a study at the service."""
    return RemoteStudy(StudyKind.COLLECTION, collection_id)
