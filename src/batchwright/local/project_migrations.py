"""The versions of the project file, and how an older one becomes the newest (design.md D11).

A version has a number. Whoever changes what a key means, or takes one away, adds a step that makes
a file of the version before into one of the new version; a key that is only added needs no step.
"""

from collections.abc import Callable
from typing import TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.file_types import STUDY_KEY

Step: TypeAlias = Callable[[JsonObject], JsonObject]

STEPS: tuple[Step, ...] = ()
"""The first makes a file of version 1 into one of version 2, and so on; none was needed so far."""


class InvalidProjectFile(ValueError):
    """A file holds no project that can be opened; the text says why in a sentence."""


class ProjectTooNew(InvalidProjectFile):
    """A newer Batchwright has written the file: opened here, what is new in it could be lost."""


def current_version() -> int:
    """The version that is written."""
    return len(STEPS) + 1


def migrate(value: JsonObject) -> JsonObject:
    """A project file of the newest version, made of one of any version there was.

    Raises:
        NewerProject: it is of a version that comes later.
        NotAProject: it has no version.
    """
    version: Json = value.get(STUDY_KEY)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidProjectFile(_("The version of the project must be a number, 1 or more."))
    if version > current_version():
        raise ProjectTooNew(
            _("A newer Batchwright wrote this project (version {version}; this one knows {newest}).").format(
                version=version, newest=current_version()
            )
        )
    for step in STEPS[version - 1 :]:
        value = step(value)
    return {**value, STUDY_KEY: current_version()}
