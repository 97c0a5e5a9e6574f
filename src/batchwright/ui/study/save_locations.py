"""The proposed folder of a file to save: that of the last such file, or that of the study."""

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from batchwright.local.projects import study_name
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.file_dialogs import fixed_folder, last_folder

_INVALID_IN_FILE_NAMES = re.compile(r'\s*[\\/:*?"<>|\x00-\x1f]+\s*(?:[-–]\s+)?')
"""Characters that are invalid in file names on some system, with a dash that follows them."""


class SaveLocationMemory:
    """Remembers for a window the folder of the last saved file."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._last: Path | None = None

    async def proposed(self, suffix: str, content: str = "", name: str = "") -> Path:
        """A path named after the study (or `name`) and its content, in the first folder that exists.

        Without the content, a report could be proposed under the name of the data file that named the study.
        """
        study = _INVALID_IN_FILE_NAMES.sub(" - ", name or study_name(self._study.project)).strip()
        content = _INVALID_IN_FILE_NAMES.sub(" - ", content).strip()
        name = f"{study} {content}" if content else study
        study_folder = self._study.path.parent if self._study.path else None
        candidates = (fixed_folder(), self._last, study_folder, last_folder(), _documents())
        folders = [folder for folder in candidates if folder is not None]
        return await asyncio.to_thread(_first_existing, folders) / f"{name}{suffix}"

    def record(self, path: Path) -> None:
        """Record where a file was saved."""
        self._last = path.parent


def _documents() -> Path:
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))


def _first_existing(folders: Sequence[Path]) -> Path:
    """The first folder that can be found, or the home folder. Blocking: network folders can be slow."""
    return next(filter(os.path.isdir, folders), None) or Path.home()
