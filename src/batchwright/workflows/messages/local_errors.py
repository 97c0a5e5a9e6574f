"""Messages for errors of this computer: files, the program's own data, and the local service."""

from errno import EDQUOT, EFBIG, ENOSPC
from os import PathLike
from pathlib import Path
from textwrap import shorten

from batchwright.base.database import (
    DatabaseDamaged,
    DatabaseMigrationFailed,
    DatabaseTooNew,
    DatabaseUnusable,
    StorageUnavailable,
)
from batchwright.base.files.atomic_files import OpenElsewhere
from batchwright.base.i18n import _
from batchwright.base.json_texts.yaml_values import InvalidYaml
from batchwright.base.json_values import InvalidJson
from batchwright.client.local_service import ServiceEnded
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.translation_files.exchanged_texts import InvalidTranslationFile
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.layout.searching.text_search import InvalidPattern
from batchwright.local.connections import DuplicateName, NoSuchConnection
from batchwright.local.database import COPY_NAME
from batchwright.local.library import InvalidLibraryFile
from batchwright.local.secrets import KeyringUnavailable
from batchwright.local.study_files.project_migrations import InvalidProjectFile, ProjectTooNew
from batchwright.local.study_files.study_folders import NotAStudyFolder
from batchwright.local.versions import VersionNotFound
from batchwright.prepare.problems import InvalidSteps, StepProblem
from batchwright.schema.parsing import InvalidSchema
from batchwright.service.process import ServiceDidNotStart
from batchwright.workflows.messages.message import MAX_CHARS, Message, register


@register
def _service_did_not_start(error: ServiceDidNotStart) -> Message:
    return Message(
        _("The service on this computer did not start: {reason}").format(reason=error),
        _("Resolve this, then start the service again.")
        if error.is_explained
        else _("Close other copies of Batchwright, check the free disk space, then try again."),
    )


@register
def _service_ended(error: ServiceEnded) -> Message:
    output = shorten(str(error), MAX_CHARS)
    what = _("The service on this computer stopped unexpectedly: {reason}").format(reason=output)
    return Message(
        what if output else _("The service on this computer stopped unexpectedly."),
        _("Restart it; accepted data is kept."),
    )


@register
def _name_taken(error: DuplicateName) -> Message:
    return Message(
        _("A connection called “{name}” already exists.").format(name=error), _("Choose another name.")
    )


@register
def _no_such_connection(error: NoSuchConnection) -> Message:
    return Message(
        _("The connection “{name}” no longer exists.").format(name=error),
        _("Add it again under Home, Connections."),
    )


@register
def _no_key_ring(error: KeyringUnavailable) -> Message:
    return Message(
        _("The keyring of this computer cannot be used: {reason}.").format(reason=error),
        _("Unlock it, or use the token for this run only."),
    )


@register
def _too_new(_error: DatabaseTooNew) -> Message:
    return Message(
        _("The data of Batchwright on this computer was written by a newer version."),
        _("Install the latest Batchwright; nothing was changed."),
    )


@register
def _unusable_database(error: DatabaseUnusable) -> Message:
    return Message(str(error), _("Restore the folder from a backup, or choose another folder."))


@register
def _migration_failed(error: DatabaseMigrationFailed) -> Message:
    return Message(
        _("The data of an older Batchwright could not be updated for this version: {reason}.").format(
            reason=error
        ),
        _("Nothing was changed. Use the older version again, and report this."),
    )


@register
def _damaged(error: DatabaseDamaged) -> Message:
    return Message(
        str(error),
        _("Replace it with its copy from the last start, {copy}, or move it away to start over.").format(
            copy=COPY_NAME
        ),
    )


@register
def _cannot_save(error: StorageUnavailable) -> Message:
    return Message(
        _("Batchwright cannot write its data: {reason}").format(reason=error),
        _("Free some disk space, close other copies of Batchwright, then try again."),
    )


@register
def _no_such_version(_error: VersionNotFound) -> Message:
    return Message(
        _("This version is no longer in the history: newer ones have taken its place."),
        _("Close the list and open it again, or choose another version."),
    )


_DISK_FULL = frozenset({ENOSPC, EDQUOT, EFBIG})


@register
def _unreadable(error: UnreadableFile) -> Message:
    return Message(error.reason, error.remedy)


@register
def _newer_project(error: ProjectTooNew) -> Message:
    return Message(str(error), _("Install the latest Batchwright to open it; the file was not changed."))


@register
def _not_a_project(error: InvalidProjectFile) -> Message:
    return Message(str(error), _("Fix it, or choose a .batchwright study or a file with batch_items."))


@register
def _not_steps(error: InvalidSteps) -> Message:
    return Message(str(error), _("Correct the steps, or choose another file with steps."))


@register
def _not_prepared(error: StepProblem) -> Message:
    return Message(str(error), _("Change the step, or the steps before it."))


@register
def _not_in_library(error: InvalidLibraryFile) -> Message:
    return Message(str(error), _("Choose another file, or export the template or block again."))


@register
def _not_for_translators(error: InvalidTranslationFile) -> Message:
    return Message(str(error), _("Correct the file, or export the texts again. Nothing was imported."))


@register
def _not_a_study_folder(error: NotAStudyFolder) -> Message:
    return Message(str(error), _("Choose a folder that contains one, a .batchwright study, or a table."))


@register
def _not_json(error: InvalidJson) -> Message:
    return Message(
        _("Not valid JSON: {reason}").format(reason=error.reason), _("Fix the file, then try again.")
    )


@register
def _not_yaml(error: InvalidYaml) -> Message:
    return Message(_("Not valid YAML: {reason}").format(reason=error), _("Fix the file, then try again."))


@register
def _not_a_pattern(error: InvalidPattern) -> Message:
    return Message(error.reason, _("Correct the text to find, or switch off “Regular expression”."))


@register
def _not_a_schema(error: InvalidSchema) -> Message:
    return Message(
        _("Not a valid schema: {sentences}").format(sentences=" ".join(error.sentences)),
        _("Fix the schema, then try again."),
    )


@register
def _not_a_layout(error: InvalidLayoutFile) -> Message:
    return Message(
        _("Not a valid layout: {reason}").format(reason=error.reason),
        _("Choose a file that contains an array of pages."),
    )


@register
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


@register
def _open_elsewhere(error: OpenElsewhere) -> Message:
    return Message(
        _("{name} is open in another program and cannot be replaced.").format(name=error.filename),
        _("Close it there, then try again."),
    )


@register
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
