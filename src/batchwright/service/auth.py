"""Accounts and their workspaces: the owner's token in the data folder, and the optional `accounts.json`.

Both files are reloaded when they change, so a removed token is rejected at once.
"""

import hmac
import logging
import secrets
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from batchwright.base.files.durable_files import write_private_file
from batchwright.base.i18n import _
from batchwright.base.json_values import InvalidJson, Json, is_array, parse
from batchwright.base.logging import hide_in_log

_log = logging.getLogger(__name__)


class Feature(StrEnum):
    """A feature that can be switched off for a workspace."""

    V4 = "v4"
    COLLECTIONS = "collections"
    TEST_PARTICIPANTS = "test_participants"


class InvalidAccountsFile(Exception):
    """`accounts.json` or the token file is not valid; the text names the file and the place."""


@dataclass(frozen=True)
class StoredAccount:
    """An account with one or more tokens."""

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
class _AccountsFile:
    """The content of `accounts.json`."""

    accounts: tuple[StoredAccount, ...] = ()
    features: Mapping[str, frozenset[Feature]] | None = None


class Accounts:
    """The accounts of a data folder.

    Raises:
        InvalidAccountsFile: a file exists but is not valid. If a later reload fails, the accounts read
            last stay in force and the error is logged.
    """

    def __init__(self, owner: StoredAccount, token_file: Path | None, accounts_file: Path) -> None:
        self._owner = owner
        self._token_file = token_file
        self._accounts_file = accounts_file
        self._lock = threading.Lock()
        self._file_versions = self._versions()
        self._owner_token = self._read_token()
        self._file = _read_accounts_file(accounts_file)

    def with_token(self, token: str) -> StoredAccount | None:
        """The account with a token; None for an unknown token."""
        self._reload_if_changed()
        if self._owner_token and _tokens_equal(token, self._owner_token):
            return self._owner
        for account in self._file.accounts:
            if any(_tokens_equal(token, account_token) for account_token in account.tokens):
                return account
        return None

    def is_owner(self, account: StoredAccount) -> bool:
        """Whether an account is that of the data folder's owner."""
        return account.id == self._owner.id

    def with_id(self, id: str) -> StoredAccount | None:
        """The account with an id; None if it does not exist or was removed."""
        self._reload_if_changed()
        return next((account for account in self._all() if account.id == id), None)

    def has_email(self, email: str) -> bool:
        """Whether an account has this e-mail address, ignoring case."""
        self._reload_if_changed()
        return email.casefold() in {account.email.casefold() for account in self._all()}

    def has_feature(self, workspace_id: str, feature: Feature) -> bool:
        """Whether a feature is on for a workspace: it is unless `accounts.json` says otherwise."""
        self._reload_if_changed()
        features = (self._file.features or {}).get(workspace_id)
        return features is None or feature in features

    def workspaces_with(self, account: StoredAccount, feature: Feature) -> frozenset[str]:
        """The workspaces of an account that have a feature."""
        return frozenset(
            workspace for workspace in account.workspaces if self.has_feature(workspace, feature)
        )

    def _all(self) -> tuple[StoredAccount, ...]:
        return (self._owner, *self._file.accounts)

    def _reload_if_changed(self) -> None:
        with self._lock:
            versions = self._versions()
            if versions == self._file_versions:
                return
            self._file_versions = versions
            try:
                self._owner_token = self._read_token()
                self._file = _read_accounts_file(self._accounts_file)
            except InvalidAccountsFile as error:
                _log.warning("%s", error)

    def _read_token(self) -> str:
        """The owner's token; empty if the token file was removed."""
        if self._token_file is None:
            return next(iter(self._owner.tokens), "")
        try:
            token = self._token_file.read_text(encoding="utf-8-sig").strip()
            hide_in_log(token)
            return token
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise InvalidAccountsFile(_cannot_be_read(self._token_file, error)) from None
        except UnicodeDecodeError:
            raise InvalidAccountsFile(
                _("The token file {file} is not a text file.").format(file=self._token_file)
            ) from None

    def _versions(self) -> tuple[tuple[int, int, int] | None, ...]:
        files = (self._token_file, self._accounts_file)
        return tuple(_file_version(file) for file in files if file is not None)


def create_token_file(file: Path) -> None:
    """Write a new token into a file that only its owner can read, unless the file already has one."""
    if not file.exists() or (file.is_file() and not file.read_bytes().strip()):
        write_private_file(file, secrets.token_urlsafe(32) + "\n")


def _cannot_be_read(file: Path, error: OSError) -> str:
    return _("The file {file} cannot be read: {reason}").format(file=file, reason=error.strerror)


def _file_version(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _tokens_equal(first: str, second: str) -> bool:
    return hmac.compare_digest(*(token.encode("utf-8", "surrogatepass") for token in (first, second)))


def _read_accounts_file(file: Path) -> _AccountsFile:
    try:
        value = parse(file.read_bytes())
    except FileNotFoundError:
        return _AccountsFile()
    except OSError as error:
        raise InvalidAccountsFile(_cannot_be_read(file, error)) from None
    except InvalidJson as error:
        raise InvalidAccountsFile(f"{file.name}: {error}") from None
    if not isinstance(value, Mapping):
        raise InvalidAccountsFile(_("{file}: must be a JSON object.").format(file=file.name))
    accounts = tuple(_account(user, file.name) for user in _objects(value, "users", file.name))
    features = {
        _text(workspace, "id", file.name): _features(workspace, file.name)
        for workspace in _objects(value, "workspaces", file.name)
    }
    return _AccountsFile(accounts, features)


def _account(value: Mapping[str, Json], file: str) -> StoredAccount:
    email = _text(value, "email", file)
    return StoredAccount(
        id=_text(value, "id", file),
        email=email,
        first_name=_text(value, "first_name", file) if "first_name" in value else email.partition("@")[0],
        last_name=_text(value, "last_name", file) if "last_name" in value else "",
        tokens=frozenset(_texts(value, "tokens", file)),
        workspaces=tuple(_texts(value, "workspaces", file)),
    )


def _features(value: Mapping[str, Json], file: str) -> frozenset[Feature]:
    if "features" not in value:
        return frozenset(Feature)
    feature_names = set(_texts(value, "features", file))
    return frozenset(feature for feature in Feature if feature in feature_names)


def _objects(value: Mapping[str, Json], name: str, file: str) -> Iterator[Mapping[str, Json]]:
    entries = value.get(name, ())
    if not is_array(entries) or not all(isinstance(entry, Mapping) for entry in entries):
        raise InvalidAccountsFile(
            _("{file}: `{name}` must be an array of objects.").format(file=file, name=name)
        )
    return (entry for entry in entries if isinstance(entry, Mapping))


def _text(entry: Mapping[str, Json], name: str, file: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidAccountsFile(_("{file}: `{name}` must be a string.").format(file=file, name=name))
    return value


def _texts(value: Mapping[str, Json], name: str, file: str) -> Iterator[str]:
    values = value.get(name, ())
    if not is_array(values) or not all(isinstance(text, str) and text for text in values):
        raise InvalidAccountsFile(
            _("{file}: `{name}` must be an array of strings.").format(file=file, name=name)
        )
    return (text for text in values if isinstance(text, str))
