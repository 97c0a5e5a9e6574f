"""Messages for files that cannot be read or written, or have unexpected content."""

from errno import EDQUOT, EFBIG, ENOSPC
from os import PathLike
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.local.project_migrations import InvalidProjectFile, ProjectTooNew
from batchwright.local.study_folders import NotAStudyFolder
from batchwright.schema.parsing import InvalidSchema
from batchwright.workflows.messages.message import Message, describe

_DISK_FULL = frozenset({ENOSPC, EDQUOT, EFBIG})


@describe.register
def _unreadable(error: UnreadableFile) -> Message:
    return Message(error.reason, error.remedy)


@describe.register
def _newer_project(error: ProjectTooNew) -> Message:
    return Message(str(error), _("Install the latest Batchwright to open it; the file was not changed."))


@describe.register
def _not_a_project(error: InvalidProjectFile) -> Message:
    return Message(str(error), _("Fix it, or choose a .batchwright project or a file with batch_items."))


@describe.register
def _not_a_study_folder(error: NotAStudyFolder) -> Message:
    return Message(
        str(error), _("Choose a folder that holds one, a .batchwright study, or a CSV or JSONL file.")
    )


@describe.register
def _not_json(error: InvalidJson) -> Message:
    return Message(
        _("Not valid JSON: {reason}").format(reason=error.reason), _("Fix the file, then try again.")
    )


@describe.register
def _not_a_schema(error: InvalidSchema) -> Message:
    return Message(
        _("Not a valid schema: {sentences}").format(sentences=" ".join(error.sentences)),
        _("Fix the schema, then try again."),
    )


@describe.register
def _not_a_layout(error: InvalidLayoutFile) -> Message:
    return Message(
        _("Not a valid layout: {reason}").format(reason=error.reason),
        _("Choose a file that holds an array of pages."),
    )


@describe.register
def _missing_file(error: FileNotFoundError) -> Message:
    name = error.filename2 or error.filename
    if not isinstance(name, str | PathLike):
        return _os_error(error)
    path = Path(name)
    if not path.parent.is_dir():
        return Message(
            _("The folder {folder} does not exist.").format(folder=path.parent),
            _("Put it back, or choose another one."),
        )
    return Message(
        _("“{name}” was not found in {folder}.").format(name=path.name, folder=path.parent),
        _("Put it back, or choose another file."),
    )


@describe.register
def _os_error(error: OSError) -> Message:
    # If renaming failed, the user knows the new name (`filename2`).
    name = error.filename2 or error.filename or _("This computer")
    if error.errno in _DISK_FULL:
        return Message(
            _("{name}: the disk is full.").format(name=name),
            _("Free some disk space, or choose another disk, then try again."),
        )
    what = _("{name}: {reason}").format(name=name, reason=error.strerror or error)
    return Message(what, _("Check the file, the folder's permissions and the free disk space."))
