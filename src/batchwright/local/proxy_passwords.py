"""The passwords of proxies: in the key ring of this computer, never in a file."""

from contextlib import suppress
from dataclasses import replace

from batchwright.base.network_settings import NetworkSettings
from batchwright.local.secrets import KeyRing, KeyringUnavailable, TokenStore

_SERVICE = "Batchwright proxy"


class ProxyPasswords:
    """The password of a proxy, by user name and host.

    Each is read once: requests must not wait again for a user who does not unlock the key ring.

    Args:
        ring: if None, the key ring of the system.
    """

    def __init__(self, ring: KeyRing | None = None) -> None:
        self._store = TokenStore(ring, service=_SERVICE)
        self._known: dict[str, str] = {}
        self._unsaved: dict[str, str] = {}
        """What the next `save` writes; an empty password is deleted."""

    async def complete(self, network: NetworkSettings) -> NetworkSettings:
        """Settings with the password of their proxy, which is empty if it cannot be read."""
        account = network.proxy_account
        if not account:
            return network
        if account not in self._known:
            password = await self._read(account)
            self._known.setdefault(account, password)  # the user may have entered another one meanwhile
        return replace(network, proxy_password=self._known[account])

    def set(self, account: str, password: str) -> bool:
        """Use a password from now on; an empty one removes that of the account. Returns whether it is new."""
        is_new = self._known.get(account) != password
        if is_new:
            self._known[account] = self._unsaved[account] = password
        return is_new

    async def save(self) -> None:
        """Write changed passwords to the key ring.

        Raises:
            KeyringUnavailable: a password was not stored.
        """
        while self._unsaved:
            account, password = self._unsaved.popitem()
            if password:
                await self._store.set(account, password)
            else:
                with suppress(KeyringUnavailable):  # an unused password may stay there
                    await self._store.remove(account)

    async def _read(self, account: str) -> str:
        try:
            return await self._store.get(account) or ""
        except KeyringUnavailable:  # it is in the log; the proxy rejects the requests
            return ""
