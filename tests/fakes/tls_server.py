"""An echo server with TLS and a self-signed certificate."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest

from tests.fakes.echo_server import EchoServer
from tests.fakes.raw_http import FakeResponse

NAME = "service.example.org"
"""Another name in its certificate, for connections through a proxy."""


class TlsServer(EchoServer):
    """Listens with a new certificate; `certificate` is the path of the file to trust."""

    def __init__(self, folder: Path, response: FakeResponse | None = None) -> None:
        super().__init__(response)
        self.certificate = folder / "organisation.pem"
        key = folder / "key.pem"
        write_certificate(self.certificate, key)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, key)

    @property
    def url(self) -> str:
        return super().url.replace("http:", "https:")

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port, ssl=self._context)
        (_host, self._port), *_others = [socket.getsockname() for socket in self._server.sockets]


def write_certificate(path: Path, key_path: Path) -> None:
    """Write a certificate for the address of this computer and for the name, and its key."""
    pytest.importorskip(
        "cryptography", reason="creates the certificate; installed with the key ring on Linux"
    )
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.x509.oid import NameOID  # noqa: PLC0415

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Example organisation")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1")), x509.DNSName(NAME)])
    created = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(created.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
