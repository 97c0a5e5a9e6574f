"""Where a file about a study is proposed to go: where the last one went, else beside the study."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.file_dialogs import last_folder

_INVALID_IN_FILE_NAMES = re.compile(r'\s*[\\/:*?"<>|\x00-\x1f]+\s*')
"""What one system or another does not take in the name of a file."""


class SaveLocationMemory:
    """Remembers for one window where files of some kind were put."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._last: Path | None = None

    async def proposed(self, suffix: str, nameless: str) -> Path:
        """A file called like the study, or what `nameless` says, in a folder that is there."""
        name = _INVALID_IN_FILE_NAMES.sub(" - ", self._study.project.name).strip() or nameless
        beside = self._study.path.parent if self._study.path else None
        known = (self._last, beside, last_folder(), _documents())
        folders = [folder for folder in known if folder is not None]
        return await asyncio.to_thread(_first_existing, folders) / f"{name}{suffix}"

    def record(self, path: Path) -> None:
        """Take note of where a person put a file."""
        self._last = path.parent


def _documents() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def _first_existing(folders: Sequence[Path]) -> Path:
    """The first that is there, else the person's own; one on a network can take long to say so."""
    for folder in folders:
        with suppress(OSError):  # where nobody may look, nobody can put a file
            if folder.is_dir():
                return folder
    return Path.home()
