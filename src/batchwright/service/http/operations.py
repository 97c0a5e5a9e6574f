"""What each call of the API takes and answers, in words that a machine reads (wire.md 3 to 12).

`openapi` makes its document of this and of the routes. Everything that any call may answer is in
`openapi`; here stands what a call has of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TypeAlias

from batchwright.service.handlers import (
    account,
    batches,
    collections,
    dataset_schemas,
    datasets,
    exports,
    feedback,
    instructions,
    setups,
    syncs,
)
from batchwright.service.handlers import datapoints as handlers_datapoints
from batchwright.service.handlers import local as handlers_local
from batchwright.service.handlers import participants as handlers_participants
from batchwright.service.handlers import responses as handlers_responses
from batchwright.service.handlers import tasks as handlers_tasks
from batchwright.service.http.endpoint import Handler
from batchwright.wire.base import Body
from batchwright.wire.batches import (
    Batch,
    BatchCreate,
    BatchDuplicate,
    BatchSetup,
    BatchStatusResponse,
    BatchUpdate,
)
from batchwright.wire.collections import Collection, CollectionCreate, CollectionReplace, CollectionResponse
from batchwright.wire.datapoints import AppendResult
from batchwright.wire.datasets import Dataset, DatasetCreate, DatasetStatusResponse, SchemaUpdate, UploadUrl
from batchwright.wire.exports import ExportJob
from batchwright.wire.feedback import FeedbackUploadUrl
from batchwright.wire.imports import ImportJob
from batchwright.wire.instructions import InstructionRecord, InstructionsAdd, InstructionsWrite
from batchwright.wire.local_routes import (
    AnnotatorsPerTask,
    Participation,
    Preview,
    PreviewRequest,
    Progress,
    ShuffleSeed,
)
from batchwright.wire.migrations import MigrationJob
from batchwright.wire.pagination import Listing
from batchwright.wire.participants import Participant, ParticipantCreate
from batchwright.wire.reports import DownloadLink
from batchwright.wire.responses import ResponseRecord
from batchwright.wire.syncs import SyncJob
from batchwright.wire.users import User


@dataclass(frozen=True)
class ArrayOf:
    """A bare array of bodies or of texts."""

    entry: type[Body] | type[str]


Given: TypeAlias = type[Body] | ArrayOf | None
"""A body, a bare array, or no body at all."""

OK, CREATED, ACCEPTED = HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.ACCEPTED
FORBIDDEN, NOT_FOUND, CONFLICT = HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT
LAYOUT = HTTPStatus.UNPROCESSABLE_ENTITY


@dataclass(frozen=True)
class EndpointSpec:
    """One call: what it answers when all is well, what it takes, and how it may refuse."""

    answers: Mapping[HTTPStatus, Given]
    takes: type[Body] | None = None
    may_be_empty: bool = False
    """Whether the body may be left out."""
    takes_lines: bool = False
    """Whether the body is JSONL and no JSON."""
    query: tuple[str, ...] = ()
    """Parameters that have to be there."""
    optional_query: tuple[str, ...] = ()
    """Parameters that may be left out."""
    is_list: bool = False
    """Whether `limit` and `offset` cut the answer."""
    refusals: tuple[HTTPStatus, ...] = field(default=())
    refuses_items: bool = False
    """Whether its 422 lists items of a layout."""
    is_deprecated: bool = False


OPERATIONS: Mapping[Handler, EndpointSpec] = {
    account.me: EndpointSpec({OK: User}),
    handlers_participants.create: EndpointSpec(
        {CREATED: Participant}, ParticipantCreate, refusals=(NOT_FOUND,)
    ),
    datasets.create: EndpointSpec({CREATED: Dataset}, DatasetCreate, refusals=(FORBIDDEN, NOT_FOUND)),
    datasets.get: EndpointSpec({OK: Dataset}),
    dataset_schemas.update: EndpointSpec({OK: Dataset}, SchemaUpdate, refusals=(FORBIDDEN,)),
    dataset_schemas.get_migration: EndpointSpec({OK: MigrationJob}),
    datasets.status: EndpointSpec({OK: DatasetStatusResponse}),
    datasets.upload_url: EndpointSpec({CREATED: UploadUrl}, refusals=(FORBIDDEN,)),
    datasets.get_import: EndpointSpec({OK: ImportJob}),
    handlers_datapoints.append: EndpointSpec(
        {OK: AppendResult}, takes_lines=True, refusals=(FORBIDDEN, CONFLICT)
    ),
    batches.list_all: EndpointSpec(
        {OK: Listing[Batch]}, query=("workspace_id",), is_list=True, refusals=(FORBIDDEN,)
    ),
    batches.create: EndpointSpec(
        {CREATED: Batch}, BatchCreate, refusals=(FORBIDDEN, LAYOUT), refuses_items=True
    ),
    batches.get: EndpointSpec({OK: Batch}),
    batches.update: EndpointSpec({OK: Batch}, BatchUpdate, refusals=(LAYOUT,), refuses_items=True),
    batches.status: EndpointSpec({OK: BatchStatusResponse}),
    batches.duplicate: EndpointSpec({CREATED: Batch}, BatchDuplicate, may_be_empty=True),
    setups.set_up: EndpointSpec({ACCEPTED: None}, BatchSetup, may_be_empty=True),
    syncs.start: EndpointSpec({ACCEPTED: SyncJob}),
    syncs.get: EndpointSpec({OK: SyncJob}),
    handlers_tasks.tasks: EndpointSpec({OK: ArrayOf(str)}),
    handlers_tasks.task_groups: EndpointSpec({OK: ArrayOf(str)}),
    instructions.list_all: EndpointSpec({OK: Listing[InstructionRecord]}, is_list=True, is_deprecated=True),
    instructions.create: EndpointSpec(
        {CREATED: ArrayOf(InstructionRecord)}, InstructionsAdd, refusals=(LAYOUT,), is_deprecated=True
    ),
    instructions.replace: EndpointSpec(
        {OK: ArrayOf(InstructionRecord)}, InstructionsWrite, refusals=(LAYOUT,), is_deprecated=True
    ),
    handlers_responses.responses: EndpointSpec({OK: Listing[ResponseRecord]}, is_list=True),
    handlers_responses.report: EndpointSpec({OK: DownloadLink}),
    exports.start: EndpointSpec({OK: ExportJob, ACCEPTED: ExportJob}, refusals=(FORBIDDEN,)),
    exports.get: EndpointSpec({OK: ExportJob}),
    collections.list_all: EndpointSpec(
        {OK: Listing[Collection]}, query=("workspace_id",), is_list=True, refusals=(FORBIDDEN, NOT_FOUND)
    ),
    collections.create: EndpointSpec(
        {CREATED: Collection}, CollectionCreate, refusals=(FORBIDDEN, NOT_FOUND)
    ),
    collections.get: EndpointSpec({OK: Collection}),
    collections.replace: EndpointSpec({OK: Collection}, CollectionReplace),
    collections.responses: EndpointSpec({OK: Listing[CollectionResponse]}, is_list=True),
    exports.start_of_collection: EndpointSpec({OK: ExportJob, ACCEPTED: ExportJob}, refusals=(FORBIDDEN,)),
    exports.get_of_collection: EndpointSpec({OK: ExportJob}),
    feedback.upload_url: EndpointSpec(
        {CREATED: FeedbackUploadUrl}, optional_query=("workspace_id",), refusals=(FORBIDDEN,)
    ),
    handlers_local.participation: EndpointSpec({OK: Participation}),
    handlers_local.annotators_per_task: EndpointSpec({OK: AnnotatorsPerTask}, AnnotatorsPerTask),
    handlers_local.shuffle_seed: EndpointSpec({OK: ShuffleSeed}, ShuffleSeed),
    handlers_local.progress: EndpointSpec({OK: Progress}),
    handlers_local.reset: EndpointSpec({HTTPStatus.NO_CONTENT: None}),
    handlers_local.participation_in_collection: EndpointSpec({OK: Participation}),
    handlers_local.reset_collection: EndpointSpec({HTTPStatus.NO_CONTENT: None}),
    handlers_local.preview: EndpointSpec({CREATED: Preview}, PreviewRequest),
}
"""Every call that needs a token, by the handler that answers it."""
