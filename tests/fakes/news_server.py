"""The server with the news about the latest version, and signatures as minisign writes them."""

import asyncio
import hashlib
import json
from base64 import b64encode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from batchwright.base.program_info import UpdateSource
from tests.fakes.raw_http import FakeResponse, RawRequest, read_head
from tests.fakes.tls_server import TlsServer


class Signer:
    """A key of minisign."""

    def __init__(self, name: bytes = b"12345678") -> None:
        self._key, self._name = Ed25519PrivateKey.generate(), name

    @property
    def public_key(self) -> str:
        """The line with the public key."""
        raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return b64encode(b"Ed" + self._name + raw).decode()

    def signature(self, content: bytes, *, is_hashed: bool = True) -> bytes:
        """The file with the signature of a content, or of its hash."""
        kind, subject = (b"ED", hashlib.blake2b(content).digest()) if is_hashed else (b"Ed", content)
        signature = self._key.sign(subject)
        comment = b"timestamp:1700000000"
        lines = (
            b"untrusted comment: signature",
            b64encode(kind + self._name + signature),
            b"trusted comment: " + comment,
            b64encode(self._key.sign(signature + comment)),
        )
        return b"\n".join(lines) + b"\n"


class NewsServer(TlsServer):
    """Serves signed news over TLS; `responses` by target can be replaced, and others are 404."""

    def __init__(self, folder: Path, version: str = "99.1") -> None:
        super().__init__(folder)
        self.signer, self.responses = Signer(), dict[str, FakeResponse]()
        self.release({"version": version, "page": "https://example.org/news"})

    @property
    def source(self) -> UpdateSource:
        """Where a copy of the program looks for news."""
        return UpdateSource(f"{self.url}/news.json", self.signer.public_key)

    def release(self, news: object) -> None:
        """Sign news and serve them."""
        content = json.dumps(news).encode()
        self.responses["/news.json"] = FakeResponse(body=content)
        self.responses["/news.json.minisig"] = FakeResponse(body=self.signer.signature(content))

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await read_head(reader):
            request = RawRequest(head.line, head.headers)
            self.requests.append(request)
            writer.write(self.responses.get(request.target.decode(), FakeResponse(404)).to_bytes())
            await writer.drain()
