"""The connections a person has made, kept as JSON in the data folder; their tokens are in the key ring.

The service on this computer is always the first of them, and is not in the file.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

from batchwright.base.atomic_files import write_atomically
from batchwright.base.environment import CLIENT_TOKEN
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, parse, to_json

HOSTED_URL = "https://api.prolific.com"
"""The production base (wire.md 1.1)."""

_FILE_NAME, _BACKUP_NAME = "connections.json", "connections.unreadable-{number}.json"
_TEXT_KEYS = ("name", "url", "workspace_id", "label", "owner", "email", "certificates")
_KEPT = "is_token_kept"
_WRITTEN = (*_TEXT_KEYS, _KEPT)
_URL = "PROLIFIC_URL"
"""Where the provider's official client finds its token and address."""


@dataclass(frozen=True)
class Connection:
    """A service and the workspace worked in; `url` is empty for the service on this computer.

    `name` is what studies, jobs and the key ring know it by, and stays; `label` is what its owner calls it
    since.
    """

    name: str
    url: str
    workspace_id: str
    is_local: bool = False
    label: str = ""
    owner: str = ""
    """Whose token it is, as the service told when it was last checked: a name, or what stands for one."""
    email: str = ""
    certificates: str = ""
    """A file of certificates to trust besides the usual ones; empty where none is wanted."""
    is_token_kept: bool = True
    """Whether its token went into the key ring, not only into the run of the program that asked for it."""

    @property
    def title(self) -> str:
        """What people read."""
        return _("This computer") if self.is_local else self.label or self.name

    @property
    def names(self) -> frozenset[str]:
        """Every name that nothing else may have."""
        return frozenset({self.name, self.title})


THIS_COMPUTER = Connection("This computer", "", "", is_local=True)


@dataclass(frozen=True)
class EnvironmentCredentials:
    """What the environment holds for the provider's official client, which may be used here, too."""

    url: str
    token: str = field(repr=False)


def credentials_from_env(environment: Mapping[str, str]) -> EnvironmentCredentials | None:
    """The address and the token in an environment; None where there is no token."""
    token = environment.get(CLIENT_TOKEN, "").strip()
    return EnvironmentCredentials(environment.get(_URL, "").strip() or HOSTED_URL, token) if token else None


@dataclass(frozen=True)
class FieldError:
    """An error in one field of a connection that was entered, such as `url` or `token`."""

    field: str
    """Empty if no single field is the reason."""
    text: str
    is_about_trust: bool = False
    """Whether naming a certificate file may help."""


class DuplicateName(ValueError):
    """Another connection has this name."""


class NoSuchConnection(LookupError):
    """There is no connection of this name, or none any more."""


class Connections:
    """The list of connections in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE_NAME
        self.set_aside: Path | None = None
        """Where a list is kept that could not be read, or not all of it; None when there was none."""

    def all(self) -> tuple[Connection, ...]:
        """Every connection, this computer first; a list that cannot be read is set aside."""
        return (THIS_COMPUTER, *self._kept())

    def add(self, connection: Connection) -> None:
        """Keep a new connection.

        Raises:
            NameTaken: there is one of this name.
            OSError: the list cannot be written.
        """
        self._see_that_free(connection, self.all())
        self._keep((*self._kept(), connection))

    def change(self, connection: Connection) -> None:
        """Put a connection in the place of the one of its name.

        Raises:
            NameTaken: another one is called so.
            NoSuchConnection: there is none of this name any more.
            OSError: the list cannot be written.
        """
        kept = self._kept()
        if not any(one.name == connection.name for one in kept):
            raise NoSuchConnection(connection.name)
        self._see_that_free(connection, tuple(one for one in self.all() if one.name != connection.name))
        self._keep(tuple(connection if one.name == connection.name else one for one in kept))

    def remove(self, name: str) -> None:
        """Forget a connection; nothing happens when there is none of that name."""
        self._keep(tuple(one for one in self._kept() if one.name != name))

    def _see_that_free(self, connection: Connection, others: tuple[Connection, ...]) -> None:
        if any(connection.names & one.names for one in others):
            raise DuplicateName(connection.title)

    def _keep(self, connections: tuple[Connection, ...]) -> None:
        entries: list[Json] = [_as_json(one) for one in connections]
        write_atomically(self._path, to_json(entries, indent=2).encode() + b"\n")

    def _kept(self) -> tuple[Connection, ...]:
        try:
            entries = _entries(self._path.read_bytes())
        except FileNotFoundError:
            return ()
        found = tuple(one for entry in entries if (one := _connection(entry)))
        if len(found) < len(entries):
            self._set_aside(found)
        return found

    def _set_aside(self, readable: tuple[Connection, ...]) -> None:
        """Go on with what can be read; the file as it was is kept beside, since somebody may mend it."""
        names = (self._path.with_name(_BACKUP_NAME.format(number=number)) for number in count(1))
        aside = next(path for path in names if not path.exists())
        with suppress(OSError):  # in a folder that cannot be written to, nothing is written over it
            self._path.rename(aside)
            self.set_aside = aside
            self._keep(readable)


def _entries(content: bytes) -> Sequence[Json]:
    """The entries of a file; what is no list at all is one entry, which nobody can read."""
    try:
        value = parse(content)
    except InvalidJson:
        return [None]
    return value if is_array(value) else [value]


def _as_json(connection: Connection) -> Json:
    return {name: value for name, value in sorted(asdict(connection).items()) if name in _WRITTEN}


def _connection(value: Json) -> Connection | None:
    if not is_object(value):
        return None
    name, url, workspace_id, *known = (value.get(key) for key in _TEXT_KEYS)
    label, owner, email, certificates = (one if isinstance(one, str) else "" for one in known)
    if isinstance(name, str) and isinstance(url, str) and isinstance(workspace_id, str):
        return Connection(
            name,
            url,
            workspace_id,
            label=label,
            owner=owner,
            email=email,
            certificates=certificates,
            is_token_kept=value.get(_KEPT) is not False,
        )
    return None


def trusted_by(certificates: str) -> Path | None:
    """The file of certificates that a connection names; None where it names none."""
    return Path(certificates) if certificates else None
