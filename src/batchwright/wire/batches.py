"""Batches: creating, reading, updating, setting up, duplicating (wire reference, 5)."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import ConfigDict, Field, WithJsonSchema

from batchwright.wire.base import Omittable, Open, RawJson, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp, Uuid
from batchwright.wire.layout_schema import LAYOUT_SCHEMA

RawLayout: TypeAlias = Annotated[RawJson, WithJsonSchema(LAYOUT_SCHEMA)]
"""`batch_items` as it came."""


class BatchStatus(StrEnum):
    """How far a batch has come (wire reference, 5.3)."""

    UNINITIALISED = "UNINITIALISED"
    PROCESSING = "PROCESSING"
    READY = "READY"
    ERROR = "ERROR"


SETTLED = frozenset({BatchStatus.READY, BatchStatus.ERROR})
"""The statuses at which a setup has ended, well or not."""


class TaskDetails(RequestBody):
    """What participants read before they start (wire reference, 5.2); always sent whole."""

    task_name: str
    task_introduction: str
    """May hold basic HTML."""
    task_steps: str
    """May hold basic HTML."""


class TaskDetailsResponse(TaskDetails, ResponseBody):
    """The task details of an answer: a service may hold some that were never filled in."""

    model_config = ConfigDict(strict=False)

    task_name: str = ""
    task_introduction: str = ""
    task_steps: str = ""


class BatchCreate(RequestBody):
    """POST `/batches` (wire reference, 5.4).

    `batch_items` absent or null makes a legacy batch; what an array may hold is for `layout` to say.
    """

    name: str
    workspace_id: str
    task_details: TaskDetails
    dataset_id: Uuid | None = None
    batch_items: RawLayout = None
    auto_sync_enabled: Omittable[bool] = None


class BatchUpdate(RequestBody):
    """PATCH `/batches/{id}`: what is left out stays as it is (wire reference, 5.4).

    `batch_items` has three meanings: absent leaves the layout, null clears it, an array replaces it.
    """

    name: Omittable[str] = None
    task_details: Omittable[TaskDetails] = None
    dataset_id: Omittable[Uuid] = None
    batch_items: RawLayout = None
    auto_sync_enabled: Omittable[bool] = None


class BatchSetup(RequestBody):
    """POST `/batches/{id}/setup`; `dataset_id` replaces the dataset attached (wire reference, 5.4)."""

    dataset_id: Omittable[Uuid] = None
    tasks_per_group: Annotated[int, Field(ge=1)] = 1


class BatchDuplicate(RequestBody):
    """POST `/batches/{id}/duplicate`; everything may be left out (wire reference, 5.4)."""

    name: Omittable[str] = None
    upload_new_dataset: bool = False


class AttachedDataset(ResponseBody):
    """A dataset as its batch names it; the file's name stands only in answers with status 200."""

    id: str
    total_datapoint_count: int = 0
    filename: str | None = None


class Batch(ResponseBody):
    """A batch (wire reference, 5.1); create and duplicate answer with fewer keys than the others."""

    id: str
    status: Open[BatchStatus]
    created_at: Timestamp | None = None
    created_by: str | None = None
    name: str = ""
    workspace_id: str = ""
    datasets: tuple[AttachedDataset, ...] = ()
    task_details: TaskDetailsResponse | None = None
    total_task_count: int = 0
    total_instruction_count: int = 0
    total_task_groups: int | None = None
    schema_version: int | None = None
    batch_items: RawLayout = None
    """An array of pages, with ids; null on a legacy batch."""
    auto_sync_enabled: bool = False
    tasks_per_group: int | None = None


class BatchStatusResponse(ResponseBody):
    """GET `/batches/{id}/status` (wire reference, 5.3)."""

    status: Open[BatchStatus]
    reason: str | None = None
    """Why it is `ERROR`; our own service says so, others need not."""

    @property
    def settled(self) -> bool:
        """Whether a setup has ended, well or not; a status nobody here knows is no end."""
        return self.status in SETTLED
