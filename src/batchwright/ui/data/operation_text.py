"""What a deed says of itself in one line: a status, a sentence, what to do, and a way on."""

from dataclasses import dataclass, replace

from batchwright.base.i18n import _, ngettext
from batchwright.ui.connections.authentication import outage_text
from batchwright.ui.connections.labels import at_connection_phrase, connection_phrase
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import number, records, size
from batchwright.ui.data.appending import AppendOperation, RecordsToAppend
from batchwright.ui.data.operations import DatasetOperation, OperationState
from batchwright.ui.data.schema_changing import SchemaChangeOperation
from batchwright.ui.data.upload_v3 import V3UploadOperation
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.statuses import Status, status_of
from batchwright.wire.migrations import MigrationJob, MigrationStatus


@dataclass(frozen=True)
class StatusLineText:
    """A deed in words; `way` is what the button behind it is called, empty for none."""

    title: str
    status: Status
    says: str
    remedy: str = ""
    way: str = ""
    accepted: int = 0
    rejected: int = 0
    stop: str = ""
    """What the button that stops it is called; empty for the usual word."""


PACES = {
    OperationState.CONNECTING: statuses.QUEUED,
    OperationState.GOING: statuses.PROCESSING,
    OperationState.WAITING: statuses.TOLD_TO_WAIT,
    OperationState.OFFLINE: statuses.OFFLINE,
    OperationState.ENDED: statuses.COMPLETE,
    OperationState.FAILED: statuses.FAILED,
    OperationState.STOPPED: statuses.STOPPED,
}


def status_text(deed: DatasetOperation) -> StatusLineText:
    """How a deed stands, in words."""
    match deed:
        case AppendOperation():
            line = _append_line(deed)
        case SchemaChangeOperation():
            line = _change_line(deed)
        case V3UploadOperation():
            line = _v3_line(deed)
        case _:
            line = StatusLineText("", PACES[deed.pace], "")
    if deed.pace is OperationState.OFFLINE:
        return replace(line, says=outage_text(deed.connection))
    return line if deed.fault is None else _faulty(line, deed.fault)


def progress_sentence(deed: DatasetOperation) -> str:
    """What is being done, in a sentence."""
    match deed:
        case AppendOperation(load=RecordsToAppend(records=count)):
            sentence = _("Appending {records} to the dataset {there}.")
            return sentence.format(records=records(count), there=at_connection_phrase(deed.title))
        case V3UploadOperation():
            sentence = _("Sending {name} to {connection} as a V3 dataset.")
            return sentence.format(name=deed.path.name, connection=connection_phrase(deed.title))
        case SchemaChangeOperation():
            return _("Changing the schema of the dataset {there}.").format(
                there=at_connection_phrase(deed.title)
            )
    return ""


def short_progress_text(deed: DatasetOperation) -> str:
    """What is being done, in a few words."""
    match deed:
        case AppendOperation(load=RecordsToAppend(path=path)):
            return _("Appending {name}").format(name=path.name)
        case V3UploadOperation(path=path):
            return _("Sending {name}").format(name=path.name)
    return _("Changing the dataset's schema")


def result_text(deed: DatasetOperation) -> tuple[str, str]:
    """What came of one that has ended: a title, and one line about it."""
    match deed:
        case AppendOperation(load=RecordsToAppend(path=path)):
            return _("{records} appended").format(records=records(deed.accepted)), path.name
        case V3UploadOperation(path=path):
            return _("V3 dataset ready"), path.name
    return _("Schema changed"), status_text(deed).says


def _faulty(line: StatusLineText, fault: TaskMessage) -> StatusLineText:
    return replace(line, says=fault.what, remedy=f"{fault.remedy} {line.remedy}".strip())


def _change_line(deed: SchemaChangeOperation) -> StatusLineText:
    says, way, status, planned = deed.said, "", PACES[deed.pace], deed.plan
    version = number(planned.version) if planned else ""
    match deed.pace:
        case OperationState.CONNECTING:
            says = _("Reaching {connection}").format(connection=connection_phrase(deed.title))
        case OperationState.GOING if not says:
            says = _("Version {version} is written, and the records are brought to it").format(
                version=version
            )
        case OperationState.ENDED if deed.migration is not None:
            says = _migrated(deed.migration, version)
            is_partial = deed.migration.status == MigrationStatus.PARTIAL
            status = statuses.PARTIAL if is_partial else status
            way = _("Show emptied values") if deed.nulled else ""
        case OperationState.ENDED if not says:
            says = _("Version {version} is written; nothing had to be migrated.").format(version=version)
        case OperationState.STOPPED:
            says = _("Not watched any more. What was begun goes on: see Jobs.")
    return StatusLineText(_("Schema"), status, says, way=way, stop=_("Stop watching"))


def _v3_line(deed: V3UploadOperation) -> StatusLineText:
    says = ""
    match deed.pace:
        case OperationState.CONNECTING:
            says = _("Reaching {connection}").format(connection=connection_phrase(deed.title))
        case OperationState.GOING if deed.state:
            says = _("The service reads {name}").format(name=deed.path.name)
        case OperationState.GOING:
            says = _("{done} of {all}").format(done=size(deed.done), all=size(deed.total))
        case OperationState.ENDED:
            says = _("{name} is a V3 dataset: without a schema, and nothing can be appended to it.")
            says = says.format(name=deed.path.name)
        case OperationState.STOPPED if deed.state:
            says = _("Not watched any more. The file has arrived, and is being read: see Jobs.")
        case OperationState.STOPPED:
            says = _("Stopped. Nothing of it is in use.")
    is_known = deed.state and deed.pace in (OperationState.GOING, OperationState.ENDED)
    status = status_of(statuses.BATCH, deed.state) if is_known else PACES[deed.pace]
    return StatusLineText(_("V3 dataset"), status, says, stop=_("Stop watching") if deed.state else "")


def _migrated(job: MigrationJob, version: str) -> str:
    done, failed = job.reprocessed_count or 0, job.failed_count or 0
    if not failed:
        said = _("{records} brought to version {version}. Every value fits, and none was emptied.")
        return said.format(records=records(done), version=version)
    said = ngettext(
        "{failed} of {all} has values that did not fit and are empty now.",
        "{failed} of {all} have values that did not fit and are empty now.",
        failed,
    )
    return said.format(failed=number(failed), all=records(done + failed))


def _append_line(deed: AppendOperation) -> StatusLineText:
    done, whole = deed.accepted + deed.rejected, deed.load.records if deed.load else 0
    says, remedy, way = "", "", ""
    match deed.pace:
        case OperationState.CONNECTING:
            says = _("Reaching {connection}").format(connection=connection_phrase(deed.title))
        case OperationState.GOING:
            says = _("{done} of {all} sent").format(done=number(done), all=records(whole))
        case OperationState.WAITING:
            says = _("The dataset is being written to. This goes on by itself.")
        case OperationState.ENDED if deed.is_miscounted:
            says = _("{count} sent. Look at the dataset before you use it.")
            says = says.format(count=records(whole))
        case OperationState.ENDED:
            says = _("New tasks come by syncing in Run; with auto-sync they come by themselves.")
            way = _("Go to Run")
        case OperationState.STOPPED:
            says = _("Stopped after {done} of {all}. Append again to go on from there.")
            says = says.format(done=number(done), all=records(whole))
        case OperationState.FAILED if done:
            remedy = _("Append again to go on after {records}.").format(records=records(done))
    return StatusLineText(_("Append"), _append_status(deed), says, remedy, way, deed.accepted, deed.rejected)


def _append_status(deed: AppendOperation) -> Status:
    if deed.pace is OperationState.ENDED and deed.is_miscounted:
        return statuses.DOES_NOT_ADD_UP
    return statuses.PARTIAL if deed.pace is OperationState.ENDED and deed.rejected else PACES[deed.pace]
