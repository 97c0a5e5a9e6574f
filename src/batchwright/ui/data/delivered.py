"""Which dataset holds just the data of the study: whatever was changed since must be uploaded anew."""

from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.tables.formats import Format
from batchwright.ui.data.schema_plan import meaning
from batchwright.ui.study import Study


@dataclass(frozen=True)
class Content:
    """What a dataset is made of."""

    path: Path
    size: int
    form: Format
    schema: object
    """What the schema means (`schema_plan.meaning`)."""


class Delivered:
    """Remembers, by the name of the connection, of what the dataset there was made."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._held: dict[str, Content] = {}
        self._going: dict[str, Content | None] = {}

    def holds(self, connection: str) -> bool:
        """Whether the dataset at a connection holds just the data that the study has now, whole."""
        held = self._held.get(connection)
        return held is not None and held == self._now() and self._study.remote(connection).has_data

    def begin(self, connection: str) -> None:
        """What the study has now is being sent."""
        self._held.pop(connection, None)
        self._going[connection] = self._now()

    def arrive(self, connection: str) -> None:
        """What was being sent has been imported, every record of it."""
        content = self._going.pop(connection, None)
        if content is not None:
            self._held[connection] = content

    def reshape(self, connection: str) -> None:
        """The dataset has the schema of the study by now, and all of its records with it."""
        held, now = self._held.get(connection), self._now()
        if held is not None and now is not None and replace(held, schema=now.schema) == now:
            self._held[connection] = now

    def recall(self) -> None:
        """A study that was opened holds what it held when it was saved: that was uploaded, if anything."""
        content = self._now()
        for name, remote in self._study.project.remotes.items():
            if remote.has_data and content is not None and name not in self._going:
                self._held.setdefault(name, content)

    def forget(self) -> None:
        """Another study, or another file."""
        self._held.clear()
        self._going.clear()

    def _now(self) -> Content | None:
        data, schema = self._study.data, self._study.schema
        return (
            None
            if data is None or schema is None
            else Content(data.path, data.size, data.form, meaning(schema))
        )
