"""Hosted tokens in the system's key ring, and nowhere else (design.md 9.4).

The library is imported on first use, since looking for a key ring takes a tenth of a second, and every call
runs in a thread of its own, since a key ring may ask its owner for a password first.
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
"""Key rings that the system keeps locked; the library knows others that are plain files."""


class KeyRing(Protocol):
    """What is used of a key ring; the backends of the library fit."""

    def get_password(self, service: str, username: str) -> str | None:
        """The secret of a name, None when there is none."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep a secret under a name."""

    def delete_password(self, service: str, username: str) -> None:
        """Throw a secret away."""


class KeyringFailure(Enum):
    """Why a key ring cannot be used."""

    ABSENT = auto()
    """This system has none that is running."""
    LOCKED = auto()
    """It is locked, and its owner did not unlock it."""
    REFUSED = auto()
    """It failed in another way; the reason says how."""


class KeyringUnavailable(Exception):
    """The key ring cannot be used; `why` says why.

    A secret is then kept for this run only, if its owner wants that, and never in a file.
    """

    def __init__(self, why: KeyringFailure, reason: str) -> None:
        super().__init__(reason.strip().rstrip("."))  # it becomes part of sentences
        self.why = why


class TokenStore:
    """The tokens of connections, by the connection's name.

    Args:
        ring: the system's key ring when None, found on first use.
    """

    def __init__(self, ring: KeyRing | None = None) -> None:
        self._ring = ring
        self._turn = asyncio.Lock()
        """One question at a time: its owner is asked for the password once."""

    async def get(self, name: str) -> str | None:
        """A secret; None when there is none of that name.

        Raises:
            NoKeyRing: the key ring cannot be used.
        """
        return await self._ask(lambda ring: ring.get_password(_SERVICE, name))

    async def set(self, name: str, secret: str) -> None:
        """Keep a secret, in place of an older one of that name.

        Raises:
            NoKeyRing: the key ring cannot be used; nothing was kept.
        """
        await self._ask(lambda ring: ring.set_password(_SERVICE, name, secret))

    async def remove(self, name: str) -> None:
        """Throw a secret away; nothing happens when there is none of that name.

        Raises:
            NoKeyRing: the key ring cannot be used.
        """

        def throw_away(ring: KeyRing) -> None:
            if ring.get_password(_SERVICE, name) is not None:
                ring.delete_password(_SERVICE, name)

        await self._ask(throw_away)

    async def _ask(self, work: Callable[[KeyRing], T]) -> T:
        async with self._turn:
            return await _in_daemon_thread(lambda: self._asked(work))

    def _asked(self, work: Callable[[KeyRing], T]) -> T:
        from keyring import errors

        try:
            self._ring = self._ring or _system_ring()
            return work(self._ring)
        except errors.NoKeyringError as fault:
            why, reason = KeyringFailure.ABSENT, str(fault)
        except (errors.KeyringLocked, errors.InitError) as fault:
            why, reason = KeyringFailure.LOCKED, str(fault)
        except Exception as fault:
            # Key rings let errors of their own libraries through; their texts may quote what was asked.
            why, reason = KeyringFailure.REFUSED, type(fault).__name__
        _log.warning("The key ring cannot be used (%s)", why.name.lower())
        # Outside the handlers: the library's error, whose frames hold the secret, must not hang on to ours.
        raise KeyringUnavailable(why, reason)


async def _in_daemon_thread(work: Callable[[], T]) -> T:
    """What comes of work in a thread that holds up no end of the program: its owner may never answer."""
    done = Future[T]()
    done.set_running_or_notify_cancel()

    def answer() -> None:
        try:
            done.set_result(work())
        except Exception as error:
            done.set_exception(error)

    Thread(target=answer, name="key ring", daemon=True).start()
    return await asyncio.wrap_future(done)


def _system_ring() -> KeyRing:
    """The key ring that the system offers.

    Raises:
        keyring.errors.NoKeyringError: it offers none, or only a file.
    """
    from keyring import errors

    ring = _chosen_ring()
    if ring is None:
        _choose_anew()
        ring = _chosen_ring()
    if ring is None:
        raise errors.NoKeyringError(_("This system offers no key ring that keeps secrets locked."))
    return ring


def _chosen_ring() -> KeyRing | None:
    """The system's key ring among those that the library has chosen."""
    from keyring import get_keyring
    from keyring.backends import chainer

    found = get_keyring()
    choices: Iterable[KeyRing] = found.backends if isinstance(found, chainer.ChainerBackend) else [found]
    return next((ring for ring in choices if type(ring).__module__ in _SYSTEM_RINGS), None)


def _choose_anew() -> None:
    """Have the library look again: it keeps its first choice for good, and a ring may have come up since."""
    from keyring import backend, core

    with suppress(KeyError):  # it has not looked at all, since its owner has told it what to choose
        backend.get_all_keyring.reset()
    core.init_backend()
