"""The password of a proxy: read once from the key ring, and saved there."""

import pytest
from keyring.errors import KeyringLocked

from batchwright.base.network_settings import NetworkSettings
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.local.secrets import KeyringUnavailable
from tests.fakes.key_ring import FailingRing, MemoryRing

NETWORK = NetworkSettings("http://proxy:8080", proxy_user="me")
KEY = ("Batchwright proxy", "me@proxy:8080")


async def password(passwords: ProxyPasswords, network: NetworkSettings = NETWORK) -> str:
    return (await passwords.complete(network)).proxy_password


async def test_a_stored_password_is_read_once() -> None:
    ring = MemoryRing()
    ring.passwords[KEY] = "secret"
    passwords = ProxyPasswords(ring)
    assert await password(passwords) == "secret"
    ring.passwords[KEY] = "another"
    assert await password(passwords) == "secret"


async def test_the_key_ring_is_not_asked_for_a_proxy_without_user_name() -> None:
    ring = MemoryRing()
    assert await password(ProxyPasswords(ring), NetworkSettings("http://proxy:8080")) == ""
    assert not ring.threads


async def test_a_password_is_used_before_it_is_saved() -> None:
    ring = MemoryRing()
    passwords = ProxyPasswords(ring)
    assert passwords.set(NETWORK.proxy_account, "secret")
    assert not passwords.set(NETWORK.proxy_account, "secret")
    assert await password(passwords) == "secret"
    assert ring.passwords == {}
    await passwords.save()
    assert ring.passwords == {KEY: "secret"}


async def test_an_empty_password_is_deleted() -> None:
    ring = MemoryRing()
    ring.passwords[KEY] = "secret"
    passwords = ProxyPasswords(ring)
    passwords.set(NETWORK.proxy_account, "")
    await passwords.save()
    assert ring.passwords == {}
    assert await password(passwords) == ""


async def test_without_a_key_ring_a_password_is_used_until_the_end() -> None:
    passwords = ProxyPasswords(FailingRing(KeyringLocked))
    assert await password(passwords) == ""
    passwords.set(NETWORK.proxy_account, "secret")
    with pytest.raises(KeyringUnavailable):
        await passwords.save()
    assert await password(passwords) == "secret"
