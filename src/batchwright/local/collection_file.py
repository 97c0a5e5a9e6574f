"""Collections as JSON or YAML files, as the official command-line client reads and writes them.

A file contains the body of a request that creates a collection (wire reference, section 10.2): name, task
details, workspace, and pages under `collection_items`. Other keys are kept. What only the service sets in
pages and items is not, except their ids.
"""

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject, is_array, is_object, to_json
from batchwright.base.yaml_values import InvalidYaml, parse_yaml, yaml_content
from batchwright.layout.collection_pages import layout_from_collection, to_collection_items
from batchwright.layout.ids import collect_ids
from batchwright.layout.serialization import random_keys
from batchwright.local.project_migrations import InvalidProjectFile
from batchwright.local.project_parser import read_task_details
from batchwright.local.projects import Project, StudyKind

ITEMS = "collection_items"
"""The key of the pages."""


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
    from batchwright.wire.base import to_payload  # the wire models are not needed before a study is open

    own_ids = frozenset(collect_ids(project.layout))
    value: dict[str, Json] = {
        **around,
        "name": project.name,
        "task_details": to_payload(project.details),
        ITEMS: to_collection_items(project.layout, {}, own_ids),
    }
    return yaml_content(value) if as_yaml else to_json(value, indent=2).encode() + b"\n"
