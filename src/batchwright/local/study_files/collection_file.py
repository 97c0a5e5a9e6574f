"""Collections as JSON or YAML files, as the official command-line client reads and writes them.

A file contains the body of a request that creates a collection (wire reference, section 10.2): name, task
details, workspace, and pages under `collection_items`. Other keys are kept. What only the service sets in
pages and items is not, except their ids.
"""

from dataclasses import replace

from batchwright.base.i18n import _
from batchwright.base.json_texts.json_incremental import parse_file
from batchwright.base.json_texts.yaml_edits import with_changes
from batchwright.base.json_texts.yaml_values import InvalidYaml, parse_yaml, yaml_content
from batchwright.base.json_values import (
    InvalidJson,
    Json,
    JsonObject,
    is_array,
    is_object,
    json_equal,
    to_json,
)
from batchwright.layout.collection_pages import (
    PAGE_ITEMS,
    layout_from_collection,
    sorted_by_order,
    to_collection_items,
)
from batchwright.layout.ids import collect_ids
from batchwright.layout.serialization import random_keys
from batchwright.local.projects import Project, StudyKind
from batchwright.local.study_files.file_merge import with_differences
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.project_parser import read_task_details

ITEMS = "collection_items"
"""The key of the pages."""

_MAX_INDENTED_BY_HAND = 500_000
"""The largest JSON, in bytes, that is changed in place: its places in the text are found in one step."""


def read_yaml_collection(content: bytes) -> JsonObject:
    """Parse a YAML file with a collection.

    Raises:
        InvalidProjectFile: it is not YAML, or contains no collection.
    """
    try:
        value = parse_yaml(content)
    except InvalidYaml as error:
        raise InvalidProjectFile(_("The file is not valid YAML: {reason}.").format(reason=error)) from None
    if not is_collection(value):
        raise InvalidProjectFile(_("It contains no pages under “{key}”.").format(key=ITEMS))
    return value if is_object(value) else {}


def is_collection(value: Json) -> bool:
    """Whether a JSON value is an object with the pages of a collection."""
    return is_object(value) and is_array(value.get(ITEMS))


def project_from_collection(value: JsonObject) -> Project:
    """Create a study from a collection.

    Raises:
        InvalidProjectFile: the task details are invalid.
    """
    name, pages = value.get("name"), value[ITEMS]
    return Project(
        name if isinstance(name, str) else "",
        layout_from_collection(pages if is_array(pages) else (), random_keys()),
        details=read_task_details(value.get("task_details")),
        kind=StudyKind.COLLECTION,
    )


def collection_content(project: Project, around: JsonObject, *, as_yaml: bool) -> bytes:
    """Serialise a study as a collection; `around` has the other keys of the file and their order."""
    return _written({**around, **_value(project)}, as_yaml=as_yaml)


def changed_content(content: bytes, project: Project, unnamed: str, *, as_yaml: bool) -> bytes | None:
    """The content of a file with a collection, with the changes of a study and nothing else.

    `unnamed` is the name with which a file that contains none is opened.
    None if the content is no collection any more, its entries are not in their order, or, for YAML, the text
    cannot be changed in place.
    """
    changes = _changes(content, project, unnamed, as_yaml=as_yaml)
    if changes is None:
        return None
    original, changed = changes
    if json_equal(changed, original):
        return content
    return with_changes(content, original, changed) if as_yaml else _changed_json(content, original, changed)


def rewritten_content(content: bytes, project: Project, unnamed: str) -> bytes | None:
    """The YAML of a collection, rewritten with the changes of a study: its keys stay, in their order.

    `unnamed` is as for `changed_content`.
    None if the content is no collection any more, or its entries are not in their order.
    """
    changes = _changes(content, project, unnamed, as_yaml=True)
    return None if changes is None else yaml_content(changes[1])


def _changes(
    content: bytes, project: Project, unnamed: str, *, as_yaml: bool
) -> tuple[JsonObject, Json] | None:
    """The value of a file with a collection, and the same with the changes of a study."""
    try:
        original = parse_yaml(content) if as_yaml else parse_file(content)
        opened = project_from_collection(original) if _is_in_order(original) and is_object(original) else None
    except (InvalidYaml, InvalidJson, InvalidProjectFile):
        return None
    if opened is None or not is_object(original):
        return None
    if not opened.name:
        opened = replace(opened, name=unnamed)
    return original, with_differences(original, _value(opened), _value(project))


def _value(project: Project) -> dict[str, Json]:
    from batchwright.wire.base import to_payload  # the wire models are not needed before a study is open

    own_ids = frozenset(collect_ids(project.layout))
    return {
        "name": project.name,
        "task_details": to_payload(project.details),
        ITEMS: to_collection_items(project.layout, {}, own_ids),
    }


def _written(value: Json, *, as_yaml: bool) -> bytes:
    return yaml_content(value) if as_yaml else to_json(value, indent=2).encode() + b"\n"


def _changed_json(content: bytes, original: Json, changed: Json) -> bytes:
    """JSON with the indentation of the original content; what was indented by hand is changed in place."""
    end = content[len(content.rstrip()) :]
    for indent in (2, 4, 3, 1, None):
        if to_json(original, indent=indent).encode() == content.strip():
            return to_json(changed, indent=indent).encode() + end
    is_short = len(content) <= _MAX_INDENTED_BY_HAND
    in_place = with_changes(content, original, changed, parse_file) if is_short else None
    return in_place or to_json(changed, indent=2).encode() + end


def _is_in_order(value: Json) -> bool:
    """Whether pages and items are in the order of their positions."""
    pages = value.get(ITEMS) if is_object(value) else None
    if not is_array(pages):
        return False
    items = (page.get(PAGE_ITEMS) for page in pages if is_object(page))
    arrays = [pages, *(entries for entries in items if is_array(entries))]
    return all(sorted_by_order(entries) == [*entries] for entries in arrays)
