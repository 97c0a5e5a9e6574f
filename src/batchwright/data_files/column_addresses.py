"""The different addresses in a column of a data file."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from batchwright.base.json_values import is_array, is_object
from batchwright.base.local_media import is_local_medium
from batchwright.base.urls import is_https_url
from batchwright.data_files.formats import RecordsFile
from batchwright.data_files.reader import rows

MAX_ADDRESSES: Final = 10_000
"""Different addresses that are listed."""


@dataclass(frozen=True)
class ColumnAddresses:
    """The first different https URLs of a column, the servers that they are on, and what is not listed."""

    addresses: tuple[str, ...]
    hosts: tuple[str, ...]
    """In the order in which they occur."""
    is_cut: bool
    """Whether there are more than `MAX_ADDRESSES`."""
    has_local: bool
    """Whether some addresses stand for files of this computer."""


def column_addresses(
    file: RecordsFile, columns: tuple[str, ...], column: int, _notify: Callable[[object], object]
) -> ColumnAddresses:
    """List the different addresses in a column, counted from zero.

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    found: dict[str, None] = {}
    is_cut = has_local = False
    for entry in rows(file.path, file.format):
        content = entry.content
        if is_array(content):
            value = content[column] if column < len(content) else None
        else:
            value = content.get(columns[column]) if is_object(content) else None
        if not isinstance(value, str) or not is_https_url(value):
            continue
        if is_local_medium(value):
            has_local = True
        elif value in found or len(found) < MAX_ADDRESSES:
            found[value] = None
        else:
            is_cut = True
    hosts = dict.fromkeys(urlsplit(address).netloc.lower() for address in found)
    return ColumnAddresses(tuple(found), tuple(hosts), is_cut, has_local)
