"""The names of files that people upload.

Those of researchers are kept as given, and checked before they mean anything. Those of participants are
made into names that every file system takes, once, before they are stored (`safe`).
"""

import re
from unicodedata import category, normalize
from urllib.parse import quote

from batchwright.base.i18n import _
from batchwright.base.json_values import is_valid_unicode
from batchwright.service.http.responses import bad_request

LONGEST = 255
"""Characters of a researcher's file name, and bytes in UTF-8 of a participant's."""

_LONGEST_SUFFIX = 32
_UNSEEN = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that change the direction of a text, end its line, or show nothing."""
_FORBIDDEN = re.compile(r'[<>:"|?*]')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE
)
"""What Windows takes for a device, whatever extension follows."""


def validated_filename(filename: str) -> str:
    """A file name that names a file and no place.

    Raises:
        Refused: it holds a slash or a control character, or is too long (400).
    """
    if not 0 < len(filename) <= LONGEST:
        raise bad_request(_("A file name has 1 to {most} characters.").format(most=LONGEST))
    if any(sign in "/\\" or category(sign) == "Cc" for sign in filename) or not is_valid_unicode(filename):
        raise bad_request(_("A file name must not hold slashes or control characters."))
    return filename


def url_quoted(filename: str) -> str:
    """A file name as one step of a path."""
    return quote(filename, safe="")


def safe(name: str) -> str:
    """A name that can be stored, put into an archive and unpacked anywhere; a safe one stays as it is.

    Only the last part of a path counts, which some browsers send whole. At most 255 bytes in UTF-8; a long
    name is cut before its extension.
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(sign for sign in _UNSEEN.sub("", last) if category(sign) not in ("Cc", "Cs"))
    bare = _FORBIDDEN.sub("_", normalize("NFC", shown)).strip().rstrip(". ")
    if _RESERVED.match(bare):
        bare = f"_{bare}"
    return _cut(bare) or "file"


def _cut(name: str) -> str:
    """A name cut to the bytes that file systems have room for, its extension kept."""
    if len(name.encode()) <= LONGEST:
        return name
    stem, dot, extension = name.rpartition(".")
    suffix = f"{dot}{extension}" if stem and len(extension.encode()) < _LONGEST_SUFFIX else ""
    cut = name.removesuffix(suffix).encode()[: LONGEST - len(suffix.encode())].decode(errors="ignore")
    return cut.rstrip(". ") + suffix
