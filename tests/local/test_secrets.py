"""Secrets are stored in the system's key ring or nowhere."""

import asyncio
import subprocess
import sys
import threading

import keyring
import pytest
from keyring import errors

from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.workflows.messages import describe

SECRET = "canary-5Hq9"


class MemoryRing:
    """A key ring in memory, which notices on which thread it is used."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.threads: set[int] = set()

    def get_password(self, service: str, username: str) -> str | None:
        self.threads.add(threading.get_ident())
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.threads.add(threading.get_ident())
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class FailingRing(MemoryRing):
    """A key ring that fails in one way, naming the secret in its error."""

    def __init__(self, error: type[Exception]) -> None:
        super().__init__()
        self._error = error

    def get_password(self, service: str, username: str) -> str | None:
        raise self._error(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        raise self._error(username)


def test_a_secret_is_stored_changed_and_removed() -> None:
    async def keep() -> None:
        secrets = TokenStore(MemoryRing())
        assert await secrets.get("hosted") is None
        await secrets.set("hosted", SECRET)
        await secrets.set("other", "another")
        assert await secrets.get("hosted") == SECRET
        await secrets.remove("hosted")
        await secrets.remove("hosted")
        assert await secrets.get("hosted") is None
        assert await secrets.get("other") == "another"

    asyncio.run(keep())


def test_the_key_ring_is_never_asked_on_the_event_loop() -> None:
    ring = MemoryRing()

    async def keep() -> None:
        await TokenStore(ring).set("hosted", SECRET)
        await TokenStore(ring).get("hosted")

    asyncio.run(keep())
    assert threading.get_ident() not in ring.threads


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (errors.NoKeyringError, KeyringFailure.ABSENT),
        (errors.KeyringLocked, KeyringFailure.LOCKED),
        (errors.InitError, KeyringFailure.LOCKED),
        (errors.PasswordSetError, KeyringFailure.REFUSED),
        (ConnectionResetError, KeyringFailure.REFUSED),
    ],
)
def test_a_key_ring_that_cannot_be_used_states_the_reason(
    error: type[Exception], why: KeyringFailure
) -> None:
    secrets = TokenStore(FailingRing(error))
    for work in (secrets.get("hosted"), secrets.set("hosted", SECRET), secrets.remove("hosted")):
        with pytest.raises(KeyringUnavailable) as caught:
            asyncio.run(work)
        assert caught.value.failure is why
        assert SECRET not in repr(caught.value)
        assert caught.value.__context__ is None


NOBODY_ANSWERS = """
import asyncio, threading
from batchwright.local.secrets import TokenStore

class Ring:
    asked = threading.Event()

    def get_password(self, service, username):
        self.asked.set()
        threading.Event().wait()

async def give_up():
    asking = asyncio.create_task(TokenStore(Ring()).get("hosted"))
    await asyncio.to_thread(Ring.asked.wait)
    asking.cancel()

asyncio.run(give_up())
"""


def test_a_program_ends_although_no_one_answers_its_key_ring() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOBODY_ANSWERS], timeout=60, check=True, capture_output=True, text=True
    )
    assert done.stderr == ""


def test_without_a_key_ring_of_the_system_nothing_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    a_plain_file_for_one = MemoryRing()
    monkeypatch.setattr(keyring, "get_keyring", lambda: a_plain_file_for_one)
    with pytest.raises(KeyringUnavailable) as caught:
        asyncio.run(TokenStore().set("hosted", SECRET))
    assert caught.value.failure is KeyringFailure.ABSENT
    assert a_plain_file_for_one.kept == {}


def test_the_reason_of_a_key_ring_becomes_part_of_a_sentence() -> None:
    result = describe(KeyringUnavailable(KeyringFailure.LOCKED, "Prompt dismissed.."))
    assert result.what == "The keyring of this computer cannot be used: Prompt dismissed."
