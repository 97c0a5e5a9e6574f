"""Serving: the data folder opened, the worker started, the application bound to an address (design.md 7)."""

import asyncio
import errno
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from batchwright.base.i18n import _
from batchwright.base.logging import log_loop_error
from batchwright.service import app, certificates, clock
from batchwright.service.auth import Accounts, InvalidAccountsFile, StoredAccount, make_token
from batchwright.service.certificates import InvalidCertificate
from batchwright.service.data_dir import DataFolder, ServiceStartError, open_data_dir
from batchwright.service.http.app_state import AppState
from batchwright.service.http.bounded_protocol import BoundedHttp
from batchwright.service.http.middleware import host_name
from batchwright.service.signing import Signer
from batchwright.service.worker_process import WorkerProcess

_log = logging.getLogger(__name__)

TOKEN_NAME = "token"  # noqa: S105 - the name of a file
ACCOUNTS_NAME = "accounts.json"

_KEEP_ALIVE = 30
_GRACE = 3
_WAITING_CONNECTIONS = 2048

_ACCEPTED_AT_ONCE = 16
"""Connections that are accepted before others can be closed to make room for them."""

_OUT_OF_DESCRIPTORS_EVERY_S = 60.0
"""How often the log says that there are no descriptors left."""


@dataclass(frozen=True)
class ServeOptions:
    """What `batchwright serve` was asked for."""

    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 0
    token_file: Path | None = None
    token: str | None = None
    """A token given by the environment; no token file is used then."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_self_signed: bool = False
    """Whether the service makes its own certificate, in its data folder."""
    base_url: str | None = None
    job_delay: float = 0.0
    with_parent: bool = False


def serve(options: ServeOptions) -> int:
    """Serve until told to end; 0 then, and 2 with a sentence on standard error when it cannot start."""
    try:
        with open_data_dir(options.data_dir) as folder:
            _serve_folder(options, folder)
    except ServiceStartError as fault:
        print(fault, file=sys.stderr)  # noqa: T201 - the console is where the service speaks
        return 2
    return 0


def _serve_folder(options: ServeOptions, folder: DataFolder) -> None:
    """Put the parts together, and serve."""
    if options.tls_self_signed:
        options = _with_certificate(options, folder)
    token_file = None if options.token else options.token_file or folder.path / TOKEN_NAME
    accounts = _accounts(options, folder, token_file)
    listening = _listen(options.host, options.port)
    base_url = (options.base_url or _address(options, listening)).rstrip("/")
    workers = WorkerProcess(folder.path, options.job_delay)
    parts = AppState(
        database=folder.database,
        blobs=folder.blobs,
        signer=Signer(folder.settings.signing_key, clock.now),
        accounts=accounts,
        base_url=base_url,
        clock=clock.now,
        wake_worker=workers.wake,
    )
    ready = {
        "url": base_url,
        "workspace_id": folder.settings.workspace_id,
        "token_file": None if token_file is None else str(token_file.absolute()),
        "certificate_file": None if options.tls_cert is None else str(options.tls_cert.absolute()),
        "pid": os.getpid(),
    }
    server = _Server(_config(options, parts), lambda: print(json.dumps(ready), flush=True))  # noqa: T201 - the ready line
    if options.with_parent:
        threading.Thread(target=_end_with_parent, args=(server,), daemon=True).start()
    workers.start()
    try:
        server.run(sockets=[listening])
    finally:
        workers.stop()


def _with_certificate(options: ServeOptions, folder: DataFolder) -> ServeOptions:
    """The same options with the certificate of the data folder; it is made where there is none to use."""
    # Only who asks for a certificate waits for what makes one.
    from batchwright.service.self_signed import self_signed

    base_host = host_name(urlsplit(options.base_url).netloc) if options.base_url else ""
    hosts = (options.host, base_host) if base_host else (options.host,)
    try:
        files = self_signed(folder.path, hosts)
    except (OSError, ValueError) as fault:
        raise ServiceStartError(
            _("The certificate cannot be made in {folder}: {reason}").format(
                folder=folder.path, reason=getattr(fault, "strerror", None) or fault
            )
        ) from None
    return replace(options, tls_cert=files.certificate, tls_key=files.key)


def _accounts(options: ServeOptions, folder: DataFolder, token_file: Path | None) -> Accounts:
    owner = StoredAccount(
        id=folder.settings.user_id,
        email="researcher@localhost",
        first_name="Local",
        last_name="Researcher",
        tokens=frozenset({options.token} if options.token else ()),
        workspaces=(folder.settings.workspace_id,),
    )
    try:
        if token_file is not None:
            make_token(token_file)
        return Accounts(owner, token_file, folder.path / ACCOUNTS_NAME)
    except InvalidAccountsFile as fault:
        raise ServiceStartError(str(fault)) from None
    except OSError as fault:
        raise ServiceStartError(
            _("The token file {file} cannot be used: {reason}").format(file=token_file, reason=fault.strerror)
        ) from None


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; its protocol is named so that asyncio sends small answers at once.

    Without the name asyncio leaves Nagle's algorithm on, and each answer waits some 40 ms.
    """
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_WAITING_CONNECTIONS)
    except (OSError, UnicodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else _("no computer can have this name")
        raise ServiceStartError(
            _("The service cannot listen at {host}, port {port}: {reason}").format(
                host=host, port=port, reason=reason
            )
        ) from None
    return listening


def _address(options: ServeOptions, listening: socket.socket) -> str:
    """The address that clients on this computer reach the service by."""
    scheme = "https" if options.tls_cert else "http"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(options.host, options.host)  # noqa: S104 - not bound
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"


def _config(options: ServeOptions, parts: AppState) -> uvicorn.Config:
    names = frozenset({host_name(urlsplit(parts.base_url).netloc), options.host.lower()})
    if options.tls_cert is not None:
        try:
            certificates.check(options.tls_cert, options.tls_key)
        except InvalidCertificate as fault:
            raise ServiceStartError(str(fault)) from None
    config = uvicorn.Config(
        app.build(parts, names),
        http=BoundedHttp,
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=_GRACE,
        backlog=_ACCEPTED_AT_ONCE,
        ssl_certfile=options.tls_cert,
        ssl_keyfile=options.tls_key,
    )
    config.load()
    return config


class _Server(uvicorn.Server):
    """Says when it is ready, and takes a signal as an end like any other."""

    def __init__(self, config: uvicorn.Config, say_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._say_ready = say_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen, then say so."""
        asyncio.get_running_loop().set_exception_handler(_Complaints())
        await super().startup(sockets)
        if self.started:
            for listening in sockets or ():
                listening.listen(_WAITING_CONNECTIONS)  # asyncio has set it to what it accepts at once
            self._say_ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End cleanly on SIGTERM and SIGINT; uvicorn would raise them again afterwards."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.handle_exit)
        yield


class _Complaints:
    """What the event loop complains about; of missing descriptors, which it notices often, not each time."""

    def __init__(self) -> None:
        self._due = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Write a complaint to the log."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)):
            log_loop_error(loop, context)
        elif loop.time() >= self._due:
            self._due = loop.time() + _OUT_OF_DESCRIPTORS_EVERY_S
            sentence = _(
                "Too many files and connections are open; new connections wait until some are closed."
            )
            _log.warning(sentence)


def _end_with_parent(server: uvicorn.Server) -> None:
    """End the service when whoever started it closes its standard input, or is gone."""
    while os.read(sys.stdin.fileno(), 4096):
        continue
    server.should_exit = True
