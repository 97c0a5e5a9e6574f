"""One program for each user: a second start hands over its files and ends."""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_PATIENCE = 3000
"""Milliseconds that a second start waits for the answer of the first one."""
_ENDS_WITHIN = 15_000
"""Milliseconds that a second start waits for the first one, which may be just starting, or ending."""
_ATTEMPT = 100
_LARGEST = 1 << 20


class SingleInstance(QObject):
    """The right to be the program for a data folder, and the ear for other starts.

    The right is a lock file, which the system frees of a holder that has died; the ear is a local socket that
    only this user can reach.
    """

    files_received = Signal(list)
    """Another start asked for these files (paths, perhaps none): show a window for them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._name = _name_for(folder)
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None

    def acquire(self) -> bool:
        """Become the program; False when another one is."""
        if not self._lock.tryLock(0):
            return False
        QLocalServer.removeServer(self._name)  # left over from a holder that has died
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_new_connection)
        self._server.listen(self._name)
        return True

    def acquire_or_send(self, files: Sequence[Path]) -> bool | None:
        """Become the program (True), or give these files to the one that runs (False).

        One that is ending takes no files, and is waited for. None when another one neither answers nor ends.
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
        """Give the program that runs these files; False when it does not answer."""
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
        """Take no more files: the program is ending, and could not show them."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for socket in self.findChildren(QLocalSocket):
            socket.abort()

    def release(self) -> None:
        """Let another start become the program."""
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
                self._on_line(socket)

    def _on_ready_read(self) -> None:
        socket = self.sender()
        if isinstance(socket, QLocalSocket) and socket.canReadLine():
            self._on_line(socket)

    def _on_line(self, socket: QLocalSocket) -> None:
        files = _files_in(bytes(socket.readLine(_LARGEST).data()))
        if files is not None:
            socket.write(b"ok\n")
            socket.flush()
            self.files_received.emit(files)


def _files_in(line: bytes) -> list[Path] | None:
    """The files that another start names; None for what no start of ours would write."""
    try:
        names = json.loads(line)
    except ValueError:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    return [Path(name) for name in names]


def _name_for(folder: Path) -> str:
    """The socket's name: one for each user and data folder."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    digest = hashlib.sha256(f"{user}:{folder.resolve()}".encode()).hexdigest()[:16]
    return f"batchwright-{digest}"
