"""The user's connections, stored as JSON in the data folder; their tokens are in the key ring.

The service on this computer is always the first connection and is not in the file.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

from batchwright.base.environment import CLIENT_TOKEN
from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, parse, to_json
from batchwright.base.policy import SERVICE_URL, computer_policy

HOSTED_URL = "https://api.prolific.com"
"""The production base URL (wire reference, section 1.1)."""

_FILE_NAME, _BACKUP_NAME = "connections.json", "connections.unreadable-{number}.json"
_TEXT_KEYS = ("name", "url", "workspace_id", "label", "owner", "email", "certificates")
_IS_STORED_KEY, _HAS_OLD_KEY = "is_token_stored", "has_old_token"
_STORED_KEYS = (*_TEXT_KEYS, _IS_STORED_KEY, _HAS_OLD_KEY)
_URL = "PROLIFIC_URL"
"""Environment variable with the URL that the provider's official client uses."""


@dataclass(frozen=True)
class Connection:
    """A service and a workspace; `url` is empty for the service on this computer.

    `name` identifies it in studies, jobs and the key ring, and never changes; `label` is the user's name for
    it.
    """

    name: str
    url: str
    workspace_id: str
    is_local: bool = False
    label: str = ""
    owner: str = ""
    """Owner of the token, from the last check: a name, or an identifier if there is none."""
    email: str = ""
    certificates: str = ""
    """A file of certificates to trust in addition to the default ones; empty if there is none."""
    is_token_stored: bool = True
    """Whether its token is stored in the key ring, or only for one run of the program."""
    has_old_token: bool = False
    """Whether an older token is in the key ring, which could not be used when the token was replaced."""

    @property
    def title(self) -> str:
        """The text shown to the user."""
        return _("This computer") if self.is_local else self.label or self.name

    @property
    def is_in_keyring(self) -> bool:
        """Whether the key ring has a token of it, perhaps an older one."""
        return self.is_token_stored or self.has_old_token

    @property
    def names(self) -> frozenset[str]:
        """All names that no other connection may have."""
        return frozenset({self.name, self.title})


def is_url(name: str) -> bool:
    """Whether a job with this name of a connection is one of a command, which has a URL instead."""
    return "://" in name


THIS_COMPUTER = Connection("This computer", "", "", is_local=True)


@dataclass(frozen=True)
class EnvironmentCredentials:
    """The credentials of the provider's official client from the environment; they can be used here, too."""

    url: str
    token: str = field(repr=False)


def credentials_from_env(environment: Mapping[str, str]) -> EnvironmentCredentials | None:
    """The URL and the token in an environment; None without a token or if the policy locks others."""
    url, token = environment.get(_URL, "").strip() or HOSTED_URL, environment.get(CLIENT_TOKEN, "").strip()
    is_allowed = not computer_policy().service_reason(url, "")
    return EnvironmentCredentials(url, token) if token and is_allowed else None


def proposed_credentials(found: EnvironmentCredentials | None) -> EnvironmentCredentials:
    """The URL and the token that a new connection starts with, given those of the environment."""
    policy = computer_policy()
    url = policy.locked(SERVICE_URL) or policy.preset(SERVICE_URL) or HOSTED_URL
    return found or EnvironmentCredentials(url, "")


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
    """There is no connection with this name."""


class Connections:
    """The list of connections in a folder; call it off the event loop."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE_NAME
        self.backup_path: Path | None = None
        """Backup of a list that could not be read completely; None if there was none."""

    def all(self) -> tuple[Connection, ...]:
        """All connections, this computer first; a list that cannot be read is renamed to a backup."""
        return (THIS_COMPUTER, *self._stored())

    def add(self, connection: Connection) -> None:
        """Store a new connection.

        Raises:
            DuplicateName: there is one with this name.
            OSError: the list cannot be written.
        """
        self._require_unused_names(connection, self.all())
        self._write((*self._stored(), connection))

    def change(self, connection: Connection) -> None:
        """Replace the connection of the same name.

        Raises:
            DuplicateName: another connection has one of its names.
            NoSuchConnection: there is none with this name any more.
            OSError: the list cannot be written.
        """
        stored = self._stored()
        if not any(other.name == connection.name for other in stored):
            raise NoSuchConnection(connection.name)
        self._require_unused_names(
            connection,
            tuple(other for other in self.all() if other.name != connection.name),
        )
        self._write(tuple(connection if other.name == connection.name else other for other in stored))

    def remove(self, name: str) -> None:
        """Delete a connection, if it exists."""
        self._write(tuple(other for other in self._stored() if other.name != name))

    def _require_unused_names(self, connection: Connection, others: tuple[Connection, ...]) -> None:
        if any(connection.names & other.names for other in others):
            raise DuplicateName(connection.title)

    def _write(self, connections: tuple[Connection, ...]) -> None:
        entries: list[Json] = [_as_json(other) for other in connections]
        write_atomically(self._path, to_json(entries, indent=2).encode() + b"\n")

    def _stored(self) -> tuple[Connection, ...]:
        try:
            entries = _entries(self._path.read_bytes())
        except FileNotFoundError:
            return ()
        readable_entries = tuple(other for entry in entries if (other := _connection(entry)))
        if len(readable_entries) < len(entries):
            self._back_up_unreadable(readable_entries)
        return readable_entries

    def _back_up_unreadable(self, readable: tuple[Connection, ...]) -> None:
        """Keep the readable entries, and the original file as a backup that can be repaired by hand."""
        names = (self._path.with_name(_BACKUP_NAME.format(number=number)) for number in count(1))
        aside = next(path for path in names if not path.exists())
        with suppress(OSError):  # in a read-only folder, nothing can overwrite the file either
            self._path.rename(aside)
            self.backup_path = aside
            self._write(readable)


def _entries(content: bytes) -> Sequence[Json]:
    """The entries of a file; a file that is not a list counts as one unreadable entry."""
    try:
        value = parse(content)
    except InvalidJson:
        return [None]
    return value if is_array(value) else [value]


def _as_json(connection: Connection) -> Json:
    return {name: value for name, value in sorted(asdict(connection).items()) if name in _STORED_KEYS}


def _connection(value: Json) -> Connection | None:
    if not is_object(value):
        return None
    name, url, workspace_id, *optional = (value.get(key) for key in _TEXT_KEYS)
    label, owner, email, certificates = (other if isinstance(other, str) else "" for other in optional)
    if isinstance(name, str) and isinstance(url, str) and isinstance(workspace_id, str):
        return Connection(
            name,
            url,
            workspace_id,
            label=label,
            owner=owner,
            email=email,
            certificates=certificates,
            is_token_stored=value.get(_IS_STORED_KEY) is not False,
            has_old_token=value.get(_HAS_OLD_KEY) is True,
        )
    return None


def trusted_by(certificates: str) -> Path | None:
    """The file of certificates of a connection; None if it has none."""
    return Path(certificates) if certificates else None
