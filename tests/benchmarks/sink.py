"""A server that takes uploads and throws them away, a thread and a buffer each; prints its port."""

import socket
import threading

BUFFER = 1 << 20


def take(connection: socket.socket) -> None:
    """Read requests and answer each with a bare 200."""
    buffer = memoryview(bytearray(BUFFER))
    with connection:
        while head := read_head(connection):
            left = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            while left:
                taken = connection.recv_into(buffer, min(left, BUFFER))
                if not taken:
                    return
                left -= taken
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


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        while True:
            threading.Thread(target=take, args=(listening.accept()[0],), daemon=True).start()
