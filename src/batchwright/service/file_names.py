"""Names of participants' files, made safe for every file system before they are stored."""

import re
from unicodedata import category, normalize

MAX_NAME_BYTES = 255
"""Of a name in UTF-8."""

_MAX_EXTENSION_BYTES = 32
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that change the direction of a text, end its line, or show nothing."""
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE
)
"""What Windows takes for a device, whatever extension follows."""


def safe(name: str) -> str:
    """A name that can be stored, put into an archive and unpacked anywhere; a safe one stays as it is.

    Only the last part of a path counts, which some browsers send whole. At most 255 bytes in UTF-8; a long
    name is cut before its extension.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in _INVISIBLE.sub("", last) if category(sign) not in ("Cc", "Cs"))
    bare = _FORBIDDEN.sub("_", normalize("NFC", shown)).strip().rstrip(". ")
    if _RESERVED.match(bare):
        bare = f"_{bare}"
    return _cut(bare) or "file"


def _cut(name: str) -> str:
    """A name cut to the bytes that file systems have room for, its extension kept."""
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    suffix = f"{dot}{extension}" if stem and len(extension.encode()) < _MAX_EXTENSION_BYTES else ""
    cut = name.removesuffix(suffix).encode()[: MAX_NAME_BYTES - len(suffix.encode())].decode(errors="ignore")
    return cut.rstrip(". ") + suffix
