"""Notices when another program writes the file of the study."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from batchwright.ui.study.study_model import Study

_DELAY_MS = 300
"""Time from a change to its signal: programs write a file in several steps."""


class FileWatcher(QObject):
    """Watches the file of the study, and its folder, since many programs replace a file by a new one."""

    changed = Signal()
    """The file was written, perhaps by this program."""

    def __init__(self, study: Study, parent: QObject) -> None:
        super().__init__(parent)
        self._study = study
        self._path: Path | None = None
        self._watcher: QFileSystemWatcher | None = None
        """Created with the first study that has a file."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MS)
        self._timer.timeout.connect(self.changed)
        study.saved_changed.connect(self._on_study_changed)

    def _on_study_changed(self) -> None:
        if self._study.path == self._path:
            return
        self._path = self._study.path
        if self._watcher is None:
            self._watcher = QFileSystemWatcher(self)
            self._watcher.fileChanged.connect(self._on_file_changed)
            self._watcher.directoryChanged.connect(self._on_folder_changed)
        if watched := [*self._watcher.files(), *self._watcher.directories()]:
            self._watcher.removePaths(watched)
        if self._path is not None:
            self._watcher.addPaths([str(path) for path in (self._path, self._path.parent) if path.exists()])

    def _on_file_changed(self) -> None:
        self._watch_again()
        self._timer.start()

    def _on_folder_changed(self) -> None:
        """A file that was replaced is another one, which is not watched yet."""
        if self._watch_again():
            self._timer.start()

    def _watch_again(self) -> bool:
        """Watch the file if it is not watched; False if it is, or does not exist."""
        watcher, path = self._watcher, str(self._path or "")
        return watcher is not None and bool(path) and path not in watcher.files() and watcher.addPath(path)
