"""HTTP as the server reads it: heads of requests are bounded, and refusals have our shape."""

from http import HTTPStatus

from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from batchwright.records.json_values import render
from batchwright.wire.errors import general_error
from batchwright.words import _

LARGEST_HEAD = 1024 * 1024
"""How many bytes may come without a whole head, a piece of a body or an end among them."""


class BoundedHttp(HttpToolsProtocol):
    """Uvicorn's protocol, which alone would gather the head of a request without end in memory."""

    _unread = 0

    @override
    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._unread += len(data)
        if self._unread > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("")

    @override
    def on_headers_complete(self) -> None:
        self._unread = 0
        super().on_headers_complete()

    @override
    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    @override
    def on_message_complete(self) -> None:
        self._unread = 0
        super().on_message_complete()

    @override
    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request like everything else that is refused (wire.md 2.1)."""
        status = HTTPStatus.BAD_REQUEST
        body = render(general_error(status, _("This is no HTTP request that can be read."))).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
