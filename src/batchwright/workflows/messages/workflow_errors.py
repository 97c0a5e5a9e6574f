"""Messages for workflows that failed or ended early."""

from collections.abc import Sequence

from batchwright.base.i18n import N_, _, ngettext
from batchwright.client.connection_pool import NotSignedIn
from batchwright.client.dataset_schemas import SchemaDiffers
from batchwright.client.errors import ChangedMeanwhile, StepFailed
from batchwright.client.job_monitoring.connection_jobs import JobUnreachable, NotStarted
from batchwright.client.job_monitoring.monitors import PollFailure
from batchwright.client.job_monitoring.status import JobKind
from batchwright.layout.editing.selection import EditRejected
from batchwright.workflows.answers.download_answer_file import FileNotInExport
from batchwright.workflows.answers.download_results import ExportFailed
from batchwright.workflows.answers.download_verified import SpreadsheetSafetyFailed
from batchwright.workflows.check_account import WorkspaceNotAccessible
from batchwright.workflows.data.change_schema import MigrationFailed
from batchwright.workflows.data.create_dataset import DatasetCreationUnknown
from batchwright.workflows.data.upload_dataset import ImportFailed, ImportIncomplete
from batchwright.workflows.data.upload_v3_dataset import V3ReadFailed
from batchwright.workflows.image_errors import ImageProblem, ImageUnavailable
from batchwright.workflows.messages.message import Message, describe, register
from batchwright.workflows.publishing.open_as_study import LegacyBatch
from batchwright.workflows.publishing.set_up import SetupFailed
from batchwright.workflows.publishing.sync import SyncFailed, V3NotSynced
from batchwright.workflows.rehearsal.create_test_participant import ParticipantCreationUnknown
from batchwright.workflows.send_feedback import FileRejected

_SHOWN_REJECTIONS = 10

_IMAGE_PROBLEMS = {
    ImageProblem.NOT_HTTPS: (
        N_("The address of the image leads to a page without https."),
        N_("Use an https address."),
    ),
    ImageProblem.PRIVATE: (
        N_("The address of the image is on this computer or in a private network, so it is not requested."),
        N_("Use an address that participants can reach."),
    ),
    ImageProblem.NOT_FOUND: (N_("There is no image at this address."), N_("Check the address.")),
    ImageProblem.NO_RESPONSE: (
        N_("The server of the image did not respond."),
        N_("Check the network, then try again."),
    ),
    ImageProblem.UNTRUSTED: (
        N_("The certificate of the image's server is not trusted."),
        N_("If this network requires signing in, do that in a browser first."),
    ),
    ImageProblem.REFUSED: (
        N_("The server did not send the image."),
        N_("Try again later, or open it in the browser."),
    ),
    ImageProblem.TOO_LARGE: (
        N_("The image is too large to be shown here."),
        N_("Open it in the browser."),
    ),
    ImageProblem.TOO_SLOW: (
        N_("Showing this image would take too long: it is stored in too many parts."),
        N_("Save it again in an image editor, or open it in the browser."),
    ),
    ImageProblem.NOT_AN_IMAGE: (
        N_("This is not an image, or it is damaged. PNG, JPEG, GIF and WebP are shown here."),
        N_("Open it in the browser."),
    ),
}
"""What happened, and what to do."""


@register
def _dataset_unknown(error: DatasetCreationUnknown) -> Message:
    return Message(
        _(
            "The response was lost when the dataset {name} was created. An empty dataset may remain; it has "
            "no effect and no cost."
        ).format(name=error),
        _("Try again to create another dataset."),
    )


@register
def _not_imported(error: ImportFailed) -> Message:
    return Message(
        _("The file was not imported: {reason}").format(reason=error),
        _("Fix the file, check it with `batchwright-cli check-data`, and send it again."),
    )


@register
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


@register
def _not_complete(error: ImportIncomplete) -> Message:
    job = error.job
    rejected, accepted = job.rejected_count or 0, job.accepted_count or 0
    if not rejected + accepted:
        return Message(
            _("The file contains no records, so there is nothing to ask about."),
            _("Add records, then send it again."),
        )
    rejections = [
        _rejection(rejection.record_index, error.lines).format(field=rejection.field, reason=rejection.reason)
        for rejection in (job.errors or ())[:_SHOWN_REJECTIONS]
        if rejection.record_index is not None
    ]
    what = ngettext(
        "The service rejected {rejected} of {all} record; it creates tasks only if every record of the file "
        "is accepted.",
        "The service rejected {rejected} of {all} records; it creates tasks only if every record of the file "
        "is accepted.",
        rejected + accepted,
    ).format(rejected=rejected, all=rejected + accepted)
    return Message(
        "\n".join([what, *rejections]),
        _(
            "Fix or remove these records (`batchwright-cli check-data` lists them all), then send the file "
            "again."
        ),
    )


def _rejection(record: int, lines: Sequence[int]) -> str:
    """A template for a rejection, with the line of its record, or else with its number."""
    if record < len(lines):
        return _("line {line}, {{field}}: {{reason}}").format(line=lines[record])
    return _("record {number}, {{field}}: {{reason}}").format(number=record + 1)


@register
def _not_set_up(error: SetupFailed) -> Message:
    what = _("The tasks could not be created (status {status}).").format(status=error)
    return Message(_with_reason(what, error.reason), _("Set up again."))


@register
def _not_synced(error: SyncFailed) -> Message:
    return Message(
        _("No tasks could be created for the appended records: {reason}").format(reason=error),
        _("Sync again."),
    )


@register
def _v3_not_synced(error: V3NotSynced) -> Message:
    return Message(
        _("The service does not sync a batch with a V3 dataset: {reason}").format(reason=error),
        _("To create tasks for other records, upload them as a dataset and create another batch."),
    )


@register
def _not_migrated(error: MigrationFailed) -> Message:
    return Message(
        _("The records could not be migrated to the new schema and are unchanged: {reason}").format(
            reason=error
        ),
        _("Fix the schema, and change it again."),
    )


@register
def _not_read(error: V3ReadFailed) -> Message:
    return Message(
        _("The file was not read: {reason}").format(reason=error),
        _("Fix the file, and send it again."),
    )


@register
def _not_exported(error: ExportFailed) -> Message:
    what = _("The export could not be created (status {status}).").format(status=error)
    return Message(_with_reason(what, error.reason), _("Request it again."))


@register
def _not_in_export(_error: FileNotInExport) -> Message:
    return Message(
        _("The export does not contain this file: it was created before the file was uploaded."),
        _("The service creates an export only once. Ask its provider for the file."),
    )


def _with_reason(what: str, reason: str) -> str:
    return f"{what} {reason}" if reason else what


@register
def _not_safe(error: SpreadsheetSafetyFailed) -> Message:
    return Message(
        _("{name} could not be made safe for spreadsheets: it is not a table.").format(name=error),
        _(
            "Nothing was saved. To save the report as the service wrote it, switch off “Safe for "
            "spreadsheets”. Do not open that file in a spreadsheet."
        ),
    )


@register
def _schema_differs(error: SchemaDiffers) -> Message:
    return Message(
        _("The dataset has another schema than “{name}”, so nothing was sent.").format(name=error),
        _("In Data, change the schema of the dataset, or upload the data again. Then try again."),
    )


@register
def _changed_meanwhile(error: ChangedMeanwhile) -> Message:
    return Message(
        _(
            "{what} changed at the service after you opened this. Nothing was sent now; an earlier attempt "
            "may have arrived."
        ).format(what=error),
        _("Refresh, then decide again."),
    )


@register
def _legacy_batch(_error: LegacyBatch) -> Message:
    return Message(
        _("This batch was created without a layout, so there is nothing to edit here."),
        _("Create a new study, and a batch from it."),
    )


@register
def _job_unreachable(error: JobUnreachable) -> Message:
    if error.poll_failure is PollFailure.SIGNED_OUT:
        return Message(
            _("The token is no longer accepted. The job continues at the service."),
            _("Enter a valid token, then refresh."),
        )
    if error.poll_failure is PollFailure.NOT_STORED:
        return Message(
            _("The job's state cannot be stored on this computer. The job continues at the service."),
            _("Free some disk space, then refresh."),
        )
    if error.poll_failure is PollFailure.REFUSED:
        return Message(
            _("The service or the network denies access to the job. The job continues at the service."),
            _(
                "Sign in to the network if it requires that, check that you have access to the "
                "workspace, then refresh."
            ),
        )
    if error.poll_failure is PollFailure.RATE_LIMITED:
        return Message(
            _("The service is busy and asked to wait. The job continues there."),
            _("Refresh in a few minutes."),
        )
    return Message(
        _("The service cannot be reached. The job continues there."),
        _("Check the network, then refresh."),
    )


@register
def _step_failed(error: StepFailed) -> Message:
    cause = describe(error.cause)
    return Message(
        _("{step} has stopped: {what}").format(step=error.step, what=cause.what),
        _("{remedy} Retry: completed steps are not repeated.").format(remedy=cause.remedy),
        is_bug=cause.is_bug,
        help_address=cause.help_address,
    )


@register
def _no_workspace(error: WorkspaceNotAccessible) -> Message:
    return Message(
        _("The token has no access to this workspace: {reason}").format(reason=error),
        _("Check the workspace id, or ask its owner for access."),
    )


@register
def _not_signed_in(error: NotSignedIn) -> Message:
    return Message(
        _("{connection} needs a token.").format(connection=error.connection),
        _("Sign in under Home, Connections, or work on this computer."),
    )


@register
def _participant_unknown(error: ParticipantCreationUnknown) -> Message:
    return Message(
        _("The response was lost, so it is not known whether {email} now has a test participant.").format(
            email=error.email
        ),
        _(
            "Try again. If the address is already in use, the participant was created; use another"
            " address to create one whose id you can see."
        ),
    )


@register
def _file_rejected(error: FileRejected) -> Message:
    return Message(str(error), _("Choose another file."))


@register
def _edit_rejected(error: EditRejected) -> Message:
    return Message(str(error), "")


@register
def _image_unavailable(error: ImageUnavailable) -> Message:
    what, remedy = _IMAGE_PROBLEMS[error.problem]
    return Message(_(what), _(remedy))
