"""The columns of a data file are arranged as they were when it was open before; the settings know how."""

from pathlib import Path

from PySide6.QtCore import QObject

from batchwright.base.json_values import InvalidJson, Json, is_object, parse, to_json
from batchwright.ui.core.settings import Settings
from batchwright.ui.data.file.data_file import DataFileModel
from batchwright.ui.data.records.column_arrangement import ColumnArrangement
from batchwright.ui.data.records.records_columns import RecordColumns

_MAX_FILES = 50
"""Files whose arrangement is stored; the oldest ones are forgotten."""
_MAX_CHARS = 20_000
"""The longest arrangement that is stored."""


class StoredArrangements(QObject):
    """Restores the arrangement when a file is shown, and stores it whenever the user changes it."""

    def __init__(self, settings: Settings, file: DataFileModel, columns: RecordColumns) -> None:
        super().__init__(columns)
        self._settings, self._file, self._columns = settings, file, columns
        file.changed.connect(self._restore)
        columns.arranged.connect(self._store)
        self._restore()

    def _restore(self) -> None:
        if self._file.summary is not None:
            stored = _stored(self._settings.record_columns)
            arrangement = ColumnArrangement.from_json(stored.get(str(self._file.summary.path)))
            if arrangement != self._columns.arrangement:
                self._columns.arrange(arrangement)

    def _store(self) -> None:
        if self._file.summary is not None:
            path, arrangement = self._file.summary.path, self._columns.arrangement
            self._settings.record_columns = _with(self._settings.record_columns, path, arrangement)


def _stored(text: str) -> dict[str, Json]:
    """The arrangements by the path of their file, the latest last."""
    try:
        stored = parse(text) if text else None
    except InvalidJson:
        stored = None
    return dict(stored) if is_object(stored) else {}


def _with(text: str, path: Path, arrangement: ColumnArrangement) -> str:
    """The text of the arrangements with that of another file."""
    stored, content = _stored(text), arrangement.to_json()
    stored.pop(str(path), None)
    if arrangement != ColumnArrangement() and len(to_json(content)) <= _MAX_CHARS:
        stored[str(path)] = content
    return to_json(dict(list(stored.items())[-_MAX_FILES:]))
