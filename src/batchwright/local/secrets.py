"""Tokens of hosted services, stored in the system's key ring and nowhere else.

The key ring library is imported on first use, since detecting a key ring takes a tenth of a second. Calls are
made one at a time, each on a daemon thread, since a key ring may ask the user for a password and get no
answer for hours; neither other work nor quitting must wait for that.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum, auto
from threading import Thread
from typing import Protocol, TypeVar

from batchwright.base.i18n import _

_log = logging.getLogger(__name__)

T = TypeVar("T")

_SERVICE = "Batchwright"

_SYSTEM_RINGS = (
    "keyring.backends.SecretService",
    "keyring.backends.kwallet",
    "keyring.backends.libsecret",
    "keyring.backends.macOS",
    "keyring.backends.Windows",
)
"""Backends that the system keeps locked; the library has others that are plain files."""


class KeyRing(Protocol):
    """The used methods of a key ring; the backends of the library match."""

    def get_password(self, service: str, username: str) -> str | None:
        """The secret of a name; None if there is none."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store a secret under a name."""

    def delete_password(self, service: str, username: str) -> None:
        """Delete a secret."""


class KeyringFailure(Enum):
    """Reason why a key ring cannot be used."""

    ABSENT = auto()
    """The system has no running key ring."""
    LOCKED = auto()
    """It is locked, and the user did not unlock it."""
    REFUSED = auto()
    """Another failure; the message has details."""


class KeyringUnavailable(Exception):
    """The key ring cannot be used; `failure` is the kind of failure.

    A secret is then kept for this run only, if the user agrees, and never in a file.
    """

    def __init__(self, failure: KeyringFailure, reason: str) -> None:
        super().__init__(reason.strip().rstrip("."))  # it is inserted in messages
        self.failure = failure


class TokenStore:
    """The tokens of connections, by name of the connection, or other secrets.

    Args:
        ring: if None, the system's key ring, detected on first use.
        service: what the secrets are for, in the key ring.
    """

    def __init__(self, ring: KeyRing | None = None, *, service: str = _SERVICE) -> None:
        self._ring, self._service = ring, service
        self._lock = asyncio.Lock()
        """One call at a time, so that the user is asked for the password once."""

    async def get(self, name: str) -> str | None:
        """A secret; None if there is none under that name.

        Raises:
            KeyringUnavailable: the key ring cannot be used.
        """
        return await self._call(lambda ring: ring.get_password(self._service, name))

    async def set(self, name: str, secret: str) -> None:
        """Store a secret; an existing one under that name is replaced.

        Raises:
            KeyringUnavailable: the key ring cannot be used; nothing was stored.
        """
        await self._call(lambda ring: ring.set_password(self._service, name, secret))

    async def remove(self, name: str) -> None:
        """Delete a secret, if it exists.

        Raises:
            KeyringUnavailable: the key ring cannot be used.
        """

        def delete(ring: KeyRing) -> None:
            if ring.get_password(self._service, name) is not None:
                ring.delete_password(self._service, name)

        await self._call(delete)

    async def _call(self, work: Callable[[KeyRing], T]) -> T:
        async with self._lock:
            return await _in_daemon_thread(lambda: self._call_blocking(work))

    def _call_blocking(self, work: Callable[[KeyRing], T]) -> T:
        from keyring import errors

        try:
            self._ring = self._ring or _system_ring()
            return work(self._ring)
        except errors.NoKeyringError as error:
            failure, reason = KeyringFailure.ABSENT, str(error)
        except (errors.KeyringLocked, errors.InitError) as error:
            failure, reason = KeyringFailure.LOCKED, str(error)
        except Exception as error:
            # Backends do not wrap errors of their own libraries; the messages may quote the secret.
            failure, reason = KeyringFailure.REFUSED, type(error).__name__
        _log.warning("The key ring cannot be used (%s)", failure.name.lower())
        # Outside the handlers: the library's error, whose frames contain the secret, must not be the context.
        raise KeyringUnavailable(failure, reason)


async def _in_daemon_thread(work: Callable[[], T]) -> T:
    """Run `work` in a daemon thread, so that quitting does not wait for a user who never answers."""
    future = Future[T]()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:
            future.set_exception(error)

    Thread(target=run, name="key ring", daemon=True).start()
    return await asyncio.wrap_future(future)


def _system_ring() -> KeyRing:
    """The key ring of the system.

    Raises:
        keyring.errors.NoKeyringError: there is none, or only one in a plain file.
    """
    from keyring import errors

    ring = _selected_ring()
    if ring is None:
        _select_again()
        ring = _selected_ring()
    if ring is None:
        raise errors.NoKeyringError(_("This system has no keyring that stores secrets securely."))
    return ring


def _selected_ring() -> KeyRing | None:
    """The system's key ring among those that the library selected."""
    from keyring import get_keyring
    from keyring.backends import chainer

    found = get_keyring()
    choices: Iterable[KeyRing] = found.backends if isinstance(found, chainer.ChainerBackend) else [found]
    return next((ring for ring in choices if type(ring).__module__ in _SYSTEM_RINGS), None)


def _select_again() -> None:
    """Make the library select again: it keeps its first selection, and a key ring may have started since."""
    from keyring import backend, core

    with suppress(KeyError):  # nothing is cached, since the user configured a backend
        backend.get_all_keyring.reset()
    core.init_backend()
