"""Parses project files; a plain `batch_items` file is opened as a project with only a layout."""

from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

from batchwright.base.i18n import _, is_language_tag
from batchwright.base.json_texts.json_incremental import parse_file
from batchwright.base.json_values import (
    DEEPEST_WRAPPED,
    InvalidJson,
    Json,
    JsonObject,
    is_array,
    is_object,
    is_valid_unicode,
)
from batchwright.data_files.conversion.conversion import read_conversion
from batchwright.data_files.file_types import STUDY_KEY
from batchwright.data_files.formats import Format, FormatKind
from batchwright.layout.file_format import KEY, InvalidLayoutFile, LayoutFile, parse_layout_value
from batchwright.layout.model import Layout
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import (
    DataFile,
    LanguageBinding,
    LastSent,
    Project,
    RemoteBinding,
    StudyKind,
    empty_task_details,
)
from batchwright.local.study_files.project_migrations import InvalidProjectFile, migrate
from batchwright.schema.model import Schema
from batchwright.schema.parsing import InvalidSchema, read_stored_schema

if TYPE_CHECKING:  # translations and the wire models are not needed before a study is open
    from batchwright.layout.translations import TextAddress, Translation, Translations
    from batchwright.wire.batches import TaskDetails


def read_project(content: bytes, folder: Path | None = None) -> Project:
    """Parse the content of a project file or of a plain `batch_items` file.

    Args:
        content: the bytes, as for `parse_file`.
        folder: folder of the file, which relative paths in it refer to.

    Raises:
        InvalidProjectFile: it is not JSON, of a newer version, or damaged.
    """
    value = read_json(content)
    return (
        parse_project(value, folder)
        if is_project(value)
        else project_from_layout(read_layout(content, value))
    )


def read_json(content: bytes) -> Json:
    """Parse the JSON of a study file; a project may be nested more deeply than the layout in it.

    Raises:
        InvalidProjectFile: it is not JSON.
    """
    try:
        return parse_file(content)
    except InvalidJson as error:
        with suppress(InvalidJson):
            if is_project(value := parse_file(content, DEEPEST_WRAPPED)):
                return value
        raise InvalidProjectFile(_("The file is not valid JSON: {reason}.").format(reason=error)) from None


def is_project(value: Json) -> TypeGuard[JsonObject]:
    """Whether a value is a project of any version; otherwise it may be a plain layout."""
    return is_object(value) and STUDY_KEY in value


def parse_project(value: JsonObject, folder: Path | None = None) -> Project:
    """Parse a project of any version.

    Raises:
        InvalidProjectFile: it is of a newer version, or damaged.
    """
    return _project(migrate(value), folder or Path())


def read_layout(content: bytes, value: Json) -> LayoutFile:
    """Parse the layout of a plain `batch_items` file, given its content and its JSON value.

    Raises:
        InvalidProjectFile: it contains no array of pages.
    """
    try:
        return parse_layout_value(value, content, random_keys())
    except InvalidLayoutFile as error:
        raise InvalidProjectFile(str(error)) from None


def project_from_layout(file: LayoutFile) -> Project:
    """Create a project from a plain layout file.

    It has the layout, and name and task details of the enclosing object, if there is one.

    Raises:
        InvalidProjectFile: the task details are invalid.
    """
    around = file.around or {}
    name = around.get("name")
    return Project(
        name if isinstance(name, str) else "",
        file.layout,
        details=read_task_details(around.get("task_details")),
    )


_KNOWN_KEYS = frozenset(
    {
        STUDY_KEY,
        KEY,
        "data",
        "keys",
        "kind",
        "language",
        "name",
        "page_names",
        "remotes",
        "schema",
        "study_id",
        "task_details",
        "tasks_per_group",
        "translations",
    }
)


def _project(value: JsonObject, folder: Path) -> Project:
    layout, has_its_keys = _layout(value)
    project = Project(
        name=_text(value, "name"),
        layout=layout,
        schema=_schema(value.get("schema")),
        details=read_task_details(value.get("task_details")),
        data=_data(value.get("data"), folder),
        remotes=_remotes(value.get("remotes")),
        tasks_per_group=_count(value, "tasks_per_group", 1),
        kind=_kind(value),
        language=_language(value.get("language")),
        translations=_translations(value.get("translations")),
        study_id=_study_id(value.get("study_id")),
        unknown_keys={key: inner for key, inner in value.items() if key not in _KNOWN_KEYS},
    )
    if has_its_keys:
        return replace(project, page_names=_texts(value, "page_names"))
    # Nodes were added or removed by hand: data that refers to the keys cannot be assigned any more.
    return replace(
        _with_translations_of_same_texts(project),
        remotes={name: entry.with_ids_mapped(lambda _ids: {}) for name, entry in project.remotes.items()},
        page_names={},
    )


def _with_translations_of_same_texts(project: Project) -> Project:
    if not project.translations:
        return project
    from batchwright.layout.translations import assigned_anew

    translations = assigned_anew(project.translations, project.participant_texts.texts())
    return replace(project, translations=translations)


def _layout(value: JsonObject) -> tuple[Layout, bool]:
    """The layout, and whether the stored keys still match its nodes."""
    pages = value.get(KEY, [])
    if not is_array(pages):
        raise _damaged(KEY)
    stored_keys = value.get("keys")
    keys = [key for key in stored_keys if isinstance(key, str)] if is_array(stored_keys) else []
    layout = read(pages, chain(keys, random_keys()))
    count = sum(1 for _entry in layout.walk_all())
    if count == len(keys) == len(set(keys)):
        return layout, True
    return read(pages, random_keys()), False


def _kind(value: JsonObject) -> StudyKind:
    """The kind of a study; files of older versions have none and contain batches."""
    kind = value.get("kind", StudyKind.BATCH.value)
    if kind not in tuple(StudyKind):
        raise _damaged("kind")
    return StudyKind(str(kind))


def _language(value: Json) -> str:
    """The language of the participants; what is no language tag is none."""
    return value if isinstance(value, str) and is_language_tag(value) else ""


def _translations(value: Json) -> "Translations":
    """The translations by language, without entries that are none and languages without a tag."""
    if value is None:
        return {}
    if not is_object(value):
        raise _damaged("translations")
    return {
        language: dict(filter(None, map(_translation, entries)))
        for language, entries in value.items()
        if _language(language) and is_array(entries)
    }


def _translation(value: Json) -> "tuple[TextAddress, Translation] | None":
    from batchwright.layout.translations import TextAddress, Translation

    if not is_object(value):
        return None
    names = (*TextAddress._fields, *Translation._fields)
    parts = {name: text for name in names if isinstance(text := value.get(name, ""), str)}
    if len(parts) < len(names) or not parts["attribute"]:
        return None
    address = TextAddress(**{name: parts[name] for name in TextAddress._fields})
    return address, Translation(parts["text"], parts["source"])


def _study_id(value: Json) -> str:
    """The id; an invalid one is replaced when the study is opened."""
    return value if isinstance(value, str) and is_valid_unicode(value) else ""


def _schema(value: Json) -> Schema | None:
    """The schema; one that a service would reject is a problem for the window to show, not a damaged file."""
    try:
        return None if value is None else read_stored_schema(value)
    except InvalidSchema as error:
        raise InvalidProjectFile(
            _("The schema of the study is not valid: {errors}").format(errors=error)
        ) from None


def read_task_details(value: Json) -> "TaskDetails":
    """Parse the task details in a file; empty if there are none.

    Raises:
        InvalidProjectFile: a text is missing or of the wrong type.
    """
    from pydantic import ValidationError

    from batchwright.wire.batches import TaskDetails

    if value is None:
        return empty_task_details()
    try:
        return TaskDetails.model_validate(value)
    except ValidationError:
        raise _damaged("task_details") from None


def _data(value: Json, folder: Path) -> DataFile | None:
    if value is None:
        return None
    if not is_object(value):
        raise _damaged("data")
    digest, conversion = value.get("sha256"), value.get("conversion")
    return DataFile(
        path=folder / _text(value, "path"),
        size=_count(value, "size", 0),
        format=_form(value.get("format")),
        sha256=digest if isinstance(digest, str) else None,
        columns=_names(value.get("columns")),
        excluded_columns=_names(value.get("left_out")),
        conversion=read_conversion(conversion) if is_object(conversion) else None,
    )


def _form(value: Json) -> Format:
    if not is_object(value) or value.get("kind") not in tuple(FormatKind):
        raise _damaged("data")
    kind = FormatKind(str(value["kind"]))
    texts = {
        name: text for name in ("encoding", "delimiter", "quote") if isinstance(text := value.get(name), str)
    }
    return Format(kind, **texts, header=value.get("header") is not False)


def _remotes(value: Json) -> dict[str, RemoteBinding]:
    if value is None:
        return {}
    if not is_object(value):
        raise _damaged("remotes")
    return {name: _remote(entry) for name, entry in value.items()}


def _remote(value: Json) -> RemoteBinding:
    if not is_object(value):
        raise _damaged("remotes")
    delivered, languages = value.get("delivered"), value.get("languages")
    return RemoteBinding(
        **_ids(value, "workspace_id", "dataset_id", "import_id", "batch_id", "collection_id"),
        ids=_texts(value, "ids"),
        is_filled=value.get("is_filled") is True,
        delivered=delivered if isinstance(delivered, str) else None,
        lacks_schema=value.get("lacks_schema") is True,
        last_sent=_last_sent(value.get("last_sent")),
        languages={
            language: LanguageBinding(
                **_ids(of, "batch_id", "collection_id"),
                ids=_texts(of, "ids"),
                last_sent=_last_sent(of.get("last_sent")),
            )
            for language, of in (languages if is_object(languages) else {}).items()
            if is_object(of)
        },
    )


def _ids(value: JsonObject, *names: str) -> dict[str, str]:
    return {name: text for name in names if isinstance(text := value.get(name), str)}


def _last_sent(value: Json) -> LastSent | None:
    if not is_object(value):
        return None
    sent, returned, at = (value.get(name) for name in ("sent", "returned", "at"))
    if not (isinstance(sent, str) and isinstance(returned, str) and isinstance(at, str)):
        return None
    content = value.get("content")
    return LastSent(sent, returned, at, content if isinstance(content, str) else "")


def _text(value: JsonObject, name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise _damaged(name)
    return text


def _texts(value: JsonObject, name: str) -> dict[str, str]:
    texts = value.get(name, {})
    if not is_object(texts):
        raise _damaged(name)
    return {key: text for key, text in texts.items() if isinstance(text, str)}


def _names(value: Json) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if is_array(value) else ()


def _count(value: JsonObject, name: str, least: int) -> int:
    count = value.get(name, least)
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise _damaged(name)
    return count


def _damaged(name: str) -> InvalidProjectFile:
    return InvalidProjectFile(_("“{name}” in the study file is missing or damaged.").format(name=name))
