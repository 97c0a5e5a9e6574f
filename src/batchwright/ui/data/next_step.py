"""The header of the stage: the state of the data, the next step, and the button for it."""

from dataclasses import replace
from enum import Enum, auto

from batchwright.base.i18n import _, ngettext
from batchwright.data_files.checking import Report
from batchwright.data_files.formats import FormatKind
from batchwright.schema.parsing import schema_errors
from batchwright.ui.connections.labels import at_connection_phrase, connection_phrase
from batchwright.ui.core.authentication import outage_text
from batchwright.ui.core.formatting import number, records
from batchwright.ui.core.next_step import NextStep
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset.dataset_operations import UploadOperation, UploadStep
from batchwright.ui.data.dataset.interrupted_upload import RemainingWork
from batchwright.ui.data.dataset.operation_text import progress_sentence
from batchwright.ui.data.file.data_file import FileState
from batchwright.ui.data.state import DataState

_TWO = 2


class DataAction(Enum):
    """What the primary button does in the stage itself."""

    CHOOSE = auto()
    CHECK = auto()
    UPLOAD = auto()
    CONFIRM_MATCH = auto()
    """Confirm that the dataset was created from this data."""
    UPLOAD_V3 = auto()
    SHOW_REJECTION = auto()
    SEND_CORRECTED = auto()
    """Append the records that were corrected after the others were sent."""
    SHOW_STEPS = auto()
    """Show the steps of the preparation, one of which is being made or cannot be made."""
    PREPARE = auto()
    """Make the steps again, which was cancelled."""
    SET_ADDRESS = auto()
    """Ask where on the web the media of a folder are."""


def next_step(state: DataState) -> NextStep[DataAction]:
    """The next step for the current state."""
    if state.file.state is not FileState.SHOWN or state.file.preparation is not None:
        return _step_without_file(state)
    upload = state.dataset.upload_operation
    if upload is not None and upload.is_running:
        return _step_uploading(upload)
    operation = state.dataset.operation
    if operation is not None and operation.is_running:
        text = progress_sentence(operation)
        return NextStep(text, DataAction.UPLOAD, _("Upload"), "upload-simple", disabled_reason=text)
    if state.dataset.is_current and not state.import_rejections:
        return _step_dataset_ready(state) if state.dataset.remote.binding.is_filled else _step_uploaded(state)
    if (corrected := state.dataset.corrected_records) is not None and not state.import_rejections:
        return _step_corrected(corrected.records)
    if state.dataset.may_match_data:
        return _step_existing_dataset(state)
    if state.dataset.remaining_work is not RemainingWork.NOTHING:
        return _step_interrupted(state)
    if state.dataset.is_v4_disabled:
        text = _("This workspace has no V4 datasets. Next: send the file as a V3 dataset.")
        return NextStep(text, DataAction.UPLOAD_V3, _("Send as a V3 dataset"), "upload-simple")
    return _step_before_upload(state)


def _step_corrected(count: int) -> NextStep[DataAction]:
    text = ngettext(
        "{count} corrected record is not in the dataset yet. Next: send it.",
        "{count} corrected records are not in the dataset yet. Next: send them.",
        count,
    )
    button = ngettext("Send {count} corrected record", "Send {count} corrected records", count)
    shown = number(count)
    return NextStep(
        text.format(count=shown), DataAction.SEND_CORRECTED, button.format(count=shown), "list-plus"
    )


def _step_before_upload(state: DataState) -> NextStep[DataAction]:
    if state.dataset.needs_base_address:
        text = _("The files are on this computer only. Next: say where on the web participants find them.")
        return NextStep(text, DataAction.SET_ADDRESS, _("Set the address"), "link")
    if not state.study.schema or not state.study.schema.fields:
        text = _("No column is a field yet. Choose a type for at least one.")
        return NextStep(text, DataAction.UPLOAD, _("Upload"), "upload-simple", disabled_reason=text)
    if errors := schema_errors(state.study.schema):
        return NextStep(errors[0], DataAction.UPLOAD, _("Upload"), "upload-simple", disabled_reason=errors[0])
    return _step_checked(state)


def _step_without_file(state: DataState) -> NextStep[DataAction]:
    name = state.file.path.name if state.file.path else ""
    choose = _("Choose a file")
    if state.file.preparation is not None:
        text = _("Making the records of {name} by the steps.").format(name=name)
        return NextStep(text, DataAction.SHOW_STEPS, _("Show the steps"), "list-numbers")
    if state.file.state is FileState.READING:
        text = _("Reading {name}.").format(name=name)
        return NextStep(text, DataAction.CHOOSE, choose, "folder-open", disabled_reason=text)
    if state.file.state is FileState.CANCELLED:
        text = _("Making the steps was cancelled. Next: make them.")
        return NextStep(text, DataAction.PREPARE, _("Make the steps"), "list-numbers")
    if state.file.state is FileState.UNREADABLE and state.dataset.remote.binding.has_data:
        text = _("{name} cannot be read, but its records were sent. {step}")
        step = _step_dataset_ready(state)
        return replace(step, text=text.format(name=name, step=step.text))
    if state.has_step_problem:
        text = _(
            "A step of the preparation cannot be made. Next: change or move it, switch it off, or remove it."
        )
        return NextStep(text, DataAction.SHOW_STEPS, _("Show the steps"), "list-numbers")
    if state.file.state is FileState.UNREADABLE:
        text = _("{name} cannot be read. Choose another file, or fix this one.")
        return NextStep(text.format(name=name), DataAction.CHOOSE, choose, "folder-open")
    if elsewhere := state.dataset.sent_elsewhere:
        text = _("{elsewhere} Next: choose the data file, to upload it here.")
        return NextStep(text.format(elsewhere=elsewhere), DataAction.CHOOSE, choose, "folder-open")
    if state.dataset.remote.binding.has_data:
        return _step_dataset_ready(state)
    text = _("The data for the tasks: a table with one record per task.")
    return NextStep(text, DataAction.CHOOSE, choose, "folder-open")


def _step_uploading(upload: UploadOperation) -> NextStep[DataAction]:
    count, title = records(upload.source.records), upload.connection_title
    texts = {
        UploadStep.CONNECTING: _("Connecting to {place}."),
        UploadStep.PREPARING: _("Preparing {count} for upload."),
        UploadStep.SENDING: _("Sending {count} to {place}."),
        UploadStep.IMPORTING: _("{title} is importing {count}."),
    }
    text = texts[upload.step].format(count=count, title=title, place=connection_phrase(title))
    if upload.state is OperationState.OFFLINE:
        text = outage_text(upload.connection)
    button = _upload_label(upload.source.records, 0)
    return NextStep(text, DataAction.UPLOAD, button, "upload-simple", disabled_reason=text)


def _step_existing_dataset(state: DataState) -> NextStep[DataAction]:
    dataset = state.dataset.remote.dataset
    text = _("“{name}” has the same schema and number of records. Was it created from this file?")
    text = text.format(name=dataset.name if dataset else "")
    return NextStep(text, DataAction.CONFIRM_MATCH, _("Keep the dataset"), "check-circle-fill")


def _step_interrupted(state: DataState) -> NextStep[DataAction]:
    if state.dataset.remaining_work is RemainingWork.UNKNOWN:
        text = _("An upload was started before. Checking its progress.")
        return NextStep(text, DataAction.UPLOAD, _("Upload"), "upload-simple", disabled_reason=text)
    text = _("The upload was stopped before the file was received. Next: resume it.")
    return NextStep(text, DataAction.UPLOAD, _("Resume upload"), "upload-simple")


def _step_dataset_ready(state: DataState) -> NextStep[DataAction]:
    dataset, at_connection = (
        state.dataset.remote.dataset,
        at_connection_phrase(state.session.connection.title),
    )
    if dataset is None:
        return _step_after_data(state, _("The study has a dataset {here}.").format(here=at_connection))
    if dataset.is_v4:
        text = _("The study uses “{name}” with {records} {here}.")
        return _step_after_data(
            state,
            text.format(
                name=dataset.name, records=records(dataset.total_datapoint_count), here=at_connection
            ),
        )
    text = _(
        "“{name}” is a V3 dataset {here}. Pages cannot show it, a batch with instructions can. "
        "Next: continue to Run."
    ).format(name=dataset.name, here=at_connection)
    return NextStep(text, None, _("Go to Run"), "play-circle", stage="run")


def _step_uploaded(state: DataState) -> NextStep[DataAction]:
    report, at_connection = state.validation.report, at_connection_phrase(state.session.connection.title)
    if report is None:
        return _step_after_data(state, _("The records are in a dataset {here}.").format(here=at_connection))
    remote = state.dataset.remote.dataset
    count = max(report.accepted, remote.total_datapoint_count if remote else 0)
    text = ngettext(
        "{count} record is in the dataset {here}.", "{count} records are in the dataset {here}.", count
    )
    return _step_after_data(state, text.format(count=number(count), here=at_connection))


def _step_after_data(state: DataState, text: str) -> NextStep[DataAction]:
    """Lay out the pages, or go to Run if they are complete; `text` is a sentence about the data."""
    if state.has_complete_pages:
        message = _("{text} The pages are ready. Next: continue to Run.").format(text=text)
        return NextStep(message, None, _("Continue to Run"), "play-circle", stage="run")
    message = _("{text} Next: lay out the pages.").format(text=text)
    return NextStep(message, None, _("Lay out the pages"), "layout", stage="layout")


def _step_checked(state: DataState) -> NextStep[DataAction]:
    report = state.validation.report
    if state.validation.error is not None:
        return NextStep(state.validation.error.what, DataAction.CHECK, _("Check again"), "arrow-clockwise")
    if report is None:
        if state.file.shown_edits is not None:
            message = _("Every record gets the latest changes; then it is checked.")
            return NextStep(message, DataAction.UPLOAD, _("Upload"), "upload-simple", disabled_reason=message)
        if state.validation.is_running:
            message = _("Checking every record against the schema.")
            return NextStep(message, DataAction.UPLOAD, _("Upload"), "upload-simple", disabled_reason=message)
        return NextStep(
            _("The file is read. Next: check every record."), DataAction.CHECK, _("Check"), "shield-check"
        )
    if not report.records:
        message = _("The file has a header but no records. Add some, or choose another file.")
        return NextStep(message, DataAction.CHOOSE, _("Choose another file"), "folder-open")
    if state.import_rejections or not report.accepted:
        text = _import_text(state) if state.import_rejections else _step_all_rejected(report)
        return NextStep(text, DataAction.SHOW_REJECTION, _("Go to the first one"), "warning-circle-fill")
    label = _upload_label(report.accepted, report.rejected)
    if state.dataset.sent_elsewhere and not report.rejected:
        label = _("Upload here")
    return NextStep(_checked_text(state, report), DataAction.UPLOAD, label, "upload-simple")


def _checked_text(state: DataState, report: Report) -> str:
    upload = state.dataset.upload_operation
    if upload is not None and upload.error is not None:
        return _("The upload failed: {reason}").format(reason=upload.error.what)
    if upload is not None and upload.state is OperationState.CANCELLED:
        if upload.import_id:
            at_connection = at_connection_phrase(upload.connection_title)
            return _("The import continues {there}. It is no longer monitored.").format(there=at_connection)
        return _("The upload was stopped. It can be started again at any time.")
    lost = _missing_columns(state)
    if lost and not report.rejected:
        text = _(
            "No record is rejected, but the file has no column “{name}”. Leave the field out, or fix "
            "the file."
        )
        return text.format(name=lost[0])
    if not report.rejected and (elsewhere := state.dataset.sent_elsewhere):
        text = _("{elsewhere} Next: upload its {records} here.")
        return text.format(elsewhere=elsewhere, records=records(report.records))
    excluded = _excluded_column_count(state)
    if excluded and not report.rejected:
        text = ngettext(
            "Every record fits the schema, which leaves out {count} column. Next: upload.",
            "Every record fits the schema, which leaves out {count} columns. Next: upload.",
            excluded,
        )
        return text.format(count=number(excluded))
    if not report.rejected:
        return _step_all_accepted(report.records)
    text = _("{rejected} of {count} would be rejected. A batch needs an import without rejections.")
    return text.format(rejected=number(report.rejected), count=records(report.records))


def _missing_columns(state: DataState) -> list[str]:
    """The fields without a column in a CSV file; of JSONL only the keys of the first records are known."""
    if (
        state.file.profile is None
        or state.file.format is None
        or state.file.format.kind is not FormatKind.CSV
    ):
        return []
    return [column.name for column in state.columns if column.type is not None and not column.is_in_file]


def _excluded_column_count(state: DataState) -> int:
    """Number of columns that are not fields, by choice or because they cannot be."""
    summary, schema = state.file.summary, state.study.schema
    fields = schema.fields if schema else {}
    return sum(name not in fields for name in summary.columns) if summary else 0


def _step_all_accepted(count: int) -> str:
    if count == _TWO:
        return _("Both records fit the schema. Next: upload them.")
    return ngettext(
        "The only record fits the schema. Next: upload it.",
        "All {count} records fit the schema. Next: upload them.",
        count,
    ).format(count=number(count))


def _step_all_rejected(report: Report) -> str:
    if report.records == _TWO:
        return _("Both records would be rejected. Change the schema, or the file.")
    return ngettext(
        "The only record would be rejected. Change the schema, or the file.",
        "All {count} records would be rejected. Change the schema, or the file.",
        report.records,
    ).format(count=number(report.records))


def _import_text(state: DataState) -> str:
    appending, upload = state.dataset.append_operation, state.dataset.upload_operation
    if appending is not None:
        text = _("{connection} rejected {rejected} of {count}; the others are in the dataset.")
        return text.format(
            connection=appending.connection_title,
            rejected=number(appending.rejected),
            count=records(appending.source.records),
        )
    if upload is None or upload.job is None:
        return ""
    text = _("{connection} rejected {rejected} of {count}. A batch needs an import without rejections.")
    return text.format(
        connection=upload.connection_title,
        rejected=number(upload.job.rejected_count or 0),
        count=records(upload.source.records),
    )


def _upload_label(accepted: int, rejected: int) -> str:
    if rejected:
        text = ngettext("Upload {count} accepted record", "Upload {count} accepted records", accepted)
    else:
        text = ngettext("Upload {count} record", "Upload {count} records", accepted)
    return text.format(count=number(accepted))
