"""Versions of the project file, and the migrations from older ones.

A version is a number. A change that alters the meaning of a key or removes one needs a step that converts the
previous version; adding a key needs none.
"""

from collections.abc import Callable
from typing import TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.file_types import STUDY_KEY

Step: TypeAlias = Callable[[JsonObject], JsonObject]

STEPS: tuple[Step, ...] = ()
"""The first step converts version 1 to version 2, and so on; none has been needed so far."""


class InvalidProjectFile(ValueError):
    """A file contains no project that can be opened; the message says why."""


class ProjectTooNew(InvalidProjectFile):
    """The file was written by a newer Batchwright; opening it could lose new data in it."""


def current_version() -> int:
    """The version that is written."""
    return len(STEPS) + 1


def migrate(value: JsonObject) -> JsonObject:
    """Convert a project file of any earlier version to the current version.

    Raises:
        ProjectTooNew: it has a later version.
        InvalidProjectFile: it has no version.
    """
    version: Json = value.get(STUDY_KEY)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidProjectFile(_("The version of the study must be a number, 1 or more."))
    if version > current_version():
        raise ProjectTooNew(
            _(
                "This study was written by a newer Batchwright (version {version}; this one supports"
                " {newest})."
            ).format(version=version, newest=current_version())
        )
    for step in STEPS[version - 1 :]:
        value = step(value)
    return {**value, STUDY_KEY: current_version()}
