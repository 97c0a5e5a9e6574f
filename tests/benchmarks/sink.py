"""A server that receives uploads and discards them, with a thread and a buffer per connection; prints its
port.

`python -m tests.benchmarks.sink [--tls CERTIFICATE KEY] [--rate BYTES]`

`--rate` limits it to this number of bytes per second, with small buffers.
"""

import argparse
import socket
import ssl
import threading
import time
from pathlib import Path

BUFFER = 1 << 20
SLOW_BUFFER, PACKET = 1 << 15, 1400
"""Bytes of a slow connection: its receive buffer, and its packet size."""


def receive_uploads(connection: socket.socket, context: ssl.SSLContext | None, rate: int | None) -> None:
    """Read requests and answer each with a bare 200."""
    if context is not None:
        connection = context.wrap_socket(connection, server_side=True)
    buffer = memoryview(bytearray(BUFFER if rate is None else PACKET))
    with connection:
        while head := read_head(connection):
            remaining = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            started, total = time.perf_counter(), remaining
            while remaining:
                received = connection.recv_into(buffer, min(remaining, len(buffer)))
                if not received:
                    return
                remaining -= received
                if rate is not None:
                    due = started + (total - remaining) / rate
                    time.sleep(max(0.0, due - time.perf_counter()))
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def read_head(connection: socket.socket) -> bytes:
    """The head of a request, read byte by byte so that the body is not read; empty at the end."""
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
    options = parser.parse_args()
    context = None
    if options.tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options.tls)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if options.rate is not None:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SLOW_BUFFER)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, PACKET)
        print(listening.getsockname()[1], flush=True)
        while True:
            arguments = (listening.accept()[0], context, options.rate)
            threading.Thread(target=receive_uploads, args=arguments, daemon=True).start()


if __name__ == "__main__":
    serve()
