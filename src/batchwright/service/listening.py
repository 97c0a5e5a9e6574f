"""The listening socket of the service, on the port of its last start if that is free.

Participants have links and open pages with the address of an earlier start, which work again this way. Each
data folder has its own last port; of two services that have the same one, the second gets another.
"""

import socket
import sys
from contextlib import suppress

from batchwright.base.i18n import _
from batchwright.service.data_dir import ServiceStartError

LISTEN_BACKLOG = 2048


def listen(host: str, port: int, last_port: int) -> socket.socket:
    """A listening socket.

    Args:
        host: the address or name to listen on.
        port: the port; 0 for the last one, or any other if that is not free.
        last_port: the port of the last start; 0 if there was none.

    Raises:
        ServiceStartError: it is not possible to listen there.
    """
    if not port and last_port:
        with suppress(OSError, UnicodeError):  # the port is not free, or the error below says what is wrong
            return _listen(host, last_port)
    try:
        return _listen(host, port)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else _("the host name is not valid")
        raise ServiceStartError(
            _("The service cannot listen on {host}, port {port}: {reason}").format(
                host=host, port=port, reason=reason
            )
        ) from None


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    The protocol is given explicitly, because asyncio disables Nagle's algorithm only then; otherwise each
    small response would wait about 40 ms.
    """
    family, kind, _protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":  # there, SO_REUSEADDR would share the port with another program
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # connections of an earlier service may not be closed yet
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(LISTEN_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening
