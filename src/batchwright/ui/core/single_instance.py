"""Ensures that only one instance of the program runs per user and data folder.

A second instance sends the files it was started with to the running one and exits.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_PATIENCE = 3000
"""Milliseconds that a second instance waits for the running one to acknowledge its files."""
_ENDS_WITHIN = 15_000
"""Milliseconds that a second instance keeps trying while the first one is starting or about to exit."""
_ATTEMPT = 100
_LARGEST = 1 << 20


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
        self._name = _name_for(folder)
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None

    def acquire(self) -> bool:
        """Become the running instance; returns False if another process holds the lock."""
        if not self._lock.tryLock(0) and not self._take_over_own_id():
            return False
        QLocalServer.removeServer(self._name)  # left over from a process that has crashed
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_new_connection)
        self._server.listen(self._name)
        return True

    def _take_over_own_id(self) -> bool:
        """Take over the lock of a process that has crashed and had the id that this one has now.

        The file names a process that is running, and Qt does not notice that it is this one. Ids come again
        on Windows, and in containers each start has the same. A lock that is held is not removed.
        """
        process = self._lock.getLockInfo()[0]
        return process == os.getpid() and self._lock.removeStaleLockFile() and self._lock.tryLock(0)

    def acquire_or_send(self, files: Sequence[Path]) -> bool | None:
        """Become the running instance (True), or send the files to the one that is (False).

        An instance that is exiting accepts no files; this waits for it to exit. None if the other instance
        neither acknowledges the files nor exits in time.
        """
        deadline = QDeadlineTimer(_ENDS_WITHIN)
        while not self.acquire():
            if self._send(files):
                return False
            if deadline.hasExpired():
                return None
            QThread.msleep(_ATTEMPT)
        return True

    def _send(self, files: Sequence[Path]) -> bool:
        """Send files to the running instance; returns False if it does not acknowledge them."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_ATTEMPT):
            return False
        socket.write(json.dumps([str(file.resolve()) for file in files]).encode() + b"\n")
        socket.flush()
        answered = socket.waitForReadyRead(_PATIENCE)
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


def _name_for(folder: Path) -> str:
    """The name of the local socket: one per user and data folder."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    digest = hashlib.sha256(f"{user}:{folder.resolve()}".encode()).hexdigest()[:16]
    return f"batchwright-{digest}"
