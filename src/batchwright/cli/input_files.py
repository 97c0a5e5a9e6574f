"""Reads the input files of commands: JSON, schemas and layouts."""

from collections.abc import Mapping
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.base.json_texts.json_incremental import parse_file
from batchwright.base.json_values import InvalidJson, Json, is_object
from batchwright.base.limits import LARGEST_BODY, MIB
from batchwright.data_files.file_types import YAML_SUFFIXES, require_regular
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.file_format import KEY
from batchwright.local.projects import Project, StudyKind
from batchwright.local.study_files.collection_file import ITEMS, read_yaml_collection
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import is_project, parse_project
from batchwright.local.study_files.study_file import read_study
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_schema

_LARGEST_FILE = 2 * LARGEST_BODY
"""Bytes: the size of the largest request body, doubled for white space between its values."""


class InputError(Exception):
    """A command cannot use its input; the message says why and what to do."""


def read_json(path: Path) -> Json:
    """Parse a JSON file.

    Raises:
        InputError: it is missing, cannot be read, or is not JSON.
    """
    try:
        require_regular(path)
        if path.stat().st_size > _LARGEST_FILE:
            size = _("it is larger than {most} MiB, the maximum that a service accepts")
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


def read_collection(path: Path) -> Project:
    """The collection in a JSON or YAML file as a study, unvalidated.

    Raises:
        InputError: it is missing, cannot be read, or contains no collection.
    """
    try:
        require_regular(path)
        project, _file = read_study(path)
    except UnreadableFile as error:
        reason = _("{path} cannot be read: {reason}").format(path=path, reason=error.reason)
        raise InputError(reason) from None
    except OSError as error:
        reason = _("{path} cannot be read: {reason}").format(path=path, reason=error.strerror)
        raise InputError(reason) from None
    except InvalidProjectFile as error:
        raise InputError(str(error)) from None
    if project.kind is not StudyKind.COLLECTION:
        raise InputError(_("{path} contains no collection.").format(path=path))
    return project


def read_collection_items(path: Path) -> Json:
    """The pages of a file with a collection as they are written.

    Raises:
        InputError: it is missing, cannot be read, or contains no collection.
    """
    if path.suffix.lower() not in YAML_SUFFIXES:
        value = read_json(path)
        return value.get(ITEMS) if is_object(value) else None
    try:
        return read_yaml_collection(path.read_bytes())[ITEMS]
    except InvalidProjectFile as error:
        raise InputError(str(error)) from None


def read_pages(path: Path) -> Json:
    """The pages of a layout file, unvalidated: the whole file, or `batch_items` of the object in it.

    Raises:
        InputError: it is missing, cannot be read, or is not JSON.
    """
    return _pages_in(read_json(path))


def read_pages_and_study(path: Path) -> tuple[Json, Project | None]:
    """The pages of a layout file as `read_pages` returns them, and the study if the file is one.

    Raises:
        InputError: it is missing, cannot be read, or is not JSON, or its study is damaged.
    """
    value = read_json(path)
    try:
        return _pages_in(value), parse_project(value, path.parent) if is_project(value) else None
    except InvalidProjectFile as error:
        raise InputError(str(error)) from None


def _pages_in(value: Json) -> Json:
    return value[KEY] if isinstance(value, Mapping) and KEY in value else value


def read_schema_file(path: Path) -> Schema:
    """Parse a schema file.

    Raises:
        InputError: it is missing, cannot be read, or is not a schema.
    """
    try:
        return read_schema(read_json(path))
    except InvalidSchema as error:
        sentences = " ".join(error.sentences)
        raise InputError(
            _("{path} is not a valid schema: {sentences}").format(path=path, sentences=sentences)
        ) from None
