"""Finds the public addresses of a host: a request for foreign content must not reach a private network.

A request goes to an address that was checked here, not to the name: a name can have another address when it
is looked up for the second time (DNS rebinding).
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from batchwright.api.http.errors import PrivateAddress, Unreachable
from batchwright.base.i18n import _

_ENDING_IN_IPV4 = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
"""IPv6 addresses whose last 32 bits are an IPv4 address (RFC 6052 and RFC 4291, 2.5.5.1)."""


async def public_addresses(call: str, host: str, port: int) -> list[str]:
    """The addresses of a host, in the order in which to try them.

    Raises:
        PrivateAddress: one of them is not public.
        Unreachable: there are none.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable(call, _("the connection failed"), arrived=False) from None
    addresses = list(dict.fromkeys(str(address[0]) for *_kind, address in found))
    if not addresses:
        raise Unreachable(call, _("the connection failed"), arrived=False)
    if not all(map(is_public, addresses)):
        raise PrivateAddress(call, _("the address is not public"))
    return addresses


def is_literal(host: str) -> bool:
    """Whether a host is an address of its own, in one of the notations that systems accept, and no name."""
    try:
        socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return False
    return True


def is_public(text: str) -> bool:
    """Whether an IP address is reachable from everywhere, with all IPv4 addresses that it contains."""
    try:
        address = ip_address(text)
    except ValueError:  # such as one with the number of a network interface
        return False
    return all(each.is_global and not each.is_multicast for each in (address, *_contained(address)))


def _contained(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(address, IPv4Address):
        return []
    is_end = any(address in network for network in _ENDING_IN_IPV4)
    end = IPv4Address(int(address) & 0xFFFF_FFFF) if is_end else None
    contained = (address.ipv4_mapped, address.sixtofour, *(address.teredo or ()), end)
    return [each for each in contained if each is not None]
