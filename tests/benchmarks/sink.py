"""A server that takes uploads and throws them away, a thread and a buffer each; prints its port.

    python -m tests.benchmarks.sink [--tls CERTIFICATE KEY] [--rate BYTES]

`--rate` makes it a line that takes so many bytes a second, and holds little that has not gone.
"""

import argparse
import socket
import ssl
import threading
import time
from pathlib import Path

BUFFER = 1 << 20
SLOW_BUFFER, PACKET = 1 << 15, 1400
"""Bytes of a slow line: what it holds, and what it takes at a time; this computer's own takes megabytes."""


def take(connection: socket.socket, context: ssl.SSLContext | None, rate: int | None) -> None:
    """Read requests and answer each with a bare 200."""
    if context is not None:
        connection = context.wrap_socket(connection, server_side=True)
    buffer = memoryview(bytearray(BUFFER if rate is None else PACKET))
    with connection:
        while head := read_head(connection):
            left = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            begun, all_of_it = time.perf_counter(), left
            while left:
                taken = connection.recv_into(buffer, min(left, len(buffer)))
                if not taken:
                    return
                left -= taken
                if rate is not None:
                    due = begun + (all_of_it - left) / rate
                    time.sleep(max(0.0, due - time.perf_counter()))
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def read_head(connection: socket.socket) -> bytes:
    """A request's head, byte by byte so that nothing of the body is taken along; empty at the end."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return b""
        head += byte
    return head


def serve() -> None:
    """Listen until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tls", nargs=2, type=Path)
    parser.add_argument("--rate", type=int)
    wanted = parser.parse_args()
    context = None
    if wanted.tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*wanted.tls)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if wanted.rate is not None:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SLOW_BUFFER)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, PACKET)
        print(listening.getsockname()[1], flush=True)
        while True:
            given = (listening.accept()[0], context, wanted.rate)
            threading.Thread(target=take, args=given, daemon=True).start()


if __name__ == "__main__":
    serve()
