"""What the service stores, and deleting it (`/local/v1/data`), which the hosted service does not have."""

from contextlib import suppress
from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.database import Connection
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.service import clock
from batchwright.service.backup_jobs import BackupJob
from batchwright.service.backups import BackupUnusable
from batchwright.service.clock import timestamp
from batchwright.service.erasing import finish_deletions
from batchwright.service.handlers.responses import DOWNLOAD_LIFETIME
from batchwright.service.http.endpoint import ApiRequest
from batchwright.service.http.responses import (
    HttpError,
    bad_request,
    empty_response,
    forbidden,
    json_response,
    not_found,
)
from batchwright.service.store import stored_data
from batchwright.service.store.stored_data import Deleted, DeletionRecord, StudyUse
from batchwright.wire.participant_digests import participant_digest
from batchwright.wire.service_data import (
    AgeToDelete,
    ParticipantToDelete,
    StudiesToDelete,
)

_UPLOAD_LIFETIME = clock.HOUR


def overview(request: ApiRequest) -> Response:
    """`GET data`: what is stored, and what was deleted."""
    with request.state.database.read() as connection:
        studies = stored_data.studies_of(connection, request.account.workspaces)
        unused = stored_data.unused_of(connection, request.account.workspaces)
        records = stored_data.records(connection)
    return json_response(
        {
            "database_bytes": request.state.database.size(),
            "files_bytes": request.state.blobs.size(),
            "studies": [_study(study) for study in studies],
            "unused": unused,
            "deletions": [_record(record) for record in records],
        }
    )


def delete_studies(request: ApiRequest) -> Response:
    """`POST data/delete-studies`: deletes batches and collections with their data."""
    ids = {id.lower() for id in request.parse_body(StudiesToDelete).study_ids}
    with request.state.deleting:
        with request.state.database.write(durable=True) as connection:
            found = [study for study in _studies(request, connection) if study.id in ids]
            if len(found) < len(ids):
                raise bad_request({"study_ids": [_("No batch or collection has one of these ids.")]})
            deleted, in_use = stored_data.start_deletions(connection, found, request.state.clock())
            if in_use:
                message = _("An import, setup, sync or export is running. Try again when it has ended.")
                raise HttpError(HTTPStatus.CONFLICT, message)
        return _finished(request, deleted, in_use=0)


def delete_older(request: ApiRequest) -> Response:
    """`POST data/delete-older`: deletes what was not used for some days."""
    now, workspaces = request.state.clock(), request.account.workspaces
    before = now - request.parse_body(AgeToDelete).days * clock.DAY
    with request.state.deleting:
        with request.state.database.write(durable=True) as connection:
            deleted, in_use = stored_data.start_deletion_of_older(connection, workspaces, before, now)
        return _finished(request, deleted, in_use=in_use)


def delete_participant(request: ApiRequest) -> Response:
    """`POST data/delete-participant`: deletes everything of a participant, in one study or in all."""
    body, now = request.parse_body(ParticipantToDelete), request.state.clock()
    with request.state.deleting:
        with request.state.database.write(durable=True) as connection:
            deleted = _delete_participant(request, connection, body, now)
        request.state.wake_worker()
        return _finished(request, deleted, in_use=0)


def _delete_participant(
    request: ApiRequest, connection: Connection, body: ParticipantToDelete, now: int
) -> Deleted:
    studies = _studies(request, connection)
    study_id = None
    if body.study_id is not None:
        studies = [study for study in studies if study.id == body.study_id.lower()]
        if not studies:
            raise bad_request({"study_id": [_("No batch or collection has this id.")]})
        study_id = studies[0].id
    rows = {study.row_id for study in studies}
    deleted = stored_data.delete_participant(connection, body.participant_id, rows, now)
    if body.study_id is None and stored_data.delete_test_participant(
        connection, body.participant_id, request.account.id
    ):
        deleted += Deleted(participants=1 - deleted.participants)
    if deleted.participants:
        digest = participant_digest(body.participant_id)
        stored_data.record(connection, deleted, now, digest=digest, study_id=study_id)
    return deleted


def start_backup(request: ApiRequest) -> Response:
    """`POST data/backups`: starts to write a backup of everything."""
    _require_owner(request)
    state = request.state

    def write(job: BackupJob) -> None:
        with state.deleting:
            state.backups.create(job.id, state.database, state.blobs, state.clock(), job.on_step)

    return _backup(request, state.backup_jobs.start(state.backups.new_id(), write), HTTPStatus.ACCEPTED)


def backup(request: ApiRequest) -> Response:
    """`GET data/backups/{backup_id}`: how far a backup is; the URL for its download, once it is written."""
    _require_owner(request)
    job = request.state.backup_jobs.find(request.path_params["backup_id"])
    if job is None:
        raise not_found(_("This backup is not being written."))
    if isinstance(job.error, BackupUnusable):
        raise HttpError(HTTPStatus.CONFLICT, str(job.error))
    if job.error is not None:
        raise job.error
    return _backup(request, job, HTTPStatus.OK)


def remove_backup(request: ApiRequest) -> Response:
    """`DELETE data/backups/{backup_id}`: ends writing a backup, or removes it."""
    _require_owner(request)
    id = request.path_params["backup_id"]
    request.state.backup_jobs.remove(id)
    with suppress(FileNotFoundError):
        request.state.backups.remove(id)
    return empty_response(HTTPStatus.NO_CONTENT)


def _backup(request: ApiRequest, job: BackupJob, status: HTTPStatus) -> Response:
    body: dict[str, Json] = {"backup_id": job.id, "written_bytes": job.done, "total_bytes": job.total}
    if job.is_complete:
        path = f"/storage/backups/{job.id}/backup.zip"
        signed = request.state.signer.sign("GET", path, DOWNLOAD_LIFETIME)
        body |= {"url": request.state.absolute_url(signed), "expires_at": timestamp(signed.expires_at)}
    return json_response(body, status)


def start_restore(request: ApiRequest) -> Response:
    """`POST data/restores`: a URL to which a backup is uploaded."""
    _require_owner(request)
    id = request.state.backups.new_id()
    signed = request.state.signer.sign("PUT", f"/storage/backups/{id}/backup.zip", _UPLOAD_LIFETIME)
    return json_response(
        {
            "restore_id": id,
            "upload_url": request.state.absolute_url(signed),
            "http_method": "PUT",
            "expires_at": timestamp(signed.expires_at),
        },
        HTTPStatus.CREATED,
    )


def restore(request: ApiRequest) -> Response:
    """`POST data/restores/{restore_id}`: starts to replace everything by the backup that was uploaded."""
    _require_owner(request)
    state, id = request.state, request.path_params["restore_id"]
    if not state.backups.exists(id):
        raise not_found(_("No backup was uploaded for this."))

    def work(job: BackupJob) -> None:
        with state.deleting, state.backups.removed_afterwards(id):
            alone = state.worker_paused()
            job.restored = state.backups.restore(
                id, state.database, state.blobs, alone, job.on_step, job.finalize
            )

    return _restore(state.restore_jobs.start(id, work), HTTPStatus.ACCEPTED)


def restore_state(request: ApiRequest) -> Response:
    """`GET data/restores/{restore_id}`: how far it is; what is stored now, once it is complete."""
    _require_owner(request)
    job = request.state.restore_jobs.find(request.path_params["restore_id"])
    if job is None:
        raise not_found(_("This backup is not being restored."))
    if isinstance(job.error, BackupUnusable):
        raise bad_request([str(job.error)])
    if job.error is not None:
        raise job.error
    return _restore(job, HTTPStatus.OK)


def cancel_restore(request: ApiRequest) -> Response:
    """`DELETE data/restores/{restore_id}`: ends restoring a backup, and removes what was uploaded."""
    _require_owner(request)
    id = request.path_params["restore_id"]
    if not request.state.restore_jobs.remove(id):
        raise HttpError(
            HTTPStatus.CONFLICT, _("The data is being replaced. This can no longer be cancelled.")
        )
    with suppress(FileNotFoundError):
        request.state.backups.remove(id)
    return empty_response(HTTPStatus.NO_CONTENT)


def _restore(job: BackupJob, status: HTTPStatus) -> Response:
    body: dict[str, Json] = {"restore_id": job.id, "checked_bytes": job.done, "total_bytes": job.total}
    if job.is_complete and job.restored is not None:
        body["restored"] = {
            "studies": job.restored.studies,
            "answers": job.restored.answers,
            "deleted_again": job.restored.deleted_again,
        }
    return json_response(body, status)


def _require_owner(request: ApiRequest) -> None:
    """Only the owner of the data folder may read and replace everything in it."""
    if not request.state.accounts.is_owner(request.account):
        raise forbidden()


def _finished(request: ApiRequest, deleted: Deleted, in_use: int) -> Response:
    is_erased = finish_deletions(request.state.database, request.state.blobs, deleted.blobs)
    return json_response(
        {
            "studies": deleted.studies,
            "participants": deleted.participants,
            "answers": deleted.answers,
            "files": deleted.files,
            "unused": deleted.unused,
            "in_use": in_use,
            "is_erased": is_erased,
        }
    )


def _studies(request: ApiRequest, connection: Connection) -> list[StudyUse]:
    return stored_data.studies_of(connection, request.account.workspaces)


def _study(study: StudyUse) -> JsonObject:
    return {
        "id": study.id,
        "kind": "collection" if study.is_collection else "batch",
        "name": study.name,
        "created_at": timestamp(study.created_at),
        "last_used_at": timestamp(study.last_used_at),
        "records": study.records,
        "participants": study.participants,
        "answers": study.answers,
    }


def _record(record: DeletionRecord) -> JsonObject:
    return {
        "participant_digest": record.digest,
        "study_id": record.study_id,
        "deleted_at": timestamp(record.deleted_at),
        "studies": record.studies,
        "participants": record.participants,
        "answers": record.answers,
        "files": record.files,
    }
