"""A self-signed certificate, so that the service can use https without another tool.

It is created with `cryptography`, stored in the data folder, and reused at the next start as long as it is
valid for the host names of the service.
"""

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from batchwright.base.files.durable_files import write_private_file
from batchwright.service import certificates
from batchwright.service.certificates import InvalidCertificate

CERTIFICATE_NAME = "tls-certificate.pem"
KEY_NAME = "tls-key.pem"

_VALIDITY = timedelta(days=365)
_RENEW_BEFORE_EXPIRY = timedelta(days=30)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ANY_HOST = ("", "0.0.0.0", "::")  # noqa: S104 - compared with, not bound


@dataclass(frozen=True)
class SelfSignedFiles:
    """The files of a certificate and its key, which only their owner can read."""

    certificate: Path
    key: Path


def ensure_self_signed(folder: Path, hosts: Iterable[str]) -> SelfSignedFiles:
    """The certificate of a data folder for this computer and these hosts; created or renewed if necessary.

    Raises:
        OSError: the files cannot be written.
    """
    names = _host_names(hosts)
    files = SelfSignedFiles(folder / CERTIFICATE_NAME, folder / KEY_NAME)
    if not _is_valid(files, names):
        _create(files, names)
    return files


def _host_names(hosts: Iterable[str]) -> list[str]:
    """Loopback, the hosts, and the name of this computer if the service listens on all its addresses."""
    lower = [host.lower() for host in hosts]
    names = [socket.gethostname().lower() if host in _ANY_HOST else host for host in lower]
    return list(dict.fromkeys((*_LOOPBACK, *filter(None, names))))


def _is_valid(files: SelfSignedFiles, names: list[str]) -> bool:
    try:
        certificates.check(files.certificate, files.key)
        certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
        covered = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (InvalidCertificate, ValueError, x509.ExtensionNotFound):
        return False
    renewed_at = certificate.not_valid_after_utc - _RENEW_BEFORE_EXPIRY
    is_valid = certificate.not_valid_before_utc <= datetime.now(UTC) < renewed_at
    return is_valid and set(map(_general_name, names)) <= set(covered)


def _create(files: SelfSignedFiles, names: list[str]) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    owner = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Batchwright on this computer")])
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(owner)
        .issuer_name(owner)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # clocks differ
        .not_valid_after(now + _VALIDITY)
        .add_extension(x509.SubjectAlternativeName(map(_general_name, names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False
        )
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_private_file(files.key, secret.decode())
    write_private_file(files.certificate, certificate.public_bytes(Encoding.PEM).decode())


def _general_name(name: str) -> x509.GeneralName:
    """The name in a certificate, which has no zone of an address such as `fe80::1%eth0`."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        return x509.DNSName(name.encode("idna").decode())
