"""A server with an event loop and a thread of its own: plain tests, async tests and processes can use it."""

import asyncio
import socket
import struct
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class ServerInThread(ABC):
    """Listens on a free port of this computer while it is used in `with`."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=type(self).__name__, daemon=True)
        self._talks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self._port = 0

    @property
    def url(self) -> str:
        """Scheme, host and port; these stay the same."""
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self.open()
        return self

    def open(self) -> None:
        """Listen, for the first time or again."""
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    def shut(self) -> None:
        """Listen no more, so that whoever wants to connect is refused; for the server itself to call."""
        self._server.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @abstractmethod
    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port, limit=1 << 20)
        (_host, self._port), *_others = [entry.getsockname() for entry in self._server.sockets]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        talk = self._loop.create_task(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self.talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # The other side went away, as these tests want it to.
        finally:
            writer.close()

    async def _end(self) -> None:
        """Leave nothing open: neither who was let in just now, nor who never took what was written."""
        # Who is being let in while a server closes keeps a socket that nobody closes: so they come in first.
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for talk in self._talks:
                talk.cancel()
            await asyncio.wait(others)
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        # One more turn, in which the closed connections let go of their sockets.
        await asyncio.sleep(0)


def reset(writer: asyncio.StreamWriter) -> None:
    """End a connection rudely: the other side gets a reset in place of an end."""
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
