"""What the head of the stage says: what is done, what is next, and the one button for it."""

from dataclasses import dataclass
from enum import Enum, auto

from batchwright.tables.checking import Report
from batchwright.tables.formats import Kind
from batchwright.ui.data.deed_words import going
from batchwright.ui.data.opened import Stand
from batchwright.ui.data.uploads import Phase, Progress
from batchwright.ui.data.view_model import DataViewModel
from batchwright.ui.measures import number, records
from batchwright.words import _, ngettext


class Act(Enum):
    """What the primary button does."""

    CHOOSE = auto()
    CHECK = auto()
    UPLOAD = auto()
    SEND_V3 = auto()
    FIRST_REJECTION = auto()
    LAYOUT = auto()


@dataclass(frozen=True)
class Step:
    """A sentence, and the next sensible step; `reason_not` says why it cannot be taken now."""

    sentence: str
    act: Act
    button: str
    glyph: str = ""
    reason_not: str = ""


def next_step(model: DataViewModel) -> Step:
    """Where the stage stands."""
    if model.file.stand is not Stand.SHOWN:
        return _without_file(model)
    progress = model.dataset.uploads.progress
    if progress is not None and progress.is_running:
        return _while_uploading(progress)
    deed = model.dataset.deeds.latest
    if deed is not None and deed.is_running:
        sentence = going(deed)
        return Step(sentence, Act.UPLOAD, _("Upload"), "upload-simple", sentence)
    if model.dataset.is_settled and not model.imported:
        return _filled(model) if model.dataset.held.remote.is_filled else _uploaded(model)
    if model.dataset.uploads.v4_is_off:
        sentence = _("This workspace has no V4 datasets. Next: send the file as a V3 dataset.")
        return Step(sentence, Act.SEND_V3, _("Send as a V3 dataset"), "upload-simple")
    if not model.study.schema or not model.study.schema.fields:
        sentence = _("No column is a field yet. Give at least one a type.")
        return Step(sentence, Act.UPLOAD, _("Upload"), "upload-simple", sentence)
    return _checked(model)


def _without_file(model: DataViewModel) -> Step:
    name = model.file.path.name if model.file.path else ""
    choose = _("Choose a file")
    if model.file.stand is Stand.READING:
        sentence = _("Reading {name}.").format(name=name)
        return Step(sentence, Act.CHOOSE, choose, "folder-open", sentence)
    if model.file.stand is Stand.UNREADABLE:
        sentence = _("{name} cannot be read. Choose another file, or mend this one.")
        return Step(sentence.format(name=name), Act.CHOOSE, choose, "folder-open")
    if model.dataset.held.remote.is_filled:
        return _filled(model)
    sentence = _("What people will judge: one record for each task, in a CSV or JSONL file.")
    return Step(sentence, Act.CHOOSE, choose, "folder-open")


def _while_uploading(progress: Progress) -> Step:
    count = records(progress.load.records)
    sentence = {
        Phase.CONNECTING: _("Reaching {connection}."),
        Phase.PREPARING: _("Putting {count} into a file that the service takes."),
        Phase.SENDING: _("Sending {count} to {connection}."),
        Phase.OFFLINE: _("{connection} cannot be reached. The upload goes on by itself when it can."),
        Phase.IMPORTING: _("{connection} is importing {count}."),
    }[progress.phase].format(count=count, connection=progress.connection)
    return Step(sentence, Act.UPLOAD, _upload_words(progress.load.records, 0), "upload-simple", sentence)


def _filled(model: DataViewModel) -> Step:
    dataset, here = model.dataset.held.dataset, model.session.connection.title
    if dataset is None:
        sentence = _("The study has a dataset at {connection}. Next: lay out the pages.").format(
            connection=here
        )
    elif dataset.is_v4:
        sentence = _(
            "The study uses “{name}” with {records} at {connection}. Next: lay out the pages."
        ).format(name=dataset.name, records=records(dataset.total_datapoint_count), connection=here)
    else:
        sentence = _(
            "“{name}” is a V3 dataset at {connection}. Next: lay out pages, without dataset fields."
        ).format(name=dataset.name, connection=here)
    return Step(sentence, Act.LAYOUT, _("Lay out the pages"), "layout")


def _uploaded(model: DataViewModel) -> Step:
    report, here = model.checks.report, model.session.connection.title
    if report is None:
        sentence = _("The records are in a dataset at {connection}. Next: lay out the pages.")
        return Step(sentence.format(connection=here), Act.LAYOUT, _("Lay out the pages"), "layout")
    held = model.dataset.held.dataset
    count = max(report.accepted, held.total_datapoint_count if held else 0)
    sentence = ngettext(
        "{count} record is in the dataset at {connection}. Next: lay out the pages.",
        "{count} records are in the dataset at {connection}. Next: lay out the pages.",
        count,
    ).format(count=number(count), connection=here)
    return Step(sentence, Act.LAYOUT, _("Lay out the pages"), "layout")


def _checked(model: DataViewModel) -> Step:
    report = model.checks.report
    if model.checks.fault is not None:
        return Step(model.checks.fault.what, Act.CHECK, _("Check again"), "arrow-clockwise")
    if report is None:
        if model.checks.is_running:
            sentence = _("Checking every record against the schema.")
            return Step(sentence, Act.UPLOAD, _("Upload"), "upload-simple", sentence)
        return Step(
            _("The columns are read. Next: check every record."), Act.CHECK, _("Check"), "shield-check"
        )
    if not report.records:
        sentence = _(
            "The file names its columns and holds no records. Write some into it, or choose another."
        )
        return Step(sentence, Act.CHOOSE, _("Choose another file"), "folder-open")
    if model.imported or not report.accepted:
        words = _imported(model) if model.imported else _none_good(report)
        return Step(words, Act.FIRST_REJECTION, _("Go to the first"), "warning-circle-fill")
    return Step(
        _verdict(model, report), Act.UPLOAD, _upload_words(report.accepted, report.rejected), "upload-simple"
    )


def _verdict(model: DataViewModel, report: Report) -> str:
    progress = model.dataset.uploads.progress
    if progress is not None and progress.phase is Phase.FAILED and progress.fault is not None:
        return _("The upload failed: {reason}").format(reason=progress.fault.what)
    if progress is not None and progress.phase is Phase.STOPPED:
        if progress.import_id:
            return _("The import goes on at {connection}, unwatched.").format(connection=progress.connection)
        return _("The upload was stopped. It can be begun again at any time.")
    lost = _lost_columns(model)
    if lost and not report.rejected:
        sentence = _(
            "Nothing is rejected, but the file has no column “{name}”. Leave the field out, or mend it."
        )
        return sentence.format(name=lost[0])
    if not report.rejected:
        return ngettext(
            "The only record fits the schema. Next: upload it.",
            "All {count} records fit the schema. Next: upload them.",
            report.records,
        ).format(count=number(report.records))
    sentence = _("{rejected} of {count} would be rejected. A batch needs an import without rejections.")
    return sentence.format(rejected=number(report.rejected), count=records(report.records))


def _lost_columns(model: DataViewModel) -> list[str]:
    """The fields that a CSV file has no column for; of JSONL only the first records' keys are known."""
    if model.file.looked is None or model.file.form is None or model.file.form.kind is not Kind.CSV:
        return []
    return [part.name for part in model.parts if part.type is not None and not part.is_column]


def _none_good(report: Report) -> str:
    return ngettext(
        "The only record would be rejected. Change the schema, or the file.",
        "All {count} records would be rejected. Change the schema, or the file.",
        report.records,
    ).format(count=number(report.records))


def _imported(model: DataViewModel) -> str:
    appending, progress = model.dataset.appending, model.dataset.uploads.progress
    if appending is not None and appending.load is not None:
        sentence = _("{connection} rejected {rejected} of {count}; the others are in the dataset.")
        return sentence.format(
            connection=appending.title,
            rejected=number(appending.rejected),
            count=records(appending.load.records),
        )
    if progress is None or progress.job is None:
        return ""
    sentence = _("{connection} rejected {rejected} of {count}. A batch needs an import without rejections.")
    return sentence.format(
        connection=progress.connection,
        rejected=number(progress.job.rejected_count or 0),
        count=records(progress.load.records),
    )


def _upload_words(accepted: int, rejected: int) -> str:
    if rejected:
        words = ngettext("Upload {count} good record", "Upload {count} good records", accepted)
    else:
        words = ngettext("Upload {count} record", "Upload {count} records", accepted)
    return words.format(count=number(accepted))
