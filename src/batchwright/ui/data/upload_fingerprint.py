"""Which dataset holds just the data of the study: whatever was changed since must be uploaded anew."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.data_files.formats import Format
from batchwright.schema.model import Schema, meaning
from batchwright.ui.data.schema_plan import SchemaDiff
from batchwright.ui.study.study_model import Study


@dataclass(frozen=True)
class DataFingerprint:
    """What a dataset is made of."""

    path: Path
    size: int
    format: Format
    schema: object
    """What the schema means (`records.schema.meaning`)."""

    @property
    def digest(self) -> str:
        """What tells it from other content, wherever the file lies."""
        told = repr((self.path.name, self.size, self.format, self.schema))
        return hashlib.sha256(told.encode()).hexdigest()


class DatasetProvenance:
    """Remembers, by the name of the connection, of what the dataset there was made."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._known: dict[str, DataFingerprint] = {}
        self._pending: dict[str, DataFingerprint | None] = {}
        self._accepted: set[str] = set()
        """Where the dataset was taken as it was, in place of uploading."""

    def is_made_of_data(self, connection: str) -> bool:
        """Whether the dataset at a connection holds just the data that the study has now, whole."""
        return connection not in self._accepted and self.is_current(connection)

    def is_current(self, connection: str) -> bool:
        """Whether nothing has changed since the dataset at a connection was made of the data, or taken."""
        held = self._known.get(connection)
        return held is not None and held == self._current() and self._study.remote(connection).has_data

    def is_made_of_file(self, connection: str, schema: Schema) -> bool:
        """Whether the dataset at a connection was made, with this schema, of the file that the study has."""
        content, remote = self._current(), self._study.remote(connection)
        return (
            content is not None
            and not remote.is_filled
            and remote.delivered == replace(content, schema=meaning(schema)).digest
        )

    def start(self, connection: str) -> None:
        """What the study has now is being sent."""
        self._known.pop(connection, None)
        self._accepted.discard(connection)
        self._pending[connection] = self._current()

    def complete(self, connection: str) -> None:
        """What was being sent has been imported, every record of it."""
        content = self._pending.pop(connection, None)
        if content is not None:
            self._record(connection, content)

    def accept_as_is(self, connection: str) -> None:
        """The dataset at a connection serves for what the study has now, whatever it holds."""
        self.start(connection)
        self.complete(connection)
        self._accepted.add(connection)

    def change_schema(self, connection: str, diff: SchemaDiff) -> None:
        """The dataset has another schema by now, and all of its records with it."""
        held = self._known.get(connection)
        if held is not None and held.schema == meaning(diff.old):
            self._record(connection, replace(held, schema=meaning(diff.new)))

    def load(self) -> None:
        """What the datasets of a study that was opened were made of, as the study itself has kept it.

        Of older files it is supposed that their datasets were made of what they held.
        """
        content = self._current()
        for name, remote in self._study.project.remotes.items():
            if content is None or name in self._pending:
                continue
            if remote.has_data and remote.delivered in (None, content.digest):
                self._known.setdefault(name, content)
                if remote.is_filled:
                    self._accepted.add(name)

    def clear(self) -> None:
        """Another study, or another file."""
        self._known.clear()
        self._pending.clear()
        self._accepted.clear()

    def _record(self, connection: str, content: DataFingerprint) -> None:
        self._known[connection] = content
        remote = self._study.remote(connection)
        self._study.set_remote(connection, replace(remote, delivered=content.digest))

    def _current(self) -> DataFingerprint | None:
        data, schema = self._study.data, self._study.schema
        return (
            None
            if data is None or schema is None
            else DataFingerprint(data.path, data.size, data.form, meaning(schema))
        )
