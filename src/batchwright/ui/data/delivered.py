"""Which dataset holds just the data of the study: whatever was changed since must be uploaded anew."""

from dataclasses import dataclass, replace
from pathlib import Path

from batchwright.tables.formats import Format
from batchwright.ui.data.schema_plan import SchemaPlan, meaning
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
        self._taken: set[str] = set()
        """Where the dataset was taken as it was, in place of uploading."""

    def holds(self, connection: str) -> bool:
        """Whether the dataset at a connection holds just the data that the study has now, whole."""
        return connection not in self._taken and self.settles(connection)

    def settles(self, connection: str) -> bool:
        """Whether nothing has changed since the dataset at a connection was made of the data, or taken."""
        held = self._held.get(connection)
        return held is not None and held == self._now() and self._study.remote(connection).has_data

    def begin(self, connection: str) -> None:
        """What the study has now is being sent."""
        self._held.pop(connection, None)
        self._taken.discard(connection)
        self._going[connection] = self._now()

    def arrive(self, connection: str) -> None:
        """What was being sent has been imported, every record of it."""
        content = self._going.pop(connection, None)
        if content is not None:
            self._held[connection] = content

    def take(self, connection: str) -> None:
        """The dataset at a connection serves for what the study has now, whatever it holds."""
        self.begin(connection)
        self.arrive(connection)
        self._taken.add(connection)

    def reshape(self, connection: str, plan: SchemaPlan) -> None:
        """The dataset has another schema by now, and all of its records with it."""
        held = self._held.get(connection)
        if held is not None and held.schema == meaning(plan.old):
            self._held[connection] = replace(held, schema=meaning(plan.new))

    def recall(self) -> None:
        """A study that was opened holds what it held when it was saved: that was uploaded, if anything."""
        content = self._now()
        for name, remote in self._study.project.remotes.items():
            if remote.has_data and content is not None and name not in self._going:
                self._held.setdefault(name, content)
                if remote.is_filled:
                    self._taken.add(name)

    def forget(self) -> None:
        """Another study, or another file."""
        self._held.clear()
        self._going.clear()
        self._taken.clear()

    def _now(self) -> Content | None:
        data, schema = self._study.data, self._study.schema
        return (
            None
            if data is None or schema is None
            else Content(data.path, data.size, data.form, meaning(schema))
        )
