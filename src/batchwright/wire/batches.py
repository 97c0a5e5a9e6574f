"""Models of batches: create, read, update, set up, duplicate, report (wire reference, sections 5 to 7).

Of `batch_items`, only the structure is described here (section 6); items are validated by `layout`.
"""

from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from batchwright.base.i18n import _
from batchwright.base.text import is_blank
from batchwright.wire.base import NOT_BLANK, Name, Omittable, Open, RawJson, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp, Uuid


class DownloadLink(ResponseBody):
    """GET `/batches/{id}/report/`: the URL of the file, to be used byte for byte."""

    url: str = Field(repr=False)
    expires_at: Timestamp | None = None
    http_method: str = "GET"


def _entry(inside: str, entries: dict[str, Any]) -> dict[str, Any]:
    """The schema of a page, row or column: an object with an array of children and unknown keys."""
    return {
        "type": "object",
        "required": [inside],
        "properties": {"id": {"type": ["string", "null"]}, inside: entries},
    }


def _array(entry: dict[str, Any], **limits: int) -> dict[str, Any]:
    return {"type": "array", "items": entry, "minItems": 1, **limits}


_ITEM: dict[str, Any] = {
    "type": "object",
    "required": ["type"],
    "properties": {"id": {"type": ["string", "null"]}, "type": {"type": "string"}},
}
_COLUMN = _entry("items", _array(_ITEM))
_ROW = _entry("columns", _array(_COLUMN, maxItems=2))
_PAGE = _entry("rows", _array(_ROW))

LAYOUT_SCHEMA: dict[str, Any] = {"anyOf": [_array(_PAGE), {"type": "null"}]}
"""Pages of rows of one or two columns of items; null for a legacy batch."""


RawLayout: TypeAlias = Annotated[RawJson, WithJsonSchema(LAYOUT_SCHEMA)]
"""`batch_items`, unchanged."""


class BatchStatus(StrEnum):
    """Status of a batch (wire reference, section 5.3)."""

    UNINITIALISED = "UNINITIALISED"
    PROCESSING = "PROCESSING"
    READY = "READY"
    ERROR = "ERROR"


SETTLED = frozenset({BatchStatus.READY, BatchStatus.ERROR})
"""Statuses at which a setup has ended, successfully or not."""


class TaskDetails(RequestBody):
    """Texts that participants read before they start (wire reference, 5.2); always sent completely."""

    task_name: Annotated[str, WithJsonSchema(NOT_BLANK)]
    """Not blank in a request (`FilledTaskDetails`); a study may leave it blank."""
    task_introduction: str
    """May contain basic HTML."""
    task_steps: str
    """May contain basic HTML."""


class TaskDetailsResponse(TaskDetails, ResponseBody):
    """The task details of a response; a service may have some with missing fields."""

    model_config = ConfigDict(strict=False)

    task_name: str = ""
    task_introduction: str = ""
    task_steps: str = ""


def _require_task_name(details: TaskDetails) -> TaskDetails:
    if is_blank(details.task_name):
        raise PydanticCustomError("blank_text", _("task_name: This must not be empty."))
    return details


FilledTaskDetails: TypeAlias = Annotated[TaskDetails, AfterValidator(_require_task_name)]
"""The task details of a request."""


class BatchCreate(RequestBody):
    """POST `/batches` (wire reference, section 5.4).

    With `batch_items` absent or null, a legacy batch is created. The content of an array is validated by
    `layout`.
    """

    name: Name
    workspace_id: str
    task_details: FilledTaskDetails
    dataset_id: Uuid | None = None
    batch_items: RawLayout = None
    auto_sync_enabled: Omittable[bool] = None


class BatchUpdate(RequestBody):
    """PATCH `/batches/{id}`: omitted fields are not changed (wire reference, section 5.4).

    `batch_items` has three meanings: absent keeps the layout, null clears it, an array replaces it.
    """

    name: Omittable[Name] = None
    task_details: Omittable[FilledTaskDetails] = None
    dataset_id: Omittable[Uuid] = None
    batch_items: RawLayout = None
    auto_sync_enabled: Omittable[bool] = None


class BatchSetup(RequestBody):
    """POST `/batches/{id}/setup`; `dataset_id` replaces the attached dataset (wire reference, 5.4)."""

    dataset_id: Omittable[Uuid] = None
    tasks_per_group: Annotated[int, Field(ge=1)] = 1


class BatchDuplicate(RequestBody):
    """POST `/batches/{id}/duplicate`; all fields may be omitted (wire reference, 5.4)."""

    name: Omittable[Name] = None
    upload_new_dataset: bool = False


class AttachedDataset(ResponseBody):
    """A dataset in the response of its batch; the file name is present only with status 200."""

    id: str
    total_datapoint_count: int = 0
    filename: str | None = None


class Batch(ResponseBody):
    """A batch (wire reference, section 5.1); responses to create and duplicate have fewer keys."""

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
    """An array of pages, with ids; null for a legacy batch."""
    auto_sync_enabled: bool = False
    tasks_per_group: int | None = None


class BatchStatusResponse(ResponseBody):
    """GET `/batches/{id}/status` (wire reference, section 5.3)."""

    status: Open[BatchStatus]
    reason: str | None = None
    """Why it is `ERROR`; the service on this computer sends it, others may not."""

    @property
    def settled(self) -> bool:
        """Whether a setup has ended, successfully or not; an unknown status is not an end."""
        return self.status in SETTLED
