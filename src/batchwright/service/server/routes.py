"""The route table: every path of the service with its handler. Start reading the package here.

A new endpoint is a handler function and a row of `API_ROUTES`. The row also lists the endpoint's request and
response models and its errors: `/openapi.json` is generated from the rows, and the tests check every response
against it. Handlers have one shape: parse the request, call the store or enqueue a job, and respond.
"""

from http import HTTPStatus

from starlette.routing import Route

from batchwright.service.handlers import (
    account,
    batches,
    collections,
    datapoints,
    datasets,
    local,
    responses,
    storage,
    stored_data,
    tasks,
)
from batchwright.service.http.openapi import openapi_endpoint
from batchwright.service.http.routing import ApiRoute, ArrayOf
from batchwright.service.participate import addresses, preview_pages, question_pages, start_page
from batchwright.service.participate.study_language import in_study_language
from batchwright.wire.account import Participant, ParticipantCreate, User
from batchwright.wire.batches import (
    Batch,
    BatchCreate,
    BatchDuplicate,
    BatchSetup,
    BatchStatusResponse,
    BatchUpdate,
    DownloadLink,
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
    MediaFolderSetting,
    ParticipantLanguage,
    Participation,
    PlaceTimeout,
    Preview,
    PreviewRequest,
    Progress,
    ReleasedPlaces,
    SetupLayout,
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

OK, CREATED, ACCEPTED, NO_CONTENT = (
    HTTPStatus.OK,
    HTTPStatus.CREATED,
    HTTPStatus.ACCEPTED,
    HTTPStatus.NO_CONTENT,
)
FORBIDDEN, NOT_FOUND, CONFLICT = HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT
UNPROCESSABLE = HTTPStatus.UNPROCESSABLE_ENTITY

_DATA = "/api/v1/data-collection"
_DATASET = f"{_DATA}/datasets/{{dataset_id}}"
_BATCH = f"{_DATA}/batches/{{batch_id}}"
_COLLECTION = f"{_DATA}/collections/{{collection_id}}"
_LOCAL = "/local/v1"
_LOCAL_BATCH = f"{_LOCAL}/batches/{{batch_id}}"
_LOCAL_COLLECTION = f"{_LOCAL}/collections/{{collection_id}}"

API_ROUTES = [
    ApiRoute("GET", "/api/v1/users/me", account.me, {OK: User}),
    ApiRoute(
        "POST",
        "/api/v1/researchers/participants",
        account.create_participant,
        {CREATED: Participant},
        operation_id="participants.create",
        request=ParticipantCreate,
        errors=(NOT_FOUND,),
    ),
    ApiRoute(
        "POST",
        f"{_DATA}/datasets",
        datasets.create,
        {CREATED: Dataset},
        request=DatasetCreate,
        errors=(FORBIDDEN, NOT_FOUND),
    ),
    ApiRoute("GET", _DATASET, datasets.get, {OK: Dataset}),
    ApiRoute(
        "PATCH",
        _DATASET,
        datasets.update_schema,
        {OK: Dataset},
        operation_id="dataset_schemas.update",
        request=SchemaUpdate,
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "GET",
        f"{_DATASET}/schema-migrations/{{job_id}}",
        datasets.get_migration,
        {OK: MigrationJob},
        operation_id="dataset_schemas.get_migration",
    ),
    ApiRoute("GET", f"{_DATASET}/status", datasets.status, {OK: DatasetStatusResponse}),
    ApiRoute(
        "GET",
        f"{_DATASET}/upload-url/{{filename:text}}",
        datasets.upload_url,
        {CREATED: UploadUrl},
        errors=(FORBIDDEN,),
        allows_head=False,
    ),
    ApiRoute("GET", f"{_DATASET}/imports/{{import_id}}", datasets.get_import, {OK: ImportJob}),
    ApiRoute(
        "POST",
        f"{_DATASET}/datapoints",
        datapoints.append,
        {OK: AppendResult},
        accepts_jsonl=True,
        errors=(FORBIDDEN, CONFLICT),
    ),
    ApiRoute(
        "GET",
        f"{_DATA}/batches",
        batches.list_all,
        {OK: Listing[Batch]},
        required_query=("workspace_id",),
        is_list=True,
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "POST",
        f"{_DATA}/batches",
        batches.create,
        {CREATED: Batch},
        request=BatchCreate,
        errors=(FORBIDDEN, UNPROCESSABLE),
        lists_item_problems=True,
    ),
    ApiRoute("GET", _BATCH, batches.get, {OK: Batch}),
    ApiRoute(
        "PATCH",
        _BATCH,
        batches.update,
        {OK: Batch},
        request=BatchUpdate,
        errors=(UNPROCESSABLE,),
        lists_item_problems=True,
    ),
    ApiRoute("GET", f"{_BATCH}/status", batches.status, {OK: BatchStatusResponse}),
    ApiRoute(
        "POST",
        f"{_BATCH}/duplicate",
        batches.duplicate,
        {CREATED: Batch},
        request=BatchDuplicate,
        request_is_optional=True,
    ),
    ApiRoute(
        "POST",
        f"{_BATCH}/setup",
        tasks.set_up,
        {ACCEPTED: None},
        operation_id="setups.set_up",
        request=BatchSetup,
        request_is_optional=True,
    ),
    ApiRoute("POST", f"{_BATCH}/sync", tasks.start_sync, {ACCEPTED: SyncJob}, operation_id="syncs.start"),
    ApiRoute("GET", f"{_BATCH}/syncs/{{sync_id}}", tasks.get_sync, {OK: SyncJob}, operation_id="syncs.get"),
    ApiRoute("GET", f"{_BATCH}/tasks", tasks.tasks, {OK: ArrayOf(str)}),
    ApiRoute(
        "GET",
        f"{_BATCH}/task-groups",
        tasks.task_groups,
        {OK: ArrayOf(str)},
    ),
    ApiRoute(
        "GET",
        f"{_BATCH}/instructions",
        batches.list_instructions,
        {OK: Listing[InstructionRecord]},
        operation_id="instructions.list_all",
        is_list=True,
        is_deprecated=True,
    ),
    ApiRoute(
        "POST",
        f"{_BATCH}/instructions",
        batches.add_instructions,
        {CREATED: ArrayOf(InstructionRecord)},
        operation_id="instructions.create",
        request=InstructionsAdd,
        errors=(UNPROCESSABLE,),
        is_deprecated=True,
    ),
    ApiRoute(
        "PUT",
        f"{_BATCH}/instructions",
        batches.replace_instructions,
        {OK: ArrayOf(InstructionRecord)},
        operation_id="instructions.replace",
        request=InstructionsWrite,
        errors=(UNPROCESSABLE,),
        is_deprecated=True,
    ),
    ApiRoute("GET", f"{_BATCH}/responses", responses.responses, {OK: Listing[ResponseRecord]}, is_list=True),
    ApiRoute("GET", f"{_BATCH}/report", responses.report, {OK: DownloadLink}),
    ApiRoute(
        "POST",
        f"{_BATCH}/export",
        responses.start_export,
        {OK: ExportJob, ACCEPTED: ExportJob},
        operation_id="exports.start",
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "GET",
        f"{_BATCH}/export/{{export_id}}",
        responses.get_export,
        {OK: ExportJob},
        operation_id="exports.get",
    ),
    ApiRoute(
        "GET",
        f"{_DATA}/collections",
        collections.list_all,
        {OK: Listing[Collection]},
        required_query=("workspace_id",),
        is_list=True,
        errors=(FORBIDDEN, NOT_FOUND),
    ),
    ApiRoute(
        "POST",
        f"{_DATA}/collections",
        collections.create,
        {CREATED: Collection},
        request=CollectionCreate,
        errors=(FORBIDDEN, NOT_FOUND),
    ),
    ApiRoute("GET", _COLLECTION, collections.get, {OK: Collection}),
    ApiRoute("PUT", _COLLECTION, collections.replace, {OK: Collection}, request=CollectionReplace),
    ApiRoute(
        "GET",
        f"{_COLLECTION}/responses",
        collections.responses,
        {OK: Listing[CollectionResponse]},
        is_list=True,
    ),
    ApiRoute(
        "POST",
        f"{_COLLECTION}/export",
        responses.start_collection_export,
        {OK: ExportJob, ACCEPTED: ExportJob},
        operation_id="exports.start_of_collection",
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "GET",
        f"{_COLLECTION}/export/{{export_id}}",
        responses.get_collection_export,
        {OK: ExportJob},
        operation_id="exports.get_of_collection",
    ),
    ApiRoute(
        "GET",
        "/api/v1/submissions/signals/upload-url/{filename:text}",
        storage.feedback_upload_url,
        {CREATED: FeedbackUploadUrl},
        operation_id="feedback.upload_url",
        optional_query=("workspace_id",),
        errors=(FORBIDDEN,),
        allows_head=False,
    ),
    # For rehearsals; the hosted service does not have these.
    ApiRoute("GET", f"{_LOCAL_BATCH}/participation", local.participation, {OK: Participation}),
    ApiRoute(
        "PUT",
        f"{_LOCAL_BATCH}/annotators-per-task",
        local.annotators_per_task,
        {OK: AnnotatorsPerTask},
        request=AnnotatorsPerTask,
    ),
    ApiRoute(
        "PUT", f"{_LOCAL_BATCH}/shuffle-seed", local.shuffle_seed, {OK: ShuffleSeed}, request=ShuffleSeed
    ),
    ApiRoute(
        "PUT", f"{_LOCAL_BATCH}/place-timeout", local.place_timeout, {OK: PlaceTimeout}, request=PlaceTimeout
    ),
    ApiRoute(
        "PUT",
        f"{_LOCAL_BATCH}/language",
        local.language,
        {OK: ParticipantLanguage},
        request=ParticipantLanguage,
    ),
    ApiRoute("POST", f"{_LOCAL_BATCH}/release-places", local.release_places, {OK: ReleasedPlaces}),
    ApiRoute("GET", f"{_LOCAL_BATCH}/progress", local.progress, {OK: Progress}),
    ApiRoute("GET", f"{_LOCAL_BATCH}/setup-layout", local.setup_layout, {OK: SetupLayout}),
    ApiRoute("POST", f"{_LOCAL_BATCH}/reset", local.reset, {NO_CONTENT: None}),
    ApiRoute(
        "GET", f"{_LOCAL_COLLECTION}/participation", local.participation_in_collection, {OK: Participation}
    ),
    ApiRoute(
        "PUT",
        f"{_LOCAL_COLLECTION}/language",
        local.language_of_collection,
        {OK: ParticipantLanguage},
        request=ParticipantLanguage,
    ),
    ApiRoute("POST", f"{_LOCAL_COLLECTION}/reset", local.reset_collection, {NO_CONTENT: None}),
    ApiRoute("POST", f"{_LOCAL}/previews", local.preview, {CREATED: Preview}, request=PreviewRequest),
    ApiRoute("GET", f"{_LOCAL}/data", stored_data.overview, {OK: ServiceData}),
    ApiRoute(
        "POST",
        f"{_LOCAL}/data/delete-studies",
        stored_data.delete_studies,
        {OK: DeletedData},
        request=StudiesToDelete,
        errors=(CONFLICT,),
    ),
    ApiRoute(
        "POST",
        f"{_LOCAL}/data/delete-older",
        stored_data.delete_older,
        {OK: DeletedData},
        request=AgeToDelete,
    ),
    ApiRoute(
        "POST",
        f"{_LOCAL}/data/delete-participant",
        stored_data.delete_participant,
        {OK: DeletedData},
        request=ParticipantToDelete,
    ),
    ApiRoute(
        "POST",
        f"{_LOCAL}/data/backups",
        stored_data.start_backup,
        {ACCEPTED: BackupState},
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "GET",
        f"{_LOCAL}/data/backups/{{backup_id}}",
        stored_data.backup,
        {OK: BackupState},
        errors=(FORBIDDEN, NOT_FOUND, CONFLICT),
    ),
    ApiRoute(
        "DELETE",
        f"{_LOCAL}/data/backups/{{backup_id}}",
        stored_data.remove_backup,
        {NO_CONTENT: None},
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "POST",
        f"{_LOCAL}/data/restores",
        stored_data.start_restore,
        {CREATED: BackupUpload},
        errors=(FORBIDDEN,),
    ),
    ApiRoute(
        "POST",
        f"{_LOCAL}/data/restores/{{restore_id}}",
        stored_data.restore,
        {ACCEPTED: RestoreState},
        errors=(FORBIDDEN, NOT_FOUND),
    ),
    ApiRoute(
        "GET",
        f"{_LOCAL}/data/restores/{{restore_id}}",
        stored_data.restore_state,
        {OK: RestoreState},
        errors=(FORBIDDEN, NOT_FOUND),
    ),
    ApiRoute(
        "DELETE",
        f"{_LOCAL}/data/restores/{{restore_id}}",
        stored_data.cancel_restore,
        {NO_CONTENT: None},
        errors=(FORBIDDEN, CONFLICT),
    ),
    ApiRoute(
        "PUT",
        f"{_LOCAL}/media-folders/{{folder_id}}",
        local.media_folder,
        {NO_CONTENT: None},
        request=MediaFolderSetting,
        errors=(FORBIDDEN,),
    ),
]
"""Routes that require a token: those of the specification, then those of the local service only."""

_SUBMISSION = "/participate/{batch_id}/{submission_id}"

PARTICIPATE_ROUTES = [
    Route("/participate/assets/{name}", addresses.get_asset, methods=["GET"]),
    Route("/participate/samples/{name:path}", addresses.get_sample, methods=["GET"]),
    Route("/participate/media/{folder_id}/{path:text}", addresses.get_medium, methods=["GET"]),
    Route("/participate/preview/{preview_id}", preview_pages.get_preview, methods=["GET"]),
    Route("/participate/preview/{preview_id}", preview_pages.post_preview, methods=["POST"]),
    Route("/participate/{batch_id}", in_study_language(start_page.get_start_page), methods=["GET"]),
    Route("/participate/{batch_id}/start", in_study_language(start_page.start), methods=["POST"]),
    Route(_SUBMISSION, in_study_language(question_pages.get_page), methods=["GET"]),
    Route(_SUBMISSION, in_study_language(question_pages.post_page), methods=["POST"]),
]
"""The participant pages: start page, question pages, previews, and the files they load."""

STORAGE_ROUTES = [
    Route("/storage/imports/{import_id}/{filename}", storage.put_import, methods=["PUT"]),
    Route("/storage/feedback/{number:int}/{filename}", storage.put_feedback, methods=["PUT"]),
    Route("/storage/reports/{batch_id}/{filename}", storage.get_report, methods=["GET"]),
    Route("/storage/exports/{export_id}/{filename}", storage.get_export, methods=["GET"]),
    Route("/storage/backups/{backup_id}/{filename}", storage.get_backup, methods=["GET"]),
    Route("/storage/backups/{backup_id}/{filename}", storage.put_backup, methods=["PUT"]),
]
"""Routes of pre-signed URLs, which contain their authorization; responses are those of file storage."""

OPENAPI_ROUTE = Route("/openapi.json", openapi_endpoint(API_ROUTES), methods=["GET"])

ROUTES = [*PARTICIPATE_ROUTES, *(row.route for row in API_ROUTES), *STORAGE_ROUTES, OPENAPI_ROUTE]
"""All routes. The first match is used, so the routes requested most often come first."""
