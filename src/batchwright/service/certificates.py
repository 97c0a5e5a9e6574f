"""Whether a certificate and its key can be served with, said before anybody connects (design.md 6)."""

import ssl
from pathlib import Path

from batchwright.base.i18n import _


class InvalidCertificate(Exception):
    """The service cannot show this certificate; the text says which file is wrong, and how."""


def check(certificate: Path, key: Path | None) -> None:
    """Refuse files that are missing, are not what they should be, or do not belong together.

    Without `key` the file of the certificate holds both. Nobody is asked for the password of a key.

    Raises:
        InvalidCertificate: they cannot be served with.
    """
    key_file = key or certificate
    for file in (certificate, key_file):
        _read(file)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(certificate)
    except ssl.SSLError:
        raise InvalidCertificate(
            _("{file} holds no certificate in PEM form.").format(file=certificate)
        ) from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=str)
    except ssl.SSLError as fault:
        if fault.reason == "KEY_VALUES_MISMATCH":
            sentence = _("The key in {key} does not belong to the certificate in {certificate}.")
        else:
            sentence = _("{key} holds no key in PEM form that can be read without a password.")
        raise InvalidCertificate(sentence.format(key=key_file, certificate=certificate)) from None


def _read(file: Path) -> None:
    try:
        file.read_bytes()
    except OSError as fault:
        sentence = _("The file {file} cannot be read: {reason}")
        raise InvalidCertificate(sentence.format(file=file, reason=fault.strerror)) from None
