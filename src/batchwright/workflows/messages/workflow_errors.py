"""Words for work that did not come to the end that was meant."""

from batchwright.base.i18n import _
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable, NotStarted
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.step_errors import StepFailed
from batchwright.layout.selection import EditRejected
from batchwright.workflows.change_schema import MigrationFailed
from batchwright.workflows.changed_meanwhile import ChangedMeanwhile
from batchwright.workflows.create_dataset import DatasetCreationUnknown
from batchwright.workflows.create_test_participant import ParticipantCreationUnknown
from batchwright.workflows.dataset_schemas import SchemaDiffers
from batchwright.workflows.download_results import ExportFailed
from batchwright.workflows.download_verified import NotSafe
from batchwright.workflows.messages.message import Message, describe
from batchwright.workflows.send_feedback import FileRejected
from batchwright.workflows.set_up import SetupFailed
from batchwright.workflows.sign_in import WorkspaceNotAccessible
from batchwright.workflows.study_from_batch import LegacyBatch
from batchwright.workflows.sync import SyncFailed, V3NotSynced
from batchwright.workflows.upload_dataset import ImportFailed, ImportIncomplete
from batchwright.workflows.upload_v3_dataset import V3ReadFailed

_SHOWN_REJECTIONS = 10


@describe.register
def _perhaps_a_dataset(error: DatasetCreationUnknown) -> Message:
    return Message(
        _(
            "The answer was lost when the dataset {name} was made. An empty one may be left behind; it "
            "changes nothing and costs nothing."
        ).format(name=error),
        _("Try again: another dataset is made then."),
    )


@describe.register
def _not_imported(error: ImportFailed) -> Message:
    return Message(
        _("The file was not imported: {reason}").format(reason=error),
        _("Mend the file, check it with `batchwright-cli check-data`, and send it again."),
    )


@describe.register
def _not_started(error: NotStarted) -> Message:
    if error.kind is JobKind.SETUP:
        return Message(
            _("The service accepted the setup and did not start it."),
            _("Set up again. If this repeats, check the proxy or network in between, and ask the provider."),
        )
    return Message(
        _("{name} was sent, and the service did not start to read it.").format(name=error),
        _("Upload again: the dataset is kept, and no second one is created."),
    )


@describe.register
def _not_complete(error: ImportIncomplete) -> Message:
    job = error.job
    rejected, accepted = job.rejected_count or 0, job.accepted_count or 0
    if not rejected + accepted:
        return Message(
            _("The file holds no records, so that there is nothing to ask about."),
            _("Add records, then send it again."),
        )
    sentence = _("record {number}, {field}: {reason}")
    named = [
        sentence.format(number=one.record_index + 1, field=one.field, reason=one.reason)
        for one in (job.errors or ())[:_SHOWN_REJECTIONS]
        if one.record_index is not None
    ]
    what = _(
        "The service rejected {rejected} of {all} records; it makes tasks only of a file of which it accepts "
        "every record."
    ).format(rejected=rejected, all=rejected + accepted)
    return Message(
        "\n".join([what, *named]),
        _(
            "Mend or remove these records (`batchwright-cli check-data` lists them all), then send the file "
            "again."
        ),
    )


@describe.register
def _not_set_up(error: SetupFailed) -> Message:
    what = _("The tasks could not be made (status {status}).").format(status=error)
    return Message(_with_reason(what, error.reason), _("Set up again."))


@describe.register
def _not_synced(error: SyncFailed) -> Message:
    return Message(
        _("No tasks could be made of what was appended: {reason}").format(reason=error), _("Sync again.")
    )


@describe.register
def _v3_not_synced(error: V3NotSynced) -> Message:
    return Message(
        _("The service does not sync a batch with a V3 dataset: {reason}").format(reason=error),
        _("To create tasks of other records, upload them as a dataset, and create another batch."),
    )


@describe.register
def _not_migrated(error: MigrationFailed) -> Message:
    return Message(
        _("The records could not be brought to the new schema and stay as they were: {reason}").format(
            reason=error
        ),
        _("Mend the schema, and change it again."),
    )


@describe.register
def _not_read(error: V3ReadFailed) -> Message:
    return Message(
        _("The file was not read: {reason}").format(reason=error),
        _("Mend the file, and send it again."),
    )


@describe.register
def _not_exported(error: ExportFailed) -> Message:
    what = _("The export could not be made (status {status}).").format(status=error)
    return Message(_with_reason(what, error.reason), _("Ask for it again."))


def _with_reason(what: str, reason: str) -> str:
    return f"{what} {reason}" if reason else what


@describe.register
def _not_safe(error: NotSafe) -> Message:
    return Message(
        _("{name} could not be made safe for spreadsheets: it is not a table.").format(name=error),
        _("The report was saved as the service wrote it. Do not open it in a spreadsheet."),
    )


@describe.register
def _schema_differs(error: SchemaDiffers) -> Message:
    return Message(
        _("The dataset has another schema than “{name}”, so nothing was sent.").format(name=error),
        _("In Data, change the schema of the dataset, or upload the data again. Then try again."),
    )


@describe.register
def _changed_meanwhile(error: ChangedMeanwhile) -> Message:
    return Message(
        _(
            "{what} changed at the service after you opened this. Nothing was sent now; an earlier attempt "
            "may have arrived."
        ).format(what=error),
        _("Look at what is there now, then decide again."),
    )


@describe.register
def _legacy_batch(error: LegacyBatch) -> Message:
    return Message(
        _("This batch was made without a layout, so that there is nothing to edit here."),
        _("Make a new study, and a batch of it."),
    )


@describe.register
def _lost_sight(error: JobUnreachable) -> Message:
    if error.weather is PollFailure.SIGNED_OUT:
        return Message(
            _("The token is not accepted any more. What was begun goes on at the service."),
            _("Give a token that is valid, then look again."),
        )
    if error.weather is PollFailure.CANNOT_KEEP:
        return Message(
            _("What was seen cannot be kept on this computer. What was begun goes on at the service."),
            _("Make room on the disk, then look again."),
        )
    if error.weather is PollFailure.REFUSED:
        return Message(
            _("The service or the network does not let you look. What was begun goes on at the service."),
            _(
                "Sign in to the network if it asks for that, see that you have access to the workspace, then "
                "look again."
            ),
        )
    if error.weather is PollFailure.TOLD_TO_WAIT:
        return Message(
            _("The service is busy and asked to wait. What was begun goes on there."),
            _("Look again in a few minutes."),
        )
    return Message(
        _("The service cannot be reached. What was begun goes on there."),
        _("Check the network, then look again."),
    )


@describe.register
def _stopped(error: StepFailed) -> Message:
    cause = describe(error.cause)
    return Message(
        _("{step} has stopped: {what}").format(step=error.step, what=cause.what),
        _("{remedy} Begin again: what was made already is not made twice.").format(remedy=cause.remedy),
        is_bug=cause.is_bug,
    )


@describe.register
def _no_workspace(error: WorkspaceNotAccessible) -> Message:
    return Message(
        _("The token does not reach this workspace: {reason}").format(reason=error),
        _("Check the workspace id, or ask its owner for access."),
    )


@describe.register
def _not_signed_in(error: NotSignedIn) -> Message:
    return Message(
        _("{connection} needs a token.").format(connection=error.connection),
        _("Sign in under Home, Connections, or work on this computer."),
    )


@describe.register
def _perhaps_made(error: ParticipantCreationUnknown) -> Message:
    return Message(
        _("The answer was lost, so it is not known whether {email} has a test participant now.").format(
            email=error.email
        ),
        _(
            "Try again. If the address is taken, one was made; take another address to get one whose id you "
            "see."
        ),
    )


@describe.register
def _not_sendable(error: FileRejected) -> Message:
    return Message(str(error), _("Choose another file."))


@describe.register
def _edit_refused(error: EditRejected) -> Message:
    return Message(str(error), "")
