"""What the head of the stage says: what is done, what is next, and the one button for it."""

from dataclasses import dataclass
from enum import Enum, auto

from batchwright.tables.checking import Report
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
    progress = model.uploads.progress
    if progress is not None and progress.is_running:
        return _while_uploading(progress)
    if model.is_uploaded:
        return _uploaded(model)
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
    sentence = _("What people will judge: one record for each task, in a CSV or JSONL file.")
    return Step(sentence, Act.CHOOSE, choose, "folder-open")


def _while_uploading(progress: Progress) -> Step:
    count = records(progress.load.records)
    sentence = {
        Phase.CONNECTING: _("Reaching {connection}."),
        Phase.PREPARING: _("Putting {count} into a file that the service takes."),
        Phase.SENDING: _("Sending {count} to {connection}."),
        Phase.IMPORTING: _("{connection} is importing {count}."),
    }[progress.phase].format(count=count, connection=progress.connection)
    return Step(sentence, Act.UPLOAD, _upload_words(progress.load.records, 0), "upload-simple", sentence)


def _uploaded(model: DataViewModel) -> Step:
    report, here = model.checks.report, model.session.connection.name
    if report is None:
        sentence = _("The records are in a dataset at {connection}. Next: lay out the pages.")
        return Step(sentence.format(connection=here), Act.LAYOUT, _("Lay out the pages"), "layout")
    sentence = ngettext(
        "{count} record is in the dataset at {connection}. Next: lay out the pages.",
        "{count} records are in the dataset at {connection}. Next: lay out the pages.",
        report.accepted,
    ).format(count=number(report.accepted), connection=here)
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
    if not report.accepted:
        sentence = _("All {count} would be rejected. Change the schema, or the file.")
        words = sentence.format(count=records(report.records))
        return Step(words, Act.FIRST_REJECTION, _("Go to the first"), "warning-circle-fill")
    return Step(
        _verdict(model, report), Act.UPLOAD, _upload_words(report.accepted, report.rejected), "upload-simple"
    )


def _verdict(model: DataViewModel, report: Report) -> str:
    progress = model.uploads.progress
    if progress is not None and progress.phase is Phase.FAILED and progress.fault is not None:
        return _("The upload failed: {reason}").format(reason=progress.fault.what)
    if progress is not None and progress.phase is Phase.STOPPED:
        return _("The upload was stopped. It can be begun again at any time.")
    if not report.rejected:
        return _("{count} fit the schema. Next: upload them.").format(count=_all(report.records))
    sentence = _("{rejected} of {count} would be rejected. A batch needs an import without rejections.")
    return sentence.format(rejected=number(report.rejected), count=records(report.records))


def _all(count: int) -> str:
    return ngettext("{count} record", "All {count} records", count).format(count=number(count))


def _upload_words(accepted: int, rejected: int) -> str:
    if rejected:
        words = ngettext("Upload {count} good record", "Upload {count} good records", accepted)
    else:
        words = ngettext("Upload {count} record", "Upload {count} records", accepted)
    return words.format(count=number(accepted))
