"""Where a file about a study is proposed to go: where the last one went, else beside the study."""

import re
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from batchwright.ui.study import Study

_NOT_IN_NAMES = re.compile(r'\s*[\\/:*?"<>|\x00-\x1f]+\s*')
"""What one system or another does not take in the name of a file."""


class ProposedFiles:
    """Remembers for one window where files of some kind were put."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._last: Path | None = None

    def proposed(self, suffix: str, nameless: str) -> Path:
        """A file called like the study, or what `nameless` says, in a folder that is there."""
        name = _NOT_IN_NAMES.sub(" - ", self._study.project.name).strip() or nameless
        return self._folder() / f"{name}{suffix}"

    def put(self, path: Path) -> None:
        """Take note of where a person put a file."""
        self._last = path.parent

    def _folder(self) -> Path:
        beside = self._study.path.parent if self._study.path else None
        for folder in (self._last, beside):
            if folder is not None and folder.is_dir():
                return folder
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
