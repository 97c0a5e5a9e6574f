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
    form: Format
    schema: object
    """What the schema means (`records.schema.meaning`)."""

    @property
    def mark(self) -> str:
        """What tells it from other content, wherever the file lies."""
        told = repr((self.path.name, self.size, self.form, self.schema))
        return hashlib.sha256(told.encode()).hexdigest()


class DatasetProvenance:
    """Remembers, by the name of the connection, of what the dataset there was made."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._held: dict[str, DataFingerprint] = {}
        self._going: dict[str, DataFingerprint | None] = {}
        self._taken: set[str] = set()
        """Where the dataset was taken as it was, in place of uploading."""

    def holds(self, connection: str) -> bool:
        """Whether the dataset at a connection holds just the data that the study has now, whole."""
        return connection not in self._taken and self.settles(connection)

    def settles(self, connection: str) -> bool:
        """Whether nothing has changed since the dataset at a connection was made of the data, or taken."""
        held = self._held.get(connection)
        return held is not None and held == self._now() and self._study.remote(connection).has_data

    def is_made_of_view(self, connection: str, schema: Schema) -> bool:
        """Whether the dataset at a connection was made, with this schema, of the file that the study has."""
        content, remote = self._now(), self._study.remote(connection)
        return (
            content is not None
            and not remote.is_filled
            and remote.delivered == replace(content, schema=meaning(schema)).mark
        )

    def begin(self, connection: str) -> None:
        """What the study has now is being sent."""
        self._held.pop(connection, None)
        self._taken.discard(connection)
        self._going[connection] = self._now()

    def arrive(self, connection: str) -> None:
        """What was being sent has been imported, every record of it."""
        content = self._going.pop(connection, None)
        if content is not None:
            self._keep(connection, content)

    def take(self, connection: str) -> None:
        """The dataset at a connection serves for what the study has now, whatever it holds."""
        self.begin(connection)
        self.arrive(connection)
        self._taken.add(connection)

    def reshape(self, connection: str, plan: SchemaDiff) -> None:
        """The dataset has another schema by now, and all of its records with it."""
        held = self._held.get(connection)
        if held is not None and held.schema == meaning(plan.old):
            self._keep(connection, replace(held, schema=meaning(plan.new)))

    def recall(self) -> None:
        """What the datasets of a study that was opened were made of, as the study itself has kept it.

        Of older files it is supposed that their datasets were made of what they held.
        """
        content = self._now()
        for name, remote in self._study.project.remotes.items():
            if content is None or name in self._going:
                continue
            if remote.has_data and remote.delivered in (None, content.mark):
                self._held.setdefault(name, content)
                if remote.is_filled:
                    self._taken.add(name)

    def forget(self) -> None:
        """Another study, or another file."""
        self._held.clear()
        self._going.clear()
        self._taken.clear()

    def _keep(self, connection: str, content: DataFingerprint) -> None:
        self._held[connection] = content
        remote = self._study.remote(connection)
        self._study.set_remote(connection, replace(remote, delivered=content.mark))

    def _now(self) -> DataFingerprint | None:
        data, schema = self._study.data, self._study.schema
        return (
            None
            if data is None or schema is None
            else DataFingerprint(data.path, data.size, data.form, meaning(schema))
        )
