"""Secrets are stored in the system's key ring or nowhere."""

import subprocess
import sys
import threading

import keyring
import pytest
from keyring import errors

from batchwright.local.secrets import KeyringFailure, KeyringUnavailable, TokenStore
from batchwright.workflows.messages import describe
from tests.fakes.key_ring import FailingRing, MemoryRing

SECRET = "canary-5Hq9"


async def test_a_secret_is_stored_changed_and_removed() -> None:
    secrets = TokenStore(MemoryRing())
    assert await secrets.get("hosted") is None
    await secrets.set("hosted", SECRET)
    await secrets.set("other", "another")
    assert await secrets.get("hosted") == SECRET
    await secrets.remove("hosted")
    await secrets.remove("hosted")
    assert await secrets.get("hosted") is None
    assert await secrets.get("other") == "another"


async def test_the_key_ring_is_never_called_on_the_event_loop() -> None:
    ring = MemoryRing()

    await TokenStore(ring).set("hosted", SECRET)
    await TokenStore(ring).get("hosted")
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
async def test_an_unusable_key_ring_is_reported_with_the_reason(
    error: type[Exception], why: KeyringFailure
) -> None:
    secrets = TokenStore(FailingRing(error))
    for work in (secrets.get("hosted"), secrets.set("hosted", SECRET), secrets.remove("hosted")):
        with pytest.raises(KeyringUnavailable) as caught:
            await work
        assert caught.value.failure is why
        assert SECRET not in repr(caught.value)
        assert caught.value.__context__ is None


BLOCKED_KEY_RING = """
import asyncio, threading
from batchwright.local.secrets import TokenStore

class Ring:
    is_called = threading.Event()

    def get_password(self, service, username):
        self.is_called.set()
        threading.Event().wait()

async def cancel():
    request = asyncio.create_task(TokenStore(Ring()).get("hosted"))
    await asyncio.to_thread(Ring.is_called.wait)
    request.cancel()

asyncio.run(cancel())
"""


def test_the_program_can_end_while_a_key_ring_prompt_is_open() -> None:
    process = subprocess.run(
        [sys.executable, "-c", BLOCKED_KEY_RING], timeout=60, check=True, capture_output=True, text=True
    )
    assert process.stderr == ""


async def test_without_a_system_key_ring_nothing_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_text_ring = MemoryRing()
    monkeypatch.setattr(keyring, "get_keyring", lambda: plain_text_ring)
    with pytest.raises(KeyringUnavailable) as caught:
        await TokenStore().set("hosted", SECRET)
    assert caught.value.failure is KeyringFailure.ABSENT
    assert plain_text_ring.passwords == {}


def test_the_message_contains_the_reason_of_the_key_ring() -> None:
    result = describe(KeyringUnavailable(KeyringFailure.LOCKED, "Prompt dismissed.."))
    assert result.what == "The keyring of this computer cannot be used: Prompt dismissed."
