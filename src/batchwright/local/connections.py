"""The connections a person has made, kept as JSON in the data folder; their tokens are in the key ring.

The service on this computer is always the first of them, and is not in the file.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

from batchwright.local.whole_files import write_whole
from batchwright.records.json_values import Json, NotJson, is_array, is_object, parse, render

HOSTED_URL = "https://api.prolific.com"
"""The production base (wire.md 1.1)."""

_FILE_NAME = "connections.json"


@dataclass(frozen=True)
class Connection:
    """A service and the workspace worked in; `url` is empty for the service on this computer."""

    name: str
    url: str
    workspace_id: str
    is_local: bool = False


THIS_COMPUTER = Connection("This computer", "", "", is_local=True)


class NameTaken(ValueError):
    """Another connection has this name."""


class Connections:
    """The list of connections in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE_NAME

    def all(self) -> tuple[Connection, ...]:
        """Every connection, this computer first; a file that cannot be read is as good as none."""
        return (THIS_COMPUTER, *self._kept())

    def add(self, connection: Connection) -> None:
        """Keep a new connection.

        Raises:
            NameTaken: there is one of this name.
            OSError: the list cannot be written.
        """
        if any(one.name == connection.name for one in self.all()):
            raise NameTaken(connection.name)
        self._keep((*self._kept(), connection))

    def remove(self, name: str) -> None:
        """Forget a connection; nothing happens when there is none of that name."""
        self._keep(tuple(one for one in self._kept() if one.name != name))

    def _keep(self, connections: tuple[Connection, ...]) -> None:
        entries: list[Json] = [_written(one) for one in connections]
        write_whole(self._path, render(entries, indent=2).encode() + b"\n")

    def _kept(self) -> tuple[Connection, ...]:
        try:
            value = parse(self._path.read_bytes())
        except (FileNotFoundError, NotJson):
            return ()
        return tuple(one for entry in value if (one := _connection(entry))) if is_array(value) else ()


def _written(connection: Connection) -> Json:
    return {name: value for name, value in sorted(asdict(connection).items()) if name != "is_local"}


def _connection(value: Json) -> Connection | None:
    if not is_object(value):
        return None
    name, url, workspace_id = (value.get(key) for key in ("name", "url", "workspace_id"))
    if isinstance(name, str) and isinstance(url, str) and isinstance(workspace_id, str):
        return Connection(name, url, workspace_id)
    return None
