"""Records which data each dataset was created from: data that has changed since must be uploaded again."""

from collections.abc import Callable
from dataclasses import replace

from batchwright.local.projects import RemoteBinding
from batchwright.schema.model import Schema, schema_key
from batchwright.ui.data.schema.schema_diff import SchemaDiff
from batchwright.ui.study.data_fingerprint import DataFingerprint, current_data
from batchwright.ui.study.study_model import Study


class DatasetProvenance:
    """Records for each connection, by name, which data its dataset was created from.

    `sha256` returns that of the data file; None while it is not known.
    """

    def __init__(self, study: Study, sha256: Callable[[], str | None]) -> None:
        self._study, self._sha256 = study, sha256
        self._fingerprints: dict[str, DataFingerprint] = {}
        self._pending: dict[str, DataFingerprint | None] = {}
        self._accepted: set[str] = set()
        """Connections whose dataset was attached instead of uploaded."""
        self._datasets: dict[str, str | None] = {}
        """The ids of the datasets for which the state was loaded."""
        study.remote_changed.connect(self._on_remote_changed)

    def was_created_from_data(self, connection: str) -> bool:
        """Whether the dataset at a connection was created from exactly the current data."""
        return connection not in self._accepted and self.is_current(connection)

    def is_current(self, connection: str) -> bool:
        """Whether the data is unchanged since the dataset at a connection was created or attached."""
        recorded, content = self._fingerprints.get(connection), self._current()
        is_same = recorded is not None and content is not None and recorded.is_same(content)
        return is_same and self._study.remote(connection).has_data

    def was_created_from_file(self, connection: str, schema: Schema) -> bool:
        """Whether the dataset at a connection was created from the current file with this schema."""
        content, remote = self._current(), self._study.remote(connection)
        if content is None or remote.is_filled:
            return False
        content = replace(content, schema=schema_key(schema))
        delivered = content.delivered(remote)
        return delivered is not None and delivered.is_same(content)

    def start(self, connection: str) -> None:
        """Record that an upload of the current data was started."""
        self._fingerprints.pop(connection, None)
        self._accepted.discard(connection)
        self._pending[connection] = self._current()

    def complete(self, connection: str) -> None:
        """Record that the data being uploaded was imported without rejections."""
        content, current = self._pending.pop(connection, None), self._current()
        if content is None:
            return
        if content.sha256 is None and content == current:
            content = current
        self._record(connection, content)

    def accept_as_is(self, connection: str) -> None:
        """Record that the dataset at a connection is used for the current data, whatever it contains."""
        self.start(connection)
        self.complete(connection)
        self._accepted.add(connection)

    def change_schema(self, connection: str, diff: SchemaDiff) -> None:
        """Record that the dataset and all its records were migrated to another schema."""
        recorded = self._fingerprints.get(connection)
        if recorded is not None and recorded.schema == schema_key(diff.old):
            self._record(connection, replace(recorded, schema=schema_key(diff.new)))

    def load(self) -> None:
        """Load the stored state of the study that was opened.

        Datasets without digests are assumed to have the current data: those of older study files, and those
        that belong to the version of a service.
        """
        for name, remote in self._study.project.remotes.items():
            if name not in self._pending:
                self._load(name, remote)

    def clear(self) -> None:
        """Remove all state, for another study or file."""
        self._fingerprints.clear()
        self._pending.clear()
        self._accepted.clear()

    def _on_remote_changed(self) -> None:
        """Load the state of a dataset that the study got by an undo, or with the version of a service."""
        for name, remote in self._study.project.remotes.items():
            if self._datasets.get(name, remote.dataset_id) != remote.dataset_id and name not in self._pending:
                self._fingerprints.pop(name, None)
                self._accepted.discard(name)
                self._load(name, remote)
            self._datasets[name] = remote.dataset_id

    def _load(self, name: str, remote: RemoteBinding) -> None:
        content, self._datasets[name] = self._current(), remote.dataset_id
        if content is None or not remote.has_data:
            return
        recorded = replace(content, sha256=None) if remote.delivered is None else content.delivered(remote)
        if recorded is not None:
            self._fingerprints.setdefault(name, recorded)
            if remote.is_filled:
                self._accepted.add(name)

    def _record(self, connection: str, content: DataFingerprint) -> None:
        self._fingerprints[connection] = content
        remote = self._study.remote(connection)
        self._study.set_remote(connection, replace(remote, delivered=content.stored))

    def _current(self) -> DataFingerprint | None:
        return current_data(self._study, self._sha256())
