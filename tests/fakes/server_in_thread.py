"""A server with a separate thread and event loop, for plain tests, async tests and processes."""

import asyncio
import socket
import struct
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class ServerInThread(ABC):
    """Listens on a free port of this computer inside a `with` block."""

    def __init__(self) -> None:
        # The usual loop of Windows has its pending accept among the tasks for which `_end` waits.
        self._loop = asyncio.SelectorEventLoop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=type(self).__name__, daemon=True)
        self._handlers: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._port = 0

    @property
    def url(self) -> str:
        """Scheme, host and port; these do not change."""
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self.open()
        return self

    def open(self) -> None:
        """Start to listen, for the first time or again."""
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    def close(self) -> None:
        """Stop listening, so that connections are refused; called by the server itself."""
        self._server.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @abstractmethod
    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection to its end."""

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port, limit=1 << 20)
        (_host, self._port), *_others = [entry.getsockname() for entry in self._server.sockets]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        handler = self._loop.create_task(self._run_handler(reader, writer))
        self._handlers.add(handler)
        handler.add_done_callback(self._handlers.discard)

    async def _run_handler(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self.handle(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # The client has disconnected, as some tests intend.
        finally:
            writer.close()

    async def _end(self) -> None:
        """Close everything: new connections, and those whose client never reads the response."""
        # A connection accepted while a server closes would keep an open socket: accept pending ones first.
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for handler in self._handlers:
                handler.cancel()
            await asyncio.wait(others)
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        # In one more iteration the closed connections release their sockets.
        await asyncio.sleep(0)


def reset(writer: asyncio.StreamWriter) -> None:
    """Reset a connection instead of closing it."""
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
