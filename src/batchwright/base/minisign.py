"""Signatures of minisign (Ed25519), which https://jedisct1.github.io/minisign describes.

A public key and a signature are files of a comment line and a line in Base64: two letters for the
algorithm, eight bytes that name the key, and the key or the signature itself. The signature is that of the
content, or of its BLAKE2b hash. The trusted comment below a signature is not read: nothing here shows it.
"""

import binascii
import hashlib
from base64 import b64decode

from batchwright.base.i18n import _

_KEY, _OF_CONTENT, _OF_HASH = b"Ed", b"Ed", b"ED"
_NAME = slice(2, 10)
_KEY_LENGTH, _SIGNATURE_LENGTH = 2 + 8 + 32, 2 + 8 + 64


def signature_error(content: bytes, signature: bytes, key: str) -> str:
    """Why a content does not count as signed with a key, as a part of a sentence; empty if it does.

    Args:
        content: what was signed.
        signature: the file with the signature.
        key: the public key: the line in Base64, without its comment.
    """
    # Imported here because `cryptography` is slow to import and rarely needed.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    public = _decoded(key)
    if len(public) != _KEY_LENGTH or not public.startswith(_KEY):
        return _("the key of this copy is not valid")
    lines = signature.decode("utf-8", errors="replace").splitlines()
    signed = _decoded(lines[1]) if len(lines) > 1 else b""
    if len(signed) != _SIGNATURE_LENGTH or not signed.startswith((_OF_CONTENT, _OF_HASH)):
        return _("its signature is not one of minisign")
    if signed[_NAME] != public[_NAME]:
        return _("it is signed with another key")
    subject = hashlib.blake2b(content).digest() if signed.startswith(_OF_HASH) else content
    try:
        Ed25519PublicKey.from_public_bytes(public[_NAME.stop :]).verify(signed[_NAME.stop :], subject)
    except InvalidSignature:
        return _("it was changed after it was signed")
    return ""


def _decoded(line: str) -> bytes:
    """A line in Base64; empty if it is something else."""
    try:
        return b64decode(line.strip(), validate=True)
    except (binascii.Error, ValueError):
        return b""
