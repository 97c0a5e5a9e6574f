"""The `batch_items` file format: an array of pages, or an object with one under `batch_items`.

Writing a file back gives JSON equal to what was read; bool, int and float are kept apart.
A study remembers whether its layout file was a plain array or an object, and writes it back in the same
form, so that files of the official client can still be read there. `base.files.atomic_files` writes the
bytes.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.base.json_texts.json_incremental import parse_file
from batchwright.base.json_values import InvalidJson, Json, JsonObject, is_array, to_json
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, write

KEY = "batch_items"
"""The key of the pages in an object such as a batch (wire reference, section 5.1)."""


class InvalidLayoutFile(ValueError):
    """A text or value is not a layout.

    `reason` is a sentence for the user; `line` and `column` count from 1, and are None where there is no
    single position.
    """

    def __init__(self, reason: str, line: int | None = None, column: int | None = None) -> None:
        path = _(" (line {line}, column {column})").format(line=line, column=column)
        super().__init__(f"{reason}{path}" if line else reason)
        self.reason = reason
        self.line = line
        self.column = column


@dataclass(frozen=True)
class LayoutFile:
    """The content of a layout file; `around` is the object that contained the pages, without the pages."""

    layout: Layout
    around: JsonObject | None = None


def read_file(content: bytes, keys: Iterator[str]) -> LayoutFile:
    """The layout of a file's content, as `parse_file` takes it.

    Raises:
        InvalidLayoutFile: the content is not JSON, or has no array of pages.
    """
    try:
        value = parse_file(content)
    except InvalidJson as error:
        reason = _("The file is not valid JSON: {reason}.").format(reason=error.reason)
        raise InvalidLayoutFile(reason, error.line, error.column) from None
    return parse_layout_value(value, content, keys)


def parse_layout_value(value: Json, content: bytes, keys: Iterator[str]) -> LayoutFile:
    """The layout of a file whose content has been parsed already.

    The pages are removed from the value one by one, so that a long layout is not in memory twice and is not
    freed all at once.

    Raises:
        InvalidLayoutFile: the value has no array of pages.
    """
    pages = value.get(KEY) if isinstance(value, Mapping) else value
    if not is_array(pages):
        raise InvalidLayoutFile(_sentence(value), *_start(content))
    around = {**value, KEY: None} if isinstance(value, Mapping) else None
    return LayoutFile(read(_pop_pages(pages), keys), around)


def file_content(file: LayoutFile) -> bytes:
    """The bytes to write: indented JSON with a final line break; other keys keep their order."""
    pages = write(file.layout)
    content: Json = pages if file.around is None else {**file.around, KEY: pages}
    return to_json(content, indent=2).encode() + b"\n"


def _pop_pages(pages: Sequence[Json]) -> Iterator[Json]:
    """The pages in order, each removed from its array."""
    if isinstance(pages, list):
        pages.reverse()
        while pages:
            yield pages.pop()
    else:
        yield from pages


def _sentence(value: Json) -> str:
    match value:
        case Mapping() if value.get(KEY, ...) is None:
            return _("`batch_items` is null: this batch was created with instructions and has no layout.")
        case Mapping() if KEY in value:
            return _("`batch_items` must be an array of pages.")
        case Mapping():
            return _(
                "The object has no `batch_items`. A layout file contains an array of pages, or an object "
                "with one under that key."
            )
    return _("A layout file contains an array of pages, or an object with one under `batch_items`.")


def _start(content: bytes) -> tuple[int, int]:
    """Line and column of the first character that is not white space, counted from 1."""
    text = content.removeprefix(codecs.BOM_UTF8) if content[:1] not in b"\xff\xfe" else b""
    *lines, last = text[: len(text) - len(text.lstrip())].split(b"\n")
    return len(lines) + 1, len(last) + 1
