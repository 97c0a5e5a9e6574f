"""The files that commands are given: JSON, schemas and layouts."""

from collections.abc import Mapping
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_incremental import parse_file
from batchwright.base.json_values import InvalidJson, Json
from batchwright.base.limits import LARGEST_BODY, MIB
from batchwright.data_files.file_types import require_regular
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.file_format import KEY
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_schema

_LARGEST_FILE = 2 * LARGEST_BODY
"""Bytes: a body, with blanks between its values."""


class InputError(Exception):
    """A command cannot go on with what it was given; the text says why and what to do."""


def read_json(path: Path) -> Json:
    """The JSON in a file.

    Raises:
        Unusable: it is missing, cannot be read, or is no JSON.
    """
    try:
        require_regular(path)
        if path.stat().st_size > _LARGEST_FILE:
            size = _("it is larger than {most} MiB; no service takes so much")
            raise InputError(
                _("{path} cannot be read: {reason}").format(
                    path=path, reason=size.format(most=_LARGEST_FILE // MIB)
                )
            )
        return parse_file(path.read_bytes())
    except UnreadableFile as error:
        raise InputError(
            _("{path} cannot be read: {reason}").format(path=path, reason=error.reason)
        ) from None
    except OSError as fault:
        raise InputError(
            _("{path} cannot be read: {reason}").format(path=path, reason=fault.strerror)
        ) from None
    except InvalidJson as fault:
        place = _(" (line {line}, column {column})").format(line=fault.line, column=fault.column)
        raise InputError(
            _("{path} is not valid JSON: {reason}{place}").format(
                path=path, reason=fault.reason, place=place if fault.line else ""
            )
        ) from None


def read_pages(path: Path) -> Json:
    """What stands where the pages of a layout belong: all of a file, or `batch_items` of the object in it.

    Raises:
        Unusable: it is missing, cannot be read, or is no JSON.
    """
    value = read_json(path)
    return value[KEY] if isinstance(value, Mapping) and KEY in value else value


def read_schema_file(path: Path) -> Schema:
    """The schema in a file.

    Raises:
        Unusable: it is missing, cannot be read, or is no schema.
    """
    try:
        return read_schema(read_json(path))
    except InvalidSchema as fault:
        sentences = " ".join(fault.sentences)
        raise InputError(
            _("{path} is no schema: {sentences}").format(path=path, sentences=sentences)
        ) from None
