"""Checks that a certificate and its key can be used, before the service accepts connections."""

import ssl
from pathlib import Path

from batchwright.base.i18n import _


class InvalidCertificate(Exception):
    """The service cannot use this certificate; the text names the file and the error."""


def check(certificate: Path, key: Path | None) -> None:
    """Reject files that are missing, not valid, or do not belong together.

    Without `key`, the certificate file contains both. Keys with a password are not supported.

    Raises:
        InvalidCertificate: the files cannot be used.
    """
    key_file = key or certificate
    for file in (certificate, key_file):
        _read(file)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_verify_locations(certificate)
    except ssl.SSLError:
        raise InvalidCertificate(
            _("{file} does not contain a certificate in PEM format.").format(file=certificate)
        ) from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=str)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            message = _("The key in {key} does not belong to the certificate in {certificate}.")
        else:
            message = _("{key} does not contain a key in PEM format that can be read without a password.")
        raise InvalidCertificate(message.format(key=key_file, certificate=certificate)) from None


def _read(file: Path) -> None:
    try:
        file.read_bytes()
    except OSError as error:
        message = _("The file {file} cannot be read: {reason}")
        raise InvalidCertificate(message.format(file=file, reason=error.strerror)) from None
