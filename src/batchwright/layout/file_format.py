"""A `batch_items` file: an array of pages, or an object that holds one.

Writing a file back gives JSON equal to what was read; bool, int and float are kept apart.
Putting the bytes on disk is the business of `local.whole_files`.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.base.json_incremental import parse_file
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_array, to_json
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, write

KEY = "batch_items"
"""Where an object around a layout, such as a batch, holds its pages (wire reference, section 5.1)."""


class InvalidLayoutFile(ValueError):
    """A text holds no layout.

    `reason` says why in a sentence; `line` and `column` count from 1, and are None where there is no
    single place.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        path = _(" (line {line}, column {column})").format(line=line, column=column)
        super().__init__(f"{reason}{path}" if line else reason)
        self.reason = reason
        self.line = line
        self.column = column


@dataclass(frozen=True)
class LayoutFile:
    """A layout as a file holds it; `around` is the object around it without its pages, if there is one."""

    layout: Layout
    around: JsonObject | None = None


def read_file(content: bytes, keys: Iterator[str]) -> LayoutFile:
    """The layout of a file's content, as `parse_file` takes it.

    Raises:
        InvalidLayoutFile: it is no JSON, or holds no array of pages.
    """
    try:
        value = parse_file(content)
    except InvalidJson as error:
        reason = _("The file is no JSON: {reason}.").format(reason=error.reason)
        raise InvalidLayoutFile(reason, error.line, error.column) from None
    return parse_layout_value(value, content, keys)


def parse_layout_value(value: Json, content: bytes, keys: Iterator[str]) -> LayoutFile:
    """The layout of a file whose content has been read as a value.

    The pages are taken out of that one by one, so that a long layout is not held twice, nor let go at once.

    Raises:
        InvalidLayoutFile: it holds no array of pages.
    """
    pages = value.get(KEY) if isinstance(value, Mapping) else value
    if not is_array(pages):
        raise InvalidLayoutFile(_sentence(value), *_start(content))
    around = {**value, KEY: None} if isinstance(value, Mapping) else None
    return LayoutFile(read(_pop_pages(pages), keys), around)


def file_content(file: LayoutFile) -> bytes:
    """The content to write: indented, ending in a line break, the keys around the layout in their order."""
    pages = write(file.layout)
    content: Json = pages if file.around is None else {**file.around, KEY: pages}
    return to_json(content, indent=2).encode() + b"\n"


def _pop_pages(pages: Sequence[Json]) -> Iterator[Json]:
    """Each page, no longer held by its array."""
    if isinstance(pages, list):
        pages.reverse()
        while pages:
            yield pages.pop()
    else:
        yield from pages


def _sentence(value: Json) -> str:
    match value:
        case Mapping() if value.get(KEY, ...) is None:
            return _("`batch_items` is null: this is a batch made with instructions, which has no layout.")
        case Mapping() if KEY in value:
            return _("`batch_items` must be an array of pages.")
        case Mapping():
            return _(
                "The object has no `batch_items`. A layout file holds an array of pages, alone or there."
            )
    return _("A layout file holds an array of pages, or an object with one under `batch_items`.")


def _start(content: bytes) -> tuple[int, int]:
    """Line and column of the first character that is not blank."""
    text = content.removeprefix(codecs.BOM_UTF8) if content[:1] not in b"\xff\xfe" else b""
    *lines, last = text[: len(text) - len(text.lstrip())].split(b"\n")
    return len(lines) + 1, len(last) + 1
