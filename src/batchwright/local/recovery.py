"""Copies of studies that are not saved, so that a crash loses a second's work and no more.

Each open study has a copy of its own, named by chance. A copy that lies there when the program starts was
left by one that did not end well: whoever finishes properly throws its copy away.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from batchwright.local.projects import NotAProject, Project, project_content, read_project
from batchwright.local.whole_files import write_whole

_FOLDER = "recovery"


@dataclass(frozen=True)
class Left:
    """A study found after a crash; `saved_at` is the file it belongs to, if it had one."""

    copy: Path
    project: Project
    saved_at: Path | None


class Recovery:
    """The copies in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def new_name(self) -> str:
        """A name for the copy of one open study."""
        return uuid.uuid4().hex

    def keep(self, name: str, project: Project, saved_at: Path | None) -> None:
        """Write the copy of a study, over an older one.

        Raises:
            OSError: it cannot be written.
        """
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self._folder / f"{name}.path").write_text(str(saved_at or ""), encoding="utf-8")
        write_whole(self._folder / f"{name}.batchwright", project_content(project))

    def drop(self, name: str) -> None:
        """Throw a copy away; nothing happens when there is none."""
        for suffix in (".batchwright", ".path"):
            (self._folder / f"{name}{suffix}").unlink(missing_ok=True)

    def left(self) -> Iterator[Left]:
        """What is there; copies that cannot be read are passed over and stay."""
        for copy in sorted(self._folder.glob("*.batchwright")):
            try:
                project = read_project(copy.read_bytes())
            except (NotAProject, OSError):
                continue
            yield Left(copy, project, _path_beside(copy))


def _path_beside(copy: Path) -> Path | None:
    beside = copy.with_suffix(".path")
    text = beside.read_text(encoding="utf-8") if beside.is_file() else ""
    return Path(text) if text else None
