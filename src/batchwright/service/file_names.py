"""The names of files that people upload: kept as given, checked before they mean anything."""

from unicodedata import category
from urllib.parse import quote

from batchwright.records.json_values import is_whole
from batchwright.service.answering import bad_request
from batchwright.words import _

LONGEST = 255


def checked(filename: str) -> str:
    """A file name that names a file and no place.

    Raises:
        Refused: it holds a slash or a control character, or is too long (400).
    """
    if not 0 < len(filename) <= LONGEST:
        raise bad_request(_("A file name has 1 to {most} characters.").format(most=LONGEST))
    if any(sign in "/\\" or category(sign) == "Cc" for sign in filename) or not is_whole(filename):
        raise bad_request(_("A file name must not hold slashes or control characters."))
    return filename


def in_address(filename: str) -> str:
    """A file name as one step of a path."""
    return quote(filename, safe="")
