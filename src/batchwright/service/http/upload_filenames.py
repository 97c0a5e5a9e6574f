"""File names of researchers' uploads: validated, and never changed."""

from unicodedata import category
from urllib.parse import quote

from batchwright.base.i18n import _
from batchwright.base.json_values import is_valid_unicode
from batchwright.service.http.responses import bad_request

MAX_NAME_CHARACTERS = 255


def validated_filename(filename: str) -> str:
    """The name, if it is a plain file name without a path.

    Raises:
        HttpError: it contains a slash or a control character, or is too long (400).
    """
    if not 0 < len(filename) <= MAX_NAME_CHARACTERS:
        raise bad_request(_("A file name has 1 to {most} characters.").format(most=MAX_NAME_CHARACTERS))
    if any(sign in "/\\" or category(sign) == "Cc" for sign in filename) or not is_valid_unicode(filename):
        raise bad_request(_("A file name must not contain slashes or control characters."))
    return filename


def url_quoted(filename: str) -> str:
    """A file name as one segment of a path."""
    return quote(filename, safe="")
