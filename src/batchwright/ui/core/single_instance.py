"""Ensures that only one instance of the program runs per user and data folder.

A second instance sends the files it was started with to the running one and exits.
"""

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_ENDS_WITHIN = 15_000
"""Milliseconds that a second instance waits while the first one is starting, busy, or about to exit."""
_ATTEMPT = 100
_LARGEST = 1 << 20
_LOCK_SIZE = 1024
"""Bytes that are more than enough for the lock file."""

_log = logging.getLogger(__name__)


class NoResponse(Exception):
    """Another instance holds the lock of the data folder, and does not respond."""


class SingleInstance(QObject):
    """Lock and message channel of the running instance.

    The lock is a `QLockFile`; the lock of a process that has crashed is taken over. The channel is a
    `QLocalServer` that only the same user can connect to.
    """

    files_received = Signal(list)
    """Another instance was started with these files (a list of paths, possibly empty): show a window for
    them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder, self._addresses = folder, _addresses(folder)
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None

    def acquire(self) -> bool:
        """Become the running instance; returns False if another process holds the lock.

        Raises:
            OSError: the lock file cannot be written.
        """
        if not self._lock.tryLock(0) and not self._take_over_own_id():
            if self._lock.error() is not QLockFile.LockError.LockFailedError:
                self._require_space()
            return False
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_new_connection)
        if not any(map(self._listens, self._addresses)):
            _log.warning("Other starts cannot send files here: %s", self._server.errorString())
        return True

    def _listens(self, address: str) -> bool:
        """Start to listen at an address; returns False if that is not possible."""
        QLocalServer.removeServer(address)  # left over from a process that has crashed
        return self._server is not None and self._server.listen(address)

    def _require_space(self) -> None:
        """Write to the folder what the lock file would need: Qt does not pass on the error of the system."""
        try:
            with TemporaryFile(buffering=0, dir=self._folder) as file:
                file.write(bytes(_LOCK_SIZE))
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._folder)) from None

    def _take_over_own_id(self) -> bool:
        """Take over the lock of a process that has crashed and had the id that this one has now.

        The file names a process that is running, and Qt does not notice that it is this one. Ids come again
        on Windows, and in containers each start has the same. A lock that is held is not removed.
        """
        process = self._lock.getLockInfo()[0]
        return process == os.getpid() and self._lock.removeStaleLockFile() and self._lock.tryLock(0)

    def acquire_or_send(self, files: Sequence[Path]) -> bool:
        """Become the running instance (True), or send the files to the one that is (False).

        An instance that is exiting accepts no files; this waits for it to exit.

        Raises:
            NoResponse: the other instance neither acknowledges the files nor exits in time.
            OSError: the data folder cannot be written to.
        """
        deadline = QDeadlineTimer(_ENDS_WITHIN)
        while not self.acquire():
            if self._send(files, deadline):
                return False
            if deadline.hasExpired():
                raise NoResponse
            QThread.msleep(_ATTEMPT)
        return True

    def _send(self, files: Sequence[Path], deadline: QDeadlineTimer) -> bool:
        """Send files to the running instance; returns False if it exits or does not acknowledge them.

        They are sent once: one that is busy would open each file again that comes again.
        """
        socket = QLocalSocket()
        for address in self._addresses:
            socket.connectToServer(address)
            if socket.waitForConnected(_ATTEMPT):
                break
        else:
            return False
        socket.write(json.dumps([os.path.realpath(file) for file in files]).encode() + b"\n")
        socket.flush()
        answered = socket.waitForReadyRead(deadline.remainingTime())
        socket.disconnectFromServer()
        return answered

    def stop_listening(self) -> None:
        """Accept no more files: the program is exiting and could not show them."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for socket in self.findChildren(QLocalSocket):
            socket.abort()

    def release(self) -> None:
        """Release the lock, so that another instance can start."""
        self.stop_listening()
        self._lock.unlock()

    def _on_new_connection(self) -> None:
        if self._server is None:
            return
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.setParent(self)
            socket.readyRead.connect(self._on_ready_read)
            socket.disconnected.connect(socket.deleteLater)
            if socket.canReadLine():
                self._on_message(socket)

    def _on_ready_read(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket) and socket.canReadLine():
            self._on_message(socket)

    def _on_message(self, socket: QLocalSocket) -> None:
        files = _files_in(bytes(socket.readLine(_LARGEST).data()))
        if files is not None:
            socket.write(b"ok\n")
            socket.flush()
            self.files_received.emit(files)


def _files_in(line: bytes) -> list[Path] | None:
    """The files in a message from another instance; None if the message is not valid."""
    try:
        names = json.loads(line)
    except ValueError:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    return [Path(name) for name in names]


def _addresses(folder: Path) -> tuple[str, ...]:
    """Where the local socket can be, the best place first: one per user and data folder.

    In the data folder, every start finds it, whatever its environment says. Where that cannot be, as with a
    long path or on some network drives, and on Windows, the socket has a name of its own.
    """
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    digest = hashlib.sha256(f"{user}:{folder.resolve()}".encode()).hexdigest()[:16]
    name = f"batchwright-{digest}"
    return (name,) if os.name == "nt" else (str(folder.resolve() / "window.socket"), name)
