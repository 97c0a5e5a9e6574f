"""The texts of a dataset operation: status, message, what to do, and the label of a button."""

from dataclasses import dataclass, replace

from batchwright.base.i18n import _, ngettext
from batchwright.ui.connections.labels import at_connection_phrase, connection_phrase
from batchwright.ui.core.authentication import outage_text
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import abbreviated_id, number, records, transfer_progress
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_operations import (
    AppendOperation,
    CreateOperation,
    DatasetOperation,
    FileTransfer,
    ImportFileOperation,
    RecordsToAppend,
    SchemaChangeOperation,
    UploadOperation,
    UploadStep,
    V3UploadOperation,
)
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.statuses import Status, status_of
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.wire.migrations import MigrationJob, MigrationStatus


@dataclass(frozen=True)
class OperationText:
    """The texts of an operation; `action` is the label of a button, empty for none."""

    title: str
    status: Status
    text: str
    remedy: str = ""
    action: str = ""
    accepted: int = 0
    rejected: int = 0
    stop_label: str = ""
    """Label of the button that stops it; empty for the default."""
    dataset_id: str = ""
    """The id of the dataset that can be copied; empty for none."""


STATUSES = {
    OperationState.QUEUED: statuses.QUEUED,
    OperationState.RUNNING: statuses.PROCESSING,
    OperationState.WAITING: statuses.RATE_LIMITED,
    OperationState.OFFLINE: statuses.OFFLINE,
    OperationState.NEEDS_SIGN_IN: statuses.FAILED,
    OperationState.SUCCEEDED: statuses.COMPLETE,
    OperationState.FAILED: statuses.FAILED,
    OperationState.CANCELLED: statuses.STOPPED,
}

_STEPS = {
    UploadStep.CONNECTING: statuses.QUEUED,
    UploadStep.PREPARING: statuses.PROCESSING,
    UploadStep.SENDING: statuses.UPLOADING,
}


def status_text(operation: DatasetOperation) -> OperationText:
    """The texts for the state of an operation."""
    match operation:
        case AppendOperation():
            line = _append_text(operation)
        case SchemaChangeOperation():
            line = _change_text(operation)
        case V3UploadOperation():
            line = _v3_text(operation)
        case CreateOperation():
            line = _create_text(operation)
        case ImportFileOperation():
            line = _import_text(operation)
        case UploadOperation():
            line = _upload_text(operation)
        case _:
            line = OperationText("", _status(operation), "")
    if isinstance(operation, UploadOperation) and operation.is_v4_disabled:
        return replace(line, remedy=operation.error.remedy if operation.error else "")
    if operation.is_connecting:
        text = _("Connecting to {connection}")
        return replace(line, text=text.format(connection=connection_phrase(operation.connection_title)))
    if operation.state is OperationState.OFFLINE:
        return replace(line, text=outage_text(operation.connection))
    return line if operation.error is None else _error_text(line, operation.error)


def progress_sentence(operation: DatasetOperation) -> str:
    """What a running operation does, in a sentence."""
    match operation:
        case AppendOperation(source=RecordsToAppend(records=count)):
            text = _("Appending {records} to the dataset {there}.")
            return text.format(records=records(count), there=at_connection_phrase(operation.connection_title))
        case V3UploadOperation():
            text = _("Sending {name} to {connection} as a V3 dataset.")
            return text.format(
                name=operation.path.name, connection=connection_phrase(operation.connection_title)
            )
        case CreateOperation():
            return _("Creating the dataset “{name}”.").format(name=operation.name)
        case ImportFileOperation():
            return _("Importing {name} into the dataset {there}.").format(
                name=operation.path.name, there=at_connection_phrase(operation.connection_title)
            )
        case SchemaChangeOperation():
            return _("Changing the schema of the dataset {there}.").format(
                there=at_connection_phrase(operation.connection_title)
            )
    return ""


def result_text(operation: DatasetOperation) -> tuple[str, str]:
    """The result of an operation: a title and a line."""
    match operation:
        case AppendOperation(source=RecordsToAppend(path=path)):
            return _("{records} appended").format(records=records(operation.accepted)), path.name
        case V3UploadOperation(path=path):
            return _("V3 dataset ready"), path.name
        case CreateOperation():
            return _("Dataset created"), operation.name
        case ImportFileOperation():
            return _("File imported"), status_text(operation).text
    return _("Schema changed"), status_text(operation).text


def _status(operation: DatasetOperation) -> Status:
    return statuses.QUEUED if operation.is_connecting else STATUSES[operation.state]


def _error_text(line: OperationText, error: TaskMessage) -> OperationText:
    return replace(line, text=error.what, remedy=f"{error.remedy} {line.remedy}".strip())


def _change_text(operation: SchemaChangeOperation) -> OperationText:
    text, action, status, diff = operation.text, "", _status(operation), operation.diff
    version = number(diff.version)
    match operation.state:
        case OperationState.RUNNING if not text:
            text = _("Version {version} saved; migrating records").format(version=version)
        case OperationState.SUCCEEDED if operation.migration is not None:
            text = _migration_text(operation.migration, version)
            is_partial = operation.migration.status == MigrationStatus.PARTIAL
            status = statuses.PARTIAL if is_partial else status
            action = _("Show cleared values") if operation.cleared_values else ""
        case OperationState.SUCCEEDED if operation.released:
            text = " ".join(map(import_result_text, operation.released))
        case OperationState.SUCCEEDED if not text:
            text = _("Version {version} saved; nothing had to be migrated.").format(version=version)
        case OperationState.CANCELLED:
            text = _("No longer monitored. The migration continues: see Jobs.")
    return OperationText(_("Schema"), status, text, action=action, stop_label=_("Stop monitoring"))


def import_result_text(job: ImportJob) -> str:
    """The result of an import, with the name of its file."""
    name, accepted, rejected = job.filename or job.import_id, job.accepted_count or 0, job.rejected_count or 0
    if job.status == ImportStatus.PENDING_SCHEMA:
        return _("{name} was received, and waits until the dataset has a schema.").format(name=name)
    if job.status == ImportStatus.FAILED:
        reason = job.reason or _("the service gave no reason")
        return _("{name} could not be imported: {reason}").format(name=name, reason=reason)
    text = _("{name}: {accepted} accepted, {rejected} rejected.")
    return text.format(name=name, accepted=number(accepted), rejected=number(rejected))


def _create_text(operation: CreateOperation) -> OperationText:
    text = ""
    match operation.state:
        case OperationState.RUNNING:
            text = operation.title
        case OperationState.SUCCEEDED:
            text = _("“{name}” has no schema yet. Files can be imported already; they wait for the schema.")
            text = text.format(name=operation.name)
        case OperationState.CANCELLED:
            text = _("Stopped.")
    return OperationText(_("Dataset"), _status(operation), text)


def _import_text(operation: ImportFileOperation) -> OperationText:
    text, status = "", _status(operation)
    match operation.state:
        case OperationState.RUNNING if operation.status:
            text = _("The service is reading {name}").format(name=operation.path.name)
        case OperationState.RUNNING:
            text = _sending_text(operation)
        case OperationState.SUCCEEDED if operation.job is not None:
            text = import_result_text(operation.job)
            status = status_of(statuses.IMPORT, operation.job.status)
        case OperationState.CANCELLED if operation.status:
            text = _("No longer monitored. The file was received, and its import continues: see Jobs.")
        case OperationState.CANCELLED:
            text = _("Stopped. Nothing was kept.")
    stop = _("Stop monitoring") if operation.status else ""
    return OperationText(_("Import"), status, text, stop_label=stop)


def _v3_text(operation: V3UploadOperation) -> OperationText:
    text = ""
    match operation.state:
        case OperationState.RUNNING if operation.status:
            text = _("The service is reading {name}").format(name=operation.path.name)
        case OperationState.RUNNING:
            text = _sending_text(operation)
        case OperationState.SUCCEEDED:
            text = _("{name} is a V3 dataset: it has no schema, and records cannot be appended to it.")
            text = text.format(name=operation.path.name)
        case OperationState.CANCELLED if operation.status:
            text = _("No longer monitored. The file was received and is being read: see Jobs.")
        case OperationState.CANCELLED:
            text = _("Stopped. Nothing was kept.")
    is_known = operation.status and operation.state in (OperationState.RUNNING, OperationState.SUCCEEDED)
    status = status_of(statuses.BATCH, operation.status) if is_known else _status(operation)
    return OperationText(
        _("V3 dataset"), status, text, stop_label=_("Stop monitoring") if operation.status else ""
    )


def _sending_text(operation: FileTransfer) -> str:
    if not operation.total:
        return _("Starting")
    return transfer_progress(operation.done, operation.total, operation.rate)


def _upload_text(upload: UploadOperation) -> OperationText:
    text, job = "", upload.job
    is_in_import = upload.step is UploadStep.IMPORTING and upload.state is not OperationState.OFFLINE
    match upload.state:
        case OperationState.RUNNING:
            text = _running_upload_text(upload)
        case OperationState.SUCCEEDED if upload.has_count_mismatch:
            text = _("{count} sent. Check the dataset before you use it.")
            text = text.format(count=records(upload.source.records))
        case OperationState.SUCCEEDED:
            there = at_connection_phrase(upload.connection_title)
            text = _("Dataset {id} {there}").format(id=abbreviated_id(upload.dataset_id), there=there)
        case OperationState.CANCELLED if upload.import_id:
            text = _("No longer monitored. The file was received, and its import continues: see Jobs.")
        case OperationState.CANCELLED:
            text = _("Stopped. Nothing was kept.")
        case OperationState.FAILED if upload.is_v4_disabled:
            text = _("This workspace has no V4 datasets. Send the file as a V3 dataset instead.")
    return OperationText(
        _("Upload"),
        _upload_status(upload),
        text,
        action=_("Send as a V3 dataset") if upload.is_v4_disabled else "",
        accepted=(job.accepted_count or 0) if job else 0,
        rejected=(job.rejected_count or 0) if job else 0,
        stop_label=_("Stop monitoring") if is_in_import else "",
        dataset_id=upload.dataset_id if upload.state is OperationState.SUCCEEDED else "",
    )


def _running_upload_text(upload: UploadOperation) -> str:
    if upload.step is UploadStep.PREPARING:
        return _("Preparing the accepted records for upload")
    if upload.step is UploadStep.SENDING:
        return _sending_text(upload)
    if upload.is_late:
        return _("The file was sent, but the service has not started to read it. Still waiting.")
    if upload.status == ImportStatus.UNINITIALISED:
        return _("The file was sent. Waiting for the service to start reading it")
    return _("The service is reading the records")


def _upload_status(upload: UploadOperation) -> Status:
    """The state of the upload; while the service imports the file and afterwards, that of the import."""
    if upload.has_count_mismatch:
        return statuses.VERIFICATION_FAILED
    if upload.state is OperationState.CANCELLED:
        return statuses.CANCELLED
    if upload.state not in (OperationState.QUEUED, OperationState.RUNNING, OperationState.SUCCEEDED):
        return STATUSES[upload.state]
    return _STEPS.get(upload.step) or status_of(statuses.IMPORT, upload.status or "queued")


def _migration_text(job: MigrationJob, version: str) -> str:
    done, failed = job.reprocessed_count or 0, job.failed_count or 0
    if not failed:
        text = _("{records} migrated to version {version}. No value was cleared.")
        return text.format(records=records(done), version=version)
    text = ngettext(
        "{failed} of {all} has values that did not fit and were cleared.",
        "{failed} of {all} have values that did not fit and were cleared.",
        failed,
    )
    return text.format(failed=number(failed), all=records(done + failed))


def _append_text(operation: AppendOperation) -> OperationText:
    done, total = operation.accepted + operation.rejected, operation.source.records
    text, remedy, action = "", "", ""
    match operation.state:
        case OperationState.RUNNING:
            text = _("{done} of {all} sent").format(done=number(done), all=records(total))
        case OperationState.WAITING:
            text = _("The dataset is being written to. This continues automatically.")
        case OperationState.SUCCEEDED if operation.has_count_mismatch:
            text = _("{count} sent. Check the dataset before you use it.")
            text = text.format(count=records(total))
        case OperationState.SUCCEEDED:
            text = _("Sync in Run to create new tasks; with auto-sync they are created automatically.")
            action = _("Go to Run")
        case OperationState.CANCELLED:
            text = _("Stopped after {done} of {all}. Append again to continue from there.")
            text = text.format(done=number(done), all=records(total))
        case OperationState.FAILED | OperationState.NEEDS_SIGN_IN if done:
            remedy = _("Append again to continue after {records}.").format(records=records(done))
    return OperationText(
        _("Append"), _append_status(operation), text, remedy, action, operation.accepted, operation.rejected
    )


def _append_status(operation: AppendOperation) -> Status:
    if operation.state is OperationState.SUCCEEDED and operation.has_count_mismatch:
        return statuses.VERIFICATION_FAILED
    return (
        statuses.PARTIAL
        if operation.state is OperationState.SUCCEEDED and operation.rejected
        else _status(operation)
    )
