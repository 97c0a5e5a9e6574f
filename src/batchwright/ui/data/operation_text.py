"""What a deed says of itself in one line: a status, a sentence, what to do, and a way on."""

from dataclasses import dataclass, replace

from batchwright.base.i18n import _, ngettext
from batchwright.ui.connections.authentication import outage_text
from batchwright.ui.connections.labels import at, named
from batchwright.ui.core.background_tasks import Message
from batchwright.ui.core.formatting import number, records, size
from batchwright.ui.data.appending import Appending, Rows
from batchwright.ui.data.operations import Deed, Pace
from batchwright.ui.data.schema_changing import Changing
from batchwright.ui.data.upload_v3 import SendingV3
from batchwright.ui.widgets import statuses
from batchwright.ui.widgets.statuses import Status, status_of
from batchwright.wire.migrations import MigrationJob, MigrationStatus


@dataclass(frozen=True)
class Line:
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
    Pace.CONNECTING: statuses.QUEUED,
    Pace.GOING: statuses.PROCESSING,
    Pace.WAITING: statuses.TOLD_TO_WAIT,
    Pace.OFFLINE: statuses.OFFLINE,
    Pace.ENDED: statuses.COMPLETE,
    Pace.FAILED: statuses.FAILED,
    Pace.STOPPED: statuses.STOPPED,
}


def line_of(deed: Deed) -> Line:
    """How a deed stands, in words."""
    match deed:
        case Appending():
            line = _append_line(deed)
        case Changing():
            line = _change_line(deed)
        case SendingV3():
            line = _v3_line(deed)
        case _:
            line = Line("", PACES[deed.pace], "")
    if deed.pace is Pace.OFFLINE:
        return replace(line, says=outage_text(deed.connection))
    return line if deed.fault is None else _faulty(line, deed.fault)


def going(deed: Deed) -> str:
    """What is being done, in a sentence."""
    match deed:
        case Appending(load=Rows(records=count)):
            sentence = _("Appending {records} to the dataset {there}.")
            return sentence.format(records=records(count), there=at(deed.title))
        case SendingV3():
            sentence = _("Sending {name} to {connection} as a V3 dataset.")
            return sentence.format(name=deed.path.name, connection=named(deed.title))
        case Changing():
            return _("Changing the schema of the dataset {there}.").format(there=at(deed.title))
    return ""


def briefly(deed: Deed) -> str:
    """What is being done, in a few words."""
    match deed:
        case Appending(load=Rows(path=path)):
            return _("Appending {name}").format(name=path.name)
        case SendingV3(path=path):
            return _("Sending {name}").format(name=path.name)
    return _("Changing the dataset's schema")


def outcome(deed: Deed) -> tuple[str, str]:
    """What came of one that has ended: a title, and one line about it."""
    match deed:
        case Appending(load=Rows(path=path)):
            return _("{records} appended").format(records=records(deed.accepted)), path.name
        case SendingV3(path=path):
            return _("V3 dataset ready"), path.name
    return _("Schema changed"), line_of(deed).says


def _faulty(line: Line, fault: Message) -> Line:
    return replace(line, says=fault.what, remedy=f"{fault.remedy} {line.remedy}".strip())


def _change_line(deed: Changing) -> Line:
    says, way, status, planned = deed.said, "", PACES[deed.pace], deed.plan
    version = number(planned.version) if planned else ""
    match deed.pace:
        case Pace.CONNECTING:
            says = _("Reaching {connection}").format(connection=named(deed.title))
        case Pace.GOING if not says:
            says = _("Version {version} is written, and the records are brought to it").format(
                version=version
            )
        case Pace.ENDED if deed.migration is not None:
            says = _migrated(deed.migration, version)
            is_partial = deed.migration.status == MigrationStatus.PARTIAL
            status = statuses.PARTIAL if is_partial else status
            way = _("Show emptied values") if deed.nulled else ""
        case Pace.ENDED if not says:
            says = _("Version {version} is written; nothing had to be migrated.").format(version=version)
        case Pace.STOPPED:
            says = _("Not watched any more. What was begun goes on: see Jobs.")
    return Line(_("Schema"), status, says, way=way, stop=_("Stop watching"))


def _v3_line(deed: SendingV3) -> Line:
    says = ""
    match deed.pace:
        case Pace.CONNECTING:
            says = _("Reaching {connection}").format(connection=named(deed.title))
        case Pace.GOING if deed.state:
            says = _("The service reads {name}").format(name=deed.path.name)
        case Pace.GOING:
            says = _("{done} of {all}").format(done=size(deed.done), all=size(deed.total))
        case Pace.ENDED:
            says = _("{name} is a V3 dataset: without a schema, and nothing can be appended to it.")
            says = says.format(name=deed.path.name)
        case Pace.STOPPED if deed.state:
            says = _("Not watched any more. The file has arrived, and is being read: see Jobs.")
        case Pace.STOPPED:
            says = _("Stopped. Nothing of it is in use.")
    is_known = deed.state and deed.pace in (Pace.GOING, Pace.ENDED)
    status = status_of(statuses.BATCH, deed.state) if is_known else PACES[deed.pace]
    return Line(_("V3 dataset"), status, says, stop=_("Stop watching") if deed.state else "")


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


def _append_line(deed: Appending) -> Line:
    done, whole = deed.accepted + deed.rejected, deed.load.records if deed.load else 0
    says, remedy, way = "", "", ""
    match deed.pace:
        case Pace.CONNECTING:
            says = _("Reaching {connection}").format(connection=named(deed.title))
        case Pace.GOING:
            says = _("{done} of {all} sent").format(done=number(done), all=records(whole))
        case Pace.WAITING:
            says = _("The dataset is being written to. This goes on by itself.")
        case Pace.ENDED if deed.is_miscounted:
            says = _("{count} sent. Look at the dataset before you use it.")
            says = says.format(count=records(whole))
        case Pace.ENDED:
            says = _("New tasks come by syncing in Run; with auto-sync they come by themselves.")
            way = _("Go to Run")
        case Pace.STOPPED:
            says = _("Stopped after {done} of {all}. Append again to go on from there.")
            says = says.format(done=number(done), all=records(whole))
        case Pace.FAILED if done:
            remedy = _("Append again to go on after {records}.").format(records=records(done))
    return Line(_("Append"), _append_status(deed), says, remedy, way, deed.accepted, deed.rejected)


def _append_status(deed: Appending) -> Status:
    if deed.pace is Pace.ENDED and deed.is_miscounted:
        return statuses.DOES_NOT_ADD_UP
    return statuses.PARTIAL if deed.pace is Pace.ENDED and deed.rejected else PACES[deed.pace]
