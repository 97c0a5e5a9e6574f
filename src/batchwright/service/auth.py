"""Who may ask, and for which workspaces: the token of the data folder, and `accounts.json` (design.md 6).

Both files are read again when they change, so that a token taken out of them is refused at once.
"""

import hmac
import logging
import secrets
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from batchwright.base.durable_files import write_private_file
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, is_array, parse
from batchwright.base.logging import hide_in_log

_log = logging.getLogger(__name__)


class Feature(StrEnum):
    """What can be switched off for a workspace."""

    V4 = "v4"
    COLLECTIONS = "collections"
    TEST_PARTICIPANTS = "test_participants"


class InvalidAccountsFile(Exception):
    """`accounts.json` or the token file is not what it should be; the text says where."""


@dataclass(frozen=True)
class StoredAccount:
    """A person with one or more tokens."""

    id: str
    email: str
    tokens: frozenset[str]
    workspaces: tuple[str, ...]
    """Ids, in the order of `accounts.json`."""
    first_name: str = ""
    last_name: str = ""

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".rstrip()

    def may_use(self, workspace_id: str) -> bool:
        """Whether this account has access to a workspace."""
        return workspace_id in self.workspaces


@dataclass(frozen=True)
class _Listed:
    """What `accounts.json` holds."""

    accounts: tuple[StoredAccount, ...] = ()
    features: Mapping[str, frozenset[Feature]] | None = None


class Accounts:
    """The accounts of a data folder.

    Raises:
        InvalidAccountsFile: a file is there and cannot be understood. When that happens later on, what
            was read last stays in force and the log says so.
    """

    def __init__(self, owner: StoredAccount, token_file: Path | None, accounts_file: Path) -> None:
        self._owner = owner
        self._token_file = token_file
        self._accounts_file = accounts_file
        self._lock = threading.Lock()
        self._seen = self._versions()
        self._owners_token = self._read_token()
        self._listed = _read_listed(accounts_file)

    def with_token(self, token: str) -> StoredAccount | None:
        """Whose token it is; None when it is nobody's."""
        self._look_again()
        if self._owners_token and _same(token, self._owners_token):
            return self._owner
        for account in self._listed.accounts:
            if any(_same(token, one) for one in account.tokens):
                return account
        return None

    def with_id(self, id: str) -> StoredAccount | None:
        """The account of that id; None when there is none any more."""
        self._look_again()
        return next((account for account in self._all() if account.id == id), None)

    def has_email(self, email: str) -> bool:
        """Whether an account has this address, in small letters or large."""
        self._look_again()
        return email.casefold() in {account.email.casefold() for account in self._all()}

    def has_feature(self, workspace_id: str, feature: Feature) -> bool:
        """Whether a feature is on; it is wherever `accounts.json` does not say otherwise."""
        self._look_again()
        features = (self._listed.features or {}).get(workspace_id)
        return features is None or feature in features

    def workspaces_with(self, account: StoredAccount, feature: Feature) -> frozenset[str]:
        """The workspaces of an account for which a feature is on."""
        return frozenset(
            workspace for workspace in account.workspaces if self.has_feature(workspace, feature)
        )

    def _all(self) -> tuple[StoredAccount, ...]:
        return (self._owner, *self._listed.accounts)

    def _look_again(self) -> None:
        with self._lock:
            versions = self._versions()
            if versions == self._seen:
                return
            self._seen = versions
            try:
                self._owners_token = self._read_token()
                self._listed = _read_listed(self._accounts_file)
            except InvalidAccountsFile as fault:
                _log.warning("%s", fault)

    def _read_token(self) -> str:
        """The owner's token; a token file that was taken away leaves none."""
        if self._token_file is None:
            return next(iter(self._owner.tokens), "")
        try:
            token = self._token_file.read_text(encoding="utf-8").strip()
            hide_in_log(token)
            return token
        except FileNotFoundError:
            return ""
        except OSError as fault:
            raise InvalidAccountsFile(_unreadable(self._token_file, fault)) from None
        except UnicodeDecodeError:
            raise InvalidAccountsFile(
                _("The token file {file} holds no text.").format(file=self._token_file)
            ) from None

    def _versions(self) -> tuple[tuple[int, int, int] | None, ...]:
        files = (self._token_file, self._accounts_file)
        return tuple(_version(file) for file in files if file is not None)


def make_token(file: Path) -> None:
    """Write a new token into a file for the owner's eyes only, unless the file holds one."""
    if not file.exists() or not file.stat().st_size:
        write_private_file(file, secrets.token_urlsafe(32) + "\n")


def _unreadable(file: Path, fault: OSError) -> str:
    return _("The file {file} cannot be read: {reason}").format(file=file, reason=fault.strerror)


def _version(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(*(token.encode("utf-8", "surrogatepass") for token in (one, other)))


def _read_listed(file: Path) -> _Listed:
    try:
        given = parse(file.read_bytes())
    except FileNotFoundError:
        return _Listed()
    except OSError as fault:
        raise InvalidAccountsFile(_unreadable(file, fault)) from None
    except InvalidJson as fault:
        raise InvalidAccountsFile(f"{file.name}: {fault}") from None
    if not isinstance(given, Mapping):
        raise InvalidAccountsFile(_("{file}: an object is needed.").format(file=file.name))
    accounts = tuple(_account(one, file.name) for one in _objects(given, "users", file.name))
    features = {
        _text(one, "id", file.name): _features(one, file.name)
        for one in _objects(given, "workspaces", file.name)
    }
    return _Listed(accounts, features)


def _account(given: Mapping[str, Json], file: str) -> StoredAccount:
    email = _text(given, "email", file)
    return StoredAccount(
        id=_text(given, "id", file),
        email=email,
        first_name=_text(given, "first_name", file) if "first_name" in given else email.partition("@")[0],
        last_name=_text(given, "last_name", file) if "last_name" in given else "",
        tokens=frozenset(_texts(given, "tokens", file)),
        workspaces=tuple(_texts(given, "workspaces", file)),
    )


def _features(given: Mapping[str, Json], file: str) -> frozenset[Feature]:
    if "features" not in given:
        return frozenset(Feature)
    named = set(_texts(given, "features", file))
    return frozenset(feature for feature in Feature if feature in named)


def _objects(given: Mapping[str, Json], name: str, file: str) -> Iterator[Mapping[str, Json]]:
    entries = given.get(name, ())
    if not is_array(entries) or not all(isinstance(one, Mapping) for one in entries):
        raise InvalidAccountsFile(
            _("{file}: `{name}` needs an array of objects.").format(file=file, name=name)
        )
    return (one for one in entries if isinstance(one, Mapping))


def _text(given: Mapping[str, Json], name: str, file: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidAccountsFile(_("{file}: `{name}` needs a text.").format(file=file, name=name))
    return value


def _texts(given: Mapping[str, Json], name: str, file: str) -> Iterator[str]:
    values = given.get(name, ())
    if not is_array(values) or not all(isinstance(one, str) and one for one in values):
        raise InvalidAccountsFile(_("{file}: `{name}` needs an array of texts.").format(file=file, name=name))
    return (one for one in values if isinstance(one, str))
