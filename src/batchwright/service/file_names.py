"""File names of participants' uploads, made safe for every file system before they are stored."""

import re
from unicodedata import category, normalize

MAX_NAME_BYTES = 255
"""Of a name in UTF-8."""

_MAX_EXTENSION_BYTES = 32
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that change the text direction, end a line, or are invisible."""
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE
)
"""Device names on Windows, with or without an extension."""


def safe(name: str) -> str:
    """A name that can be stored, archived and unpacked on every system; a safe name is returned unchanged.

    Only the last part of a path is used, because some browsers send the full path. A long name is
    shortened before its extension, to 255 bytes in UTF-8.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(sign for sign in _INVISIBLE.sub("", last) if category(sign) not in ("Cc", "Cs"))
    bare = _FORBIDDEN.sub("_", normalize("NFC", visible)).strip().rstrip(". ")
    if _RESERVED.match(bare):
        bare = f"_{bare}"
    return _cut(bare) or "file"


def _cut(name: str) -> str:
    """A name shortened to the length that file systems allow, with its extension."""
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    suffix = f"{dot}{extension}" if stem and len(extension.encode()) < _MAX_EXTENSION_BYTES else ""
    cut = name.removesuffix(suffix).encode()[: MAX_NAME_BYTES - len(suffix.encode())].decode(errors="ignore")
    return cut.rstrip(". ") + suffix
