"""Runs the service: opens the data folder, starts the worker, and serves the application with uvicorn."""

import asyncio
import errno
import ipaddress
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from batchwright.base.database import Database, StorageUnavailable
from batchwright.base.i18n import _
from batchwright.base.logging import log_loop_error
from batchwright.base.text import truncate
from batchwright.base.urls import is_base_url
from batchwright.service import certificates, clock
from batchwright.service.auth import Accounts, InvalidAccountsFile, StoredAccount, create_token_file
from batchwright.service.certificates import InvalidCertificate
from batchwright.service.data_dir import DataFolder, ServiceStartError, open_data_dir
from batchwright.service.http.app_state import AppState
from batchwright.service.http.bounded_protocol import BoundedHttpProtocol
from batchwright.service.http.middleware import host_name
from batchwright.service.listening import LISTEN_BACKLOG, listen
from batchwright.service.retention import start_retention
from batchwright.service.server import app
from batchwright.service.server.worker import WorkerProcess
from batchwright.service.signing import Signer
from batchwright.service.store.database import last_port, store_last_port

_log = logging.getLogger(__name__)

TOKEN_NAME = "token"  # noqa: S105 - the name of a file
ACCOUNTS_NAME = "accounts.json"

_KEEP_ALIVE_S = 30
_SHUTDOWN_GRACE_S = 3

_ACCEPTED_PER_ROUND = 16
"""Connections accepted in one round of the event loop, before idle ones can be closed."""

_OUT_OF_DESCRIPTORS_EVERY_S = 60.0
"""The shortest time between two log messages about missing file descriptors."""


@dataclass(frozen=True)
class ServeOptions:
    """The options of `batchwright-cli serve`."""

    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 0
    token_file: Path | None = None
    token: str | None = None
    """A token from the environment, used instead of a token file."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_self_signed: bool = False
    """Whether to use a self-signed certificate, created in the data folder."""
    base_url: str | None = None
    job_delay: float = 0.0
    with_parent: bool = False


def serve(options: ServeOptions) -> int:
    """Serve until stopped. Returns 0, or 2 with a message on standard error if the service cannot start."""
    try:
        _check_base_url(options.base_url)
        with open_data_dir(options.data_dir) as folder:
            _serve_folder(options, folder)
    except ServiceStartError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a message of the command
        return 2
    return 0


def _check_base_url(url: str | None) -> None:
    """Reject a base URL that no participant could open."""
    if url is not None and not is_base_url(url):
        text = _(
            "The base URL “{url}” is not an address such as https://study.example.org or http://host:8000."
        )
        raise ServiceStartError(text.format(url=truncate(url)))


def _warn_if_unprotected(options: ServeOptions) -> None:
    """Warn on standard error if other computers can reach a service without TLS."""
    if options.tls_cert or options.tls_self_signed or _is_loopback(options.host):
        return
    text = _(
        "Warning: without TLS, anyone on the network can read the token and all answers."
        " Use --tls-self-signed or --tls-cert, or a proxy that serves https."
    )
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a message of the command


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _serve_folder(options: ServeOptions, folder: DataFolder) -> None:
    """Open everything that the service needs, and serve."""
    if options.tls_self_signed:
        options = _with_certificate(options, folder)
    token_file = None if options.token else options.token_file or folder.path / TOKEN_NAME
    accounts = _accounts(options, folder, token_file)
    with folder.database.read() as connection:
        port = last_port(connection)
    with listen(options.host, options.port, port) as listening:
        _serve_on(listening, options, folder, accounts, token_file)


def _serve_on(
    listening: socket.socket,
    options: ServeOptions,
    folder: DataFolder,
    accounts: Accounts,
    token_file: Path | None,
) -> None:
    """Create the application, and serve it on a socket."""
    base_url = (options.base_url or _local_url(options, listening)).rstrip("/")
    workers = WorkerProcess(folder.path, options.job_delay)
    state = AppState(
        database=folder.database,
        blobs=folder.blobs,
        signer=Signer(folder.settings.signing_key, clock.now),
        accounts=accounts,
        base_url=base_url,
        clock=clock.now,
        wake_worker=workers.wake,
        worker_paused=workers.paused,
        serves_local_media=options.with_parent,
    )
    ready = {
        "url": base_url,
        "workspace_id": folder.settings.workspace_id,
        "token_file": None if token_file is None else str(token_file.absolute()),
        "certificate_file": None if options.tls_cert is None else str(options.tls_cert.absolute()),
        "pid": os.getpid(),
    }
    server = _Server(_config(options, state), lambda: print(json.dumps(ready), flush=True))  # noqa: T201 - the ready line
    _store_port(folder.database, listening)
    _warn_if_unprotected(options)
    if options.with_parent:
        threading.Thread(target=_exit_with_parent, args=(server,), daemon=True).start()
    workers.start()
    start_retention(folder, state.deleting)
    try:
        server.run(sockets=[listening])
    finally:
        workers.stop()


def _with_certificate(options: ServeOptions, folder: DataFolder) -> ServeOptions:
    """The same options with the self-signed certificate of the data folder."""
    # Imported here because `cryptography` is slow to import and rarely needed.
    from batchwright.service.self_signed import ensure_self_signed  # noqa: PLC0415

    base_host = host_name(urlsplit(options.base_url).netloc) if options.base_url else ""
    hosts = (options.host, base_host) if base_host else (options.host,)
    try:
        files = ensure_self_signed(folder.path, hosts)
    except (OSError, ValueError) as error:
        raise ServiceStartError(
            _("The certificate cannot be created in {folder}: {reason}").format(
                folder=folder.path, reason=getattr(error, "strerror", None) or error
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
            create_token_file(token_file)
        return Accounts(owner, token_file, folder.path / ACCOUNTS_NAME)
    except InvalidAccountsFile as error:
        raise ServiceStartError(str(error)) from None
    except OSError as error:
        raise ServiceStartError(
            _("The token file {file} cannot be used: {reason}").format(file=token_file, reason=error.strerror)
        ) from None


def _store_port(database: Database, listening: socket.socket) -> None:
    """Store the port for the next start; a full disk does not prevent this one."""
    with suppress(StorageUnavailable), database.write() as connection:
        store_last_port(connection, listening.getsockname()[1])


def _local_url(options: ServeOptions, listening: socket.socket) -> str:
    """The base URL for clients on this computer."""
    scheme = "https" if options.tls_cert else "http"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(options.host, options.host)  # noqa: S104 - not bound
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"


def _config(options: ServeOptions, state: AppState) -> uvicorn.Config:
    names = frozenset({host_name(urlsplit(state.base_url).netloc), options.host.lower()})
    if options.tls_cert is not None:
        try:
            certificates.check(options.tls_cert, options.tls_key)
        except InvalidCertificate as error:
            raise ServiceStartError(str(error)) from None
    config = uvicorn.Config(
        app.build(state, names),
        http=BoundedHttpProtocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_SHUTDOWN_GRACE_S,
        backlog=_ACCEPTED_PER_ROUND,
        ssl_certfile=options.tls_cert,
        ssl_keyfile=options.tls_key,
    )
    config.load()
    return config


class _Server(uvicorn.Server):
    """Calls `on_ready` once it listens, and ends without an exception on a signal."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then call `on_ready`."""
        asyncio.get_running_loop().set_exception_handler(_LoopErrorHandler())
        await super().startup(sockets)
        if self.started:
            for listening in sockets or ():
                listening.listen(LISTEN_BACKLOG)  # asyncio has set the backlog to `_ACCEPTED_PER_ROUND`
            self._on_ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Exit on SIGTERM and SIGINT; uvicorn would raise them again afterwards."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.handle_exit)
        yield


class _LoopErrorHandler:
    """Logs errors of the event loop; missing file descriptors, which it reports often, only now and then."""

    def __init__(self) -> None:
        self._due = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log an error."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)):
            log_loop_error(loop, context)
        elif loop.time() >= self._due:
            self._due = loop.time() + _OUT_OF_DESCRIPTORS_EVERY_S
            message = _(
                "Too many files and connections are open; new connections wait until some are closed."
            )
            _log.warning(message)


def _exit_with_parent(server: uvicorn.Server) -> None:
    """Stop the service when its parent closes its standard input or ends."""
    while os.read(sys.stdin.fileno(), 4096):
        continue
    server.should_exit = True
